//===- TransposeTiling.cpp - Tiles of a transposed array ------------------===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "frontend/plan/TransposeTiling.h"
#include "frontend/indexing/HloIndexingOps.h"
#include "frontend/indexing/ThreadMaps.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

using namespace llvm;

namespace unravel {

//===----------------------------------------------------------------------===//
// Dimensions
//===----------------------------------------------------------------------===//

TransposeTiling::TransposeTiling(std::vector<int64_t> Sizes,
                                 std::vector<Order> Inputs)
    : Sizes(std::move(Sizes)), Inputs(std::move(Inputs)) {
  mergeNeighbours();
  choose();
}

/// Dimension D + 1 of the output becomes a part of D if it follows D in all
/// inputs as well. The minor dimensions stay apart: if the last one of the
/// output became a part of the last one of the inputs, it would be the last in
/// both.
void TransposeTiling::mergeNeighbours() {
  std::vector<bool> FollowsEverywhere(Sizes.size(), true);
  FollowsEverywhere[0] = false;
  for (const Order &Input : Inputs)
    for (size_t K = 0; K < Input.size(); ++K)
      if (K == 0 || Input[K] != Input[K - 1] + 1)
        FollowsEverywhere[Input[K]] = false;

  std::vector<int64_t> Merged;
  std::vector<unsigned> NewNumber;
  for (auto [Size, Follows] : zip_equal(Sizes, FollowsEverywhere)) {
    if (Follows)
      Merged.back() *= Size;
    else
      Merged.push_back(Size);
    NewNumber.push_back(Merged.size() - 1);
  }
  for (Order &Input : Inputs) {
    llvm::erase_if(Input, [&](unsigned D) { return FollowsEverywhere[D]; });
    for (unsigned &D : Input)
      D = NewNumber[D];
  }
  Sizes = std::move(Merged);
}

static uint64_t tilesOf(int64_t Size) {
  return divideCeil(uint64_t(Size), uint64_t(TransposeTiling::Edge));
}

/// Rows and columns of one dimension each need the cheapest indices. A further
/// dimension is added if it fills the tiles so well that there are a quarter
/// fewer of them.
void TransposeTiling::choose() {
  unsigned Rank = Sizes.size();
  uint64_t Fewest = 0;
  Order Columns, Rows;
  for (unsigned C = 1; C < Rank; ++C) {
    Columns.insert(Columns.begin(), Rank - C);
    Rows.clear();
    for (unsigned R = 1; R < Rank; ++R) {
      unsigned Next = Inputs[0][Rank - R];
      if (is_contained(Columns, Next) ||
          any_of(Inputs, [&](const Order &I) { return I[Rank - R] != Next; }))
        break;
      Rows.insert(Rows.begin(), Next);
      uint64_t Tiles = tilesOf(countOf(Rows)) * tilesOf(countOf(Columns));
      for (unsigned D = 0; D < Rank; ++D)
        if (!is_contained(Columns, D) && !is_contained(Rows, D))
          Tiles *= Sizes[D];
      if (Fewest != 0 && Tiles > Fewest - divideCeil(Fewest, uint64_t(4)))
        continue;
      Fewest = Tiles;
      this->Columns = Columns;
      this->Rows = Rows;
    }
  }
  for (unsigned D = 0; D < Rank; ++D)
    if (!is_contained(this->Columns, D) && !is_contained(this->Rows, D))
      Batch.push_back(D);
}

std::vector<int64_t>
TransposeTiling::sizesOf(ArrayRef<unsigned> Dimensions) const {
  std::vector<int64_t> Result;
  for (unsigned D : Dimensions)
    Result.push_back(Sizes[D]);
  return Result;
}

int64_t TransposeTiling::countOf(const Order &Dimensions) const {
  return product_of(sizesOf(Dimensions));
}

std::vector<int64_t> TransposeTiling::grid() const {
  std::vector<int64_t> Grid = sizesOf(Batch);
  Grid.push_back(tilesOf(rowCount()));
  Grid.push_back(tilesOf(columnCount()));
  return Grid;
}

uint64_t TransposeTiling::blocks() const {
  return uint64_t(countOf(Batch)) * tilesOf(rowCount()) *
         tilesOf(columnCount());
}

bool TransposeTiling::pays() const {
  return blocks() <= uint64_t(product_of(Sizes)) / (Edge * Edge / 4);
}

//===----------------------------------------------------------------------===//
// Maps
//===----------------------------------------------------------------------===//

std::optional<IndexingMap> transposeThreadMap(const TransposeTiling &Tiling,
                                              const HloShape &Array,
                                              std::optional<size_t> Input,
                                              int64_t Threads,
                                              IndexContext &Context) {
  constexpr int64_t Edge = TransposeTiling::Edge;
  uint64_t Blocks = Tiling.blocks();
  auto [BlocksX, BlocksY, BlocksZ] = gridOf(Blocks);
  if (BlocksZ > 1)
    return std::nullopt;

  LaunchVariables V(Context, Threads, BlocksX, BlocksY);
  int64_t Together = Threads / Edge;
  IndexExpr Step = V.addRange(Edge / Together, "step");

  // The map is simplified with its own domain.
  IndexDomain Nothing(Context);
  FloorBasis Basis(Nothing);
  IndexExpr Block = Context.add(V.BlockX, V.BlockY, BlocksX);
  IndexExpr Lane = Basis.floorMod(V.Thread, Edge);
  IndexExpr Line = Context.add(Basis.floorDiv(V.Thread, Edge), Step, Together);
  std::vector<IndexExpr> Place =
      reshapedIndex(Basis, {Block}, {int64_t(Blocks)}, Tiling.grid());
  size_t BatchRank = Tiling.batch().size();
  IndexExpr Row = Context.add(Input ? Lane : Line, Place[BatchRank], Edge);
  IndexExpr Column =
      Context.add(Input ? Line : Lane, Place[BatchRank + 1], Edge);
  std::vector<MapConstraint> Inside = {
      {Block, Interval(0, int64_t(Blocks) - 1)},
      {Row, Interval(0, Tiling.rowCount() - 1)},
      {Column, Interval(0, Tiling.columnCount() - 1)}};

  std::vector<IndexExpr> Index(Tiling.sizes().size());
  for (auto [K, D] : enumerate(Tiling.batch()))
    Index[D] = Place[K];
  auto TakeApart = [&](IndexExpr E, ArrayRef<unsigned> Dimensions,
                       int64_t Count) {
    for (auto [D, Part] :
         zip_equal(Dimensions, reshapedIndex(Basis, {E}, {Count},
                                             Tiling.sizesOf(Dimensions))))
      Index[D] = Part;
  };
  TakeApart(Row, Tiling.rows(), Tiling.rowCount());
  TakeApart(Column, Tiling.columns(), Tiling.columnCount());

  TransposeTiling::Order Order(Index.size());
  for (size_t K = 0; K < Order.size(); ++K)
    Order[K] = Input ? Tiling.inputOrder(*Input)[K] : K;
  std::vector<IndexExpr> Ordered;
  for (unsigned D : Order)
    Ordered.push_back(Index[D]);
  std::vector<IndexExpr> Physical = reshapedIndex(
      Basis, Ordered, Tiling.sizesOf(Order), physicalSizesOf(Array));
  if (any_of(Physical, [](IndexExpr E) { return !E; }))
    return std::nullopt;
  return IndexingMap(Context, std::move(V.Vars), logicalIndex(Array, Physical),
                     std::move(Inside))
      .simplified();
}

} // namespace unravel
