//===- PtxGenerator.h - Random kernels of PTX -------------------*- C++ -*-===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef UNRAVEL_TOOLS_PTX_FUZZ_GENERATOR_PTXGENERATOR_H
#define UNRAVEL_TOOLS_PTX_FUZZ_GENERATOR_PTXGENERATOR_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include <optional>
#include <string>

namespace unravel::ptx {

/// What a kernel is mostly made of.
enum class PtxProfile { Arithmetic, Bits, Division, Index, Memory, Control };

llvm::ArrayRef<llvm::StringRef> ptxProfileNames();

/// Kernels stay inside of buffers of this size, for up to MaxThreads threads of
/// one launch, all of them along x.
inline constexpr unsigned BufferBytes = 1 << 16;
inline constexpr unsigned MaxThreads = 1024;

/// Arrays that kernels use.
inline constexpr unsigned TableWords = 16, LocalWords = 8;

/// `.visible .entry NAME(…) {…}`
std::string generateKernel(uint64_t Seed, PtxProfile Profile,
                           llvm::StringRef Name);

/// A module of \p NumKernels kernels, of all profiles in turn unless one is
/// given. The same seed gives the same text.
std::string generateModule(uint64_t Seed, unsigned NumKernels,
                           std::optional<PtxProfile> Only);

} // namespace unravel::ptx

#endif // UNRAVEL_TOOLS_PTX_FUZZ_GENERATOR_PTXGENERATOR_H
