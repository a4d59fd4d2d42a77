//===- ProofSearch.cpp - Finds proofs of inequalities ---------------------===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "analysis/proof/ProofSearch.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace unravel {

/// What is tried in turn, and how many entries of linear programs each may look
/// at: of the proofs for real kernels, the first finds 83 %, the second 17 %,
/// most of them with a tenth of this.
struct Attempt {
  RefutationSearch::Attempt How;
  unsigned LeastSplits;
  int64_t MaxWork;
};
static constexpr Attempt Attempts[] = {{{ProductsOf::Nothing, 2}, 0, 30'000},
                                       {{ProductsOf::Goals, 1}, 2, 80'000},
                                       {{ProductsOf::Nothing, ~0u}, 8, 120'000},
                                       {{ProductsOf::Lines, 1}, 8, 60'000}};
/// Of all questions of a search together.
static constexpr int64_t MaxWorkOfAll = 900'000;

//===----------------------------------------------------------------------===//
// Hypotheses
//===----------------------------------------------------------------------===//

/// Whether \p P bounds one variable.
static bool isBound(const Polynomial &P) {
  return P.degree() == 1 && abs(P.terms().back().second) == 1 &&
         P.terms().size() == (P.constant() == 0 ? 1 : 2);
}

unsigned ProofSearch::addVariable(const DynamicAPInt &Low,
                                  const DynamicAPInt &High) {
  return define({Facts.size(), Low, High});
}

unsigned ProofSearch::addQuotient(const Polynomial &N, const Polynomial &D,
                                  const DynamicAPInt &Low,
                                  const DynamicAPInt &High) {
  return define({Facts.size(), Low, High, SamplePoints::Quotient, N, D});
}

unsigned ProofSearch::addGreater(const Polynomial &A, const Polynomial &B,
                                 const DynamicAPInt &Low,
                                 const DynamicAPInt &High) {
  return define({Facts.size(), Low, High, SamplePoints::Greater, A, B});
}

unsigned ProofSearch::define(Definition D) {
  unsigned Number = Ranges.size();
  Ranges.push_back({D.Low, D.High});
  Polynomial V = Polynomial::variable(Number);
  tell(ProofMemo::Fact, V - Polynomial(D.Low));
  tell(ProofMemo::Fact, Polynomial(D.High) - V);
  Definitions.push_back(std::move(D));
  return Number;
}

void ProofSearch::tell(ProofMemo::Kind K, const Polynomial &P) {
  if (Memo)
    Known = Memo->after(Known, K, P);
  if (K == ProofMemo::Factor) {
    Factors.push_back(P);
    return;
  }
  Facts.push_back(P);
  KnownFacts.try_emplace(P, Facts.size() - 1);
}

void ProofSearch::assume(const Polynomial &P) {
  if (KnownFacts.count(P))
    return;
  tell(ProofMemo::Fact, P);
  if (!isBound(P))
    return;
  IntegerRange &Range = Ranges[P.terms().back().first[0]];
  if (P.terms().back().second > 0)
    Range.Low = std::max(Range.Low, -P.constant());
  else
    Range.High = std::min(Range.High, P.constant());
}

const SamplePoints &ProofSearch::points() {
  for (; FactsOfPoints < Facts.size(); ++FactsOfPoints) {
    for (; VariablesOfPoints < Definitions.size() &&
           Definitions[VariablesOfPoints].Facts == FactsOfPoints;
         ++VariablesOfPoints) {
      const Definition &D = Definitions[VariablesOfPoints];
      Points.addVariable(D.Kind, D.A, D.B, D.Low, D.High);
    }
    Points.restrict(Facts[FactsOfPoints]);
  }
  return Points;
}

void ProofSearch::updateBase() {
  for (; FactsInBase < Facts.size(); ++FactsInBase)
    Base.assume(FactsInBase, Facts[FactsInBase]);
  Base.boundProducts();
}

void ProofSearch::addFactor(const Polynomial &P) {
  if (!P.isConstant() && !is_contained(Factors, P))
    tell(ProofMemo::Factor, P);
}

static IntegerRange product(const IntegerRange &A, const IntegerRange &B) {
  DynamicAPInt Corners[] = {A.Low * B.Low, A.Low * B.High, A.High * B.Low,
                            A.High * B.High};
  return {*std::min_element(std::begin(Corners), std::end(Corners)),
          *std::max_element(std::begin(Corners), std::end(Corners))};
}

IntegerRange ProofSearch::rangeOf(const Polynomial &P) const {
  IntegerRange Sum{DynamicAPInt(0), DynamicAPInt(0)};
  for (const auto &[M, C] : P.terms()) {
    IntegerRange Term{C, C};
    for (unsigned V : M)
      Term = product(Term, Ranges[V]);
    Sum = {Sum.Low + Term.Low, Sum.High + Term.High};
  }
  return Sum;
}

//===----------------------------------------------------------------------===//
// Questions
//===----------------------------------------------------------------------===//

bool ProofSearch::proves(const Polynomial &P, unsigned Splits) {
  return rangeOf(P).Low >= 0 || KnownFacts.count(P) != 0 ||
         answer({-P - 1}, Splits);
}

bool ProofSearch::provesFrom(ArrayRef<Polynomial> Few, const Polynomial &Factor,
                             const Polynomial &P) {
  static constexpr int64_t MaxWork = 4'000;
  std::vector<Polynomial> Hypotheses;
  RefutationSearch Search;
  for (const Polynomial &Fact : Few)
    if (KnownFacts.count(Fact)) {
      Search.assume(Hypotheses.size(), Fact);
      Hypotheses.push_back(Fact);
    }
  Search.assumeGoal(Hypotheses.size(), -P - 1);
  Hypotheses.push_back(-P - 1);
  if (KnownFacts.count(Factor) && is_contained(Hypotheses, Factor))
    Search.multiplyBy(find(Hypotheses, Factor) - Hypotheses.begin(), Factor);
  for (ProductsOf Multiplied : {ProductsOf::Nothing, ProductsOf::Goals}) {
    Refutation R;
    unsigned Splits = 0;
    int64_t Work = MaxWork;
    bool IsRefuted = Search.run({Multiplied, ~0u}, R, Splits, Work);
    Spent.Work += MaxWork - Work;
    Spent.Nodes += Search.nodes();
    if (IsRefuted)
      return isChecked(Hypotheses, R);
  }
  return false;
}

bool ProofSearch::isChecked(ArrayRef<Polynomial> Hypotheses,
                            const Refutation &R) {
  ++Spent.Proofs;
  bool IsRight = isRefutation(Hypotheses, R);
  Spent.CheckFailed |= !IsRight;
  return IsRight;
}

bool ProofSearch::provesNotZero(const Polynomial &P, unsigned Splits) {
  IntegerRange Range = rangeOf(P);
  return Range.Low > 0 || Range.High < 0 || answer({P, -P}, Splits);
}

/// Whether the facts contradict \p Opposites.
bool ProofSearch::answer(ArrayRef<Polynomial> Opposites, unsigned Splits) {
  if (any_of(Opposites,
             [&](const Polynomial &P) { return rangeOf(P).High < 0; }))
    return true;
  unsigned Asked = Known;
  if (Memo) {
    for (const Polynomial &P : Opposites)
      Asked = Memo->after(Asked, ProofMemo::Fact, P);
    if (std::optional<bool> Answer = Memo->answer(Asked, Splits))
      return *Answer;
  }
  bool IsProved = !points().satisfy(Opposites) && decide(Opposites, Splits);
  // With more effort to spend, the answer could be another one.
  if (Memo && (IsProved || Spent.Work < MaxWorkOfAll))
    Memo->remember(Asked, Splits, IsProved);
  return IsProved;
}

bool ProofSearch::decide(ArrayRef<Polynomial> Opposites, unsigned Splits) {
  updateBase();
  RefutationSearch Search = Base;
  std::vector<Polynomial> Hypotheses = Facts;
  for (const Polynomial &P : Opposites) {
    Search.assumeGoal(Hypotheses.size(), P);
    Hypotheses.push_back(P);
  }
  for (const Polynomial &P : Factors)
    if (auto It = KnownFacts.find(P); It != KnownFacts.end())
      Search.multiplyBy(It->second, P);
  for (const Attempt &Next : Attempts) {
    if (Spent.Work >= MaxWorkOfAll || Splits < Next.LeastSplits)
      return false;
    Refutation R;
    int64_t Work = std::min(Next.MaxWork, MaxWorkOfAll - Spent.Work),
            Before = Work;
    unsigned SplitsLeft = Splits;
    bool IsRefuted = Search.run(Next.How, R, SplitsLeft, Work);
    Spent.Work += Before - Work;
    Spent.Nodes += Search.nodes();
    if (IsRefuted)
      return isChecked(Hypotheses, R);
  }
  return false;
}

bool ProofSearch::fix(unsigned Variable, unsigned Splits) {
  if (Ranges[Variable].Low == Ranges[Variable].High)
    return true;
  static constexpr int64_t MaxWidth = 1 << 16;
  // Points that disagree show that there is no such value; where there are no
  // points, the ends of the range are all there is to try.
  std::optional<DynamicAPInt> Value = points().onlyValueOf(Variable);
  if (!Value && (!Points.empty() ||
                 Ranges[Variable].High - Ranges[Variable].Low > MaxWidth))
    return false;
  for (const DynamicAPInt &Try :
       Value ? SmallVector<DynamicAPInt, 2>{*Value}
             : SmallVector<DynamicAPInt, 2>{Ranges[Variable].Low,
                                            Ranges[Variable].High}) {
    Polynomial Offset = Polynomial::variable(Variable) - Polynomial(Try);
    if (!proves(Offset, Splits) || !proves(-Offset, Splits))
      continue;
    assume(Offset);
    assume(-Offset);
    return true;
  }
  return false;
}

} // namespace unravel
