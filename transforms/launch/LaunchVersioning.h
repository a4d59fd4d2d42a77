//===- LaunchVersioning.h - A fast body for ordinary launches ---*- C++ -*-===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef UNRAVEL_TRANSFORMS_LAUNCH_LAUNCHVERSIONING_H
#define UNRAVEL_TRANSFORMS_LAUNCH_LAUNCHVERSIONING_H

#include "transforms/simplify/IndexSimplify.h"

namespace unravel {

/// Runs index-simplify on a function. A kernel that would become cheaper if
/// sizes were known to be positive, products of them to fit 31 bits, and the
/// thread index not to wrap, gets a second body in which all that holds, and a
/// uniform test at entry that chooses it. The body that index-simplify makes
/// without those facts stays for all other launches. Where that does not pay,
/// the function is what index-simplify alone makes of it.
class LaunchVersioningPass : public llvm::PassInfoMixin<LaunchVersioningPass> {
public:
  explicit LaunchVersioningPass(IndexSimplifyOptions Options = {})
      : Options(Options) {}
  llvm::PreservedAnalyses run(llvm::Function &F,
                              llvm::FunctionAnalysisManager &AM);

private:
  IndexSimplifyOptions Options;
};

} // namespace unravel

#endif // UNRAVEL_TRANSFORMS_LAUNCH_LAUNCHVERSIONING_H
