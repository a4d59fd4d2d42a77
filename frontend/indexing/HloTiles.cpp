//===- HloTiles.cpp - What blocks load of parameters ----------------------===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "frontend/indexing/HloTiles.h"
#include "analysis/maps/IndexingMapInverse.h"
#include "analysis/maps/IndexingMapText.h"
#include "analysis/tiles/TileGrid.h"
#include "analysis/tiles/TileImage.h"
#include "frontend/indexing/HloUtilisation.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace unravel {

template <typename T> static std::string listOf(const T &Numbers) {
  return "(" +
         join(map_range(Numbers, [](auto N) { return std::to_string(N); }),
              ", ") +
         ")";
}

/// Of a tile in the middle of the result and the next one along each dimension,
/// how many elements both need. Empty where that is not known.
static SmallVector<uint64_t, 4> sharedBy(const OperandMap &M,
                                         ArrayRef<int64_t> Sizes) {
  std::optional<IndexingMap> Map = withLeastRuntimes(M);
  if (!Map)
    return {};
  std::vector<TileAxis> Tile;
  for (auto [Dimension, Size] : zip_equal(Map->dimensions(), Sizes)) {
    // Of the tiles that begin where there is a point, one in the middle.
    int64_t Begin = Dimension.Bounds.lo(), End = Dimension.Bounds.hi();
    int64_t First = (Begin + Size - 1) / Size, Last = End / Size;
    int64_t Place = (First + std::max(First, Last - 1)) / 2 * Size;
    if (Place > End)
      return {};
    Tile.push_back({Size, Place - Begin, 1});
  }
  auto Shared = reuseAlongDimensions(*Map, Tile);
  if (!Shared) {
    consumeError(Shared.takeError());
    return {};
  }
  SmallVector<uint64_t, 4> Counts;
  for (std::optional<uint64_t> Count : *Shared) {
    if (!Count)
      return {};
    Counts.push_back(*Count);
  }
  return Counts;
}

/// Calls \p F with each dimension of which only a part needs the parameter.
static void
forEachPart(const HloTile &Tile,
            function_ref<void(const std::string &Name, const Interval &)> F) {
  const IndexingMap &Map = Tile.Map->Map;
  for (auto [D, Dimension] : enumerate(Map.dimensions()))
    if (Dimension.Bounds != Interval(0, Tile.Output.dimension(D) - 1))
      F(Map.nameOf(VariableKind::Dimension, D), Dimension.Bounds);
}

static std::vector<std::string> textsOf(const SymbolicTile &Tile,
                                        IndexExpr SymbolicAxis::*Member) {
  std::vector<std::string> Texts;
  for (const SymbolicAxis &Axis : Tile.Axes)
    Texts.push_back(Tile.text(Axis.*Member));
  return Texts;
}

std::string toText(const HloTile &Tile) {
  std::string Text = Tile.From;
  if (!Tile.To.empty())
    Text += " -> " + Tile.To;
  if (!Tile.WhyNot.empty())
    return Text + ": no tile: " + Tile.WhyNot;
  if (!Tile.Map)
    return Text + ": not read";
  if (Tile.Grid) {
    Text += ": offsets " + toSimplestString(Tile.Grid->Offsets) + ", sizes " +
            listOf(Tile.Grid->Sizes) + ", strides " +
            listOf(Tile.Grid->Strides);
    if (!Tile.Shared.empty())
      Text += ", shared with the next tiles " + listOf(Tile.Shared);
  } else {
    auto List = [&](IndexExpr SymbolicAxis::*Member) {
      return "(" + join(textsOf(*Tile.Symbols, Member), ", ") + ")";
    };
    Text += ": offsets " + List(&SymbolicAxis::OffsetAt) + ", sizes " +
            List(&SymbolicAxis::Size) + ", strides " +
            List(&SymbolicAxis::Stride);
    std::string Conditions = Tile.Symbols->Conditions.text();
    if (!Conditions.empty())
      Text += ", if " + Conditions;
  }
  StringRef Before = ", for ";
  forEachPart(Tile, [&](const std::string &Name, const Interval &Bounds) {
    Text += Before.str() + Name + " in [" + std::to_string(Bounds.lo()) + ", " +
            std::to_string(Bounds.hi()) + "]";
    Before = " and ";
  });
  return Text;
}

