//===- RaiseCondition.cpp - Comparisons and logic -------------------------===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A condition E != 0 is expanded by the comparisons that are factors in E, into
// && and ||.
//
//===----------------------------------------------------------------------===//

#include "analysis/algebra/Interval.h"
#include "analysis/syntax/IndexRaiser.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/SaveAndRestore.h"
#include <limits>

using namespace llvm;

namespace unravel {

/// Of more conditions than this only one is looked at.
static constexpr size_t MaxExpanded = 4;
/// Of the expansion of one condition.
static constexpr unsigned WorkOfCondition = 1000;

//===----------------------------------------------------------------------===//
// Comparisons
//===----------------------------------------------------------------------===//

static SyntaxOp negate(SyntaxOp Op) {
  switch (Op) {
  case SyntaxOp::Less:
    return SyntaxOp::GreaterEqual;
  case SyntaxOp::GreaterEqual:
    return SyntaxOp::Less;
  case SyntaxOp::LessEqual:
    return SyntaxOp::Greater;
  case SyntaxOp::Equal:
    return SyntaxOp::NotEqual;
  default:
    llvm_unreachable("no comparison that is made here");
  }
}

/// [L >= 0] or [L = 0] with every term on the side where it is positive.
PricedTree Raiser::comparison(const IndexAtom *Condition, bool Negated) {
  IndexExpr L = Condition->operand();
  bool IsZero = Condition->kind() == IndexAtom::Kind::Zero;
  auto Decided = [&](bool Value) { return pricedNumber(Value != Negated); };
  int64_t G = L.gcdOfCoefficients(), K = L.constant();
  if (G == 0)
    return Decided(IsZero ? K == 0 : K >= 0);
  // g*X + k >= 0  <=>  X + floor(k/g) >= 0.
  if (IsZero && K % G != 0)
    return Decided(false);
  L = Context.divideMultiples(L, G);

  RaisedSum Sum = best(L);
  SmallVector<PricedSummand, 4> Parts, Left, Right;
  factorize(Sum.Terms, Parts);
  K = Sum.Constant;
  if (Parts.empty())
    return Decided(IsZero ? K == 0 : K >= 0);
  for (PricedSummand &Part : Parts) {
    (Part.Scale > 0 ? Left : Right).push_back(Part);
    if (Part.Scale < 0) {
      Right.back().Scale = -Part.Scale;
      Right.back().Opposite = {};
    }
  }
  // Left + K >= Right, Left + K = Right.
  auto Compare = [&](ArrayRef<PricedSummand> A, int64_t OfA, SyntaxOp Op,
                     ArrayRef<PricedSummand> B, int64_t OfB) {
    PricedTree First = pricedSum(A, OfA);
    return pricedNode(Negated ? negate(Op) : Op, {First, pricedSum(B, OfB)});
  };
  bool OneSided = Left.empty() || Right.empty();
  if (IsZero) {
    if (Left.empty() || (K > 0 && !OneSided))
      return Compare(Right, 0, SyntaxOp::Equal, Left, K);
    return Compare(Left, 0, SyntaxOp::Equal, Right, -K);
  }
  if (Left.empty() && K != std::numeric_limits<int64_t>::max())
    return Compare(Right, 0, SyntaxOp::Less, Left, K + 1);
  if (Left.empty())
    return Compare(Right, 0, SyntaxOp::LessEqual, Left, K);
  if (Right.empty() || K < -1)
    return Compare(Left, 0, SyntaxOp::GreaterEqual, Right, -K);
  if (K == -1)
    return Compare(Right, 0, SyntaxOp::Less, Left, 0);
  return Compare(Left, K, SyntaxOp::GreaterEqual, Right, 0);
}

//===----------------------------------------------------------------------===//
// Logic
//===----------------------------------------------------------------------===//

/// `Condition ? Yes : No`.
static PricedTree chooseTruth(const PricedTree &Condition,
                              const PricedTree &Negation, const PricedTree &Yes,
                              const PricedTree &No) {
  std::optional<int64_t> A = numberIn(Yes), B = numberIn(No);
  if (Yes.Tree == No.Tree || (A && B && *A == *B))
    return Yes;
  if (A && B)
    return *A ? Condition : Negation;
  if (B)
    return *B ? pricedOr(Negation, Yes) : pricedAnd(Condition, Yes);
  if (A)
    return *A ? pricedOr(Condition, No) : pricedAnd(Negation, No);
  return pricedOr(pricedAnd(Condition, Yes), pricedAnd(Negation, No));
}

/// The condition E, which \p Leaf gives for forms without conditions; null if
/// that gives null.
PricedTree Raiser::decide(IndexExpr E, function_ref<PricedTree(IndexExpr)> Leaf,
                          DenseMap<IndexExpr, PricedTree> &Known) {
  SmallVector<const IndexAtom *, 4> Conditions = conditionsOf(E);
  if (Conditions.empty())
    return Leaf(E);
  auto It = Known.find(E);
  if (It != Known.end())
    return It->second;
  if (!spend())
    return Leaf(E);
  // One of many: the first that decides something, or the first.
  if (Conditions.size() > MaxExpanded) {
    auto *Deciding = find_if(Conditions, [&](const IndexAtom *C) {
      IndexExpr A = assume(E, C, 1), B = assume(E, C, 0);
      return A && B && (A.isConstant() || B.isConstant());
    });
    if (Deciding != Conditions.end())
      Conditions[0] = *Deciding;
    Conditions.truncate(1);
  }
  PricedTree Best;
  for (const IndexAtom *C : Conditions) {
    IndexExpr A = assume(E, C, 1), B = assume(E, C, 0);
    if (!A || !B)
      continue;
    PricedTree Yes = decide(A, Leaf, Known), No = decide(B, Leaf, Known);
    if (!Yes || !No)
      return {};
    PricedTree Negation = comparison(C, true);
    PricedTree Tree = chooseTruth(comparison(C, false), Negation, Yes, No);
    if (!Best || Tree.Cost < Best.Cost)
      Best = Tree;
  }
  if (!Best)
    Best = Leaf(E);
  Known[E] = Best;
  return Best;
}

PricedTree Raiser::condition(IndexExpr E) {
  SaveAndRestore Local(LocalWork, WorkOfCondition);
  DenseMap<IndexExpr, PricedTree> Known;
  return decide(
      E,
      [&](IndexExpr Leaf) {
        PricedTree Tree = tree(Leaf);
        if (std::optional<int64_t> Number = numberIn(Tree))
          return pricedNumber(*Number != 0);
        return pricedNode(SyntaxOp::NotEqual, {Tree, pricedNumber(0)});
      },
      Known);
}

} // namespace unravel
