//===- HloIndexingValue.h - Elements as index expressions -------*- C++ -*-===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef UNRAVEL_FRONTEND_INDEXING_HLOINDEXINGVALUE_H
#define UNRAVEL_FRONTEND_INDEXING_HLOINDEXINGVALUE_H

#include "analysis/algebra/FloorBasis.h"
#include "analysis/maps/IndexingMap.h"
#include "frontend/hlo/HloModule.h"

namespace unravel {

/// An element of an integer array, at a place over the variables of a map.
class HloElementValue {
public:
  /// Goes through operations that only move elements towards where the element
  /// comes from. \p Place is over the variables of \p Map.
  HloElementValue(const IndexingMap &Map, const HloInstruction &Source,
                  llvm::ArrayRef<IndexExpr> Place);

  const HloInstruction &source() const { return *Source; }
  const std::vector<IndexExpr> &place() const { return Place; }
  /// The element as an expression; null if it is not known, or if some
  /// arithmetic on the way may wrap.
  IndexExpr value() { return valueOf(*Source, Place, MaxDepth); }

private:
  /// Operations on the longest way to a constant.
  static constexpr unsigned MaxDepth = 8;

  const HloInstruction *moveThrough(const HloInstruction *From,
                                    std::vector<IndexExpr> &Place);
  IndexExpr valueOf(const HloInstruction &From, std::vector<IndexExpr> Place,
                    unsigned Depth);
  IndexExpr combined(const HloInstruction &I, IndexExpr A, IndexExpr B);
  IndexExpr ifItFits(const HloShape &Shape, IndexExpr Value);

  IndexContext &Context;
  IndexDomain Box;
  FloorBasis Basis;
  const HloInstruction *Source;
  std::vector<IndexExpr> Place;
};

} // namespace unravel

#endif // UNRAVEL_FRONTEND_INDEXING_HLOINDEXINGVALUE_H
