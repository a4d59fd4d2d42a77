//===- CertificateTest.cpp - Right and forged certificates ----------------===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The check is all that has to be right: for each rule a certificate that
// passes, and what becomes of it when one thing in it is wrong. Some of the
// forged ones would "refute" hypotheses that have a solution.
//
//===----------------------------------------------------------------------===//

#include "analysis/proof/Certificate.h"
#include "test/unit/ProofTestHelper.h"
#include "gtest/gtest.h"

using namespace llvm;
using namespace unravel;
using namespace unravel::test;

namespace {

constexpr auto given = Inference::given;
constexpr auto product = Inference::product;
Inference quotient(unsigned Line, int64_t Divisor) {
  return Inference::quotient(Line, DynamicAPInt(Divisor));
}

using Parts = std::vector<std::pair<unsigned, int64_t>>;

/// A node without split.
Refutation node(std::vector<Inference> Lines, const Parts &Sum) {
  Refutation R;
  R.Lines = std::move(Lines);
  for (const auto &[Line, Factor] : Sum)
    R.Sum.emplace_back(Line, DynamicAPInt(Factor));
  return R;
}

Refutation split(std::vector<Inference> Lines, const Polynomial &At,
                 Refutation IfNotNegative, Refutation IfNegative) {
  Refutation R;
  R.Lines = std::move(Lines);
  R.Split = At;
  R.IfNotNegative = std::make_unique<Refutation>(std::move(IfNotNegative));
  R.IfNegative = std::make_unique<Refutation>(std::move(IfNegative));
  return R;
}

//===----------------------------------------------------------------------===//
// Given and Sum
//===----------------------------------------------------------------------===//

/// v0 - 3 and 2 - v0: add up to -1.
const std::vector<Polynomial> &threeAndTwo() {
  static const std::vector<Polynomial> H = {v(0) - 3, -v(0) + 2};
  return H;
}

TEST(Certificate, HypothesesAddUpToANegativeConstant) {
  EXPECT_TRUE(isRefutation(threeAndTwo(),
                           node({given(0), given(1)}, {{0, 1}, {1, 1}})));
  // The lines have their own order, and may be there twice.
  EXPECT_TRUE(isRefutation(threeAndTwo(), node({given(1), given(0), given(1)},
                                               {{1, 2}, {0, 1}, {2, 1}})));
  EXPECT_TRUE(isRefutation({Polynomial(-1)}, node({given(0)}, {{0, 1}})));
}

TEST(Certificate, HypothesesAddUpToANegativeConstantNegative) {
  auto IsRight = [](std::vector<Inference> Lines, const Parts &Sum) {
    return isRefutation(threeAndTwo(), node(std::move(Lines), Sum));
  };
  // A hypothesis and a line that are not there.
  EXPECT_FALSE(IsRight({given(0), given(2)}, {{0, 1}, {1, 1}}));
  EXPECT_FALSE(IsRight({given(0), given(~0u)}, {{0, 1}, {1, 1}}));
  EXPECT_FALSE(IsRight({given(0), given(1)}, {{0, 1}, {2, 1}}));
  EXPECT_FALSE(IsRight({given(0), given(1)}, {{0, 1}, {~0u, 1}}));
  // An unused wrong line spoils it as well.
  EXPECT_FALSE(IsRight({given(0), given(1), given(2)}, {{0, 1}, {1, 1}}));
  // Sums that are no constant, not negative, or nothing.
  EXPECT_FALSE(IsRight({given(0), given(1)}, {{0, 1}, {1, 2}}));
  EXPECT_FALSE(IsRight({given(0), given(1)}, {{0, 1}}));
  EXPECT_FALSE(IsRight({given(0), given(1)}, {}));
  EXPECT_FALSE(IsRight({}, {}));
  EXPECT_FALSE(isRefutation({v(0) - 2, -v(0) + 2},
                            node({given(0), given(1)}, {{0, 1}, {1, 1}})));
  EXPECT_FALSE(isRefutation({}, node({}, {})));
}

TEST(Certificate, FactorsArePositiveNegative) {
  // v0 >= 3 alone has solutions: -1 times a line is no line.
  std::vector<Polynomial> H = {v(0) - 3, v(0) - 2};
  EXPECT_FALSE(isRefutation(H, node({given(0), given(1)}, {{0, 1}, {1, -1}})));
  EXPECT_FALSE(isRefutation({Polynomial(1)}, node({given(0)}, {{0, -1}})));
  // 0 times a line is of no use, and not what a search finds.
  EXPECT_FALSE(isRefutation(threeAndTwo(), node({given(0), given(1), given(1)},
                                                {{0, 1}, {1, 1}, {2, 0}})));
}

//===----------------------------------------------------------------------===//
// Product
//===----------------------------------------------------------------------===//

/// v0 >= 2, v1 >= 3 and v0 * v1 <= 2.
const std::vector<Polynomial> &smallProduct() {
  static const std::vector<Polynomial> H = {v(0) - 2, v(1) - 3,
                                            -(v(0) * v(1)) + 2};
  return H;
}

TEST(Certificate, LinesAreMultiplied) {
  // (v0 - 2) * (v1 - 3) + 3 * (v0 - 2) + 2 * (v1 - 3) = v0 * v1 - 6.
  EXPECT_TRUE(isRefutation(smallProduct(),
                           node({given(0), given(1), given(2), product(0, 1)},
                                {{3, 1}, {0, 3}, {1, 2}, {2, 1}})));
  // A square: v0 * v0 is not negative, because v0 is not.
  EXPECT_TRUE(isRefutation(
      {v(0), -(v(0) * v(0)) - 1},
      node({given(0), product(0, 0), given(1)}, {{1, 1}, {2, 1}})));
}

TEST(Certificate, LinesAreMultipliedNegative) {
  auto IsRight = [](std::vector<Inference> Lines, const Parts &Sum) {
    return isRefutation(smallProduct(), node(std::move(Lines), Sum));
  };
  const Parts Sum = {{3, 1}, {0, 3}, {1, 2}, {2, 1}};
  // Other lines, later lines, and the product itself.
  EXPECT_FALSE(IsRight({given(0), given(1), given(2), product(0, 0)}, Sum));
  EXPECT_FALSE(IsRight({given(0), given(1), given(2), product(0, 4)}, Sum));
  EXPECT_FALSE(IsRight({given(0), given(1), given(2), product(3, 1)}, Sum));
  EXPECT_FALSE(IsRight({product(1, 2), given(0), given(1), given(2)},
                       {{0, 1}, {1, 3}, {2, 2}, {3, 1}}));
  // The square of an integer is not negative, but that is no rule: v0 is no
  // line here.
  EXPECT_FALSE(isRefutation({-(v(0) * v(0)) - 1},
                            node({product(0, 0), given(0)}, {{0, 1}, {1, 1}})));
}

//===----------------------------------------------------------------------===//
// Quotient
//===----------------------------------------------------------------------===//

/// 1 <= 2 * v0 - 2 * v1 <= 1.
const std::vector<Polynomial> &oddDifference() {
  static const std::vector<Polynomial> H = {
      v(0) * DynamicAPInt(2) - v(1) * DynamicAPInt(2) - 1,
      -(v(0) * DynamicAPInt(2)) + v(1) * DynamicAPInt(2) + 1};
  return H;
}

TEST(Certificate, QuotientsAreRounded) {
  // v0 - v1 - 1 and v1 - v0 + 0.
  EXPECT_TRUE(
      isRefutation(oddDifference(),
                   node({given(0), given(1), quotient(0, 2), quotient(1, 2)},
                        {{2, 1}, {3, 1}})));
  // Where everything is divided, nothing is rounded.
  EXPECT_TRUE(isRefutation(
      {v(0) * DynamicAPInt(3) - 6, -v(0) + 1},
      node({given(0), quotient(0, 3), given(1)}, {{1, 1}, {2, 1}})));
  // Constants: -1 divided by anything is at most -1.
  EXPECT_TRUE(isRefutation({Polynomial(-1)},
                           node({given(0), quotient(0, 7)}, {{1, 1}})));
}

TEST(Certificate, QuotientsAreRoundedNegative) {
  auto IsRight = [](int64_t First, int64_t Second, unsigned Line) {
    return isRefutation(
        oddDifference(),
        node({given(0), given(1), quotient(0, First), quotient(Line, Second)},
             {{2, 1}, {3, 1}}));
  };
  EXPECT_TRUE(IsRight(2, 2, 1));
  EXPECT_FALSE(IsRight(1, 1, 1));
  EXPECT_FALSE(IsRight(2, 2, 3)); // itself
  EXPECT_FALSE(IsRight(2, 2, 4));
  EXPECT_FALSE(IsRight(2, 0, 1));
  EXPECT_FALSE(IsRight(2, -2, 1));
  EXPECT_FALSE(IsRight(4, 4, 1));
  EXPECT_FALSE(IsRight(3, 3, 1));
  // 0 <= v0 + 2 * v1 <= 1 has solutions: only one coefficient is divided.
  Polynomial P = v(0) + v(1) * DynamicAPInt(2);
  EXPECT_FALSE(
      isRefutation({P - 1, -P + 1},
                   node({given(0), given(1), quotient(0, 2), quotient(1, 2)},
                        {{2, 1}, {3, 1}})));
  // v0 = 1 solves 3 * v0 >= 3 and v0 <= 1: 2 does not divide the coefficient.
  EXPECT_FALSE(isRefutation(
      {v(0) * DynamicAPInt(3) - 3, -v(0) + 1},
      node({given(0), quotient(0, 2), given(1)}, {{1, 1}, {2, 1}})));
  // Nor does the divisor of the constant count: 4 <= v0 <= 4.
  EXPECT_FALSE(
      isRefutation({v(0) - 4, -v(0) + 4},
                   node({given(0), given(1), quotient(0, 2), quotient(1, 2)},
                        {{2, 1}, {3, 1}})));
}

//===----------------------------------------------------------------------===//
// Split
//===----------------------------------------------------------------------===//

/// 1 <= v0 <= 2, and it is neither: (v0 - 1) * (2 - v0) >= 1.
const std::vector<Polynomial> &between() {
  static const std::vector<Polynomial> H = {v(0) - 1, -v(0) + 2,
                                            (v(0) - 1) * (-v(0) + 2) - 1};
  return H;
}

/// By v0 >= 2: then (v0 - 1) * (v0 - 2) is not negative. \p Line is that of the
/// split.
Refutation between(unsigned Upper, unsigned Lower) {
  return split({given(0), given(1), given(2)}, v(0) - 2,
               node({product(0, Upper)}, {{4, 1}, {2, 1}}),
               node({product(1, Lower)}, {{4, 1}, {2, 1}}));
}

TEST(Certificate, EitherSideIsRefuted) {
  EXPECT_TRUE(isRefutation(between(), between(3, 3)));
  EXPECT_EQ(between(3, 3).size(), 3u);
  // 0 <= 2 * v0 - 1 <= 0 by cases, each of which ends on its own.
  Polynomial P = v(0) * DynamicAPInt(2) - 1;
  EXPECT_TRUE(isRefutation({P, -P}, split({given(0), given(1)}, v(0) - 1,
                                          node({}, {{1, 1}, {2, 2}}),
                                          node({}, {{0, 1}, {2, 2}}))));
}

TEST(Certificate, EitherSideIsRefutedNegative) {
  // Other lines in place of that of the split.
  EXPECT_FALSE(isRefutation(between(), between(0, 3)));
  EXPECT_FALSE(isRefutation(between(), between(3, 1)));
  EXPECT_FALSE(isRefutation(between(), between(4, 3)));
  // One half of it, in either way.
  for (bool First : {true, false}) {
    Refutation R = between(3, 3);
    (First ? R.IfNotNegative : R.IfNegative).reset();
    EXPECT_FALSE(isRefutation(between(), R));
  }
  // Only one half is refuted: v0 = 0 is a solution.
  std::vector<Polynomial> Zero = {-v(0)};
  EXPECT_FALSE(
      isRefutation(Zero, split({given(0)}, v(0) - 1, node({}, {{0, 1}, {1, 1}}),
                               node({}, {{0, 1}, {1, 1}}))));
  // The halves in the wrong order.
  Polynomial P = v(0) * DynamicAPInt(2) - 1;
  EXPECT_FALSE(isRefutation({P, -P}, split({given(0), given(1)}, v(0) - 1,
                                           node({}, {{0, 1}, {2, 2}}),
                                           node({}, {{1, 1}, {2, 2}}))));
  // A third possibility: v0 = 1, for a split with a gap.
  EXPECT_FALSE(
      isRefutation({v(0) - 1, -v(0) + 1}, split({given(0), given(1)}, v(0) - 2,
                                                node({}, {{1, 1}, {2, 1}}),
                                                node({}, {{0, 1}, {2, 1}}))));
}

TEST(Certificate, LinesOfABranchStayThere) {
  // The left side derives a line 3 that the right side does not have.
  std::vector<Polynomial> H = {v(0) - 1, -v(0) + 1};
  Refutation R = split({given(0), given(1)}, v(0) - 2,
                       node({product(2, 2)}, {{1, 1}, {2, 1}}),
                       node({}, {{0, 1}, {1, 1}, {3, 1}}));
  EXPECT_FALSE(isRefutation(H, R));
  // The line of the left split is 2 in both, and not f on the right:
  // v0 - 2 and 1 - v0 would add up to -1, but the second is 1 - v0 there.
  R = split({given(0), given(1)}, v(0) - 2, node({}, {{2, 1}, {1, 1}}),
            node({}, {{2, 1}, {1, 1}}));
  EXPECT_FALSE(isRefutation(H, R));
  // A line that a nested split on the left adds is gone on the right.
  R = split({given(0), given(1)}, v(0) - 2,
            split({}, v(0) - 5, node({}, {{1, 1}, {2, 1}}),
                  node({}, {{1, 1}, {2, 1}})),
            node({}, {{3, 1}, {0, 1}}));
  EXPECT_FALSE(isRefutation(H, R));
}

TEST(Certificate, ASplitBelowASplitRefutes) {
  // v0 is 0 or 1, where (3 * v0) * (3 * v0 - 3) is 0, not 1.
  Polynomial Three = v(0) * DynamicAPInt(3);
  std::vector<Polynomial> H = {v(0), -v(0) + 1, Three * (Three - 3) - 1};
  EXPECT_TRUE(isRefutation(H, split({given(0), given(1), given(2)}, v(0) - 1,
                                    // v0 * (1 - v0) is not negative.
                                    node({product(0, 1)}, {{4, 9}, {2, 1}}),
                                    node({product(0, 1)}, {{4, 9}, {2, 1}}))));
  EXPECT_TRUE(
      isRefutation(H, split({given(0), given(1), given(2)}, v(0) - 1,
                            split({}, v(0) - 2, node({}, {{1, 1}, {4, 1}}),
                                  node({product(0, 1)}, {{5, 9}, {2, 1}})),
                            node({product(0, 1)}, {{4, 9}, {2, 1}}))));
}

//===----------------------------------------------------------------------===//
// Weaken and Substitute
//===----------------------------------------------------------------------===//

TEST(Certificate, LinesAreWeakenedByWhatIsNotNegative) {
  auto Weaken = [](int64_t Number) {
    return Inference::weaken(0, DynamicAPInt(Number));
  };
  const std::vector<Polynomial> H = {v(0) - 3, -v(0) + 1};
  EXPECT_TRUE(
      isRefutation(H, node({given(0), Weaken(1), given(1)}, {{1, 1}, {2, 1}})));
  EXPECT_FALSE(
      isRefutation(H, node({given(0), Weaken(2), given(1)}, {{1, 1}, {2, 1}})));
  // That would make them stronger.
  const std::vector<Polynomial> True = {v(0) - 3, -v(0) + 3};
  EXPECT_FALSE(isRefutation(
      True, node({given(0), Weaken(-1), given(1)}, {{1, 1}, {2, 1}})));
  EXPECT_FALSE(isRefutation(H, node({Weaken(0), given(1)}, {{0, 1}, {1, 1}})));
}

TEST(Certificate, EqualitiesAreSubstituted) {
  // v0 = 0 in v0*v1 - 1 >= 0.
  const std::vector<Polynomial> H = {v(0) * v(1) - 1, v(0), -v(0)};
  auto Substitute = [&](unsigned Zero, unsigned Opposite) {
    return node({given(0), given(1), given(2),
                 Inference::substitute(0, Zero, Opposite, -v(1))},
                {{3, 1}});
  };
  EXPECT_TRUE(isRefutation(H, Substitute(1, 2)));
  EXPECT_FALSE(isRefutation(H, Substitute(2, 1))); // v0*v1 is there twice
  // A line that is not known to be 0, or not there.
  EXPECT_FALSE(isRefutation(H, Substitute(1, 1)));
  EXPECT_FALSE(isRefutation(H, Substitute(1, 0)));
  EXPECT_FALSE(isRefutation(H, Substitute(1, 3)));
  const std::vector<Polynomial> Bounded = {v(0) * v(1) - 1, v(0), -v(0) + 1};
  EXPECT_FALSE(isRefutation(Bounded, Substitute(1, 2)));
}

} // namespace
