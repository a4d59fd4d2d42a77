//===- PlainShifts.cpp - Shifts that need no bound in PTX -----------------===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ptx/forms/PlainShifts.h"
#include "ptx/forms/PureText.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/PatternMatch.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Transforms/Utils/Local.h"

using namespace llvm;
using namespace llvm::PatternMatch;
using namespace unravel::ptx;

namespace {
/// A shift by the 32 bits of \c Amount as PTX does it, in place of \c Old.
struct PlainShift {
  llvm::Instruction *Old;
  unsigned Opcode;
  Value *Number, *Amount;
  /// What \c Old does with its result, the last step first.
  SmallVector<llvm::Instruction *, 2> Steps = {};
};
} // namespace

/// What \p V has its lowest bits from, those that tell amounts below \p Width,
/// a power of two: words are masked, narrowed and widened. A mask may leave out
/// what is zero anyway.
static Value *sourceOfLowBits(Value *V, unsigned Width, const DataLayout &DL) {
  Value *Inner;
  const APInt *Mask;
  while (true) {
    bool IsResized = match(V, m_CombineOr(m_ZExt(m_Value(Inner)),
                                          m_Trunc(m_Value(Inner)))) &&
                     V->getType()->getIntegerBitWidth() >= Log2_32(Width);
    auto HasLowBits = [&] {
      APInt Kept = *Mask | computeKnownBits(Inner, DL).Zero;
      return (Kept & (Width - 1)) == Width - 1;
    };
    if (!IsResized &&
        !(match(V, m_And(m_Value(Inner), m_APInt(Mask))) && HasLowBits()))
      return V;
    V = Inner;
  }
}

static bool hasShiftedType(const Value *V) {
  llvm::Type *Ty = V->getType();
  return Ty->isIntegerTy(16) || Ty->isIntegerTy(32) || Ty->isIntegerTy(64);
}

/// Whether \p I makes 0 of 0, and of nothing else than its first operand.
static bool keepsZero(const llvm::Instruction &I) {
  switch (I.getOpcode()) {
  case llvm::Instruction::And:
  case llvm::Instruction::Mul:
  case llvm::Instruction::Shl:
  case llvm::Instruction::LShr:
  case llvm::Instruction::AShr:
    return isa<ConstantInt>(I.getOperand(1));
  default:
    return isa<TruncInst, ZExtInst, SExtInst>(I);
  }
}

/// n < width ? x << n : 0, and the same with >>. InstCombine takes a mask, or
/// what else is 0 of 0, into the selection: n < width ? (x << n) & m : 0.
///
/// The amount in the shift may be n masked. Where n is less than the width, it
/// is n, if both have the same lowest bits, or the shift has no value.
static std::optional<PlainShift> boundedShift(SelectInst &S) {
  CmpPredicate Predicate;
  Value *N, *Inside = S.getTrueValue(), *Beyond = S.getFalseValue();
  const APInt *Bound;
  if (!match(S.getCondition(), m_ICmp(Predicate, m_Value(N), m_APInt(Bound))) ||
      !N->getType()->isIntegerTy(32))
    return std::nullopt;
  if (Predicate == ICmpInst::ICMP_UGT)
    std::swap(Inside, Beyond);
  else if (Predicate != ICmpInst::ICMP_ULT)
    return std::nullopt;
  SmallVector<llvm::Instruction *, 2> Steps;
  auto *Step = dyn_cast<llvm::Instruction>(Inside);
  for (; Step && keepsZero(*Step) && Step->hasOneUse();
       Step = dyn_cast<llvm::Instruction>(Step->getOperand(0)))
    Steps.push_back(Step);
  auto *Shift = dyn_cast_or_null<BinaryOperator>(Step);
  if (!match(Beyond, m_Zero()) || !Shift || !Shift->isLogicalShift() ||
      !hasShiftedType(Shift))
    return std::nullopt;
  unsigned Width = Shift->getType()->getIntegerBitWidth();
  const DataLayout &DL = S.getDataLayout();
  Value *Amount = sourceOfLowBits(Shift->getOperand(1), Width, DL);
  // The least number beyond.
  APInt Least = Predicate == ICmpInst::ICMP_UGT ? *Bound + 1 : *Bound;
  // LLVM compares m with 16 for the amount 2*m. That must not wrap for any m:
  // its flags may hold inside the bound only.
  uint64_t Scale;
  if (match(Amount, m_Shl(m_Specific(N), m_ConstantInt(Scale))) &&
      Scale < Log2_32(Width) && Least == Width >> Scale &&
      computeKnownBits(N, DL).countMinLeadingZeros() > Scale)
    N = Amount;
  else if (Least != Width || Amount != sourceOfLowBits(N, Width, DL))
    return std::nullopt;
  return PlainShift{&S, Shift->getOpcode(), Shift->getOperand(0), N, Steps};
}

