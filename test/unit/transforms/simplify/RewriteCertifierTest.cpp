//===- RewriteCertifierTest.cpp - Only right rewrites are proved ----------===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Rewrites made by hand, right ones and wrong ones. The wrong ones differ from
// a right one in one thing.
//
//===----------------------------------------------------------------------===//

#include "test/unit/transforms/simplify/CertifiedRewrite.h"
#include "transforms/simplify/RemarkSink.h"
#include "llvm/Analysis/OptimizationRemarkEmitter.h"

using namespace llvm;
using namespace unravel;
using namespace unravel::test;

namespace {

/// \p Text with \p By in the place of `HOLE`.
std::string fill(std::string Text, StringRef By) {
  return Text.replace(Text.find("HOLE"), 4, By.str());
}

const char *const Remainder = R"(
  define void @f(i32 noundef %x) {
  here:
    %old = urem i32 %x, 75
    ret void
  })";

TEST(RewriteCertifier, ARemainderIsWhatTheQuotientLeaves) {
  CertifiedRewrite R(Remainder);
  const PlanNode *X = R.leaf("x");
  EXPECT_TRUE(
      R.isProved(R.Plan.sub(X, R.Plan.mul(R.Plan.udiv(X, 75), 75, {}), {})));
  RewriteProof Proof = R.prove(R.Root.New);
  EXPECT_EQ(Proof.Cases, 1u);
}

TEST(RewriteCertifier, ARemainderNegative) {
  CertifiedRewrite R(Remainder);
  const PlanNode *X = R.leaf("x");
  // Another factor, another divisor, and off by one for one word in 75.
  EXPECT_FALSE(
      R.isProved(R.Plan.sub(X, R.Plan.mul(R.Plan.udiv(X, 75), 74, {}), {})));
  EXPECT_FALSE(
      R.isProved(R.Plan.sub(X, R.Plan.mul(R.Plan.udiv(X, 74), 75, {}), {})));
  EXPECT_FALSE(R.isProved(R.Plan.sub(
      X, R.Plan.mul(R.Plan.udiv(R.Plan.add(X, R.number(1), {}), 75), 75, {}),
      {})));
  EXPECT_FALSE(R.isProved(X));
  EXPECT_EQ(R.missing(R.number(0)),
            "a proof that the new value is the old one");
}

TEST(RewriteCertifier, FlagsHaveToHold) {
  CertifiedRewrite R(Remainder);
  const PlanNode *X = R.leaf("x");
  PlanFlags Unsigned;
  Unsigned.NoUnsignedWrap = true;
  EXPECT_TRUE(R.isProved(
      R.Plan.sub(X, R.Plan.mul(R.Plan.udiv(X, 75), 75, Unsigned), Unsigned)));
}

TEST(RewriteCertifier, FlagsHaveToHoldNegative) {
  CertifiedRewrite R(Remainder);
  const PlanNode *X = R.leaf("x");
  PlanFlags Signed;
  Signed.NoSignedWrap = true;
  // 75 * (x / 75) may be above the highest signed number.
  EXPECT_EQ(
      R.missing(R.Plan.sub(X, R.Plan.mul(R.Plan.udiv(X, 75), 75, Signed), {})),
      "a proof of its flags");
  PlanFlags Unsigned;
  Unsigned.NoUnsignedWrap = true;
  CertifiedRewrite Sum(R"(
    define void @f(i32 noundef %x) {
    here:
      %old = add nsw i32 %x, 1
      ret void
    })");
  // One plan for each: nodes are uniqued, and have what flags they share.
  IndexPlan Right, Wrong;
  Value *W = Sum.A.value("x");
  EXPECT_TRUE(Sum.isProved(
      Right.add(Right.leaf(W, 32), Right.constant(1, 32), Signed)));
  EXPECT_FALSE(Sum.isProved(
      Wrong.add(Wrong.leaf(W, 32), Wrong.constant(1, 32), Unsigned)));
}

