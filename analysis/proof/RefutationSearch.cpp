//===- RefutationSearch.cpp - Finds refutations ---------------------------===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "analysis/proof/RefutationSearch.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace unravel {

/// Of a product of two lines.
static constexpr unsigned MaxDegree = 6;
/// Products of lines for one question.
static constexpr unsigned MaxProducts = 160;

static Polynomial formOf(const Polynomial &P) {
  return P - Polynomial(P.constant());
}

//===----------------------------------------------------------------------===//
// Lines
//===----------------------------------------------------------------------===//

unsigned RefutationSearch::State::add(const Inference &Step,
                                      const Polynomial &Line) {
  Inferences.push_back(Step);
  Lines.push_back(Line);
  return Lines.size() - 1;
}

/// Lets a line count, unless one that says more does; returns which one does.
/// Dividing by the common divisor of the coefficients first makes it tight.
unsigned RefutationSearch::State::insert(unsigned Line) {
  DynamicAPInt Common = Lines[Line].gcdOfCoefficients();
  if (Common > 1)
    Line = add(Inference::quotient(Line, Common),
               Lines[Line].mapped([&](const Monomial &, const DynamicAPInt &C) {
                 return floorDiv(C, Common);
               }));
  DynamicAPInt Constant = Lines[Line].constant();
  if (Lines[Line].isConstant()) {
    if (Constant < 0)
      Contradiction = {Line};
    return Line;
  }
  Polynomial Form = formOf(Lines[Line]);
  auto [It, IsNew] = Live.try_emplace(Form, Line);
  if (!IsNew && Lines[It->second].constant() <= Constant)
    return It->second;
  It->second = Line;
  if (auto Opposite = Live.find(-Form); Opposite != Live.end()) {
    DynamicAPInt Room = Lines[Opposite->second].constant() + Constant;
    if (Room < 0)
      Contradiction = {Line, Opposite->second};
    else if (Room == 0)
      Equalities.push_back(Form);
  }
  if (Program)
    addToProgram(Line);
  return Line;
}

std::optional<unsigned> RefutationSearch::State::bound(unsigned Variable,
                                                       bool IsUpper) const {
  Polynomial V = Polynomial::variable(Variable);
  auto It = Live.find(IsUpper ? -V : V);
  if (It == Live.end())
    return std::nullopt;
  return It->second;
}

/// The line that says so, if it is known.
std::optional<unsigned>
RefutationSearch::State::notNegative(unsigned Variable) {
  std::optional<unsigned> Lower = bound(Variable, /*IsUpper=*/false);
  if (!Lower || Lines[*Lower].constant() > 0)
    return std::nullopt;
  DynamicAPInt Constant = Lines[*Lower].constant();
  if (Constant == 0)
    return Lower;
  return add(Inference::weaken(*Lower, -Constant),
             Polynomial::variable(Variable));
}

//===----------------------------------------------------------------------===//
// Equalities
//===----------------------------------------------------------------------===//

/// What is left of a product without some of its factors; none if they are not
/// there.
static std::optional<Monomial> without(const Monomial &Product,
                                       const Monomial &Factors) {
  if (!std::includes(Product.begin(), Product.end(), Factors.begin(),
                     Factors.end()))
    return std::nullopt;
  Monomial Rest;
  std::set_difference(Product.begin(), Product.end(), Factors.begin(),
                      Factors.end(), std::back_inserter(Rest));
  return Rest;
}

/// To replace a product where it is in \p P, by what is equal to it: with
/// P = c*M + rest, P - c*(M - other) is rest + c*other. Returns -c or c for a
/// line M - other or other - M.
Polynomial RefutationSearch::State::cofactor(const Monomial &M,
                                             const Polynomial &P) const {
  const Polynomial &Zero = Lines[Replaced.at(M).first];
  bool IsPositive = any_of(Zero.terms(), [&](const Polynomial::Term &T) {
    return T.first == M && T.second > 0;
  });
  Polynomial Sum;
  for (const auto &[Product, C] : P.terms())
    if (std::optional<Monomial> Rest = without(Product, M))
      Sum = Sum + Polynomial::monomial(*Rest) * (IsPositive ? -C : C);
  return Sum;
}

/// \p P, in which everything is replaced that has to be. Calls \p Note with
/// each step.
Polynomial RefutationSearch::State::reduced(
    Polynomial P,
    function_ref<void(const Monomial &, const Polynomial &, const Polynomial &)>
        Note) const {
  static constexpr unsigned MaxSteps = 32;
  bool Changed = true;
  for (unsigned Step = 0; Step < MaxSteps && Changed; ++Step) {
    Changed = false;
    for (const auto &[M, Zero] : Replaced) {
      Polynomial Factor = cofactor(M, P);
      if (Factor.terms().empty())
        continue;
      P = P + Factor * Lines[Zero.first];
      Note(M, Factor, P);
      Changed = true;
    }
  }
  return P;
}

