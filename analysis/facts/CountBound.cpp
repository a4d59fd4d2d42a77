//===- CountBound.cpp - Upper bounds that hold for a whole launch ---------===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "analysis/facts/CountBound.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/CheckedArithmetic.h"
#include "llvm/Support/MathExtras.h"
#include <algorithm>
#include <iterator>

using namespace llvm;

namespace unravel {

// What a test at kernel entry computes at most. Products of four sizes and
// sums of a bound and a stride are what kernels have.
static constexpr size_t MaxMonomials = 4, MaxDegree = 5;
static constexpr uint64_t MaxCoefficient = uint64_t(1) << 31;

CountBound CountBound::constant(uint64_t C) {
  CountBound Result;
  if (C != 0)
    Result.Monomials.push_back({C, {}});
  return Result;
}

CountBound CountBound::symbol(unsigned S) {
  CountBound Result;
  Result.Monomials.push_back({1, {S}});
  return Result;
}

uint64_t CountBound::constantTerm() const {
  bool HasOne = !Monomials.empty() && Monomials.front().Symbols.empty();
  return HasOne ? Monomials.front().Coefficient : 0;
}

/// Returns false beyond the limits.
bool CountBound::add(Monomial M) {
  auto It = lower_bound(Monomials, M, [](const Monomial &A, const Monomial &B) {
    return A.Symbols < B.Symbols;
  });
  if (It != Monomials.end() && It->Symbols == M.Symbols)
    It->Coefficient = SaturatingAdd(It->Coefficient, M.Coefficient);
  else
    It = Monomials.insert(It, std::move(M));
  return It->Coefficient <= MaxCoefficient && It->Symbols.size() <= MaxDegree &&
         Monomials.size() <= MaxMonomials;
}

std::optional<CountBound> CountBound::plus(const CountBound &Other) const {
  CountBound Sum = *this;
  for (const Monomial &M : Other.Monomials)
    if (!Sum.add(M))
      return std::nullopt;
  return Sum;
}

std::optional<CountBound> CountBound::times(const CountBound &Other) const {
  CountBound Product;
  for (const Monomial &A : Monomials)
    for (const Monomial &B : Other.Monomials) {
      std::optional<uint64_t> Coefficient =
          checkedMulUnsigned(A.Coefficient, B.Coefficient);
      if (!Coefficient)
        return std::nullopt;
      Monomial M{*Coefficient, A.Symbols};
      append_range(M.Symbols, B.Symbols);
      sort(M.Symbols);
      if (!Product.add(std::move(M)))
        return std::nullopt;
    }
  return Product;
}

CountBound CountBound::withoutOne() const {
  CountBound Result = *this;
  if (constantTerm() > 0 && --Result.Monomials.front().Coefficient == 0)
    Result.Monomials.erase(Result.Monomials.begin());
  return Result;
}

uint64_t
CountBound::largestValue(function_ref<uint64_t(unsigned Symbol)> Most) const {
  uint64_t Sum = 0;
  for (const Monomial &M : Monomials) {
    uint64_t Product = M.Coefficient;
    for (unsigned S : M.Symbols)
      Product = SaturatingMultiply(Product, Most(S));
    Sum = SaturatingAdd(Sum, Product);
  }
  return Sum;
}

bool CountBound::isAtMost(
    const CountBound &Larger,
    function_ref<bool(unsigned Symbol)> IsPositive) const {
  auto Fits = [&](const Monomial &M, const Monomial &L) {
    SmallVector<unsigned, 4> Rest;
    std::set_difference(L.Symbols.begin(), L.Symbols.end(), M.Symbols.begin(),
                        M.Symbols.end(), std::back_inserter(Rest));
    return M.Coefficient <= L.Coefficient &&
           Rest.size() + M.Symbols.size() == L.Symbols.size() &&
           all_of(Rest, IsPositive);
  };
  // Each monomial needs one of its own that has its factors and further ones
  // of at least 1. Those with most factors, which fit least, choose first, and
  // take what fits closest. (A pairing may still be missed.)
  SmallVector<const Monomial *, 4> Order;
  for (const Monomial &M : Monomials)
    Order.push_back(&M);
  stable_sort(Order, [](const Monomial *A, const Monomial *B) {
    return A->Symbols.size() > B->Symbols.size();
  });
  SmallVector<bool, 4> Used(Larger.Monomials.size(), false);
  return all_of(Order, [&](const Monomial *M) {
    std::optional<size_t> Closest;
    for (auto [Index, L] : enumerate(Larger.Monomials))
      if (!Used[Index] && Fits(*M, L) &&
          (!Closest ||
           L.Symbols.size() < Larger.Monomials[*Closest].Symbols.size()))
        Closest = Index;
    if (Closest)
      Used[*Closest] = true;
    return Closest.has_value();
  });
}

} // namespace unravel