TEST(RewriteCertifier, WhatIsNotProvedOfFlagsIsLeftOut) {
  CertifiedRewrite R(Remainder);
  const PlanNode *X = R.leaf("x");
  PlanFlags Both;
  Both.NoSignedWrap = Both.NoUnsignedWrap = true;
  const PlanNode *Whole = R.Plan.mul(R.Plan.udiv(X, 75), 75, Both);
  PlanFlags Unsigned;
  Unsigned.NoUnsignedWrap = true;
  const PlanNode *New = R.Plan.sub(X, Whole, Unsigned);
  RewriteProof Proof = R.prove(New);
  EXPECT_EQ(Proof.Missing, "");
  // 75 * (x / 75) may be above the highest signed number.
  EXPECT_TRUE(Proof.Unflagged.contains(Whole));
  EXPECT_FALSE(Proof.Unflagged.contains(New));
}

TEST(RewriteCertifier, WhatIsNotProvedOfFlagsIsLeftOutNegative) {
  CertifiedRewrite R(Remainder);
  const PlanNode *X = R.leaf("x");
  PlanFlags Signed;
  Signed.NoSignedWrap = true;
  // Another value, with and without flags.
  EXPECT_FALSE(R.isProvedWithoutFlags(
      R.Plan.sub(X, R.Plan.mul(R.Plan.udiv(X, 75), 74, Signed), Signed)));
}

/// What the new code reads is computed from more than it needs to know.
const char *const Deep = R"(
  define void @f(i32 noundef %a, i32 noundef %b) {
  here:
    %m = mul i32 %a, %b
    %k = xor i32 %m, %a
    %x = and i32 %k, HOLE
    %q = udiv i32 %x, 10
    %old = udiv i32 %q, 10
    ret void
  })";

TEST(RewriteCertifier, WhatIsReadNeedsNoExplanation) {
  CertifiedRewrite R(fill(Deep, "-1"));
  EXPECT_TRUE(R.isProved(R.Plan.udiv(R.leaf("x"), 100)));
  // Where it matters, it is looked into: the upper half of a product by
  // 2^32 / 100 is the quotient of what has 16 bits.
  CertifiedRewrite Small(fill(Deep, "65535"));
  EXPECT_TRUE(Small.isProved(Small.Plan.mulHi(Small.leaf("x"), 42949673)));
}

TEST(RewriteCertifier, WhatIsReadNeedsNoExplanationNegative) {
  CertifiedRewrite R(fill(Deep, "-1"));
  EXPECT_FALSE(R.isProved(R.Plan.udiv(R.leaf("x"), 99)));
  EXPECT_FALSE(R.isProved(R.Plan.mulHi(R.leaf("x"), 42949673)));
}

/// GUARD decides what is known at %here.
const char *const Guarded = R"(
  define void @f(i32 noundef %x) {
  entry:
    %old = sdiv i32 %x, 10
    %c = icmp sgt i32 %x, HOLE
    br i1 %c, label %here, label %exit
  here:
    br label %exit
  exit:
    ret void
  })";

TEST(RewriteCertifier, AGuardIsAFact) {
  CertifiedRewrite R(fill(Guarded, "-1"));
  EXPECT_TRUE(R.isProved(R.Plan.udiv(R.leaf("x"), 10)));
  // The quotients of -9 to -1 are 0.
  CertifiedRewrite Last(fill(Guarded, "-10"));
  EXPECT_TRUE(Last.isProved(
      Last.Plan.smax(Last.Plan.sdiv(Last.leaf("x"), 10), Last.number(0))));
}

TEST(RewriteCertifier, AGuardIsAFactNegative) {
  CertifiedRewrite R(fill(Guarded, "-2"));
  EXPECT_FALSE(R.isProved(R.Plan.udiv(R.leaf("x"), 10)));
  CertifiedRewrite Last(fill(Guarded, "-11"));
  EXPECT_FALSE(Last.isProved(
      Last.Plan.smax(Last.Plan.sdiv(Last.leaf("x"), 10), Last.number(0))));
  // The guard stands beside the code, not above it.
  CertifiedRewrite Beside(R"(
    define void @f(i32 noundef %x) {
    entry:
      %old = sdiv i32 %x, 10
      %c = icmp sgt i32 %x, -1
      br i1 %c, label %then, label %here
    then:
      br label %here
    here:
      ret void
    })");
  EXPECT_FALSE(Beside.isProved(Beside.Plan.udiv(Beside.leaf("x"), 10)));
}

