//===- DeviceCode.h - Functions that run on NVIDIA GPUs ---------*- C++ -*-===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef UNRAVEL_ANALYSIS_FACTS_DEVICECODE_H
#define UNRAVEL_ANALYSIS_FACTS_DEVICECODE_H

namespace llvm {
class Function;
class Module;
} // namespace llvm

namespace unravel {

/// Whether \p F is code for NVIDIA GPUs that may be changed: the triple of its
/// module says so, or the module has no triple yet (Triton, mlir-translate) but
/// a data layout, and \p F or its neighbours are what only such a GPU runs.
bool isDeviceCode(const llvm::Function &F);

/// Whether \p F would be device code if its module had a data layout. Without
/// one the offsets of structures are those of LLVM's default layout, which are
/// not NVPTX's (i64 is aligned to 4 bytes): an address that was rewritten would
/// be wrong as soon as the right layout is set.
bool isDeviceCodeWithoutLayout(const llvm::Function &F);

/// Gives \p M, if it has no triple and its kernels are device code, the triple
/// of 64-bit NVPTX, for tools that hand it to the back end.
void completeTriple(llvm::Module &M);

} // namespace unravel

#endif // UNRAVEL_ANALYSIS_FACTS_DEVICECODE_H
