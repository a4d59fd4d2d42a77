//===- KernelLimits.h - What bounds a kernel of PTX -------------*- C++ -*-===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The instructions are those of the PTX, the accesses those of the kernel that
// it lifts to. Loops weigh both alike.
//
//===----------------------------------------------------------------------===//

#ifndef UNRAVEL_PTX_LIMITS_KERNELLIMITS_H
#define UNRAVEL_PTX_LIMITS_KERNELLIMITS_H

#include "analysis/limits/LimitText.h"
#include "analysis/warps/WarpEvaluator.h"
#include "ptx/text/PtxSyntax.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/IR/PassManager.h"

namespace unravel {

/// What makes facts known in a lifted kernel.
using FactsSource =
    llvm::function_ref<void(llvm::Function &, llvm::FunctionAnalysisManager &)>;

/// Of a kernel that has a body. Its blocks are \p Block, what it requires, or
/// 256 threads.
KernelEstimate estimateKernel(
    const ptx::Module &M, const ptx::Function &Kernel,
    std::optional<BlockShape> Block = std::nullopt,
    FactsSource AddFacts = [](llvm::Function &,
                              llvm::FunctionAnalysisManager &) {});

} // namespace unravel

#endif // UNRAVEL_PTX_LIMITS_KERNELLIMITS_H
