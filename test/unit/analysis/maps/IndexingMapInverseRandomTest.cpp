//===- IndexingMapInverseRandomTest.cpp - Inverses, brute force -----------===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "test/unit/IndexingMapInverseTestHelper.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"
#include <map>

using namespace llvm;
using namespace unravel;
using namespace unravel::test;

namespace {

/// What is true, by looking at every point.
struct AllPoints {
  bool IsInjective = true, IsOnto = true, IsComplete = true;
  explicit AllPoints(const IndexingMap &Map) {
    size_t N = Map.dimensions().size() + Map.ranges().size();
    std::set<Point> Keys;
    std::map<Point, uint64_t> PointsOf;
    Ranges Box(Map.results().size(), Interval::empty());
    for (const Point &P : pointsOf(Map)) {
      std::optional<Point> Key = Map.evaluate(P);
      IsComplete &= Key.has_value();
      if (!Key)
        continue;
      for (size_t I = 0; I < Box.size(); ++I)
        Box[I] = Box[I].unite(Interval::point((*Key)[I]));
      Point Runtime(P.begin() + N, P.end());
      ++PointsOf[Runtime];
      append_range(*Key, Runtime);
      IsInjective &= Keys.insert(*Key).second;
    }
    uint64_t Size = 1;
    for (const Interval &Range : Box)
      Size *= Range.isEmpty() ? 0 : *Range.size();
    for (const auto &[Runtime, Count] : PointsOf)
      IsOnto &= Count == Size;
  }
};

void expectAgreement(const IndexingMap &Map, unsigned &Unknown,
                     unsigned &Inverses) {
  SCOPED_TRACE(toString(Map));
  AllPoints Truth(Map);
  ASSERT_TRUE(Truth.IsComplete);
  Answer Injective = Truth.IsInjective ? Answer::Yes : Answer::No;
  Answer Bijective =
      Truth.IsInjective && Truth.IsOnto ? Answer::Yes : Answer::No;
  EXPECT_EQ(injectivityOf(Map).IsInjective, Injective);
  EXPECT_EQ(isBijective(Map), Bijective);
  Answer Symbolic = injectivityOf(Map, 0).IsInjective;
  Unknown += Symbolic == Answer::Unknown;
  if (Symbolic != Answer::Unknown) {
    EXPECT_EQ(Symbolic, Injective);
  }
  if (Answer A = isBijective(Map, 0); A != Answer::Unknown) {
    EXPECT_EQ(A, Bijective);
  }
  if (!Map.runtimes().empty())
    return;
  std::string WhyNot;
  std::optional<IndexingMap> Inverse = inverseOf(Map, &WhyNot);
  if (!Inverse) {
    EXPECT_NE(WhyNot, "");
    return;
  }
  ++Inverses;
  EXPECT_TRUE(Truth.IsInjective);
  expectExactInverse(Map, *Inverse);
}

TEST(IndexingMapInverseRandomTest, Maps) {
  unsigned Unknown = 0, Inverses = 0;
  static constexpr unsigned NumMaps = 1200;
  for (unsigned Seed = 0; Seed < 6; ++Seed) {
    IndexContext Fresh;
    test::RandomMaps Random(Fresh, Seed);
    for (unsigned I = 0; I < NumMaps / 6; ++I) {
      IndexingMap Map = Random.map(Random.between(0, 2), Random.between(1, 3));
      expectAgreement(Map, Unknown, Inverses);
      if (HasFatalFailure())
        return;
    }
  }
  RecordProperty("Unknown", Unknown);
  RecordProperty("Inverses", Inverses);
  EXPECT_LE(Unknown, NumMaps / 20);
  EXPECT_GE(Inverses, NumMaps / 4);
}

/// Random layouts: permutations of the index space in steps that layouts are
/// made of. All are injective.
class RandomLayouts {
public:
  RandomLayouts(IndexContext &Context, uint64_t Seed, bool HasSwizzles = false)
      : Context(Context), Random(Seed), HasSwizzles(HasSwizzles) {}

