//===- ElementBox.cpp - Boxes of array elements ---------------------------===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "analysis/tiles/ElementBox.h"
#include "analysis/algebra/Interval.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"
#include <algorithm>
#include <numeric>

using namespace llvm;

namespace unravel {

SumShape progressionOfSum(int64_t Base, ArrayRef<SpannedTerm> Terms,
                          Progression &Out) {
  SmallVector<SpannedTerm, 8> Moving;
  int64_t Lowest = Base;
  for (const SpannedTerm &T : Terms) {
    if (T.Count < 2 || T.Coefficient == 0)
      continue;
    if (T.Coefficient == std::numeric_limits<int64_t>::min() ||
        T.Count > uint64_t(std::numeric_limits<int64_t>::max()))
      return SumShape::TooLarge;
    int64_t Span;
    if (MulOverflow(T.Coefficient, int64_t(T.Count - 1), Span))
      return SumShape::TooLarge;
    if (Span < 0 && AddOverflow(Lowest, Span, Lowest))
      return SumShape::TooLarge;
    Moving.push_back({std::abs(T.Coefficient), T.Count});
  }
  Out = {Lowest, 1, 1};
  if (Moving.empty())
    return SumShape::Progression;
  llvm::sort(Moving, [](const SpannedTerm &A, const SpannedTerm &B) {
    return A.Coefficient < B.Coefficient;
  });
  int64_t Stride = Moving[0].Coefficient, Reach = 0;
  bool HasGaps = false;
  for (const SpannedTerm &T : Moving) {
    // Reach stays below 2^63, so this difference is exact.
    if (T.Coefficient % Stride != 0 || T.Coefficient - Stride > Reach)
      HasGaps = true;
    int64_t Span;
    if (MulOverflow(T.Coefficient, int64_t(T.Count - 1), Span) ||
        AddOverflow(Reach, Span, Reach))
      return SumShape::TooLarge;
  }
  int64_t Last;
  if (AddOverflow(Lowest, Reach, Last))
    return SumShape::TooLarge;
  if (HasGaps)
    return SumShape::Gaps;
  Out = {Lowest, uint64_t(Reach / Stride) + 1, Stride};
  return SumShape::Progression;
}

// Twice the width of an index: products of two strides fit.
using Wide = __int128;

/// The inverse of A modulo M, which have no common factor; A, M > 0.
static int64_t inverseModulo(int64_t A, int64_t M) {
  int64_t Low = A % M, High = M, X = 1, Y = 0;
  while (Low > 1) {
    int64_t Quotient = High / Low;
    std::swap(High -= Quotient * Low, Low);
    std::swap(Y -= Quotient * X, X);
  }
  return floorMod(X, M);
}

/// The number of elements in both progressions.
static uint64_t countShared(const Progression &A, const Progression &B) {
  if (A.Size == 0 || B.Size == 0)
    return 0;
  int64_t Common = std::gcd(A.Stride, B.Stride);
  Wide Distance = Wide(B.Offset) - A.Offset;
  if (Distance % Common != 0)
    return 0;
  // A.Offset + A.Stride * Steps is in both progressions, continued without end.
  int64_t Period = B.Stride / Common;
  Wide Needed = Distance / Common % Period;
  if (Needed < 0)
    Needed += Period;
  Wide Steps = Needed * inverseModulo(A.Stride / Common, Period) % Wide(Period);
  Wide First = A.Offset + Wide(A.Stride) * Steps;
  Wide Step = Wide(A.Stride) * Period;
  Wide Lo = std::max(A.Offset, B.Offset), Hi = std::min(A.last(), B.last());
  // First is not below A.Offset and less than a step above it.
  if (First < Lo)
    First += (Lo - First + Step - 1) / Step * Step;
  return First > Hi ? 0 : uint64_t((Hi - First) / Step) + 1;
}

std::optional<uint64_t> countShared(ArrayRef<Progression> A,
                                    ArrayRef<Progression> B) {
  uint64_t Count = 1;
  for (auto [X, Y] : zip_equal(A, B)) {
    uint64_t Shared = countShared(X, Y);
    bool Overflows = false;
    Count = SaturatingMultiply(Count, Shared, &Overflows);
    if (Overflows)
      return std::nullopt;
  }
  return Count;
}

} // namespace unravel