/// x >> min(n, width - 1), with copies of the sign.
static std::optional<PlainShift> boundedShift(BinaryOperator &Shift) {
  if (!hasShiftedType(&Shift))
    return std::nullopt;
  unsigned Width = Shift.getType()->getIntegerBitWidth();
  Value *N;
  auto Least = m_UMin(m_Value(N), m_SpecificInt(Width - 1));
  if (Shift.getOpcode() != BinaryOperator::AShr ||
      !match(Shift.getOperand(1),
             m_CombineOr(Least, m_CombineOr(m_ZExt(Least), m_Trunc(Least)))) ||
      !N->getType()->isIntegerTy(32))
    return std::nullopt;
  return PlainShift{&Shift, Shift.getOpcode(), Shift.getOperand(0), N};
}

/// The shift beside 0 that a selection by a bound takes, if it is by no
/// constant.
///
/// LLVM 22's backend takes the bound for one of the shift's amount, and drops
/// it, also where it is one of a wider number whose lowest bits the amount is
/// (llvm/llvm-project#201165). It does not know shifts that are text.
static std::optional<PlainShift> guardedShift(SelectInst &S) {
  if (!isa<ICmpInst>(S.getCondition()))
    return std::nullopt;
  Value *Inside = S.getTrueValue(), *Beyond = S.getFalseValue();
  if (match(Inside, m_Zero()))
    std::swap(Inside, Beyond);
  auto *Shift = dyn_cast<BinaryOperator>(Inside);
  if (!match(Beyond, m_Zero()) || !Shift || !Shift->isLogicalShift() ||
      !hasShiftedType(Shift) || isa<Constant>(Shift->getOperand(1)))
    return std::nullopt;
  // (An amount that 32 bits do not hold has no value.)
  IRBuilder<> B(Shift);
  Value *Amount = B.CreateZExtOrTrunc(Shift->getOperand(1), B.getInt32Ty());
  return PlainShift{Shift, Shift->getOpcode(), Shift->getOperand(0), Amount};
}

static Value *printed(const PlainShift &S) {
  StringRef Name = S.Opcode == BinaryOperator::Shl    ? "shl.b"
                   : S.Opcode == BinaryOperator::LShr ? "shr.u"
                                                      : "shr.s";
  IRBuilder<> B(S.Old);
  llvm::Type *Ty = S.Number->getType();
  Value *Result = pureText(B, (Name + Twine(Ty->getIntegerBitWidth())).str(),
                           Ty, {S.Number, S.Amount});
  for (llvm::Instruction *Step : reverse(S.Steps)) {
    llvm::Instruction *Copy = B.Insert(Step->clone());
    Copy->setOperand(0, Result);
    Result = Copy;
  }
  return Result;
}

void unravel::ptx::makePlainShifts(llvm::Function &F) {
  SmallVector<WeakTrackingVH, 8> Dead;
  for (llvm::Instruction &I : make_early_inc_range(instructions(F))) {
    std::optional<PlainShift> Plain;
    if (auto *Select = dyn_cast<SelectInst>(&I)) {
      Plain = boundedShift(*Select);
      if (!Plain)
        Plain = guardedShift(*Select);
    } else if (auto *Shift = dyn_cast<BinaryOperator>(&I)) {
      Plain = boundedShift(*Shift);
    }
    if (!Plain)
      continue;
    Plain->Old->replaceAllUsesWith(printed(*Plain));
    Dead.push_back(Plain->Old);
  }
  RecursivelyDeleteTriviallyDeadInstructions(Dead);
}
