//===- TileConditions.cpp - What tile sizes have to satisfy ---------------===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "analysis/tiles/TileConditions.h"
#include "analysis/maps/IndexingMapText.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;

namespace unravel {

/// What the bounds of the symbols say about \p C.
std::optional<bool> TileConditions::decided(const TileCondition &C) const {
  IndexContext &Context = Symbols.context();
  if (C.Kind == TileCondition::Multiple) {
    if (C.Right.isConstant(1))
      return true;
    if (C.Left.isConstant() && C.Right.isConstant())
      return C.Left.constant() % C.Right.constant() == 0;
    return std::nullopt;
  }
  IndexExpr Difference = Context.sub(C.Left, C.Right);
  if (!Difference)
    return std::nullopt;
  Interval Range = Domain->range(Difference);
  if (Range.hi() < 0 || (C.Kind == TileCondition::Equal && Range.lo() > 0))
    return false;
  if (C.Kind == TileCondition::AtLeast ? Range.lo() >= 0
                                       : Range == Interval::point(0))
    return true;
  return std::nullopt;
}

bool TileConditions::add(ArrayRef<TileCondition> Alternatives) {
  Clause Kept;
  for (TileCondition C : Alternatives) {
    if (!C.Left || !C.Right)
      continue;
    // 1 mod t = 0
    if (C.Kind == TileCondition::Multiple && C.Left.isConstant(1))
      C = {C.Right, C.Left, TileCondition::Equal};
    std::optional<bool> Holds = decided(C);
    if (Holds == true)
      return true;
    if (!Holds && !is_contained(Kept, C))
      Kept.push_back(C);
  }
  if (Kept.empty())
    return false;
  std::vector<unsigned> Key;
  for (const TileCondition &C : Kept)
    Key.insert(Key.end(), {C.Left.id(), C.Right.id(), unsigned(C.Kind)});
  if (!Known.insert(std::move(Key)).second)
    return true;
  if (Kept.size() == 1 && Kept[0].Kind != TileCondition::Multiple)
    if (IndexExpr Difference =
            Symbols.context().sub(Kept[0].Left, Kept[0].Right))
      Domain->constrain(Difference, Kept[0].Kind == TileCondition::Equal
                                        ? Interval::point(0)
                                        : Interval::atLeast(0));
  Clauses.push_back(std::move(Kept));
  return true;
}

std::optional<bool> TileConditions::holdAt(ArrayRef<int64_t> Point) const {
  for (const Clause &Alternatives : Clauses) {
    bool Holds = false;
    for (const TileCondition &C : Alternatives) {
      std::optional<int64_t> Left = Symbols.evaluate(C.Left, Point);
      std::optional<int64_t> Right = Symbols.evaluate(C.Right, Point);
      if (!Left || !Right)
        return std::nullopt;
      Holds |= C.Kind == TileCondition::Equal     ? *Left == *Right
               : C.Kind == TileCondition::AtLeast ? *Left >= *Right
                                                  : *Left % *Right == 0;
    }
    if (!Holds)
      return false;
  }
  return true;
}

std::string TileConditions::text(const TileCondition &C) const {
  auto Operand = [&](IndexExpr E, bool OfModulo) {
    std::string Text = toString(Symbols, E);
    bool IsWord = all_of(Text, [](char Letter) { return isAlnum(Letter); });
    return OfModulo && !IsWord ? "(" + Text + ")" : Text;
  };
  if (C.Kind == TileCondition::Multiple)
    return Operand(C.Left, true) + " mod " + Operand(C.Right, true) + " = 0";
  return Operand(C.Left, false) +
         (C.Kind == TileCondition::Equal ? " = " : " >= ") +
         Operand(C.Right, false);
}

std::string TileConditions::text() const {
  std::vector<std::string> Parts;
  for (const Clause &Alternatives : Clauses) {
    std::string Part =
        join(map_range(Alternatives,
                       [&](const TileCondition &C) { return text(C); }),
             " | ");
    bool IsOne = Alternatives.size() == 1 || Clauses.size() == 1;
    Parts.push_back(IsOne ? Part : "(" + Part + ")");
  }
  return join(Parts, " & ");
}

} // namespace unravel
