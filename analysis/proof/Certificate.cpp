//===- Certificate.cpp - Checks proofs ------------------------------------===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "analysis/proof/Certificate.h"

using namespace llvm;

namespace unravel {

unsigned Refutation::size() const {
  return 1 + (IfNotNegative ? IfNotNegative->size() : 0) +
         (IfNegative ? IfNegative->size() : 0);
}

/// Adds the line that \p Step derives to \p Lines; false if it derives none.
static bool derive(const Inference &Step, ArrayRef<Polynomial> Hypotheses,
                   std::vector<Polynomial> &Lines) {
  switch (Step.Rule) {
  case Inference::Given:
    if (Step.A >= Hypotheses.size())
      return false;
    Lines.push_back(Hypotheses[Step.A]);
    return true;
  case Inference::Product:
    if (Step.A >= Lines.size() || Step.B >= Lines.size())
      return false;
    Lines.push_back(Lines[Step.A] * Lines[Step.B]);
    return true;
  case Inference::Quotient:
    if (Step.A >= Lines.size() || Step.Number <= 0 ||
        Lines[Step.A].gcdOfCoefficients() % Step.Number != 0)
      return false;
    Lines.push_back(
        Lines[Step.A].mapped([&](const Monomial &, const DynamicAPInt &C) {
          return floorDiv(C, Step.Number);
        }));
    return true;
  case Inference::Weaken:
    if (Step.A >= Lines.size() || Step.Number < 0)
      return false;
    Lines.push_back(Lines[Step.A] + Polynomial(Step.Number));
    return true;
  case Inference::Substitute:
    if (std::max({Step.A, Step.B, Step.C}) >= Lines.size() ||
        Lines[Step.B] != -Lines[Step.C])
      return false;
    Lines.push_back(Lines[Step.A] + Step.Factor * Lines[Step.B]);
    return true;
  }
  return false;
}

static bool isImpossibleSum(const Refutation &R, ArrayRef<Polynomial> Lines) {
  Polynomial Sum;
  for (const auto &[Line, Factor] : R.Sum) {
    if (Line >= Lines.size() || Factor <= 0)
      return false;
    Sum = Sum + Lines[Line] * Factor;
  }
  return Sum.isConstant() && Sum.constant() < 0;
}

/// \p Lines are those of the nodes above, and are so again afterwards.
static bool follow(const Refutation &R, ArrayRef<Polynomial> Hypotheses,
                   std::vector<Polynomial> &Lines) {
  size_t Before = Lines.size();
  bool IsRight = true;
  for (const Inference &Step : R.Lines)
    IsRight = IsRight && derive(Step, Hypotheses, Lines);
  if (IsRight && R.IfNotNegative && R.IfNegative) {
    Lines.push_back(R.Split);
    IsRight = follow(*R.IfNotNegative, Hypotheses, Lines);
    Lines.back() = -R.Split - 1;
    IsRight = IsRight && follow(*R.IfNegative, Hypotheses, Lines);
  } else {
    IsRight = IsRight && isImpossibleSum(R, Lines);
  }
  Lines.resize(Before);
  return IsRight;
}

bool isRefutation(ArrayRef<Polynomial> Hypotheses, const Refutation &R) {
  std::vector<Polynomial> Lines;
  return follow(R, Hypotheses, Lines);
}

} // namespace unravel
