//===- WarpWays.cpp - Bounds of what differs in an unknown way ------------===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A value that is not known may still be one of a few in each lane: what a
// selection by an unknown condition selects, or a number within a range. So its
// accesses have a least and a most. Nothing is assumed of which lane has which.
//
// Forms of 64 bits are congruent to the value, as those of addresses have to
// be; narrower ones equal its signed number.
//
//===----------------------------------------------------------------------===//

#include "analysis/warps/WarpEvaluator.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/GetElementPtrTypeIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Operator.h"

using namespace llvm;

namespace unravel {

/// More ways say little.
static constexpr size_t MaxWays = 4;
/// Wider ranges are left out: their bounds are those of any 32 addresses.
static constexpr int64_t MaxOwn = int64_t(1) << 16;

static bool isTooWide(const Interval &Own) {
  return !Own.isBounded() || Own.lo() < -MaxOwn || Own.hi() > MaxOwn;
}

/// All ways of both; none if one has none, or if there are too many.
static WarpWays unite(WarpWays A, const WarpWays &B) {
  if (A.empty() || B.empty())
    return {};
  for (const WarpWay &Way : B) {
    auto *Same =
        find_if(A, [&](const WarpWay &Of) { return Of.Form == Way.Form; });
    if (Same == A.end())
      A.push_back(Way);
    else
      Same->Own = Interval(std::min(Same->Own.lo(), Way.Own.lo()),
                           std::max(Same->Own.hi(), Way.Own.hi()));
  }
  return A.size() <= MaxWays ? A : WarpWays();
}

/// A + Times * B, each way of one with each of the other.
static WarpWays addWays(const WarpWays &A, const WarpWays &B, int64_t Times) {
  WarpWays Sums;
  for (const WarpWay &X : A)
    for (const WarpWay &Y : B) {
      std::optional<WarpForm> Form = add(X.Form, Y.Form, Times);
      Interval Own = X.Own + Y.Own * Times;
      if (!Form || isTooWide(Own))
        return {};
      WarpWay Sum = {std::move(*Form), Own};
      Sums = Sums.empty() ? WarpWays{Sum} : unite(Sums, {Sum});
      if (Sums.empty())
        return {};
    }
  return Sums;
}

Interval WarpEvaluator::rangeOf(const WarpWay &Way) const {
  return rangeOf(Way.Form) + Way.Own;
}

static Interval signedNumbers(unsigned Width) {
  int64_t Half = int64_t(1) << (Width - 1);
  return Interval(-Half, Half - 1);
}

/// A number somewhere in the range of \p V.
WarpWays WarpEvaluator::waysInRange(const Value *V) {
  if (!V->getType()->isIntegerTy() || widthOf(V->getType()) > 64)
    return {};
  Interval Range =
      With.Facts.rangeOf(const_cast<Value *>(V), Reading::Signed)
          .intersect(guardedRange(
              [&](const Value *Other) { return Other == V; }, true));
  if (Range.isEmpty() || isTooWide(Range))
    return {};
  return {{WarpForm(), Range}};
}

WarpWays WarpEvaluator::waysOfOperand(const Instruction &User,
                                      unsigned Number) {
  const Value *Of = User.getOperand(Number);
  WarpValue V = operand(User, Number);
  if (!V.isKnown())
    return V.LoopThatLanesLeave.empty() ? V.Ways : waysInRange(Of);
  std::optional<WarpForm> Form = V.Form;
  if (widthOf(Of->getType()) < 64)
    Form = exact(Of, Of, V, /*IsSigned=*/true);
  return Form ? WarpWays{{std::move(*Form), Interval::point(0)}}
              : waysInRange(Of);
}

WarpWays WarpEvaluator::waysOfAddress(const GEPOperator &GEP) {
  auto *I = dyn_cast<Instruction>(&GEP);
  if (!I || I->getType()->isVectorTy())
    return {};
  WarpWays Sum = waysOfOperand(*I, 0);
  unsigned Number = 1;
  for (gep_type_iterator It = gep_type_begin(GEP), End = gep_type_end(GEP);
       It != End && !Sum.empty(); ++It, ++Number) {
    if (StructType *Struct = It.getStructTypeOrNull()) {
      unsigned Field = cast<ConstantInt>(It.getOperand())->getZExtValue();
      int64_t Offset = Layout.getStructLayout(Struct)->getElementOffset(Field);
      Sum = addWays(Sum, {{WarpForm::constant(Offset), Interval::point(0)}}, 1);
      continue;
    }
    TypeSize Size = It.getSequentialElementStride(Layout);
    if (Size.isScalable())
      return {};
    Sum = addWays(Sum, waysOfOperand(*I, Number), Size.getFixedValue());
  }
  return Sum;
}

WarpWays WarpEvaluator::waysOfInstruction(const Instruction &I) {
  auto Of = [&](unsigned Number) { return waysOfOperand(I, Number); };
  if (auto *Phi = dyn_cast<PHINode>(&I)) {
    if (With.LI.isLoopHeader(Phi->getParent()))
      return {};
    WarpWays Ways = Of(0);
    for (unsigned N = 1; N < Phi->getNumIncomingValues(); ++N)
      Ways = unite(std::move(Ways), Of(N));
    return Ways;
  }
  if (auto *GEP = dyn_cast<GEPOperator>(&I))
    return waysOfAddress(*GEP);
  if (auto *Call = dyn_cast<IntrinsicInst>(&I))
    switch (Call->getIntrinsicID()) {
    case Intrinsic::smin:
    case Intrinsic::smax:
    case Intrinsic::umin:
    case Intrinsic::umax:
      return unite(Of(0), Of(1));
    case Intrinsic::abs: {
      WarpWays Zero = {{WarpForm(), Interval::point(0)}};
      return unite(Of(0), addWays(Zero, Of(0), -1));
    }
    default:
      return {};
    }
  auto *Factor = I.getNumOperands() == 2
                     ? dyn_cast<ConstantInt>(I.getOperand(1))
                     : nullptr;
  bool IsSmall = Factor && Factor->getValue().isSignedIntN(32);
  WarpWays Zero = {{WarpForm(), Interval::point(0)}};
  switch (I.getOpcode()) {
  case Instruction::Select:
    return I.getType()->isVectorTy() ? WarpWays() : unite(Of(1), Of(2));
  case Instruction::Freeze:
  case Instruction::SExt:
    return Of(0);
  case Instruction::ZExt: {
    WarpWays Ways = Of(0);
    bool IsSame = I.hasNonNeg() || all_of(Ways, [&](const WarpWay &Way) {
                    return rangeOf(Way).isNonNegative();
                  });
    return IsSame ? Ways : WarpWays();
  }
  case Instruction::Add:
    return addWays(Of(0), Of(1), 1);
  case Instruction::Sub:
    return addWays(Of(0), Of(1), -1);
  case Instruction::Mul:
    return IsSmall ? addWays(Zero, Of(0), Factor->getSExtValue()) : WarpWays();
  case Instruction::Shl:
    return IsSmall && Factor->getValue().ult(31)
               ? addWays(Zero, Of(0), int64_t(1) << Factor->getZExtValue())
               : WarpWays();
  default:
    return {};
  }
}

/// The ways of \p V, which is not known.
WarpWays WarpEvaluator::waysOf(const Value *V) {
  auto *I = dyn_cast<Instruction>(V);
  if (!I || !(V->getType()->isPointerTy() || V->getType()->isIntegerTy()))
    return {};
  WarpWays Ways = waysOfInstruction(*I);
  unsigned Width = widthOf(V->getType());
  if (Ways.empty())
    return waysInRange(V);
  // Narrower forms must be the number: a sum may have wrapped.
  auto *Sum = dyn_cast<OverflowingBinaryOperator>(I);
  bool MayWrap = Sum ? !Sum->hasNoSignedWrap() : isa<CallBase>(I);
  if (Width >= 64 || !MayWrap)
    return Ways;
  Interval Numbers = signedNumbers(Width);
  if (all_of(Ways, [&](const WarpWay &Way) {
        Interval Range = rangeOf(Way);
        return Range.isBounded() && Numbers.contains(Range);
      }))
    return Ways;
  // As for values that are known: what lanes share is taken not to wrap. What
  // differs between them may.
  if (WarpWays InRange = waysInRange(V); !InRange.empty())
    return InRange;
  if (any_of(Ways, [&](const WarpWay &Way) {
        return !Numbers.contains(Way.Own) || Way.Form.isConcrete();
      }))
    return {};
  assume(With.nameOf(V) + " does not wrap");
  return Ways;
}

} // namespace unravel
