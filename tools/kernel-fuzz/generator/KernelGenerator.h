//===- KernelGenerator.h - Random index-heavy kernels -----------*- C++ -*-===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef UNRAVEL_TOOLS_KERNELFUZZ_KERNELGENERATOR_H
#define UNRAVEL_TOOLS_KERNELFUZZ_KERNELGENERATOR_H

#include "tools/kernel-fuzz/random/SeedLine.h"
#include <memory>

namespace llvm {
class LLVMContext;
class Module;
class TargetMachine;
} // namespace llvm

namespace unravel {

/// The kernel that \p Line names: always the same, and well-defined for most of
/// the threads that an InputSampler draws for it.
std::unique_ptr<llvm::Module> generateKernel(const SeedLine &Line,
                                             llvm::LLVMContext &Context,
                                             const llvm::TargetMachine &TM);

} // namespace unravel

#endif // UNRAVEL_TOOLS_KERNELFUZZ_KERNELGENERATOR_H
