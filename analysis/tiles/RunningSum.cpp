//===- RunningSum.cpp - Sums of symbolic runs -----------------------------===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Let the runs be sorted by |coefficient| a_1 <= a_2 <= ..., and p be the first
// one with an extent above 1. The sum is a progression, with the stride a_p, if
// a_p divides every a_l of a run l > p with an extent above 1, and
//
//     a_l <= a_p + sum of a_q * (extent_q - 1) for p <= q < l.
//
// For the second part there is a clause for each boundary between m and m + 1:
//
//     all extents up to m are 1 | all behind m are 1 | the sum reaches a_{m+1}.
//
// The third alternative is extent_m >= a_{m+1} / a_m where no run up to m has a
// constant extent above 1. It suffices, by induction: if p < m, the boundaries
// from p to m - 1 say that the sum up to m - 1, with a_p, reaches a_m; with run
// m it then reaches a_m * extent_m. Where f <= m is the first run with a
// constant extent above 1, the third alternative is the inequality itself with
// f in place of p: if p < f, the sum up to f - 1, with a_p, reaches a_f.
//
//===----------------------------------------------------------------------===//

#include "analysis/tiles/RunningSum.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

using namespace llvm;

namespace unravel {

/// Runs in a sum. There is up to a clause for each pair of them.
static constexpr unsigned MaxRuns = 64;

namespace {
class SumSolver {
public:
  SumSolver(FloorBasis &Basis, IndexExpr Base, ArrayRef<Run> Given,
            TileConditions &Conditions)
      : Basis(Basis), Context(Basis.context()), Base(Base),
        Conditions(Conditions) {
    Runs.assign(Given.begin(), Given.end());
    llvm::stable_sort(Runs, [](const Run &A, const Run &B) {
      return AbsoluteValue(A.Coefficient) < AbsoluteValue(B.Coefficient);
    });
  }
  std::optional<SymbolicProgression> solve();

private:
  int64_t step(size_t I) const {
    return int64_t(AbsoluteValue(Runs[I].Coefficient));
  }
  bool isFixed(size_t I) const { return Runs[I].Extent.isConstant(); }
  IndexExpr one() { return Context.constant(1); }
  IndexExpr product(size_t Begin, size_t End);
  IndexExpr reach(size_t Begin, size_t End, int64_t Unit);
  bool addDivisibility();
  bool addBoundary(size_t M);
  IndexExpr offsetFor(bool RunsUp);
  bool isProduct() const;

