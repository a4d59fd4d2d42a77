//===- Simplex.h - Linear inequalities over the rationals -------*- C++ -*-===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Decides whether variables and sums of variables can be within their bounds
// at once, and if not, which multiples of the bounds contradict each other.
// This is the general simplex of Dutertre and de Moura ("A fast
// linear-arithmetic solver for DPLL(T)", CAV 2006) with Bland's rule, on exact
// numbers.
//
//===----------------------------------------------------------------------===//

#ifndef UNRAVEL_ANALYSIS_PROOF_SIMPLEX_H
#define UNRAVEL_ANALYSIS_PROOF_SIMPLEX_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/DynamicAPInt.h"
#include "llvm/ADT/SmallVector.h"
#include <optional>
#include <vector>

namespace unravel {

using llvm::DynamicAPInt;

class Simplex {
public:
  /// Reason is the caller's: it comes back in conflict().
  struct Bound {
    DynamicAPInt Value;
    unsigned Reason;
  };
  enum class Outcome { Feasible, Infeasible, TooLong };

  unsigned addVariable();
  /// A further variable, equal to the sum of variables times numbers.
  unsigned addSum(llvm::ArrayRef<std::pair<unsigned, DynamicAPInt>> Sum);

  /// The tighter of this bound and the one that is there stays.
  void boundBelow(unsigned Variable, const DynamicAPInt &Value,
                  unsigned Reason);
  void boundAbove(unsigned Variable, const DynamicAPInt &Value,
                  unsigned Reason);
  const std::optional<Bound> &lower(unsigned Variable) const {
    return Variables[Variable].Lower;
  }
  const std::optional<Bound> &upper(unsigned Variable) const {
    return Variables[Variable].Upper;
  }
  unsigned size() const { return Variables.size(); }

  /// TooLong: there was no answer within \p Work, which is used up by the
  /// entries of the rows and columns that are looked at.
  Outcome check(int64_t &Work);

  /// Where check() found the bounds infeasible: these bounds, times these
  /// positive numbers, add up to less than nothing.
  llvm::ArrayRef<std::pair<unsigned, DynamicAPInt>> conflict() const {
    return Conflict;
  }
  /// Where check() found the bounds feasible: the value of a variable in the
  /// solution, rounded down, if it is not an integer.
  std::optional<DynamicAPInt> floorOfFraction(unsigned Variable) const;
  /// The value of a variable in the solution, rounded down.
  DynamicAPInt floorOf(unsigned Variable) const;

private:
  struct VariableState {
    std::optional<Bound> Lower, Upper;
    bool IsBasic = false;
    unsigned Index = 0; ///< of the row if basic, of the column if not
    DynamicAPInt Value; ///< if not basic
  };
  /// Denominator * Basic = sum of Factors[c] * (variable of column c).
  struct Row {
    unsigned Basic;
    DynamicAPInt Denominator;
    llvm::SmallVector<DynamicAPInt, 0> Factors;
  };

  DynamicAPInt numeratorOf(const Row &R) const;
  void pivot(unsigned RowIndex, unsigned Column);
  static void reduce(Row &R);
  void explain(const Row &R, bool IsBelow);

  std::vector<VariableState> Variables;
  std::vector<unsigned> Columns; ///< the variable of each column
  std::vector<Row> Rows;
  std::vector<std::pair<unsigned, DynamicAPInt>> Conflict;
};

} // namespace unravel

#endif // UNRAVEL_ANALYSIS_PROOF_SIMPLEX_H
