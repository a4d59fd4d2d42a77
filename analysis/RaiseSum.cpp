//===- RaiseSum.cpp - Sums of products of symbols as trees ----------------===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Symbols get their trees here, and a sum of products is written with common
// factors outside, the most useful one first: a*b*c + a*b*d is a * b * (c + d).
//
//===----------------------------------------------------------------------===//

#include "analysis/IndexRaiser.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"
#include <limits>

using namespace llvm;

namespace unravel {

/// For dividends with more terms only one way of writing them is looked at.
static constexpr size_t MaxMirroredTerms = 12;
/// How often a long sum is searched for a common factor.
static constexpr size_t LongSum = 64;
static constexpr unsigned MaxFactorsOfLongSum = 16;

//===----------------------------------------------------------------------===//
// Symbols
//===----------------------------------------------------------------------===//

SymbolId Raiser::newSymbol(Symbol S) {
  Symbols.push_back(std::move(S));
  return Symbols.size() - 1;
}

SymbolId Raiser::symbolOf(const IndexAtom *Atom) {
  using Kind = IndexAtom::Kind;
  IndexExpr Operand = Atom->operand();
  unsigned Key = Atom->id();
  switch (Atom->kind()) {
  case Kind::FloorDiv:
    return symbolOf(SyntaxOp::FloorDiv, Operand,
                    Context.constant(Atom->divisor()), Key);
  case Kind::TruncDiv:
    return symbolOf(SyntaxOp::TruncDiv, Operand,
                    Context.constant(Atom->divisor()), Key);
  case Kind::SymbolicFloorDiv:
    return symbolOf(SyntaxOp::FloorDiv, Operand, Atom->symbolicDivisor(), Key);
  case Kind::SymbolicTruncDiv:
    return symbolOf(SyntaxOp::TruncDiv, Operand, Atom->symbolicDivisor(), Key);
  case Kind::NegativePart:
    return symbolOf(SyntaxOp::Min, Operand, Context.constant(0), Key);
  case Kind::NonNegative:
  case Kind::Zero:
    return symbolOf(SyntaxOp::Select, Context.atom(Atom), IndexExpr(), Key);
  case Kind::Variable:
    return symbolOf(SyntaxOp::Name, Context.atom(Atom), IndexExpr(), Key);
  case Kind::Product:
    break;
  }
  llvm_unreachable("a product is no factor");
}

/// Whether \p A is written in front of \p B: constants last, `n` before `-n`.
static bool goesFirst(IndexExpr A, IndexExpr B) {
  if (A.isConstant() || B.isConstant())
    return !A.isConstant();
  const IndexTerm &T = A.terms()[0], &U = B.terms()[0];
  return std::pair(T.Atom->id(), T.Coefficient < 0) <
         std::pair(U.Atom->id(), U.Coefficient < 0);
}

SymbolId Raiser::symbolOf(SyntaxOp Op, IndexExpr A, IndexExpr B, unsigned Key) {
  bool Commutes = Op == SyntaxOp::Min || Op == SyntaxOp::Max;
  if (Commutes && goesFirst(B, A))
    std::swap(A, B);
  SymbolKey Identity = {static_cast<unsigned>(Op), {A, B}};
  auto It = SymbolIds.find(Identity);
  if (It != SymbolIds.end())
    return It->second;
  Symbol S = makeSymbol(Op, A, B); // may make others
  S.Key = Key;
  return SymbolIds[Identity] = newSymbol(std::move(S));
}

static bool worthMirroring(IndexExpr E) {
  return E.terms().size() <= MaxMirroredTerms &&
         (E.constant() < 0 || any_of(E.terms(), [](const IndexTerm &T) {
            return T.Coefficient < 0;
          }));
}

Raiser::Symbol Raiser::makeSymbol(SyntaxOp Op, IndexExpr A, IndexExpr B) {
  Symbol S{treeOf(Op, A, B), {}, 0};
  auto Try = [&](PricedTree &Sense, SyntaxOp Op, IndexExpr A, IndexExpr B) {
    if (!A || !B)
      return;
    PricedTree Tree = treeOf(Op, A, B);
    if (!Sense || Tree.Cost < Sense.Cost)
      Sense = Tree;
  };
  bool Mirror = Op != SyntaxOp::Name && Op != SyntaxOp::Select &&
                Op != SyntaxOp::Multiply &&
                (worthMirroring(A) ||
                 ((Op == SyntaxOp::Min || Op == SyntaxOp::Max) &&
                  A.terms().size() <= MaxMirroredTerms && worthMirroring(B)));
  if (Op == SyntaxOp::FloorDiv && B.isConstant() && B.constant() > 1) {
    // floor(A/d) = ceil((A - (d-1))/d), -floor(A/d) = floor((d-1 - A)/d).
    int64_t Most = B.constant() - 1;
    if (A.constant() == Most && A.terms().size() <= MaxMirroredTerms)
      Try(S.Positive, SyntaxOp::CeilDiv, Context.add(A, -Most), B);
    if (Mirror)
      Try(S.Negative, SyntaxOp::FloorDiv, Context.add(Context.negate(A), Most),
          B);
  }
  if (!Mirror)
    return S;
  // Truncation is symmetric; the rest turns into its counterpart.
  if (Op == SyntaxOp::TruncDiv || Op == SyntaxOp::TruncMod)
    Try(S.Negative, Op, Context.negate(A), B);
  else if (Op == SyntaxOp::FloorDiv)
    Try(S.Negative, SyntaxOp::CeilDiv, Context.negate(A), B);
  else if (Op == SyntaxOp::Min)
    Try(S.Negative, SyntaxOp::Max, Context.negate(A), Context.negate(B));
  else if (Op == SyntaxOp::Max)
    Try(S.Negative, SyntaxOp::Min, Context.negate(A), Context.negate(B));
  return S;
}

PricedTree Raiser::treeOf(SyntaxOp Op, IndexExpr A, IndexExpr B) {
  if (Op == SyntaxOp::Name)
    return pricedName(NameOf(A.asAtom()));
  if (Op == SyntaxOp::Select)
    return pricedNode(Op, {comparison(A.asAtom(), /*Negated=*/false),
                           pricedNumber(1), pricedNumber(0)});
  PricedTree Left = tree(A);
  return pricedNode(Op, {Left, tree(B)});
}

/// Coefficient * Factors * Extra.
RaisedTerm Raiser::makeTerm(const Monomial &Factors, int64_t Coefficient,
                            std::optional<SymbolId> Extra) {
  RaisedTerm Term{Coefficient, {}, 0};
  for (const IndexAtom *Factor : Factors)
    Term.Factors.push_back(symbolOf(Factor));
  if (Extra)
    Term.Factors.push_back(*Extra);
  sortFactors(Term);
  return Term;
}

void Raiser::sortFactors(RaisedTerm &Term) const {
  llvm::sort(Term.Factors, [&](SymbolId A, SymbolId B) {
    return std::pair(Symbols[A].Key, A) < std::pair(Symbols[B].Key, B);
  });
  if (!Term.Factors.empty())
    Term.Key = Symbols[Term.Factors.back()].Key;
}

/// The cheaper tree of a symbol; negates \p Sign if it is that of the negated
/// value.
const PricedTree &Raiser::cheaperSense(SymbolId Id, int64_t &Sign) const {
  const Symbol &S = Symbols[Id];
  if (!S.Negative || !(S.Negative.Cost < S.Positive.Cost))
    return S.Positive;
  Sign = -Sign;
  return S.Negative;
}

//===----------------------------------------------------------------------===//
// Sums
//===----------------------------------------------------------------------===//

PricedTree Raiser::render(const RaisedSum &Sum) {
  SmallVector<PricedSummand, 4> Parts;
  factorize(Sum.Terms, Parts);
  return pricedSum(Parts, Sum.Constant);
}

PricedSummand Raiser::summandOf(const RaisedTerm &Term) {
  PricedSummand Part{{}, Term.Coefficient, Term.Key, {}};
  SmallVector<PricedTree, 4> Factors;
  for (SymbolId Id : Term.Factors)
    Factors.push_back(cheaperSense(Id, Part.Scale));
  if (Factors.size() > 1) {
    Part.Base = pricedNode(SyntaxOp::Multiply, Factors);
    return Part;
  }
  const Symbol &S = Symbols[Term.Factors[0]];
  Part.Base = Factors[0];
  if (S.Negative)
    Part.Opposite = Part.Scale == Term.Coefficient ? S.Negative : S.Positive;
  return Part;
}

/// Scale * Factor * (Group + Constant); a null factor is 1.
PricedSummand Raiser::groupOf(ArrayRef<RaisedTerm> Group, int64_t Constant,
                              unsigned Key, const PricedTree &Factor,
                              int64_t Scale) {
  SmallVector<PricedSummand, 4> Inner;
  factorize(SmallVector<RaisedTerm, 4>(Group), Inner);
  PricedTree Sum;
  if (Inner.size() == 1 && Constant == 0) {
    Sum = Inner[0].Base;
    Scale *= Inner[0].Scale; // one of the two is 1 or -1
  } else {
    // A sum without a positive summand is turned around.
    bool Turn = Constant <= 0 && all_of(Inner, [](const PricedSummand &Part) {
                  return Part.Scale < 0;
                });
    if (Turn)
      for (PricedSummand &Part : Inner) {
        Part.Scale = -Part.Scale;
        Part.Opposite = {};
      }
    Sum = pricedSum(Inner, Turn ? -Constant : Constant);
    Scale = Turn ? -Scale : Scale;
  }
  if (Factor)
    Sum = pricedNode(SyntaxOp::Multiply, {Factor, Sum});
  return {Sum, Scale, Key, {}};
}

namespace {
/// What several terms of a sum have as a factor: a symbol, or a number.
struct CommonFactor {
  bool IsNumber = false;
  int64_t Number = 0;
  SymbolId Symbol = 0;
  unsigned Terms = 0;
  /// How many of them are more than this factor alone.
  unsigned Products = 0;

