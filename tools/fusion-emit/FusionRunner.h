//===- FusionRunner.h - Runs emitted kernels on this CPU --------*- C++ -*-===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef UNRAVEL_TOOLS_FUSIONEMIT_FUSIONRUNNER_H
#define UNRAVEL_TOOLS_FUSIONEMIT_FUSIONRUNNER_H

#include "frontend/hlo/HloLiteral.h"
#include "frontend/kernels/KernelEmitter.h"

namespace unravel {

/// What a call of a library writes to its results.
using FusionLibrary =
    llvm::function_ref<llvm::Expected<std::vector<HloLiteral>>(
        const EmittedStep &Call, llvm::ArrayRef<HloLiteral> Operands)>;

struct FusionRunLimits {
  /// Threads of all kernels together.
  uint64_t MaxThreads = uint64_t(1) << 28;
  unsigned TimeoutSeconds = 600;
  /// Of all loops between kernels together.
  unsigned MaxIterations = 1 << 16;
};

/// What the kernels of \p Emitted, given a value for each parameter, leave in
/// the outputs, in their order. The code is \p IR, which may be a transformed
/// copy of its module. What a kernel does wrong is a KernelFinding. Without a
/// \p Library, calls are errors.
llvm::Expected<std::vector<HloLiteral>>
runKernels(const EmittedModule &Emitted, const llvm::Module &IR,
           llvm::StringRef Label, llvm::ArrayRef<HloLiteral> Inputs,
           FusionLibrary Library = nullptr, const FusionRunLimits &Limits = {});

} // namespace unravel

#endif // UNRAVEL_TOOLS_FUSIONEMIT_FUSIONRUNNER_H
