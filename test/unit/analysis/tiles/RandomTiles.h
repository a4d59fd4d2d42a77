//===- RandomTiles.h - Random maps, and what their tiles touch --*- C++ -*-===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// For the tests of this folder: maps of many kinds, as text, and the elements
// that a tile touches, found by looking at every point of the map as written.
//
//===----------------------------------------------------------------------===//

#ifndef UNRAVEL_TEST_UNIT_ANALYSIS_TILES_RANDOMTILES_H
#define UNRAVEL_TEST_UNIT_ANALYSIS_TILES_RANDOMTILES_H

#include "analysis/maps/IndexingMapText.h"
#include "analysis/tiles/TileImage.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include <cstdlib>
#include <numeric>
#include <random>
#include <set>

namespace unravel {

using ElementSet = std::set<std::vector<int64_t>>;

/// Whether \p At is an element of \p Tile along a dimension with \p Bounds.
inline bool isInTile(int64_t At, const Interval &Bounds, const TileAxis &Tile) {
  int64_t Steps = At - Bounds.lo() - Tile.Offset;
  return Steps >= 0 && Steps % Tile.Stride == 0 &&
         Steps / Tile.Stride < Tile.Size;
}

/// The results of \p Map at the points of its domain inside of \p Tile; adds
/// the number of points that were looked at to \p Points.
inline ElementSet touchedBy(const IndexingMap &Map,
                            llvm::ArrayRef<TileAxis> Tile, uint64_t &Points) {
  ElementSet Elements;
  Map.forEachPoint(~uint64_t(0), [&](llvm::ArrayRef<int64_t> P) {
    ++Points;
    for (size_t I = 0; I < Tile.size(); ++I)
      if (!isInTile(P[I], Map.dimensions()[I].Bounds, Tile[I]))
        return true;
    Elements.insert(*Map.evaluate(P));
    return true;
  });
  return Elements;
}

/// The box that \p Elements, which are not none, are; nullopt if they are no
/// box.
inline std::optional<ElementBox> boxOf(const ElementSet &Elements) {
  ElementBox Box;
  size_t Count = 1;
  for (size_t I = 0; I < Elements.begin()->size(); ++I) {
    std::set<int64_t> Values;
    for (const std::vector<int64_t> &E : Elements)
      Values.insert(E[I]);
    int64_t Stride = 0;
    for (int64_t V : Values)
      Stride = std::gcd(Stride, V - *Values.begin());
    Stride = std::max<int64_t>(Stride, 1);
    if ((*Values.rbegin() - *Values.begin()) / Stride + 1 !=
        int64_t(Values.size()))
      return std::nullopt;
    Box.push_back({*Values.begin(), Values.size(), Stride});
    Count *= Values.size();
  }
  return Count == Elements.size() ? std::optional(Box) : std::nullopt;
}

inline std::string textOf(const ElementBox &Box) {
  std::string Text;
  for (const Progression &P : Box)
    Text += std::to_string(P.Offset) + "+" + std::to_string(P.Stride) + "*[0," +
            std::to_string(P.Size) + ") ";
  return Text;
}

/// Random maps as text.
class MapGenerator {
public:
  /// Other maps with UNRAVEL_RANDOM_SEED in the environment.
  explicit MapGenerator(uint64_t Seed) {
    if (const char *Given = std::getenv("UNRAVEL_RANDOM_SEED"))
      Seed = std::strtoull(Given, nullptr, 10);
    Random.seed(Seed);
  }

  int64_t pick(int64_t Lo, int64_t Hi) {
    return Lo + int64_t(Random() % uint64_t(Hi - Lo + 1));
  }
  bool chance(int64_t OneIn) { return pick(1, OneIn) == 1; }

  /// A map whose domain has at most about \p MaxPoints points.
  std::string map(int64_t MaxPoints) {
    std::string Text;
    do {
      Names.clear();
      Facts.clear();
      BoxSize = 1;
      Text = someMap();
    } while (BoxSize > MaxPoints);
    return Text;
  }

private:
  std::string variable(llvm::StringRef Name, int64_t Lo, int64_t Size) {
    Names.push_back(Name.str());
    Facts.push_back(
        llvm::formatv("{0} in [{1}, {2}]", Name, Lo, Lo + Size - 1).str());
    BoxSize *= Size;
    return Name.str();
  }
  std::string text(llvm::ArrayRef<std::string> Results) {
    std::vector<std::string> Dimensions, Ranges;
    for (const std::string &Name : Names)
      (Name[0] == 'd' ? Dimensions : Ranges).push_back(Name);
    return "(" + llvm::join(Dimensions, ", ") + ")[" +
           llvm::join(Ranges, ", ") + "] -> (" + llvm::join(Results, ", ") +
           "), domain: " + llvm::join(Facts, ", ");
  }
  std::string someMap() {
    switch (pick(0, 8)) {
    case 0:
    case 1:
      return reshape();
    case 2:
      return windows();
    case 3:
      return sums();
    case 4:
      return digits();
    case 5:
      return slices();
    case 6:
    case 7:
      return guarded();
    default:
      return anything();
    }
  }

