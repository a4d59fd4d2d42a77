//===- Polynomial.h - Polynomials with integer coefficients -----*- C++ -*-===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Sums of products of numbered variables. Coefficients have no limit, so that
// nothing here overflows or gives up. Copies share their terms, which never
// change. This is what certificates talk about; it shares no code with the
// index forms of the algebra, which it checks.
//
//===----------------------------------------------------------------------===//

#ifndef UNRAVEL_ANALYSIS_PROOF_POLYNOMIAL_H
#define UNRAVEL_ANALYSIS_PROOF_POLYNOMIAL_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/DynamicAPInt.h"
#include "llvm/ADT/IntrusiveRefCntPtr.h"
#include "llvm/ADT/SmallVector.h"
#include <string>
#include <utility>
#include <vector>

namespace unravel {

using llvm::DynamicAPInt;

/// The variables of a product in ascending order, each as often as it is a
/// factor. The empty product is 1.
using Monomial = llvm::SmallVector<unsigned, 2>;

class Polynomial {
public:
  using Term = std::pair<Monomial, DynamicAPInt>;

  Polynomial() = default;
  explicit Polynomial(const DynamicAPInt &Constant);
  explicit Polynomial(int64_t Constant) : Polynomial(DynamicAPInt(Constant)) {}
  static Polynomial variable(unsigned Number);
  static Polynomial monomial(const Monomial &M);

  /// By degree, then by variables: the constant is first. No coefficient is 0.
  llvm::ArrayRef<Term> terms() const {
    return Shared ? llvm::ArrayRef<Term>(Shared->All) : llvm::ArrayRef<Term>();
  }
  bool isConstant() const {
    return !Shared || (terms().size() == 1 && terms()[0].first.empty());
  }
  DynamicAPInt constant() const {
    return Shared && terms()[0].first.empty() ? terms()[0].second
                                              : DynamicAPInt(0);
  }
  unsigned degree() const { return Shared ? terms().back().first.size() : 0; }
  /// Of the coefficients of all terms but the constant; 0 if there are none.
  DynamicAPInt gcdOfCoefficients() const;

  /// Replaces every coefficient, the constant as well, by what \p Map gives.
  template <typename Function> Polynomial mapped(Function Map) const {
    std::vector<Term> Result;
    Result.reserve(terms().size());
    for (const auto &[M, C] : terms())
      if (DynamicAPInt New = Map(M, C); New != 0)
        Result.emplace_back(M, std::move(New));
    return Polynomial(std::move(Result));
  }

  Polynomial operator-() const;
  Polynomial operator+(const Polynomial &Other) const;
  Polynomial operator-(const Polynomial &Other) const;
  Polynomial operator*(const Polynomial &Other) const;
  Polynomial operator*(const DynamicAPInt &Factor) const;
  Polynomial operator+(int64_t C) const { return *this + Polynomial(C); }
  Polynomial operator-(int64_t C) const { return *this - Polynomial(C); }
  bool operator==(const Polynomial &Other) const {
    return Shared == Other.Shared || terms() == Other.terms();
  }
  bool operator!=(const Polynomial &Other) const { return !(*this == Other); }
  /// Some total order, for maps.
  bool operator<(const Polynomial &Other) const;

  /// For remarks and tests: "3*v0*v1 - v2 + 7".
  std::string text() const;

private:
  struct TermList : llvm::RefCountedBase<TermList> {
    explicit TermList(std::vector<Term> All) : All(std::move(All)) {}
    const std::vector<Term> All;
  };
  explicit Polynomial(std::vector<Term> Terms) {
    if (!Terms.empty())
      Shared = llvm::makeIntrusiveRefCnt<TermList>(std::move(Terms));
  }

  llvm::IntrusiveRefCntPtr<TermList> Shared; ///< Null: 0
};

} // namespace unravel

#endif // UNRAVEL_ANALYSIS_PROOF_POLYNOMIAL_H
