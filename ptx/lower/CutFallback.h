//===- CutFallback.h - The body for other launches is elsewhere -*- C++ -*-===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// launch-versioning gives a kernel a second body and keeps the first for all
// other launches. In PTX the first one exists as text, the kernel's own or one
// that was made before: this pass puts a marker in its place, so that it costs
// no time here and never gets worse.
//
//===----------------------------------------------------------------------===//

#ifndef UNRAVEL_PTX_LOWER_CUTFALLBACK_H
#define UNRAVEL_PTX_LOWER_CUTFALLBACK_H

#include "llvm/IR/PassManager.h"

namespace unravel::ptx {

/// The opcode that stands for the first body.
inline constexpr const char *FallbackMarker = "unravel.fallback";

class CutFallbackPass : public llvm::PassInfoMixin<CutFallbackPass> {
public:
  /// \p HasSecondBody becomes true if the kernel has one.
  explicit CutFallbackPass(bool &HasSecondBody)
      : HasSecondBody(HasSecondBody) {}
  llvm::PreservedAnalyses run(llvm::Function &F,
                              llvm::FunctionAnalysisManager &FAM);

private:
  bool &HasSecondBody;
};

} // namespace unravel::ptx

#endif // UNRAVEL_PTX_LOWER_CUTFALLBACK_H
