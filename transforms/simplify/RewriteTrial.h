//===- RewriteTrial.h - Rewrites compared behind later passes ---*- C++ -*-===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Prices of plans do not say what strength reduction makes of an address in a
// loop (LatePrices.h). So rewrites that touch loops are tried: they stay if the
// function is not more expensive with them, behind the passes of the back end.
//
//===----------------------------------------------------------------------===//

#ifndef UNRAVEL_TRANSFORMS_SIMPLIFY_REWRITETRIAL_H
#define UNRAVEL_TRANSFORMS_SIMPLIFY_REWRITETRIAL_H

#include "transforms/late/LatePrices.h"
#include "transforms/simplify/RewriteSelection.h"

namespace unravel {

/// Tries rewrites of one function, round after round.
class RewriteTrial {
public:
  /// \p Body is null or the second body, the only one that is rewritten.
  RewriteTrial(llvm::Function &F, llvm::FunctionAnalysisManager &AM,
               const llvm::BasicBlock *Body)
      : F(F), AM(AM), Body(Body) {}

  /// The best of the alternatives that \p Selected leaves open.
  std::vector<IndexRoot *> choose(const SelectedRewrites &Selected);

private:
  using Rewrites = std::vector<IndexRoot *>;
  LatePrice priceWith(const Rewrites &Roots);

  llvm::Function &F;
  llvm::FunctionAnalysisManager &AM;
  const llvm::BasicBlock *Body;
  bool IsFirstRound = true;
  /// Of the function as it is, if it is known.
  std::optional<LatePrice> Now;
};

} // namespace unravel

#endif // UNRAVEL_TRANSFORMS_SIMPLIFY_REWRITETRIAL_H
