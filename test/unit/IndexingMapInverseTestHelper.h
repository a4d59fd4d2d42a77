//===- IndexingMapInverseTestHelper.h - Exact inverses ----------*- C++ -*-===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef UNRAVEL_TEST_UNIT_INDEXINGMAPINVERSETESTHELPER_H
#define UNRAVEL_TEST_UNIT_INDEXINGMAPINVERSETESTHELPER_H

#include "analysis/maps/IndexingMapInverse.h"
#include "analysis/maps/IndexingMapText.h"
#include "analysis/maps/MapSampler.h"
#include "test/unit/IndexingMapTestHelper.h"
#include <set>

namespace unravel::test {

/// Is \p G exactly the inverse of \p F? Looks at every point of both domains;
/// if there are too many in the box of \p G, at some.
inline void expectExactInverse(const IndexingMap &F, const IndexingMap &G) {
  SCOPED_TRACE("F = " + toString(F) + "\nG = " + toString(G));
  std::vector<Point> Points = pointsOf(F);
  for (const Point &P : Points) {
    std::optional<Point> Y = F.evaluate(P);
    ASSERT_TRUE(Y);
    ASSERT_TRUE(G.contains(*Y)) << testing::PrintToString(P);
    ASSERT_EQ(G.evaluate(*Y), P);
  }
  EXPECT_EQ(G.simplified(), G);
  // As many points: the domain is the image and nothing else.
  if (std::optional<uint64_t> Size = G.boxSize(); Size && *Size <= 1 << 20) {
    ASSERT_EQ(pointsOf(G).size(), Points.size());
    return;
  }
  std::set<Point> Image;
  for (const Point &P : Points)
    Image.insert(*F.evaluate(P));
  MapSampler Sampler(IndexingMap(G.context(), G.variables(), {}));
  for (unsigned I = 0; I < 5000; ++I) {
    Point Y = Sampler.next();
    ASSERT_EQ(G.contains(Y), Image.count(Y) != 0) << testing::PrintToString(Y);
  }
}

} // namespace unravel::test

#endif // UNRAVEL_TEST_UNIT_INDEXINGMAPINVERSETESTHELPER_H
