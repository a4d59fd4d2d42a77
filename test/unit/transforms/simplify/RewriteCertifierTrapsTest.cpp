//===- RewriteCertifierTrapsTest.cpp - Rewrites that look right -----------===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Wrong rewrites that are right under something that does not hold: a flag of
// an arm that is not taken, what a freeze gave elsewhere, a value that the
// translation gave up. None may be proved.
//
//===----------------------------------------------------------------------===//

#include "test/unit/transforms/simplify/CertifiedRewrite.h"

using namespace llvm;
using namespace unravel;
using namespace unravel::test;

namespace {

//===----------------------------------------------------------------------===//
// Divisions
//===----------------------------------------------------------------------===//

TEST(RewriteCertifierTraps, DivisionsByZeroAreNotImpossible) {
  // n is 0 here. That the new code divides by it is no contradiction.
  CertifiedRewrite R(R"(
    define void @f(i32 noundef %x, i32 noundef %n) {
    entry:
      %k = icmp eq i32 %n, 0
      br i1 %k, label %here, label %exit
    here:
      %old = add i32 %x, 0
      br label %exit
    exit:
      ret void
    })");
  EXPECT_FALSE(R.isProved(R.divide(PlanOp::UDivBy, R.leaf("x"), R.leaf("n"))));
}

TEST(RewriteCertifierTraps, DivisionsWithoutUsesAreExecuted) {
  // c is true; the other arm is computed all the same, and n may be 0.
  CertifiedRewrite R(R"(
    define void @f(i32 noundef %x, i32 noundef %n) {
    entry:
      %k = icmp ult i32 %x, 10
      br i1 %k, label %here, label %exit
    here:
      %c = icmp ult i32 %x, 20
      %old = add i32 %x, 0
      br label %exit
    exit:
      ret void
    })");
  const PlanNode *X = R.leaf("x");
  EXPECT_FALSE(R.isProved(R.Plan.select(
      R.A.value("c"), X, R.divide(PlanOp::UDivBy, X, R.leaf("n")))));
}

TEST(RewriteCertifierTraps, OldDivisionsByZero) {
  // Undefined when it is executed: whatever is answered, there is an answer.
  const char *const Divisors[] = {"0", "%z"};
  for (const char *Divisor : Divisors)
    for (const char *Opcode : {"udiv", "urem", "sdiv", "srem"}) {
      CertifiedRewrite R(std::string("define void @f(i32 noundef %x) {\n"
                                     "here:\n"
                                     "  %z = sub i32 %x, %x\n"
                                     "  %old = ") +
                         Opcode + " i32 %x, " + Divisor + "\n  ret void\n}");
      R.missing(R.leaf("x"));
    }
}

TEST(RewriteCertifierTraps, DividendsMayBePoison) {
  // By 7, say, x + 1 may be poison: the quotient is poison then, and nothing
  // undefined. A new division by it would be.
  CertifiedRewrite R(R"(
    define void @f(i32 noundef %x, i32 noundef %y, i32 noundef %d) {
    entry:
      %k = icmp ult i32 %y, 10
      br i1 %k, label %here, label %exit
    here:
      %c = icmp ult i32 %y, 20
      %a = add nsw i32 %x, 1
      %old = add i32 %y, 0
      %q = sdiv i32 %a, %d
      br label %exit
    exit:
      ret void
    })");
  const PlanNode *Y = R.leaf("y"), *X = R.leaf("x");
  auto Either = [&](const PlanNode *N, const PlanNode *D) {
    return R.Plan.select(R.A.value("c"), Y, R.divide(PlanOp::SDivBy, N, D));
  };
  EXPECT_FALSE(R.isProved(Either(Y, R.Plan.smax(R.leaf("a"), R.number(1)))));
  // Nor does it say that x is not the greatest number.
  EXPECT_FALSE(R.isProved(Either(Y, R.Plan.sub(X, R.number(2147483647), {}))));
  // What is divided by is no poison.
  EXPECT_TRUE(R.isProved(Either(Y, R.Plan.smax(R.leaf("d"), R.number(1)))));
}

TEST(RewriteCertifierTraps, DivisionsThatAreNotReached) {
  // Each of these may keep the program from dividing.
  const char *const Between[] = {
      "call void @g()",
      "call void @llvm.nvvm.exit()",
      "call void @llvm.trap()",
      "call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)",
      "call void asm sideeffect \"exit;\", \"\"()",
      "call void asm \"exit;\", \"\"()",
      "store volatile i32 0, ptr null",
      "call void @g() nounwind",
      "call void @g() willreturn"};
  for (const char *Call : Between) {
    CertifiedRewrite R(std::string(R"(
    declare void @g()
    declare void @llvm.nvvm.exit()
    declare void @llvm.trap()
    declare void @llvm.nvvm.barrier.cta.sync.aligned.all(i32)
    define void @f(i32 noundef %y, i32 noundef %d) {
    entry:
      %k = icmp ult i32 %y, 10
      br i1 %k, label %here, label %exit
    here:
      %c = icmp ult i32 %y, 20
      %old = add i32 %y, 0
      )") + Call + R"(
      %q = sdiv i32 %y, %d
      br label %exit
    exit:
      ret void
    })");
    const PlanNode *Y = R.leaf("y");
    EXPECT_FALSE(R.isProved(R.Plan.select(
        R.A.value("c"), Y, R.divide(PlanOp::UDivBy, Y, R.leaf("d")))))
        << Call;
  }
}

TEST(RewriteCertifierTraps, DivisionsOfTheNextIteration) {
  // The division at the head is of the value before.
  CertifiedRewrite R(R"(
    define void @f(i32 noundef %y, i32 noundef %d, ptr %p) {
    entry:
      %k = icmp ult i32 %y, 10
      br i1 %k, label %loop, label %exit
    loop:
      %v = phi i32 [ 1, %entry ], [ %n, %here ]
      %q = udiv i32 %y, %v
      %n = load i32, ptr %p
      br label %here
    here:
      %c = icmp ult i32 %y, 20
      %old = add i32 %y, 0
      %e = icmp eq i32 %d, 0
      br i1 %e, label %loop, label %exit
    exit:
      ret void
    })");
  const PlanNode *Y = R.leaf("y");
  auto By = [&](const char *D) {
    return R.Plan.select(R.A.value("c"), Y,
                         R.divide(PlanOp::UDivBy, Y, R.leaf(D)));
  };
  EXPECT_FALSE(R.isProved(By("n")));
  EXPECT_TRUE(R.isProved(By("v")));
}

TEST(RewriteCertifierTraps, AnUnsignedDivisionMayBeByMinusOne) {
  CertifiedRewrite R(R"(
    define void @f(i32 noundef %y, i32 noundef %x, i32 noundef %d) {
    entry:
      %k = icmp ult i32 %y, 10
      br i1 %k, label %here, label %exit
    here:
      %c = icmp ult i32 %y, 20
      %old = add i32 %y, 0
      %q = udiv i32 %x, %d
      %s = srem i32 %y, %d
      br label %exit
    exit:
      ret void
    })");
  const PlanNode *Y = R.leaf("y");
  EXPECT_FALSE(R.isProved(R.Plan.select(
      R.A.value("c"), Y, R.divide(PlanOp::SDivBy, R.leaf("x"), R.leaf("d")))));
  EXPECT_TRUE(R.isProved(R.Plan.select(
      R.A.value("c"), Y, R.divide(PlanOp::SDivBy, Y, R.leaf("d")))));
}

//===----------------------------------------------------------------------===//
// Freeze and undef
//===----------------------------------------------------------------------===//

TEST(RewriteCertifierTraps, TwoFreezesAreTwoValues) {
  CertifiedRewrite R(R"(
    define void @f(i32 %x) {
    entry:
      %f1 = freeze i32 %x
      %k = icmp ult i32 %f1, 100
      br i1 %k, label %here, label %exit
    here:
      %f2 = freeze i32 %x
      %old = and i32 %f2, 255
      br label %exit
    exit:
      ret void
    })");
  // Of f2 nothing is known.
  EXPECT_FALSE(R.isProved(R.leaf("f2")));
}

/// The old code reads all parts, so that none is poison; what it adds is 0.
const char *const Parts = R"(
  define void @f(i32 %x) {
  here:
    %q = lshr i32 %x, 3
    %r = and i32 %x, 7
    %both = add i32 %q, %r
    %none = and i32 %both, 0
    %eight = shl i32 %q, 3
    %old = add i32 HOLE, %none
    ret void
  })";

std::string withParts(StringRef Of) {
  std::string Text = Parts;
  return Text.replace(Text.find("HOLE"), 4, Of);
}

TEST(RewriteCertifierTraps, FrozenPartsOfOneValue) {
  CertifiedRewrite R(withParts("%eight"));
  const PlanNode *Q = R.leaf("q", /*MayBeUndef=*/true),
                 *Rest = R.leaf("r", /*MayBeUndef=*/true);
  // For any parts.
  EXPECT_EQ(
      R.missing(R.Plan.add(R.Plan.mul(Q, 8, {}), R.Plan.bitAnd(Rest, 0), {})),
      "");
  // The range of a part is known: the old value is one of 0 to 7.
  CertifiedRewrite S(withParts("%r"));
  const PlanNode *P = S.leaf("r", /*MayBeUndef=*/true),
                 *Other = S.leaf("q", /*MayBeUndef=*/true);
  EXPECT_EQ(
      S.missing(S.Plan.add(S.Plan.bitAnd(P, 7), S.Plan.bitAnd(Other, 0), {})),
      "");
}

TEST(RewriteCertifierTraps, FrozenPartsOfOneValueNegative) {
  // Each part may be frozen from another undef: 8*q + r is not x.
  CertifiedRewrite R(withParts("%x"));
  const PlanNode *Q = R.leaf("q", /*MayBeUndef=*/true),
                 *Rest = R.leaf("r", /*MayBeUndef=*/true);
  EXPECT_EQ(R.missing(R.Plan.add(R.Plan.mul(Q, 8, {}), Rest, {})),
            "a proof that the new value is the old one");
  // It is, if x is one number.
  std::string Text = withParts("%x");
  CertifiedRewrite S(Text.replace(Text.find("i32 %x"), 6, "i32 noundef %x"));
  EXPECT_EQ(
      S.missing(S.Plan.add(S.Plan.mul(S.leaf("q", /*MayBeUndef=*/true), 8, {}),
                           S.leaf("r", /*MayBeUndef=*/true), {})),
      "");
  // One that is not frozen is read again.
  CertifiedRewrite T(withParts("%eight"));
  EXPECT_EQ(T.missing(T.Plan.add(T.Plan.mul(T.leaf("q"), 8, {}),
                                 T.Plan.bitAnd(T.leaf("r"), 0), {})),
            "a value that may be undef is used twice");
}

TEST(RewriteCertifierTraps, TheFreezeOfAPlanIsAnother) {
  CertifiedRewrite R(R"(
    define void @f(i32 %x) {
    entry:
      %f1 = freeze i32 %x
      %k = icmp ult i32 %f1, 100
      br i1 %k, label %here, label %exit
    here:
      %old = add i32 %f1, 1
      br label %exit
    exit:
      ret void
    })");
  EXPECT_FALSE(R.isProved(
      R.Plan.add(R.leaf("x", /*MayBeUndef=*/true), R.number(1), {})));
  EXPECT_TRUE(R.isProved(R.Plan.add(R.leaf("f1"), R.number(1), {})));
}

TEST(RewriteCertifierTraps, AFrozenUndefSaysNothingOfTheNextUse) {
  CertifiedRewrite R(R"(
    define void @f(i32 %x) {
    entry:
      %f1 = freeze i32 %x
      %u = icmp ult i32 %f1, 100
      br i1 %u, label %mid, label %exit
    mid:
      %y = and i32 %x, 255
      %k = icmp ult i32 %y, 256
      br i1 %k, label %here, label %exit
    here:
      %old = and i32 %x, 255
      br label %exit
    exit:
      ret void
    })");
  // Each use of undef is another word, also where it is no poison.
  EXPECT_FALSE(R.isProved(R.leaf("x")));
}

TEST(RewriteCertifierTraps, BitsThatAreNotDisjointArePoison) {
  CertifiedRewrite R(R"(
    define void @f(i1 noundef %a, i1 noundef %b) {
    entry:
      %o = or disjoint i1 %a, %b
      %fr = freeze i1 %o
      %t = zext i1 %fr to i32
      %k = icmp eq i32 %t, 0
      br i1 %k, label %here, label %exit
    here:
      %old = select i1 %a, i32 1, i32 0
      br label %exit
    exit:
      ret void
    })");
  // Where both are true, the freeze may be false.
  EXPECT_FALSE(R.isProved(R.number(0)));
}

//===----------------------------------------------------------------------===//
// Facts
//===----------------------------------------------------------------------===//

TEST(RewriteCertifierTraps, FlagsOfAnArmThatIsNotTaken) {
  // Where c is true, x + 1 may wrap.
  CertifiedRewrite R(R"(
    define void @f(i32 noundef %x, i1 noundef %c) {
    entry:
      %n = add nsw i32 %x, 1
      %s = select i1 %c, i32 0, i32 %n
      %k = icmp slt i32 %s, 100
      br i1 %k, label %mid, label %exit
    mid:
      %k2 = icmp ne i32 %x, 12345
      br i1 %k2, label %here, label %exit
    here:
      %a = add i32 %x, 1
      %old = sext i32 %a to i64
      br label %exit
    exit:
      ret void
    })");
  EXPECT_FALSE(R.isProved(
      R.Plan.add(R.Plan.sext(R.leaf("x"), 64), R.number(1, 64), {})));
}

TEST(RewriteCertifierTraps, RangesOfAnArmThatIsNotTaken) {
  // Where c is true, a block need not be of one thread: n is poison.
  CertifiedRewrite R(R"(
    define void @f(i1 noundef %c) {
    entry:
      %n = call range(i32 1, 2) i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
      %s = select i1 %c, i32 0, i32 %n
      %k = icmp ult i32 %s, 100
      br i1 %k, label %here, label %exit
    here:
      %m = call noundef i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
      %old = urem i32 %m, 7
      br label %exit
    exit:
      ret void
    })");
  EXPECT_FALSE(R.isProved(R.number(1)));
}

TEST(RewriteCertifierTraps, WhatWasGivenUpIsNoFact) {
  // The product of all five may be 0 where that of four is 1.
  CertifiedRewrite R(R"(
    define void @f(i32 noundef %a, i32 noundef %b, i32 noundef %c,
                   i32 noundef %d, i32 noundef %e) {
    entry:
      %m1 = mul i32 %a, %b
      %m2 = mul i32 %m1, %c
      %four = mul i32 %m2, %d
      %five = mul i32 %four, %e
      %k2 = icmp eq i32 %four, 1
      br i1 %k2, label %mid, label %exit
    mid:
      %k = icmp eq i32 %five, 0
      br i1 %k, label %here, label %exit
    here:
      %old = add i32 %a, 0
      br label %exit
    exit:
      ret void
    })");
  EXPECT_FALSE(R.isProved(R.Plan.add(R.leaf("a"), R.number(1), {})));
}

TEST(RewriteCertifierTraps, AWrongFlagIsNoFact) {
  // The product is poison here. What would follow if it were not is no proof.
  CertifiedRewrite R(R"(
    define void @f(i32 noundef %x, i32 noundef %y) {
    entry:
      %k = icmp eq i32 %x, -100000
      br i1 %k, label %here, label %exit
    here:
      %old = add i32 %y, 0
      br label %exit
    exit:
      ret void
    })");
  PlanFlags Signed;
  Signed.NoSignedWrap = true;
  EXPECT_FALSE(
      R.isProved(R.Plan.udiv(R.Plan.mul(R.leaf("x"), 100000, Signed), 3)));
}

TEST(RewriteCertifierTraps, LeftOutFlagsLeaveThePoisonOfOperands) {
  // t is poison where the sum wraps, and old is not. That a flag of the new
  // code cannot be proved, and is left out, does not change that.
  CertifiedRewrite R(R"(
    define void @f(i32 noundef %x, i32 noundef %y) {
    here:
      %s = add i32 %x, %y
      %t = add nuw i32 %x, %y
      %old = mul i32 %s, 2
      ret void
    })");
  PlanFlags Unsigned;
  Unsigned.NoUnsignedWrap = true;
  EXPECT_FALSE(R.isProvedWithoutFlags(R.Plan.mul(R.leaf("t"), 2, Unsigned)));
  EXPECT_TRUE(R.isProvedWithoutFlags(R.Plan.mul(R.leaf("s"), 2, Unsigned)));
}

//===----------------------------------------------------------------------===//
// Poison that the old code does not read
//===----------------------------------------------------------------------===//

TEST(RewriteCertifierTraps, SameSignMayBePoison) {
  CertifiedRewrite R(R"(
    define void @f(i32 noundef %x, i32 noundef %y) {
    here:
      %k = icmp ult i32 %x, %y
      %c = icmp samesign ult i32 %x, %y
      %old = select i1 %k, i32 %x, i32 %y
      ret void
    })");
  const PlanNode *X = R.leaf("x"), *Y = R.leaf("y");
  EXPECT_TRUE(R.isProved(R.Plan.select(R.A.value("k"), X, Y)));
  EXPECT_FALSE(R.isProved(R.Plan.select(R.A.value("c"), X, Y)));
}

TEST(RewriteCertifierTraps, AMagnitudeMayBePoison) {
  CertifiedRewrite R(R"(
    declare i32 @llvm.abs.i32(i32, i1)
    define void @f(i32 noundef %x) {
    here:
      %all = call i32 @llvm.abs.i32(i32 %x, i1 false)
      %most = call i32 @llvm.abs.i32(i32 %x, i1 true)
      %old = mul i32 %all, 2
      ret void
    })");
  EXPECT_TRUE(R.isProved(R.Plan.mul(R.leaf("all"), 2, {})));
  EXPECT_FALSE(R.isProved(R.Plan.mul(R.leaf("most"), 2, {})));
}

TEST(RewriteCertifierTraps, FrozenPoisonIsAnything) {
  // t is not 0 unless it is poison.
  CertifiedRewrite R(R"(
    declare i32 @llvm.umax.i32(i32, i32)
    define void @f(i32 noundef %x) {
    here:
      %t = add nuw i32 %x, 1
      %f = freeze i32 %t
      %old = call i32 @llvm.umax.i32(i32 %f, i32 1)
      ret void
    })");
  EXPECT_FALSE(R.isProved(R.leaf("f")));
}

TEST(RewriteCertifierTraps, ACounterMayBePoison) {
  CertifiedRewrite R(R"(
    define void @f(i32 noundef %n) {
    entry:
      br label %here
    here:
      %i = phi i32 [ 0, %entry ], [ %ii, %here ]
      %j = phi i32 [ 0, %entry ], [ %jj, %here ]
      %ii = add nsw i32 %i, 1
      %jj = add i32 %j, 1
      %old = mul i32 %j, 2
      %c = icmp eq i32 %jj, %n
      br i1 %c, label %exit, label %here
    exit:
      ret void
    })");
  EXPECT_TRUE(R.isProved(R.Plan.mul(R.leaf("j"), 2, {})));
  EXPECT_FALSE(R.isProved(R.Plan.mul(R.leaf("i"), 2, {})));
}

TEST(RewriteCertifierTraps, AnAddressMayBePoison) {
  CertifiedRewrite R(R"(
    define void @f(ptr noundef %p, i64 noundef %x) {
    here:
      %a = getelementptr i8, ptr %p, i64 %x
      %b = getelementptr inbounds i8, ptr %p, i64 %x
      %old = getelementptr i8, ptr %a, i64 4
      ret void
    })");
  EXPECT_TRUE(R.isProved(R.Plan.ptrAdd(R.leaf("a"), R.number(4, 64), {})));
  EXPECT_FALSE(R.isProved(R.Plan.ptrAdd(R.leaf("b"), R.number(4, 64), {})));
}

//===----------------------------------------------------------------------===//
// Addresses
//===----------------------------------------------------------------------===//

TEST(RewriteCertifierTraps, InBoundsStartsInBounds) {
  // Back where it was, by way of a place that may be outside of the object.
  CertifiedRewrite R(R"(
    define void @f(ptr noundef %p) {
    entry:
      %a = ptrtoint ptr %p to i64
      %k = icmp ult i64 %a, 1000
      br i1 %k, label %here, label %exit
    here:
      %old = getelementptr inbounds i8, ptr %p, i64 0
      br label %exit
    exit:
      ret void
    })");
  PlanFlags InBounds;
  InBounds.InBounds = true;
  EXPECT_FALSE(
      R.isProved(R.Plan.ptrAdd(R.Plan.ptrAdd(R.leaf("p"), R.number(4, 64), {}),
                               R.number(-4, 64), InBounds)));
}

} // namespace
