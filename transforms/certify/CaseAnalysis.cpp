//===- CaseAnalysis.cpp - One case of a proof by cases --------------------===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "transforms/certify/CaseAnalysis.h"

using namespace llvm;

namespace unravel {

/// What does not follow easily becomes two cases.
static constexpr unsigned SplitsForDecision = 2;

bool Case::decide() {
  if (Made == Decisions.size())
    Decisions.push_back(true);
  return Decisions[Made++];
}

bool Case::isNotNegative(const Polynomial &P) {
  IntegerRange Range = Proofs.rangeOf(P);
  if (Range.Low >= 0 || Range.High < 0)
    return Range.Low >= 0;
  auto [It, IsNew] = Known.try_emplace(P, true);
  if (!IsNew)
    return It->second;
  if (Proofs.proves(P, SplitsForDecision))
    return true;
  if (Proofs.proves(-P - 1, SplitsForDecision))
    return It->second = false;
  if (!MaySplit) {
    Known.erase(It);
    Lacked = true;
    return false;
  }
  It->second = decide();
  Proofs.assume(It->second ? P : -P - 1);
  return It->second;
}

std::optional<bool> Case::signUnlessSplit(const Polynomial &P) {
  bool LackedBefore = Lacked;
  bool Sign = isNotNegative(P);
  if (Lacked == LackedBefore)
    return Sign;
  Lacked = false;
  return std::nullopt;
}

unsigned Case::choose(unsigned Number) {
  if (!MaySplit && Number > 1) {
    Lacked = true;
    return 0;
  }
  unsigned Which = 0;
  while (Which + 1 < Number && !decide())
    ++Which;
  return Which;
}

std::vector<bool> Case::nextScript() const {
  std::vector<bool> Next(Decisions.begin(), Decisions.begin() + Made);
  while (!Next.empty() && !Next.back())
    Next.pop_back();
  if (!Next.empty())
    Next.back() = false;
  return Next;
}

} // namespace unravel