  /// What taking it out saves, in divisions and operations.
  std::pair<uint64_t, uint64_t> savingAt(const SyntaxCost &Cost) const {
    if (Terms < 2 || Products == 0)
      return {0, 0};
    uint64_t Fewer = Terms - 1;
    return {Fewer * Cost.Divisions, Fewer * Cost.Operations + Products - 1};
  }
};
} // namespace

/// The factors of the terms, in the order in which they occur.
static SmallVector<CommonFactor, 8> factorsIn(ArrayRef<RaisedTerm> Terms) {
  SmallVector<CommonFactor, 8> Factors;
  DenseMap<SymbolId, size_t> OfSymbol;
  DenseMap<int64_t, size_t> OfNumber;
  for (const RaisedTerm &T : Terms) {
    int64_t Number = std::abs(T.Coefficient);
    for (auto [I, Id] : enumerate(T.Factors)) {
      if (I > 0 && T.Factors[I - 1] == Id)
        continue;
      auto [It, IsNew] = OfSymbol.try_emplace(Id, Factors.size());
      if (IsNew) {
        Factors.emplace_back();
        Factors.back().Symbol = Id;
      }
      CommonFactor &F = Factors[It->second];
      ++F.Terms;
      F.Products += T.Factors.size() > 1 || Number != 1 ? 1 : 0;
    }
    if (Number == 1)
      continue;
    auto [It, IsNew] = OfNumber.try_emplace(Number, Factors.size());
    if (IsNew) {
      Factors.emplace_back();
      Factors.back().IsNumber = true;
      Factors.back().Number = Number;
    }
    ++Factors[It->second].Terms;
    ++Factors[It->second].Products;
  }
  return Factors;
}

/// Appends \p Terms to \p Parts with common factors outside.
void Raiser::factorize(SmallVector<RaisedTerm, 4> Terms,
                       SmallVectorImpl<PricedSummand> &Parts) {
  unsigned Rounds = Terms.size() > LongSum ? MaxFactorsOfLongSum : LongSum;
  for (; Rounds > 0 && Terms.size() > 1; --Rounds) {
    std::pair<uint64_t, uint64_t> Most = {0, 0};
    CommonFactor Best;
    for (const CommonFactor &F : factorsIn(Terms)) {
      int64_t Sign = 1;
      SyntaxCost Cost =
          F.IsNumber ? SyntaxCost() : cheaperSense(F.Symbol, Sign).Cost;
      if (F.savingAt(Cost) > Most) {
        Most = F.savingAt(Cost);
        Best = F;
      }
    }
    if (Best.Terms == 0)
      break;
    SmallVector<RaisedTerm, 4> Group, Others;
    int64_t Constant = 0;
    unsigned Key = std::numeric_limits<unsigned>::max();
    for (RaisedTerm &T : Terms) {
      auto *It = find(T.Factors, Best.Symbol);
      if (Best.IsNumber ? std::abs(T.Coefficient) != Best.Number
                        : It == T.Factors.end()) {
        Others.push_back(std::move(T));
        continue;
      }
      Key = std::min(Key, T.Key);
      if (Best.IsNumber)
        T.Coefficient = T.Coefficient < 0 ? -1 : 1;
      else
        T.Factors.erase(It);
      if (T.Factors.empty())
        Constant += T.Coefficient; // of one term: equal ones were added
      else
        Group.push_back(std::move(T));
    }
    int64_t Scale = Best.IsNumber ? Best.Number : 1;
    PricedTree Factor;
    if (!Best.IsNumber)
      Factor = cheaperSense(Best.Symbol, Scale);
    Parts.push_back(groupOf(Group, Constant, Key, Factor, Scale));
    Terms = std::move(Others);
  }
  for (const RaisedTerm &T : Terms)
    Parts.push_back(summandOf(T));
}

} // namespace unravel