  /// The index of an array in another shape with as many elements.
  std::string reshape() {
    static constexpr int64_t Primes[] = {2, 2, 3, 4, 2, 3, 5};
    std::vector<int64_t> Factors;
    for (int64_t I = pick(2, 5); I > 0; --I)
      Factors.push_back(Primes[pick(0, 6)]);
    auto Shape = [&] {
      std::shuffle(Factors.begin(), Factors.end(), Random);
      std::vector<int64_t> Sizes{Factors[0]};
      for (int64_t F : llvm::drop_begin(Factors))
        if (chance(2))
          Sizes.back() *= F;
        else
          Sizes.push_back(F);
      return Sizes;
    };
    std::vector<int64_t> From = Shape(), To = Shape();
    std::string Linear = "0";
    for (auto [I, Size] : llvm::enumerate(From))
      Linear = llvm::formatv(
                   "({0}) * {1} + {2}", Linear, Size,
                   reversed(variable("d" + std::to_string(I), 0, Size), Size))
                   .str();
    std::vector<std::string> Results;
    int64_t Below = 1;
    for (int64_t Size : llvm::reverse(To)) {
      Results.insert(
          Results.begin(),
          llvm::formatv("(({0}) floordiv {1}) mod {2}", Linear, Below, Size)
              .str());
      Below *= Size;
    }
    if (chance(5))
      Results.erase(Results.begin() + pick(0, Results.size() - 1));
    return text(Results);
  }
  std::string reversed(const std::string &Name, int64_t Size) {
    return chance(6) ? llvm::formatv("({0} - {1})", Size - 1, Name).str()
                     : Name;
  }

  /// Convolutions with strides, dilations and padding.
  std::string windows() {
    std::vector<std::string> Results;
    for (int64_t I = 0, Count = pick(1, 2); I < Count; ++I) {
      std::string D = variable("d" + std::to_string(I), 0, pick(1, 12));
      std::string S = variable("s" + std::to_string(I), 0, pick(1, 5));
      Results.push_back(llvm::formatv("{0} * {1} + {2} * {3} - {4}", D,
                                      pick(1, 4), S, pick(1, 3), pick(0, 3))
                            .str());
      if (chance(3))
        Facts.push_back(
            llvm::formatv("{0} in [0, {1}]", Results.back(), pick(3, 14))
                .str());
      if (chance(3))
        Results.back() =
            llvm::formatv("({0}) floordiv {1}", Results.back(), pick(2, 4));
    }
    return text(Results);
  }

  /// Sums of variables with few coefficients, so that some have no gaps.
  std::string sums() {
    static constexpr int64_t Coefficients[] = {0, 0, 1, 1, 2, 3, 4, 6, -1, -2};
    for (int64_t I = 0, Count = pick(1, 3); I < Count; ++I)
      variable("d" + std::to_string(I), pick(-2, 2), pick(1, 7));
    if (chance(2))
      variable("s0", pick(0, 1), pick(1, 4));
    std::vector<std::string> Results;
    for (int64_t I = pick(1, 3); I > 0; --I) {
      std::string Sum = std::to_string(pick(-3, 3));
      for (const std::string &Name : Names)
        Sum += llvm::formatv(" + {0} * {1}", Name, Coefficients[pick(0, 9)]);
      Results.push_back(Sum);
    }
    return text(Results);
  }

  /// Digits of one variable, with offsets and steps.
  std::string digits() {
    std::string D = variable("d0", pick(0, 1) * pick(-5, 5), pick(4, 48));
    std::string E = variable("d1", 0, pick(1, 6));
    std::string X =
        llvm::formatv("({0} * {1} + {2})", D, chance(4) ? pick(-2, 5) : 1,
                      chance(3) ? pick(0, 7) : 0);
    std::vector<std::string> Results;
    int64_t A = pick(2, 4), B = A * pick(1, 4), C = chance(5) ? pick(2, 7) : B;
    std::string Choices[] = {
        llvm::formatv("{0} floordiv {1}", X, C),
        llvm::formatv("({0} floordiv {1}) mod {2}", X, A,
                      std::max(B / A, int64_t(1))),
        llvm::formatv("{0} mod {1}", X, A),
        E,
        llvm::formatv("{0} * {1} + {2} floordiv {3}", E, pick(1, 12), X, B),
        llvm::formatv("min({0}, {1})", X, pick(3, 20))};
    for (const std::string &Choice : Choices)
      if (chance(2))
        Results.push_back(Choice);
    return text(Results);
  }

