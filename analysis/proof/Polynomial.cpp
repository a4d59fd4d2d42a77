//===- Polynomial.cpp - Polynomials with integer coefficients -------------===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "analysis/proof/Polynomial.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/raw_ostream.h"
#include <map>

using namespace llvm;

namespace unravel {

static bool comesBefore(const Monomial &A, const Monomial &B) {
  return A.size() != B.size() ? A.size() < B.size() : A < B;
}

Polynomial::Polynomial(const DynamicAPInt &Constant)
    : Polynomial(Constant == 0 ? std::vector<Term>()
                               : std::vector<Term>{{Monomial(), Constant}}) {}

Polynomial Polynomial::variable(unsigned Number) { return monomial({Number}); }

Polynomial Polynomial::monomial(const Monomial &M) {
  return Polynomial(std::vector<Term>{{M, DynamicAPInt(1)}});
}

DynamicAPInt Polynomial::gcdOfCoefficients() const {
  DynamicAPInt Result(0);
  for (const auto &[M, C] : terms())
    if (!M.empty())
      Result = gcd(Result, abs(C));
  return Result;
}

Polynomial Polynomial::operator-() const {
  return mapped([](const Monomial &, const DynamicAPInt &C) { return -C; });
}

Polynomial Polynomial::operator+(const Polynomial &Other) const {
  if (!Shared || !Other.Shared)
    return Shared ? *this : Other;
  std::vector<Term> Sum;
  Sum.reserve(terms().size() + Other.terms().size());
  auto A = terms().begin(), B = Other.terms().begin();
  auto EndOfA = terms().end(), EndOfB = Other.terms().end();
  while (A != EndOfA || B != EndOfB) {
    if (B == EndOfB || (A != EndOfA && comesBefore(A->first, B->first))) {
      Sum.push_back(*A++);
    } else if (A == EndOfA || comesBefore(B->first, A->first)) {
      Sum.push_back(*B++);
    } else {
      if (DynamicAPInt C = A->second + B->second; C != 0)
        Sum.emplace_back(A->first, std::move(C));
      ++A, ++B;
    }
  }
  return Polynomial(std::move(Sum));
}

Polynomial Polynomial::operator-(const Polynomial &Other) const {
  return *this + -Other;
}

Polynomial Polynomial::operator*(const DynamicAPInt &Factor) const {
  return mapped(
      [&](const Monomial &, const DynamicAPInt &C) { return C * Factor; });
}

Polynomial Polynomial::operator*(const Polynomial &Other) const {
  Polynomial Product;
  for (const auto &[M, C] : terms()) {
    std::vector<Term> Part;
    Part.reserve(Other.terms().size());
    for (const auto &[N, D] : Other.terms()) {
      Monomial Both(M);
      Both.append(N.begin(), N.end());
      sort(Both);
      Part.emplace_back(std::move(Both), C * D);
    }
    sort(Part, [](const Term &A, const Term &B) {
      return comesBefore(A.first, B.first);
    });
    Product = Product + Polynomial(std::move(Part));
  }
  return Product;
}

bool Polynomial::operator<(const Polynomial &Other) const {
  if (Shared == Other.Shared)
    return false;
  if (terms().size() != Other.terms().size())
    return terms().size() < Other.terms().size();
  for (const auto &[A, B] : zip(terms(), Other.terms())) {
    if (A.first != B.first)
      return comesBefore(A.first, B.first);
    if (A.second != B.second)
      return A.second < B.second;
  }
  return false;
}

std::string Polynomial::text() const {
  std::string Text;
  raw_string_ostream OS(Text);
  for (const auto &[M, C] : reverse(terms())) {
    bool IsFirst = Text.empty();
    OS << (C < 0 ? (IsFirst ? "-" : " - ") : (IsFirst ? "" : " + "));
    if (M.empty() || abs(C) != 1)
      OS << abs(C) << (M.empty() ? "" : "*");
    interleave(M, OS, [&](unsigned V) { OS << 'v' << V; }, "*");
  }
  return Text.empty() ? "0" : Text;
}

} // namespace unravel
