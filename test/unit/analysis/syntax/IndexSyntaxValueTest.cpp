//===- IndexSyntaxValueTest.cpp - Values and costs of syntax trees --------===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The evaluator against the definitions of the operators, in 128 bits.
//
//===----------------------------------------------------------------------===//

#include "analysis/syntax/IndexSyntax.h"
#include "test/unit/AlgebraTestHelper.h"
#include "test/unit/SyntaxTestHelper.h"
#include "gtest/gtest.h"
#include <limits>

using namespace llvm;
using namespace unravel;
using namespace unravel::test;

namespace {

using Op = SyntaxOp;

/// The value where `a` has the value \p A and no other name has one.
std::optional<int64_t> valueOf(const SyntaxTree &Tree, int64_t A = 0) {
  return evaluate(Tree, [&](StringRef Name) {
    return Name == "a" ? std::optional(A) : std::nullopt;
  });
}
std::optional<int64_t> valueOf(StringRef Text, int64_t A = 0) {
  return valueOf(parse(Text), A);
}
std::optional<int64_t> apply(Op O, int64_t A, int64_t B) {
  return valueOf(syntaxNode(O, {syntaxNumber(A), syntaxNumber(B)}));
}
/// The operator as text, for messages.
std::string nameOf(Op O, int64_t A, int64_t B) {
  return toString(syntaxNode(O, {syntaxNumber(A), syntaxNumber(B)}),
                  SyntaxDialect::Functions);
}

//===----------------------------------------------------------------------===//
// Values
//===----------------------------------------------------------------------===//

__extension__ using Wide = __int128;

/// Small numbers of both signs, and those next to the ends of 64 bits.
SmallVector<int64_t, 40> interestingNumbers() {
  SmallVector<int64_t, 40> Numbers = {Min, Min + 1, Min / 2, Max / 2, Max - 1,
                                      Max, 62,      63,      64,      -63};
  for (int64_t I = -13; I <= 13; ++I)
    Numbers.push_back(I);
  return Numbers;
}

std::optional<int64_t> narrow(Wide Value) {
  return Value < Min || Value > Max ? std::nullopt
                                    : std::optional(int64_t(Value));
}

/// Whether \p R = A - Q * D is the remainder that belongs to the quotient.
bool isRemainder(Op Quotient, Wide A, Wide D, Wide R) {
  Wide Size = D < 0 ? -D : D;
  if (R <= -Size || R >= Size)
    return false;
  switch (Quotient) {
  case Op::FloorDiv:
    return D > 0 ? R >= 0 : R <= 0;
  case Op::CeilDiv:
    return D > 0 ? R <= 0 : R >= 0;
  case Op::TruncDiv:
    return A >= 0 ? R >= 0 : R <= 0;
  default:
    return R >= 0; // Euclid's
  }
}

TEST(IndexSyntaxValueTest, DivisionsByDefinition) {
  std::pair<Op, std::optional<Op>> Pairs[] = {{Op::FloorDiv, Op::FloorMod},
                                              {Op::CeilDiv, std::nullopt},
                                              {Op::TruncDiv, Op::TruncMod},
                                              {Op::EuclidDiv, Op::EuclidMod}};
  for (auto [Quotient, Remainder] : Pairs)
    for (int64_t A : interestingNumbers())
      for (int64_t D : interestingNumbers()) {
        SCOPED_TRACE(nameOf(Quotient, A, D));
        std::optional<int64_t> Q = apply(Quotient, A, D);
        ASSERT_EQ(Q.has_value(), D != 0 && !(A == Min && D == -1));
        Wide R = Q ? Wide(A) - Wide(*Q) * D : 0;
        if (Q) {
          EXPECT_TRUE(isRemainder(Quotient, A, D, R));
        }
        if (Remainder) {
          EXPECT_EQ(apply(*Remainder, A, D), D != 0 ? narrow(R) : std::nullopt);
        }
      }
}

TEST(IndexSyntaxValueTest, OperatorsByDefinition) {
  for (int64_t A : interestingNumbers())
    for (int64_t B : interestingNumbers()) {
      SCOPED_TRACE(nameOf(Op::Add, A, B));
      EXPECT_EQ(apply(Op::Add, A, B), narrow(Wide(A) + B));
      EXPECT_EQ(apply(Op::Multiply, A, B), narrow(Wide(A) * B));
      EXPECT_EQ(apply(Op::Min, A, B), A < B ? A : B);
      EXPECT_EQ(apply(Op::Max, A, B), A < B ? B : A);
      EXPECT_EQ(apply(Op::Less, A, B), A < B);
      EXPECT_EQ(apply(Op::LessEqual, A, B), A <= B);
      EXPECT_EQ(apply(Op::Greater, A, B), A > B);
      EXPECT_EQ(apply(Op::GreaterEqual, A, B), A >= B);
      EXPECT_EQ(apply(Op::Equal, A, B), A == B);
      EXPECT_EQ(apply(Op::NotEqual, A, B), A != B);
      EXPECT_EQ(apply(Op::And, A, B), A != 0 && B != 0);
      EXPECT_EQ(apply(Op::Or, A, B), A != 0 || B != 0);
      SyntaxTree ATree = syntaxNumber(A);
      EXPECT_EQ(valueOf(syntaxNode(Op::Not, ATree)), A == 0);
      EXPECT_EQ(valueOf(syntaxNode(Op::Negate, ATree)), narrow(-Wide(A)));
    }
}

TEST(IndexSyntaxValueTest, BitOperatorsByDefinition) {
  auto Bit = [](int64_t X, unsigned I) {
    return *apply(Op::EuclidMod, *apply(Op::FloorDiv, X, int64_t(1) << I), 2);
  };
  for (int64_t A : interestingNumbers())
    for (int64_t B : interestingNumbers()) {
      SCOPED_TRACE(nameOf(Op::Add, A, B));
      std::optional<int64_t> Masked = apply(Op::BitAnd, A, B);
      ASSERT_TRUE(Masked);
      EXPECT_EQ(*Masked < 0, A < 0 && B < 0);
      std::optional<int64_t> Either = apply(Op::BitOr, A, B);
      std::optional<int64_t> Differ = apply(Op::BitXor, A, B);
      ASSERT_TRUE(Either && Differ);
      EXPECT_EQ(*Either < 0, A < 0 || B < 0);
      EXPECT_EQ(*Differ < 0, (A < 0) != (B < 0));
      for (unsigned I = 0; I < 63; ++I) {
        EXPECT_EQ(Bit(*Masked, I), Bit(A, I) & Bit(B, I));
        EXPECT_EQ(Bit(*Either, I), Bit(A, I) | Bit(B, I));
        EXPECT_EQ(Bit(*Differ, I), Bit(A, I) ^ Bit(B, I));
      }

      std::optional<int64_t> Left, Right;
      if (B >= 0) {
        // By one place at a time.
        Left = Right = A;
        for (int64_t I = 0; I < std::min<int64_t>(B, 64); ++I) {
          Left = Left ? narrow(Wide(*Left) * 2) : Left;
          Right = apply(Op::FloorDiv, *Right, 2);
        }
      }
      EXPECT_EQ(apply(Op::ShiftLeft, A, B), Left);
      EXPECT_EQ(apply(Op::ShiftRight, A, B), Right);
    }
}

TEST(IndexSyntaxValueTest, WhatIsNotNeededHasNoValue) {
  EXPECT_EQ(valueOf("x"), std::nullopt);
  EXPECT_EQ(valueOf("1 + x * 0"), std::nullopt);
  EXPECT_EQ(valueOf("select(a, 5, x)", 2), 5);
  EXPECT_EQ(valueOf("select(a, 5, x)", 0), std::nullopt);
  EXPECT_EQ(valueOf("select(x, 5, 5)"), std::nullopt);
  EXPECT_EQ(valueOf("a != 0 && 12 / a == 4", 0), 0);
  EXPECT_EQ(valueOf("a != 0 && 12 / a == 4", 3), 1);
  EXPECT_EQ(valueOf("a || 1 / 0 || x", -2), 1);
  EXPECT_EQ(valueOf("1 / 0 || a", 1), std::nullopt);
  // Conditions and numbers stand for each other.
  EXPECT_EQ(valueOf("(a < 3) * 10 + !5 + !!5", 2), 11);
  EXPECT_EQ(valueOf("a && 7", 2), 1);
  EXPECT_EQ(valueOf("0 <= a < 8", -1), 1); // 0 < 8, as in C
}

TEST(IndexSyntaxValueTest, OverflowHasNoValue) {
  EXPECT_EQ(valueOf("a + 1", Max), std::nullopt);
  EXPECT_EQ(valueOf("a - 1", Min), std::nullopt);
  EXPECT_EQ(valueOf("-a", Min), std::nullopt);
  EXPECT_EQ(valueOf("a * a * a", 2097152), std::nullopt);
  EXPECT_EQ(valueOf("a * a * a", -2097152), Min);
}

//===----------------------------------------------------------------------===//
// Costs
//===----------------------------------------------------------------------===//

TEST(IndexSyntaxValueTest, Costs) {
  struct {
    const char *Text;
    unsigned Divisions, Operations;
  } Cases[] = {
      {"a", 0, 0},
      {"-5", 0, 0},
      {"-(5)", 0, 0},
      {"-a", 0, 1},
      {"a - b", 0, 1},
      {"a - 5 + b", 0, 2},
      {"-a + b", 0, 2},
      {"-5 + b", 0, 1},
      {"a - -b", 0, 2},
      {"a * b * c", 0, 2},
      {"a * -3", 0, 1},
      {"min(a, b, c, 0)", 0, 3},
      {"select(a < b, a, !b)", 0, 3},
      {"a && b && c || a", 0, 3},
      {"a << 2 & 7", 0, 2},
      {"a / 3 * 3 + a mod 3", 2, 4},
      {"tdiv(a, 2) - tmod(a, 2)", 2, 3},
  };
  for (auto &Case : Cases)
    EXPECT_EQ(costOf(parse(Case.Text)),
              (SyntaxCost{Case.Divisions, Case.Operations}))
        << Case.Text;
  EXPECT_TRUE((SyntaxCost{1, 9}) < (SyntaxCost{2, 1}));
  EXPECT_TRUE((SyntaxCost{1, 1}) < (SyntaxCost{1, 2}));
  EXPECT_FALSE((SyntaxCost{1, 2}) < (SyntaxCost{1, 2}));
}

} // namespace