  /// Concatenations, pads and slices: bounds that begin somewhere, steps.
  std::string slices() {
    std::vector<std::string> Results;
    for (int64_t I = 0, Count = pick(1, 2); I < Count; ++I) {
      int64_t Lo = pick(-9, 20), Step = pick(1, 3);
      std::string D = variable("d" + std::to_string(I), Lo, pick(1, 20));
      if (chance(2)) {
        Facts.push_back(
            llvm::formatv("({0} - {1}) mod {2} in [0, 0]", D, Lo, Step));
        Results.push_back(
            llvm::formatv("({0} - {1}) floordiv {2}", D, Lo, Step));
      } else {
        Results.push_back(llvm::formatv("{0} * {1} - {2}", D, Step, Lo));
      }
      if (chance(3))
        Facts.push_back(
            llvm::formatv("{0} in [{1}, {2}]", D, Lo + pick(0, 3), Lo + 15));
    }
    if (chance(4))
      Facts.push_back(llvm::formatv("{0} + {1} in [{2}, {3}]", Names[0],
                                    Names.back(), pick(-5, 5), pick(6, 40)));
    return text(Results);
  }

  /// The rows and columns of threads in blocks, guarded at the end of an array.
  std::string guarded() {
    int64_t Width = pick(1, 5), Height = pick(1, 3), Across = pick(1, 4);
    std::string Thread =
        variable("d0", 0, Width * Height - (chance(8) ? pick(0, 1) : 0));
    std::string Block = variable("d1", 0, Across * pick(1, 4) - pick(0, 1));
    std::string Step = chance(3) ? variable("s0", 0, pick(1, 3)) : "0";
    std::string Row = llvm::formatv(
        "(({0} floordiv {1}) * {2} + {3} * {4} + {5} floordiv {6})", Block,
        Across, Height * pick(1, 3), Step, Height, Thread, Width);
    std::string Column = llvm::formatv("(({0} mod {1}) * {2} + {3} mod {2})",
                                       Block, Across, Width, Thread);
    for (const std::string &Guarded : {Row, Column})
      if (!chance(3))
        Facts.push_back(llvm::formatv("{0} in [{1}, {2}]", Guarded,
                                      pick(0, 5) / 4, pick(2, 16)));
    if (chance(4))
      Facts.push_back(
          llvm::formatv("({0} floordiv {1}) mod 2 in [0, 0]", Thread, Width));
    std::string Linear = llvm::formatv("{0} * {1} + {2}", Row,
                                       Width * Across + pick(0, 4) / 3, Column);
    std::vector<std::string> Results;
    for (const std::string &Result : {Row, Column, Linear})
      if (chance(2))
        Results.push_back(Result);
    return text(Results);
  }

  std::string expression(unsigned Depth) {
    std::string Name = Names[pick(0, Names.size() - 1)];
    if (Depth == 0)
      return chance(4) ? std::to_string(pick(-5, 9)) : Name;
    std::string A = expression(Depth - 1), B = expression(Depth - 1);
    switch (pick(0, 6)) {
    case 0:
      return llvm::formatv("({0} + {1})", A, B);
    case 1:
      return llvm::formatv("({0} - {1})", A, B);
    case 2:
      return llvm::formatv("({0} * {1})", A, pick(-3, 8));
    case 3:
      return llvm::formatv("({0} floordiv {1})", A, pick(2, 9));
    case 4:
      return llvm::formatv("({0} mod {1})", A, pick(2, 9));
    case 5:
      return llvm::formatv("min({0}, {1})", A, B);
    default:
      return llvm::formatv("max({0}, {1})", A, B);
    }
  }
  std::string anything() {
    for (int64_t I = 0, Count = pick(1, 3); I < Count; ++I)
      variable("d" + std::to_string(I), pick(-3, 3), pick(1, 9));
    if (chance(2))
      variable("s0", pick(-1, 1), pick(1, 5));
    std::vector<std::string> Results;
    for (int64_t I = pick(1, 3); I > 0; --I)
      Results.push_back(expression(pick(0, 3)));
    if (chance(3))
      Facts.push_back(llvm::formatv("{0} in [{1}, {2}]", expression(1),
                                    pick(-4, 2), pick(2, 9)));
    return text(Results);
  }

  std::mt19937_64 Random;
  std::vector<std::string> Names, Facts;
  int64_t BoxSize = 1;
};

} // namespace unravel

#endif // UNRAVEL_TEST_UNIT_ANALYSIS_TILES_RANDOMTILES_H
