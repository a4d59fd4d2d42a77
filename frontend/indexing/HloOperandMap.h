//===- HloOperandMap.h - Maps whose variables are read at run time -*- C++ -*-//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// An indexing map from one array to another, together with where the values of
// its runtime variables come from: each is an element of an integer array, at
// an index that is itself given by a map.
//
//     operand: (d0, d1){rt0} -> (d0 + rt0, d1)
//     rt0:     (d0, d1){rt0} -> ()            of the start index
//
//===----------------------------------------------------------------------===//

#ifndef UNRAVEL_FRONTEND_INDEXING_HLOOPERANDMAP_H
#define UNRAVEL_FRONTEND_INDEXING_HLOOPERANDMAP_H

#include "analysis/maps/IndexingMap.h"
#include "frontend/hlo/HloModule.h"

namespace unravel {

/// Where a runtime variable of a map gets its value.
struct RuntimeVariable {
  /// An instruction that yields an array of integers.
  const HloInstruction *Source;
  /// If Source is inside of a callee: the calls that lead to it, from the
  /// outermost one on. Empty if it is in the computation of the map.
  std::vector<const HloInstruction *> Calls;
  /// The element of Source, over *the variables and the domain of the map* that
  /// the runtime variable belongs to.
  IndexingMap ToElement;
  /// What the element is clamped to; the variable has the clamped value. Its
  /// bounds in the map may be tighter: then points at which it has another
  /// value are not in the domain. Without a clamp the variable is the element,
  /// and an element outside of the bounds is not in the domain.
  std::optional<Interval> Clamp;

  bool operator==(const RuntimeVariable &Other) const {
    return Source == Other.Source && Calls == Other.Calls &&
           ToElement == Other.ToElement && Clamp == Other.Clamp;
  }
};

/// A map to the elements of an array.
struct OperandMap {
  IndexingMap Map;
  /// One for each runtime variable of Map, in order.
  std::vector<RuntimeVariable> Runtimes;
  /// If the array is one of a tuple: its number (HloTuples.h).
  size_t Element = 0;
  /// How often each point reads its element: ranges on which nothing depends
  /// are left out of the map and counted here; 0 if their number is not known.
  /// Maps that differ in nothing else are equal.
  uint64_t Repeats = 1;

  bool operator==(const OperandMap &Other) const {
    return Element == Other.Element && Map == Other.Map &&
           Runtimes == Other.Runtimes;
  }
};

/// A map with more runtime variables than this is not composed: each step of a
/// chain of gathers adds one that depends on all before it.
constexpr size_t MaxRuntimeVariables = 64;

/// \p Second after \p First; not simplified. Nullopt if an index leaves 64
/// bits, or there would be too many terms or runtime variables. The result has
/// the element of \p Second. First leads to elements of an array with shape \p
/// Array, which needs no constraints: only where the domain of Second is
/// smaller it gets some.
std::optional<OperandMap> compose(const OperandMap &First,
                                  const OperandMap &Second,
                                  const HloShape &Array);

/// Runtime variables whose value can be computed are replaced by it: the source
/// is made of constants and iotas by integer arithmetic that does not wrap, and
/// by moving elements. The others read from the instruction nearest to the
/// parameters that has the same elements, and no two of them the same one.
OperandMap withFoldedRuntimes(OperandMap Map);

/// The simplest form of the map, without symbols that nothing depends on.
OperandMap simplified(const OperandMap &Map);

} // namespace unravel

#endif // UNRAVEL_FRONTEND_INDEXING_HLOOPERANDMAP_H