/// Assumes that x is below a number.
const char *const Assumed = R"(
  define void @f(i32 noundef %x) {
  here:
    %c = icmp ult i32 %x, HOLE
    call void @llvm.assume(i1 %c)
    %old = urem i32 %x, 64
    ret void
  })";

TEST(RewriteCertifier, AnAssumptionIsAFact) {
  CertifiedRewrite R(fill(Assumed, "64"));
  EXPECT_TRUE(R.isProved(R.leaf("x")));
}

TEST(RewriteCertifier, AnAssumptionIsAFactNegative) {
  CertifiedRewrite R(fill(Assumed, "65"));
  EXPECT_FALSE(R.isProved(R.leaf("x")));
}

/// A switch with one or two cases that lead to %here.
const char *const Switched = R"(
  define void @f(i32 noundef %x) {
  entry:
    %old = udiv i32 %x, 10
    switch i32 %x, label %exit [ i32 12, label %here HOLE ]
  here:
    br label %exit
  exit:
    ret void
  })";

TEST(RewriteCertifier, TheOnlyCaseOfASwitchIsAFact) {
  CertifiedRewrite R(fill(Switched, ""));
  EXPECT_TRUE(R.isProved(R.number(1)));
  EXPECT_FALSE(R.isProved(R.number(2)));
}

TEST(RewriteCertifier, TheOnlyCaseOfASwitchIsAFactNegative) {
  CertifiedRewrite R(fill(Switched, "i32 1, label %here"));
  EXPECT_FALSE(R.isProved(R.number(1)));
}

/// The words of x may be undef, but not poison where %old is computed.
const char *const MaybeUndef = R"(
  define void @f(i32 %x) {
  here:
    %old = mul i32 %x, 2
    ret void
  })";

TEST(RewriteCertifier, UndefIsUsedOnceOrFrozen) {
  CertifiedRewrite R(MaybeUndef);
  const PlanNode *X = R.leaf("x"), *Frozen = R.leaf("x", /*MayBeUndef=*/true);
  EXPECT_TRUE(R.isProved(R.Plan.mul(X, 2, {})));
  EXPECT_TRUE(R.isProved(R.Plan.add(Frozen, Frozen, {})));
}

TEST(RewriteCertifier, UndefIsUsedOnceOrFrozenNegative) {
  CertifiedRewrite R(MaybeUndef);
  const PlanNode *X = R.leaf("x");
  // The sum of two values of undef may be odd.
  EXPECT_EQ(R.missing(R.Plan.add(X, X, {})),
            "a value that may be undef is used twice");
}

TEST(RewriteCertifier, ALeafIsNotPoisonWhereTheOldValueIsNot) {
  CertifiedRewrite R(R"(
    define void @f(i1 noundef %c, i32 %x) {
    here:
      %old = select i1 %c, i32 %x, i32 0
      ret void
    })");
  EXPECT_TRUE(
      R.isProved(R.Plan.select(R.A.value("c"), R.leaf("x"), R.number(0))));
}

TEST(RewriteCertifier, ALeafIsNotPoisonNegative) {
  CertifiedRewrite R(R"(
    define void @f(i1 noundef %c, i32 %x, i32 %y, i32 noundef %z) {
    here:
      %old = select i1 %c, i32 %x, i32 0
      %d = icmp ult i32 %y, 10
      ret void
    })");
  // It adds 0, which is poison with y, and the old code does not read y.
  EXPECT_EQ(R.missing(R.Plan.add(
                R.Plan.select(R.A.value("c"), R.leaf("x"), R.number(0)),
                R.Plan.udiv(R.Plan.bitAnd(R.leaf("y"), 7), 8), {})),
            "a value of the new code that may be poison");
  CertifiedRewrite S(R"(
    define void @f(i32 noundef %x, i32 %y) {
    here:
      %d = icmp ult i32 %y, 10
      %old = and i32 %x, 7
      ret void
    })");
  // Both arms are right, but what chooses one may be poison.
  EXPECT_EQ(S.missing(S.Plan.select(
                S.A.value("d"), S.Plan.bitAnd(S.leaf("x"), 7),
                S.Plan.sub(S.leaf("x"), S.Plan.bitAnd(S.leaf("x"), -8), {}))),
            "a value of the new code that may be poison");
}

