//===- TileConditions.h - What tile sizes have to satisfy -------*- C++ -*-===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A symbolic tile holds for the tile sizes that satisfy a condition, which is
// kept as a conjunction of disjunctions:
//
//     (6 mod t0 = 0 | t0 mod 6 = 0) & (8 mod t1 = 0 | t1 mod 8 = 0)
//
// Conditions of different dimensions are added one after the other, so it is as
// long as these are together. (XLA keeps a disjunction of conjunctions, which
// doubles with each of the two above.)
//
//===----------------------------------------------------------------------===//

#ifndef UNRAVEL_ANALYSIS_TILES_TILECONDITIONS_H
#define UNRAVEL_ANALYSIS_TILES_TILECONDITIONS_H

#include "analysis/maps/IndexingMap.h"
#include <memory>
#include <set>
#include <vector>

namespace unravel {

/// A relation between forms over tile sizes.
struct TileCondition {
  enum Relation : uint8_t {
    Equal,    ///< Left = Right
    AtLeast,  ///< Left >= Right
    Multiple, ///< Left mod Right = 0; Right is positive
  };
  IndexExpr Left, Right;
  Relation Kind;
  bool operator==(const TileCondition &Other) const {
    return Left == Other.Left && Right == Other.Right && Kind == Other.Kind;
  }
};

class TileConditions {
public:
  /// One of them has to hold.
  using Clause = llvm::SmallVector<TileCondition, 3>;

  /// \p Symbols has the tile sizes as variables, with their bounds.
  explicit TileConditions(const IndexingMap &Symbols)
      : Symbols(Symbols),
        Domain(std::make_shared<IndexDomain>(Symbols.domain())) {}

  /// Adds a clause. What the bounds of the sizes and earlier clauses with one
  /// alternative decide is left out. Returns
  /// false if no alternative is left: no tile sizes satisfy the clause. Forms
  /// may be null, which a clause then cannot use.
  bool add(llvm::ArrayRef<TileCondition> Alternatives);

  llvm::ArrayRef<Clause> clauses() const { return Clauses; }
  /// Whether all clauses hold at a point of the symbols; nullopt if a form has
  /// no value there.
  std::optional<bool> holdAt(llvm::ArrayRef<int64_t> Point) const;
  /// The condition as above; empty if every size satisfies it.
  std::string text() const;

private:
  std::optional<bool> decided(const TileCondition &C) const;
  std::string text(const TileCondition &C) const;

  IndexingMap Symbols;
  /// The bounds of the symbols, and clauses with one alternative.
  std::shared_ptr<IndexDomain> Domain;
  llvm::SmallVector<Clause, 4> Clauses;
  /// The clauses as numbers of forms and relations: none is there twice.
  std::set<std::vector<unsigned>> Known;
};

} // namespace unravel

#endif // UNRAVEL_ANALYSIS_TILES_TILECONDITIONS_H
