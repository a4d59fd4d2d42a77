//===- Simplex.cpp - Linear inequalities over the rationals ---------------===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "analysis/proof/Simplex.h"

using namespace llvm;

namespace unravel {

unsigned Simplex::addVariable() {
  VariableState New;
  New.Index = Columns.size();
  Columns.push_back(Variables.size());
  Variables.push_back(New);
  for (Row &R : Rows)
    R.Factors.emplace_back(0);
  return Variables.size() - 1;
}

unsigned Simplex::addSum(ArrayRef<std::pair<unsigned, DynamicAPInt>> Sum) {
  // Over the columns: basic variables are replaced by their rows.
  Row New;
  New.Basic = Variables.size();
  New.Denominator = 1;
  for (const auto &[V, Factor] : Sum)
    if (Variables[V].IsBasic)
      New.Denominator =
          lcm(New.Denominator, Rows[Variables[V].Index].Denominator);
  New.Factors.assign(Columns.size(), DynamicAPInt(0));
  for (const auto &[V, Factor] : Sum) {
    const VariableState &State = Variables[V];
    if (!State.IsBasic) {
      New.Factors[State.Index] += Factor * New.Denominator;
      continue;
    }
    const Row &R = Rows[State.Index];
    DynamicAPInt Scale = Factor * (New.Denominator / R.Denominator);
    for (unsigned C = 0; C < Columns.size(); ++C)
      if (R.Factors[C] != 0)
        New.Factors[C] += R.Factors[C] * Scale;
  }
  reduce(New);
  VariableState State;
  State.IsBasic = true;
  State.Index = Rows.size();
  Rows.push_back(std::move(New));
  Variables.push_back(State);
  return Variables.size() - 1;
}

void Simplex::boundBelow(unsigned Variable, const DynamicAPInt &Value,
                         unsigned Reason) {
  VariableState &V = Variables[Variable];
  if (V.Lower && V.Lower->Value >= Value)
    return;
  V.Lower = Bound{Value, Reason};
  if (!V.IsBasic && V.Value < Value)
    V.Value = Value;
}

void Simplex::boundAbove(unsigned Variable, const DynamicAPInt &Value,
                         unsigned Reason) {
  VariableState &V = Variables[Variable];
  if (V.Upper && V.Upper->Value <= Value)
    return;
  V.Upper = Bound{Value, Reason};
  if (!V.IsBasic && V.Value > Value)
    V.Value = Value;
}

DynamicAPInt Simplex::numeratorOf(const Row &R) const {
  DynamicAPInt Sum(0);
  for (unsigned C = 0; C < Columns.size(); ++C)
    if (R.Factors[C] != 0)
      Sum += R.Factors[C] * Variables[Columns[C]].Value;
  return Sum;
}

std::optional<DynamicAPInt> Simplex::floorOfFraction(unsigned Variable) const {
  const VariableState &V = Variables[Variable];
  if (!V.IsBasic)
    return std::nullopt; // at a bound, or at 0
  const Row &R = Rows[V.Index];
  DynamicAPInt Numerator = numeratorOf(R);
  if (Numerator % R.Denominator == 0)
    return std::nullopt;
  return floorDiv(Numerator, R.Denominator);
}

DynamicAPInt Simplex::floorOf(unsigned Variable) const {
  const VariableState &V = Variables[Variable];
  if (!V.IsBasic)
    return V.Value;
  const Row &R = Rows[V.Index];
  return floorDiv(numeratorOf(R), R.Denominator);
}

void Simplex::reduce(Row &R) {
  DynamicAPInt Common = R.Denominator;
  for (const DynamicAPInt &Factor : R.Factors) {
    if (Common == 1)
      return;
    if (Factor != 0)
      Common = gcd(Common, abs(Factor));
  }
  if (Common == 1)
    return;
  R.Denominator /= Common;
  for (DynamicAPInt &Factor : R.Factors)
    if (Factor != 0)
      Factor /= Common;
}

/// Exchanges the basic variable of a row and the variable of a column.
void Simplex::pivot(unsigned RowIndex, unsigned Column) {
  // D*b = f*x + rest  becomes  |f|*x = sign(f)*(D*b - rest).
  Row &R = Rows[RowIndex];
  DynamicAPInt Factor = R.Factors[Column];
  bool IsNegative = Factor < 0;
  for (DynamicAPInt &Other : R.Factors)
    if (!IsNegative && Other != 0)
      Other = -Other;
  R.Factors[Column] = IsNegative ? -R.Denominator : R.Denominator;
  R.Denominator = abs(Factor);
  unsigned Entering = Columns[Column], Leaving = R.Basic;
  R.Basic = Entering;
  Columns[Column] = Leaving;
  Variables[Entering].IsBasic = true;
  Variables[Entering].Index = RowIndex;
  Variables[Leaving].IsBasic = false;
  Variables[Leaving].Index = Column;
  for (unsigned I = 0; I < Rows.size(); ++I) {
    Row &Other = Rows[I];
    DynamicAPInt Scale = Other.Factors[Column];
    if (I == RowIndex || Scale == 0)
      continue;
    Other.Factors[Column] = 0;
    Other.Denominator *= R.Denominator;
    for (unsigned C = 0; C < Columns.size(); ++C) {
      if (Other.Factors[C] != 0)
        Other.Factors[C] *= R.Denominator;
      if (R.Factors[C] != 0)
        Other.Factors[C] += Scale * R.Factors[C];
    }
    reduce(Other);
  }
}

/// No column can move \p R's variable within its bound: the bounds that hold
/// the columns where they are, and the bound that is missed, contradict.
void Simplex::explain(const Row &R, bool IsBelow) {
  Conflict.clear();
  const VariableState &Basic = Variables[R.Basic];
  Conflict.emplace_back((IsBelow ? Basic.Lower : Basic.Upper)->Reason,
                        R.Denominator);
  for (unsigned C = 0; C < Columns.size(); ++C) {
    if (R.Factors[C] == 0)
      continue;
    const VariableState &V = Variables[Columns[C]];
    bool HoldsAbove = (R.Factors[C] > 0) == IsBelow;
    Conflict.emplace_back((HoldsAbove ? V.Upper : V.Lower)->Reason,
                          abs(R.Factors[C]));
  }
}

Simplex::Outcome Simplex::check(int64_t &Work) {
  for (const VariableState &V : Variables) {
    if (V.Lower && V.Upper && V.Lower->Value > V.Upper->Value) {
      Conflict = {{V.Lower->Reason, DynamicAPInt(1)},
                  {V.Upper->Reason, DynamicAPInt(1)}};
      return Outcome::Infeasible;
    }
  }
  while (Work > 0) {
    Work -= int64_t(Rows.size()) * Columns.size();
    // Bland's rule: the first variable out of its bounds, and the first one
    // that can bring it back. This ends.
    const Row *Missed = nullptr;
    bool IsBelow = false;
    for (const Row &R : Rows) {
      const VariableState &Basic = Variables[R.Basic];
      if ((Missed && R.Basic > Missed->Basic) || (!Basic.Lower && !Basic.Upper))
        continue;
      DynamicAPInt Value = numeratorOf(R);
      bool Below = Basic.Lower && Value < Basic.Lower->Value * R.Denominator;
      if (!Below &&
          !(Basic.Upper && Value > Basic.Upper->Value * R.Denominator))
        continue;
      Missed = &R;
      IsBelow = Below;
    }
    if (!Missed)
      return Outcome::Feasible;
    std::optional<unsigned> Entering;
    for (unsigned C = 0; C < Columns.size(); ++C) {
      if (Missed->Factors[C] == 0 ||
          (Entering && Columns[C] > Columns[*Entering]))
        continue;
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

} // namespace unravel
