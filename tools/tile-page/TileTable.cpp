//===- TileTable.cpp - All tiles of a map, one by one ---------------------===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tools/tile-page/TileTable.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

using namespace llvm;

namespace unravel {

static ImageAnswer emptyImage() {
  ImageAnswer Answer;
  Answer.Kind = ImageAnswer::Empty;
  return Answer;
}

/// What the tile with the number \p Index[I] along dimension I touches.
static Expected<ImageAnswer> imageAt(const IndexingMap &Map,
                                     ArrayRef<TiledDimension> Dimensions,
                                     ArrayRef<int64_t> Index) {
  std::vector<TileAxis> Tile;
  for (auto [D, Dimension] : enumerate(Dimensions)) {
    const Interval Bounds = Map.dimensions()[D].Bounds;
    // What the map has of the tile: a part of the result may need nothing.
    int64_t Begin = Dimension.Begin + Index[D] * Dimension.Size;
    int64_t Left = Dimension.Begin + (Dimension.Length - Begin);
    int64_t End = Begin + std::min(Dimension.Size, Left);
    int64_t First = std::max(Begin, Bounds.lo());
    if (First >= End || First > Bounds.hi())
      return emptyImage();
    Tile.push_back({End - First, First - Bounds.lo(), 1});
  }
  return tileImageOf(Map, Tile);
}

static json::Array boxOf(const ImageAnswer &Image, size_t Rank) {
  json::Array Box;
  for (size_t R = 0; R < Rank; ++R) {
    Progression Axis =
        Image.Kind == ImageAnswer::Empty ? Progression() : Image.Axes[R];
    Box.push_back(json::Array{Axis.Offset, Axis.Size, Axis.Stride});
  }
  return Box;
}

/// Elements that both touch; null where one of them is no box.
static json::Value sharedBy(const ImageAnswer &A, const ImageAnswer &B) {
  if (A.Kind == ImageAnswer::Empty || B.Kind == ImageAnswer::Empty)
    return 0;
  if (A.Kind != ImageAnswer::Box || B.Kind != ImageAnswer::Box)
    return nullptr;
  std::optional<uint64_t> Count = countShared(A.Axes, B.Axes);
  return Count ? json::Value(*Count) : json::Value(nullptr);
}

Expected<json::Object>
tileTableOf(const IndexingMap &Map, ArrayRef<TiledDimension> Dimensions,
            std::optional<ArrayRef<int64_t>> ArraySizes, StringRef Title,
            ArrayRef<std::pair<std::string, std::string>> Facts) {
  int64_t NumTiles = 1;
  for (const TiledDimension &D : Dimensions)
    if (MulOverflow(NumTiles, D.count(), NumTiles) || NumTiles > MaxDrawnTiles)
      return createStringError("more than " + Twine(MaxDrawnTiles) +
                               " tiles are not drawn; give larger tiles");
  std::vector<ImageAnswer> Images;
  size_t Rank = Map.results().size();
  // Without an array, the hull of all boxes.
  std::vector<Interval> Hull(Rank, Interval::empty());
  SmallVector<int64_t, 4> Index(Dimensions.size());
  for (int64_t Number = 0; Number < NumTiles; ++Number) {
    int64_t Rest = Number;
    for (size_t D = Dimensions.size(); D-- > 0;) {
      Index[D] = Rest % Dimensions[D].count();
      Rest /= Dimensions[D].count();
    }
    Expected<ImageAnswer> Image = imageAt(Map, Dimensions, Index);
    if (!Image)
      return Image.takeError();
    if (Image->Kind == ImageAnswer::Box)
      for (auto [Span, Axis] : zip_equal(Hull, Image->Axes)) {
        Interval Own(Axis.Offset, Axis.last());
        Span = Span.isEmpty() ? Own
                              : Interval(std::min(Span.lo(), Own.lo()),
                                         std::max(Span.hi(), Own.hi()));
      }
    Images.push_back(std::move(*Image));
  }

  json::Array Tiles, Counts, First, Sizes, FactTexts;
  for (int64_t Number = 0; Number < NumTiles; ++Number) {
    const ImageAnswer &Image = Images[Number];
    if (Image.Kind != ImageAnswer::Box && Image.Kind != ImageAnswer::Empty) {
      Tiles.push_back(json::Object{{"why", json::fixUTF8(Image.Reason)}});
      continue;
    }
    json::Array Shared;
    int64_t Step = NumTiles, Rest = Number;
    for (const TiledDimension &D : Dimensions) {
      Step /= D.count();
      bool IsLast = Rest / Step == D.count() - 1;
      Rest %= Step;
      Shared.push_back(IsLast ? json::Value(0)
                              : sharedBy(Image, Images[Number + Step]));
    }
    Tiles.push_back(json::Object{{"box", boxOf(Image, Rank)},
                                 {"shared", std::move(Shared)}});
  }
  for (const TiledDimension &D : Dimensions)
    Counts.push_back(D.count());
  for (size_t R = 0; R < Rank; ++R) {
    Interval Span = ArraySizes ? Interval(0, (*ArraySizes)[R] - 1) : Hull[R];
    First.push_back(Span.isEmpty() ? 0 : Span.lo());
    Sizes.push_back(Span.isEmpty() ? 0 : Span.hi() - Span.lo() + 1);
  }
  for (const auto &[Name, Text] : Facts)
    FactTexts.push_back(json::Array{json::fixUTF8(Name), json::fixUTF8(Text)});
  return json::Object{
      {"title", json::fixUTF8(Title)}, {"facts", std::move(FactTexts)},
      {"counts", std::move(Counts)},   {"first", std::move(First)},
      {"sizes", std::move(Sizes)},     {"tiles", std::move(Tiles)}};
}

} // namespace unravel
