//===- RaiseSelect.cpp - Conditions inside of sums ------------------------===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A form with a condition c as a factor of some terms is c*P + R, which is
//
//     select(c, P + S, S) + (R - S)
//
// for every S. Inside of the select c is known, and with it what it implies.
//
//===----------------------------------------------------------------------===//

#include "analysis/syntax/IndexRaiser.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Support/SaveAndRestore.h"
#include <limits>

using namespace llvm;

namespace unravel {

/// Of more conditions than this not all ways are tried.
static constexpr size_t MaxConditions = 4;
/// Longer forms are not copied into both arms of a select.
static constexpr size_t MaxTermsOfSelect = 32;
static constexpr unsigned MaxConditionNesting = 200;

/// Writes \p E as Condition * P + R; returns false if that overflows.
static bool splitOff(IndexContext &Context, IndexExpr E,
                     const IndexAtom *Condition, IndexExpr &P, IndexExpr &R) {
  SmallVector<IndexTerm, 8> Rest, With;
  int64_t Constant = 0;
  for (const IndexTerm &T : E.terms()) {
    Monomial Factors(factorsOf(T.Atom));
    auto *It = find(Factors, Condition);
    if (It == Factors.end()) {
      Rest.push_back(T);
      continue;
    }
    Factors.erase(It);
    IndexExpr Product = Context.product(Factors, T.Coefficient);
    if (!Product)
      return false;
    append_range(With, Product.terms());
    Constant += Product.constant(); // of c itself, once at most
  }
  P = Context.linear(With, Constant);
  R = Context.linear(Rest, E.constant());
  return P && R;
}

/// What may stand in both arms of a select, for c*P + R: what then cancels,
/// nothing or, with \p All, everything.
static SmallVector<IndexExpr, 8> sharedParts(IndexContext &Context, IndexExpr P,
                                             IndexExpr R, bool All) {
  SmallVector<IndexTerm, 8> Cancelling;
  for (const IndexTerm &T : P.terms()) {
    int64_t InRest = R.coefficientOf(T.Atom);
    if (InRest != 0 && (InRest < 0) != (T.Coefficient < 0) &&
        std::abs(InRest) >= std::abs(T.Coefficient))
      Cancelling.push_back({T.Atom, -T.Coefficient});
  }
  SmallVector<IndexExpr, 3> Terms = {Context.linear(Cancelling, 0),
                                     Context.constant(0)};
  if (All)
    Terms.push_back(Context.add(R, -R.constant()));
  SmallVector<IndexExpr, 8> Shared;
  for (IndexExpr S : Terms)
    for (int64_t Constant : {R.constant(), -P.constant(), int64_t(0)})
      if (IndexExpr Part = S ? Context.add(S, Constant) : S)
        if (!is_contained(Shared, Part))
          Shared.push_back(Part);
  return Shared;
}

/// select(Condition, A, B); selects that share an arm become one.
static PricedTree mergeSelects(const PricedTree &Condition, const PricedTree &A,
                               const PricedTree &B) {
  auto IsSame = [](const SyntaxTree &X, const SyntaxTree &Y) {
    return X == Y || (X->Op == SyntaxOp::Number && Y->Op == SyntaxOp::Number &&
                      X->Value == Y->Value);
  };
  PricedTree Result = pricedNode(SyntaxOp::Select, {Condition, A, B});
  // The shared arm and a select go, an operator between the conditions comes:
  // the cost is that of the condition and the arm that has it all.
  SyntaxCost Cost = Condition.Cost + SyntaxCost{0, 1};
  if (A.Tree->Op == SyntaxOp::Select && IsSame(A.Tree->Args[2], B.Tree)) {
    PricedTree Both = pricedNode(SyntaxOp::And, {Condition, {A.Tree->Args[0]}});
    Result.Tree =
        syntaxNode(SyntaxOp::Select, {Both.Tree, A.Tree->Args[1], B.Tree});
    Result.Cost = Cost + A.Cost;
  } else if (B.Tree->Op == SyntaxOp::Select &&
             IsSame(B.Tree->Args[1], A.Tree)) {
    PricedTree Either =
        pricedNode(SyntaxOp::Or, {Condition, {B.Tree->Args[0]}});
    Result.Tree =
        syntaxNode(SyntaxOp::Select, {Either.Tree, A.Tree, B.Tree->Args[2]});
    Result.Cost = Cost + B.Cost;
  }
  return Result;
}

/// select(c, Factor + S, S) + Rest
RaisedSum Raiser::withSelect(const ConditionSplit &Split, IndexExpr S,
                             IndexExpr Rest) {
  IndexExpr A = Context.add(Split.Factor, S), B = S;
  PricedTree Condition = Split.Condition;
  if (Split.Atom) {
    // If that overflows, the arms may as well say c once more.
    if (IndexExpr Known = assume(A, Split.Atom, 1))
      A = Known;
    if (IndexExpr Known = assume(B, Split.Atom, 0))
      B = Known;
    // Where c holds, B may be the same as A: select(x == 5, 5, x) is x.
    IndexExpr Both = Context.add(Rest, B);
    if (Both && assume(B, Split.Atom, 1) == A)
      return best(Both);
    // Of `select(c, 0, b)` and `select(!c, b, 0)` the latter.
    if (A.isConstant(0)) {
      std::swap(A, B);
      Condition = comparison(Split.Atom, /*Negated=*/true);
    }
  }
  RaisedSum Sum = best(Rest);
  PricedTree Yes = tree(A), Select = mergeSelects(Condition, Yes, tree(B));
  SymbolId Id = newSymbol({Select, {}, Split.Key});
  Sum.Terms.push_back({1, {Id}, Split.Key});
  return Sum;
}

/// Collects the forms that \p E is where its conditions are known. Returns
/// false if there are more than two.
bool Raiser::collectLeaves(IndexExpr E, SmallVectorImpl<IndexExpr> &Leaves) {
  if (!E)
    return false;
  SmallVector<const IndexAtom *, 4> Conditions = conditionsOf(E);
  if (!Conditions.empty())
    return collectLeaves(assume(E, Conditions[0], 1), Leaves) &&
           collectLeaves(assume(E, Conditions[0], 0), Leaves);
  if (!is_contained(Leaves, E))
    Leaves.push_back(E);
  return Leaves.size() <= 2;
}

/// The condition that best tells the terms of \p E apart: in the two cases
/// together there is not more than in E.
std::optional<Raiser::ConditionSplit> Raiser::separatingSplit(IndexExpr E) {
  size_t Fewest = E.terms().size() + 1;
  if (Fewest > MaxTermsOfSelect)
    return std::nullopt;
  std::optional<ConditionSplit> Best;
  for (const IndexAtom *C : conditionsOf(E)) {
    IndexExpr A = assume(E, C, 1), B = assume(E, C, 0);
    size_t Terms = A && B ? A.terms().size() + B.terms().size() : Fewest;
    ConditionSplit Split{comparison(C, false), C, C->id(), {}, {}};
    if (Terms >= Fewest || !splitOff(Context, E, C, Split.Factor, Split.Rest))
      continue;
    Fewest = Terms;
    Best = Split;
  }
  return Best;
}

/// The conditions that come together wherever there is one, as one.
std::optional<Raiser::ConditionSplit> Raiser::conjunctionSplit(IndexExpr E) {
  Monomial Common = conditionsOf(E);
  for (const IndexTerm &T : E.terms())
    if (any_of(factorsOf(T.Atom), isOpenCondition))
      Common = commonFactor(Common, factorsOf(T.Atom));
  if (Common.size() < 2)
    return std::nullopt;
  ConditionSplit Split{pricedNumber(1), nullptr, Common[0]->id(), {}, E};
  SmallVector<IndexTerm, 8> Factor, Rest;
  int64_t Constant = 0;
  for (const IndexTerm &T : E.terms()) {
    std::optional<Monomial> Others = divide(factorsOf(T.Atom), Common);
    if (!Others) {
      Rest.push_back(T);
      continue;
    }
    IndexExpr Product = Context.product(*Others, T.Coefficient);
    if (!Product)
      return std::nullopt;
    append_range(Factor, Product.terms());
    Constant += Product.constant(); // of the conditions alone, once at most
  }
  Split.Factor = Context.linear(Factor, Constant);
  Split.Rest = Context.linear(Rest, E.constant());
  for (const IndexAtom *Condition : Common)
    Split.Condition =
        pricedAnd(Split.Condition, comparison(Condition, /*Negated=*/false));
  if (!Split.Factor || !Split.Rest)
    return std::nullopt;
  return Split;
}

/// The ways to write \p E as c*P + R that are worth a try.
SmallVector<Raiser::ConditionSplit, 4> Raiser::splitsOf(IndexExpr E, bool All) {
  SmallVector<ConditionSplit, 4> Splits;
  SmallVector<const IndexAtom *, 4> Conditions = conditionsOf(E);
  unsigned Key = Conditions[0]->id();
  // If there are two values, then one condition made of all decides.
  SmallVector<IndexExpr, 4> Leaves;
  if (All && Conditions.size() > 1 && collectLeaves(E, Leaves) &&
      Leaves.size() == 2)
    for (unsigned Yes : {0, 1}) {
      IndexExpr A = Leaves[Yes], B = Leaves[1 - Yes];
      DenseMap<IndexExpr, PricedTree> Known;
      PricedTree Condition = decide(
          E,
          [&](IndexExpr Leaf) {
            return Leaf == A   ? pricedNumber(1)
                   : Leaf == B ? pricedNumber(0)
                               : PricedTree();
          },
          Known);
      IndexExpr Factor = Context.sub(A, B);
      if (Condition && Factor)
        Splits.push_back({Condition, nullptr, Key, Factor, B});
    }
  // Zero as the other value and `a && b` instead of `!a || !b` read better.
  if (Splits.size() == 2 &&
      std::pair(Splits[0].Rest.isConstant(0),
                Splits[0].Condition.Tree->Op == SyntaxOp::And) <
          std::pair(Splits[1].Rest.isConstant(0),
                    Splits[1].Condition.Tree->Op == SyntaxOp::And))
    std::swap(Splits[0], Splits[1]);
  if (std::optional<ConditionSplit> Split = conjunctionSplit(E))
    Splits.push_back(*Split);
  // Of many, one that tells terms apart will do.
  if (Conditions.size() > 2)
    if (std::optional<ConditionSplit> Split = separatingSplit(E)) {
      Splits.push_back(*Split);
      return Splits;
    }
  for (const IndexAtom *C : Conditions) {
    ConditionSplit Split{comparison(C, false), C, C->id(), {}, {}};
    if (splitOff(Context, E, C, Split.Factor, Split.Rest))
      Splits.push_back(Split);
    if (!All && !Splits.empty())
      break;
  }
  return Splits;
}

/// \p E with what all its terms have in common taken out before anything else,
/// conditions left alone; nullopt if there is nothing.
std::optional<RaisedSum> Raiser::withoutContent(IndexExpr E) {
  Content Common = contentOf({E});
  erase_if(Common.Factors, [](const IndexAtom *A) { return A->isCondition(); });
  if (Common.Coefficient == 1 && Common.Factors.empty())
    return std::nullopt;
  IndexExpr Rest = divideByContent(Context, E, Common);
  if (!Rest)
    return std::nullopt;
  RaisedSum Sum = best(Rest), Result;
  if (Sum.Constant != 0)
    Sum.Terms.push_back({Sum.Constant, {}, 0});
  for (RaisedTerm &Term : Sum.Terms) {
    int64_t Coefficient;
    if (MulOverflow(Term.Coefficient, Common.Coefficient, Coefficient) ||
        Coefficient == std::numeric_limits<int64_t>::min())
      return std::nullopt;
    RaisedTerm Product = makeTerm(Common.Factors, Coefficient);
    append_range(Product.Factors, Term.Factors);
    sortFactors(Product);
    if (Product.Factors.empty())
      Result.Constant = Coefficient;
    else
      Result.Terms.push_back(std::move(Product));
  }
  return Result;
}

RaisedSum Raiser::splitConditions(IndexExpr E) {
  if (Nesting >= MaxConditionNesting)
    return plain(E);
  SaveAndRestore Nested(Nesting, Nesting + 1);
  RaisedSum Best = plain(E);
  SyntaxCost Least = render(Best).Cost;
  auto Consider = [&](RaisedSum Sum) {
    SyntaxCost Cost = render(Sum).Cost;
    if (!(Cost < Least))
      return;
    Least = Cost;
    Best = std::move(Sum);
  };
  bool All = conditionsOf(E).size() <= MaxConditions &&
             E.terms().size() <= MaxTermsOfSelect && spend();
  if (!All) {
    if (std::optional<ConditionSplit> Split = separatingSplit(E))
      Consider(withSelect(*Split, Split->Rest, Context.constant(0)));
    // Terms without conditions, and groups that have some in common.
    SmallVector<IndexExpr, 4> Groups =
        groupTerms(Context, E, [](const IndexAtom *Atom, AtomVisitor Visit) {
          bool Any = false;
          for (const IndexAtom *Factor : factorsOf(Atom))
            if (isOpenCondition(Factor)) {
              Visit(Factor);
              Any = true;
            }
          if (!Any)
            Visit(nullptr);
        });
    if (Groups.size() > 1 && !conjunctionSplit(E)) {
      Consider(bestOfGroups(E, Groups));
      return Best;
    }
  }
  if (All)
    if (std::optional<RaisedSum> Sum = withoutContent(E))
      Consider(std::move(*Sum));
  for (const ConditionSplit &Split : splitsOf(E, All))
    for (IndexExpr S : sharedParts(Context, Split.Factor, Split.Rest, All)) {
      IndexExpr Rest = Context.sub(Split.Rest, S);
      if (!Rest || !Context.add(Split.Factor, S))
        continue;
      Consider(withSelect(Split, S, Rest));
      if (!All)
        break;
    }
  return Best;
}

} // namespace unravel