unsigned RefutationSearch::State::reduced(unsigned Line) {
  reduced(Lines[Line], [&](const Monomial &M, const Polynomial &Factor,
                           const Polynomial &P) {
    auto [Zero, Opposite] = Replaced.at(M);
    Line = add(Inference::substitute(Line, Zero, Opposite, Factor), P);
  });
  return Line;
}

unsigned RefutationSearch::State::given(unsigned Hypothesis,
                                        const Polynomial &P) {
  for (const auto &[M, C] : P.terms())
    if (M.size() > 1)
      Mentioned.insert(M);
  return insert(reduced(add(Inference::given(Hypothesis), P)));
}

/// Replaces what is equal to something simpler: variables by constants and
/// other variables, and products by what is of lower degree, or came before.
void RefutationSearch::State::eliminate() {
  while (!Equalities.empty() && Contradiction.empty()) {
    Polynomial Form = Equalities.back();
    Equalities.pop_back();
    auto A = Live.find(Form), B = Live.find(-Form);
    if (A == Live.end() || B == Live.end() ||
        abs(Form.terms().back().second) != 1 ||
        (Form.degree() == 1 && Form.terms().size() > 2))
      continue;
    const Monomial M = Form.terms().back().first;
    // Its bounds hold for what it is replaced by.
    if (M.size() > 1)
      Mentioned.insert(M);
    // What a goal replaces speaks of the goal from here on.
    bool IsGoal =
        is_contained(Goals, A->second) || is_contained(Goals, B->second);
    Replaced[M] = {A->second, B->second};
    Live.erase(A);
    Live.erase(Live.find(-Form));
    auto IsIn = [&](const Monomial &Product) {
      return std::includes(Product.begin(), Product.end(), M.begin(), M.end());
    };
    SmallVector<unsigned, 16> Affected;
    for (const auto &[Other, Line] : Live)
      if (any_of(Other.terms(),
                 [&](const Polynomial::Term &T) { return IsIn(T.first); }))
        Affected.push_back(Line);
    // What equals a larger product now equals what that becomes.
    for (auto It = Replaced.begin(); It != Replaced.end();) {
      if (It->first == M || !IsIn(It->first)) {
        ++It;
        continue;
      }
      Affected.append({It->second.first, It->second.second});
      It = Replaced.erase(It);
    }
    for (unsigned Line : Affected) {
      Live.erase(formOf(Lines[Line]));
      unsigned New = insert(reduced(Line));
      for (auto *List : {&Goals, &Factors})
        std::replace(List->begin(), List->end(), Line, New);
      if (IsGoal)
        Goals.push_back(New);
      if (!Contradiction.empty())
        return;
    }
  }
  Equalities.clear();
}

//===----------------------------------------------------------------------===//
// Products
//===----------------------------------------------------------------------===//

/// The bounds of products of variables by those of their factors.
void RefutationSearch::State::boundProducts() {
  std::set<Monomial> All = Mentioned;
  for (const auto &[Form, Line] : Live)
    for (const auto &[M, C] : Form.terms())
      All.insert(M);
  for (const Monomial &M : All)
    boundProduct(M);
}

void RefutationSearch::State::boundProduct(const Monomial &M) {
  if (M.size() < 2)
    return;
  std::vector<unsigned> Bounds;
  for (unsigned V : M)
    for (bool IsUpper : {false, true})
      Bounds.push_back(bound(V, IsUpper).value_or(~0u));
  auto [It, IsNew] = Bounded.try_emplace(M);
  if (!IsNew && It->second == Bounds)
    return;
  It->second = Bounds;
  auto Multiply = [&](unsigned A, unsigned B) {
    return add(Inference::product(A, B), Lines[A] * Lines[B]);
  };
  if (M.size() == 2) { // McCormick's inequalities
    for (bool First : {false, true})
      for (bool Second : {false, true}) {
        std::optional<unsigned> A = bound(M[0], First), B = bound(M[1], Second);
        if (A && B)
          insert(reduced(Multiply(*A, *B)));
      }
  }
  SmallVector<unsigned, 4> Positive;
  for (unsigned V : M) {
    std::optional<unsigned> Line = notNegative(V);
    if (!Line)
      return;
    Positive.push_back(*Line);
  }
  // 0 <= x*y*z, and y*z <= x*y*z where x >= 1.
  for (unsigned Skip = 0; Skip <= M.size(); ++Skip) {
    std::optional<unsigned> Least, Line;
    if (Skip < M.size()) {
      Least = bound(M[Skip], /*IsUpper=*/false);
      if (Lines[*Least].constant() > -1 || (Skip > 0 && M[Skip] == M[Skip - 1]))
        continue;
    }
    for (unsigned I = 0; I < M.size(); ++I)
      if (I != Skip)
        Line = Line ? Multiply(*Line, Positive[I]) : Positive[I];
    if (!Least) {
      insert(reduced(*Line));
      continue;
    }
    boundProduct(Monomial(Lines[*Line].terms()[0].first));
    insert(reduced(Multiply(*Line, *Least)));
  }
}

