//===- ParametricInverse.cpp - Inverses for each runtime value ------------===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// First, a variable with a stride, x = r (mod m), is replaced by m*x + r: no
// domain has gaps from here on. Then ResultSolver.h proposes expressions G_i
// over the results y, one for each variable x_i. Two things make them the
// inverse of F:
//
//   1. G(F(x)) = x on the domain of F. This is checked, by simplifying or at
//      every point, whatever the solver did.
//
//   2. The domain of the inverse is the set of all y in the box of F's results
//      with
//
//          G(y) in the domain of F   and   F(G(y)) = y.
//
//      That is exactly the image of F's domain: such a y is F(x) for x = G(y);
//      and for y = F(x), G(y) is x by 1., so both conditions hold.
//
// Both conditions are built with the bounds of y as the only facts. (On the
// image they would be true, and vanish.)
//
// A quotient without a value (the divisor is zero) satisfies no constraint, and
// leaves a result without a value, so 2. excludes it, too. 1. needs care: rules
// of the algebra hold where there is a value. So divisors in G have to be
// positive at F(x), and in 2. that becomes a condition of its own.
//
//===----------------------------------------------------------------------===//

#include "analysis/maps/ParametricInverse.h"
#include "analysis/algebra/IndexProver.h"
#include "analysis/algebra/IndexSubstitution.h"
#include "analysis/maps/IndexingMapText.h"
#include "analysis/maps/MapProof.h"
#include "analysis/maps/MapSampler.h"
#include "analysis/maps/ResultSolver.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

using namespace llvm;

namespace unravel {

/// How often the box of the results is made smaller.
static constexpr unsigned MaxBoxes = 3;

namespace {
class InverseFinder {
public:
  InverseFinder(const IndexingMap &WithGaps, uint64_t MaxPoints)
      : Original(WithGaps.simplified()), Map(Original), Context(Map.context()),
        MaxPoints(MaxPoints) {
    closeGaps();
  }

  std::optional<IndexingMap> find();
  std::string WhyNot;

private:
  size_t numSolutions() const {
    return Map.dimensions().size() + Map.ranges().size();
  }
  void closeGaps();
  IndexExpr originalOf(size_t I, IndexExpr Value) const;
  IndexingMap::Variables variablesOfInverse() const;
  std::string reasonAgainst(const IndexAtom *Variable) const;
  bool isInverseBySimplifying();
  bool hasValue(const IndexDomain &Domain, IndexSubstitution &Compose,
                IndexExpr Solution);
  bool isInverseAtEveryPoint() const;
  std::optional<IndexingMap> build(IndexingMap::Variables Vars) const;

