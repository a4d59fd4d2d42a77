//===- MissingFactsBounds.cpp - Values bounded by symbols -----------------===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Every fact is proved here under the assumption that the test succeeds. The
// proofs rest on one property of the bounds: they are sums of products in
// which every factor is at least 1. So the bound of an expression is not below
// that of any of its parts, and if it is at most 2^31, then neither the
// expression nor a part of it leaves [0, 2^31).
//
//===----------------------------------------------------------------------===//

#include "analysis/facts/GuardedDivisor.h"
#include "analysis/facts/MissingFactsFinder.h"
#include "analysis/facts/SpecialRegisters.h"
#include "analysis/facts/UniformValues.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/PatternMatch.h"

using namespace llvm;
using namespace llvm::PatternMatch;

namespace unravel {

void MissingFactsFinder::goBackTo(Mark M) {
  Found.Symbols = std::move(M.Symbols);
  Found.Bounds = std::move(M.Bounds);
  while (Found.Exact.size() > M.NumExact)
    Found.Exact.pop_back();
  while (Found.Small.size() > M.NumSmall)
    Found.Small.pop_back();
  while (Order.size() > M.NumKnown)
    Known.erase(Order.pop_back_val());
}

unsigned MissingFactsFinder::symbolOf(UniformSymbol S) {
  auto &Symbols = Found.Symbols;
  for (auto [Index, Known] : enumerate(Symbols))
    if (Known.Register == S.Register &&
        (Known.Source == S.Source ||
         (S.Source && isSameLoad(Known.Source, S.Source))))
      return Index;
  Symbols.push_back(S);
  return Symbols.size() - 1;
}

/// One more than the symbol; a constant where only one value is possible.
CountBound MissingFactsFinder::boundOfSymbol(unsigned Index) {
  const Interval &Known = Found.Symbols[Index].Known;
  if (Known.isPoint() && Known.lo() >= 0)
    return CountBound::constant(static_cast<uint64_t>(Known.lo()) + 1);
  return *CountBound::symbol(Index).plus(CountBound::constant(1));
}

/// blockDim or gridDim, which are positive; \p Read is a read of it, or of the
/// register below it.
MissingFactsFinder::MaybeBound
MissingFactsFinder::boundOfRegister(Intrinsic::ID ID,
                                    const IntrinsicInst &Read) {
  UniformSymbol S;
  S.Register = ID;
  S.Known = Interval(1, launchRange(&Read)->hi() + 1);
  for (IntrinsicInst *Size : SizeReads)
    if (Size->getIntrinsicID() == ID)
      S.Known = *launchRange(Size);
  return boundOfSymbol(symbolOf(S));
}

MissingFactsFinder::MaybeBound MissingFactsFinder::boundUniform(Value *V) {
  if (!isUniform(V))
    return std::nullopt;
  UniformSymbol S;
  S.Source = V;
  // Flags and metadata say nothing of a value that is computed without them.
  bool HoldsAnyway = isa<ConstantInt>(V) ||
                     (isa<Argument>(V) && isGuaranteedNotToBeUndefOrPoison(V));
  S.Known = HoldsAnyway ? Facts.rangeOf(V, Reading::Signed)
                        : wordRange(V->getType()->getIntegerBitWidth(),
                                    Reading::Signed);
  // max(x, 1) needs no test of its sign.
  const APInt *C;
  if (match(V, m_SMax(m_Value(), m_APInt(C))))
    S.Known = S.Known.intersect(Interval::atLeast(C->getSExtValue()));
  else if (match(V, m_SMin(m_Value(), m_APInt(C))))
    S.Known = S.Known.intersect(Interval::atMost(C->getSExtValue()));
  if (S.Known.hi() < 0)
    return std::nullopt;
  return boundOfSymbol(symbolOf(S));
}

/// Whether \p B, the bound of \p V, is one more than V and not constant.
bool MissingFactsFinder::isSymbol(Value *V, const CountBound &B) const {
  CountBound Most = B.withoutOne();
  if (Most == B || Most.monomials().size() != 1)
    return false;
  const CountBound::Monomial &M = Most.monomials().front();
  return M.Coefficient == 1 && M.Symbols.size() == 1 &&
         Found.Symbols[M.Symbols.front()].Source == V;
}

/// Makes sure that \p B is at least 1 whatever the symbols are: one summand is,
/// and the others are natural. Of `w + 2 * p` that is w: what counts twice is a
/// padding, of which 0 is ordinary.
void MissingFactsFinder::makePositive(const CountBound &B) {
  auto NumTests = [&](const CountBound::Monomial &M) {
    return count_if(M.Symbols, [&](unsigned S) { return !isPositive(S); });
  };
  const CountBound::Monomial *Easiest = nullptr;
  for (const CountBound::Monomial &M : B.monomials())
    if (!Easiest || std::pair(NumTests(M), M.Coefficient) <
                        std::pair(NumTests(*Easiest), Easiest->Coefficient))
      Easiest = &M;
  if (Easiest)
    for (unsigned S : Easiest->Symbols)
      Found.Symbols[S].IsFactor = true;
}

static bool isConstant(const CountBound &B) {
  return all_of(B.monomials(), [](const CountBound::Monomial &M) {
    return M.Symbols.empty();
  });
}

/// x < A and y < B: x*y <= (A-1)*(B-1). Both factors are made positive, so that
/// the product is not below either. A constant is at least 1, and the product
/// not below the other factor without that.
MissingFactsFinder::MaybeBound
MissingFactsFinder::boundProduct(const CountBound &A, const CountBound &B) {
  CountBound MostA = A.withoutOne(), MostB = B.withoutOne();
  if (MostA.isZero() || MostB.isZero())
    return std::nullopt;
  if (!isConstant(MostB))
    makePositive(MostA);
  if (!isConstant(MostA))
    makePositive(MostB);
  MaybeBound Product = MostA.times(MostB);
  return Product ? Product->plus(CountBound::constant(1)) : std::nullopt;
}

/// The same number, if it is natural.
static Value *withoutExtension(Value *V) {
  return isa<ZExtInst>(V) || isa<SExtInst>(V) ? cast<CastInst>(V)->getOperand(0)
                                              : V;
}

/// Of x * c and x << k, what x is multiplied by.
static std::optional<uint64_t> constantFactor(const BinaryOperator &I) {
  const APInt *C;
  if (match(&I, m_Mul(m_Value(), m_APInt(C))) && C->isStrictlyPositive() &&
      C->ult(uint64_t(1) << 31))
    return C->getZExtValue();
  if (match(&I, m_Shl(m_Value(), m_APInt(C))) && C->ult(31))
    return uint64_t(1) << C->getZExtValue();
  return std::nullopt;
}

/// Product is B*S and Digit < S by the hardware: B*S + Digit < bound(B)*S, as
/// in blockIdx.x*blockDim.x + threadIdx.x.
MissingFactsFinder::MaybeBound
MissingFactsFinder::boundIndexIn(Value *Product, Value *Digit, unsigned Depth) {
  auto *Index = dyn_cast<IntrinsicInst>(withoutExtension(Digit));
  auto *Mul = dyn_cast<BinaryOperator>(withoutExtension(Product));
  if (!Index || !Mul)
    return std::nullopt;
  auto Exactly = [&](MaybeBound Result) {
    if (Result) {
      Found.Exact.insert(Mul);
      Found.Small.insert(Mul);
      Found.Small.insert(Product);
    }
    return Result;
  };
  // A constant in place of S, as in blockIdx.x*256 + threadIdx.x.
  if (std::optional<uint64_t> Factor = constantFactor(*Mul)) {
    std::optional<Interval> Digits = launchRange(Index);
    if (!Digits || Digits->lo() < 0 ||
        static_cast<uint64_t>(Digits->hi()) >= *Factor)
      return std::nullopt;
    MaybeBound Outer = bound(Mul->getOperand(0), Depth + 1);
    return Exactly(Outer ? Outer->times(CountBound::constant(*Factor))
                         : std::nullopt);
  }
  if (Mul->getOpcode() != Instruction::Mul)
    return std::nullopt;
  Intrinsic::ID Size = boundingRegister(Index->getIntrinsicID());
  for (unsigned Side : {0u, 1u}) {
    auto *S = dyn_cast<IntrinsicInst>(withoutExtension(Mul->getOperand(Side)));
    if (!S || S->getIntrinsicID() != Size || Size == Intrinsic::not_intrinsic)
      continue;
    MaybeBound Outer = bound(Mul->getOperand(1 - Side), Depth + 1);
    MaybeBound Inner = boundOfRegister(Size, *S);
    return Exactly(Outer && Inner ? Outer->times(Inner->withoutOne())
                                  : std::nullopt);
  }
  return std::nullopt;
}

/// x - x / d * d, also of a frozen x, for x >= 0.
static bool isRemainder(const Instruction &Sub) {
  Value *X = Sub.getOperand(0), *D;
  auto Same = m_CombineOr(m_Specific(X), m_Freeze(m_Specific(X)));
  return match(Sub.getOperand(1),
               m_c_Mul(m_IDiv(Same, m_Value(D)), m_Deferred(D)));
}

/// x - 1, where x or one of its two summands is a symbol: then x >= 1 is a
/// question about that symbol. (What is exact by its bound has natural parts.)
MissingFactsFinder::MaybeBound
MissingFactsFinder::boundPredecessor(Value *X, const CountBound &B) {
  SmallVector<Value *, 3> Parts{X};
  Value *Left, *Right;
  if (match(X, m_Add(m_Value(Left), m_Value(Right))) &&
      Found.Exact.contains(cast<Instruction>(X)))
    Parts.append({Left, Right});
  for (Value *Part : Parts) {
    auto It = Known.find(Part);
    if (It == Known.end() || !isSymbol(Part, It->second))
      continue;
    makePositive(It->second.withoutOne());
    Found.Bounds.push_back(B);
    return B.withoutOne();
  }
  return std::nullopt;
}

MissingFactsFinder::MaybeBound
MissingFactsFinder::boundOperation(Instruction &I, unsigned Depth) {
  auto Operand = [&](unsigned Index) {
    return bound(I.getOperand(Index), Depth + 1);
  };
  auto Exactly = [&](MaybeBound Result) {
    if (Result)
      Found.Exact.insert(&I);
    return Result;
  };
  switch (I.getOpcode()) {
  case Instruction::Or:
    if (!cast<PossiblyDisjointInst>(I).isDisjoint())
      return std::nullopt;
    [[fallthrough]];
  case Instruction::Add: {
    bool IsAdd = I.getOpcode() == Instruction::Add;
    for (unsigned Side : {0u, 1u})
      if (MaybeBound Index =
              boundIndexIn(I.getOperand(Side), I.getOperand(1 - Side), Depth))
        return IsAdd ? Exactly(Index) : Index;
    MaybeBound A = Operand(0);
    if (A && match(I.getOperand(1), m_AllOnes()))
      return boundPredecessor(I.getOperand(0), *A);
    MaybeBound B = A ? Operand(1) : std::nullopt;
    if (!B)
      return std::nullopt;
    // x <= A-1, y <= B-1: x + y < A + B - 1.
    bool HasOne = A->constantTerm() > 0;
    MaybeBound Sum =
        HasOne ? A->withoutOne().plus(*B) : A->plus(B->withoutOne());
    return IsAdd ? Exactly(Sum) : Sum;
  }
  case Instruction::Mul: {
    // x / d * d <= x.
    for (unsigned Side : {0u, 1u}) {
      Value *Dividend;
      if (match(
              I.getOperand(Side),
              m_IDiv(m_Value(Dividend), m_Specific(I.getOperand(1 - Side)))) &&
          Operand(Side))
        return Exactly(bound(Dividend, Depth + 1));
    }
    MaybeBound A = Operand(0), B = A ? Operand(1) : std::nullopt;
    return B ? Exactly(boundProduct(*A, *B)) : std::nullopt;
  }
  case Instruction::Shl: {
    std::optional<uint64_t> Factor = constantFactor(cast<BinaryOperator>(I));
    MaybeBound A = Factor ? Operand(0) : std::nullopt;
    return A ? Exactly(boundProduct(*A, CountBound::constant(*Factor + 1)))
             : std::nullopt;
  }
  case Instruction::SExt:
  case Instruction::ZExt:
  case Instruction::Trunc:
    // The same number, once the operand is known to be in [0, 2^31).
    return Operand(0);
  case Instruction::Freeze:
    return isNeverPoison(I.getOperand(0)) ? Operand(0) : std::nullopt;
  case Instruction::Sub:
    // x % d in disguise; what is left of x by itself proves nothing.
    if (isRemainder(I)) {
      MaybeBound Dividend = Operand(0);
      if (!Dividend)
        return std::nullopt;
      Found.Bounds.push_back(*Dividend);
      return Dividend;
    }
    return std::nullopt;
  case Instruction::UDiv:
  case Instruction::SDiv:
  case Instruction::URem:
  case Instruction::SRem: {
    // 0 <= x / d <= x and 0 <= x % d < d for x >= 0 and d > 0. The bound says
    // nothing of the dividend, which is tested by itself.
    MaybeBound Dividend = Operand(0),
               Divisor = Dividend ? Operand(1) : std::nullopt;
    if (!Divisor)
      return std::nullopt;
    Found.Bounds.push_back(*Dividend);
    Found.Bounds.push_back(*Divisor);
    CountBound MostDivisor = Divisor->withoutOne();
    makePositive(MostDivisor);
    return isQuotient(I) || MostDivisor.isZero() ? Dividend : MostDivisor;
  }
  case Instruction::Select:
    return boundOneOf({I.getOperand(1), I.getOperand(2)}, Depth);
  case Instruction::PHI: {
    auto &Phi = cast<PHINode>(I);
    if (LI.isLoopHeader(Phi.getParent()))
      return boundRecurrence(Phi, Depth);
    static constexpr unsigned MaxIncoming = 4;
    if (Phi.getNumIncomingValues() > MaxIncoming)
      return std::nullopt;
    return boundOneOf(SmallVector<Value *, 4>(Phi.incoming_values()), Depth);
  }
  default:
    return std::nullopt;
  }
}

/// A bound of \p V that holds if it, and those it added to Bounds, are at most
/// 2^31. Facts that were noted on the way are void if the result is null.
/// A guarded divisor is d or 1. For d in [0, B) it is below B as well, if B is
/// above 1; and where d is positive, it is d.
MissingFactsFinder::MaybeBound
MissingFactsFinder::boundGuarded(Value *V, unsigned Depth) {
  Value *D = divisorBehindGuard(V);
  MaybeBound B = D == V ? std::nullopt : bound(D, Depth + 1);
  if (!B || B->withoutOne().isZero())
    return std::nullopt;
  makePositive(B->withoutOne());
  return B;
}

MissingFactsFinder::MaybeBound MissingFactsFinder::bound(Value *V,
                                                         unsigned Depth) {
  auto It = Known.find(V);
  if (It != Known.end())
    return It->second;
  static constexpr size_t MaxBounds = 64;
  if (StepsLeft == 0 || Depth > MaxDepth || Found.Bounds.size() > MaxBounds ||
      !(V->getType()->isIntegerTy(32) || V->getType()->isIntegerTy(64)))
    return std::nullopt;
  --StepsLeft;
  MaybeBound Result;
  if (auto *Call = dyn_cast<IntrinsicInst>(V)) {
    Intrinsic::ID Size = boundingRegister(Call->getIntrinsicID());
    if (isGridOrBlockSize(*Call))
      Result = boundOfRegister(Call->getIntrinsicID(), *Call);
    else if (Size != Intrinsic::not_intrinsic)
      Result = boundOfRegister(Size, *Call)->withoutOne();
  }
  // What is small anyway is not worth a test.
  static constexpr int64_t SmallEnough = 1 << 24;
  Interval Range = Facts.rangeOf(V, Reading::Signed);
  bool IsNatural = Range.lo() >= 0 && Range.hi() <= INT32_MAX;
  auto Constant = [&] {
    return CountBound::constant(static_cast<uint64_t>(Range.hi()) + 1);
  };
  bool IsSmall = IsNatural && (Range.hi() < SmallEnough || isa<ConstantInt>(V));
  // What is extended may be known by its symbol.
  if (!Result && IsSmall && !isa<CastInst>(V))
    Result = Constant();
  if (!Result)
    Result = boundGuarded(V, Depth);
  if (!Result && isa<Instruction>(V)) {
    Mark Before = mark();
    Result = boundOperation(*cast<Instruction>(V), Depth);
    if (!Result)
      goBackTo(std::move(Before));
  }
  if (!Result && IsSmall)
    Result = Constant();
  if (!Result)
    Result = boundUniform(V);
  if (!Result && IsNatural)
    Result = Constant();
  if (!Result)
    return std::nullopt;
  Known[V] = *Result;
  Order.push_back(V);
  Found.Small.insert(V);
  return Result;
}

} // namespace unravel