  IndexingMap next() {
    Sizes.clear();
    for (int64_t I = between(1, 3); I > 0; --I)
      Sizes.push_back(HasSwizzles ? 1 << between(0, 4) : between(1, 7));
    IndexingMap Identity = IndexingMap::identity(Context, Sizes);
    IndexDomain Domain = Identity.domain();
    FloorBasis Basis(Domain);
    Exprs = Identity.results();
    for (int64_t I = between(1, 4); I > 0; --I)
      step(Basis);
    std::vector<MapConstraint> Constraints;
    if (between(0, 3) == 0)
      Constraints.push_back(
          {sumOf(Identity.results()), Interval(between(-2, 3), between(3, 9))});
    return IndexingMap(Context, Identity.variables(), Exprs, Constraints);
  }

private:
  int64_t between(int64_t Lo, int64_t Hi) {
    return Lo + static_cast<int64_t>(Random() % (Hi - Lo + 1));
  }
  IndexExpr sumOf(ArrayRef<IndexExpr> Terms) {
    IndexExpr Sum = Context.constant(0);
    for (IndexExpr E : Terms)
      Sum = Context.add(Sum, E);
    return Sum;
  }

  /// Every step is a bijection from the box of Sizes to the new one, except for
  /// spreading out and skewing, which leave gaps.
  void step(FloorBasis &Basis) {
    size_t I = between(0, Sizes.size() - 1), J = between(0, Sizes.size() - 1);
    switch (between(0, HasSwizzles ? 10 : 7)) {
    case 0:
      std::swap(Sizes[I], Sizes[J]);
      std::swap(Exprs[I], Exprs[J]);
      break;
    case 1: // fuse
      if (I != J) {
        Exprs[I] = Context.add(Exprs[J], Exprs[I], Sizes[J]);
        Sizes[I] *= Sizes[J];
        Exprs.erase(Exprs.begin() + J);
        Sizes.erase(Sizes.begin() + J);
      }
      break;
    case 2:
    case 3: // split
      for (int64_t D = between(2, 5); D > 1; --D)
        if (Sizes[I] % D == 0) {
          Exprs.push_back(Basis.floorMod(Exprs[I], D));
          Sizes.push_back(D);
          Exprs[I] = Basis.floorDiv(Exprs[I], D);
          Sizes[I] /= D;
          break;
        }
      break;
    case 4: // reverse
      Exprs[I] = Context.sub(Context.constant(Sizes[I] - 1), Exprs[I]);
      break;
    case 5: // turn each row by its number
      if (I != J)
        Exprs[I] = Basis.floorMod(
            Context.add(Exprs[I], Exprs[J], between(1, 3)), Sizes[I]);
      break;
    case 6: // spread out
      Exprs[I] = Context.scale(Exprs[I], 2);
      Sizes[I] = Sizes[I] * 2 - 1;
      break;
    case 8:
    case 9:
    case 10: // swizzle
      if (I != J && isPowerOf2_64(Sizes[I]))
        Exprs[I] = Basis.bitXor(Exprs[I], Basis.floorMod(Exprs[J], Sizes[I]));
      break;
    default: // skew
      if (I != J && Sizes[I] * Sizes[J] < 100) {
        Exprs[I] = Context.add(Exprs[I], Exprs[J], 2);
        Sizes[I] += 2 * (Sizes[J] - 1);
      }
    }
  }

  IndexContext &Context;
  std::mt19937_64 Random;
  bool HasSwizzles;
  std::vector<int64_t> Sizes;
  std::vector<IndexExpr> Exprs;
};

TEST(IndexingMapInverseRandomTest, Layouts) {
  unsigned Unknown = 0, Inverses = 0;
  static constexpr unsigned NumMaps = 1200;
  for (unsigned Seed = 0; Seed < 6; ++Seed) {
    IndexContext Fresh;
    RandomLayouts Random(Fresh, Seed);
    for (unsigned I = 0; I < NumMaps / 6; ++I) {
      IndexingMap Map = Random.next();
      expectAgreement(Map, Unknown, Inverses);
      if (HasFatalFailure())
        return;
    }
  }
  RecordProperty("Unknown", Unknown);
  RecordProperty("Inverses", Inverses);
  EXPECT_LE(Unknown, NumMaps / 100);
  EXPECT_GE(Inverses, NumMaps * 99 / 100);
}

TEST(IndexingMapInverseRandomTest, Swizzles) {
  unsigned Unknown = 0, Inverses = 0;
  static constexpr unsigned NumMaps = 600;
  for (unsigned Seed = 0; Seed < 6; ++Seed) {
    IndexContext Fresh;
    RandomLayouts Random(Fresh, Seed, /*HasSwizzles=*/true);
    for (unsigned I = 0; I < NumMaps / 6; ++I) {
      IndexingMap Map = Random.next();
      expectAgreement(Map, Unknown, Inverses);
      if (HasFatalFailure())
        return;
    }
  }
  RecordProperty("Unknown", Unknown);
  RecordProperty("Inverses", Inverses);
  EXPECT_LE(Unknown, NumMaps / 50);
  EXPECT_GE(Inverses, NumMaps * 98 / 100);
}

} // namespace
