//===- WordComparisons.cpp - What words are known to be -------------------===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Comparisons as operations, as facts and as questions: which word is greater,
// whether two are equal.
//
//===----------------------------------------------------------------------===//

#include "transforms/certify/WordEncoder.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace unravel {

bool WordEncoder::compare(CmpInst::Predicate P, const Word &A, const Word &B) {
  if (CmpInst::isFalseWhenEqual(P))
    return !compare(CmpInst::getInversePredicate(P), A, B);
  bool IsSigned =
      ICmpInst::isEquality(P) ? A.Signed && B.Signed : CmpInst::isSigned(P);
  if (ICmpInst::isEquality(P) && bitsOf(A) == bitsOf(B))
    return true;
  Polynomial Difference =
      IsSigned ? signedOf(A) - signedOf(B) : unsignedOf(A) - unsignedOf(B);
  if (ICmpInst::isEquality(P))
    return C.isNotNegative(Difference) && C.isNotNegative(-Difference);
  bool IsGreater = P == CmpInst::ICMP_UGE || P == CmpInst::ICMP_SGE;
  return C.isNotNegative(IsGreater ? Difference : -Difference);
}

bool WordEncoder::follows(CmpInst::Predicate P, const Word &A, const Word &B) {
  static constexpr unsigned Splits = 1;
  if (ICmpInst::isEquality(P))
    return false; // nothing that a loop is repeated on
  Polynomial Difference = CmpInst::isSigned(P) ? signedOf(A) - signedOf(B)
                                               : unsignedOf(A) - unsignedOf(B);
  bool IsGreater = ICmpInst::isGT(P) || ICmpInst::isGE(P);
  return C.Proofs.proves((IsGreater ? Difference : -Difference) -
                             int64_t(CmpInst::isStrictPredicate(P)),
                         Splits);
}

void WordEncoder::assume(CmpInst::Predicate P, const Word &A, const Word &B) {
  bool IsEquality = ICmpInst::isEquality(P);
  bool IsSigned = IsEquality ? A.Signed && B.Signed : CmpInst::isSigned(P);
  Polynomial Difference =
      IsSigned ? signedOf(A) - signedOf(B) : unsignedOf(A) - unsignedOf(B);
  if (P == CmpInst::ICMP_NE) {
    // Said of whole numbers on one side: not 0 is above it, or below it.
    if (C.Proofs.proves(Difference, 0))
      C.assume(Difference - 1);
    else if (C.Proofs.proves(-Difference, 0))
      C.assume(-Difference - 1);
    return;
  }
  bool IsGreater = ICmpInst::isGT(P) || ICmpInst::isGE(P);
  int64_t Strict = CmpInst::isStrictPredicate(P) && !IsEquality;
  if (IsEquality || IsGreater)
    C.assume(Difference - Strict);
  if (IsEquality || !IsGreater)
    C.assume(-Difference - Strict);
}

bool WordEncoder::isZero(const Polynomial &Sum) {
  Polynomial P = unnamed(Sum, false);
  if (P.isConstant())
    return P.constant() == 0;
  // A product is 0 if one of its factors is: of a variable that all terms have,
  // and what is left.
  DynamicAPInt Number = gcd(P.gcdOfCoefficients(), abs(P.constant()));
  Polynomial Rest = P.mapped(
      [&](const Monomial &, const DynamicAPInt &F) { return F / Number; });
  SmallVector<Polynomial, 4> Factors;
  for (unsigned V : Monomial(P.terms()[0].first)) {
    if (!all_of(Rest.terms(), [&](const Polynomial::Term &T) {
          return is_contained(T.first, V);
        }))
      continue;
    Factors.push_back(Polynomial::variable(V));
    Polynomial Without;
    for (const auto &[M, F] : Rest.terms()) {
      Monomial Others(M);
      Others.erase(find(Others, V));
      Without = Without + Polynomial::monomial(Others) * F;
    }
    Rest = Without;
  }
  Factors.insert(Factors.begin(), Rest);
  return any_of(Factors, [&](const Polynomial &F) {
    return (!F.isConstant() || F.constant() == 0) &&
           C.Proofs.proves(F, SplitsForClaim) &&
           C.Proofs.proves(-F, SplitsForClaim);
  });
}

bool WordEncoder::isNotZero(const Polynomial &P, unsigned Splits) {
  if (C.Proofs.provesNotZero(P, Splits))
    return true;
  Polynomial Product = unnamed(P, false);
  return Product.terms().size() == 1 &&
         all_of(Product.terms()[0].first, [&](unsigned V) {
           return C.Proofs.provesNotZero(Polynomial::variable(V), Splits);
         });
}

bool WordEncoder::areEqual(const Word &A, const Word &B) {
  if (A.Width == 1)
    return isTrue(A) == isTrue(B);
  // Modulo 2^w first: multiples of it need not be explained.
  Polynomial Difference = balanced(bitsOf(A) - bitsOf(B), A.Width),
             Source = balanced(traced(Difference, A.Width), A.Width);
  auto AreNow = [&] {
    return isZero(Source) || (Source != Difference && isZero(Difference)) ||
           isZero(unsignedOf(A) - unsignedOf(B));
  };
  return AreNow() || (settleQuotients(Source) && AreNow());
}

} // namespace unravel
