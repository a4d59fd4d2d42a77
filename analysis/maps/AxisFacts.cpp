//===- AxisFacts.cpp - How results move along one variable ----------------===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// With v = lo + L * q + r, 0 <= r < L, the values of one q are an aligned run
// of L. If the result simplifies to `r + rest`, and the rest does not contain
// r, it grows by one in every run; if it does not contain r at all, it stays.
//
//===----------------------------------------------------------------------===//

#include "analysis/maps/AxisFacts.h"
#include "analysis/algebra/IndexSubstitution.h"
#include <numeric>

using namespace llvm;

namespace unravel {

static bool mentions(IndexExpr E, const IndexAtom *Variable) {
  bool Found = false;
  forEachAtom(E, [&](const IndexAtom *A) { Found |= A == Variable; });
  return Found;
}

namespace {
/// A map with one result, in which the variable is cut into runs.
class RunMap {
public:
  RunMap(const IndexingMap &Map, IndexExpr Result, VariableKind Kind,
         unsigned Number, int64_t Length)
      : Context(Map.context()) {
    IndexingMap::Variables Vars = Map.variables();
    unsigned Next = Vars.Ranges.size();
    Run = IndexingMap::exprOf(Context, VariableKind::Range, Next);
    Step = IndexingMap::exprOf(Context, VariableKind::Range, Next + 1);
    const Interval Bounds = Map.variables(Kind)[Number].Bounds;
    Vars.Ranges.push_back({Interval::atLeast(0), ""});
    Vars.Ranges.push_back({Interval(0, Length - 1), ""});
    IndexExpr Value =
        Context.add(Context.constant(Bounds.lo()),
                    Context.add(Context.scale(Run, Length), Step));
    if (!Value)
      return;
    Replacements With;
    With[IndexingMap::variableOf(Context, Kind, Number)] = Value;
    IndexSubstitution Cut(Context, std::move(With));
    std::vector<MapConstraint> Constraints;
    for (const MapConstraint &C : Map.constraints())
      if (IndexExpr E = Cut.apply(C.Expr))
        Constraints.push_back({E, C.Range});
    Constraints.push_back({Value, Bounds});
    IndexExpr Whole = Cut.apply(Result);
    if (Whole)
      Simple =
          IndexingMap(Context, std::move(Vars), {Whole}, std::move(Constraints))
              .simplified();
  }

  /// A map without points proves nothing about runs.
  bool isUseful() const { return Simple && !Simple->isKnownEmpty(); }
  bool isConstant() const {
    return !mentions(Simple->result(0), Step.asAtom());
  }
  bool isContiguous() const {
    IndexExpr Rest = Context.add(Simple->result(0), Step, -1);
    return Rest && !mentions(Rest, Step.asAtom());
  }
  /// Of the results at the beginning of runs; 0 if they are all 0.
  int64_t divisibility() const {
    Replacements With;
    With[Step.asAtom()] = Context.constant(0);
    IndexDomain Domain = Simple->domain();
    IndexExpr First =
        IndexSubstitution(Domain, std::move(With)).apply(Simple->result(0));
    if (!First)
      return 1;
    Congruence Of = Domain.congruence(First);
    int64_t Divisor = std::gcd(Of.modulus(), Of.residue());
    return Divisor & -Divisor;
  }

private:
  IndexContext &Context;
  IndexExpr Run, Step;
  std::optional<IndexingMap> Simple;
};
} // namespace

AxisFacts axisFactsOf(const IndexingMap &Map, size_t Result, VariableKind Kind,
                      unsigned Number) {
  AxisFacts Facts;
  const Interval Bounds = Map.variables(Kind)[Number].Bounds;
  if (Map.isKnownEmpty() || !Bounds.isBoundedBelow())
    return Facts;
  IndexExpr E = Map.result(Result);
  int64_t Longest = MaxAxisRun;
  if (std::optional<uint64_t> Size = Bounds.size())
    Longest = std::min<uint64_t>(*Size, MaxAxisRun);
  bool MayCount = true, MayStay = true;
  for (int64_t Length = 2; Length <= Longest && (MayCount || MayStay);
       Length *= 2) {
    RunMap Runs(Map, E, Kind, Number, Length);
    if (!Runs.isUseful())
      break;
    MayCount = MayCount && Runs.isContiguous();
    MayStay = MayStay && Runs.isConstant();
    if (MayCount)
      Facts.Contiguity = Length;
    if (MayStay)
      Facts.Constancy = Length;
  }
  RunMap Runs(Map, E, Kind, Number, Facts.Contiguity);
  if (Runs.isUseful()) {
    int64_t Divisor = Runs.divisibility();
    Facts.Divisibility = Divisor == 0 ? Facts.Contiguity : Divisor;
  }
  return Facts;
}

} // namespace unravel
