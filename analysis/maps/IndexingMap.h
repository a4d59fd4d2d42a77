//===- IndexingMap.h - Maps between index spaces ----------------*- C++ -*-===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// An indexing map says which elements of one index space belong to an element
// of another. It has results, which are index expressions, over three kinds of
// variables, and a domain:
//
//     (d0, d1)[s0]{rt0} -> (d0 floordiv 8, d1 + s0 + rt0),
//       domain: d0 in [0, 9], d1 in [0, 4], s0 in [0, 1], rt0 in [0, 7],
//               d0 + d1 in [0, 11]
//
//   dimensions d0, d1 ...  name the element that is asked about,
//   ranges s0, s1 ...      run over all their values: one element of the
//                          output reads one element for each,
//   runtime variables rt0 ... have a value that is known when the code runs.
//
// Every variable has bounds (inclusive; infinite ones are allowed, and needed
// for sizes), and the domain is the set of points inside the bounds that
// satisfy the constraints `expr in [lo, hi]`. A congruence is the constraint
// `expr mod m in [r, r]`; a relation between two expressions, y < H, is the
// constraint `y - H in [-inf, -1]`.
//
// A map is a value: copying it is cheap, operations return new maps. All maps
// that meet in an operation must be built in the same IndexContext, which owns
// the expressions; variable number i of a kind is the same atom in all of them.
// An operation whose arithmetic leaves 64 bits, or a limit of the context,
// returns nullopt and has changed nothing.
//
//===----------------------------------------------------------------------===//

#ifndef UNRAVEL_ANALYSIS_MAPS_INDEXINGMAP_H
#define UNRAVEL_ANALYSIS_MAPS_INDEXINGMAP_H

#include "analysis/algebra/IndexDomain.h"
#include "llvm/ADT/Hashing.h"
#include <array>
#include <string>
#include <vector>

namespace unravel {

enum class VariableKind : uint8_t { Dimension, Range, Runtime };
inline constexpr VariableKind AllVariableKinds[] = {
    VariableKind::Dimension, VariableKind::Range, VariableKind::Runtime};

/// A variable of a map: what values it has and what it is called. Without a
/// name it is called d0, s0, rt0 by its kind and number.
struct MapVariable {
  Interval Bounds;
  std::string Name;
};

/// `Expr in Range`.
struct MapConstraint {
  IndexExpr Expr;
  Interval Range;
  bool operator==(const MapConstraint &Other) const {
    return Expr == Other.Expr && Range == Other.Range;
  }
};

class IndexingMap {
public:
  /// Variables of all kinds, in the order dimensions, ranges, runtime.
  struct Variables {
    std::vector<MapVariable> Dimensions, Ranges, Runtimes;
  };

  /// The map `() -> ()`.
  explicit IndexingMap(IndexContext &Context) : Context(&Context) {}
  /// Results and constraints are over variableOf(...) of this context, with
  /// numbers below the sizes of \p Vars. Contradictory constant bounds or
  /// constraints give the known-empty map at once; nothing else is simplified.
  IndexingMap(IndexContext &Context, Variables Vars,
              std::vector<IndexExpr> Results,
              std::vector<MapConstraint> Constraints = {});

  /// The identity on a box with \p Sizes.
  static IndexingMap identity(IndexContext &Context,
                              llvm::ArrayRef<int64_t> Sizes);
  /// The canonical map without points: same variables (dimensions and ranges
  /// in [0, -1], runtime variables as they are), all results 0, no
  /// constraints.
  static IndexingMap empty(IndexContext &Context, Variables Vars,
                           size_t NumResults);

  /// The number of a variable is smaller than this.
  static constexpr unsigned MaxOfKind = 1u << 20;
  /// The atom of variable \p Number of \p Kind in every map of \p Context.
  static const IndexAtom *variableOf(IndexContext &Context, VariableKind Kind,
                                     unsigned Number);
  /// Its expression.
  static IndexExpr exprOf(IndexContext &Context, VariableKind Kind,
                          unsigned Number);