json::Object toJson(const HloTile &Tile) {
  json::Object Object = json::Object{{"from", json::fixUTF8(Tile.From)}};
  if (!Tile.To.empty())
    Object["to"] = json::fixUTF8(Tile.To);
  if (!Tile.WhyNot.empty()) {
    Object["no_tile"] = json::fixUTF8(Tile.WhyNot);
    return Object;
  }
  Object["read"] = Tile.Map.has_value();
  if (!Tile.Map)
    return Object;
  Object["output"] = json::Array(Tile.Output.dimensions());
  Object["input"] = json::Array(Tile.Input.dimensions());
  if (Tile.Grid) {
    Object["offsets"] = toSimplestString(Tile.Grid->Offsets);
    Object["sizes"] = json::Array(Tile.Grid->Sizes);
    Object["strides"] = json::Array(Tile.Grid->Strides);
    Object["shared"] = Tile.Shared.empty() && Tile.Output.rank() != 0
                           ? json::Value(nullptr)
                           : json::Value(json::Array(Tile.Shared));
  } else {
    Object["offsets"] =
        json::Array(textsOf(*Tile.Symbols, &SymbolicAxis::OffsetAt));
    Object["sizes"] = json::Array(textsOf(*Tile.Symbols, &SymbolicAxis::Size));
    Object["strides"] =
        json::Array(textsOf(*Tile.Symbols, &SymbolicAxis::Stride));
    Object["conditions"] = Tile.Symbols->Conditions.text();
  }
  json::Object Parts;
  forEachPart(Tile, [&](const std::string &Name, const Interval &Bounds) {
    Parts[Name] = json::Array{Bounds.lo(), Bounds.hi()};
  });
  Object["for"] = std::move(Parts);
  return Object;
}

/// Fills in the tile of the map, or why there is none.
static void findTile(HloTile &Tile, ArrayRef<int64_t> Sizes) {
  const IndexingMap &Map = Tile.Map->Map;
  if (Sizes.empty()) {
    if (Expected<SymbolicTile> Symbols = symbolicTileOf(Map))
      Tile.Symbols = std::move(*Symbols);
    else
      Tile.WhyNot = toString(Symbols.takeError());
    return;
  }
  Expected<GridTile> Grid = gridTileOf(Map, Tile.Output.dimensions(), Sizes);
  if (!Grid) {
    Tile.WhyNot = toString(Grid.takeError());
    return;
  }
  Tile.Grid = std::move(*Grid);
  Tile.Shared = sharedBy(*Tile.Map, Sizes);
}

namespace {
class TileFinder {
public:
  TileFinder(const HloComputation &C, HloIndexingAnalysis &Analysis,
             ArrayRef<int64_t> Sizes)
      : C(C), Analysis(Analysis), Sizes(Sizes), Root(C.root().shape()) {}

  std::vector<HloTile> run();

private:
  void add(HloTile Tile) {
    if (Seen.insert(toText(Tile)).second)
      Tiles.push_back(std::move(Tile));
  }
  HloTile tileFrom(const HloInstruction &I, StringRef Name, size_t Element);
  void addMaps(const HloTile &Tile, const OperandIndexing &Indexing,
               const HloInstruction &To, StringRef Name);
  bool addOtherResult(size_t Element);
  void addNeeded(size_t Element);
  void addReached(size_t Parameter);

  const HloComputation &C;
  HloIndexingAnalysis &Analysis;
  ArrayRef<int64_t> Sizes;
  const HloShape &Root;
  std::vector<HloTile> Tiles;
  StringSet<> Seen;
};
} // namespace

HloTile TileFinder::tileFrom(const HloInstruction &I, StringRef Name,
                             size_t Element) {
  HloTile Tile;
  Tile.Output = arrayAt(I.shape(), Element);
  Tile.From = nameOfArray(Name, I.shape(), Element);
  return Tile;
}

/// A tile for each map of \p Indexing to arrays of \p To.
void TileFinder::addMaps(const HloTile &Tile, const OperandIndexing &Indexing,
                         const HloInstruction &To, StringRef Name) {
  HloTile None = Tile;
  None.To = Name.str();
  None.WhyNot = Indexing.WhyUnknown;
  if (!Indexing.isKnown() || Indexing.Maps.empty())
    add(std::move(None));
  for (const OperandMap &M : Indexing.Maps) {
    HloTile OfMap = Tile;
    OfMap.To = nameOfArray(Name, To.shape(), M.Element);
    OfMap.Input = arrayAt(To.shape(), M.Element);
    OfMap.Map = M;
    findTile(OfMap, Sizes);
    add(std::move(OfMap));
  }
}

/// The instruction whose value is array number \p Element of the root; null if
/// it is one of a tuple that another instruction makes.
static const HloInstruction *resultOf(const HloComputation &C, size_t Element) {
  const HloInstruction *I = &C.root();
  while (I->opcode() == HloOpcode::Tuple) {
    const HloInstruction *Operand = nullptr;
    for (size_t K = 0; !Operand; ++K) {
      size_t Arrays = arraysIn(I->operand(K).shape());
      if (Element < Arrays)
        Operand = &I->operand(K);
      else
        Element -= Arrays;
    }
    I = Operand;
  }
  return I->shape().isTuple() ? nullptr : I;
}