/// The divisor is not 0 behind the guard; in front of it, that is not known.
const char *const GuardedDivision = R"(
  define void @f(i32 noundef %x, i32 noundef %n) {
  entry:
    %early = add i32 %x, 1
    %c = icmp ne i32 %n, 0
    br i1 %c, label %here, label %exit
  here:
    %late = add i32 %x, 2
    call void @mayExit()
    %latest = add i32 %x, 3
    %old = OLD i32 %x, %n
    br label %exit
  exit:
    ret void
  }
  declare void @mayExit()
)";

std::string guardedDivision(StringRef Opcode) {
  std::string Text = GuardedDivision;
  return Text.replace(Text.find("OLD"), 3, Opcode.str());
}

TEST(RewriteCertifier, ADivisionStaysBehindItsGuard) {
  CertifiedRewrite R(guardedDivision("urem"));
  for (const char *Anchor : {"late", "old"}) {
    const PlanNode *X = R.leaf("x"), *N = R.leaf("n");
    const PlanNode *Q = R.divide(PlanOp::UDivBy, X, N, Anchor);
    EXPECT_EQ(R.missing(R.Plan.sub(X, R.Plan.mulBy(Q, N, {}), {})), "")
        << Anchor;
  }
}

TEST(RewriteCertifier, ADivisionStaysBehindItsGuardNegative) {
  CertifiedRewrite R(guardedDivision("urem"));
  const PlanNode *X = R.leaf("x"), *N = R.leaf("n");
  const PlanNode *Q = R.divide(PlanOp::UDivBy, X, N, "early");
  EXPECT_EQ(R.missing(R.Plan.sub(X, R.Plan.mulBy(Q, N, {}), {})),
            "a divisor that may be 0 where the new code divides");
  // Not 0, but -1, of which the quotient may be no word.
  CertifiedRewrite Signed(guardedDivision("srem"));
  X = Signed.leaf("x"), N = Signed.leaf("n");
  Q = Signed.divide(PlanOp::SDivBy, X, N, "late");
  EXPECT_FALSE(
      Signed.isProved(Signed.Plan.sub(X, Signed.Plan.mulBy(Q, N, {}), {})));
}

/// What is undefined later on in any case may be undefined earlier.
TEST(RewriteCertifier, ADivisionMayStandInFrontOfTheOldOne) {
  CertifiedRewrite R(guardedDivision("srem"));
  const PlanNode *X = R.leaf("x"), *N = R.leaf("n");
  const PlanNode *Q = R.divide(PlanOp::SDivBy, X, N, "latest");
  EXPECT_EQ(R.missing(R.Plan.sub(X, R.Plan.mulBy(Q, N, {}), {})), "");
}

const char *const Join = R"(
  define void @f(i32 noundef %x) {
  entry:
    %c = icmp ult i32 %x, HOLE
    br i1 %c, label %then, label %here
  then:
    %a = mul i32 %x, 3
    br label %here
  here:
    %p = phi i32 [ %a, %then ], [ 300, %entry ]
    %old = udiv i32 %p, 3
    ret void
  })";

TEST(RewriteCertifier, JoinsFollowTheirEdges) {
  CertifiedRewrite R(fill(Join, "100"));
  const PlanNode *X = R.leaf("x"), *Hundred = R.number(100);
  EXPECT_TRUE(R.isProved(R.Plan.phi(R.A.value("p"), X, Hundred)));
  EXPECT_TRUE(R.isProved(R.Plan.umin(X, Hundred)));
}

TEST(RewriteCertifier, JoinsFollowTheirEdgesNegative) {
  CertifiedRewrite R(fill(Join, "100"));
  const PlanNode *X = R.leaf("x"), *Hundred = R.number(100);
  EXPECT_FALSE(R.isProved(R.Plan.phi(R.A.value("p"), Hundred, X)));
  EXPECT_FALSE(R.isProved(X));
  EXPECT_FALSE(R.isProved(R.Plan.umin(X, R.number(99))));
  // 3 * x wraps.
  CertifiedRewrite Wide(fill(Join, "1431655767"));
  EXPECT_FALSE(Wide.isProved(
      Wide.Plan.phi(Wide.A.value("p"), Wide.leaf("x"), Wide.number(100))));
}

