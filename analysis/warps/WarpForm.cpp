//===- WarpForm.cpp - A number in each lane of a warp ---------------------===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "analysis/warps/WarpForm.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"
#include <numeric>

using namespace llvm;

namespace unravel {

static LaneNumbers everywhere(int64_t Value) {
  LaneNumbers Numbers;
  Numbers.fill(Value);
  return Numbers;
}

static bool isSame(const LaneNumbers &Numbers) { return all_equal(Numbers); }

bool WarpTerm::isUniform() const { return isSame(Coefficients); }

WarpForm WarpForm::constant(int64_t Value) {
  WarpForm Form;
  Form.Constants = everywhere(Value);
  return Form;
}

WarpForm WarpForm::symbol(unsigned Symbol, int64_t Coefficient) {
  WarpForm Form;
  if (Coefficient != 0)
    Form.Terms.push_back({Symbol, everywhere(Coefficient)});
  return Form;
}

bool WarpForm::hasUniformTerms() const {
  return all_of(Terms, [](const WarpTerm &T) { return T.isUniform(); });
}

bool WarpForm::isUniform() const {
  return isSame(Constants) && hasUniformTerms();
}

std::optional<int64_t> WarpForm::asConstant() const {
  if (!isConcrete() || !isSame(Constants))
    return std::nullopt;
  return Constants[0];
}

bool WarpForm::operator==(const WarpForm &Other) const {
  auto IsSameTerm = [](const WarpTerm &A, const WarpTerm &B) {
    return A.Symbol == B.Symbol && A.Coefficients == B.Coefficients;
  };
  return Constants == Other.Constants && Terms.size() == Other.Terms.size() &&
         std::equal(Terms.begin(), Terms.end(), Other.Terms.begin(),
                    IsSameTerm);
}

/// A += Times * B; false if a number leaves 64 bits.
static bool addTo(LaneNumbers &A, const LaneNumbers &B, int64_t Times) {
  for (unsigned L = 0; L < LanesPerWarp; ++L) {
    int64_t Product;
    if (MulOverflow(B[L], Times, Product) || AddOverflow(A[L], Product, A[L]))
      return false;
  }
  return true;
}

static bool multiply(LaneNumbers &A, const LaneNumbers &B) {
  for (unsigned L = 0; L < LanesPerWarp; ++L)
    if (MulOverflow(A[L], B[L], A[L]))
      return false;
  return true;
}

static bool isZero(const WarpTerm &T) {
  return all_of(T.Coefficients, [](int64_t C) { return C == 0; });
}

std::optional<WarpForm> add(const WarpForm &A, const WarpForm &B,
                            int64_t Times) {
  WarpForm Sum = A;
  if (!addTo(Sum.Constants, B.Constants, Times))
    return std::nullopt;
  for (const WarpTerm &T : B.Terms) {
    auto *It = llvm::lower_bound(
        Sum.Terms, T.Symbol,
        [](const WarpTerm &Term, unsigned S) { return Term.Symbol < S; });
    if (It == Sum.Terms.end() || It->Symbol != T.Symbol)
      It = Sum.Terms.insert(It, {T.Symbol, everywhere(0)});
    if (!addTo(It->Coefficients, T.Coefficients, Times))
      return std::nullopt;
  }
  llvm::erase_if(Sum.Terms, isZero);
  return Sum;
}

std::optional<WarpForm> scale(const WarpForm &A, const LaneNumbers &B) {
  WarpForm Product = A;
  if (!multiply(Product.Constants, B))
    return std::nullopt;
  for (WarpTerm &T : Product.Terms)
    if (!multiply(T.Coefficients, B))
      return std::nullopt;
  llvm::erase_if(Product.Terms, isZero);
  return Product;
}

std::optional<WarpForm> scale(const WarpForm &A, int64_t Factor) {
  return scale(A, everywhere(Factor));
}

int64_t gcdOfCoefficients(const WarpForm &A) {
  uint64_t Gcd = 0;
  for (const WarpTerm &T : A.Terms)
    for (int64_t C : T.Coefficients)
      Gcd = std::gcd(Gcd, C < 0 ? -uint64_t(C) : uint64_t(C));
  // 2^63 itself is no int64_t, but divides by half of it.
  return Gcd > uint64_t(INT64_MAX) ? int64_t(Gcd / 2) : int64_t(Gcd);
}

} // namespace unravel
