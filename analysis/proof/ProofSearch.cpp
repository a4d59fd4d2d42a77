//===- ProofSearch.cpp - Finds proofs of inequalities ---------------------===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "analysis/proof/ProofSearch.h"
#include "llvm/ADT/STLExtras.h"
#include <set>

using namespace llvm;

namespace unravel {

/// Entries of linear programs that one question, and all of them together, may
/// look at. A question that takes longer is given up.
static constexpr int64_t MaxWork = 100'000, MaxWorkOfAll = 400'000;
/// Of a product of two lines. Quotients by products of three sizes need 5.
static constexpr unsigned MaxDegree = 5;
/// Products of lines for one question.
static constexpr unsigned MaxProducts = 160;

//===----------------------------------------------------------------------===//
// Hypotheses
//===----------------------------------------------------------------------===//

/// Whether \p P bounds one variable.
static bool isBound(const Polynomial &P) {
  return P.degree() == 1 && abs(P.terms().back().second) == 1 &&
         P.terms().size() == (P.constant() == 0 ? 1 : 2);
}

/// Whether \p P is v - low, with low >= 0.
static bool isLowerBound(const Polynomial &P) {
  return isBound(P) && P.terms().back().second == 1 && P.constant() <= 0;
}

unsigned ProofSearch::addVariable(const DynamicAPInt &Low,
                                  const DynamicAPInt &High) {
  unsigned Number = Ranges.size();
  Ranges.push_back({Low, High});
  Polynomial V = Polynomial::variable(Number);
  BoundLines.emplace_back();
  BoundLines.back().first = assumeLine(V - Polynomial(Low));
  BoundLines.back().second = assumeLine(Polynomial(High) - V);
  return Number;
}

/// Adds a hypothesis as a line and returns its number.
unsigned ProofSearch::assumeLine(const Polynomial &P) {
  unsigned Line = Base.add(Inference::given(Hypotheses.size()), P);
  Hypotheses.push_back(P);
  Base.bound(Line);
  return Line;
}

void ProofSearch::assume(const Polynomial &P) {
  if (is_contained(Hypotheses, P))
    return;
  boundProducts(P);
  unsigned Line = assumeLine(P);
  if (!isBound(P))
    return;
  unsigned V = P.terms().back().first[0];
  if (P.terms().back().second > 0 && -P.constant() > Ranges[V].Low) {
    Ranges[V].Low = -P.constant();
    BoundLines[V].first = Line;
  } else if (P.terms().back().second < 0 && P.constant() < Ranges[V].High) {
    Ranges[V].High = P.constant();
    BoundLines[V].second = Line;
  }
}

/// The bounds of new products of variables by those of their factors.
void ProofSearch::boundProducts(const Polynomial &P) {
  auto Multiply = [&](unsigned A, unsigned B) {
    unsigned Line =
        Base.add(Inference::product(A, B), Base.Lines[A] * Base.Lines[B]);
    Base.bound(Line);
    return Line;
  };
  for (const auto &[M, C] : P.terms()) {
    if (M.size() < 2 || Base.Products.count(M))
      continue;
    if (M.size() == 2) { // McCormick's inequalities
      for (unsigned A : {BoundLines[M[0]].first, BoundLines[M[0]].second})
        for (unsigned B : {BoundLines[M[1]].first, BoundLines[M[1]].second})
          Multiply(A, B);
    }
    if (any_of(M, [&](unsigned V) { return Ranges[V].Low < 0; }))
      continue;
    // 0 <= x*y*z, and y*z <= x*y*z where x >= 1.
    for (unsigned Skip = 0; Skip <= M.size(); ++Skip) {
      if (Skip < M.size() &&
          (Ranges[M[Skip]].Low < 1 || (Skip > 0 && M[Skip] == M[Skip - 1])))
        continue;
      std::optional<unsigned> Line;
      for (unsigned I = 0; I < M.size(); ++I)
        if (I != Skip)
          Line = Line ? Multiply(*Line, notNegative(M[I])) : notNegative(M[I]);
      if (Skip == M.size())
        continue;
      boundProducts(Polynomial(Base.Lines[*Line]));
      Multiply(*Line, BoundLines[M[Skip]].first);
    }
  }
}

unsigned ProofSearch::notNegative(unsigned Variable) {
  auto [It, IsNew] = NotNegativeLines.try_emplace(Variable, 0);
  if (IsNew)
    It->second = assumeLine(Polynomial::variable(Variable));
  return It->second;
}

void ProofSearch::addFactor(const Polynomial &P) {
  if (!P.isConstant() && !is_contained(Factors, P))
    Factors.push_back(P);
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
// Lines as bounds
//===----------------------------------------------------------------------===//

unsigned ProofSearch::State::add(const Inference &Step,
                                 const Polynomial &Line) {
  Inferences.push_back(Step);
  Lines.push_back(Line);
  return Lines.size() - 1;
}

/// The variable of the linear program for a sum of products.
unsigned ProofSearch::State::variableOf(const Polynomial &Sum) {
  SmallVector<std::pair<unsigned, DynamicAPInt>, 8> Parts;
  for (const auto &[M, C] : Sum.terms()) {
    auto [It, IsNew] = Products.try_emplace(M, 0);
    if (IsNew)
      It->second = Program.addVariable();
    Parts.emplace_back(It->second, C);
  }
  if (Parts.size() == 1) // with the coefficient 1
    return Parts[0].first;
  auto [It, IsNew] = Sums.try_emplace(Sum, 0);
  if (IsNew)
    It->second = Program.addSum(Parts);
  return It->second;
}

/// Makes a line a bound of the linear program. Dividing it by the common
/// divisor of its coefficients first makes the bound tight.
void ProofSearch::State::bound(unsigned Line) {
  DynamicAPInt Common = Lines[Line].gcdOfCoefficients();
  if (Common > 1) {
    Line = add(Inference::quotient(Line, Common),
               Lines[Line].mapped([&](const Monomial &, const DynamicAPInt &C) {
                 return floorDiv(C, Common);
               }));
  }
  const Polynomial &P = Lines[Line];
  Polynomial Sum = P - Polynomial(P.constant());
  if (Sum.terms().empty()) {
    // A constant: true, or a contradiction of its own.
    if (P.constant() < 0) {
      unsigned V = Program.addVariable();
      Program.boundAbove(V, DynamicAPInt(0), Line);
      Program.boundBelow(V, -P.constant(), Line);
    }
    return;
  }
  if (Sum.terms().back().second > 0)
    Program.boundBelow(variableOf(Sum), -P.constant(), Line);
  else
    Program.boundAbove(variableOf(-Sum), P.constant(), Line);
}

//===----------------------------------------------------------------------===//
// Products
//===----------------------------------------------------------------------===//

/// Adds products of lines with factors to the linear program. False if there
/// are none.
bool ProofSearch::multiply(State &S, unsigned Goal) const {
  if (Factors.empty())
    return false;
  std::set<Monomial> Known;
  for (const auto &[M, V] : S.Products)
    if (M.size() > 1)
      Known.insert(M);
  struct Candidate {
    unsigned A, B;
    Polynomial P;
  };
  std::vector<Candidate> Candidates;
  auto Offer = [&](unsigned A, unsigned B) {
    if (S.Lines[A].degree() + S.Lines[B].degree() <= MaxDegree)
      Candidates.push_back({A, B, S.Lines[A] * S.Lines[B]});
  };
  // What is divided by scales everything: `y < H` says that W*y + W <= W*H.
  std::set<unsigned> InFactors;
  for (const Polynomial &F : Factors)
    for (const auto &[M, C] : F.terms())
      InFactors.insert(M.begin(), M.end());
  SmallVector<unsigned, 16> Multipliers;
  size_t Lines = S.Lines.size();
  for (unsigned Line = 0; Line < Lines; ++Line)
    if (const Polynomial &P = S.Lines[Line];
        is_contained(Factors, P) ||
        (isLowerBound(P) && InFactors.count(P.terms().back().first[0])))
      Multipliers.push_back(Line);
  for (unsigned M : Multipliers)
    Offer(Goal, M);
  for (unsigned Line = 0; Line < Lines; ++Line)
    for (unsigned M : Multipliers)
      if (Line != Goal && !S.Lines[Line].isConstant() &&
          (Line >= M || !is_contained(Multipliers, Line)))
        Offer(Line, M);
  // Only those that speak of products that are there already, or that another
  // one speaks of as well.
  for (bool Changed = true; Changed;) {
    std::map<Monomial, unsigned> Uses;
    for (const Candidate &C : Candidates)
      for (const auto &[M, Coefficient] : C.P.terms())
        ++Uses[M];
    size_t Before = Candidates.size();
    erase_if(Candidates, [&](const Candidate &C) {
      return any_of(C.P.terms(), [&](const Polynomial::Term &T) {
        return T.first.size() > 1 && !Known.count(T.first) && Uses[T.first] < 2;
      });
    });
    Changed = Candidates.size() != Before;
  }
  if (Candidates.size() > MaxProducts)
    Candidates.resize(MaxProducts);
  for (const Candidate &C : Candidates)
    S.bound(S.add(Inference::product(C.A, C.B), C.P));
  return !Candidates.empty();
}

//===----------------------------------------------------------------------===//
// The search
//===----------------------------------------------------------------------===//

bool ProofSearch::refute(State &S, Refutation &R, unsigned &Splits,
                         int64_t &Work) {
  ++Spent.Nodes;
  switch (S.Program.check(Work)) {
  case Simplex::Outcome::TooLong:
    return false;
  case Simplex::Outcome::Infeasible:
    R.Lines = std::move(S.Inferences);
    R.Sum.assign(S.Program.conflict().begin(), S.Program.conflict().end());
    return true;
  case Simplex::Outcome::Feasible:
    break;
  }
  if (Splits == 0)
    return false;
  --Splits;
  // An integer that is a fraction in the solution: the one with the fewest
  // values, then the first one.
  std::optional<Polynomial> Split;
  std::optional<DynamicAPInt> Values;
  auto Consider = [&](const Polynomial &P, unsigned Variable) {
    std::optional<DynamicAPInt> Floor = S.Program.floorOfFraction(Variable);
    const auto &Low = S.Program.lower(Variable);
    const auto &High = S.Program.upper(Variable);
    if (!Floor || !Low || !High)
      return;
    DynamicAPInt Width = High->Value - Low->Value;
    if (Values && Width >= *Values)
      return;
    Values = Width;
    Split = P - Polynomial(*Floor) - 1;
  };
  for (const auto &[M, Variable] : S.Products)
    Consider(Polynomial::monomial(M), Variable);
  for (const auto &[Sum, Variable] : S.Sums)
    Consider(Sum, Variable);
  if (!Split)
    return false;
  R.Lines = std::move(S.Inferences);
  S.Inferences.clear();
  R.Split = *Split;
  for (bool IsNegative : {false, true}) {
    State Branch = S;
    Branch.Lines.push_back(IsNegative ? -*Split - 1 : *Split);
    Branch.bound(Branch.Lines.size() - 1);
    auto &Node = IsNegative ? R.IfNegative : R.IfNotNegative;
    Node = std::make_unique<Refutation>();
    if (!refute(Branch, *Node, Splits, Work))
      return false;
  }
  return true;
}

bool ProofSearch::proves(const Polynomial &P, unsigned Splits) {
  if (rangeOf(P).Low >= 0)
    return true;
  return search(P, Splits, false) || (Splits > 0 && search(P, Splits, true));
}

bool ProofSearch::search(const Polynomial &P, unsigned Splits,
                         bool WithProducts) {
  if (Spent.Work >= MaxWorkOfAll)
    return false;
  // Suppose the opposite.
  Polynomial Opposite = -P - 1;
  State S = Base;
  unsigned Goal = S.add(Inference::given(Hypotheses.size()), Opposite);
  S.bound(Goal);
  if (WithProducts && !multiply(S, Goal))
    return false;
  Refutation R;
  int64_t Work = std::min(MaxWork, MaxWorkOfAll - Spent.Work), Before = Work;
  unsigned SplitsLeft = Splits;
  bool IsRefuted = refute(S, R, SplitsLeft, Work);
  Spent.Work += Before - Work;
  if (!IsRefuted)
    return false;
  ++Spent.Proofs;
  std::vector<Polynomial> All = Hypotheses;
  All.push_back(Opposite);
  bool IsRight = isRefutation(All, R);
  Spent.CheckFailed |= !IsRight;
  return IsRight;
}

bool ProofSearch::fix(unsigned Variable, unsigned Splits) {
  auto It = Base.Products.find({Variable});
  if (It == Base.Products.end())
    return false;
  int64_t Work = std::min(MaxWork, MaxWorkOfAll - Spent.Work), Before = Work;
  Simplex::Outcome Outcome = Base.Program.check(Work);
  Spent.Work += Before - Work;
  if (Outcome != Simplex::Outcome::Feasible)
    return false;
  Polynomial Offset = Polynomial::variable(Variable) -
                      Polynomial(Base.Program.floorOf(It->second));
  if (!proves(Offset, Splits) || !proves(-Offset, Splits))
    return false;
  assume(Offset);
  assume(-Offset);
  return true;
}

} // namespace unravel
