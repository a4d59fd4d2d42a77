//===- Certificate.h - Proofs that can be checked ---------------*- C++ -*-===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A refutation shows that no integers make all of some polynomials, its
// hypotheses, non-negative at once. It is a tree. A node derives lines from
// lines, each a polynomial that is not negative wherever the hypotheses are
// not:
//
//   Given     a hypothesis
//   Product   p*q of two lines
//   Quotient  floor(p/g), where g > 0 divides all coefficients of p but the
//             constant: p/g is an integer plus constant/g, and not negative,
//             so the integer plus floor(constant/g) is not negative either
//   Weaken    p + c, for a line p and c >= 0
//   Substitute  p + f*z for a line p, any polynomial f, and a line z whose
//             opposite -z is a line as well, so that z = 0
//
// and ends in one of two ways:
//
//   Sum       lines times positive numbers add up to a negative constant,
//             which is impossible
//   Split     two nodes, one with the line f, one with the line -f - 1: of an
//             integer f, one of them is not negative
//
// What finds a refutation (ProofSearch.h) need not be trusted: isRefutation()
// in Certificate.cpp follows it, and is all that has to be right.
//
//===----------------------------------------------------------------------===//

#ifndef UNRAVEL_ANALYSIS_PROOF_CERTIFICATE_H
#define UNRAVEL_ANALYSIS_PROOF_CERTIFICATE_H

#include "analysis/proof/Polynomial.h"
#include <memory>

namespace unravel {

struct Inference {
  enum Kind { Given, Product, Quotient, Weaken, Substitute } Rule;
  /// A hypothesis (Given) or lines, by number.
  unsigned A = 0, B = 0, C = 0;
  DynamicAPInt Number = DynamicAPInt(1);
  Polynomial Factor = Polynomial();

  static Inference given(unsigned Hypothesis) { return {Given, Hypothesis}; }
  static Inference product(unsigned A, unsigned B) { return {Product, A, B}; }
  static Inference quotient(unsigned Line, const DynamicAPInt &Divisor) {
    return {Quotient, Line, 0, 0, Divisor};
  }
  static Inference weaken(unsigned Line, const DynamicAPInt &Number) {
    return {Weaken, Line, 0, 0, Number};
  }
  static Inference substitute(unsigned Line, unsigned Zero, unsigned Opposite,
                              const Polynomial &Factor) {
    return {Substitute, Line, Zero, Opposite, DynamicAPInt(1), Factor};
  }
};

struct Refutation {
  /// What is derived here; the lines are numbered on from those of the nodes
  /// above, of which a split adds one.
  std::vector<Inference> Lines;
  std::vector<std::pair<unsigned, DynamicAPInt>> Sum;
  /// The line f that is added to the first node, as -f - 1 to the second.
  Polynomial Split;
  std::unique_ptr<Refutation> IfNotNegative, IfNegative;

  /// The nodes of the tree.
  unsigned size() const;
};

/// Whether \p R refutes \p Hypotheses.
bool isRefutation(llvm::ArrayRef<Polynomial> Hypotheses, const Refutation &R);

} // namespace unravel

#endif // UNRAVEL_ANALYSIS_PROOF_CERTIFICATE_H