  /// The map that was asked about, and the one without gaps.
  IndexingMap Original, Map;
  /// By dimension, then range: x = modulus*x' + residue.
  std::vector<Congruence> Strides;
  IndexContext &Context;
  uint64_t MaxPoints;
  /// Dimensions, then ranges, over the results.
  std::vector<IndexExpr> Solutions;
  /// What symbolic divisors in there satisfy at all results.
  std::vector<MapConstraint> DivisorFacts;
};
} // namespace

IndexingMap::Variables InverseFinder::variablesOfInverse() const {
  IndexingMap::Variables Vars;
  for (const Interval &Range : Map.rangesOfResults())
    Vars.Dimensions.push_back({Range, ""});
  Vars.Runtimes = Map.runtimes();
  return Vars;
}

static bool usesAtom(IndexExpr E, const IndexAtom *Wanted) {
  bool Found = false;
  forEachAtom(E, [&](const IndexAtom *Atom) { Found |= Atom == Wanted; });
  return Found;
}

std::string InverseFinder::reasonAgainst(const IndexAtom *Variable) const {
  std::string Name = Original.nameOf(Variable), Numbers, Users;
  unsigned NumUsers = 0;
  for (size_t J = 0; J < Original.results().size(); ++J) {
    if (!usesAtom(Original.result(J), Variable))
      continue;
    const char *Comma = NumUsers++ == 0 ? "" : ", ";
    Numbers += Comma + std::to_string(J);
    Users += Comma + toString(Original, Original.result(J));
  }
  if (NumUsers == 0)
    return "no result depends on " + Name;
  return (NumUsers == 1 ? "result " : "results ") + Numbers +
         (NumUsers == 1 ? " does" : " do") + " not determine " + Name +
         ": cannot take " + Users + " apart";
}

//===----------------------------------------------------------------------===//
// Strides
//===----------------------------------------------------------------------===//

/// The x' with Stride.modulus()*x' + Stride.residue() in \p Bounds; nullopt if
/// an end leaves 64 bits.
static std::optional<Interval> boundsOfSteps(const Interval &Bounds,
                                             const Congruence &Stride) {
  int64_t Lo = Bounds.lo(), Hi = Bounds.hi(), M = Stride.modulus();
  if (Bounds.isBoundedBelow() &&
      (SubOverflow(Stride.residue(), Lo, Lo) || Lo == Interval::PlusInfinity))
    return std::nullopt;
  if (Bounds.isBoundedAbove() && SubOverflow(Hi, Stride.residue(), Hi))
    return std::nullopt;
  return Interval(Bounds.isBoundedBelow() ? -floorDiv(Lo, M) : Bounds.lo(),
                  Bounds.isBoundedAbove() ? floorDiv(Hi, M) : Bounds.hi());
}

/// \p Map with other expressions for its variables, which have other bounds.
static std::optional<IndexingMap> rewritten(const IndexingMap &Map,
                                            const IndexingMap::Variables &Vars,
                                            const Replacements &With) {
  IndexDomain Box = IndexingMap(Map.context(), Vars, {}).domain();
  IndexSubstitution Substitution(Box, With);
  std::vector<IndexExpr> Results;
  std::vector<MapConstraint> Constraints;
  for (IndexExpr Result : Map.results())
    Results.push_back(Substitution.apply(Result));
  for (const MapConstraint &C : Map.constraints())
    Constraints.push_back({Substitution.apply(C.Expr), C.Range});
  if (any_of(Results, [](IndexExpr E) { return !E; }) ||
      any_of(Constraints, [](const MapConstraint &C) { return !C.Expr; }))
    return std::nullopt;
  return IndexingMap(Map.context(), Vars, Results, Constraints);
}

IndexExpr InverseFinder::originalOf(size_t I, IndexExpr Value) const {
  return Context.add(Context.scale(Value, Strides[I].modulus()),
                     Strides[I].residue());
}

/// Replaces variables with a stride in Map, unless that leaves 64 bits.
void InverseFinder::closeGaps() {
  Strides.assign(numSolutions(), Congruence());
  IndexDomain Domain = Original.domain();
  IndexingMap::Variables Vars = Original.variables();
  Replacements With;
  for (size_t I = 0; I < numSolutions(); ++I) {
    const IndexAtom *X = Original.atomAt(I);
    Congruence Stride = Domain.congruenceOf(X);
    MapVariable &Variable = I < Vars.Dimensions.size()
                                ? Vars.Dimensions[I]
                                : Vars.Ranges[I - Vars.Dimensions.size()];
    std::optional<Interval> Steps;
    if (Stride.modulus() > 1)
      Steps = boundsOfSteps(Variable.Bounds, Stride);
    if (!Steps)
      continue;
    Variable.Bounds = *Steps;
    Strides[I] = Stride;
    With[X] = originalOf(I, Context.atom(X));
  }
  if (With.empty() || Original.isKnownEmpty())
    return;
  if (std::optional<IndexingMap> Closed = rewritten(Original, Vars, With))
    Map = Closed->simplified();
  else
    Strides.assign(numSolutions(), Congruence());
}

//===----------------------------------------------------------------------===//
// G(F(x)) = x
//===----------------------------------------------------------------------===//

/// No symbolic divisor in \p Solution is zero at any F(x).
bool InverseFinder::hasValue(const IndexDomain &Domain,
                             IndexSubstitution &Compose, IndexExpr Solution) {
  bool NeverZero = true;
  forEachAtom(Solution, [&](const IndexAtom *Atom) {
    if (!NeverZero || !Atom->isSymbolicDivision())
      return;
    IndexExpr Divisor = Compose.apply(Atom->divisor());
    NeverZero = Divisor && provesPositive(Domain, Divisor);
    DivisorFacts.push_back({Atom->divisor(), Interval::atLeast(1)});
  });
  return NeverZero;
}

bool InverseFinder::isInverseBySimplifying() {
  IndexDomain Domain = Map.domain();
  Replacements Results;
  for (size_t J = 0; J < Map.results().size(); ++J)
    Results[IndexingMap::variableOf(Context, VariableKind::Dimension, J)] =
        Map.result(J);
  IndexSubstitution Compose(Domain, Results);
  for (size_t I = 0; I < numSolutions(); ++I) {
    if (!hasValue(Domain, Compose, Solutions[I]))
      return false;
    IndexExpr Difference =
        Context.sub(Compose.apply(Solutions[I]), Context.atom(Map.atomAt(I)));
    if (!provesWithin(Domain, Difference, Interval::point(0)))
      return false;
  }
  return true;
}

bool InverseFinder::isInverseAtEveryPoint() const {
  IndexingMap Inverse(Context, variablesOfInverse(), Solutions);
  auto IsInverseAt = [&](ArrayRef<int64_t> P) {
    if (isInDomain(Map, P) == false)
      return true;
    std::optional<std::vector<int64_t>> Results = Map.evaluate(P);
    if (!Results)
      return false;
    append_range(*Results, P.drop_front(numSolutions()));
    std::optional<std::vector<int64_t>> Back = Inverse.evaluate(*Results);
    return Back && ArrayRef(*Back) == P.take_front(numSolutions());
  };
  return DivisorFacts.empty() && forEachPointOfBox(Map, MaxPoints, IsInverseAt);
}

//===----------------------------------------------------------------------===//
// The domain of the inverse
//===----------------------------------------------------------------------===//

std::optional<IndexingMap>
InverseFinder::build(IndexingMap::Variables Vars) const {
  IndexDomain Box = IndexingMap(Context, Vars, {}).domain();
  Replacements With;
  for (size_t I = 0; I < numSolutions(); ++I)
    With[Map.atomAt(I)] = Solutions[I];
  IndexSubstitution AtSolution(Box, With);
  std::vector<MapConstraint> Constraints;
  auto Constrain = [&](IndexExpr E, const Interval &Range) {
    if (!E)
      return false;
    MapConstraint C = multipliedOut(Context, {E, Range});
    if (!provesValue(Box, C.Expr) || !provesWithin(Box, C.Expr, C.Range))
      Constraints.push_back(C);
    return true;
  };
  for (const MapConstraint &C : DivisorFacts)
    Constrain(C.Expr, C.Range);
  for (size_t I = 0; I < numSolutions(); ++I)
    Constrain(Solutions[I], Map.variableAt(I).Bounds);
  for (const MapConstraint &C : Map.constraints())
    if (!Constrain(AtSolution.apply(C.Expr), C.Range))
      return std::nullopt;
  for (size_t J = 0; J < Map.results().size(); ++J) {
    IndexExpr Y = IndexingMap::exprOf(Context, VariableKind::Dimension, J);
    IndexExpr Difference = Context.sub(AtSolution.apply(Map.result(J)), Y);
    if (!Constrain(Difference, Interval::point(0)))
      return std::nullopt;
  }
  std::vector<IndexExpr> Results;
  for (size_t I = 0; I < numSolutions(); ++I) {
    Results.push_back(originalOf(I, Solutions[I]));
    if (!Results.back())
      return std::nullopt;
  }
  return IndexingMap(Context, std::move(Vars), Results, Constraints)
      .simplified();
}

static bool haveSameBounds(ArrayRef<MapVariable> A, ArrayRef<MapVariable> B) {
  return equal(A, B, [](const MapVariable &X, const MapVariable &Y) {
    return X.Bounds == Y.Bounds;
  });
}

std::optional<IndexingMap> InverseFinder::find() {
  IndexingMap::Variables Vars = variablesOfInverse();
  if (Map.isKnownEmpty())
    return IndexingMap::empty(Context, Vars, numSolutions());
  ResultSolver Solver(Map, IndexingMap(Context, Vars, {}).domain());
  Solver.solve();
  for (size_t I = 0; I < numSolutions(); ++I) {
    Solutions.push_back(Solver.solutionOf(Map.atomAt(I)));
    if (!Solutions.back()) {
      WhyNot = reasonAgainst(Map.atomAt(I));
      return std::nullopt;
    }
  }
  if (!isInverseBySimplifying() && !isInverseAtEveryPoint()) {
    WhyNot = "cannot prove that the inverse is " +
             toString(IndexingMap(Context, Vars, Solutions));
    return std::nullopt;
  }
  std::optional<IndexingMap> Inverse = build(Vars);
  // The bounds that come out hold on the whole image: in a smaller box the
  // conditions are simpler.
  for (unsigned Round = 0; Inverse && Round < MaxBoxes; ++Round) {
    if (Inverse->isKnownEmpty() ||
        haveSameBounds(Vars.Dimensions, Inverse->dimensions()))
      break;
    Vars = Inverse->variables();
    Inverse = build(Vars);
  }
  if (!Inverse)
    WhyNot = "the domain of the inverse leaves 64 bits or the limits of the "
             "context";
  return Inverse;
}

std::optional<IndexingMap> parametricInverseOf(const IndexingMap &Map,
                                               uint64_t MaxPoints,
                                               std::string &WhyNot) {
  InverseFinder Finder(Map, MaxPoints);
  std::optional<IndexingMap> Inverse = Finder.find();
  WhyNot = std::move(Finder.WhyNot);
  return Inverse;
}

} // namespace unravel
