//===- Simplex.cpp - Linear inequalities over the rationals ---------------===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "analysis/proof/Simplex.h"
#include <numeric>

using namespace llvm;

namespace unravel {

//===----------------------------------------------------------------------===//
// Numbers
//===----------------------------------------------------------------------===//

/// Numbers without limit take about ten times as long.
template <typename Number>
static constexpr int64_t PriceOfEntry =
    std::is_same_v<Number, DynamicAPInt> ? 10 : 1;

static MachineNumber magnitude(MachineNumber N) { return N < 0 ? -N : N; }
static DynamicAPInt magnitude(const DynamicAPInt &N) { return abs(N); }

static MachineNumber commonDivisor(MachineNumber A, MachineNumber B) {
  A = magnitude(A);
  B = magnitude(B);
  while (B >> 63 != 0) {
    MachineNumber Rest = A % B;
    A = B;
    B = Rest;
  }
  if (B == 0)
    return A;
  return std::gcd(uint64_t(A % B), uint64_t(B));
}
static DynamicAPInt commonDivisor(const DynamicAPInt &A,
                                  const DynamicAPInt &B) {
  return gcd(abs(A), abs(B));
}

static MachineNumber quotientRoundedDown(MachineNumber A, MachineNumber B) {
  return A / B - (A % B != 0 && (A < 0) != (B < 0));
}
static DynamicAPInt quotientRoundedDown(const DynamicAPInt &A,
                                        const DynamicAPInt &B) {
  return floorDiv(A, B);
}

static bool convert(const DynamicAPInt &From, DynamicAPInt &To) {
  To = From;
  return true;
}
static DynamicAPInt toInteger(const DynamicAPInt &N) { return N; }

/// Sum + A * B; false if that is too large.
static bool addTo(MachineNumber &Sum, MachineNumber A, MachineNumber B) {
  MachineNumber Product;
  return !__builtin_mul_overflow(A, B, &Product) &&
         !__builtin_add_overflow(Sum, Product, &Sum);
}
static bool addTo(DynamicAPInt &Sum, const DynamicAPInt &A,
                  const DynamicAPInt &B) {
  Sum += A * B;
  return true;
}

template <typename Number>
Number Tableau<Number>::product(const Number &A, const Number &B) const {
  Number Result(0);
  addProduct(Result, A, B);
  return Result;
}

template <typename Number>
void Tableau<Number>::addProduct(Number &Sum, const Number &A,
                                 const Number &B) const {
  if (!addTo(Sum, A, B))
    IsLost = true;
}

//===----------------------------------------------------------------------===//
// The algorithm
//===----------------------------------------------------------------------===//

template <typename Number> unsigned Tableau<Number>::addVariable() {
  VariableState New;
  New.Index = Columns.size();
  Columns.push_back(Variables.size());
  Variables.push_back(New);
  for (Row &R : Rows)
    R.Factors.emplace_back(0);
  return Variables.size() - 1;
}

template <typename Number>
unsigned
Tableau<Number>::addSum(ArrayRef<std::pair<unsigned, DynamicAPInt>> Sum) {
  if (IsLost)
    return addVariable(); // denominators may be 0
  // Over the columns: basic variables are replaced by their rows.
  Row New;
  New.Basic = Variables.size();
  New.Denominator = Number(1);
  for (const auto &[V, Factor] : Sum)
    if (Variables[V].IsBasic) {
      Number Other = Rows[Variables[V].Index].Denominator;
      New.Denominator = product(New.Denominator,
                                Other / commonDivisor(New.Denominator, Other));
    }
  New.Factors.assign(Columns.size(), Number(0));
  for (const auto &[V, Coefficient] : Sum) {
    Number Factor(0);
    IsLost |= !convert(Coefficient, Factor);
    const VariableState &State = Variables[V];
    if (!State.IsBasic) {
      addProduct(New.Factors[State.Index], Factor, New.Denominator);
      continue;
    }
    const Row &R = Rows[State.Index];
    Number Scale = product(Factor, New.Denominator / R.Denominator);
    for (unsigned C = 0; C < Columns.size(); ++C)
      if (R.Factors[C] != 0)
        addProduct(New.Factors[C], R.Factors[C], Scale);
  }
  reduce(New);
  VariableState State;
  State.IsBasic = true;
  State.Index = Rows.size();
  Rows.push_back(std::move(New));
  Variables.push_back(State);
  return Variables.size() - 1;
}

template <typename Number>
void Tableau<Number>::boundBelow(unsigned Variable, const DynamicAPInt &Limit,
                                 unsigned Reason) {
  Number Value(0);
  if (!convert(Limit, Value)) {
    IsLost = true;
    return;
  }
  VariableState &V = Variables[Variable];
  if (V.Lower && V.Lower->Value >= Value)
    return;
  V.Lower = Bound{Value, Reason};
  if (!V.IsBasic && V.Value < Value)
    V.Value = Value;
}

template <typename Number>
void Tableau<Number>::boundAbove(unsigned Variable, const DynamicAPInt &Limit,
                                 unsigned Reason) {
  Number Value(0);
  if (!convert(Limit, Value)) {
    IsLost = true;
    return;
  }
  VariableState &V = Variables[Variable];
  if (V.Upper && V.Upper->Value <= Value)
    return;
  V.Upper = Bound{Value, Reason};
  if (!V.IsBasic && V.Value > Value)
    V.Value = Value;
}

template <typename Number>
Number Tableau<Number>::numeratorOf(const Row &R) const {
  Number Sum(0);
  for (unsigned C = 0; C < Columns.size(); ++C)
    if (R.Factors[C] != 0)
      addProduct(Sum, R.Factors[C], Variables[Columns[C]].Value);
  return Sum;
}

template <typename Number>
std::optional<DynamicAPInt>
Tableau<Number>::floorOfFraction(unsigned Variable) const {
  const VariableState &V = Variables[Variable];
  if (!V.IsBasic)
    return std::nullopt; // at a bound, or at 0
  const Row &R = Rows[V.Index];
  Number Numerator = numeratorOf(R);
  if (Numerator % R.Denominator == 0)
    return std::nullopt;
  return toInteger(quotientRoundedDown(Numerator, R.Denominator));
}

template <typename Number>
DynamicAPInt Tableau<Number>::floorOf(unsigned Variable) const {
  const VariableState &V = Variables[Variable];
  if (!V.IsBasic)
    return toInteger(V.Value);
  const Row &R = Rows[V.Index];
  return toInteger(quotientRoundedDown(numeratorOf(R), R.Denominator));
}

template <typename Number> void Tableau<Number>::reduce(Row &R) {
  Number Common = R.Denominator;
  for (const Number &Factor : R.Factors) {
    if (Common == 1)
      return;
    if (Factor != 0)
      Common = commonDivisor(Common, Factor);
  }
  if (Common == 1 || Common == 0)
    return;
  R.Denominator /= Common;
  for (Number &Factor : R.Factors)
    if (Factor != 0)
      Factor /= Common;
}

/// Exchanges the basic variable of a row and the variable of a column.
template <typename Number>
void Tableau<Number>::pivot(unsigned RowIndex, unsigned Column) {
  // D*b = f*x + rest  becomes  |f|*x = sign(f)*(D*b - rest).
  Row &R = Rows[RowIndex];
  Number Factor = R.Factors[Column];
  bool IsNegative = Factor < 0;
  for (Number &Other : R.Factors)
    if (!IsNegative && Other != 0)
      Other = -Other;
  R.Factors[Column] = IsNegative ? -R.Denominator : R.Denominator;
  R.Denominator = magnitude(Factor);
  unsigned Entering = Columns[Column], Leaving = R.Basic;
  R.Basic = Entering;
  Columns[Column] = Leaving;
  Variables[Entering].IsBasic = true;
  Variables[Entering].Index = RowIndex;
  Variables[Leaving].IsBasic = false;
  Variables[Leaving].Index = Column;
  for (unsigned I = 0; I < Rows.size(); ++I) {
    Row &Other = Rows[I];
    Number Scale = Other.Factors[Column];
    if (I == RowIndex || Scale == 0)
      continue;
    Other.Factors[Column] = Number(0);
    Other.Denominator = product(Other.Denominator, R.Denominator);
    for (unsigned C = 0; C < Columns.size(); ++C) {
      if (Other.Factors[C] != 0 && R.Denominator != 1)
        Other.Factors[C] = product(Other.Factors[C], R.Denominator);
      if (R.Factors[C] != 0)
        addProduct(Other.Factors[C], Scale, R.Factors[C]);
    }
    if (IsLost)
      return;
    reduce(Other);
  }
}

/// No column can move \p R's variable within its bound: the bounds that hold
/// the columns where they are, and the bound that is missed, contradict.
template <typename Number>
void Tableau<Number>::explain(const Row &R, bool IsBelow) {
  Conflict.clear();
  const VariableState &Basic = Variables[R.Basic];
  Conflict.emplace_back((IsBelow ? Basic.Lower : Basic.Upper)->Reason,
                        toInteger(R.Denominator));
  for (unsigned C = 0; C < Columns.size(); ++C) {
    if (R.Factors[C] == 0)
      continue;
    const VariableState &V = Variables[Columns[C]];
    bool HoldsAbove = (R.Factors[C] > 0) == IsBelow;
    Conflict.emplace_back((HoldsAbove ? V.Upper : V.Lower)->Reason,
                          toInteger(magnitude(R.Factors[C])));
  }
}

template <typename Number>
typename Tableau<Number>::Outcome Tableau<Number>::check(int64_t &Work) {
  if (IsLost)
    return Outcome::TooLarge;
  for (const VariableState &V : Variables) {
    if (V.Lower && V.Upper && V.Lower->Value > V.Upper->Value) {
      Conflict = {{V.Lower->Reason, DynamicAPInt(1)},
                  {V.Upper->Reason, DynamicAPInt(1)}};
      return Outcome::Infeasible;
    }
  }
  static constexpr unsigned MaxSmallPivots = 60;
  unsigned Pivots = 0;
  while (Work > 0) {
    if (IsLost)
      return Outcome::TooLarge;
    Work -= int64_t(Rows.size()) * Columns.size() * PriceOfEntry<Number>;
    // Bland's rule: the first variable out of its bounds, and the first one
    // that can bring it back. This ends. Small pivots keep numbers small, but
    // do not always end.
    bool PreferSmall = Pivots++ < MaxSmallPivots;
    const Row *Missed = nullptr;
    bool IsBelow = false;
    for (const Row &R : Rows) {
      const VariableState &Basic = Variables[R.Basic];
      if ((Missed && R.Basic > Missed->Basic) || (!Basic.Lower && !Basic.Upper))
        continue;
      Number Value = numeratorOf(R);
      bool Below =
          Basic.Lower && Value < product(Basic.Lower->Value, R.Denominator);
      if (!Below &&
          !(Basic.Upper && Value > product(Basic.Upper->Value, R.Denominator)))
        continue;
      Missed = &R;
      IsBelow = Below;
    }
    if (IsLost)
      return Outcome::TooLarge;
    if (!Missed)
      return Outcome::Feasible;
    std::optional<unsigned> Entering;
    for (unsigned C = 0; C < Columns.size(); ++C) {
      if (Missed->Factors[C] == 0)
        continue;
      if (Entering) {
        Number Size = magnitude(Missed->Factors[C]),
               Least = magnitude(Missed->Factors[*Entering]);
        if (PreferSmall && Size != Least ? Size > Least
                                         : Columns[C] > Columns[*Entering])
          continue;
      }
      const VariableState &V = Variables[Columns[C]];
      bool MovesUp = (Missed->Factors[C] > 0) == IsBelow;
      if (MovesUp ? !V.Upper || V.Value < V.Upper->Value
                  : !V.Lower || V.Value > V.Lower->Value)
        Entering = C;
    }
    if (!Entering) {
      explain(*Missed, IsBelow);
      return Outcome::Infeasible;
    }
    VariableState &Basic = Variables[Missed->Basic];
    Basic.Value = (IsBelow ? Basic.Lower : Basic.Upper)->Value;
    pivot(Missed - Rows.data(), *Entering);
  }
  return Outcome::TooLong;
}

template class Tableau<MachineNumber>;
template class Tableau<DynamicAPInt>;

//===----------------------------------------------------------------------===//
// Which numbers
//===----------------------------------------------------------------------===//

unsigned Simplex::addVariable() {
  Sums.push_back(nullptr);
  return Exact ? Exact->addVariable() : Fast.addVariable();
}

unsigned Simplex::addSum(ArrayRef<std::pair<unsigned, DynamicAPInt>> Sum) {
  Sums.push_back(std::make_shared<const Parts>(Sum));
  return Exact ? Exact->addSum(Sum) : Fast.addSum(Sum);
}

void Simplex::boundBelow(unsigned Variable, const DynamicAPInt &Value,
                         unsigned Reason) {
  if (Exact)
    return Exact->boundBelow(Variable, Value, Reason);
  Limits.push_back({Variable, Reason, /*IsUpper=*/false, Value});
  Fast.boundBelow(Variable, Value, Reason);
}

void Simplex::boundAbove(unsigned Variable, const DynamicAPInt &Value,
                         unsigned Reason) {
  if (Exact)
    return Exact->boundAbove(Variable, Value, Reason);
  Limits.push_back({Variable, Reason, /*IsUpper=*/true, Value});
  Fast.boundAbove(Variable, Value, Reason);
}

void Simplex::startAgain() {
  Exact.emplace();
  for (const auto &Sum : Sums)
    Sum ? Exact->addSum(*Sum) : Exact->addVariable();
  for (const Limit &L : Limits)
    L.IsUpper ? Exact->boundAbove(L.Variable, L.Value, L.Reason)
              : Exact->boundBelow(L.Variable, L.Value, L.Reason);
  Fast = {};
}

Simplex::Outcome Simplex::check(int64_t &Work) {
  using FastOutcome = Tableau<MachineNumber>::Outcome;
  if (!Exact) {
    switch (Fast.check(Work)) {
    case FastOutcome::Feasible:
      return Outcome::Feasible;
    case FastOutcome::Infeasible:
      return Outcome::Infeasible;
    case FastOutcome::TooLong:
      return Outcome::TooLong;
    case FastOutcome::TooLarge:
      break;
    }
    startAgain();
  }
  auto Result = Exact->check(Work);
  using ExactOutcome = Tableau<DynamicAPInt>::Outcome;
  return Result == ExactOutcome::Feasible     ? Outcome::Feasible
         : Result == ExactOutcome::Infeasible ? Outcome::Infeasible
                                              : Outcome::TooLong;
}

ArrayRef<std::pair<unsigned, DynamicAPInt>> Simplex::conflict() const {
  return Exact ? Exact->conflict() : Fast.conflict();
}

std::optional<DynamicAPInt> Simplex::floorOfFraction(unsigned Variable) const {
  return Exact ? Exact->floorOfFraction(Variable)
               : Fast.floorOfFraction(Variable);
}

DynamicAPInt Simplex::floorOf(unsigned Variable) const {
  return Exact ? Exact->floorOf(Variable) : Fast.floorOf(Variable);
}

std::optional<DynamicAPInt> Simplex::widthOf(unsigned Variable) const {
  auto Width = [&](const auto &Of) -> std::optional<DynamicAPInt> {
    const auto &Low = Of.lower(Variable), &High = Of.upper(Variable);
    if (!Low || !High)
      return std::nullopt;
    return toInteger(High->Value - Low->Value);
  };
  return Exact ? Width(*Exact) : Width(Fast);
}

} // namespace unravel