/// Adds products of lines with factors. False if there are none.
bool RefutationSearch::State::multiply(ProductsOf Multiplied) {
  std::set<Monomial> Known;
  for (const auto &[Form, Line] : Live)
    for (const auto &[M, C] : Form.terms())
      if (M.size() > 1)
        Known.insert(M);
  struct Candidate {
    unsigned A, B;
    Polynomial P;
  };
  std::vector<Candidate> Candidates;
  auto Offer = [&](unsigned A, unsigned B) {
    if (Lines[A].degree() + Lines[B].degree() <= MaxDegree)
      Candidates.push_back(
          {A, B,
           reduced(Lines[A] * Lines[B], [](const Monomial &, const Polynomial &,
                                           const Polynomial &) {})});
  };
  // What is divided by scales everything: `y < H` says that W*y + W <= W*H.
  std::set<unsigned> InFactors, Multipliers;
  for (unsigned Line : Factors) {
    if (Lines[Line].isConstant())
      continue;
    Multipliers.insert(Line);
    for (const auto &[M, C] : Lines[Line].terms())
      InFactors.insert(M.begin(), M.end());
  }
  for (unsigned V : InFactors)
    if (std::optional<unsigned> Lower = bound(V, /*IsUpper=*/false);
        Lower && Lines[*Lower].constant() <= 0)
      Multipliers.insert(*Lower);
  std::vector<unsigned> GoalsBefore = Goals;
  for (unsigned Goal : GoalsBefore)
    for (unsigned M : Multipliers)
      Offer(Goal, M);
  if (Multiplied == ProductsOf::Lines)
    for (const auto &[Form, Line] : Live)
      for (unsigned M : Multipliers)
        if (!is_contained(GoalsBefore, Line) &&
            (Line >= M || !Multipliers.count(Line)))
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
  for (const Candidate &C : Candidates) {
    unsigned Line = insert(
        reduced(add(Inference::product(C.A, C.B), Lines[C.A] * Lines[C.B])));
    if (is_contained(GoalsBefore, C.A))
      Goals.push_back(Line);
  }
  return !Candidates.empty();
}

//===----------------------------------------------------------------------===//
// The linear program
//===----------------------------------------------------------------------===//

/// The variable of the linear program for a sum of products.
unsigned RefutationSearch::State::variableOf(const Polynomial &Sum) {
  SmallVector<std::pair<unsigned, DynamicAPInt>, 8> Parts;
  for (const auto &[M, C] : Sum.terms()) {
    auto [It, IsNew] = Products.try_emplace(M, 0);
    if (IsNew)
      It->second = Program->addVariable();
    Parts.emplace_back(It->second, C);
  }
  if (Parts.size() == 1) // with the coefficient 1
    return Parts[0].first;
  auto [It, IsNew] = Sums.try_emplace(Sum, 0);
  if (IsNew)
    It->second = Program->addSum(Parts);
  return It->second;
}

void RefutationSearch::State::addToProgram(unsigned Line) {
  const Polynomial &P = Lines[Line];
  Polynomial Sum = formOf(P);
  if (Sum.terms().back().second > 0)
    Program->boundBelow(variableOf(Sum), -P.constant(), Line);
  else
    Program->boundAbove(variableOf(-Sum), P.constant(), Line);
}

std::vector<unsigned> RefutationSearch::State::linesNearGoals() const {
  std::vector<unsigned> Near, Far;
  std::set<Monomial> Reached;
  for (unsigned Line : Goals)
    for (const auto &[M, C] : Lines[Line].terms())
      Reached.insert(M);
  Reached.erase(Monomial());
  for (const auto &[Form, Line] : Live)
    Far.push_back(Line);
  if (Reached.empty())
    return Far;
  auto Take = [&](bool BoundsOnly) {
    std::set<Monomial> New;
    erase_if(Far, [&](unsigned Line) {
      ArrayRef<Polynomial::Term> Terms = Lines[Line].terms();
      if (BoundsOnly && Terms.size() > (Terms[0].first.empty() ? 2 : 1))
        return false;
      if (none_of(Terms, [&](const Polynomial::Term &T) {
            return Reached.count(T.first) != 0;
          }))
        return false;
      Near.push_back(Line);
      for (const auto &[M, C] : Terms)
        if (!M.empty())
          New.insert(M);
      return true;
    });
    size_t Before = Reached.size();
    Reached.insert(New.begin(), New.end());
    return Reached.size() != Before;
  };
  for (unsigned Steps = 0; Steps < Radius; ++Steps)
    if (!Take(/*BoundsOnly=*/false))
      break;
  Take(/*BoundsOnly=*/true);
  return Near;
}

