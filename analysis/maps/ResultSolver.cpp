//===- ResultSolver.cpp - The variables of a map from its results ---------===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "analysis/maps/ResultSolver.h"
#include "analysis/algebra/IndexPolynomial.h"
#include "analysis/algebra/IndexProver.h"
#include "analysis/maps/MapDigits.h"
#include "analysis/maps/MapProof.h"
#include "analysis/maps/MapSampler.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"
#include <numeric>
#include <tuple>

using namespace llvm;

namespace unravel {

/// Each round can put variables together that the next one needs.
static constexpr unsigned MaxRounds = 8;
static constexpr size_t MaxEquations = 96;
/// Facts about sums of results.
static constexpr unsigned MaxLattices = 8;

ResultSolver::ResultSolver(const IndexingMap &Map, IndexDomain Image)
    : Map(Map), Context(Map.context()), Domain(Map.domain()),
      Image(std::move(Image)), Basis(this->Image) {
  for (size_t I = 0; I < Map.numVariables(); ++I)
    if (Interval Bounds = Domain.boundsOf(Map.atomAt(I)); Bounds.isPoint())
      add(Context.atom(Map.atomAt(I)), Context.constant(Bounds.lo()));
  for (const MapConstraint &C : Map.constraints())
    if (C.Range.isPoint())
      add(C.Expr, Context.constant(C.Range.lo()));
  for (size_t J = 0; J < Map.results().size(); ++J)
    add(Map.result(J),
        IndexingMap::exprOf(Context, VariableKind::Dimension, J));
}

bool ResultSolver::isSolved() {
  for (size_t I = 0; I < Map.numVariables(); ++I)
    if (!valueOf(Map.atomAt(I)))
      return false;
  return true;
}

bool ResultSolver::solve() {
  for (unsigned Round = 0; Round < MaxRounds && !isSolved(); ++Round) {
    size_t Before = Equations.size();
    // What is found on the way is studied, too.
    for (size_t I = 0; I < Equations.size(); ++I)
      study(MapEquation(Equations[I]));
    addKnownAtoms();
    addEliminated();
    if (Equations.size() == Before)
      break;
  }
  return isSolved();
}

//===----------------------------------------------------------------------===//
// Equations
//===----------------------------------------------------------------------===//

static bool isCheaper(IndexExpr A, IndexExpr B) {
  unsigned DivisionsOfA = countDivisions(A), DivisionsOfB = countDivisions(B);
  return DivisionsOfA != DivisionsOfB ? DivisionsOfA < DivisionsOfB
                                      : A.terms().size() < B.terms().size();
}

/// A quotient that is known to be exact.
IndexExpr ResultSolver::quotientOfMultiple(IndexExpr Right, int64_t Divisor) {
  if (!Right || Divisor == 1)
    return Right;
  learnLattice(Right, Congruence::of(Divisor, 0));
  return Basis.floorDiv(Right, Divisor);
}

/// Left sides are stored without a constant and without a common factor, the
/// first coefficient positive.
void ResultSolver::add(IndexExpr Left, IndexExpr Right) {
  if (!Left || !Right || Left.isConstant() || Equations.size() >= MaxEquations)
    return;
  IndexExpr Constant = Context.constant(Left.constant());
  Left = Context.sub(Left, Constant);
  Right = Context.sub(Right, Constant);
  if (Left && Left.terms()[0].Coefficient < 0) {
    Left = Context.negate(Left);
    Right = Context.negate(Right);
  }
  if (!Left || !Right)
    return;
  int64_t G = Left.gcdOfCoefficients();
  MapEquation E{Context.divideExactly(Left, G), quotientOfMultiple(Right, G)};
  if (!E.Left || !E.Right)
    return;
  auto [It, IsNew] = Known.try_emplace(E.Left, Equations.size());
  if (!IsNew) {
    IndexExpr &Before = Equations[It->second].Right;
    if (isCheaper(E.Right, Before))
      Before = E.Right;
    return;
  }
  Equations.push_back(E);
  Values.clear();
  learn(E);
}

/// What is known of the left side holds for the right side.
void ResultSolver::learn(const MapEquation &E) {
  Image.constrain(E.Right, Domain.range(E.Left));
  learnLattice(E.Right, Domain.congruence(E.Left));
  Basis.forget();
}

/// Every fact about a sum makes all questions about sums take longer.
void ResultSolver::learnLattice(IndexExpr Right, const Congruence &Lattice) {
  Congruence Known = Image.congruence(Right);
  bool IsNew =
      Known.modulus() != 0 &&
      (Lattice.modulus() == 0 || Known.modulus() % Lattice.modulus() != 0);
  if (!IsNew || (Right.terms().size() > 1 && ++NumLattices > MaxLattices))
    return;
  Image.constrainLattice(Right, Lattice);
  Basis.forget();
}

//===----------------------------------------------------------------------===//
// Values of atoms and forms, where they are known
//===----------------------------------------------------------------------===//

IndexExpr ResultSolver::valueOf(const IndexAtom *Atom) {
  auto It = Values.find(Atom);
  if (It != Values.end())
    return It->second;
  IndexExpr Value = computeValue(Atom);
  Values[Atom] = Value;
  return Value;
}

IndexExpr ResultSolver::valueOf(IndexExpr Form) {
  if (!Form)
    return {};
  IndexExpr Constant = Context.constant(Form.constant());
  // The form itself may be known, whatever its atoms are.
  auto It = Known.find(Context.sub(Form, Constant));
  if (It != Known.end())
    return Context.add(Equations[It->second].Right, Constant);
  IndexExpr Sum = Constant;
  for (const IndexTerm &T : Form.terms()) {
    IndexExpr Value = valueOf(T.Atom);
    if (!Value)
      return {};
    Sum = Context.add(Sum, Value, T.Coefficient);
  }
  return Sum;
}

IndexExpr ResultSolver::computeValue(const IndexAtom *Atom) {
  auto It = Known.find(Context.atom(Atom));
  if (It != Known.end())
    return Equations[It->second].Right;
  if (Atom->isVariable()) {
    size_t FirstRuntime = Map.dimensions().size() + Map.ranges().size();
    std::optional<size_t> Position = Map.positionOf(Atom);
    return Position && *Position >= FirstRuntime ? Context.atom(Atom)
                                                 : IndexExpr();
  }
  if (Atom->isProduct()) {
    IndexExpr Product = Context.constant(1);
    for (const IndexAtom *Factor : Atom->factors())
      Product = Context.multiply(Product, valueOf(Factor));
    return Product;
  }
  if (IndexExpr Value = valueOfCompound(Atom))
    return Value;
  return Atom->isConstantFloorDiv() ? valueByFinerQuotient(Atom) : IndexExpr();
}

/// From the values of its operands.
IndexExpr ResultSolver::valueOfCompound(const IndexAtom *Atom) {
  IndexExpr M = valueOf(Atom->operand());
  if (!M)
    return {};
  switch (Atom->kind()) {
  case IndexAtom::Kind::Variable:
  case IndexAtom::Kind::Product:
    break;
  case IndexAtom::Kind::FloorDiv:
    return Basis.floorDiv(M, valueOf(Atom->divisor()));
  case IndexAtom::Kind::TruncDiv:
    return Basis.truncDiv(M, valueOf(Atom->divisor()));
  case IndexAtom::Kind::NegativePart:
    return Basis.min(M, Context.constant(0));
  case IndexAtom::Kind::NonNegative:
    return Basis.nonNegative(M);
  case IndexAtom::Kind::Zero:
    return Basis.zero(M);
  case IndexAtom::Kind::BitXor:
    return Basis.bitXor(M, valueOf(Atom->divisor()));
  }
  llvm_unreachable("has no operand");
}

/// floor(M/(p*d)) = floor(floor(M/p) / d).
IndexExpr ResultSolver::valueByFinerQuotient(const IndexAtom *Atom) {
  for (const MapEquation &E : Equations) {
    const IndexAtom *Finer = E.Left.asAtom();
    int64_t P = Finer && Finer->isFloorDiv() ? Finer->constantDivisor() : 0;
    if (P != 0 && Finer->operand() == Atom->operand() &&
        Atom->constantDivisor() % P == 0)
      return Basis.floorDiv(E.Right, Atom->constantDivisor() / P);
  }
  return {};
}

//===----------------------------------------------------------------------===//
// Mixed radix
//===----------------------------------------------------------------------===//

void ResultSolver::study(const MapEquation &E) {
  divideByKnownSizes(E);
  if (const IndexAtom *Atom = E.Left.asAtom()) {
    takeApartXor(Atom, E.Right);
    return;
  }
  takeApart(E);
  MapEquation Open = withoutKnownAtoms(E);
  if (!Open.Left || !Open.Right || Open.Left.isConstant())
    return;
  if (Open.Left != E.Left)
    add(Open.Left, Open.Right);
  takeApartAroundQuotients(Open);
  divideByKnownSizes(Open);
}

/// a xor b = r  <=>  a = r xor b
void ResultSolver::takeApartXor(const IndexAtom *Atom, IndexExpr Right) {
  if (!Atom->isBitXor())
    return;
  if (IndexExpr A = valueOf(Atom->operand()))
    add(Atom->divisor(), Basis.bitXor(Right, A));
  else if (IndexExpr B = valueOf(Atom->divisor()))
    add(Atom->operand(), Basis.bitXor(Right, B));
}

MapEquation ResultSolver::withoutKnownAtoms(const MapEquation &E) {
  MapEquation Open = E;
  for (const IndexTerm &T : E.Left.terms())
    if (IndexExpr Value = valueOf(T.Atom)) {
      Open.Left = Context.add(Open.Left, Context.atom(T.Atom), -T.Coefficient);
      Open.Right = Context.add(Open.Right, Value, -T.Coefficient);
    }
  return Open;
}

void ResultSolver::takeApart(const MapEquation &E) {
  if (!E.Left || !E.Right || E.Left.terms().size() < 2 ||
      !TakenApart.insert(E.Left).second)
    return;
  IndexExpr Constant = Context.constant(E.Left.constant());
  FloorBasis OfVariables(Domain);
  for (const MapPieces &Parts : piecesOf(OfVariables, E.Left))
    takeApart(Parts, Context.sub(E.Right, Constant));
}

/// Splits a sum of pieces in two, at the largest radix where that goes. What
/// comes out is studied by itself.
void ResultSolver::takeApart(const MapPieces &Parts, IndexExpr Right) {
  // A piece moves in steps of its stride: its coefficient, or more.
  SmallVector<int64_t, 8> Strides;
  for (IndexExpr Part : Parts)
    Strides.push_back(Domain.congruence(Part).modulus());
  SmallVector<int64_t, 8> Radices(Strides);
  llvm::sort(Radices, std::greater<int64_t>());
  // The largest strides may have only a common factor.
  for (size_t I = 1, E = Radices.size(); I < E; ++I)
    Radices.push_back(
        std::gcd(Radices[I], I == 1 ? Radices[0] : Radices.back()));
  llvm::sort(Radices, std::greater<int64_t>());
  Radices.erase(llvm::unique(Radices), Radices.end());
  // In the order that a form has: what a radix leaves of them is sorted, too.
  SmallVector<std::pair<IndexTerm, int64_t>, 16> Terms;
  for (auto [Part, Stride] : zip_equal(Parts, Strides))
    for (const IndexTerm &T : Part.terms())
      Terms.push_back({T, Stride});
  llvm::stable_sort(Terms, [](const auto &A, const auto &B) {
    return A.first.Atom->id() < B.first.Atom->id();
  });
  for (int64_t Radix : Radices) {
    if (Radix <= 1)
      continue;
    // At once: to add piece by piece makes a form of every length.
    SmallVector<IndexTerm, 16> High, Low;
    for (const auto &[T, Stride] : Terms)
      (Stride % Radix == 0 ? High : Low).push_back(T);
    if (split(Context.linear(High, 0), Context.linear(Low, 0), Right))
      return;
  }
}

/// Whether a long sum is outside at a point of the domain: a search for a proof
/// would look at each of its terms in many ways, and there is one search for
/// each radix.
bool ResultSolver::isRefutedByPoint(IndexExpr E, const Interval &Range) {
  static constexpr size_t MinTerms = 16;
  static constexpr unsigned MaxPoints = 8;
  if (E.terms().size() < MinTerms)
    return false;
  if (!Points) {
    Points.emplace();
    MapSampler Sampler(Map);
    for (unsigned I = 0; I < MaxPoints; ++I)
      if (IndexingMap::Point P = Sampler.next(); isInDomain(Map, P) == true)
        Points->emplace_back().Position = std::move(P);
  }
  auto Refutes = find_if(*Points, [&](SeenPoint &P) {
    std::optional<int64_t> Value = valueAt(P, E);
    return Value && !Range.contains(*Value);
  });
  if (Refutes == Points->end())
    return false;
  // It is likely to refute the next sum, too.
  std::swap(*Refutes, Points->front());
  return true;
}

std::optional<int64_t> ResultSolver::valueAt(SeenPoint &P, IndexExpr E) {
  int64_t Sum = E.constant();
  for (const IndexTerm &T : E.terms()) {
    auto [It, IsNew] = P.Values.try_emplace(T.Atom);
    if (IsNew)
      It->second = Map.evaluate(Context.atom(T.Atom), P.Position);
    int64_t Product;
    if (!It->second || MulOverflow(*It->second, T.Coefficient, Product) ||
        AddOverflow(Sum, Product, Sum))
      return std::nullopt;
  }
  return Sum;
}

/// The first of \p Size values that contain all that \p E takes.
std::optional<int64_t> ResultSolver::startOfWindow(IndexExpr E, int64_t Size) {
  Interval Range = Domain.range(E);
  std::optional<uint64_t> NumValues = Range.size();
  if (NumValues && *NumValues <= static_cast<uint64_t>(Size))
    return Range.lo();
  if (isRefutedByPoint(E, Interval(0, Size - 1)))
    return std::nullopt;
  if (provesWithin(Domain, E, Interval(0, Size - 1)))
    return 0;
  return std::nullopt;
}

/// From High + Low = Right, with High = h (mod G) and Low in [l, l + G - 1]:
/// Right - h - l is a multiple of G, High - h, plus Low - l in [0, G - 1].
bool ResultSolver::split(IndexExpr High, IndexExpr Low, IndexExpr Right) {
  if (!High || !Low || !Right || High.isConstant() || Low.isConstant())
    return false;
  Congruence C = Domain.congruence(High);
  if (C.modulus() <= 1)
    return false;
  std::optional<int64_t> Start = startOfWindow(Low, C.modulus());
  int64_t Offset;
  if (!Start || AddOverflow(C.residue(), *Start, Offset)) {
    addResidue(Low, C, Right);
    return false;
  }
  IndexExpr Quotient =
      Basis.floorDiv(Context.sub(Right, Context.constant(Offset)), C.modulus());
  IndexExpr HighValue =
      Context.add(Context.scale(Quotient, C.modulus()), C.residue());
  add(High, HighValue);
  add(Low, Context.sub(Right, HighValue));
  return true;
}

//===----------------------------------------------------------------------===//
// Arithmetic modulo a number
//===----------------------------------------------------------------------===//

/// The inverse of A modulo M > 1, which have no common factor; of the two next
/// to zero the smaller one. Euclid's algorithm keeps A * X = R (mod M).
static int64_t inverseModulo(int64_t A, int64_t M) {
  int64_t R = floorMod(A, M), NextR = M, X = 1, NextX = 0;
  while (R != 1 && NextR != 0) {
    int64_t Q = R / NextR;
    std::tie(R, NextR) = std::pair(NextR, R - Q * NextR);
    std::tie(X, NextX) = std::pair(NextX, X - Q * NextX);
  }
  X = floorMod(X, M);
  return X > M / 2 ? X - M : X;
}

/// Low = c*T and High = h (mod G): with g = gcd(c, G), Right - h is a multiple
/// of g and T = (c/g)^-1 * (Right - h)/g  (mod G/g).
void ResultSolver::addResidue(IndexExpr Low, const Congruence &High,
                              IndexExpr Right) {
  int64_t C = Low.gcdOfCoefficients();
  int64_t G = std::gcd(C, High.modulus()), Modulus = High.modulus() / G;
  if (Modulus == 1)
    return;
  if (Low.terms()[0].Coefficient < 0)
    C = -C;
  IndexExpr T = Context.divideExactly(Low, C);
  IndexExpr Multiple = quotientOfMultiple(
      Context.sub(Right, Context.constant(High.residue())), G);
  IndexExpr Value = Context.scale(Multiple, inverseModulo(C / G, Modulus));
  if (T && Value)
    combineResidues(T, {Modulus, Value});
}

/// Chinese remainder theorem: T = V (mod m) and T = W (mod n). With g the gcd
/// of m and n, W - V is a multiple of g, and
///
///     T = V + m * ((m/g)^-1 mod n/g) * (W - V)/g  (mod m*n/g).
void ResultSolver::combineResidues(IndexExpr T, Residue New) {
  auto [It, IsFirst] = Residues.try_emplace(T, New);
  Residue &Known = It->second;
  int64_t M = Known.Modulus, N = New.Modulus, G = std::gcd(M, N), Lcm;
  if (!IsFirst && M % N == 0)
    return;
  if (N % M == 0) {
    Known = New;
  } else if (int64_t Factor;
             !MulOverflow(M, N / G, Lcm) &&
             !MulOverflow(M, inverseModulo(M / G, N / G), Factor)) {
    IndexExpr Steps =
        quotientOfMultiple(Context.sub(New.Value, Known.Value), G);
    if (IndexExpr Value = Context.add(Known.Value, Steps, Factor))
      Known = {Lcm, Value};
  }
  // The residue is the value where a window of that size is known.
  std::optional<int64_t> Start = startOfWindow(T, Known.Modulus);
  if (!Start)
    return;
  IndexExpr First = Context.constant(*Start);
  IndexExpr Steps =
      Basis.floorMod(Context.sub(Known.Value, First), Known.Modulus);
  add(T, Context.add(First, Steps));
}

//===----------------------------------------------------------------------===//
// With the help of what is known
//===----------------------------------------------------------------------===//

/// A known quotient q = floor(N/e) says where N is, up to e values: that is
/// what x mod 12 needs to give x if floor(x/8) is known. Writes N as
/// (N - e*q) + e*q.
void ResultSolver::takeApartAroundQuotients(const MapEquation &E) {
  for (size_t I = 0, N = Equations.size(); I < N; ++I) {
    MapEquation Q = Equations[I];
    const IndexAtom *Quotient = Q.Left.asAtom();
    if (!Quotient || !Quotient->isConstantFloorDiv())
      continue;
    const IndexTerm &Lead = Quotient->operand().terms()[0];
    int64_t C = E.Left.coefficientOf(Lead.Atom), Scale;
    if (C == 0 || C % Lead.Coefficient != 0 ||
        MulOverflow(C / Lead.Coefficient, Quotient->constantDivisor(), Scale))
      continue;
    takeApart(MapEquation{Context.add(E.Left, Q.Left, -Scale),
                          Context.add(E.Right, Q.Right, -Scale)});
  }
}

/// Left = D*Quotient + Rest with 0 <= Rest < D for a size D that is known: both
/// parts are. (D > 0 follows, so that the new division has a value.)
void ResultSolver::divideByKnownSizes(const MapEquation &E) {
  for (const IndexTerm &T : E.Left.terms()) {
    Monomial Size;
    if (!T.Atom->isProduct())
      continue;
    for (const IndexAtom *Factor : T.Atom->factors())
      if (valueOf(Factor))
        Size.push_back(Factor);
    if (Size.empty())
      continue;
    IndexExpr D = Context.product(Size), DValue = valueOf(D);
    if (!DValue)
      continue;
    PolynomialDivision Parts = divideWithRest(Context, E.Left, D);
    if (!Parts.Rest || !Parts.Quotient || Parts.Quotient.isConstant() ||
        !provesNonNegative(Domain, Parts.Rest) ||
        !provesPositive(Domain, Context.sub(D, Parts.Rest)))
      continue;
    IndexExpr Quotient = Basis.floorDiv(E.Right, DValue);
    add(Parts.Quotient, Quotient);
    add(Parts.Rest, Context.sub(E.Right, Context.multiply(DValue, Quotient)));
  }
}

/// Atoms in left sides that follow from other atoms, and dividends of quotients
/// that leave a known remainder.
void ResultSolver::addKnownAtoms() {
  SmallVector<const IndexAtom *, 16> Atoms;
  for (const MapEquation &E : Equations)
    for (const IndexTerm &T : E.Left.terms())
      if (!is_contained(Atoms, T.Atom))
        Atoms.push_back(T.Atom);
  for (const IndexAtom *Atom : Atoms) {
    add(Context.atom(Atom), valueOf(Atom));
    if (!Atom->isConstantFloorDiv())
      continue;
    IndexExpr Digit = Context.add(Atom->operand(), Context.atom(Atom),
                                  -Atom->constantDivisor());
    if (Digit && Domain.range(Digit).isPoint())
      add(Digit, Context.constant(Domain.range(Digit).lo()));
  }
}

void ResultSolver::addEliminated() {
  for (const MapEquation &E : eliminate(Context, Equations))
    add(E.Left, E.Right);
}

} // namespace unravel
