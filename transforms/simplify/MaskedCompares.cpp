//===- MaskedCompares.cpp - Tests of one index's bits are one -------------===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A conjunction of tests (x & mask) == bits, or a disjunction of their
// negations. All rules are exact modulo 2^n, and what they compute is poison
// only if an operand of the old code was.
//
//===----------------------------------------------------------------------===//

#include "transforms/simplify/MaskedCompares.h"
#include "llvm/Analysis/CmpInstAnalysis.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/PatternMatch.h"
#include "llvm/Support/DebugCounter.h"
#include "llvm/Support/KnownBits.h"
#include "llvm/Transforms/Utils/Local.h"

using namespace llvm;
using namespace llvm::PatternMatch;

DEBUG_COUNTER(BitTestCounter, "index-simplify-bit-tests",
              "Controls which bit tests index-simplify merges");

namespace unravel {

/// Of one conjunction; each is compared with each.
static constexpr size_t MaxConditions = 32;
/// Sums and shifts that a test is traced through. LLVM makes one of several.
static constexpr unsigned MaxOperands = 8;

namespace {
/// (X & Mask) == Bits, where Bits are among those of Mask.
struct BitTest {
  Value *X;
  APInt Mask, Bits;
};
} // namespace

/// The same test of an operand of X, if X adds a constant or shifts right.
///
/// With y = x + c: (y & mask) == bits says that y is bits + s, where s has none
/// of the mask's bits. Then x is (bits - c) + s. If bits - c has only bits of
/// the mask, nothing carries: x & mask is bits - c.
///
/// With y = x >> s: the bits of y are those of x, s places higher; those that
/// are shifted in are 0.
static std::optional<BitTest> testOfOperand(const BitTest &T) {
  Value *X;
  const APInt *C;
  if (match(T.X, m_AddLike(m_Value(X), m_APInt(C)))) {
    APInt Bits = T.Bits - *C;
    return Bits.isSubsetOf(T.Mask)
               ? std::optional(BitTest{X, T.Mask, std::move(Bits)})
               : std::nullopt;
  }
  if (match(T.X, m_LShr(m_Value(X), m_APInt(C))) &&
      C->ult(T.Mask.getBitWidth()) && T.Bits.countl_zero() >= C->getZExtValue())
    return BitTest{X, T.Mask << *C, T.Bits << *C};
  return std::nullopt;
}

/// The test that \p Condition is, or whose negation it is; of the value that
/// the index was made from. Only what \p BB computes and needs once: merged,
/// the others would be computed again.
static std::optional<BitTest> bitTestOf(Value *Condition, bool Negated,
                                        const BasicBlock *BB) {
  auto *I = dyn_cast<Instruction>(Condition);
  if (!I || I->getParent() != BB || !I->hasOneUse())
    return std::nullopt;
  std::optional<DecomposedBitTest> Found =
      decomposeBitTest(Condition, /*LookThroughTrunc=*/false,
                       /*AllowNonZeroC=*/true, /*DecomposeAnd=*/true);
  if (!Found || !Found->X->getType()->isIntegerTy() ||
      Found->X->getType()->isIntegerTy(1) ||
      Found->Pred != (Negated ? CmpInst::ICMP_NE : CmpInst::ICMP_EQ) ||
      !Found->C.isSubsetOf(Found->Mask))
    return std::nullopt;
  BitTest T{Found->X, Found->Mask, Found->C};
  for (unsigned Depth = 0; Depth < MaxOperands; ++Depth) {
    std::optional<BitTest> Inner = testOfOperand(T);
    if (!Inner)
      break;
    T = *Inner;
  }
  return T;
}

/// Whether \p Whole is a sum of \p Part and of something that has none of the
/// bits up to the highest one of \p Mask, so that those of both are the same.
static bool hasBitsOf(Value *Whole, Value *Part, const APInt &Mask,
                      const SimplifyQuery &SQ) {
  if (Whole == Part)
    return true;
  Value *A, *B;
  if (!match(Whole, m_AddLike(m_Value(A), m_Value(B))) ||
      (A != Part && B != Part))
    return false;
  return computeKnownBits(A == Part ? B : A, SQ).countMinTrailingZeros() >=
         Mask.getActiveBits();
}

/// The test that both hold, of the value of one of them.
static std::optional<BitTest> merge(const BitTest &A, const BitTest &B,
                                    const SimplifyQuery &SQ) {
  if (A.X->getType() != B.X->getType() ||
      (A.Bits & B.Mask) != (B.Bits & A.Mask))
    return std::nullopt;
  Value *X = hasBitsOf(A.X, B.X, B.Mask, SQ)   ? A.X
             : hasBitsOf(B.X, A.X, A.Mask, SQ) ? B.X
                                               : nullptr;
  if (!X)
    return std::nullopt;
  return BitTest{X, A.Mask | B.Mask, A.Bits | B.Bits};
}

/// The operands of a tree of operations like \p Root that nothing else uses, in
/// its block: what another computes, once in front of a loop, say, stays there.
static SmallVector<Value *, 4> leavesOf(BinaryOperator *Root) {
  SmallVector<Value *, 4> Leaves, Work(reverse(Root->operands()));
  while (!Work.empty()) {
    Value *V = Work.pop_back_val();
    auto *I = dyn_cast<BinaryOperator>(V);
    if (I && I->getOpcode() == Root->getOpcode() && I->hasOneUse() &&
        I->getParent() == Root->getParent())
      append_range(Work, reverse(I->operands()));
    else
      Leaves.push_back(V);
  }
  return Leaves;
}

static bool isInsideTree(const BinaryOperator *I) {
  auto *User = I->hasOneUse() ? cast<Instruction>(I->user_back()) : nullptr;
  return User && User->getOpcode() == I->getOpcode() &&
         User->getParent() == I->getParent();
}

/// Merges what can be merged among the conditions of \p Root.
static bool mergeIn(BinaryOperator *Root, const SimplifyQuery &SQ) {
  bool Negated = Root->getOpcode() == Instruction::Or;
  SmallVector<Value *, 4> Others;
  SmallVector<std::pair<Value *, BitTest>, 4> Tests;
  bool Merged = false;
  SmallVector<Value *, 4> Leaves = leavesOf(Root);
  if (Leaves.size() > MaxConditions)
    return false;
  for (Value *Leaf : Leaves) {
    std::optional<BitTest> Test = bitTestOf(Leaf, Negated, Root->getParent());
    if (!Test) {
      Others.push_back(Leaf);
      continue;
    }
    // What is merged may be what another one is a part of.
    auto IsPartner = [&](auto &Known) {
      return merge(Known.second, *Test, SQ).has_value();
    };
    auto *Partner = find_if(Tests, IsPartner);
    while (Partner != Tests.end() &&
           DebugCounter::shouldExecute(BitTestCounter)) {
      Test = merge(Partner->second, *Test, SQ);
      Leaf = nullptr;
      Merged = true;
      Tests.erase(Partner);
      Partner = find_if(Tests, IsPartner);
    }
    Tests.push_back({Leaf, *Test});
  }
  if (!Merged)
    return false;
  IRBuilder<> B(Root);
  for (auto &[Condition, Test] : Tests) {
    if (!Condition) {
      Value *Masked = B.CreateAnd(Test.X, Test.Mask);
      Value *Bits = B.getInt(Test.Bits);
      Condition = B.CreateICmp(Negated ? CmpInst::ICMP_NE : CmpInst::ICMP_EQ,
                               Masked, Bits, "idx.bits");
    }
    Others.push_back(Condition);
  }
  Value *All = Others.front();
  for (Value *Condition : drop_begin(Others))
    All = B.CreateBinOp(Root->getOpcode(), All, Condition);
  Root->replaceAllUsesWith(All);
  RecursivelyDeleteTriviallyDeadInstructions(Root);
  return true;
}

bool mergeMaskedCompares(Function &F, FunctionAnalysisManager &AM,
                         const BasicBlock *Region) {
  auto &DT = AM.getResult<DominatorTreeAnalysis>(F);
  SmallVector<BinaryOperator *, 8> Roots;
  for (Instruction &I : instructions(F))
    if ((I.getOpcode() == Instruction::And ||
         I.getOpcode() == Instruction::Or) &&
        I.getType()->isIntegerTy(1) && DT.isReachableFromEntry(I.getParent()) &&
        (!Region || DT.dominates(Region, I.getParent())) &&
        !isInsideTree(cast<BinaryOperator>(&I)))
      Roots.push_back(cast<BinaryOperator>(&I));
  bool Changed = false;
  for (BinaryOperator *Root : Roots)
    Changed |=
        mergeIn(Root, SimplifyQuery(F.getDataLayout(), &DT, nullptr, Root));
  return Changed;
}

} // namespace unravel
