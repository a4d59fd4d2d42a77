//===- FusionPasses.h - What becomes of emitted IR --------------*- C++ -*-===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef UNRAVEL_TOOLS_FUSIONEMIT_FUSIONPASSES_H
#define UNRAVEL_TOOLS_FUSIONEMIT_FUSIONPASSES_H

#include "llvm/IR/Module.h"
#include "llvm/Support/Error.h"
#include "llvm/Target/TargetMachine.h"

namespace unravel {

enum class FusionPasses {
  None,     ///< as emitted
  Alone,    ///< index-simplify on what is emitted, and nothing in front of it
  Optimize, ///< LLVM's pipeline at O3
  Simplify  ///< the same with index-simplify in it
};

/// For an architecture as "sm_90". Errors: there is no such one.
llvm::Expected<std::unique_ptr<llvm::TargetMachine>>
gpuMachine(llvm::StringRef Arch);

void runPasses(llvm::Module &M, FusionPasses Passes,
               llvm::TargetMachine &Target);

} // namespace unravel

#endif // UNRAVEL_TOOLS_FUSIONEMIT_FUSIONPASSES_H
