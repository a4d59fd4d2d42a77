//===- SimplifySyntax.cpp - An expression simplified as text --------------===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "analysis/syntax/SimplifySyntax.h"
#include "analysis/syntax/IndexLowering.h"
#include "analysis/syntax/IndexRaising.h"
#include "llvm/ADT/StringMap.h"

using namespace llvm;

namespace unravel {

/// The limits of a context for text: what people write by hand, or generate.
static constexpr IndexLimits TextLimits{1u << 16, 64};

/// Rounds of simplifying at most; nearly everything needs two.
static constexpr unsigned MaxRounds = 6;

static Error checkNames(const SyntaxTree &Tree,
                        ArrayRef<NamedRange> Variables) {
  auto IsNamed = [&](const NamedRange &V) { return V.Name == Tree->Name; };
  if (Tree->Op == SyntaxOp::Name && !any_of(Variables, IsNamed))
    return createStringError("column " + Twine(Tree->Offset + 1) +
                             ": unknown variable '" + Tree->Name +
                             "'; name it in \"vars\"");
  for (const SyntaxTree &Arg : Tree->Args)
    if (Error E = checkNames(Arg, Variables))
      return E;
  return Error::success();
}

namespace {
/// One round: a tree and the range of its values.
struct Round {
  SyntaxTree Tree;
  Interval Range;
};
} // namespace

/// Null trees for what has no form. Every round has a context of its own, so
/// that the same tree always gives the same tree.
static Round simplifyOnce(const SyntaxTree &Input,
                          ArrayRef<NamedRange> Variables,
                          const SyntaxTree &Condition) {
  IndexContext Context(TextLimits);
  IndexDomain Domain(Context);
  StringMap<const IndexAtom *> Atoms;
  for (const NamedRange &V : Variables) {
    const IndexAtom *Atom = Context.createVariable(V.Name);
    Atoms[V.Name] = Atom;
    Domain.declare(Atom, V.Range);
  }
  auto Lookup = [&](StringRef Name) { return Context.atom(Atoms.at(Name)); };
  if (Condition)
    assume(Domain, Condition, Lookup);
  FloorBasis Basis(Domain);
  LoweringFailure Failure;
  IndexExpr E = lower(Basis, Input, Lookup, Failure);
  if (E)
    E = Basis.simplify(E);
  if (!E)
    return {};
  auto NameOf = [](const IndexAtom *A) { return A->name().str(); };
  auto BoundsOf = [&](const IndexAtom *A) { return Domain.boundsOf(A); };
  return {isCondition(Input->Op) ? raiseCondition(Context, E, NameOf, BoundsOf)
                                 : raise(Context, E, NameOf, BoundsOf),
          Domain.range(E)};
}

Expected<SimplifiedSyntax> simplifySyntax(const SyntaxTree &Input,
                                          ArrayRef<NamedRange> Variables,
                                          const SyntaxTree &Condition) {
  if (Error E = checkNames(Input, Variables))
    return E;
  if (Condition)
    if (Error E = checkNames(Condition, Variables))
      return E;
  SimplifiedSyntax Result{Input, Interval(), costOf(Input)};
  if (isCondition(Input->Op))
    Result.Range = Interval(0, 1);

  // Rounds until a tree comes back. Where several follow each other in a
  // circle, the cheapest of them is taken, from wherever it was entered.
  std::vector<std::string> Texts;
  std::vector<SyntaxTree> Trees;
  SyntaxTree Current = Input;
  while (Trees.size() < MaxRounds) {
    Round Next = simplifyOnce(Current, Variables, Condition);
    if (!Next.Tree)
      break;
    Result.Range = Result.Range.intersect(Next.Range);
    std::string Text = toString(Next.Tree, SyntaxDialect::Functions);
    auto Seen = find(Texts, Text);
    if (Seen != Texts.end()) {
      Trees.erase(Trees.begin(), Trees.begin() + (Seen - Texts.begin()));
      break;
    }
    Current = Next.Tree;
    Trees.push_back(Current);
    Texts.push_back(std::move(Text));
  }
  auto Better = [](const SyntaxTree &A, const SyntaxTree &B) {
    SyntaxCost CostA = costOf(A), CostB = costOf(B);
    return CostA == CostB ? toString(A, SyntaxDialect::Functions) <
                                toString(B, SyntaxDialect::Functions)
                          : CostA < CostB;
  };
  if (Trees.empty())
    return Result;
  SyntaxTree Best = *std::min_element(Trees.begin(), Trees.end(), Better);
  if (!(Result.Cost < costOf(Best))) {
    Result.Tree = Best;
    Result.Cost = costOf(Best);
  }
  return Result;
}

} // namespace unravel
