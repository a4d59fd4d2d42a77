//===- IndependentDigits.cpp - Fewer floors, same results -----------------===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "analysis/tiles/IndependentDigits.h"
#include "analysis/maps/IndexingMapOps.h"
#include "analysis/maps/MapElimination.h"
#include "analysis/tiles/ElementBox.h"
#include "analysis/tiles/TileSystem.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Support/MathExtras.h"

using namespace llvm;

namespace unravel {

/// Groups that are tried at once.
static constexpr unsigned MaxGroups = 16;

/// The atoms of \p Map, operands first.
static SetVector<const IndexAtom *> atomsOf(const IndexingMap &Map) {
  SetVector<const IndexAtom *> Atoms;
  for (IndexExpr E : formsOf(Map))
    forEachAtom(E, [&](const IndexAtom *A) { Atoms.insert(A); });
  return Atoms;
}

static bool contains(const IndexAtom *Atom, const IndexAtom *Variable) {
  bool Found = false;
  auto Look = [&](const IndexAtom *A) { Found |= A == Variable; };
  if (Atom->operand())
    forEachAtom(Atom->operand(), Look);
  if (Atom->divisor())
    forEachAtom(Atom->divisor(), Look);
  for (const IndexAtom *Factor : Atom->factors())
    Found |= Factor == Variable || contains(Factor, Variable);
  return Found;
}

//===----------------------------------------------------------------------===//
// Digits
//===----------------------------------------------------------------------===//

std::optional<VariableQuotients> quotientsOf(const IndexingMap &Map,
                                             const IndexAtom *Variable) {
  struct Quotient {
    int64_t Divisor, Shift;
  };
  SmallVector<Quotient, 4> Quotients;
  VariableQuotients Result;
  for (const IndexAtom *Atom : atomsOf(Map)) {
    if (Atom->isVariable() || !contains(Atom, Variable))
      continue;
    if (!Atom->isConstantFloorDiv() || Atom->operand().terms().size() != 1)
      return std::nullopt;
    IndexTerm Only = Atom->operand().terms()[0];
    if (Only.Atom != Variable ||
        (Only.Coefficient != 1 && Only.Coefficient != -1))
      return std::nullopt;
    if (!Quotients.empty() && Result.Sign != Only.Coefficient)
      return std::nullopt;
    Result.Sign = int(Only.Coefficient);
    Quotients.push_back({Atom->constantDivisor(), Atom->operand().constant()});
  }
  if (Quotients.empty())
    return Result;
  llvm::sort(Quotients, [](const Quotient &A, const Quotient &B) {
    return std::pair(A.Divisor, A.Shift) < std::pair(B.Divisor, B.Shift);
  });
  Result.Shift = Quotients.back().Shift;
  for (const Quotient &Q : Quotients) {
    int64_t Apart;
    if (SubOverflow(Q.Shift, Result.Shift, Apart) || Apart % Q.Divisor != 0)
      return std::nullopt;
    if (!Result.Divisors.empty() && Result.Divisors.back() == Q.Divisor)
      continue;
    if (!Result.Divisors.empty() && Q.Divisor % Result.Divisors.back() != 0)
      return std::nullopt;
    Result.Divisors.push_back(Q.Divisor);
  }
  return Result;
}

/// Bounds of the digits of u in [Lo, Hi], lowest first, the last one without an
/// end: nullopt if those that are used are not independent of each other.
static std::optional<SmallVector<Interval, 4>>
independentDigits(int64_t Lo, int64_t Hi, ArrayRef<int64_t> Divisors,
                  ArrayRef<bool> IsUsed) {
  SmallVector<Interval, 4> Digits;
  int64_t Below = 1;
  for (auto [I, Divisor] : enumerate(Divisors)) {
    int64_t Radix = Divisor / Below;
    int64_t First = floorDiv(Lo, Radix), Last = floorDiv(Hi, Radix);
    int64_t Begin = floorMod(Lo, Radix), End = floorMod(Hi, Radix);
    // Without the last digit all is remainders of one period: of the digits
    // up to the last one that is used.
    bool IsPeriod = false;
    for (size_t J = I; J < Divisors.size(); ++J)
      IsPeriod |= !is_contained(IsUsed.drop_front(J + 1), true) &&
                  Hi - Lo >= Divisors[J] / Below - 1;
    if (!IsUsed[I])
      Digits.push_back(Interval::point(0));
    else if (First == Last)
      Digits.push_back({Begin, End});
    else if ((Begin == 0 && End == Radix - 1) || IsPeriod)
      Digits.push_back({0, Radix - 1});
    else
      return std::nullopt;
    // Of a whole period a whole period is left.
    Below = Divisor;
    Lo = First;
    Hi = Last;
  }
  Digits.push_back({Lo, Hi});
  return Digits;
}

/// \p U, bounds of u = Sign*x + Shift for range variable \p Number, up to the
/// ends of the widest blocks that only constraints keep x from. Bounds that
/// follow from a constraint on a digit end inside of a block: x mod 4 <= 2 and
/// x <= 4095 say x <= 4094. No point of the domain is added.
static Interval widenedToBlocks(const IndexingMap &Map, size_t Number,
                                const VariableQuotients &Q, Interval U) {
  auto IsEmptyFor = [&](Interval Added) {
    IndexingMap::Variables Vars = Map.variables();
    Vars.Ranges[Number].Bounds = (Added - Interval::point(Q.Shift)) * Q.Sign;
    return IndexingMap(Map.context(), std::move(Vars), Map.results(),
                       Map.constraints())
        .simplified()
        .isKnownEmpty();
  };
  const IndexAtom *Variable =
      IndexingMap::variableOf(Map.context(), VariableKind::Range, Number);
  bool IsConstrained = false;
  for (const MapConstraint &C : Map.constraints())
    forEachAtom(C.Expr,
                [&](const IndexAtom *A) { IsConstrained |= A == Variable; });
  if (!IsConstrained)
    return U;
  int64_t Lo = U.lo(), Hi = U.hi(), End;
  for (int64_t Divisor : reverse(Q.Divisors)) {
    if (Hi == U.hi() &&
        !AddOverflow(U.hi(), Divisor - 1 - floorMod(Hi, Divisor), End) &&
        End != U.hi() && IsEmptyFor({U.hi() + 1, End}))
      Hi = End;
    if (Lo == U.lo() && !SubOverflow(U.lo(), floorMod(Lo, Divisor), End) &&
        End != U.lo() && IsEmptyFor({End, U.lo() - 1}))
      Lo = End;
  }
  return {Lo, Hi};
}

std::optional<IndexingMap> withDigits(const IndexingMap &Map, size_t Number,
                                      bool KeepAll) {
  IndexContext &Context = Map.context();
  const IndexAtom *Variable =
      IndexingMap::variableOf(Context, VariableKind::Range, Number);
  Interval Bounds = Map.ranges()[Number].Bounds;
  std::optional<VariableQuotients> Q = quotientsOf(Map, Variable);
  if (!Q || Q->Divisors.empty() || !Bounds.isBounded())
    return std::nullopt;
  Interval U = Bounds * Q->Sign + Interval::point(Q->Shift);
  std::optional<uint64_t> Size = U.size();
  if (!U.isBounded() || !Size ||
      *Size > uint64_t(std::numeric_limits<int64_t>::max()))
    return std::nullopt;

  // All digits in their full ranges: what the forms are made of does not depend
  // on where the tile is, so digits that cancel do so here.
  SmallVector<Interval, 4> Full;
  int64_t Below = 1;
  IndexExpr Sum = Context.constant(-Q->Shift);
  for (int64_t Divisor : Q->Divisors) {
    Full.push_back({0, Divisor / Below - 1});
    Below = Divisor;
  }
  Full.push_back(U.floorDivBy(Below));
  Below = 1;
  for (size_t I = 0; I < Full.size(); ++I) {
    IndexExpr Digit = newVariable(Map, I);
    if (!Digit || !Sum)
      return std::nullopt;
    Sum = Context.add(Sum, Digit, Below);
    Below = I < Q->Divisors.size() ? Q->Divisors[I] : 0;
  }
  if (!Sum || Q->Shift == std::numeric_limits<int64_t>::min())
    return std::nullopt;
  Replacements With;
  With[Variable] = Context.scale(Sum, Q->Sign);
  if (!With[Variable])
    return std::nullopt;
  std::optional<IndexingMap> New = withReplaced(Map, Full, With);
  if (!New)
    return std::nullopt;

  if (KeepAll)
    return New;
  SmallVector<bool, 4> IsUsed;
  IndexingMap::Variables Vars = New->variables();
  size_t First = Map.ranges().size();
  for (size_t I = 0; I < Full.size(); ++I)
    IsUsed.push_back(uses(*New, newVariable(Map, I).asAtom()));
  std::optional<SmallVector<Interval, 4>> Digits =
      independentDigits(U.lo(), U.hi(), Q->Divisors, IsUsed);
  if (!Digits) {
    U = widenedToBlocks(Map, Number, *Q, U);
    Digits = independentDigits(U.lo(), U.hi(), Q->Divisors, IsUsed);
  }
  if (!Digits)
    return std::nullopt;
  for (size_t I = 0; I < Full.size(); ++I)
    Vars.Ranges[First + I].Bounds = (*Digits)[I];
  return IndexingMap(Context, std::move(Vars), New->results(),
                     New->constraints());
}

//===----------------------------------------------------------------------===//
// Groups
//===----------------------------------------------------------------------===//

/// The variables of \p E with their coefficients, without a common factor; null
/// if these are less than two.
static IndexExpr variablesOf(IndexContext &Context, IndexExpr E) {
  SmallVector<IndexTerm, 4> Terms;
  for (const IndexTerm &T : E.terms())
    if (T.Atom->isVariable())
      Terms.push_back(T);
  if (Terms.size() < 2)
    return {};
  IndexExpr Form = Context.linear(Terms, 0);
  return Form ? Context.divideExactly(Form, Form.gcdOfCoefficients())
              : IndexExpr();
}

/// The variables of \p E as digits of one number, the last one the lowest, as
/// in the index of an array: 40*x + y for y in [0, 39] where E is x + y.
static IndexExpr linearIndexOf(const IndexingMap &Map, IndexExpr E) {
  SmallVector<size_t, 4> Positions;
  for (const IndexTerm &T : E.terms())
    Positions.push_back(*Map.positionOf(T.Atom));
  llvm::sort(Positions);
  SmallVector<IndexTerm, 4> Terms;
  int64_t Count = 1;
  for (size_t Position : reverse(Positions)) {
    Terms.push_back({Map.atomAt(Position), Count});
    std::optional<uint64_t> Size = Map.variableAt(Position).Bounds.size();
    if (!Size || *Size > uint64_t(std::numeric_limits<int64_t>::max()) ||
        MulOverflow(Count, int64_t(*Size), Count))
      return {};
  }
  return Map.context().linear(Terms, 0);
}

SmallVector<IndexExpr, 8> groupsIn(const IndexingMap &Map) {
  SetVector<IndexExpr> Groups, Guesses;
  auto Consider = [&](IndexExpr E) {
    IndexExpr Group = E ? variablesOf(Map.context(), E) : IndexExpr();
    if (!Group)
      return;
    Groups.insert(Group);
    if (IndexExpr Guess = linearIndexOf(Map, Group))
      Guesses.insert(Guess);
  };
  for (const IndexAtom *Atom : atomsOf(Map))
    Consider(Atom->operand());
  for (const MapConstraint &C : Map.constraints())
    Consider(C.Expr);
  // Of 2*x + y - 4*q and x + q, the sum 6*x + y is what q is a quotient of.
  SmallVector<MapEquation, 8> Results;
  for (IndexExpr E : Map.results())
    if (!isAffine(E)) {
      Consider(E);
      Results.push_back({E, Map.context().constant(0)});
    }
  if (Results.size() <= MaxGroups)
    for (const MapEquation &Sum : eliminate(Map.context(), Results))
      if (isAffine(Sum.Left))
        Consider(Sum.Left);
  Groups.insert_range(Guesses);
  SmallVector<IndexExpr, 8> Result(Groups.begin(), Groups.end());
  llvm::stable_sort(Result, [](IndexExpr A, IndexExpr B) {
    return A.terms().size() > B.terms().size();
  });
  if (Result.size() > MaxGroups)
    Result.resize(MaxGroups);
  return Result;
}

std::optional<IndexingMap> withGroup(const IndexingMap &Map, IndexExpr Group,
                                     const Interval &Range) {
  IndexContext &Context = Map.context();
  const IndexTerm *Unit = find_if(Group.terms(), [](const IndexTerm &T) {
    return T.Coefficient == 1 || T.Coefficient == -1;
  });
  IndexExpr Whole = newVariable(Map, 0);
  if (Unit == Group.terms().end() || !Whole)
    return std::nullopt;
  // Group = c*x + rest, so x = c*(Whole - rest) for c = 1 or -1.
  IndexExpr Rest = Context.sub(
      Group, Context.scale(Context.atom(Unit->Atom), Unit->Coefficient));
  IndexExpr Value = Rest ? Context.sub(Whole, Rest) : IndexExpr();
  if (Value)
    Value = Context.scale(Value, Unit->Coefficient);
  if (!Value)
    return std::nullopt;
  // x is not replaced before it is known to be used like this only: then what
  // x is replaced by mentions the other variables of the group no more.
  Replacements With;
  With[Unit->Atom] = Value;
  std::optional<IndexingMap> New = withReplaced(Map, Range, With);
  if (!New)
    return std::nullopt;
  for (const IndexTerm &T : Group.terms())
    if (uses(*New, T.Atom))
      return std::nullopt;
  return New;
}

/// The values of \p E, a sum of variables of \p Map.
static std::optional<Progression> valuesOf(const IndexingMap &Map,
                                           IndexExpr E) {
  SmallVector<SpannedTerm, 8> Terms;
  int64_t Base = E.constant();
  for (const IndexTerm &T : E.terms()) {
    std::optional<size_t> Position = Map.positionOf(T.Atom);
    if (!Position)
      return std::nullopt;
    Interval Bounds = Map.variableAt(*Position).Bounds;
    std::optional<uint64_t> Size = Bounds.size();
    int64_t Start;
    if (!Bounds.isBounded() || !Size ||
        MulOverflow(Bounds.lo(), T.Coefficient, Start) ||
        AddOverflow(Base, Start, Base))
      return std::nullopt;
    Terms.push_back({T.Coefficient, *Size});
  }
  Progression Values;
  if (progressionOfSum(Base, Terms, Values) != SumShape::Progression)
    return std::nullopt;
  return Values;
}

std::optional<IndexingMap> withGroupAsNumber(const IndexingMap &Map,
                                             IndexExpr Group) {
  IndexContext &Context = Map.context();
  SmallVector<IndexTerm, 8> Terms(Group.terms());
  llvm::sort(Terms, [](const IndexTerm &A, const IndexTerm &B) {
    return AbsoluteValue(A.Coefficient) < AbsoluteValue(B.Coefficient);
  });
  Replacements With;
  IndexExpr Whole = newVariable(Map, 0);
  IndexDomain Nothing(Context);
  FloorBasis Basis(Nothing);
  int64_t Count = 1;
  for (const IndexTerm &T : Terms) {
    std::optional<size_t> Position = Map.positionOf(T.Atom);
    Interval Bounds = Position ? Map.variableAt(*Position).Bounds : Interval();
    std::optional<uint64_t> Size = Bounds.size();
    if (!Whole || !Bounds.isBounded() || !Size ||
        *Size > uint64_t(std::numeric_limits<int64_t>::max()) ||
        AbsoluteValue(T.Coefficient) != uint64_t(Count))
      return std::nullopt;
    IndexExpr Digit = Basis.floorDiv(Whole, Count);
    if (T.Atom != Terms.back().Atom && Digit)
      Digit = Basis.floorMod(Digit, int64_t(*Size));
    if (!Digit || MulOverflow(Count, int64_t(*Size), Count))
      return std::nullopt;
    IndexExpr Value = T.Coefficient > 0
                          ? Context.add(Digit, Bounds.lo())
                          : Context.sub(Context.constant(Bounds.hi()), Digit);
    if (!Value)
      return std::nullopt;
    With[T.Atom] = Value;
  }
  return withReplaced(Map, Interval(0, Count - 1), With);
}

/// withGroupAsNumber, and the number then as the digits that the map asks for.
/// nullopt unless that leaves fewer quotients.
static std::optional<IndexingMap> withOtherDigits(const IndexingMap &Map,
                                                  IndexExpr Group) {
  std::optional<IndexingMap> New = withGroupAsNumber(Map, Group);
  if (New)
    New = withDigits(*New, Map.ranges().size());
  if (!New)
    return std::nullopt;
  *New = New->simplified();
  if (countDivisions(formsOf(*New)) >= countDivisions(formsOf(Map)))
    return std::nullopt;
  return New;
}

/// A group whose values have no gaps.
static std::optional<IndexingMap> withSomeGroup(const IndexingMap &Map) {
  for (IndexExpr Group : groupsIn(Map)) {
    std::optional<Progression> Values = valuesOf(Map, Group);
    if (!Values || Values->Stride != 1)
      continue;
    if (auto New =
            withGroup(Map, Group, Interval(Values->Offset, Values->last())))
      return New;
    if (auto New = withOtherDigits(Map, Group))
      return New;
  }
  return std::nullopt;
}

//===----------------------------------------------------------------------===//
// Values of atoms
//===----------------------------------------------------------------------===//

/// The largest distance of a value of \p E, a sum of variables of \p Map, to
/// the next one, or a larger number; nullopt beyond 64 bits.
static std::optional<int64_t> largestGap(const IndexingMap &Map, IndexExpr E) {
  SmallVector<std::pair<int64_t, int64_t>, 8> Steps; // and their sums
  for (const IndexTerm &T : E.terms()) {
    std::optional<size_t> Position = Map.positionOf(T.Atom);
    Interval Bounds = Position ? Map.variableAt(*Position).Bounds : Interval();
    Interval Span = (Bounds - Interval::point(Bounds.lo())) * T.Coefficient;
    if (!Bounds.isBounded() || !Span.isBounded() ||
        T.Coefficient == std::numeric_limits<int64_t>::min())
      return std::nullopt;
    if (!Bounds.isPoint())
      Steps.push_back({std::abs(T.Coefficient), Span.hi() - Span.lo()});
  }
  llvm::sort(Steps);
  int64_t Gap = 0, Reach = 0;
  for (auto [Step, Sum] : Steps) {
    // Sums of what is before it, one Step after the other: the first of the
    // next copy is Step - Reach behind the last of this one, or among it.
    Gap = std::max(Gap, Step - Reach);
    if (AddOverflow(Reach, Sum, Reach))
      return std::nullopt;
  }
  return Gap;
}

/// The values of \p Atom, if they have no gaps.
static std::optional<Interval> intervalOf(const IndexingMap &Map,
                                          const IndexAtom *Atom) {
  bool IsQuotient = Atom->isConstantFloorDiv();
  if ((!IsQuotient && !Atom->isNegativePart()) || !isAffine(Atom->operand()))
    return std::nullopt;
  // The ends of a sum of independent variables are attained.
  Interval Ends = Interval::point(Atom->operand().constant());
  for (const IndexTerm &T : Atom->operand().terms()) {
    std::optional<size_t> Position = Map.positionOf(T.Atom);
    if (!Position)
      return std::nullopt;
    Ends = Ends + Map.variableAt(*Position).Bounds * T.Coefficient;
  }
  std::optional<int64_t> Gap = largestGap(Map, Atom->operand());
  if (!Gap || !Ends.isBounded())
    return std::nullopt;
  // A quotient reaches every number between its ends if no gap of its operand
  // is longer than the divisor.
  if (IsQuotient && *Gap <= Atom->constantDivisor())
    return Ends.floorDivBy(Atom->constantDivisor());
  if (!IsQuotient && *Gap <= 1)
    return Ends.negativePart();
  return std::nullopt;
}

/// A variable in place of an atom whose variables are used nowhere else.
static std::optional<IndexingMap> withSomeValue(const IndexingMap &Map) {
  for (const IndexAtom *Atom : atomsOf(Map)) {
    std::optional<Interval> Values =
        Atom->isVariable() ? std::nullopt : intervalOf(Map, Atom);
    IndexExpr Variable = newVariable(Map, 0);
    if (!Values || !Variable)
      continue;
    Replacements With;
    With[Atom] = Variable;
    std::optional<IndexingMap> New = withReplaced(Map, *Values, With);
    if (New && none_of(Atom->operand().terms(),
                       [&](const IndexTerm &T) { return uses(*New, T.Atom); }))
      return New;
  }
  return std::nullopt;
}

//===----------------------------------------------------------------------===//
// All rules
//===----------------------------------------------------------------------===//

std::optional<IndexingMap> withFewerFloors(const IndexingMap &Map) {
  if (!Map.constraints().empty()) {
    std::optional<IndexingMap> New = rescaleSymbols(Map);
    if (New && *New != Map)
      return New->simplified();
  }
  for (size_t I = 0; I < Map.ranges().size(); ++I)
    if (auto New = withDigits(Map, I))
      return New->simplified();
  if (auto New = withSomeGroup(Map))
    return New->simplified();
  if (auto New = withSomeValue(Map))
    return New->simplified();
  return std::nullopt;
}

} // namespace unravel
