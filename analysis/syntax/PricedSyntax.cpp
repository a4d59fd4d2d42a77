//===- PricedSyntax.cpp - Syntax trees that know their cost ---------------===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "analysis/syntax/PricedSyntax.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"
#include <limits>
#include <tuple>

using namespace llvm;

namespace unravel {

SyntaxCost operator+(const SyntaxCost &A, const SyntaxCost &B) {
  return {SaturatingAdd(A.Divisions, B.Divisions),
          SaturatingAdd(A.Operations, B.Operations)};
}

bool PricedTree::isBetterThan(const PricedTree &Other) const {
  if (!(Cost == Other.Cost))
    return Cost < Other.Cost;
  return Depth < Other.Depth;
}

PricedTree pricedNumber(int64_t Value) { return {syntaxNumber(Value)}; }

PricedTree pricedName(StringRef Name) { return {syntaxName(Name)}; }

PricedTree pricedNode(SyntaxOp Op, ArrayRef<PricedTree> Args) {
  PricedTree Result;
  SmallVector<SyntaxTree, 4> Trees;
  for (const PricedTree &Arg : Args) {
    Result.Cost = Result.Cost + Arg.Cost;
    Result.Depth = std::max(Result.Depth, Arg.Depth + 1);
    if (isVariadic(Op) && Arg.Tree->Op == Op)
      append_range(Trees, Arg.Tree->Args);
    else
      Trees.push_back(Arg.Tree);
  }
  unsigned Operations = Op == SyntaxOp::Select ? 1 : Args.size() - 1;
  if (Op == SyntaxOp::Not || Op == SyntaxOp::Negate)
    Operations = 1;
  Result.Cost = Result.Cost + SyntaxCost{isDivision(Op) ? 1u : 0u, Operations};
  Result.Tree = syntaxNode(Op, Trees);
  return Result;
}

std::optional<int64_t> numberIn(const PricedTree &Tree) {
  if (Tree.Tree->Op != SyntaxOp::Number)
    return std::nullopt;
  return Tree.Tree->Value;
}

//===----------------------------------------------------------------------===//
// Sums
//===----------------------------------------------------------------------===//

static PricedTree scaled(const PricedTree &Base, int64_t Scale) {
  if (Scale == 1)
    return Base;
  if (Scale == -1)
    return pricedNode(SyntaxOp::Negate, Base);
  return pricedNode(SyntaxOp::Multiply, {Base, pricedNumber(Scale)});
}

/// Moves the summand to the front that a sum of negative ones is best begun
/// with. `-x` costs an operation, `x * -3` and the opposite of x may not.
static void chooseNegativeLead(SmallVectorImpl<PricedSummand> &Parts) {
  using Extra = std::pair<int64_t, int64_t>; // divisions, operations
  size_t Lead = 0;
  Extra Least = {std::numeric_limits<int64_t>::max(), 0};
  bool Swap = false;
  for (auto [I, Part] : enumerate(Parts)) {
    if (Part.Opposite) {
      const SyntaxCost &Now = Part.Base.Cost, &Then = Part.Opposite.Cost;
      Extra Swapped = {int64_t(Then.Divisions) - int64_t(Now.Divisions),
                       int64_t(Then.Operations) - int64_t(Now.Operations)};
      if (Swapped < Least || (Swapped == Least && !Swap)) {
        std::tie(Lead, Least, Swap) = std::tuple(I, Swapped, true);
      }
    }
    Extra Unchanged = {0, Part.Scale == -1 ? 1 : 0};
    if (Unchanged < Least)
      std::tie(Lead, Least, Swap) = std::tuple(I, Unchanged, false);
  }
  if (Swap) {
    std::swap(Parts[Lead].Base, Parts[Lead].Opposite);
    Parts[Lead].Scale = -Parts[Lead].Scale;
  }
  std::rotate(Parts.begin(), Parts.begin() + Lead, Parts.begin() + Lead + 1);
}

PricedTree pricedSum(ArrayRef<PricedSummand> Summands, int64_t Constant) {
  if (Summands.empty())
    return pricedNumber(Constant);
  SmallVector<std::pair<unsigned, size_t>, 8> Order;
  for (auto [I, Part] : enumerate(Summands))
    Order.push_back({Part.Key, I});
  llvm::sort(Order);
  SmallVector<PricedSummand, 8> Parts;
  for (auto [Key, I] : Order)
    Parts.push_back(Summands[I]);
  // `5 - x` and `-5 - x` rather than a minus sign in front.
  bool ConstantFirst = false;
  auto *Positive =
      find_if(Parts, [](const PricedSummand &P) { return P.Scale > 0; });
  if (Positive != Parts.end())
    std::rotate(Parts.begin(), Positive, Positive + 1);
  else if (Constant != 0)
    ConstantFirst = true;
  else
    chooseNegativeLead(Parts);

  SmallVector<SyntaxTree, 8> Args;
  PricedTree Result;
  auto Append = [&](const PricedTree &Arg) {
    Result.Cost = Result.Cost + Arg.Cost;
    Result.Depth = std::max(Result.Depth, Arg.Depth);
    Args.push_back(Arg.Tree);
  };
  if (ConstantFirst)
    Append(pricedNumber(Constant));
  for (const PricedSummand &Part : Parts) {
    if (Args.empty() || Part.Scale > 0) {
      Append(scaled(Part.Base, Part.Scale));
      continue;
    }
    // The minus sign is that of the subtraction.
    PricedTree Subtracted = scaled(Part.Base, -Part.Scale);
    Subtracted.Tree = syntaxNode(SyntaxOp::Negate, Subtracted.Tree);
    Append(Subtracted);
  }
  if (Constant != 0 && !ConstantFirst)
    Append(pricedNumber(Constant));
  Result.Tree = Args[0];
  if (Args.size() == 1)
    return Result;
  Result.Tree = syntaxNode(SyntaxOp::Add, Args);
  ++Result.Depth;
  Result.Cost = Result.Cost + SyntaxCost{0, unsigned(Args.size() - 1)};
  return Result;
}

//===----------------------------------------------------------------------===//
// Conditions
//===----------------------------------------------------------------------===//

static PricedTree combine(SyntaxOp Op, const PricedTree &A,
                          const PricedTree &B) {
  bool Decisive = Op == SyntaxOp::Or;
  if (std::optional<int64_t> Number = numberIn(A))
    return (*Number != 0) == Decisive ? A : B;
  if (std::optional<int64_t> Number = numberIn(B))
    return (*Number != 0) == Decisive ? B : A;
  return pricedNode(Op, {A, B});
}

PricedTree pricedAnd(const PricedTree &A, const PricedTree &B) {
  return combine(SyntaxOp::And, A, B);
}

PricedTree pricedOr(const PricedTree &A, const PricedTree &B) {
  return combine(SyntaxOp::Or, A, B);
}

} // namespace unravel
