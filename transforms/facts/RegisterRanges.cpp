//===- RegisterRanges.cpp - What is known of a launch's registers ---------===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "transforms/facts/RegisterRanges.h"
#include "analysis/facts/RangeFacts.h"
#include "analysis/facts/SpecialRegisters.h"
#include "llvm/Analysis/AssumptionCache.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/PatternMatch.h"

using namespace llvm;
using namespace llvm::PatternMatch;

namespace unravel {

/// Intersects the range on \p Call with \p Range; true if it got narrower.
static bool narrow(CallBase &Call, const ConstantRange &Range) {
  ConstantRange Known =
      Call.getRange().value_or(ConstantRange::getFull(Range.getBitWidth()));
  ConstantRange Both = Known.intersectWith(Range);
  if (Both.isEmptySet() || Both == Known)
    return false;
  Call.addRetAttr(Attribute::get(Call.getContext(), Attribute::Range, Both));
  return true;
}

bool narrowReads(Function &F, Intrinsic::ID Size, const ConstantRange &Range,
                 function_ref<bool(const Instruction &)> IsKnownAt) {
  bool Changed = false;
  for (Instruction &I : instructions(F)) {
    auto *Read = dyn_cast<IntrinsicInst>(&I);
    if (!Read)
      continue;
    if (Read->getIntrinsicID() == Size && IsKnownAt(*Read))
      Changed |= narrow(*Read, Range);
    // id < size <= the largest size
    else if (boundingRegister(Read->getIntrinsicID()) == Size &&
             !Range.getUnsignedMax().isZero() && IsKnownAt(*Read))
      Changed |=
          narrow(*Read, ConstantRange(APInt(32, 0), Range.getUnsignedMax()));
  }
  return Changed;
}

bool narrowAssumedReads(Function &F, FunctionAnalysisManager &AM) {
  // A launch has twelve numbers. What is assumed about them beyond this many
  // times is not looked at, so that the time does not grow with its square.
  static constexpr unsigned MaxAssumptions = 64;
  unsigned AssumptionsLeft = MaxAssumptions;
  bool Changed = false;
  DominatorTree *DT = nullptr;
  for (auto &Handle : AM.getResult<AssumptionAnalysis>(F).assumptions()) {
    auto *Assume = cast_or_null<AssumeInst>(Handle);
    CmpPredicate Pred;
    Value *Left;
    const APInt *C;
    if (!Assume || !match(Assume->getArgOperand(0),
                          m_ICmp(Pred, m_Value(Left), m_APInt(C))))
      continue;
    auto *Bound = dyn_cast<IntrinsicInst>(Left);
    if (!Bound || C->getBitWidth() != 32 || !isGridOrBlockSize(*Bound))
      continue;
    if (AssumptionsLeft-- == 0)
      break;
    if (!DT)
      DT = &AM.getResult<DominatorTreeAnalysis>(F);
    Changed |= narrowReads(F, Bound->getIntrinsicID(),
                           ConstantRange::makeExactICmpRegion(Pred, *C),
                           [&](const Instruction &Read) {
                             return isValidAssumeForContext(Assume, &Read, DT);
                           });
  }
  return Changed;
}

bool narrowClusterReads(Function &F) {
  bool Changed = false;
  if (F.hasFnAttribute("nvvm.cluster_dim"))
    for (Instruction &I : instructions(F))
      if (std::optional<Interval> Range = launchRange(&I))
        Changed |= narrow(
            cast<CallBase>(I),
            ConstantRange(APInt(32, Range->lo()), APInt(32, Range->hi() + 1)));
  return Changed;
}

} // namespace unravel
