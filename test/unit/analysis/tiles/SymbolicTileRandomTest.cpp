//===- SymbolicTileRandomTest.cpp - Symbolic tiles at all sizes -----------===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Random maps: wherever the conditions of the symbolic tile hold, its box is
// compared with the elements that the points of each tile touch.
//
//===----------------------------------------------------------------------===//

#include "RandomTiles.h"
#include "analysis/tiles/SymbolicTile.h"
#include "gtest/gtest.h"
#include <map>

using namespace llvm;
using namespace unravel;

namespace {

/// Points to look at, over all maps and sizes.
constexpr uint64_t WantedPoints = 1000000;

using Numbers = std::vector<int64_t>;

/// Calls \p Visit for every vector with \p First <= v <= \p Last.
void forEachVector(const Numbers &First, const Numbers &Last,
                   function_ref<void(const Numbers &)> Visit) {
  for (size_t I = 0; I < First.size(); ++I)
    if (First[I] > Last[I])
      return;
  Numbers V = First;
  while (true) {
    Visit(V);
    size_t I = V.size();
    while (I > 0 && V[I - 1] == Last[I - 1]) {
      --I;
      V[I] = First[I];
    }
    if (I == 0)
      return;
    ++V[I - 1];
  }
}

/// A symbolic tile with numbers for the symbols.
struct TileWithNumbers {
  Numbers Offset, Size, Stride, Lower, Upper;
};

TileWithNumbers numbersOf(const SymbolicTile &Tile,
                          const IndexingMap::Point &P) {
  TileWithNumbers N;
  for (const SymbolicAxis &Axis : Tile.Axes) {
    auto At = [&](IndexExpr E, int64_t Default) {
      return E ? Tile.Symbols.evaluate(E, P).value() : Default;
    };
    N.Offset.push_back(At(Axis.OffsetAt, 0));
    N.Size.push_back(At(Axis.Size, 0));
    N.Stride.push_back(At(Axis.Stride, 0));
    N.Lower.push_back(At(Axis.LowerBound, INT64_MIN));
    N.Upper.push_back(At(Axis.UpperBound, INT64_MAX));
  }
  return N;
}

/// The elements of the box that are inside of the bounds.
ElementSet elementsOf(const TileWithNumbers &N) {
  ElementSet Elements;
  Numbers Last;
  for (int64_t Size : N.Size)
    Last.push_back(Size - 1);
  forEachVector(Numbers(Last.size(), 0), Last, [&](const Numbers &J) {
    std::vector<int64_t> Element;
    for (size_t I = 0; I < J.size(); ++I) {
      Element.push_back(N.Offset[I] + N.Stride[I] * J[I]);
      if (Element.back() < N.Lower[I] || Element.back() >= N.Upper[I])
        return;
    }
    Elements.insert(Element);
  });
  return Elements;
}

std::string textOf(const Numbers &V) {
  std::string Text;
  for (int64_t N : V)
    Text += " " + std::to_string(N);
  return Text;
}

TEST(SymbolicTileRandom, AgreesWithEveryPoint) {
  MapGenerator Generator(61);
  uint64_t Points = 0, Sizes = 0, GoodSizes = 0, Tiles = 0;
  unsigned Maps = 0, Answers = 0;
  while (Points < WantedPoints) {
    std::string Text = Generator.map(150);
    IndexContext Context({1u << 16, 64});
    IndexingMap Map = cantFail(parseIndexingMap(Context, Text));
    Numbers Strides(Map.dimensions().size(), 1);
    bool HasStrides = Generator.chance(10);
    for (int64_t &Stride : Strides)
      Stride = HasStrides ? Generator.pick(1, 3) : 1;
    Expected<SymbolicTile> Tile = symbolicTileOf(Map, Strides);
    ++Maps;
    if (!Tile) {
      ASSERT_NE(toString(Tile.takeError()), "no symbolic tile: ");
      continue;
    }
    ++Answers;
    size_t Rank = Map.dimensions().size();
    Numbers Largest;
    for (const MapVariable &D : Map.dimensions())
      Largest.push_back(int64_t(*D.Bounds.size()) + 1);
    // Constraints on one dimension are bounds, too.
    IndexingMap Simple = Map.simplified();
    // All points, once.
    std::vector<Numbers> At, Results;
    Map.forEachPoint(1 << 16, [&](ArrayRef<int64_t> P) {
      At.push_back(P.vec());
      Results.push_back(*Map.evaluate(P));
      return true;
    });
    std::string Failure;
    forEachVector(Numbers(Rank, 1), Largest, [&](const Numbers &Size) {
      ++Sizes;
      if (!Failure.empty() || Sizes % 3 != 0 ||
          !Tile->Conditions.holdAt(Tile->pointAt(Size, Numbers(Rank, 0)))
               .value())
        return;
      ++GoodSizes;
      Points += At.size();
      std::map<Numbers, ElementSet> TouchedBy;
      for (size_t P = 0; P < At.size(); ++P) {
        Numbers Index;
        for (size_t I = 0; I < Rank; ++I)
          Index.push_back(floorDiv(At[P][I], Size[I]));
        if (!HasStrides)
          TouchedBy[Index].insert(Results[P]);
      }
      Numbers FirstIndex, LastIndex;
      for (size_t I = 0; I < Rank; ++I) {
        const Interval &Bounds = Map.dimensions()[I].Bounds;
        FirstIndex.push_back(floorDiv(Bounds.lo(), Size[I]));
        LastIndex.push_back(floorDiv(Bounds.hi(), Size[I]));
      }
      forEachVector(FirstIndex, LastIndex, [&](const Numbers &Index) {
        bool IsWhole = true;
        // Tiles with strides overlap.
        for (size_t P = 0; HasStrides && P < At.size(); ++P) {
          bool IsInside = true;
          for (size_t I = 0; I < Rank; ++I) {
            int64_t Steps = At[P][I] - Index[I] * Size[I];
            IsInside &= Steps >= 0 && Steps % Strides[I] == 0 &&
                        Steps / Strides[I] < Size[I];
          }
          if (IsInside)
            TouchedBy[Index].insert(Results[P]);
        }
        for (size_t I = 0; I < Rank; ++I) {
          const Interval &Bounds = Simple.dimensions()[I].Bounds;
          IsWhole &=
              Index[I] * Size[I] >= Bounds.lo() &&
              Index[I] * Size[I] + (Size[I] - 1) * Strides[I] <= Bounds.hi();
        }
        Tiles += IsWhole;
        TileWithNumbers N = numbersOf(*Tile, Tile->pointAt(Size, Index));
        ElementSet Wanted = elementsOf(N);
        const ElementSet &Touched = TouchedBy[Index];
        bool IsRight = IsWhole ? Wanted == Touched
                               : std::includes(Wanted.begin(), Wanted.end(),
                                               Touched.begin(), Touched.end());
        if (!IsRight)
          Failure = Text + "\nstrides" + textOf(Strides) + " sizes" +
                    textOf(Size) + " index" + textOf(Index) + " offset" +
                    textOf(N.Offset) + " size" + textOf(N.Size) + " stride" +
                    textOf(N.Stride) + " from" + textOf(N.Lower) + " to" +
                    textOf(N.Upper) + "\n" + Tile->Conditions.text();
      });
      // Counted from the lower bounds, whole tiles have the same shape.
      if (!Map.constraints().empty() || !Failure.empty() || HasStrides)
        return;
      SmallVector<TileAxis, 4> First;
      for (size_t I = 0; I < Rank; ++I) {
        First.push_back({Size[I], 0, 1});
        if (Size[I] >= Largest[I])
          return;
      }
      uint64_t Ignored = 0;
      std::optional<ElementBox> Box = boxOf(touchedBy(Map, First, Ignored));
      TileWithNumbers N =
          numbersOf(*Tile, Tile->pointAt(Size, Numbers(Rank, 0)));
      for (size_t I = 0; I < N.Size.size(); ++I)
        if (!Box || int64_t((*Box)[I].Size) != N.Size[I] ||
            (N.Size[I] > 1 && (*Box)[I].Stride != std::abs(N.Stride[I])))
          Failure = Text + "\nsizes" + textOf(Size) + " from the lower bounds";
    });
    ASSERT_EQ(Failure, "");
  }
  EXPECT_GT(Answers, Maps / 2);
  EXPECT_GT(GoodSizes, Answers * 2);
  outs() << Maps << " maps, " << Answers << " answers, " << GoodSizes
         << " sizes of " << Sizes / 3 << ", " << Tiles << " tiles\n";
}

} // namespace
