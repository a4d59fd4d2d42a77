//===- IndexRaisingSizeTest.cpp - Trees of large forms --------------------===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "test/unit/IndexRaisingTestHelper.h"
#include "llvm/ADT/STLExtras.h"
#include "gtest/gtest.h"

using namespace llvm;
using namespace unravel;
using namespace unravel::test;

namespace {

class LargeFormTest : public testing::Test {
protected:
  static constexpr unsigned Size = 2000;

  LargeFormTest() : Context(IndexLimits{4 * Size, 24}) {
    for (unsigned I = 0; I < Size; ++I)
      Variables.push_back(
          Context.atom(Context.createVariable("v" + std::to_string(I))));
  }

  /// The sum of Size terms, built in one go.
  IndexExpr sum(function_ref<IndexExpr(unsigned)> Summand) {
    SmallVector<IndexTerm, 0> Terms;
    int64_t Constant = 0;
    for (unsigned I = 0; I < Size; ++I) {
      IndexExpr E = Summand(I);
      append_range(Terms, E.terms());
      Constant += E.constant();
    }
    return Context.linear(Terms, Constant);
  }

  SyntaxTree raised(IndexExpr E) {
    SyntaxTree Tree = raise(Context, E, nameOf);
    EXPECT_FALSE(costOf(naive(E)) < costOf(Tree));
    auto Value = [](StringRef Name) -> std::optional<int64_t> {
      return int64_t(xxh3(Name)) % 50;
    };
    EXPECT_EQ(evaluate(Tree, Value), evaluate(E, [&](const IndexAtom *A) {
                return Value(A->name());
              }));
    return Tree;
  }
  static uint64_t xxh3(StringRef Name) { return hash_value(Name); }

  IndexContext Context;
  SmallVector<IndexExpr, 0> Variables;
};

TEST_F(LargeFormTest, Remainders) {
  SyntaxTree Tree = raised(sum([&](unsigned I) {
    IndexExpr X = Variables[I];
    return Context.add(X, Context.rawAtom(IndexAtom::Kind::FloorDiv, X, 8), -8);
  }));
  EXPECT_EQ(costOf(Tree).Operations, 2 * Size - 1);
}

TEST_F(LargeFormTest, QuotientsOfOneVariable) {
  raised(sum([&](unsigned I) {
    return Context.rawAtom(IndexAtom::Kind::FloorDiv,
                           Context.add(Variables[0], I), 8 + I % 5);
  }));
}

TEST_F(LargeFormTest, OneRemainder) {
  IndexExpr Sum = sum([&](unsigned I) { return Variables[I]; });
  SyntaxTree Tree = raised(Context.add(
      Sum, Context.rawAtom(IndexAtom::Kind::FloorDiv, Sum, 75), -75));
  EXPECT_EQ(Tree->Op, SyntaxOp::FloorMod);
}

TEST_F(LargeFormTest, Products) {
  raised(sum([&](unsigned I) {
    return Context.scale(Context.multiply(Variables[I], Variables[I * I % 40]),
                         I % 3 + 1);
  }));
}

TEST_F(LargeFormTest, SymbolicRemainders) {
  IndexExpr N = Variables[0];
  raised(sum([&](unsigned I) {
    IndexExpr X = Variables[I];
    return Context.sub(
        X, Context.multiply(N, Context.rawAtom(IndexAtom::Kind::FloorDiv, X,
                                               Context.add(N, 60))));
  }));
}

TEST_F(LargeFormTest, Minima) {
  raised(sum([&](unsigned I) {
    return Context.rawAtom(
        IndexAtom::Kind::NegativePart,
        Context.sub(Variables[I], Variables[(I + 1) % Size]));
  }));
}

TEST_F(LargeFormTest, Conditions) {
  raised(sum([&](unsigned I) {
    IndexExpr C =
        Context.rawAtom(IndexAtom::Kind::NonNegative,
                        Context.sub(Variables[I], Variables[I * 7 % Size]));
    return Context.multiply(C, Variables[I / 2]);
  }));
}

TEST_F(LargeFormTest, SharedParts) {
  // As text, this is exponentially long.
  IndexExpr A = Variables[0], B = Variables[1];
  for (unsigned I = 2; IndexExpr C = Context.rawAtom(
                           IndexAtom::Kind::FloorDiv,
                           Context.add(Context.add(A, B, 3), I), I + 5);
       ++I) {
    A = B;
    B = C;
  }
  EXPECT_GT(B.depth(), 20u);
  // Exponential time would exceed the limit of the test.
  raise(Context, B, nameOf);
}

TEST_F(LargeFormTest, ConditionsInPairs) {
  auto Condition = [&](unsigned I) {
    return Context.rawAtom(IndexAtom::Kind::NonNegative,
                           Context.add(Variables[I % 30], -int64_t(I)));
  };
  raised(sum([&](unsigned I) {
    return Context.multiply(
        Context.multiply(Condition(I), Condition(I * 13 % Size)), Variables[I]);
  }));
}

} // namespace