  FloorBasis &Basis;
  IndexContext &Context;
  IndexExpr Base;
  TileConditions &Conditions;
  SmallVector<Run, 4> Runs;
  /// The first run with a constant extent, which is above 1; the number of runs
  /// if there is none.
  size_t FirstFixed = 0;
};
} // namespace

/// The product of the extents.
IndexExpr SumSolver::product(size_t Begin, size_t End) {
  IndexExpr Result = one();
  for (size_t I = Begin; I < End && Result; ++I)
    Result = Context.multiply(Result, Runs[I].Extent);
  return Result;
}

/// The sum of step / Unit * (extent - 1).
IndexExpr SumSolver::reach(size_t Begin, size_t End, int64_t Unit) {
  IndexExpr Sum = Context.constant(0);
  for (size_t I = Begin; I < End && Sum; ++I)
    if (IndexExpr Steps = Context.add(Runs[I].Extent, -1))
      Sum = Context.add(Sum, Steps, step(I) / Unit);
    else
      Sum = {};
  return Sum;
}

bool SumSolver::addDivisibility() {
  for (size_t P = 0; P < Runs.size() && P <= FirstFixed; ++P)
    for (size_t L = P + 1; L < Runs.size(); ++L)
      if (step(L) % step(P) != 0 &&
          !Conditions.add({{Runs[P].Extent, one(), TileCondition::Equal},
                           {Runs[L].Extent, one(), TileCondition::Equal}}))
        return false;
  return true;
}

/// The boundary behind run \p M, which is not the last one.
bool SumSolver::addBoundary(size_t M) {
  int64_t Next = step(M + 1);
  if (Next == step(M))
    return true;
  SmallVector<TileCondition, 3> Clause;
  bool HasFixed = FirstFixed <= M;
  if (!HasFixed)
    Clause.push_back({product(0, M + 1), one(), TileCondition::Equal});
  Clause.push_back({product(M + 1, Runs.size()), one(), TileCondition::Equal});
  if (HasFixed) {
    IndexExpr Reach = reach(FirstFixed, M + 1, 1);
    if (Reach)
      Reach = Context.add(Reach, step(FirstFixed));
    Clause.push_back({Reach, Context.constant(Next), TileCondition::AtLeast});
  } else {
    int64_t Needed = (Next - 1) / step(M) + 1;
    const std::optional<int64_t> &Length = Runs[M].Length;
    if (!Length || *Length >= Needed)
      Clause.push_back(
          {Runs[M].Extent, Context.constant(Needed),
           Length == Needed ? TileCondition::Equal : TileCondition::AtLeast});
  }
  return Conditions.add(Clause);
}

/// The smallest value of the sum, or the largest one.
IndexExpr SumSolver::offsetFor(bool RunsUp) {
  IndexExpr Sum = Base;
  for (const Run &R : Runs) {
    IndexExpr End = R.Offset;
    if ((R.Coefficient > 0) != RunsUp)
      End = Context.add(Context.add(R.Offset, R.Extent), -1);
    Sum = Context.add(Sum, End, R.Coefficient);
  }
  return Sum;
}

/// Whether the runs are digits of a number, so that the size is the product of
/// their extents.
bool SumSolver::isProduct() const {
  for (size_t I = 0; I + 1 < Runs.size(); ++I) {
    int64_t Next;
    if (!Runs[I].Length || MulOverflow(step(I), *Runs[I].Length, Next) ||
        Next != step(I + 1))
      return false;
  }
  return true;
}

std::optional<SymbolicProgression> SumSolver::solve() {
  erase_if(Runs, [&](const Run &R) {
    if (!R.Extent.isConstant(1))
      return false;
    Base = Context.add(Base, R.Offset, R.Coefficient);
    return true;
  });
  if (Runs.size() > MaxRuns)
    return std::nullopt;
  FirstFixed =
      find_if(Runs, [](const Run &R) { return R.Extent.isConstant(); }) -
      Runs.begin();
  if (Runs.empty())
    return SymbolicProgression{Base, one(), one()};
  if (any_of(Runs,
             [](const Run &R) {
               return R.Coefficient == std::numeric_limits<int64_t>::min();
             }) ||
      !addDivisibility())
    return std::nullopt;
  for (size_t M = 0; M + 1 < Runs.size(); ++M)
    if (!addBoundary(M))
      return std::nullopt;

  // Which run is the first one with an extent above 1 decides; runs with the
  // same step are taken together. One with a constant extent is the last
  // choice.
  SmallVector<size_t, 4> Starts;
  for (size_t I = 0; I < Runs.size(); ++I)
    if (I == 0 || (step(I) != step(I - 1) && I <= FirstFixed))
      Starts.push_back(I);
  bool IsProduct = isProduct();
  SymbolicProgression Result;
  for (size_t P : reverse(Starts)) {
    SymbolicProgression Here{
        offsetFor(Runs[P].Coefficient > 0),
        IsProduct ? product(0, Runs.size())
                  : Context.add(reach(P, Runs.size(), step(P)), 1),
        Context.constant(Runs[P].Coefficient)};
    if (!Here.Offset || !Here.Size)
      return std::nullopt;
    if (!Result.Offset) {
      Result = Here;
      continue;
    }
    // Whether extents of runs with this step are above 1.
    IndexExpr Above = Context.constant(-1);
    for (size_t I = P; I < Runs.size() && step(I) == step(P); ++I)
      Above = Context.add(Context.add(Above, Runs[I].Extent), -1);
    IndexExpr Moves = Above ? Basis.nonNegative(Above) : IndexExpr();
    auto Choose = [&](IndexExpr &Choice, IndexExpr Value) {
      if (Choice != Value)
        Choice = Moves ? Basis.select(Moves, Value, Choice) : IndexExpr();
    };
    Choose(Result.Offset, Here.Offset);
    Choose(Result.Size, Here.Size);
    Choose(Result.Stride, Here.Stride);
    if (!Result.Offset || !Result.Size || !Result.Stride)
      return std::nullopt;
  }
  return Result;
}

std::optional<SymbolicProgression> sumOfRuns(FloorBasis &Basis, IndexExpr Base,
                                             ArrayRef<Run> Runs,
                                             TileConditions &Conditions) {
  return SumSolver(Basis, Base, Runs, Conditions).solve();
}

} // namespace unravel
