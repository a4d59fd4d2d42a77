//===- PointProgram.h - Forms as straight-line code -------------*- C++ -*-===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Evaluating a form at a million points is what is left where no rule applies.
// A program evaluates every atom of several forms once for each point.
//
//===----------------------------------------------------------------------===//

#ifndef UNRAVEL_ANALYSIS_TILES_POINTPROGRAM_H
#define UNRAVEL_ANALYSIS_TILES_POINTPROGRAM_H

#include "analysis/algebra/IndexExpr.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallVector.h"
#include <vector>

namespace unravel {

class PointProgram {
public:
  /// \p Variables are the atoms that have a value at a point, in its order.
  /// \p Forms are over these.
  PointProgram(llvm::ArrayRef<const IndexAtom *> Variables,
               llvm::ArrayRef<IndexExpr> Forms);

  /// The values of the forms at \p Point, valid until the next call. A value
  /// is nullopt by the rules of unravel::evaluate.
  llvm::ArrayRef<std::optional<int64_t>> run(llvm::ArrayRef<int64_t> Point);

private:
  struct Sum {
    int64_t Constant;
    /// Register and coefficient.
    llvm::SmallVector<std::pair<unsigned, int64_t>, 4> Terms;
  };
  struct Step {
    const IndexAtom *Atom;
    Sum Operand, Divisor;
    llvm::SmallVector<unsigned, 2> Factors;
  };
  Sum sumOf(IndexExpr E) const;
  std::optional<int64_t> valueOf(const Sum &S) const;
  std::optional<int64_t> valueOf(const Step &S) const;

  size_t NumVariables;
  llvm::DenseMap<const IndexAtom *, unsigned> RegisterOf;
  std::vector<Step> Steps;
  std::vector<Sum> Forms;
  std::vector<std::optional<int64_t>> Registers, Values;
};

} // namespace unravel

#endif // UNRAVEL_ANALYSIS_TILES_POINTPROGRAM_H