/// Why blocks that compute tiles of an array, with \p Sizes, may not store what
/// \p Map makes of them; empty if they may. Each element has to be stored by
/// one block. So the map has to be one to one between arrays with equally many
/// elements, and a tile that the end of a dimension cuts has to be cut by the
/// end of the other array as well.
static std::string whyNoPartition(const IndexingMap &Map,
                                  const HloShape &Output, const HloShape &Other,
                                  ArrayRef<int64_t> Sizes) {
  std::optional<uint64_t> Points = Map.boxSize();
  if (!Map.constraints().empty() || !Map.runtimes().empty() || !Points ||
      *Points != uint64_t(Output.elementCount()) ||
      Output.elementCount() != Other.elementCount() ||
      injectivityOf(Map).IsInjective != Answer::Yes)
    return "blocks would not store each of its elements once";
  for (auto [D, Size] : enumerate(Sizes)) {
    int64_t Length = Output.dimension(D);
    if (Length % Size == 0)
      continue;
    IndexExpr Alone =
        IndexingMap::exprOf(Map.context(), VariableKind::Dimension, D);
    bool IsCutToo = false;
    for (auto [R, Result] : enumerate(Map.results()))
      IsCutToo |= Result == Alone && Other.dimension(R) == Length;
    if (!IsCutToo)
      return (Twine(Length) + ", the length of d" + Twine(D) +
              ", is no multiple of " + Twine(Size) +
              ": a tile at its end would reach into another one")
          .str();
  }
  return "";
}

/// What the blocks that compute the tiles of the first result store of another
/// one, where that is computed on the way. Returns false if it is not.
bool TileFinder::addOtherResult(size_t Element) {
  const HloInstruction *Result = resultOf(C, Element);
  HloTile Tile = tileFrom(C.root(), "root", 0);
  if (!Result || Sizes.size() != Tile.Output.rank() ||
      Tile.Output.elementCount() == 0)
    return false;
  const OperandIndexing &Indexing =
      Analysis.outputToInstructions(C, 0)[Result->index()];
  if (!Indexing.isKnown() || Indexing.Maps.empty())
    return false;
  Tile.To = nameOfArray("root", Root, Element);
  Tile.Input = Result->shape();
  for (const OperandMap &M : Indexing.Maps) {
    HloTile OfMap = Tile;
    OfMap.Map = M;
    OfMap.WhyNot = whyNoPartition(M.Map, Tile.Output, Tile.Input, Sizes);
    if (OfMap.WhyNot.empty())
      findTile(OfMap, Sizes);
    if (OfMap.WhyNot.empty()) {
      OfMap.Shared.clear(); // all blocks store something else
      add(std::move(OfMap));
      return true;
    }
    if (Tile.WhyNot.empty())
      Tile.WhyNot = OfMap.WhyNot;
  }
  add(std::move(Tile));
  return true;
}

/// What tiles of array number \p Element of the root need.
void TileFinder::addNeeded(size_t Element) {
  HloTile Tile = tileFrom(C.root(), "root", Element);
  bool IsOther = Element != 0 && !Sizes.empty() && addOtherResult(Element);
  if (!Sizes.empty() && Sizes.size() != Tile.Output.rank()) {
    Tile.WhyNot = ("it has " + Twine(Tile.Output.rank()) +
                   " dimensions, --tile has " + Twine(Sizes.size()) + " sizes")
                      .str();
    if (!IsOther)
      add(std::move(Tile));
    return;
  }
  for (auto [P, Indexing] : enumerate(Analysis.outputToParameters(C, Element)))
    addMaps(Tile, Indexing, C.parameter(P), C.parameter(P).name());
}

/// What tiles of a parameter take part in.
void TileFinder::addReached(size_t Parameter) {
  const HloInstruction &P = C.parameter(Parameter);
  for (size_t Element = 0; Element < arraysIn(P.shape()); ++Element)
    addMaps(tileFrom(P, P.name(), Element),
            Analysis.parameterToRoot(C, Parameter, Element), C.root(), "root");
}

std::vector<HloTile> TileFinder::run() {
  for (size_t Element = 0; Element < arraysIn(Root); ++Element)
    addNeeded(Element);
  for (size_t P = 0; Sizes.empty() && P < C.parameters().size(); ++P)
    addReached(P);
  return std::move(Tiles);
}

std::vector<HloTile> tilesOf(const HloComputation &C,
                             HloIndexingAnalysis &Analysis,
                             ArrayRef<int64_t> Sizes) {
  return TileFinder(C, Analysis, Sizes).run();
}

} // namespace unravel
