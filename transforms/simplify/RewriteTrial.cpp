//===- RewriteTrial.cpp - Rewrites compared behind later passes -----------===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "transforms/simplify/RewriteTrial.h"
#include "transforms/simplify/Replacement.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Dominators.h"

using namespace llvm;

namespace unravel {

/// Groups of roots that are tried one by one. The others go by what is best for
/// all of them together.
static constexpr unsigned MaxSingleTrials = 4;

static bool touchLoops(ArrayRef<IndexRoot *> Roots, const LoopInfo &LI) {
  return any_of(Roots, [&](const IndexRoot *Root) {
    return LI.getLoopFor(Root->At->getParent());
  });
}

/// What is not careful has to gain about as much as prices may be wrong: one
/// part in so many.
static constexpr unsigned LeastGain = 16;

LatePrice RewriteTrial::priceWith(const Rewrites &Roots) {
  Replacement Trial(Roots, AM.getResult<DominatorTreeAnalysis>(F),
                    AM.getResult<LoopAnalysis>(F));
  LatePrice Price = priceBehindLaterPasses(F, AM, Body);
  Trial.undo();
  return Price;
}

std::vector<IndexRoot *>
RewriteTrial::choose(const SelectedRewrites &Selected) {
  // The groups that are rewritten as far as prices say that it pays.
  BitVector Chosen(Selected.Groups.size());
  Rewrites Best = Selected.roots(Chosen);
  SmallVector<unsigned, 4> Open;
  // What the first round has not found to be cheaper is not tried again.
  if (IsFirstRound)
    Open = Selected.openGroups();
  IsFirstRound = false;
  if (Open.empty() && !touchLoops(Best, AM.getResult<LoopAnalysis>(F))) {
    if (!Best.empty())
      Now.reset();
    return Best;
  }
  if (!Now)
    Now = priceBehindLaterPasses(F, AM, Body);
  LatePrice Least = Best.empty() ? *Now : priceWith(Best);
  auto Try = [&](const BitVector &ByPrice) {
    Rewrites Roots = Selected.roots(ByPrice);
    LatePrice Price = priceWith(Roots);
    if (Price.Weighted + Price.Weighted / LeastGain > Least.Weighted)
      return false;
    Best = std::move(Roots);
    Least = Price;
    return true;
  };
  if (!Open.empty()) {
    BitVector All = Chosen;
    for (unsigned Group : Open)
      All.set(Group);
    if (Try(All))
      Chosen = All;
  }
  if (Open.size() > 1)
    for (unsigned Group :
         ArrayRef<unsigned>(Open).take_front(MaxSingleTrials)) {
      BitVector Flipped = Chosen;
      Flipped.flip(Group);
      if (Try(Flipped))
        Chosen = Flipped;
    }
  if (*Now < Least)
    return {};
  Now = Least;
  return Best;
}

} // namespace unravel
