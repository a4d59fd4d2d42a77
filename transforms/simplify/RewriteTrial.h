//===- RewriteTrial.h - Rewrites compared behind later passes ---*- C++ -*-===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Prices of plans do not say what strength reduction makes of an address
// (LatePrices.h). So rewrites that touch loops, and those that save only affine
// operations, are tried: they stay if the function is not more expensive with
// them, behind the passes of the back end.
//
//===----------------------------------------------------------------------===//

#ifndef UNRAVEL_TRANSFORMS_SIMPLIFY_REWRITETRIAL_H
#define UNRAVEL_TRANSFORMS_SIMPLIFY_REWRITETRIAL_H

#include "transforms/late/LatePrices.h"
#include "transforms/simplify/RewriteSelection.h"

namespace unravel {

/// Tries rewrites of one function, round after round. A trial takes about as
/// long as the passes of the back end will take, so prices are remembered.
class RewriteTrial {
public:
  /// With \p RunsAgain, nothing is tried and what prices say is done: what the
  /// back end makes of a loop says little if it is unrolled before.
  RewriteTrial(llvm::Function &F, llvm::FunctionAnalysisManager &AM,
               bool RunsAgain = false)
      : F(F), AM(AM), TriesNothing(RunsAgain) {}
  /// Rewrites only \p Body, a second body of \p F.
  RewriteTrial(llvm::Function &F, llvm::FunctionAnalysisManager &AM,
               const llvm::BasicBlock *Body)
      : F(F), AM(AM), Body(Body) {}

  /// The best of the alternatives that \p Selected leaves open. None of them
  /// is the code that is there already.
  std::vector<IndexRoot *> choose(const SelectedRewrites &Selected);

  /// Null if all of the function is rewritten.
  const llvm::BasicBlock *body() const { return Body; }
  /// Of the function or its body as it is now.
  LatePrice price();
  /// From here on price() is that of other code.
  void forgetPrice() { Now.reset(); }

private:
  using Rewrites = std::vector<IndexRoot *>;
  Rewrites best(const SelectedRewrites &Selected);
  LatePrice priceWith(const Rewrites &Roots);

  llvm::Function &F;
  llvm::FunctionAnalysisManager &AM;
  const llvm::BasicBlock *Body = nullptr;
  bool TriesNothing = false;
  /// What was tried and not found to be cheaper is not tried again, as long as
  /// the code stays as it is.
  bool MayPayMore = true;
  std::optional<LatePrice> Now;
};

} // namespace unravel

#endif // UNRAVEL_TRANSFORMS_SIMPLIFY_REWRITETRIAL_H
