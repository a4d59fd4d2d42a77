//===- IndependentDigits.h - Fewer floors, same results ---------*- C++ -*-===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Rewrites maps with range variables only over new variables that run
// independently of each other, without changing the set of results:
//
//   digits   x in [0, 23] in floor(x/6) and x mod 6: x = 6*a + b with a in
//            [0, 3], b in [0, 5]. Where x begins or ends inside of a block of
//            6, a and b are not independent, and nothing is done, unless it
//            is a constraint that keeps x from the rest of the block.
//   groups   8*x + y, with x in [0, 3], y in [0, 7], that is all that x and y
//            are used for: one variable in [0, 31].
//   values   floor((x + 3)/5), with x in [0, 10^9] that is used nowhere else:
//            a variable in [0, 2*10^8]; the same for min(x - 7, 0).
//   lattices x mod 4 = 1 and nothing else: x = 4*a + 1.
//
//===----------------------------------------------------------------------===//

#ifndef UNRAVEL_ANALYSIS_TILES_INDEPENDENTDIGITS_H
#define UNRAVEL_ANALYSIS_TILES_INDEPENDENTDIGITS_H

#include "analysis/maps/IndexingMap.h"

namespace unravel {

/// The quotients floor((Sign*x + shift) / a) of one variable x, as quotients of
/// one number u = Sign*x + Shift.
struct VariableQuotients {
  int Sign = 1;
  int64_t Shift = 0;
  /// The divisors a, ascending; each divides the next one. Above 1.
  llvm::SmallVector<int64_t, 4> Divisors;
};

/// What \p Map does with range variable \p Variable apart from adding it up:
/// nullopt if that is something other than quotients by constants whose
/// divisors divide each other.
std::optional<VariableQuotients> quotientsOf(const IndexingMap &Map,
                                             const IndexAtom *Variable);

/// \p Map with range variable \p Number written as digits, the lowest first:
/// new range variables, one more than quotientsOf() has divisors. nullopt if it
/// has none, or if the digits that are used are not independent of each other.
/// With \p KeepAll that does not matter: the new variables have the bounds of
/// their digits, all of whose combinations need not belong to a value.
std::optional<IndexingMap> withDigits(const IndexingMap &Map, size_t Number,
                                      bool KeepAll = false);

/// \p Map rewritten by one of the rules above, or nullopt. It has range
/// variables only and is simplified.
std::optional<IndexingMap> withFewerFloors(const IndexingMap &Map);

/// Forms over several variables, without constants and common factors, that a
/// group may be made of, those of most variables first. A bounded number.
llvm::SmallVector<IndexExpr, 8> groupsIn(const IndexingMap &Map);

/// The map with range variable number Map.ranges().size(), with bounds \p
/// Range, in place of \p Group, whose variables are then unused; nullopt if
/// they are used otherwise, or if no coefficient of the group is 1 or -1.
std::optional<IndexingMap> withGroup(const IndexingMap &Map, IndexExpr Group,
                                     const Interval &Range);

/// The same for a group that takes each of its values at one point only, such
/// as 8*x + y with y in [0, 7]: x and y are digits of the new variable, which
/// counts from 0. It does not matter what else they are used for.
std::optional<IndexingMap> withGroupAsNumber(const IndexingMap &Map,
                                             IndexExpr Group);

} // namespace unravel

#endif // UNRAVEL_ANALYSIS_TILES_INDEPENDENTDIGITS_H
