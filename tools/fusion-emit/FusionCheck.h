//===- FusionCheck.h - Kernels against the evaluator ----------*- C++ -*-===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef UNRAVEL_TOOLS_FUSIONEMIT_FUSIONCHECK_H
#define UNRAVEL_TOOLS_FUSIONEMIT_FUSIONCHECK_H

#include "frontend/kernels/KernelEmitter.h"
#include "llvm/Target/TargetMachine.h"

namespace unravel {

/// Runs the kernels of \p Emitted, as they are and after each of the passes,
/// and compares what they compute with what the evaluator does. Returns a line
/// that says how much was equal; what is not is a KernelFinding.
llvm::Expected<std::string> checkKernels(const HloModule &Module,
                                         const EmittedModule &Emitted,
                                         llvm::TargetMachine &Target,
                                         llvm::ArrayRef<HloLiteral> Inputs);

} // namespace unravel

#endif // UNRAVEL_TOOLS_FUSIONEMIT_FUSIONCHECK_H