/// Of a product that all lines have with one sign, multiples of lines cannot
/// add up to nothing: these lines are of no use.
void RefutationSearch::State::makeProgram() {
  std::vector<unsigned> Useful = linesNearGoals();
  for (bool Changed = true; Changed;) {
    std::map<Monomial, unsigned> Signs;
    for (unsigned Line : Useful)
      for (const auto &[M, C] : Lines[Line].terms())
        if (!M.empty())
          Signs[M] |= C > 0 ? 1 : 2;
    size_t Before = Useful.size();
    erase_if(Useful, [&](unsigned Line) {
      return any_of(Lines[Line].terms(), [&](const Polynomial::Term &T) {
        return !T.first.empty() && Signs[T.first] != 3;
      });
    });
    Changed = Useful.size() != Before;
  }
  Products.clear();
  Sums.clear();
  Program.emplace();
  for (unsigned Line : Useful)
    addToProgram(Line);
}

//===----------------------------------------------------------------------===//
// The search
//===----------------------------------------------------------------------===//

void RefutationSearch::assume(unsigned Number, const Polynomial &P) {
  if (!Start.Contradiction.empty())
    return;
  Start.given(Number, P);
  Start.eliminate();
}

void RefutationSearch::assumeGoal(unsigned Number, const Polynomial &P) {
  if (!Start.Contradiction.empty())
    return;
  Start.Goals.push_back(Start.given(Number, P));
  Start.eliminate();
}

void RefutationSearch::multiplyBy(unsigned Number, const Polynomial &P) {
  if (Start.Contradiction.empty())
    Start.Factors.push_back(Start.given(Number, P));
}

bool RefutationSearch::run(const Attempt &How, Refutation &R, unsigned &Splits,
                           int64_t &Work) {
  State S = Start;
  S.Radius = How.Radius;
  if (S.Contradiction.empty()) {
    if (How.Multiplied != ProductsOf::Nothing && !S.multiply(How.Multiplied))
      return false;
    S.boundProducts();
    S.makeProgram();
  }
  return refute(S, R, Splits, Work);
}

bool RefutationSearch::refute(State &S, Refutation &R, unsigned &Splits,
                              int64_t &Work) {
  ++Nodes;
  auto Finish = [&](auto Sum) {
    R.Lines = std::move(S.Inferences);
    R.Sum.assign(Sum.begin(), Sum.end());
    return true;
  };
  if (!S.Contradiction.empty()) {
    std::vector<std::pair<unsigned, DynamicAPInt>> Sum;
    for (unsigned Line : S.Contradiction)
      Sum.emplace_back(Line, DynamicAPInt(1));
    return Finish(Sum);
  }
  switch (S.Program->check(Work)) {
  case Simplex::Outcome::TooLong:
    return false;
  case Simplex::Outcome::Infeasible:
    return Finish(S.Program->conflict());
  case Simplex::Outcome::Feasible:
    break;
  }
  if (Splits == 0)
    return false;
  --Splits;
  // An integer that is a fraction in the solution: the one with the fewest
  // values, then the first one; one without bounds only if there is no other.
  std::optional<Polynomial> Split;
  std::optional<DynamicAPInt> Values;
  auto Consider = [&](const Polynomial &P, unsigned Variable) {
    std::optional<DynamicAPInt> Floor = S.Program->floorOfFraction(Variable);
    if (!Floor)
      return;
    std::optional<DynamicAPInt> Width = S.Program->widthOf(Variable);
    if (Split && (!Width || (Values && *Width >= *Values)))
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
    Branch.insert(Branch.Lines.size() - 1);
    // Products are bounded more narrowly now; a variable that has one value may
    // be a factor.
    if (Branch.Contradiction.empty()) {
      if (!Branch.Equalities.empty()) {
        Branch.Program.reset();
        Branch.eliminate();
      }
      if (Branch.Contradiction.empty() && Split->degree() == 1)
        Branch.boundProducts();
      if (!Branch.Program && Branch.Contradiction.empty())
        Branch.makeProgram();
    }
    auto &Node = IsNegative ? R.IfNegative : R.IfNotNegative;
    Node = std::make_unique<Refutation>();
    if (!refute(Branch, *Node, Splits, Work))
      return false;
  }
  return true;
}

} // namespace unravel
