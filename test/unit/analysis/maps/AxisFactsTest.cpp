//===- AxisFactsTest.cpp - How results move along one variable ------------===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "analysis/maps/AxisFacts.h"
#include "analysis/maps/IndexingMapText.h"
#include "gtest/gtest.h"
#include <map>
#include <numeric>
#include <random>

using namespace unravel;

namespace {

/// The facts along d0 by enumeration of all points.
AxisFacts enumerated(const IndexingMap &Map) {
  // The results over d0, for each value of the other variables.
  std::map<std::vector<int64_t>, std::map<int64_t, int64_t>> Lines;
  Map.forEachPoint(1u << 20, [&](llvm::ArrayRef<int64_t> P) {
    if (auto Value = Map.evaluate(P))
      Lines[P.drop_front().vec()][P[0]] = (*Value)[0];
    return true;
  });
  const Interval Bounds = Map.dimensions()[0].Bounds;
  AxisFacts Facts;
  auto HoldsFor = [&](int64_t Length, int64_t Step) {
    for (auto &[Others, Line] : Lines) {
      std::map<int64_t, int64_t> First; // of each run, as if at its beginning
      for (auto [At, Value] : Line) {
        int64_t Run = (At - Bounds.lo()) / Length,
                Place = (At - Bounds.lo()) % Length;
        if (First.emplace(Run, Value - Step * Place).first->second !=
            Value - Step * Place)
          return false;
      }
    }
    return true;
  };
  auto Longest = int64_t(*Bounds.size());
  for (int64_t Length = 2; Length <= Longest; Length *= 2) {
    if (HoldsFor(Length, 1))
      Facts.Contiguity = Length;
    if (HoldsFor(Length, 0))
      Facts.Constancy = Length;
  }
  int64_t Divisor = 0;
  for (auto &[Others, Line] : Lines)
    for (auto [At, Value] : Line)
      if ((At - Bounds.lo()) % Facts.Contiguity == 0)
        Divisor = std::gcd(Divisor, Value);
  Facts.Divisibility = Divisor == 0 ? Facts.Contiguity : Divisor & -Divisor;
  return Facts;
}

IndexingMap parseMap(IndexContext &Context, const std::string &Text) {
  llvm::Expected<IndexingMap> Map = parseIndexingMap(Context, Text);
  if (!Map) {
    ADD_FAILURE() << Text << ": " << llvm::toString(Map.takeError());
    return IndexingMap(Context);
  }
  return *Map;
}

std::string text(const AxisFacts &F) {
  return std::to_string(F.Contiguity) + " " + std::to_string(F.Divisibility) +
         " " + std::to_string(F.Constancy);
}

std::string factsOf(const std::string &Text) {
  IndexContext Context;
  return text(
      axisFactsOf(parseMap(Context, Text), 0, VariableKind::Dimension, 0));
}

// contiguity, divisibility, constancy; Triton's own examples among them.
TEST(AxisFacts, Patterns) {
  EXPECT_EQ(factsOf("(t) -> (128), domain: t in [0, 127]"), "1 128 128");
  EXPECT_EQ(factsOf("(t) -> (t - 1), domain: t in [0, 127]"), "128 1 1");
  EXPECT_EQ(factsOf("(t) -> (t floordiv 66), domain: t in [0, 127]"), "1 1 2");
  EXPECT_EQ(factsOf("(t) -> (t mod 64), domain: t in [0, 127]"), "64 64 1");
  EXPECT_EQ(factsOf("(t) -> (t mod 66), domain: t in [0, 127]"), "2 2 1");
  EXPECT_EQ(factsOf("(t) -> (t * 2), domain: t in [0, 127]"), "1 2 1");
  EXPECT_EQ(factsOf("(t) -> ((t + 8192) floordiv 64), domain: t in [0, 127]"),
            "1 1 64");
  EXPECT_EQ(factsOf("(t){p} -> (p + 8), domain: t in [0, 0], p mod 16 == 0"),
            "1 8 1");
}

// With the sizes as symbols.
TEST(AxisFacts, Symbols) {
  EXPECT_EQ(factsOf("(t, b){n} -> (b * n + t), domain: t in [0, 255]"),
            "256 1 1");
  EXPECT_EQ(factsOf("(t, b){n} -> (b * n + t), domain: t in [0, 255], "
                    "n mod 8 == 0"),
            "256 8 1");
  EXPECT_EQ(factsOf("(t, b) -> ((b * 256 + t) floordiv 32), "
                    "domain: t in [0, 255], b in [0, 99]"),
            "1 1 32");
  // Rows of n begin anywhere.
  EXPECT_EQ(factsOf("(t){n} -> (t mod n), domain: t in [0, 255], n in [1, 99]"),
            "1 1 1");
}

// No least value: nothing; no largest one: what can be proved.
TEST(AxisFacts, Bounds) {
  EXPECT_EQ(factsOf("(t) -> (t * 4)"), "1 1 1");
  EXPECT_EQ(factsOf("(t) -> (t), domain: t in [-inf, 7]"), "1 1 1");
  EXPECT_EQ(factsOf("(t) -> (t * 4), domain: t in [0, inf]"), "1 4 1");
  // Runs begin at the least value.
  EXPECT_EQ(factsOf("(t) -> (t floordiv 4), domain: t in [4, 19]"), "1 1 4");
  EXPECT_EQ(factsOf("(t) -> (t floordiv 4), domain: t in [2, 17]"), "1 1 2");
}

// What is claimed holds at every point; and it is rarely less than what is
// true.
TEST(AxisFacts, RandomMapsAgainstEnumeration) {
  std::mt19937_64 Rng(7);
  auto Pick = [&](int64_t Lo, int64_t Hi) {
    return std::uniform_int_distribution<int64_t>(Lo, Hi)(Rng);
  };
  unsigned Exact = 0, All = 0;
  for (unsigned I = 0; I < 1500; ++I) {
    int64_t Lo = Pick(0, 3) == 0 ? Pick(-5, 9) : 0;
    auto Number = [&] {
      return std::to_string(Pick(1, 4) * (1 << Pick(0, 4)));
    };
    std::string Sum = "d0";
    if (Pick(0, 2))
      Sum += " + d1 * " + Number();
    if (Pick(0, 2) == 0)
      Sum = "(" + Sum + ") * " + std::to_string(Pick(-4, 4));
    if (Pick(0, 2) == 0)
      Sum += " + " + std::to_string(Pick(-9, 40));
    std::string Result = Sum;
    switch (Pick(0, 4)) {
    case 0:
      Result = "(" + Sum + ") floordiv " + Number();
      break;
    case 1:
      Result = "(" + Sum + ") mod " + Number();
      break;
    case 2:
      Result = "((" + Sum + ") floordiv " + Number() + ") * " + Number() +
               " + (" + Sum + ") mod " + Number();
      break;
    default:
      break;
    }
    std::string Text = "(d0, d1) -> (" + Result + "), domain: d0 in [" +
                       std::to_string(Lo) + ", " +
                       std::to_string(Lo + Pick(0, 70)) + "], d1 in [0, " +
                       std::to_string(Pick(0, 6)) + "]";
    if (Pick(0, 4) == 0)
      Text += ", d0 + d1 in [" + std::to_string(Pick(-3, 9)) + ", 50]";
    IndexContext Context;
    IndexingMap Map = parseMap(Context, Text);
    AxisFacts Found = axisFactsOf(Map, 0, VariableKind::Dimension, 0);
    AxisFacts True = enumerated(Map);
    EXPECT_LE(Found.Contiguity, True.Contiguity) << Text;
    EXPECT_LE(Found.Constancy, True.Constancy) << Text;
    if (Found.Contiguity == True.Contiguity) {
      EXPECT_EQ(True.Divisibility % Found.Divisibility, 0) << Text;
    }
    ++All;
    Exact += text(Found) == text(True);
  }
  RecordProperty("Exact", int(Exact));
  EXPECT_GE(Exact * 10, All * 8) << Exact << " of " << All;
}

} // namespace
