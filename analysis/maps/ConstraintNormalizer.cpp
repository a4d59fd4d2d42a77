//===- ConstraintNormalizer.cpp - Constraints in simplest form ------------===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "analysis/maps/ConstraintNormalizer.h"
#include "analysis/algebra/IndexDigits.h"
#include "analysis/maps/MapProof.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"
#include <numeric>

using namespace llvm;

namespace unravel {

//===----------------------------------------------------------------------===//
// The order of constraints
//===----------------------------------------------------------------------===//

static int compare(IndexExpr A, IndexExpr B);

template <typename T> static int compareValues(const T &A, const T &B) {
  return A < B ? -1 : B < A ? 1 : 0;
}

static int compare(const IndexAtom *A, const IndexAtom *B) {
  if (A == B)
    return 0;
  if (int Order = compareValues(A->kindRank(), B->kindRank()))
    return Order;
  if (A->isVariable())
    return compareValues(A->id(), B->id());
  if (A->isProduct()) {
    if (int Order = compareValues(A->factors().size(), B->factors().size()))
      return Order;
    for (auto [F, G] : zip_equal(A->factors(), B->factors()))
      if (int Order = compare(F, G))
        return Order;
    return 0;
  }
  if (A->divisor())
    if (int Order = compare(A->divisor(), B->divisor()))
      return Order;
  return compare(A->operand(), B->operand());
}

static int compare(IndexExpr A, IndexExpr B) {
  if (A == B)
    return 0;
  if (int Order = compareValues(A.terms().size(), B.terms().size()))
    return Order;
  for (auto [T, U] : zip_equal(A.terms(), B.terms())) {
    if (int Order = compare(T.Atom, U.Atom))
      return Order;
    if (int Order = compareValues(T.Coefficient, U.Coefficient))
      return Order;
  }
  return compareValues(A.constant(), B.constant());
}

void sortConstraints(std::vector<MapConstraint> &Constraints) {
  llvm::sort(Constraints, [](const MapConstraint &A, const MapConstraint &B) {
    if (int Order = compare(A.Expr, B.Expr))
      return Order < 0;
    return std::pair(A.Range.lo(), A.Range.hi()) <
           std::pair(B.Range.lo(), B.Range.hi());
  });
}

//===----------------------------------------------------------------------===//
// Congruences
//===----------------------------------------------------------------------===//

std::optional<MapConstraint> congruenceConstraint(IndexContext &Context,
                                                  const IndexAtom *Variable,
                                                  const Interval &Bounds,
                                                  const Congruence &Lattice) {
  if (Lattice.modulus() <= 1 || Bounds.isPoint())
    return std::nullopt;
  IndexDomain Anywhere(Context);
  IndexExpr Digit =
      FloorBasis(Anywhere).floorMod(Context.atom(Variable), Lattice.modulus());
  return MapConstraint{Digit, Interval::point(Lattice.residue())};
}

/// E = Residue (mod Modulus), for several variables: coefficients are reduced,
/// common factors divided out.
void ConstraintNormalizer::addCongruence(IndexExpr E, int64_t Modulus,
                                         int64_t Residue) {
  IndexContext &Context = Solved.context();
  SmallVector<IndexTerm, 8> Terms;
  int64_t G = Modulus, K = floorMod(E.constant(), Modulus);
  for (const IndexTerm &T : E.terms()) {
    int64_t C = floorMod(T.Coefficient, Modulus);
    if (C != 0)
      Terms.push_back({T.Atom, C});
    G = std::gcd(G, C);
  }
  // Both are in [0, Modulus): no overflow.
  int64_t R = floorMod(Residue - K, Modulus);
  if (R % G != 0) {
    Contradiction = true;
    return;
  }
  for (IndexTerm &T : Terms)
    T.Coefficient /= G;
  Modulus /= G;
  R /= G;
  if (Modulus == 1)
    return;
  IndexExpr Reduced = Context.linear(Terms, 0);
  IndexDomain Anywhere(Context);
  FloorBasis Basis(Anywhere);
  if (Terms.size() == 1 && Terms[0].Atom->isVariable()) {
    Congruence Before = Solved.congruenceOf(Terms[0].Atom);
    Congruence New = *Congruence::of(Modulus, R).solveFor(Terms[0].Coefficient);
    Solved.constrainLattice(Context.atom(Terms[0].Atom), New);
    // A combined modulus that leaves 64 bits says less than the two.
    int64_t Combined = Solved.congruenceOf(Terms[0].Atom).modulus();
    auto IsKept = [&](const Congruence &C) {
      return Combined == 0 || C.modulus() == 0 || Combined % C.modulus() == 0;
    };
    if (!IsKept(Before))
      Congruences.push_back(
          {Basis.floorMod(Context.atom(Terms[0].Atom), Before.modulus()),
           Interval::point(Before.residue())});
    if (IsKept(New))
      return;
  }
  if (IndexExpr Digit = Basis.floorMod(Reduced, Modulus))
    Congruences.push_back({Digit, Interval::point(R)});
}

/// E = s*(M mod d) + k is Value: a congruence of M.
bool ConstraintNormalizer::solveCongruence(IndexExpr E, int64_t Value) {
  for (const IndexTerm &T : E.terms()) {
    if (!T.Atom->isConstantFloorDiv())
      continue;
    for (const IndexDigit &D : digitsOf(Solved.context(), E, T)) {
      int64_t Scaled;
      if (!D.Rest.isConstant() || SubOverflow(Value, D.Rest.constant(), Scaled))
        continue;
      if (Scaled % D.Scale != 0 ||
          !Interval(0, D.Radix - 1).contains(Scaled / D.Scale))
        Contradiction = true;
      else
        addCongruence(D.Dividend, D.Radix, Scaled / D.Scale);
      return true;
    }
  }
  return false;
}

//===----------------------------------------------------------------------===//
// Ranges
//===----------------------------------------------------------------------===//

/// For D > 0: floor(M/D) in [a, b]  <=>  a*D <= M  and  M <= (b + 1)*D - 1.
bool ConstraintNormalizer::solveSymbolicQuotient(const IndexAtom *Atom,
                                                 const Interval &Range) {
  IndexContext &Context = Solved.context();
  IndexExpr M = Atom->operand(), D = Atom->divisor();
  // Where D is zero the quotient, and with it the constraint, has no value:
  // that must not get lost.
  if (Solved.range(D).lo() < 1)
    return false;
  IndexExpr AboveLow = M, BelowHigh = M;
  if (Range.isBoundedBelow())
    AboveLow = Context.add(M, D, -Range.lo());
  if (Range.isBoundedAbove())
    BelowHigh = Context.add(Context.sub(M, D), D, -Range.hi());
  if (!AboveLow || !BelowHigh)
    return false;
  if (Range.isBoundedBelow())
    solve(AboveLow, Interval::atLeast(0));
  if (Range.isBoundedAbove())
    solve(BelowHigh, Interval::atMost(-1));
  return true;
}

/// Whether the ends of \p Range times \p D, and D more or less, fit 64 bits. If
/// not, arithmetic with ranges saturates: that is no equivalence.
static bool scalesExactly(const Interval &Range, int64_t D) {
  auto Fits = [D](int64_t End) {
    int64_t Product;
    return !MulOverflow(End, D, Product) &&
           !AddOverflow(Product, Product < 0 ? -D : D, Product);
  };
  return (!Range.isBoundedBelow() || Fits(Range.lo())) &&
         (!Range.isBoundedAbove() || Fits(Range.hi()));
}

/// Solves `Atom in Range` for what the atom is made of. Every case is an
/// equivalence. Returns false if there is nothing to solve.
bool ConstraintNormalizer::solveAtom(const IndexAtom *Atom,
                                     const Interval &Range) {
  IndexExpr M = Atom->operand();
  if (Atom->isSymbolicDivision())
    return Atom->isFloorDiv() && solveSymbolicQuotient(Atom, Range);
  int64_t D = Atom->constantDivisor();
  if (Atom->isDivision() && !scalesExactly(Range, D))
    return false;
  switch (Atom->kind()) {
  case IndexAtom::Kind::Variable:
    Solved.restrict(Atom, Range);
    return true;
  case IndexAtom::Kind::FloorDiv:
    // floor(M/d) in [a, b]  <=>  M in [a*d, b*d + d-1]
    solve(M, Interval((Range * D).lo(), (Range * D + Interval(0, D - 1)).hi()));
    return true;
  case IndexAtom::Kind::TruncDiv: {
    // tdiv(M, d) >= a  <=>  M >= a*d for a > 0, M > (a-1)*d for a <= 0; the
    // same from above.
    Interval Slack(Range.lo() > 0 ? 0 : -(D - 1), Range.hi() < 0 ? 0 : D - 1);
    solve(M, Range * D + Slack);
    return true;
  }
  case IndexAtom::Kind::NegativePart:
    // min(M, 0) is never positive, and <= b for every M if b >= 0.
    Contradiction |= Range.lo() > 0;
    solve(M, Range.hi() < 0 ? Range : Interval::atLeast(Range.lo()));
    return true;
  case IndexAtom::Kind::NonNegative:
    if (Range.contains(0) == Range.contains(1))
      break;
    solve(M, Range.contains(1) ? Interval::atLeast(0) : Interval::atMost(-1));
    return true;
  case IndexAtom::Kind::Zero:
    if (Range.contains(0) || !Range.contains(1))
      break;
    solve(M, Interval::point(0));
    return true;
  case IndexAtom::Kind::Product:
    if (Range.contains(0) || !Range.contains(1) ||
        !all_of(Atom->factors(),
                [](const IndexAtom *A) { return A->isCondition(); }))
      break;
    for (const IndexAtom *Factor : Atom->factors())
      solve(Solved.context().atom(Factor), Interval::point(1));
    return true;
  case IndexAtom::Kind::BitXor:
    break;
  }
  return false;
}

/// A quotient that the floor basis has taken apart is put together again:
/// R + floor(M/d) is floor((R*d + M) / d), and R - floor(M/d), its negative, is
/// that of M - R*d. Both are equivalences for all integers.
bool ConstraintNormalizer::solveSumWithQuotient(IndexExpr E,
                                                const Interval &Range) {
  IndexContext &Context = Solved.context();
  const IndexTerm *Quotient = nullptr;
  for (const IndexTerm &T : E.terms()) {
    if (T.Atom->isVariable())
      continue;
    if (Quotient || !T.Atom->isConstantFloorDiv())
      return false;
    Quotient = &T;
  }
  if (!Quotient || std::abs(Quotient->Coefficient) != 1)
    return false;
  int64_t Sign = Quotient->Coefficient, D = Quotient->Atom->constantDivisor();
  Interval Signed = Sign < 0 ? -Range : Range;
  if (!scalesExactly(Signed, D))
    return false;
  IndexExpr R =
      Context.sub(E, Context.scale(Context.atom(Quotient->Atom), Sign));
  IndexExpr Dividend =
      R ? Context.add(Quotient->Atom->operand(), R, Sign * D) : R;
  if (!Dividend)
    return false;
  solve(Dividend,
        Interval((Signed * D).lo(), (Signed * D + Interval(0, D - 1)).hi()));
  return true;
}

/// The quotients of A and B, where they are the same number.
static std::optional<int64_t> commonQuotient(int64_t A, int64_t B, int64_t D) {
  int64_t Quotient = floorDiv(A, D);
  if (Quotient != floorDiv(B, D))
    return std::nullopt;
  return Quotient;
}

/// Terms that are too small to decide anything are left out: c*X + R in [a, b],
/// with R in [p, q],
///
///     c*X + R <= b  <=>  X <= floor((b - R)/c)
///     c*X + R >= a  <=>  X >= ceil((a - R)/c)
///
/// so it is a constraint on X alone where the quotients are the same at p and
/// at q, and with that for all R between.
bool ConstraintNormalizer::solveLeadingTerms(IndexExpr E,
                                             const Interval &Range) {
  IndexContext &Context = Solved.context();
  SmallVector<uint64_t, 8> Scales;
  for (const IndexTerm &T : E.terms())
    Scales.push_back(AbsoluteValue(T.Coefficient));
  llvm::sort(Scales, std::greater<>());
  Scales.erase(llvm::unique(Scales), Scales.end());
  for (uint64_t Scale : Scales) {
    if (Scale < 2 || Scale > uint64_t(Interval::PlusInfinity))
      continue;
    int64_t C = int64_t(Scale);
    SmallVector<IndexTerm, 8> Leading, Others;
    for (const IndexTerm &T : E.terms())
      (T.Coefficient % C == 0 ? Leading : Others).push_back(T);
    IndexExpr R = Context.linear(Others, 0);
    // Where a divisor is zero the constraint has no value: that must not get
    // lost.
    bool HasValue = true;
    forEachAtom(
        R, [&](const IndexAtom *A) { HasValue &= !A->isSymbolicDivision(); });
    Interval Rest = Solved.range(R);
    if (!HasValue || !Rest.isBounded())
      continue;
    std::optional<int64_t> Low, High;
    int64_t Begin, End;
    if (Range.isBoundedBelow()) {
      // ceil(x/c) is floor((x + c - 1)/c).
      int64_t Raised;
      if (AddOverflow(Range.lo(), C - 1, Raised) ||
          SubOverflow(Raised, Rest.lo(), Begin) ||
          SubOverflow(Raised, Rest.hi(), End) ||
          !(Low = commonQuotient(Begin, End, C)))
        continue;
    }
    if (Range.isBoundedAbove())
      if (SubOverflow(Range.hi(), Rest.lo(), Begin) ||
          SubOverflow(Range.hi(), Rest.hi(), End) ||
          !(High = commonQuotient(Begin, End, C)))
        continue;
    solve(Context.divideExactly(Context.linear(Leading, 0), C),
          Interval(Low.value_or(Interval::MinusInfinity),
                   High.value_or(Interval::PlusInfinity)));
    return true;
  }
  return false;
}

void ConstraintNormalizer::solve(IndexExpr E, const Interval &Range) {
  IndexContext &Context = Solved.context();
  IndexExpr Linear = Context.add(E, -E.constant());
  Interval Shifted = Range - Interval::point(E.constant());
  if (Shifted.isEmpty()) {
    Contradiction = true;
    return;
  }
  int64_t End;
  auto Fits = [&](int64_t Bound) {
    return !SubOverflow(Bound, E.constant(), End) &&
           End != Interval::MinusInfinity && End != Interval::PlusInfinity;
  };
  if (!Linear || (Range.isBoundedBelow() && !Fits(Range.lo())) ||
      (Range.isBoundedAbove() && !Fits(Range.hi()))) {
    Rest.push_back({E, Range});
    return;
  }
  if (Linear.isConstant()) {
    Contradiction |= !Shifted.contains(0);
    return;
  }
  // G*U in Shifted: divide inwards, and make U's first coefficient positive.
  int64_t G = Linear.gcdOfCoefficients();
  if (Linear.terms()[0].Coefficient < 0) {
    Linear = Context.negate(Linear);
    Shifted = -Shifted;
  }
  IndexExpr Unit = Context.divideExactly(Linear, G);
  Interval Solution = Shifted.divideInwards(G);
  if (Solution.isEmpty()) {
    Contradiction = true;
    return;
  }
  if (const IndexAtom *Atom = Unit.asAtom())
    if (solveAtom(Atom, Solution))
      return;
  if (Solution.isPoint() && solveCongruence(Unit, Solution.lo()))
    return;
  if (solveSumWithQuotient(Unit, Solution) || solveLeadingTerms(Unit, Solution))
    return;
  Rest.push_back({Unit, Solution});
}

void ConstraintNormalizer::add(const MapConstraint &C) {
  if (!Contradiction)
    solve(C.Expr, C.Range);
}

bool ConstraintNormalizer::finish() {
  // What is left may become simpler with what was solved, again and again.
  FloorBasis Basis(Solved);
  std::vector<MapConstraint> Open = std::move(Rest);
  Rest.clear();
  for (const MapConstraint &C : Open) {
    IndexExpr Simpler = Basis.simplify(C.Expr);
    if (!Contradiction)
      solve(Simpler ? Simpler : C.Expr, C.Range);
  }
  std::vector<MapConstraint> Kept;
  for (const MapConstraint &C : Rest) {
    // Several constraints on one expression are one.
    Interval Box = Solved.range(C.Expr), Range = C.Range.intersect(Box);
    for (MapConstraint &Known : Kept)
      if (Known.Expr == C.Expr) {
        Known.Range = Range = Known.Range.intersect(Range);
        Contradiction |= Range.isEmpty();
      }
    if (Range.isEmpty())
      Contradiction = true;
    else if ((Range != Box || !provesValue(Solved, C.Expr)) &&
             !is_contained(Kept, MapConstraint{C.Expr, Range}))
      Kept.push_back({C.Expr, Range});
  }
  for (const MapConstraint &C : Congruences)
    if (!is_contained(Kept, C))
      Kept.push_back(C);
  Rest = std::move(Kept);
  sortConstraints(Rest);
  return !Contradiction && !Solved.isKnownEmpty();
}

} // namespace unravel
