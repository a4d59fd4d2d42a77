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

/// Another question than that of the script comes of a search that had more
/// work left than in the case before, which answered some of it.
bool Case::decide(const Polynomial &Question) {
  if (Made == Decisions.size())
    Decisions.push_back({Question, true});
  else if (Decisions[Made].Question != Question)
    FollowsScript = false;
  return Decisions[Made++].Answer;
}

bool Case::isNotNegative(const Polynomial &P) {
  IntegerRange Range = Proofs.rangeOf(P);
  if (Range.Low >= 0 || Range.High < 0)
    return Range.Low >= 0;
  auto [It, IsNew] = Known.try_emplace(P, true);
  if (!IsNew)
    return It->second;
  bool IsScripted =
      MaySplit && Made < Decisions.size() && Decisions[Made].Question == P;
  if (!IsScripted && Proofs.proves(P, SplitsForDecision))
    return true;
  if (!IsScripted && Proofs.proves(-P - 1, SplitsForDecision))
    return It->second = false;
  if (!MaySplit) {
    Known.erase(It);
    Lacked = true;
    return false;
  }
  It->second = decide(P);
  Proofs.assume(It->second ? P : -P - 1);
  return It->second;
}

bool Case::isNotPositive(const Polynomial &P) {
  IntegerRange Range = Proofs.rangeOf(P);
  if (Range.High <= 0 || Range.Low >= 0)
    return Range.High <= 0;
  if (auto It = Known.find(P); It != Known.end())
    return !It->second;
  auto [It, IsNew] = KnownNotPositive.try_emplace(P, false);
  if (IsNew)
    It->second = Proofs.proves(-P, SplitsForDecision);
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
  while (Which + 1 < Number && !decide(Polynomial(int64_t(Which))))
    ++Which;
  return Which;
}

Case::Script Case::nextScript() const {
  Script Next(Decisions.begin(), Decisions.begin() + Made);
  while (!Next.empty() && !Next.back().Answer)
    Next.pop_back();
  if (!Next.empty())
    Next.back().Answer = false;
  return Next;
}

} // namespace unravel
