//===- WordEncoderTrapsTest.cpp - Words that could be proved too much -----===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Quotients that are put together from others, and the greater of two words
// that must not be compared: what is said of them must not be false.
//
//===----------------------------------------------------------------------===//

#include "test/unit/ProofTestHelper.h"
#include "transforms/certify/WordEncoder.h"
#include "llvm/IR/Instructions.h"
#include "gtest/gtest.h"

using namespace llvm;
using namespace unravel;
using namespace unravel::test;

namespace {

struct Words {
  Case C;
  WordEncoder W{C};

  Word unknown(int64_t Low, int64_t High) {
    return W.unknown(32, DynamicAPInt(Low), DynamicAPInt(High), true);
  }
  Word exact(unsigned Opcode, const Word &A, const Word &B) {
    PoisonFlags Flags;
    Flags.NoSignedWrap =
        Opcode == Instruction::Mul || Opcode == Instruction::Add;
    return W.binary(Opcode, A, B, Flags, Trust::Believed);
  }
  bool isPossible() { return !C.Proofs.isImpossible(Splits); }
};

/// (a*x) / (a*y) is x / y, but a and y may both be negative: then floor(x / y)
/// is another number.
TEST(WordEncoderTraps, CommonFactorsMayBeNegative) {
  for (int64_t Sign : {1, -1}) {
    Words E;
    auto Unknown = [&](int64_t Low, int64_t High) {
      return Sign > 0 ? E.unknown(Low, High) : E.unknown(-High, -Low);
    };
    Word A = Unknown(1, 4), X = Unknown(1, 9), Y = Unknown(1, 4);
    Word Small = E.exact(Instruction::SDiv, X, Y);
    Word Large = E.exact(Instruction::SDiv, E.exact(Instruction::Mul, A, X),
                         E.exact(Instruction::Mul, A, Y));
    EXPECT_TRUE(E.isPossible());
    Word One = E.W.constant(APInt(32, 1));
    EXPECT_FALSE(E.W.areEqual(E.exact(Instruction::Add, Small, One), Large));
    EXPECT_TRUE(E.isPossible());
  }
}

/// Nothing is known of a sign: all four cases are possible.
TEST(WordEncoderTraps, CommonFactorsOfAnySign) {
  Case::Script Script;
  unsigned Cases = 0;
  do {
    Case C(Script);
    WordEncoder W(C);
    auto Unknown = [&] {
      return W.unknown(32, DynamicAPInt(-4), DynamicAPInt(4), true);
    };
    PoisonFlags Exact;
    Exact.NoSignedWrap = true;
    Word A = Unknown(), X = Unknown(), Y = Unknown();
    Word Large =
        W.binary(Instruction::SDiv,
                 W.binary(Instruction::Mul, A, X, Exact, Trust::Believed),
                 W.binary(Instruction::Mul, A, Y, Exact, Trust::Believed), {},
                 Trust::Believed);
    Polynomial Q = W.signedOf(Large);
    // -4..4, both ends included; 5 is none.
    EXPECT_FALSE(C.Proofs.isImpossible(Splits));
    C.Proofs.assume(W.signedOf(A) * W.signedOf(A) - 1);
    EXPECT_FALSE(C.Proofs.provesNotZero(Q, Splits));
    ++Cases;
    Script = C.nextScript();
  } while (!Script.empty());
  EXPECT_GT(Cases, 1u);
}

/// The digits of a number: its quotient is the other digits, not one more.
TEST(WordEncoderTraps, DigitsAreQuotientsOfTheWhole) {
  Words E;
  Word X = E.unknown(0, 1 << 20), W = E.unknown(1, 1 << 10),
       H = E.unknown(1, 1 << 10);
  Word Size = E.exact(Instruction::Mul, W, H);
  Word Page = E.exact(Instruction::SDiv, X, Size);
  Word InPage = E.exact(Instruction::SRem, X, Size);
  Word Row = E.exact(Instruction::SDiv, InPage, W);
  Word Rows = E.exact(Instruction::SDiv, X, W);
  Word Again = E.exact(Instruction::SRem, Rows, H);
  EXPECT_TRUE(E.W.areEqual(Row, Again));
  EXPECT_TRUE(E.W.areEqual(E.exact(Instruction::SDiv, Rows, H), Page));
  EXPECT_FALSE(E.W.areEqual(Row, Rows));
  EXPECT_FALSE(E.W.areEqual(Row, Page));
  Word One = E.W.constant(APInt(32, 1));
  EXPECT_FALSE(E.W.areEqual(E.exact(Instruction::Add, Row, One), Again));
  EXPECT_TRUE(E.isPossible());
}

TEST(WordEncoderTraps, TheGreaterOfTwoIsOneOfThem) {
  for (bool IsGreater : {false, true}) {
    Words E;
    Word A = E.unknown(-9, 9), B = E.unknown(-5, 5);
    E.C.setMaySplit(false);
    Word M = IsGreater ? E.W.greater(A, B, true) : E.W.lesser(A, B, true);
    EXPECT_FALSE(E.C.isDoubtful());
    E.C.setMaySplit(true);
    Polynomial X = E.W.signedOf(A), Y = E.W.signedOf(B), V = E.W.signedOf(M);
    int64_t Sign = IsGreater ? 1 : -1;
    for (const Polynomial &P : {X, Y}) {
      Polynomial Above = (V - P) * DynamicAPInt(Sign);
      EXPECT_TRUE(E.C.Proofs.proves(Above, Splits));
      EXPECT_FALSE(E.C.Proofs.proves(Above - 1, Splits));
      EXPECT_FALSE(E.C.Proofs.proves(-Above, Splits));
    }
    // It can be either.
    E.C.Proofs.assume((V - X) * DynamicAPInt(Sign) - 1);
    EXPECT_TRUE(E.isPossible());
  }
}

TEST(WordEncoderTraps, NumbersOfADoubtfulQuestionAreForgotten) {
  Case C;
  WordEncoder W(C);
  DynamicAPInt Low = WordEncoder::lowest(8, true),
               High = WordEncoder::highest(8, true);
  Word X = W.unknown(8, Low, High, true), Y = W.unknown(8, Low, High, true);
  bool May = C.setMaySplit(false);
  C.isNotNegative(X.Bits); // which is not known
  EXPECT_TRUE(C.isDoubtful());
  W.signedOf(W.binary(Instruction::Mul, X, Y, {}, Trust::Believed));
  C.setMaySplit(May);
  C.forgetLack();
  // Where facts contradict each other, every multiple is the only one; but
  // nothing says where this number came from.
  C.assume(X.Bits - 1000);
  W.fixMultiples();
  EXPECT_TRUE(C.Proofs.isImpossible(8));
}

} // namespace