  IndexContext &context() const { return *Context; }
  const Variables &variables() const { return Vars; }
  llvm::ArrayRef<MapVariable> variables(VariableKind Kind) const;
  llvm::ArrayRef<MapVariable> dimensions() const { return Vars.Dimensions; }
  llvm::ArrayRef<MapVariable> ranges() const { return Vars.Ranges; }
  llvm::ArrayRef<MapVariable> runtimes() const { return Vars.Runtimes; }
  llvm::ArrayRef<IndexExpr> results() const { return Results; }
  IndexExpr result(size_t I) const { return Results[I]; }
  llvm::ArrayRef<MapConstraint> constraints() const { return Constraints; }

  /// True for the canonical map without points. A map that is empty for a
  /// reason that only simplifying finds is not *known* empty before that.
  bool isKnownEmpty() const { return KnownEmpty; }
  /// d0, s0, rt0.
  static std::string defaultNameOf(VariableKind Kind, unsigned Number);
  /// d0, s0, rt0, or the variable's own name.
  std::string nameOf(VariableKind Kind, unsigned Number) const;
  /// The same for an atom; "?" for one that is no variable of this map.
  std::string nameOf(const IndexAtom *Variable) const;

  /// Two maps are equal if they have the same results, bounds and constraints
  /// (as a set). Names do not matter. This is equality of the *representation*;
  /// see IndexingMapEquality.h for maps that have the same values.
  bool operator==(const IndexingMap &Other) const;
  bool operator!=(const IndexingMap &Other) const { return !(*this == Other); }
  friend llvm::hash_code hash_value(const IndexingMap &Map);

  /// A point: a value for each variable, dimensions, ranges, runtime.
  using Point = std::vector<int64_t>;
  size_t numVariables() const {
    return Vars.Dimensions.size() + Vars.Ranges.size() + Vars.Runtimes.size();
  }
  /// The atom and the variable at position \p I of a point.
  const IndexAtom *atomAt(size_t I) const;
  const MapVariable &variableAt(size_t I) const;
  /// The position of an atom; nullopt for one that is no variable of this map.
  std::optional<size_t> positionOf(const IndexAtom *Variable) const;

  /// The results at \p P, whether or not it is in the domain. Returns nullopt
  /// if a value leaves 64 bits or a symbolic divisor is zero.
  std::optional<std::vector<int64_t>> evaluate(llvm::ArrayRef<int64_t> P) const;
  std::optional<int64_t> evaluate(IndexExpr E, llvm::ArrayRef<int64_t> P) const;
  /// Whether \p P is inside the bounds and satisfies the constraints. A
  /// constraint without a value is not satisfied.
  bool contains(llvm::ArrayRef<int64_t> P) const;
  /// The number of points inside the bounds; nullopt if a bound is infinite or
  /// the number leaves 64 bits.
  std::optional<uint64_t> boxSize() const;
  /// Calls \p Visit for every point of the *domain*, dimensions slowest, until
  /// it returns false. Returns false if \p Visit did, or if the box has more
  /// than \p MaxPoints points (then nothing was visited).
  bool
  forEachPoint(uint64_t MaxPoints,
               llvm::function_ref<bool(llvm::ArrayRef<int64_t>)> Visit) const;

  /// Bounds and constraints as facts to reason with.
  IndexDomain domain() const;
  /// A superset of the values of result \p I over the domain: the image of the
  /// domain under the map lies in the box of these.
  Interval rangeOfResult(size_t I) const;
  std::vector<Interval> rangesOfResults() const;

  /// An equal map in simplest form: results and constraints simplified with
  /// all that the domain says, bounds tightened, implied constraints dropped,
  /// a contradictory domain replaced by the canonical empty map. Simplifying
  /// the result again changes nothing, and the order of the constraints does
  /// not matter. See IndexingMapSimplify.cpp.
  IndexingMap simplified() const;

private:
  IndexContext *Context;
  Variables Vars;
  std::vector<IndexExpr> Results;
  std::vector<MapConstraint> Constraints;
  bool KnownEmpty = false;
};

} // namespace unravel

#endif // UNRAVEL_ANALYSIS_MAPS_INDEXINGMAP_H
