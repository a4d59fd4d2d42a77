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
// linear-arithmetic solver for DPLL(T)", CAV 2006) with Bland's rule, on
// numbers of 128 bits. Where they are too small, it starts again with numbers
// that have no limit.
//
//===----------------------------------------------------------------------===//

#ifndef UNRAVEL_ANALYSIS_PROOF_SIMPLEX_H
#define UNRAVEL_ANALYSIS_PROOF_SIMPLEX_H

#include "analysis/proof/MachineNumber.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/DynamicAPInt.h"
#include <memory>
#include <optional>
#include <vector>

namespace unravel {

using llvm::DynamicAPInt;

/// The algorithm over numbers of one type.
template <typename Number> class Tableau {
public:
  /// Reason is the caller's: it comes back in conflict().
  struct Bound {
    Number Value;
    unsigned Reason;
  };
  enum class Outcome { Feasible, Infeasible, TooLong, TooLarge };

  unsigned addVariable();
  unsigned addSum(llvm::ArrayRef<std::pair<unsigned, DynamicAPInt>> Sum);
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
  Outcome check(int64_t &Work);
  llvm::ArrayRef<std::pair<unsigned, DynamicAPInt>> conflict() const {
    return Conflict;
  }
  std::optional<DynamicAPInt> floorOfFraction(unsigned Variable) const;
  DynamicAPInt floorOf(unsigned Variable) const;

private:
  struct VariableState {
    std::optional<Bound> Lower, Upper;
    bool IsBasic = false;
    unsigned Index = 0;       ///< of the row if basic, of the column if not
    Number Value = Number(0); ///< if not basic
  };
  /// Denominator * Basic = sum of Factors[c] * (variable of column c).
  struct Row {
    unsigned Basic;
    Number Denominator;
    std::vector<Number> Factors;
  };

  Number product(const Number &A, const Number &B) const;
  void addProduct(Number &Sum, const Number &A, const Number &B) const;
  Number numeratorOf(const Row &R) const;
  void pivot(unsigned RowIndex, unsigned Column);
  static void reduce(Row &R);
  void explain(const Row &R, bool IsBelow);

  std::vector<VariableState> Variables;
  std::vector<unsigned> Columns; ///< the variable of each column
  std::vector<Row> Rows;
  std::vector<std::pair<unsigned, DynamicAPInt>> Conflict;
  /// Whether a number was too large: nothing here means anything then.
  mutable bool IsLost = false;
};

class Simplex {
public:
  enum class Outcome { Feasible, Infeasible, TooLong };

  unsigned addVariable();
  /// A further variable, equal to the sum of variables times numbers.
  unsigned addSum(llvm::ArrayRef<std::pair<unsigned, DynamicAPInt>> Sum);

  /// The tighter of this bound and the one that is there stays. \p Reason is
  /// the caller's: it comes back in conflict().
  void boundBelow(unsigned Variable, const DynamicAPInt &Value,
                  unsigned Reason);
  void boundAbove(unsigned Variable, const DynamicAPInt &Value,
                  unsigned Reason);
  unsigned size() const { return Sums.size(); }

  /// TooLong: there was no answer within \p Work, which is used up by the
  /// entries of the rows and columns that are looked at.
  Outcome check(int64_t &Work);

  /// Where check() found the bounds infeasible: these bounds, times these
  /// positive numbers, add up to less than nothing.
  llvm::ArrayRef<std::pair<unsigned, DynamicAPInt>> conflict() const;
  /// Where check() found the bounds feasible: the value of a variable in the
  /// solution, rounded down, if it is not an integer.
  std::optional<DynamicAPInt> floorOfFraction(unsigned Variable) const;
  /// The value of a variable in the solution, rounded down.
  DynamicAPInt floorOf(unsigned Variable) const;
  /// How many values the bounds of a variable leave, less one.
  std::optional<DynamicAPInt> widthOf(unsigned Variable) const;

private:
  /// What each variable is the sum of; empty: of nothing else.
  using Parts = std::vector<std::pair<unsigned, DynamicAPInt>>;
  struct Limit {
    unsigned Variable, Reason;
    bool IsUpper;
    DynamicAPInt Value;
  };
  void startAgain();

  std::vector<std::shared_ptr<const Parts>> Sums;
  std::vector<Limit> Limits;
  Tableau<MachineNumber> Fast;
  /// In place of Fast, once numbers were too large for it.
  std::optional<Tableau<DynamicAPInt>> Exact;
};

} // namespace unravel

#endif // UNRAVEL_ANALYSIS_PROOF_SIMPLEX_H
