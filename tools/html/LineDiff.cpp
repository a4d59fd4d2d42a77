//===- LineDiff.cpp - Which PTX lines differ ------------------------------===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tools/html/LineDiff.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"

using namespace llvm;
using namespace unravel;

std::string unravel::normalizePtxLine(StringRef Line) {
  Line = Line.split("//").first.trim();
  std::string Key;
  for (size_t I = 0; I < Line.size(); ++I) {
    char C = Line[I];
    if (isSpace(C)) {
      if (Key.back() != ' ')
        Key += ' ';
      continue;
    }
    Key += C;
    // A word that begins with % or $ loses its digits: %rd12, $L__BB0_3.
    // Special registers such as %tid.x have none to lose.
    if (C == '%' || C == '$')
      while (I + 1 < Line.size() &&
             (isAlnum(Line[I + 1]) || Line[I + 1] == '_'))
        if (!isDigit(Line[++I]))
          Key += Line[I];
  }
  return Key;
}

namespace {

/// Hirschberg's algorithm: a longest common subsequence in linear space.
class Aligner {
public:
  using Ids = ArrayRef<unsigned>;
  using Pairs = std::vector<std::pair<unsigned, unsigned>>;

  /// Appends the matching index pairs, in order, to Matches.
  void align(Ids Left, Ids Right, unsigned LeftBase, unsigned RightBase);

  Pairs Matches;

private:
  static std::vector<unsigned> lastRow(Ids Left, Ids Right, bool Backwards);
};

} // namespace

/// Lengths of the longest common subsequences of Left with each prefix of
/// Right (or, Backwards, with each suffix, by length).
std::vector<unsigned> Aligner::lastRow(Ids Left, Ids Right, bool Backwards) {
  std::vector<unsigned> Row(Right.size() + 1, 0);
  for (size_t I = 0; I < Left.size(); ++I) {
    unsigned L = Left[Backwards ? Left.size() - 1 - I : I];
    unsigned Diagonal = 0; // Row[J - 1] of the row before.
    for (size_t J = 1; J <= Right.size(); ++J) {
      unsigned R = Right[Backwards ? Right.size() - J : J - 1];
      unsigned Above = Row[J];
      Row[J] = L == R ? Diagonal + 1 : std::max(Above, Row[J - 1]);
      Diagonal = Above;
    }
  }
  return Row;
}

void Aligner::align(Ids Left, Ids Right, unsigned LeftBase,
                    unsigned RightBase) {
  while (!Left.empty() && !Right.empty() && Left.front() == Right.front()) {
    Matches.push_back({LeftBase++, RightBase++});
    Left = Left.drop_front();
    Right = Right.drop_front();
  }
  size_t Tail = 0;
  while (!Left.empty() && !Right.empty() && Left.back() == Right.back()) {
    ++Tail;
    Left = Left.drop_back();
    Right = Right.drop_back();
  }

  if (Left.size() == 1) {
    if (const unsigned *It = find(Right, Left.front()); It != Right.end())
      Matches.push_back({LeftBase, RightBase + unsigned(It - Right.begin())});
  } else if (!Left.empty() && !Right.empty()) {
    size_t Middle = Left.size() / 2;
    Ids Top = Left.take_front(Middle), Bottom = Left.drop_front(Middle);
    std::vector<unsigned> Down = lastRow(Top, Right, /*Backwards=*/false);
    std::vector<unsigned> Up = lastRow(Bottom, Right, /*Backwards=*/true);
    size_t Cut = 0;
    for (size_t J = 1; J <= Right.size(); ++J)
      if (Down[J] + Up[Right.size() - J] > Down[Cut] + Up[Right.size() - Cut])
        Cut = J;
    align(Top, Right.take_front(Cut), LeftBase, RightBase);
    align(Bottom, Right.drop_front(Cut), LeftBase + Middle, RightBase + Cut);
  }

  for (size_t I = 0; I < Tail; ++I)
    Matches.push_back({unsigned(LeftBase + Left.size() + I),
                       unsigned(RightBase + Right.size() + I)});
}

std::vector<DiffRow> unravel::diffPtxLines(ArrayRef<StringRef> Left,
                                           ArrayRef<StringRef> Right) {
  StringMap<unsigned> Interned;
  auto Intern = [&](ArrayRef<StringRef> Lines) {
    std::vector<unsigned> Ids;
    for (StringRef Line : Lines) {
      unsigned Fresh = Interned.size();
      Ids.push_back(
          Interned.try_emplace(normalizePtxLine(Line), Fresh).first->second);
    }
    return Ids;
  };
  std::vector<unsigned> LeftIds = Intern(Left), RightIds = Intern(Right);
  // Two texts of 60,000 changed lines each take seconds to align. Beyond that
  // the whole text counts as changed.
  constexpr uint64_t MaxCells = uint64_t(1) << 32;
  Aligner A;
  if (uint64_t(Left.size()) * Right.size() <= MaxCells)
    A.align(LeftIds, RightIds, 0, 0);

  std::vector<DiffRow> Rows;
  unsigned L = 0, R = 0;
  auto AddChangedUpTo = [&](unsigned LeftEnd, unsigned RightEnd) {
    while (L < LeftEnd || R < RightEnd) {
      DiffRow Row;
      if (L < LeftEnd)
        Row.Left = L++;
      if (R < RightEnd)
        Row.Right = R++;
      Rows.push_back(Row);
    }
  };
  for (auto [MatchLeft, MatchRight] : A.Matches) {
    AddChangedUpTo(MatchLeft, MatchRight);
    Rows.push_back({L++, R++, /*Same=*/true});
  }
  AddChangedUpTo(Left.size(), Right.size());
  return Rows;
}
