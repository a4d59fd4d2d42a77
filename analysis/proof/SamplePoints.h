//===- SamplePoints.h - Solutions that refute what is false -----*- C++ -*-===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Most questions that cannot be proved are false. Points at which all
// hypotheses hold show that for the price of an evaluation; a search would use
// up its budget. Variables get random values of all magnitudes, those that
// stand for a quotient get what it is, and points that break a hypothesis go.
// Nothing is believed because of points, so they may be as few or as wrong as
// they like.
//
//===----------------------------------------------------------------------===//

#ifndef UNRAVEL_ANALYSIS_PROOF_SAMPLEPOINTS_H
#define UNRAVEL_ANALYSIS_PROOF_SAMPLEPOINTS_H

#include "analysis/proof/MachineNumber.h"
#include "analysis/proof/Polynomial.h"
#include <optional>

namespace unravel {

class SamplePoints {
public:
  SamplePoints();

  /// What the value of a variable is: anything between two numbers,
  /// floor(A / B), or the greater one of A and B.
  enum Kind { Any, Quotient, Greater };
  void addVariable(Kind K, const Polynomial &A, const Polynomial &B,
                   const DynamicAPInt &Low, const DynamicAPInt &High);
  /// Only points at which \p P is not negative stay.
  void restrict(const Polynomial &P);

  /// Whether none of \p All is negative at one of the points.
  bool satisfy(llvm::ArrayRef<Polynomial> All) const;
  /// The value of a variable, if all points agree, and there are any.
  std::optional<DynamicAPInt> onlyValueOf(unsigned Variable) const;
  bool empty() const { return Points.empty(); }

private:
  using Number = MachineNumber;
  struct Point {
    std::vector<Number> Values;
    unsigned Style;
    uint64_t Seed;
    uint64_t random();
  };
  using Terms = std::vector<std::pair<Monomial, Number>>;
  /// A variable, or a hypothesis A.
  struct Step {
    bool IsVariable;
    Kind K;
    Terms A, B;
    Number Low, High;
  };
  static bool convertAll(const Polynomial &P, Terms &To);
  static bool evaluate(const Terms &P, const Point &At, Number &Value);
  static Number choose(Point &At, Number Low, Number High);
  static bool follow(const Step &S, Point &At);
  void add(Step S);
  void repair(const std::vector<Point> &Lost);

  std::vector<Step> Steps;
  std::vector<Point> Points;
  /// Whether something was too large for the numbers here.
  bool IsLost = false;
};

} // namespace unravel

#endif // UNRAVEL_ANALYSIS_PROOF_SAMPLEPOINTS_H
