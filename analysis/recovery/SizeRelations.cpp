//===- SizeRelations.cpp - What min(size, 256) says of a size -------------===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "analysis/recovery/IndexRecovery.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;

namespace unravel {

/// Whether \p MinMax bounds a size that is what it is everywhere. What is known
/// of another size, or promised of the result, holds where that is computed,
/// and the relation would carry it elsewhere.
static bool boundsArgument(const MinMaxIntrinsic &MinMax) {
  return isa<Argument>(MinMax.getLHS()) && isa<ConstantInt>(MinMax.getRHS()) &&
         isGuaranteedNotToBeUndefOrPoison(MinMax.getLHS()) &&
         MinMax.getAttributes().isEmpty() &&
         !MinMax.hasPoisonGeneratingMetadata();
}

/// min(size, 256), which may be a symbol of its own, is not above the size, and
/// max(size, 16) is not below.
void IndexRecovery::addSizeRelations(RecoveryScope &Root) {
  static constexpr size_t MaxRelations = 16;
  SmallVector<MinMaxIntrinsic *, 4> Sizes;
  for (Instruction &I : instructions(function()))
    if (auto *MinMax = dyn_cast<MinMaxIntrinsic>(&I))
      if (isIndexValue(MinMax) && boundsArgument(*MinMax) &&
          DT.isReachableFromEntry(I.getParent()) && Sizes.size() < MaxRelations)
        Sizes.push_back(MinMax);
  for (MinMaxIntrinsic *MinMax : Sizes) {
    Reading R = MinMax->isSigned() ? Reading::Signed : Reading::Unsigned;
    IndexExpr Size = recover(MinMax->getLHS(), Root).exact(R);
    IndexExpr Bounded = recover(MinMax, Root).exact(R);
    bool IsMin = MinMax->getIntrinsicID() == Intrinsic::smin ||
                 MinMax->getIntrinsicID() == Intrinsic::umin;
    if (const IndexAtom *A = Bounded.asAtom(); A && A->isVariable())
      Root.Domain.constrain(Context.sub(Bounded, Size),
                            IsMin ? Interval::atMost(0) : Interval::atLeast(0));
  }
  if (Sizes.empty())
    return;
  Root.Domain.propagate();
  forgetValues(Root);
}

} // namespace unravel
