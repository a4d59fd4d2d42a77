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

Polynomial::Polynomial(const DynamicAPInt &Constant) {
  if (Constant != 0)
    Terms.emplace_back(Monomial(), Constant);
}

Polynomial Polynomial::variable(unsigned Number) { return monomial({Number}); }

Polynomial Polynomial::monomial(const Monomial &M) {
  Polynomial Result;
  Result.Terms.emplace_back(M, DynamicAPInt(1));
  return Result;
}

DynamicAPInt Polynomial::gcdOfCoefficients() const {
  DynamicAPInt Result(0);
  for (const auto &[M, C] : Terms)
    if (!M.empty())
      Result = gcd(Result, abs(C));
  return Result;
}

Polynomial Polynomial::operator-() const {
  return mapped([](const Monomial &, const DynamicAPInt &C) { return -C; });
}

Polynomial Polynomial::operator+(const Polynomial &Other) const {
  Polynomial Sum;
  auto A = Terms.begin(), B = Other.Terms.begin();
  while (A != Terms.end() || B != Other.Terms.end()) {
    if (B == Other.Terms.end() ||
        (A != Terms.end() && comesBefore(A->first, B->first))) {
      Sum.Terms.push_back(*A++);
    } else if (A == Terms.end() || comesBefore(B->first, A->first)) {
      Sum.Terms.push_back(*B++);
    } else {
      if (DynamicAPInt C = A->second + B->second; C != 0)
        Sum.Terms.emplace_back(A->first, C);
      ++A, ++B;
    }
  }
  return Sum;
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
  for (const auto &[M, C] : Terms) {
    Polynomial Part;
    for (const auto &[N, D] : Other.Terms) {
      Monomial Both(M);
      Both.append(N.begin(), N.end());
      sort(Both);
      Part.Terms.emplace_back(std::move(Both), C * D);
    }
    sort(Part.Terms, [](const Term &A, const Term &B) {
      return comesBefore(A.first, B.first);
    });
    Product = Product + Part;
  }
  return Product;
}

bool Polynomial::operator<(const Polynomial &Other) const {
  if (Terms.size() != Other.Terms.size())
    return Terms.size() < Other.Terms.size();
  for (const auto &[A, B] : zip(Terms, Other.Terms)) {
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
  for (const auto &[M, C] : reverse(Terms)) {
    bool IsFirst = Text.empty();
    OS << (C < 0 ? (IsFirst ? "-" : " - ") : (IsFirst ? "" : " + "));
    if (M.empty() || abs(C) != 1)
      OS << abs(C) << (M.empty() ? "" : "*");
    interleave(M, OS, [&](unsigned V) { OS << 'v' << V; }, "*");
  }
  return Text.empty() ? "0" : Text;
}

} // namespace unravel