const char *const Counted = R"(
  define void @f(i32 noundef %n) {
  entry:
    br label %here
  here:
    %i = phi i32 [ 0, %entry ], [ %j, %here ]
    %old = urem i32 %i, HOLE
    %j = add nuw nsw i32 %i, 64
    %c = icmp ult i32 %j, 640
    br i1 %c, label %here, label %exit
  exit:
    ret void
  })";

TEST(RewriteCertifier, CountersStayBelowTheirBound) {
  for (const char *Bound : {"640", "577"}) {
    CertifiedRewrite R(fill(Counted, Bound));
    EXPECT_TRUE(R.isProved(R.leaf("i"))) << Bound;
    EXPECT_TRUE(R.isProved(R.Plan.mul(R.Plan.lshr(R.leaf("i"), 6), 64, {})))
        << Bound;
  }
}

TEST(RewriteCertifier, CountersStayBelowTheirBoundNegative) {
  CertifiedRewrite R(fill(Counted, "576"));
  EXPECT_FALSE(R.isProved(R.leaf("i")));
  CertifiedRewrite Lattice(fill(Counted, "640"));
  EXPECT_FALSE(Lattice.isProved(
      Lattice.Plan.mul(Lattice.Plan.lshr(Lattice.leaf("i"), 7), 128, {})));
  EXPECT_FALSE(Lattice.isProved(Lattice.leaf("j")));
}

const char *const Registers = R"(
  define void @f() {
  here:
    %n = call i32 @llvm.nvvm.read.ptx.sreg.HOLE()
    %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
    %old = icmp ult i32 %t, %n
    ret void
  })";

TEST(RewriteCertifier, ThreadIndicesStayBelowTheBlockSize) {
  CertifiedRewrite R(fill(Registers, "ntid.x"));
  R.Root.Kind = RootKind::Comparison;
  R.Root.Constant = true;
  EXPECT_TRUE(R.isProved(nullptr));
}

TEST(RewriteCertifier, ThreadIndicesStayBelowTheBlockSizeNegative) {
  for (const char *Register : {"ntid.y", "tid.x", "nctaid.x"}) {
    CertifiedRewrite R(fill(Registers, Register));
    R.Root.Kind = RootKind::Comparison;
    R.Root.Constant = true;
    EXPECT_FALSE(R.isProved(nullptr)) << Register;
  }
}

/// The plan of a comparison may be its outcome.
const char *const Comparison = R"(
  define void @f(i32 noundef %x) {
  here:
    %m = urem i32 %x, 10
    %old = icmp ult i32 %m, HOLE
    ret void
  })";

TEST(RewriteCertifier, AFoldedComparison) {
  CertifiedRewrite R(fill(Comparison, "10"));
  R.Root.Kind = RootKind::Comparison;
  R.Root.Constant = true;
  EXPECT_TRUE(R.isProved(nullptr));
}

TEST(RewriteCertifier, AFoldedComparisonNegative) {
  CertifiedRewrite R(fill(Comparison, "9"));
  R.Root.Kind = RootKind::Comparison;
  for (bool Outcome : {false, true}) {
    R.Root.Constant = Outcome;
    EXPECT_FALSE(R.isProved(nullptr));
  }
}

/// %old is 4 * i + 12 bytes behind p.
const char *const Address = R"(
  define void @f(ptr %p, i64 noundef %i) {
  here:
    %four = getelementptr HOLE i32, ptr %p, i64 %i
    %old = getelementptr HOLE i32, ptr %four, i64 3
    ret void
  })";

/// From %p by 4 * i bytes and 12 bytes, in this order or in the other.
const PlanNode *twoSteps(CertifiedRewrite &R, PlanFlags Flags, bool Swapped) {
  const PlanNode *Steps[] = {R.Plan.mul(R.leaf("i"), 4, {}), R.number(12, 64)};
  return R.Plan.ptrAdd(R.Plan.ptrAdd(R.leaf("p"), Steps[Swapped], Flags),
                       Steps[!Swapped], Flags);
}

