//===- BitOperations.cpp - Exclusive or, and, of index forms --------------===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Numbers are two's complement integers of unlimited width here, so that
//
//     floor(a xor b / 2^k)  = floor(a / 2^k) xor floor(b / 2^k)
//     (a xor b) mod 2^k     = (a mod 2^k) xor (b mod 2^k)
//     -1 - (a xor b)        = (-1 - a) xor b
//
// for all integers: the quotient takes the bits from k on, the remainder those
// below, and -1 - a has every bit the other way. The atom has what is left
// after bits that only one of the operands has are split off.
//
//===----------------------------------------------------------------------===//

#include "analysis/algebra/FloorBasis.h"
#include "analysis/algebra/WholeXor.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/MathExtras.h"
#include <numeric>

using namespace llvm;

namespace unravel {

/// Powers of two beyond this one leave no room for sums.
static constexpr unsigned MaxSplitBit = 61;
/// The results of `and` and `or` hold their operands twice or more often. Of
/// deeper operands, text and time would double with each operation.
static constexpr unsigned MaxRepeatedDepth = 8;
/// The length of what may be negative.
static constexpr unsigned NoLength = MaxSplitBit + 2;

/// The largest k for which 2^k is known to divide \p E, which is not constant.
static unsigned knownZeroBits(const IndexDomain &Domain, IndexExpr E) {
  Congruence C = Domain.congruence(E);
  int64_t G = std::gcd(C.modulus(), C.residue());
  return G <= 0 ? 0 : std::min<unsigned>(countr_zero(uint64_t(G)), MaxSplitBit);
}

/// Adds \p E to what is combined: equal operands cancel, constants fold, and
/// what is an exclusive or itself, also one that was split, is taken apart.
void FloorBasis::collectXor(IndexExpr E, SmallVectorImpl<IndexExpr> &Operands,
                            int64_t &Constant) {
  if (E.isConstant()) {
    Constant ^= E.constant();
    return;
  }
  if (const IndexAtom *A = E.asAtom(); A && A->isBitXor()) {
    collectXor(A->operand(), Operands, Constant);
    collectXor(A->divisor(), Operands, Constant);
    return;
  }
  for (const IndexTerm &T : E.terms())
    for (const WholeXor &W : wholeXorsOf(Domain, E, T))
      if (W.Scale == 1 && W.Rest.isConstant(0)) {
        collectXor(W.X, Operands, Constant);
        collectXor(W.Y, Operands, Constant);
        return;
      }
  // m - X is m xor X if m has all bits that X may have.
  int64_t M = E.constant();
  if (E.terms()[0].Coefficient < 0 && (M == -1 || (M > 0 && isMask_64(M)))) {
    IndexExpr X = Context.sub(Context.constant(M), E);
    if (X && (M == -1 || Domain.isWithin(X, Interval(0, M)))) {
      Constant ^= M;
      collectXor(X, Operands, Constant);
      return;
    }
  }
  if (auto *Same = find(Operands, E); Same != Operands.end())
    Operands.erase(Same);
  else
    Operands.push_back(E);
}

IndexExpr FloorBasis::bitXor(IndexExpr A, IndexExpr B) {
  if (!A || !B)
    return {};
  // While it is being built, it is null, as in floorDiv.
  auto [It, IsNew] = Xors.try_emplace({A, B});
  if (!IsNew)
    return It->second;
  IndexExpr Result = xorOf({A, B}, 0);
  Xors[{A, B}] = Result;
  return Result;
}

IndexExpr FloorBasis::xorOf(ArrayRef<IndexExpr> Parts, int64_t Constant) {
  SmallVector<IndexExpr, 4> Operands;
  for (IndexExpr Part : Parts) {
    if (!Part)
      return {};
    collectXor(Part, Operands, Constant);
  }
  if (Constant < 0)
    return Context.sub(Context.constant(-1), xorOf(Operands, ~Constant));
  if (Operands.empty())
    return Context.constant(Constant);
  if (Operands.size() == 1 && Constant == 0)
    return Operands[0];
  if (IndexExpr Digits = xorByDigits(Operands, Constant))
    return Digits;
  llvm::sort(Operands, [](IndexExpr A, IndexExpr B) {
    return std::pair(A.terms()[0].Atom->id(), A.id()) <
           std::pair(B.terms()[0].Atom->id(), B.id());
  });
  if (Constant != 0)
    Operands.push_back(Context.constant(Constant));
  IndexExpr Result = Operands[0];
  for (IndexExpr Operand : drop_begin(Operands))
    Result = Context.rawAtom(IndexAtom::Kind::BitXor, Result, Operand);
  return foldPoint(Result);
}

/// 2^k * (xor of the quotients) + (xor of the remainders), if there is a bit k
/// at which the operands come apart: all but one have no bits below it, or
/// those that do have none from it on, or all but one are shorter. Each sum
/// has fewer operands, or shorter ones. Null if there is no such bit.
IndexExpr FloorBasis::xorByDigits(ArrayRef<IndexExpr> Operands,
                                  int64_t Constant) {
  auto BitsOf = [&](IndexExpr E) -> unsigned {
    Interval R = Domain.range(E);
    if (!R.isNonNegative())
      return NoLength;
    return R.isBoundedAbove() ? bit_width(uint64_t(R.hi())) : MaxSplitBit + 1;
  };
  SmallVector<unsigned, 4> Lengths, Zeros;
  unsigned Longest = 0;
  for (IndexExpr E : Operands) {
    Lengths.push_back(BitsOf(E));
    Longest = std::max(Longest, Lengths.back());
    Zeros.push_back(knownZeroBits(Domain, E));
  }
  // Ones that nothing borrows from: m xor X = m - X. Digits stay what they are,
  // x xor 7 is made of (x mod 8) xor 7.
  auto IsNoDigit = [&](IndexExpr E) {
    return !IndexDomain(Context).range(E).isBoundedAbove();
  };
  if (Constant > 0 && isMask_64(Constant) && Longest <= MaxSplitBit &&
      unsigned(popcount(uint64_t(Constant))) >= Longest &&
      all_of(Operands, IsNoDigit))
    return Context.sub(Context.constant(Constant), xorOf(Operands, 0));
  if (Constant != 0) {
    Lengths.push_back(
        std::min<unsigned>(bit_width(uint64_t(Constant)), MaxSplitBit + 1));
    Zeros.push_back(
        std::min<unsigned>(countr_zero(uint64_t(Constant)), MaxSplitBit));
  }

  auto ComesApartAt = [&](unsigned Bit) {
    unsigned Below = 0, Short = 0;
    bool AreBelowShort = true;
    for (auto [Length, Zero] : zip_equal(Lengths, Zeros)) {
      Below += Zero < Bit;
      Short += Length <= Bit;
      AreBelowShort &= Zero >= Bit || Length <= Bit;
    }
    unsigned All = Lengths.size();
    return Bit != 0 && Bit <= MaxSplitBit && Short != All &&
           (Below <= 1 || AreBelowShort ||
            (Short + 1 == All && !is_contained(Lengths, NoLength)));
  };
  SmallVector<unsigned, 8> Bits(Zeros.begin(), Zeros.end());
  append_range(Bits, Lengths);
  llvm::sort(Bits);
  auto *Bit = find_if(Bits, ComesApartAt);
  if (Bit == Bits.end())
    return {};
  int64_t Radix = int64_t(1) << *Bit;
  SmallVector<IndexExpr, 4> Quotients, Rests;
  for (IndexExpr E : Operands) {
    Quotients.push_back(floorDiv(E, Radix));
    Rests.push_back(floorMod(E, Radix));
  }
  // A quotient may know more than the range: then nothing is split off.
  if (Constant >> *Bit == 0 &&
      all_of(Quotients, [](IndexExpr Q) { return Q && Q.isConstant(0); }))
    return {};
  return Context.add(xorOf(Rests, Constant & (Radix - 1)),
                     xorOf(Quotients, Constant >> *Bit), Radix);
}

/// floor(Xor / D), if bits that D cuts off leave one operand alone. Elsewhere
/// the quotient stays in one piece, and with it the remainder.
IndexExpr FloorBasis::quotientOfXor(const IndexAtom *Xor, int64_t D) {
  unsigned Bit = countr_zero(uint64_t(D));
  if (Bit == 0)
    return {};
  int64_t Radix = int64_t(1) << Bit;
  IndexExpr A = floorDiv(Xor->operand(), Radix);
  IndexExpr B = floorDiv(Xor->divisor(), Radix);
  if (!A || !B || (!A.isConstant() && !B.isConstant()))
    return {};
  // floor(floor(X / 2^k) / m) = floor(X / (2^k * m))
  return floorDiv(bitXor(A, B), D / Radix);
}

/// A run of ones in a mask, 2^k * (2^n - 1), keeps 2^k * (floor(x / 2^k) mod
/// 2^n); -2^k keeps x - x mod 2^k. What two forms share counts twice in x + y
/// and not at all in x xor y.
IndexExpr FloorBasis::bitAnd(IndexExpr A, IndexExpr B) {
  if (!A || !B)
    return {};
  if (A.isConstant())
    std::swap(A, B);
  bool IsDeep = std::max(A.depth(), B.depth()) > MaxRepeatedDepth;
  if (!B.isConstant() && IsDeep)
    return {};
  if (!B.isConstant())
    return floorDiv(Context.sub(Context.add(A, B), bitXor(A, B)), 2);
  if (A.isConstant())
    return Context.constant(A.constant() & B.constant());
  // What a negative mask takes away is in a mask that is not negative.
  uint64_t Mask = B.constant();
  if (B.constant() < 0)
    Mask = ~Mask;
  IndexExpr Kept = Context.constant(0);
  while (Mask != 0) {
    uint64_t Low = Mask & -Mask, Above = Mask + Low;
    uint64_t Radix = (Above & -Above) / Low;
    if (Above == 0 || Radix > uint64_t(Interval::PlusInfinity))
      return {};
    IndexExpr Digit = floorMod(floorDiv(A, int64_t(Low)), int64_t(Radix));
    Kept = Context.add(Kept, Digit, Low);
    Mask &= Above;
    if (Mask != 0 && IsDeep) // several runs of ones
      return {};
  }
  return B.constant() < 0 ? Context.sub(A, Kept) : Kept;
}

IndexExpr FloorBasis::bitOr(IndexExpr A, IndexExpr B) {
  if (!A || !B || std::max(A.depth(), B.depth()) > MaxRepeatedDepth)
    return {};
  // Each bit that both have counts twice in the sum.
  return Context.sub(Context.add(A, B), bitAnd(A, B));
}

} // namespace unravel
