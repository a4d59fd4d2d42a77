//===- MapQuestions.cpp - Questions about tiles and maps ------------------===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tools/access-report/MapQuestions.h"
#include "analysis/maps/IndexingMapText.h"
#include "analysis/requests/MapRequests.h"
#include "analysis/tiles/ResultCount.h"
#include "frontend/hlo/HloShape.h"
#include "frontend/text/HloLexer.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

using namespace llvm;

namespace unravel {

//===----------------------------------------------------------------------===//
// Tiles
//===----------------------------------------------------------------------===//

static Expected<HloShape> shapeOf(const json::Object &Line) {
  std::optional<StringRef> Text = Line.getString("shape");
  if (!Text)
    return createStringError("\"shape\" is missing or not a string");
  HloLexer Lexer(*Text, "shape");
  Expected<HloShape> Shape = Lexer.parseShape();
  if (!Shape)
    return Shape;
  if (!Lexer.atEnd() || !Shape->isArray())
    return createStringError("\"shape\" must be an array, as in f32[256,16]");
  return Shape;
}

static Expected<std::vector<int64_t>> tileOf(const json::Object &Line,
                                             const HloShape &Shape) {
  const json::Array *Sizes = Line.getArray("tile");
  if (!Sizes || Sizes->size() != Shape.rank())
    return createStringError("\"tile\" must be an array of " +
                             Twine(Shape.rank()) + " sizes");
  std::vector<int64_t> Tile;
  for (const json::Value &Size : *Sizes) {
    std::optional<int64_t> Number = Size.getAsInteger();
    if (!Number || *Number < 1)
      return createStringError("a size of \"tile\" is no integer from 1 on");
    Tile.push_back(*Number);
  }
  return Tile;
}

/// The bytes from the first element of a tile on that are in it: dimensions
/// from the minor one on, up to the first that the tile does not have whole.
static int64_t contiguousBytes(const HloShape &Shape, ArrayRef<int64_t> Tile) {
  int64_t Elements = 1;
  for (int64_t D : Shape.minorToMajor()) {
    Elements *= std::min(Tile[D], Shape.dimension(D));
    if (Tile[D] < Shape.dimension(D))
      break;
  }
  return Elements * byteWidth(Shape.elementType());
}

Expected<json::Object> answerTile(const json::Object &Line) {
  Expected<HloShape> Shape = shapeOf(Line);
  if (!Shape)
    return Shape.takeError();
  Expected<std::vector<int64_t>> Tile = tileOf(Line, *Shape);
  if (!Tile)
    return Tile.takeError();
  std::optional<int64_t> Transaction = Line.getInteger("transaction_bytes");
  if (!Transaction || *Transaction < 1 || *Transaction > 4096 ||
      !isPowerOf2_64(*Transaction))
    return createStringError(
        "\"transaction_bytes\" must be a power of two from 1 to 4096");
  int64_t Bytes = contiguousBytes(*Shape, *Tile);
  json::Value Share = nullptr;
  if (Bytes > 0)
    Share = double(Bytes) / double(alignTo(Bytes, *Transaction));
  return json::Object{{"contiguous_bytes", Bytes}, {"utilisation", Share}};
}

//===----------------------------------------------------------------------===//
// Maps
//===----------------------------------------------------------------------===//

static json::Object toJson(const CostBounds &Cost) {
  return json::Object{{"bytes", Cost.FewestBytes},
                      {"sectors", Cost.FewestSectors},
                      {"lines", Cost.FewestLines},
                      {"ideal_sectors", Cost.FewestIdeal},
                      {"efficiency", roundedShare(Cost.LowestEfficiency)}};
}

/// Null if it is not one number for all requests.
static json::Value onlyCost(const CostBounds &Cost) {
  if (Cost.isOne())
    return toJson(Cost);
  return nullptr;
}

static json::Value orNull(std::optional<uint64_t> Count) {
  if (Count)
    return *Count;
  return nullptr;
}

Expected<json::Object> answerMap(const json::Object &Line) {
  std::optional<StringRef> Text = Line.getString("map");
  if (!Text)
    return createStringError("\"map\" is missing or not a string");
  std::optional<int64_t> Bytes = Line.getInteger("element_bytes");
  if (!Bytes || !isLaneWidth(*Bytes))
    return createStringError("\"element_bytes\" must be 1, 2, 4, 8 or 16");
  IndexContext Context;
  Expected<IndexingMap> Map = parseIndexingMap(Context, *Text, "map");
  if (!Map)
    return Map.takeError();
  if (Map->dimensions().empty() || Map->results().size() != 1 ||
      !Map->runtimes().empty())
    return createStringError(
        "\"map\" must lead from a thread and other variables, but none of run "
        "time, to the number of an element");
  MapRequests Requests = requestsOf({*Map, unsigned(*Bytes)});
  if (!Requests.NotUnderstood.empty())
    return createStringError(Requests.NotUnderstood);
  std::optional<uint64_t> Unique = countResults(Map->simplified());
  std::optional<uint64_t> Reads = countPoints(*Map);
  json::Value Reuse = nullptr;
  if (Unique && Reads && *Unique != 0)
    Reuse = double(*Reads) / double(*Unique);
  return json::Object{{"simplified", toSimplestString(*Map)},
                      {"vector_width", Requests.Vector},
                      {"first_warp", onlyCost(Requests.First)},
                      {"request", Requests.IsComplete ? onlyCost(Requests.All)
                                                      : json::Value(nullptr)},
                      {"unique_elements", orNull(Unique)},
                      {"reads", orNull(Reads)},
                      {"reuse", Reuse}};
}

} // namespace unravel