TEST(RewriteCertifier, AnAddressStaysInItsObject) {
  PlanFlags InBounds;
  InBounds.InBounds = true;
  CertifiedRewrite R(fill(fill(Address, "inbounds"), "inbounds"));
  EXPECT_EQ(R.missing(twoSteps(R, InBounds, /*Swapped=*/false)), "");
  for (bool Swapped : {false, true}) {
    CertifiedRewrite Plain(fill(fill(Address, ""), ""));
    EXPECT_EQ(Plain.missing(twoSteps(Plain, {}, Swapped)), "");
  }
}

TEST(RewriteCertifier, AnAddressStaysInItsObjectNegative) {
  PlanFlags InBounds, Upwards;
  InBounds.InBounds = Upwards.NoUnsignedWrap = true;
  // One step of the old code may leave the object.
  for (bool First : {false, true}) {
    CertifiedRewrite R(
        fill(fill(Address, First ? "inbounds" : ""), First ? "" : "inbounds"));
    EXPECT_EQ(R.missing(twoSteps(R, InBounds, /*Swapped=*/false)),
              "a proof of its flags");
  }
  // Where i is negative, the first 12 bytes may be outside, and the first step
  // is not upwards.
  const std::string Inside = fill(fill(Address, "inbounds"), "inbounds");
  CertifiedRewrite Swapped(Inside), R(Inside), Far(Inside);
  EXPECT_FALSE(Swapped.isProved(twoSteps(Swapped, InBounds, true)));
  EXPECT_FALSE(R.isProved(twoSteps(R, Upwards, false)));
  // Another place.
  EXPECT_FALSE(Far.isProved(
      Far.Plan.ptrAdd(twoSteps(Far, {}, false), Far.number(4, 64), {})));
}

TEST(RewriteCertifier, CodeThatIsNeverReachedNeedsNoProof) {
  const char *const Text = R"(
    define void @f(i32 noundef %x) {
    entry:
      %old = urem i32 %x, 10
      %c = icmp ult i32 %x, 5
      br i1 %c, label %then, label %exit
    then:
      %d = icmp ugt i32 %x, HOLE
      br i1 %d, label %here, label %exit
    here:
      br label %exit
    exit:
      ret void
    })";
  CertifiedRewrite Never(fill(Text, "4"));
  EXPECT_TRUE(Never.isProved(Never.number(77)));
  CertifiedRewrite Negative(fill(Text, "3"));
  EXPECT_FALSE(Negative.isProved(Negative.number(77)));
  EXPECT_TRUE(Negative.isProved(Negative.number(4)));
}

TEST(RewriteCertifier, ARefusedRewriteIsSaidSo) {
  CertifiedRewrite R(Remainder);
  const PlanNode *X = R.leaf("x");
  IndexRoot Wrong = R.Root;
  R.Root.New = R.Plan.sub(X, R.Plan.mul(R.Plan.udiv(X, 75), 75, {}), {});
  Wrong.New = X;
  std::vector<IndexRoot *> Chosen = {&Wrong, &R.Root};
  FunctionView View{R.A.F, R.A.DT, R.A.AM.getResult<LoopAnalysis>(R.A.F),
                    R.A.AM.getResult<ScalarEvolutionAnalysis>(R.A.F),
                    R.A.AM.getResult<AssumptionAnalysis>(R.A.F)};
  OptimizationRemarkEmitter ORE(&R.A.F);
  RefusedRewrites Refused;
  EXPECT_FALSE(Refused.contains(Wrong));
  RemarkSink Remarks;
  refuseUndecidedRewrites(Chosen, View, Refused, Remarks, ORE);
  EXPECT_EQ(Chosen, std::vector<IndexRoot *>{&R.Root});
  // Another plan for the same value may have a proof, the same one has none.
  EXPECT_TRUE(Refused.contains(Wrong));
  IndexPlan Later;
  Wrong.New = Later.leaf(X->Leaf, 32);
  EXPECT_TRUE(Refused.contains(Wrong));
  Wrong.New = Later.udiv(Wrong.New, 75);
  EXPECT_FALSE(Refused.contains(Wrong));
}

} // namespace
