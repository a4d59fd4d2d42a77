//===- FloorBasis.h - Division, min and max on index forms ------*- C++ -*-===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The constructors of the floor basis. Sums and products with constants are
// free (IndexContext); building a division is the only place with rules, and
// each of them is an identity on integers whose side condition is a range or
// a congruence that the domain proves.
//
// A result is valid on the domain it was built in, and in every child of it.
// All functions return null if they give up (see IndexExpr.h); a null operand
// gives a null result, and so does the constant zero as a divisor. A divisor
// that is a form may be zero somewhere; the quotient has no value there.
//
//===----------------------------------------------------------------------===//

#ifndef UNRAVEL_ANALYSIS_ALGEBRA_FLOORBASIS_H
#define UNRAVEL_ANALYSIS_ALGEBRA_FLOORBASIS_H

#include "analysis/algebra/WrittenSums.h"

namespace unravel {

class FloorBasis {
public:
  explicit FloorBasis(const IndexDomain &Domain)
      : Domain(Domain), Context(Domain.context()), Written(Domain) {}

  const IndexDomain &domain() const { return Domain; }
  IndexContext &context() const { return Context; }

  /// floor(E / Divisor), for a divisor of either sign.
  IndexExpr floorDiv(IndexExpr E, int64_t Divisor);
  /// E - Divisor * floor(E / Divisor).
  IndexExpr floorMod(IndexExpr E, int64_t Divisor);
  /// The quotient rounded up.
  IndexExpr ceilDiv(IndexExpr E, int64_t Divisor);
  /// C's quotient, rounded towards zero, and its remainder.
  IndexExpr truncDiv(IndexExpr E, int64_t Divisor);
  IndexExpr truncMod(IndexExpr E, int64_t Divisor);
  IndexExpr min(IndexExpr A, IndexExpr B);
  IndexExpr max(IndexExpr A, IndexExpr B);
  /// Of two's complement integers of unlimited width (BitOperations.cpp).
  IndexExpr bitXor(IndexExpr A, IndexExpr B);
  IndexExpr bitAnd(IndexExpr A, IndexExpr B);
  IndexExpr bitOr(IndexExpr A, IndexExpr B);

  /// The same by a divisor that is a form (SymbolicDivision.cpp).
  IndexExpr floorDiv(IndexExpr E, IndexExpr Divisor);
  IndexExpr floorMod(IndexExpr E, IndexExpr Divisor);
  IndexExpr ceilDiv(IndexExpr E, IndexExpr Divisor);
  IndexExpr truncDiv(IndexExpr E, IndexExpr Divisor);
  IndexExpr truncMod(IndexExpr E, IndexExpr Divisor);
  /// The remainder in [0, |Divisor|), and the quotient that goes with it.
  IndexExpr euclidDiv(IndexExpr E, IndexExpr Divisor);
  IndexExpr euclidMod(IndexExpr E, IndexExpr Divisor);

  /// 1 where E >= 0 (E = 0), else 0 (IndexConditions.cpp).
  IndexExpr nonNegative(IndexExpr E);
  IndexExpr zero(IndexExpr E);
  /// \p A where the condition is 1, \p B where it is 0.
  IndexExpr select(IndexExpr Condition, IndexExpr A, IndexExpr B);

  /// An atom of the kind of \p Atom, which has an operand, over another operand
  /// and, for a division, another divisor, simplified.
  IndexExpr rebuild(const IndexAtom *Atom, IndexExpr Operand,
                    IndexExpr Divisor);
  /// floor(M*X / N) as a quotient of \p X: it is floor(X/d), for d = ceil(N /
  /// M) and e = M*d - N, as long as 0 <= X and X*e < N (proof at
  /// IndexExpander::unsignedQuotient). Null if that is not so.
  IndexExpr quotientByMagicNumber(IndexExpr X, int64_t M, int64_t N);
  /// The sums and multiples of the context, as the program writes them: what
  /// is divided later may be a sum of digits (WrittenQuotients.cpp).
  IndexExpr add(IndexExpr A, IndexExpr B, int64_t Times = 1);
  IndexExpr scale(IndexExpr A, int64_t Factor);
  IndexExpr multiply(IndexExpr A, IndexExpr B);
  IndexExpr sum(llvm::ArrayRef<Summand> Summands, int64_t Constant);
  IndexExpr mapTerms(IndexExpr E,
                     llvm::function_ref<IndexExpr(const IndexAtom *)> Of);
  /// The domain's range of \p E, narrowed by what E was computed from here.
  Interval rangeOf(IndexExpr E) const { return Written.rangeOf(E); }

  /// Rebuilds \p E, which came from a parent domain or another one, with what
  /// this domain knows.
  IndexExpr simplify(IndexExpr E);

  /// Drops what was memoised. To be called when the domain learns facts;
  /// results from before stay valid.
  void forget();

private:
  IndexExpr buildFloor(IndexExpr E, int64_t D);
  IndexExpr foldPoint(IndexExpr E);
  std::optional<int64_t> periodOf(IndexExpr B, IndexExpr G);
  IndexExpr wholePeriods(IndexExpr F, IndexExpr G, IndexExpr U);
  IndexExpr quotientOfProduct(IndexExpr F, int64_t D);
  IndexExpr quotientOfQuotient(IndexExpr E, int64_t D);
  IndexExpr wholePeriodsOfSum(const WrittenSum &Sum, int64_t D, int64_t G);
  IndexExpr quotientOfSum(IndexExpr F, int64_t D);
  IndexExpr buildTrunc(IndexExpr E, int64_t D);
  IndexExpr truncOfTruncation(IndexExpr F, IndexExpr D);
  IndexExpr buildNegativePart(IndexExpr E);
  IndexExpr negativePart(IndexExpr E);
  IndexExpr minOfQuotients(IndexExpr Difference, IndexExpr B);
  IndexExpr buildSymbolicFloor(IndexExpr F, IndexExpr D);
  IndexExpr symbolicCommonFactor(IndexExpr R, IndexExpr &D);
  IndexExpr symbolicFlatten(IndexExpr R, IndexExpr &D);
  IndexExpr withoutSmallPart(IndexExpr E);
  IndexExpr buildNonNegative(IndexExpr E);
  void collectXor(IndexExpr E, llvm::SmallVectorImpl<IndexExpr> &Operands,
                  int64_t &Constant);
  IndexExpr xorOf(llvm::ArrayRef<IndexExpr> Parts, int64_t Constant);
  IndexExpr xorByDigits(llvm::ArrayRef<IndexExpr> Operands, int64_t Constant);
  IndexExpr quotientOfXor(const IndexAtom *Xor, int64_t D);
  IndexExpr simplifyAtom(const IndexAtom *Atom);
  IndexExpr joinQuotients(IndexExpr E);

  const IndexDomain &Domain;
  IndexContext &Context;
  WrittenSums Written;
  llvm::DenseMap<std::pair<IndexExpr, int64_t>, IndexExpr> Floors;
  llvm::DenseMap<std::pair<IndexExpr, int64_t>, IndexExpr> Truncs;
  llvm::DenseMap<IndexExpr, IndexExpr> NegativeParts;
  llvm::DenseMap<std::pair<IndexExpr, IndexExpr>, IndexExpr> SymbolicFloors;
  llvm::DenseMap<IndexExpr, IndexExpr> NonNegatives;
  llvm::DenseMap<std::pair<IndexExpr, IndexExpr>, IndexExpr> Xors;
  llvm::DenseMap<IndexExpr, IndexExpr> Simplified;
};

} // namespace unravel

#endif // UNRAVEL_ANALYSIS_ALGEBRA_FLOORBASIS_H
