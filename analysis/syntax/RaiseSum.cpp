//===- RaiseSum.cpp - Sums of products of symbols as trees ----------------===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A sum of products is written with common factors outside, the most useful one
// first: a*b*c + a*b*d is a * b * (c + d).
//
//===----------------------------------------------------------------------===//

#include "analysis/syntax/IndexRaiser.h"
#include "llvm/ADT/STLExtras.h"
#include <limits>

using namespace llvm;

namespace unravel {

/// How often a long sum is searched for a common factor.
static constexpr size_t LongSum = 64;
static constexpr unsigned MaxFactorsOfLongSum = 16;

/// Coefficient * Factors * Extra.
RaisedTerm Raiser::makeTerm(MonomialRef Factors, int64_t Coefficient,
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
  // (Of int64_t, the largest number would be the map's own mark.)
  DenseMap<uint64_t, size_t> OfNumber;
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
    auto [It, IsNew] = OfNumber.try_emplace(uint64_t(Number), Factors.size());
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
