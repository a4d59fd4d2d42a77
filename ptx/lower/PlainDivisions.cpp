//===- PlainDivisions.cpp - Divisions that need no guard in PTX -----------===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ptx/lower/PlainDivisions.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/PatternMatch.h"
#include "llvm/Transforms/Utils/Local.h"

using namespace llvm;
using namespace llvm::PatternMatch;
using namespace unravel;

namespace {

/// Selections between D and 1, by whether N is the lowest number and D is -1.
/// LLVM writes them in many ways: all four cases are looked at.
class OverflowGuard {
public:
  OverflowGuard(const BinaryOperator &Division)
      : N(Division.getOperand(0)), E(Division.getOperand(1)), D(E) {}

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
  static constexpr unsigned MaxDepth = 4;

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
      if (A == N && Constant->isMinSignedValue())
        IsEqual = IsLowest;
      else if (Constant->isAllOnes() && isMinusOneWith(A))
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

  /// Whether \p X is -1 exactly where D is: D may be X without its zero.
  bool isMinusOneWith(Value *X) const {
    return X == D || match(D, m_UMax(m_Specific(X), m_One())) ||
           match(D, m_Select(m_SpecificICmp(CmpInst::ICMP_EQ, m_Specific(X),
                                            m_Zero()),
                             m_One(), m_Specific(X)));
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

void unravel::ptx::makePlainDivisions(llvm::Function &F) {
  SmallVector<WeakTrackingVH, 8> Dead;
  for (llvm::Instruction &I : make_early_inc_range(instructions(F))) {
    auto *Division = dyn_cast<BinaryOperator>(&I);
    if (!Division || (Division->getOpcode() != BinaryOperator::SDiv &&
                      Division->getOpcode() != BinaryOperator::SRem))
      continue;
    llvm::Type *Ty = Division->getType();
    unsigned Width = Ty->isIntegerTy() ? Ty->getIntegerBitWidth() : 0;
    Value *D = Width == 32 || Width == 64
                   ? OverflowGuard(*Division).plainDivisor()
                   : nullptr;
    if (!D)
      continue;
    bool IsQuotient = Division->getOpcode() == BinaryOperator::SDiv;
    std::string Text = (Twine(IsQuotient ? "div" : "rem") + ".s" +
                        Twine(Width) + " $0, $1, $2;")
                           .str();
    InlineAsm *Asm = InlineAsm::get(FunctionType::get(Ty, {Ty, Ty}, false),
                                    Text, Width == 32 ? "=r,r,r" : "=l,l,l",
                                    /*hasSideEffects=*/false);
    Value *Guarded = Division->getOperand(1);
    IRBuilder<> B(Division);
    CallInst *Call = B.CreateCall(Asm, {Division->getOperand(0), D});
    Call->setDoesNotAccessMemory();
    Call->setDoesNotThrow();
    // In the remainder n - q d, too: with q the lowest number, q * 1 and
    // q * -1 are the same bits.
    for (User *U : make_early_inc_range(Division->users()))
      if (auto *Product = dyn_cast<BinaryOperator>(U);
          Product && IsQuotient &&
          Product->getOpcode() == BinaryOperator::Mul &&
          is_contained(Product->operands(), Guarded)) {
        Product->replaceUsesOfWith(Guarded, D);
        Product->dropPoisonGeneratingFlags();
      }
    Division->replaceAllUsesWith(Call);
    Dead.push_back(Division);
  }
  RecursivelyDeleteTriviallyDeadInstructions(Dead);
}
