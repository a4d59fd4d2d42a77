//===- DomainSampler.h - Some points of a domain -----------------*- C++
//-*-===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A search for the proof of an inequality is long when there is none, and most
// questions about kernels have the answer no. A point of the domain at which
// the inequality fails says so at once: whatever is derived from the facts
// holds at every point that satisfies them.
//
// The points are small sizes and indices, where most false claims fail, and
// the ends of ranges, where words overflow; each is moved by one variable at a
// time until the facts hold. They only ever say that a proof does not exist, so
// a point that is wrong costs precision, never correctness. Deterministic: the
// same facts give the same points.
//
//===----------------------------------------------------------------------===//

#ifndef UNRAVEL_ANALYSIS_ALGEBRA_DOMAINSAMPLER_H
#define UNRAVEL_ANALYSIS_ALGEBRA_DOMAINSAMPLER_H

#include "analysis/algebra/IndexDomain.h"
#include "llvm/ADT/EquivalenceClasses.h"
#include <array>

namespace unravel {

class DomainSampler {
public:
  /// Points of \p Domain, made from those of its parent. They know nothing of
  /// facts that the domain learns later.
  explicit DomainSampler(const IndexDomain &Domain);

  /// Whether E < 0 at one of the points.
  bool refuteNonNegative(IndexExpr E);
  /// Whether floor(E / D) differs between two of the points.
  bool refuteConstantQuotient(IndexExpr E, int64_t D);
  /// Whether A and B share a variable, or facts tie one of A's to one of B's.
  bool mayRelate(IndexExpr A, IndexExpr B) const;

  /// How many there are; facts may leave fewer that satisfy them.
  static constexpr unsigned Count = 32;

private:
  /// The value of something at a point.
  struct Number {
    enum { Exact, OnlySign, None } State = Exact;
    /// If only the sign is known, because it leaves 64 bits: 1 or -1.
    int64_t Value = 0;

    Number() = default;
    Number(int64_t Value) : Value(Value) {}
    static Number none();
    static Number beyond64Bits(bool Negative);
    bool isExact() const { return State == Exact; }
    bool isNegative() const { return State != None && Value < 0; }
    Number operator+(const Number &Other) const;
    Number operator*(const Number &Other) const;
    Number dividedBy(const Number &Divisor, bool RoundDown) const;
  };
  /// The values at every point.
  using Row = std::array<Number, Count>;
  /// One bit for every point.
  using PointSet = uint32_t;
  static constexpr PointSet AllPoints = ~PointSet(0);
  struct Fact {
    IndexExpr Expr;
    Interval Range;
    Congruence Lattice;
  };

  Row rowOf(IndexExpr E);
  const Row &rowOf(const IndexAtom *Atom);
  Row computeRow(const IndexAtom *Atom);
  Row &rowOfVariable(const IndexAtom *Variable);
  int64_t firstValue(const IndexAtom *Variable, unsigned Point) const;
  int64_t fit(const IndexAtom *Variable, int64_t Value) const;

  const IndexAtom *classOf(const IndexAtom *Variable) const;
  PointSet pointsFor(IndexExpr E) const;
  size_t collectFacts();
  PointSet fitVariables();
  PointSet satisfy(const Fact &F);
  bool moveOne(const Fact &F, unsigned Point, int64_t Value);
  void findViolations();

  const IndexDomain &Domain;
  llvm::SmallVector<Fact, 8> Facts;
  llvm::DenseMap<const IndexAtom *, Row> Variables;
  /// What rows are computed for; the other points of a row mean nothing.
  PointSet Active = AllPoints;
  /// Of atoms that are no variables, until a variable changes.
  llvm::DenseMap<const IndexAtom *, Row> Derived;
  /// Variables that facts relate to each other; for the leader of each class,
  /// the points at which some fact about them does not hold.
  llvm::EquivalenceClasses<const IndexAtom *> Related;
  llvm::DenseMap<const IndexAtom *, PointSet> Violated;
};

} // namespace unravel

#endif // UNRAVEL_ANALYSIS_ALGEBRA_DOMAINSAMPLER_H
