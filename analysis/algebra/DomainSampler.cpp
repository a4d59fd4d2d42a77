//===- DomainSampler.cpp - Some points of a domain
//-------------------------===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "analysis/algebra/DomainSampler.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Sequence.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Support/MathExtras.h"

using namespace llvm;

namespace unravel {

/// Times that all facts are looked at and points moved towards them.
static constexpr unsigned MaxSweeps = 5;
/// Facts that are looked at, innermost first.
static constexpr size_t MaxFacts = 48;

/// The numbers of the points in a set.
static auto points(uint32_t Set) {
  return make_filter_range(seq(DomainSampler::Count), [Set](unsigned Point) {
    return (Set >> Point & 1) != 0;
  });
}

DomainSampler::DomainSampler(const IndexDomain &Domain) : Domain(Domain) {
  size_t OwnFacts = collectFacts();
  // The parent's points satisfy the parent's facts, until they move.
  PointSet Moved = fitVariables();
  for (const Fact &F : ArrayRef(Facts).take_front(OwnFacts))
    Moved |= satisfy(F);
  for (unsigned Sweep = 0; Sweep < MaxSweeps && Moved; ++Sweep) {
    Active = std::exchange(Moved, 0);
    for (const Fact &F : Facts)
      Moved |= satisfy(F);
  }
  Active = AllPoints;
  Derived.clear();
  findViolations();
}

/// Those at which all facts hold that concern E's variables.
DomainSampler::PointSet DomainSampler::pointsFor(IndexExpr E) const {
  PointSet Bad = 0;
  forEachAtom(E, [&](const IndexAtom *A) {
    if (A->isVariable())
      Bad |= Violated.lookup(classOf(A));
  });
  return ~Bad;
}

bool DomainSampler::refuteNonNegative(IndexExpr E) {
  Row Values = rowOf(E);
  return any_of(points(pointsFor(E)),
                [&](unsigned Point) { return Values[Point].isNegative(); });
}

bool DomainSampler::refuteConstantQuotient(IndexExpr E, int64_t D) {
  Row Values = rowOf(E);
  std::optional<int64_t> First;
  return any_of(points(pointsFor(E)), [&](unsigned Point) {
    if (!Values[Point].isExact())
      return false;
    int64_t Quotient = floorDiv(Values[Point].Value, D);
    if (!First)
      First = Quotient;
    return *First != Quotient;
  });
}

bool DomainSampler::mayRelate(IndexExpr A, IndexExpr B) const {
  SmallPtrSet<const IndexAtom *, 8> OfA;
  forEachAtom(A, [&](const IndexAtom *Atom) {
    if (Atom->isVariable())
      OfA.insert(classOf(Atom));
  });
  bool Found = false;
  forEachAtom(B, [&](const IndexAtom *Atom) {
    Found |= Atom->isVariable() && OfA.contains(classOf(Atom));
  });
  return Found;
}

/// One variable of those that facts tie to this one.
const IndexAtom *DomainSampler::classOf(const IndexAtom *Variable) const {
  auto Leader = Related.findLeader(Variable);
  return Leader == Related.member_end() ? Variable : *Leader;
}

//===----------------------------------------------------------------------===//
// Arithmetic
//===----------------------------------------------------------------------===//

DomainSampler::Number DomainSampler::Number::none() {
  Number Result;
  Result.State = None;
  return Result;
}

DomainSampler::Number DomainSampler::Number::beyond64Bits(bool Negative) {
  Number Result(Negative ? -1 : 1);
  Result.State = OnlySign;
  return Result;
}

DomainSampler::Number
DomainSampler::Number::operator+(const Number &Other) const {
  if (isExact() && Other.isExact()) {
    int64_t Sum;
    return AddOverflow(Value, Other.Value, Sum) ? beyond64Bits(Value < 0)
                                                : Number(Sum);
  }
  if (State == None || Other.State == None)
    return none();
  // What has 64 bits does not change the sign of what does not.
  if (isExact() || Other.isExact())
    return isExact() ? Other : *this;
  return Value == Other.Value ? *this : none();
}

DomainSampler::Number
DomainSampler::Number::operator*(const Number &Other) const {
  if (State == None || Other.State == None)
    return none();
  int64_t Product;
  if (Value == 0 || Other.Value == 0)
    return 0;
  if (!isExact() || !Other.isExact() ||
      MulOverflow(Value, Other.Value, Product))
    return beyond64Bits((Value < 0) != (Other.Value < 0));
  return Product;
}

DomainSampler::Number DomainSampler::Number::dividedBy(const Number &Divisor,
                                                       bool RoundDown) const {
  int64_t D = Divisor.Value;
  if (!isExact() || !Divisor.isExact() || D == 0 ||
      (Value == std::numeric_limits<int64_t>::min() && D == -1))
    return none();
  bool Below = RoundDown && Value % D != 0 && (Value < 0) != (D < 0);
  return Value / D - (Below ? 1 : 0);
}

DomainSampler::Row DomainSampler::rowOf(IndexExpr E) {
  Row Sum;
  Sum.fill(E.constant());
  for (const IndexTerm &T : E.terms()) {
    const Row &Of = rowOf(T.Atom);
    for (unsigned Point : points(Active))
      Sum[Point] = Sum[Point] + Of[Point] * T.Coefficient;
  }
  return Sum;
}

const DomainSampler::Row &DomainSampler::rowOf(const IndexAtom *Atom) {
  if (Atom->isVariable())
    return rowOfVariable(Atom);
  if (auto It = Derived.find(Atom); It != Derived.end())
    return It->second;
  Row R = computeRow(Atom);
  return Derived[Atom] = R;
}

DomainSampler::Row DomainSampler::computeRow(const IndexAtom *Atom) {
  if (Atom->isProduct()) {
    Row Product;
    Product.fill(1);
    for (const IndexAtom *Factor : Atom->factors()) {
      const Row &Of = rowOf(Factor);
      for (unsigned Point : points(Active))
        Product[Point] = Product[Point] * Of[Point];
    }
    return Product;
  }
  Row Result = rowOf(Atom->operand());
  if (Atom->isDivision()) {
    Row Divisor = rowOf(Atom->divisor());
    for (unsigned Point : points(Active))
      Result[Point] =
          Result[Point].dividedBy(Divisor[Point], Atom->isFloorDiv());
    return Result;
  }
  if (Atom->isBitXor()) {
    Row Other = rowOf(Atom->divisor());
    for (unsigned Point : points(Active))
      Result[Point] = Result[Point].isExact() && Other[Point].isExact()
                          ? Number(Result[Point].Value ^ Other[Point].Value)
                          : Number::none();
    return Result;
  }
  for (Number &Of : Result) {
    if (Of.State == Number::None)
      continue;
    if (Atom->isNegativePart())
      Of = Of.isNegative() ? Of : 0;
    else if (Atom->kind() == IndexAtom::Kind::NonNegative)
      Of = !Of.isNegative();
    else
      Of = Of.Value == 0;
  }
  return Result;
}

//===----------------------------------------------------------------------===//
// Variables
//===----------------------------------------------------------------------===//

/// The value next to \p Value that the variable's bounds and lattice admit.
int64_t DomainSampler::fit(const IndexAtom *Variable, int64_t Value) const {
  Interval Bounds = Domain.boundsOf(Variable);
  Congruence Lattice = Domain.congruenceOf(Variable);
  Value = std::clamp(Value, Bounds.lo(), Bounds.hi());
  if (Lattice.contains(Value))
    return Value;
  if (Lattice.modulus() == 0)
    return Lattice.residue();
  // Bounds begin and end on the lattice.
  int64_t Above, Below;
  if (SubOverflow(Value, Lattice.residue(), Above) ||
      SubOverflow(Value, floorMod(Above, Lattice.modulus()), Below))
    return Bounds.hi();
  return Below;
}

/// A permutation of the 64-bit words that looks random (splitmix64).
static uint64_t scramble(uint64_t Word) {
  Word += 0x9e3779b97f4a7c15;
  Word = (Word ^ Word >> 30) * 0xbf58476d1ce4e5b9;
  Word = (Word ^ Word >> 27) * 0x94d049bb133111eb;
  return Word ^ Word >> 31;
}

int64_t DomainSampler::firstValue(const IndexAtom *Variable,
                                  unsigned Point) const {
  // Windows that begin at the bound next to zero.
  static constexpr int64_t Windows[Count / 2] = {
      1, 4, 4, 8, 8, 8, 8, 8, 32, 32, 32, 32, 256, 4096, 1 << 16, 1 << 24};
  Interval Bounds = Domain.boundsOf(Variable);
  uint64_t Random =
      scramble(static_cast<uint64_t>(Variable->id()) * Count + Point);
  // In the other half of the points some variables are at the end of their
  // bounds, or of half, a quarter, an eighth of them.
  if (Point >= Count / 2 && Random % (Point % 2 ? 2 : 4) == 1) {
    int64_t End = Random % 16 == 1 ? Bounds.lo() : Bounds.hi();
    return End >> (Random >> 8 & 3);
  }
  int64_t Offset =
      static_cast<int64_t>(Random >> 16) & (Windows[Point % (Count / 2)] - 1);
  int64_t Near = std::clamp<int64_t>(0, Bounds.lo(), Bounds.hi());
  // Unknown signs: half of the values are negative at some points.
  bool Mirror = Near > Bounds.lo() && Point % 2 && Random % 4 > 1;
  if (Near == Bounds.hi() || Mirror)
    Offset = -Offset;
  // Of sizes, 0 is special, and rarely what tells.
  if (Near == 0 && Offset == 0 && Point != 0)
    Offset = 1;
  int64_t Value;
  return AddOverflow(Near, Offset, Value) ? Near : Value;
}

DomainSampler::Row &DomainSampler::rowOfVariable(const IndexAtom *Variable) {
  auto [It, IsNew] = Variables.try_emplace(Variable);
  Row &R = It->second;
  if (!IsNew)
    return R;
  const IndexDomain *Outer = &Domain;
  while (Outer->Parent) {
    Outer = Outer->Parent;
    const auto &Known = Outer->samplePoints().Variables;
    if (auto Of = Known.find(Variable); Of != Known.end())
      return R = Of->second;
  }
  // Facts would have made a row. Without one every domain has the values of the
  // outermost, whichever is asked first.
  if (Outer != &Domain)
    return R = Outer->samplePoints().rowOfVariable(Variable);
  for (unsigned Point : points(AllPoints))
    R[Point] = fit(Variable, firstValue(Variable, Point));
  return R;
}

//===----------------------------------------------------------------------===//
// Facts
//===----------------------------------------------------------------------===//

/// Returns how many of the facts are the domain's own; they come first.
size_t DomainSampler::collectFacts() {
  for (const IndexConstraint &C : reverse(Domain.Constraints))
    Facts.push_back({C.Expr, C.Range, {}});
  for (const auto &[Atom, Known] : reverse(Domain.Facts))
    if (!Atom->isVariable())
      Facts.push_back(
          {Domain.context().atom(Atom), Known.Range, Known.Lattice});
  for (const LatticeFact &F : Domain.LatticeFacts)
    Facts.push_back({F.Expr, {}, F.Lattice});
  size_t Own = Facts.size();
  if (Domain.Parent)
    append_range(Facts, Domain.Parent->samplePoints().Facts);
  if (Facts.size() > MaxFacts)
    Facts.truncate(MaxFacts);
  return std::min(Own, MaxFacts);
}

/// Bounds of variables that this domain, not its parent, knows. Returns which
/// points moved.
DomainSampler::PointSet DomainSampler::fitVariables() {
  PointSet Moved = 0;
  for (const auto &[Atom, Known] : Domain.Facts)
    if (Atom->isVariable())
      for (auto [Point, Value] : enumerate(rowOfVariable(Atom))) {
        int64_t Old = Value.Value;
        // Clamped, most points would be at the same end.
        Value.Value = fit(
            Atom, Known.Range.contains(Old) ? Old : firstValue(Atom, Point));
        if (Value.Value != Old)
          Moved |= PointSet(1) << Point;
      }
  return Moved;
}

/// Moves the active points at which the fact does not hold. Returns which ones
/// moved.
DomainSampler::PointSet DomainSampler::satisfy(const Fact &F) {
  Row Values = rowOf(F.Expr);
  PointSet Moved = 0;
  for (unsigned Point : points(Active))
    if (Values[Point].isExact() && !F.Range.contains(Values[Point].Value) &&
        moveOne(F, Point, Values[Point].Value))
      Moved |= PointSet(1) << Point;
  if (Moved)
    Derived.clear();
  return Moved;
}

/// Changes one variable that occurs outside of quotients and conditions, so
/// that the form, which is \p Value at the point, comes to its range.
bool DomainSampler::moveOne(const Fact &F, unsigned Point, int64_t Value) {
  int64_t Target = Value < F.Range.lo() ? F.Range.lo() : F.Range.hi(), Distance;
  if (SubOverflow(Target, Value, Distance) ||
      Distance == Interval::MinusInfinity)
    return false;
  SmallMapVector<const IndexAtom *, Number, 8> Slopes;
  for (const IndexTerm &T : F.Expr.terms())
    for (const IndexAtom *const &Variable : factorsOf(T.Atom)) {
      if (!Variable->isVariable())
        continue;
      Number Slope = T.Coefficient;
      for (const IndexAtom *const &Other : factorsOf(T.Atom))
        if (Other != Variable)
          Slope = Slope * rowOf(Other)[Point];
      Slopes[Variable] = Slopes[Variable] + Slope;
    }
  for (size_t I = 0; I < Slopes.size(); ++I) {
    // Another variable first at another point.
    auto [Variable, Slope] = Slopes.begin()[(I + Point) % Slopes.size()];
    if (!Slope.isExact() || Slope.Value == 0)
      continue;
    // To the target or beyond it.
    int64_t Steps = Distance / Slope.Value;
    if (Distance % Slope.Value != 0)
      Steps += (Distance < 0) == (Slope.Value < 0) ? 1 : -1;
    int64_t &Place = rowOfVariable(Variable)[Point].Value, Wanted;
    if (AddOverflow(Place, Steps, Wanted))
      continue;
    Wanted = fit(Variable, Wanted);
    if (Wanted == Place)
      continue;
    Place = Wanted;
    return true;
  }
  return false;
}

void DomainSampler::findViolations() {
  SmallVector<std::pair<const IndexAtom *, PointSet>, 8> Found;
  for (const Fact &F : Facts) {
    const IndexAtom *First = nullptr;
    forEachAtom(F.Expr, [&](const IndexAtom *A) {
      if (!A->isVariable())
        return;
      Related.unionSets(First ? First : A, A);
      First = A;
    });
    PointSet Bad = 0;
    Row Values = rowOf(F.Expr);
    for (unsigned Point : points(AllPoints))
      if (const Number &N = Values[Point]; !N.isExact() ||
                                           !F.Range.contains(N.Value) ||
                                           !F.Lattice.contains(N.Value))
        Bad |= PointSet(1) << Point;
    if (First)
      Found.push_back({First, Bad});
  }
  for (auto [Variable, Bad] : Found)
    Violated[classOf(Variable)] |= Bad;
}

} // namespace unravel
