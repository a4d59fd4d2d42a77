//===- OverflowGuard.cpp - Divisors that avoid lowest / -1 ----------------===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "transforms/reciprocal/OverflowGuard.h"
#include "llvm/IR/PatternMatch.h"

using namespace llvm;
using namespace llvm::PatternMatch;

/// \p V, or what it freezes.
static Value *thawed(Value *V) {
  auto *Freeze = dyn_cast<FreezeInst>(V);
  return Freeze ? Freeze->getOperand(0) : V;
}

/// Steps back from a value: guards are no deeper.
static constexpr unsigned MaxDepth = 4;

/// What is -1 exactly where \p V is: \p V without its extensions, and without
/// what keeps it from being zero.
static Value *minusOneRoot(Value *V) {
  Value *X, *Zero;
  for (unsigned Depth = 0; Depth < MaxDepth; ++Depth)
    if (match(V, m_SExt(m_Value(X))) || match(V, m_UMax(m_Value(X), m_One())))
      V = X;
    else if (match(V, m_Select(m_SpecificICmp(CmpInst::ICMP_EQ, m_Value(Zero),
                                              m_Zero()),
                               m_One(), m_Value(X))) &&
             (X == Zero || match(X, m_SExt(m_Specific(Zero)))))
      V = X;
    else
      break;
  return V;
}

/// Whether \p A is \p C exactly where \p V is \p Number: LLVM takes a constant
/// that is added to the other side of a comparison.
static bool isSameTest(Value *V, const APInt &Number, Value *A,
                       const APInt &C) {
  const APInt *K;
  if (V == A)
    return C == Number;
  if (match(V, m_AddLike(m_Specific(A), m_APInt(K))))
    return C == Number - *K;
  if (match(V, m_Sub(m_APInt(K), m_Specific(A))))
    return C == *K - Number;
  if (match(V, m_Xor(m_Specific(A), m_APInt(K))))
    return C == (Number ^ *K);
  return false;
}

namespace {

/// Selections between D and 1, by whether N is the lowest number and D is -1.
/// LLVM writes them in many ways: all four cases are looked at. It freezes N
/// and the selection where it needs the remainder as well; if one of them is
/// undef or poison, any divisor may be taken for it, and D is one.
class OverflowGuard {
public:
  OverflowGuard(const BinaryOperator &Division)
      : N(Division.getOperand(0)), E(thawed(Division.getOperand(1))), D(E) {}

  /// The divisor without its guard; null if there is none.
  Value *plainDivisor() {
    for (unsigned Depth = 0; Depth < MaxDepth; ++Depth) {
      auto *Select = dyn_cast<SelectInst>(D);
      if (!Select)
        return nullptr;
      // One arm is 1, or chooses between 1 and the other arm.
      bool IsFirst = !isa<Constant>(Select->getTrueValue()) &&
                     !isa<SelectInst>(Select->getTrueValue());
      D = IsFirst ? Select->getTrueValue() : Select->getFalseValue();
      if (isGuardOfD())
        return D;
    }
    return nullptr;
  }

private:
  bool isGuardOfD() const {
    for (bool IsLowest : {false, true})
      for (bool IsMinusOne : {false, true}) {
        Value *V = evaluate(E, IsLowest, IsMinusOne, 0);
        bool IsOne = V && match(V, m_One());
        if (V != D && !(IsOne && IsLowest && IsMinusOne))
          return false;
      }
    return true;
  }

  std::optional<bool> evaluateCondition(Value *C, bool IsLowest,
                                        bool IsMinusOne) const {
    Value *A, *B;
    CmpPredicate P;
    const APInt *Constant;
    if (match(C, m_ICmp(P, m_Value(A), m_APInt(Constant))) &&
        ICmpInst::isEquality(P)) {
      bool IsEqual;
      APInt Lowest = APInt::getSignedMinValue(Constant->getBitWidth());
      if (isSameTest(N, Lowest, A, *Constant) ||
          isSameTest(thawed(N), Lowest, A, *Constant))
        IsEqual = IsLowest;
      else if (isMinusOneWith(A, *Constant))
        IsEqual = IsMinusOne;
      else
        return std::nullopt;
      return IsEqual == (P == CmpInst::ICMP_EQ);
    }
    bool IsAnd = match(C, m_LogicalAnd(m_Value(A), m_Value(B)));
    if (!IsAnd && !match(C, m_LogicalOr(m_Value(A), m_Value(B))))
      return std::nullopt;
    auto First = evaluateCondition(A, IsLowest, IsMinusOne);
    auto Second = evaluateCondition(B, IsLowest, IsMinusOne);
    if (!First || !Second)
      return std::nullopt;
    return IsAnd ? *First && *Second : *First || *Second;
  }

  /// Whether \p X is \p C exactly where D is -1.
  bool isMinusOneWith(Value *X, const APInt &C) const {
    Value *Root = minusOneRoot(D);
    APInt MinusOne = APInt::getAllOnes(C.getBitWidth());
    return (C.isAllOnes() && minusOneRoot(X) == Root) ||
           isSameTest(Root, MinusOne, X, C);
  }

  Value *evaluate(Value *V, bool IsLowest, bool IsMinusOne,
                  unsigned Depth) const {
    auto *Select = dyn_cast<SelectInst>(V);
    if (V == D || !Select || Depth == MaxDepth)
      return V;
    auto Is = evaluateCondition(Select->getCondition(), IsLowest, IsMinusOne);
    if (!Is)
      return nullptr;
    return evaluate(*Is ? Select->getTrueValue() : Select->getFalseValue(),
                    IsLowest, IsMinusOne, Depth + 1);
  }

  Value *N, *E, *D;
};

} // namespace

Value *unravel::withoutOverflowGuard(const BinaryOperator &Division) {
  if (Division.getOpcode() != BinaryOperator::SDiv &&
      Division.getOpcode() != BinaryOperator::SRem)
    return nullptr;
  return OverflowGuard(Division).plainDivisor();
}

void unravel::multiplyByPlainDivisor(BinaryOperator &Quotient, Value *Plain) {
  Value *Guarded = Quotient.getOperand(1);
  for (User *U : make_early_inc_range(Quotient.users()))
    if (auto *Product = dyn_cast<BinaryOperator>(U);
        Product && Product->getOpcode() == BinaryOperator::Mul &&
        is_contained(Product->operands(), Guarded)) {
      Product->replaceUsesOfWith(Guarded, Plain);
      Product->dropPoisonGeneratingFlags();
    }
}
