//===- RewriteTrial.cpp - Rewrites compared behind later passes -----------===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "transforms/simplify/RewriteTrial.h"
#include "transforms/plan/PlanRecognition.h"
#include "transforms/simplify/Replacement.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Dominators.h"

using namespace llvm;

namespace unravel {

/// What is not careful has to gain about as much as prices may be wrong, and
/// enough to be worth a register: one part in so many.
static constexpr unsigned LeastGain = 16;

static bool touchLoops(ArrayRef<IndexRoot *> Roots, const LoopInfo &LI) {
  return any_of(Roots, [&](const IndexRoot *Root) {
    return LI.getLoopFor(Root->At->getParent());
  });
}

/// Whether the plans are the code that is there already: prices are estimates,
/// and a rewrite into the same must not count as one.
static bool areInPlace(ArrayRef<IndexRoot *> Roots) {
  PlanRecognition Recognition;
  return all_of(Roots, [&](const IndexRoot *Root) {
    return !Root->Constant && Recognition.isAlready(Root->New, Root->Old);
  });
}

LatePrice RewriteTrial::price() {
  if (!Now)
    Now = priceBehindLaterPasses(F, AM, Body);
  return *Now;
}

LatePrice RewriteTrial::priceWith(const Rewrites &Roots) {
  if (areInPlace(Roots))
    return price();
  Replacement Trial(Roots, AM.getResult<DominatorTreeAnalysis>(F),
                    AM.getResult<LoopAnalysis>(F));
  LatePrice Price = priceBehindLaterPasses(F, AM, Body);
  Trial.undo();
  return Price;
}

RewriteTrial::Rewrites RewriteTrial::best(const SelectedRewrites &Selected) {
  // (A trial takes time, and prices are right often enough to tell which ones
  // are in vain.)
  int64_t MostGain = Selected.GainByPrice - Selected.GainOfCareful;
  bool IsOpen =
      MayPayMore && MostGain > 0 &&
      MostGain * LeastGain >= static_cast<int64_t>(priceNow(F, AM).Weighted);
  bool TouchesLoops =
      touchLoops(Selected.Careful, AM.getResult<LoopAnalysis>(F));
  bool IsInPlace = areInPlace(Selected.Careful);
  if ((!IsOpen && (!TouchesLoops || IsInPlace)) || !canTry(F)) {
    if (!IsInPlace)
      forgetPrice();
    return Selected.Careful;
  }
  LatePrice Before = price();
  LatePrice Careful =
      Selected.Careful.empty() ? Before : priceWith(Selected.Careful);
  if (IsOpen) {
    LatePrice ByPrice = priceWith(Selected.ByPrice);
    if (ByPrice.Weighted + Careful.Weighted / LeastGain <= Careful.Weighted &&
        !(Before < ByPrice)) {
      Now = ByPrice;
      return Selected.ByPrice;
    }
    MayPayMore = false;
  }
  if (Selected.Careful.empty() || Before < Careful)
    return {};
  Now = Careful;
  return Selected.Careful;
}

std::vector<IndexRoot *>
RewriteTrial::choose(const SelectedRewrites &Selected) {
  Rewrites Roots = TriesNothing ? Selected.ByPrice : best(Selected);
  if (areInPlace(Roots))
    Roots.clear();
  // Behind other code it is another question. A second run would ask it.
  if (!Roots.empty())
    MayPayMore = true;
  return Roots;
}

} // namespace unravel
