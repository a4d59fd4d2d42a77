//===- CaseAnalysisTest.cpp - Cases leave nothing out ---------------------===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "transforms/certify/CaseAnalysis.h"
#include "gtest/gtest.h"

using namespace llvm;
using namespace unravel;

namespace {

/// A case of two numbers, of which it asks the signs.
struct TwoNumbers : Case {
  explicit TwoNumbers(Script Decisions = {}) : Case(std::move(Decisions)) {
    for (Polynomial *P : {&X, &Y})
      *P = Polynomial::variable(
          Proofs.addVariable(DynamicAPInt(-8), DynamicAPInt(7)));
  }
  Polynomial X, Y;
};

TEST(CaseAnalysis, EverySignOnce) {
  std::vector<std::pair<bool, bool>> Seen;
  Case::Script Script;
  do {
    TwoNumbers C(Script);
    bool First = C.isNotNegative(C.X), Second = C.isNotNegative(C.Y);
    Seen.emplace_back(First, Second);
    EXPECT_TRUE(C.followsScript());
    Script = C.nextScript();
  } while (!Script.empty());
  EXPECT_EQ(Seen,
            (std::vector<std::pair<bool, bool>>{
                {true, true}, {true, false}, {false, true}, {false, false}}));
}

/// The script is of a case in which the sign of the first number was a
/// decision. Here it is known to be negative: the decision that comes next is
/// not the one that the script is for.
TEST(CaseAnalysis, EverySignOnceNegative) {
  TwoNumbers Before;
  Before.isNotNegative(Before.X);
  Before.isNotNegative(Before.Y);
  TwoNumbers C(Before.nextScript());
  C.Proofs.assume(-C.X - 1);
  C.isNotNegative(C.Y);
  EXPECT_FALSE(C.followsScript());
  // Nothing makes up for that.
  C.withdraw();
  EXPECT_FALSE(C.followsScript());
}

TEST(CaseAnalysis, NumbersThatAreNotPositive) {
  TwoNumbers C;
  EXPECT_FALSE(C.isNotPositive(C.X));
  C.Proofs.assume(-C.Y);
  EXPECT_TRUE(C.isNotPositive(C.Y));
  EXPECT_TRUE(C.nextScript().empty());
}

} // namespace
