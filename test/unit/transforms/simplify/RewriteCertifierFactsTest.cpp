//===- RewriteCertifierFactsTest.cpp - What proofs may rest on ------------===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Facts of loops, of operations that do not overflow and of assumptions behind
// the instruction; and what looks like such a fact and is none.
//
//===----------------------------------------------------------------------===//

#include "test/unit/transforms/simplify/CertifiedRewrite.h"
#include "gtest/gtest.h"

using namespace llvm;
using namespace unravel;
using namespace unravel::test;

namespace {

std::string fill(StringRef Text, std::vector<const char *> Parts) {
  std::string Result(Text);
  for (const char *Part : Parts)
    Result.replace(Result.find("HOLE"), 4, Part);
  return Result;
}

/// A step that may wrap. The holes: guard, which value the loop is repeated on,
/// and how it is compared.
const char *const Strided = R"(
  define void @f(i32 noundef %first, i32 noundef %step, i32 noundef %n) {
  entry:
    %guard = icmp HOLE i32 %first, %n
    br i1 %guard, label %here, label %exit
  here:
    %i = phi i32 [ %first, %entry ], [ %next, %here ]
    %old = urem i32 %i, %n
    %next = add i32 %i, %step
    %again = icmp HOLE
    br i1 %again, label %here, label %exit
  exit:
    ret void
  })";

TEST(RewriteCertifierFacts, ALoopIsRepeatedBelowItsLimit) {
  for (const char *Again : {"ult i32 %next, %n", "ugt i32 %n, %next"}) {
    CertifiedRewrite R(fill(Strided, {"ult", Again}));
    EXPECT_EQ(R.missing(R.leaf("i")), "") << Again;
  }
}

TEST(RewriteCertifierFacts, ALoopIsRepeatedBelowItsLimitNegative) {
  // The first value may be the limit, the next one may be, or it is the last
  // one that was compared.
  for (std::pair<const char *, const char *> Holes :
       {std::pair("ule", "ult i32 %next, %n"),
        std::pair("ult", "ule i32 %next, %n"),
        std::pair("ult", "ult i32 %i, %n"),
        std::pair("ult", "uge i32 %next, %n"),
        std::pair("ult", "ult i32 %next, %step"),
        std::pair("slt", "ult i32 %next, %n")}) {
    CertifiedRewrite R(fill(Strided, {Holes.first, Holes.second}));
    EXPECT_FALSE(R.isProved(R.leaf("i"))) << Holes.first << Holes.second;
  }
}

TEST(RewriteCertifierFacts, ALimitThatMayBePoison) {
  // Where n is the greatest number, the limit is poison, but it is looked at
  // only behind the first iteration.
  const char *const Text = R"(
    define void @f(i32 noundef %n, i1 noundef %c) {
    entry:
      %limit = add HOLE i32 %n, 1
      br label %here
    here:
      %i = phi i32 [ %n, %entry ], [ %next, %latch ]
      %old = icmp ult i32 %i, -1
      br i1 %c, label %latch, label %exit
    latch:
      %next = add i32 %i, 3
      %again = icmp ult i32 %next, %limit
      br i1 %again, label %here, label %exit
    exit:
      ret void
    })";
  for (const char *Flag : {"", "nuw"}) {
    CertifiedRewrite R(fill(Text, {Flag}));
    R.Root.Kind = RootKind::Comparison;
    R.Root.Constant = true;
    EXPECT_FALSE(R.isProved(nullptr));
  }
}

/// x * y / y is x where the product does not overflow. The holes are what is
/// assumed. (That x is read as unsigned makes the proof short.)
const char *const Overflow = R"(
  define void @f(i32 noundef %x, i32 noundef %y) {
  here:
    %pair = call { i32, i1 } @llvm.HOLE.with.overflow.i32(i32 %x, i32 %y)
    %over = extractvalue { i32, i1 } %pair, 1
    %not = xor i1 %over, true
    call void @llvm.assume(i1 %HOLE)
    %product = extractvalue { i32, i1 } %pair, 0
    %old = udiv i32 %product, %y
    %reads = udiv i32 %x, 3
    ret void
  })";

TEST(RewriteCertifierFacts, AnOperationThatDoesNotOverflow) {
  CertifiedRewrite R(fill(Overflow, {"umul", "not"}));
  EXPECT_EQ(R.missing(R.leaf("x")), "");
}

TEST(RewriteCertifierFacts, AnOperationThatDoesNotOverflowNegative) {
  for (std::pair<const char *, const char *> Holes :
       {std::pair("umul", "over"), std::pair("smul", "not"),
        std::pair("uadd", "not")}) {
    CertifiedRewrite R(fill(Overflow, {Holes.first, Holes.second}));
    EXPECT_FALSE(R.isProved(R.leaf("x"))) << Holes.first << Holes.second;
  }
}

/// A division by x and one by y are one by x * y, if that is no 0: the product
/// is known to fit only behind them. The hole is between.
const char *const Behind = R"(
  declare void @mayEnd()
  define void @f(i32 noundef %n, i32 noundef %x, i32 noundef %y) {
  here:
    %q = udiv i32 %n, %x
    %old = udiv i32 %q, %y
    HOLE
    %wideX = zext i32 %x to i64
    %wideY = zext i32 %y to i64
    %wide = mul i64 %wideX, %wideY
    %fits = icmp ule i64 %wide, HOLE
    call void @llvm.assume(i1 %fits)
    ret void
  })";

const PlanNode *oneDivision(CertifiedRewrite &R) {
  return R.divide(PlanOp::UDivBy, R.leaf("n"),
                  R.Plan.mulBy(R.leaf("x"), R.leaf("y"), {}));
}

TEST(RewriteCertifierFacts, AnAssumptionBehindADivision) {
  CertifiedRewrite R(fill(Behind, {"", "4294967295"}));
  EXPECT_EQ(R.missing(oneDivision(R)), "");
}

TEST(RewriteCertifierFacts, AnAssumptionBehindADivisionNegative) {
  // It may never be reached, or say too little: 2^16 * 2^16 is 0.
  for (std::pair<const char *, const char *> Holes :
       {std::pair("call void @mayEnd()", "4294967295"),
        std::pair("", "4294967296")}) {
    CertifiedRewrite R(fill(Behind, {Holes.first, Holes.second}));
    EXPECT_FALSE(R.isProved(oneDivision(R))) << Holes.first << Holes.second;
  }
}

/// A product of two numbers of 32 bits has 63 and a sign, whatever their parts
/// are.
const char *const Product = R"(
  define void @f(i32 noundef %x, i32 noundef %n, i64 noundef %y) {
  here:
    %r = urem i32 %n, 1000
    %s = sub i32 %x, %r
    %wide = sext i32 %s to i64
    %old = mul i64 %wide, %y
    ret void
  })";

TEST(RewriteCertifierFacts, AProductOfNarrowNumbers) {
  CertifiedRewrite R(Product);
  PlanFlags Signed;
  Signed.NoSignedWrap = true;
  const PlanNode *S = R.Plan.sext(R.leaf("s"), 64);
  // s * s is not the value, but its flag is no lie.
  EXPECT_EQ(R.missing(R.Plan.mulBy(S, S, Signed)),
            "a proof that the new value is the old one");
  EXPECT_EQ(R.missing(R.Plan.mulBy(S, R.leaf("y"), Signed)),
            "a proof of its flags");
}

/// The hole is how an index is compared with the product of two sizes.
const char *const Grid = R"(
  define void @f(i32 noundef %i, i32 noundef range(i32 1, 65536) %w,
                 i32 noundef range(i32 1, 65536) %h) {
  entry:
    %all = mul nuw i32 %w, %h
    %in = icmp HOLE i32 %i, %all
    br i1 %in, label %here, label %exit
  here:
    %row = udiv i32 %i, %w
    %old = udiv i32 %row, %h
    br label %exit
  exit:
    ret void
  })";

TEST(RewriteCertifierFacts, AnIndexBelowAProductOfSizes) {
  CertifiedRewrite R(fill(Grid, {"ult"}));
  EXPECT_EQ(R.missing(R.number(0)), "");
}

TEST(RewriteCertifierFacts, AnIndexBelowAProductOfSizesNegative) {
  CertifiedRewrite R(fill(Grid, {"ule"}));
  EXPECT_EQ(R.missing(R.number(0)),
            "a proof that the new value is the old one");
}

/// The holes: what the size of the grid is read as, and where.
const char *const Read = R"(
  define void @f(ptr %p) {
  entry:
    %first = call noundef i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
    HOLE
    br label %here
  here:
    %i = call noundef i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
    %old = lshr i32 %i, 3
    br label %next
  next:
    HOLE
    ret void
  }
  declare i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  declare i32 @llvm.nvvm.read.ptx.sreg.nctaid.x())";

constexpr const char *ReadsNine = "%n = call noundef range(i32 1, 9) i32 "
                                  "@llvm.nvvm.read.ptx.sreg.nctaid.x()";

TEST(RewriteCertifierFacts, ASizeThatOnlyItsReadBounds) {
  CertifiedRewrite R(fill(Read, {ReadsNine, ""}));
  EXPECT_EQ(R.missing(R.number(0)), "");
}

TEST(RewriteCertifierFacts, ASizeThatOnlyItsReadBoundsNegative) {
  // Read later, or of a range that is too large.
  CertifiedRewrite Later(fill(Read, {"", ReadsNine}));
  EXPECT_FALSE(Later.isProved(Later.number(0)));
  CertifiedRewrite Larger(fill(Read, {"%n = call noundef range(i32 1, 10) i32 "
                                      "@llvm.nvvm.read.ptx.sreg.nctaid.x()",
                                      ""}));
  EXPECT_FALSE(Larger.isProved(Larger.number(0)));
}

/// One fraction of them all would have 2^24 terms in its denominator.
TEST(RewriteCertifierFacts, SumsOfManyQuotients) {
  std::string Arguments, Code = "%s0 = zext i32 %a0 to i64\n";
  for (unsigned I = 0; I <= 24; ++I)
    Arguments +=
        (I ? ", i32 noundef %a" : "i32 noundef %a") + std::to_string(I);
  for (unsigned I = 1; I <= 24; ++I) {
    std::string N = std::to_string(I), Last = std::to_string(I - 1);
    Code += "%x" + N + " = zext i32 %a" + Last + " to i64\n%y" + N +
            " = zext i32 %a" + N + " to i64\n%d" + N + " = add i64 %x" + N +
            ", %y" + N + "\n%q" + N + " = udiv i64 %y" + N + ", %d" + N +
            "\n%s" + N + " = add i64 %s" + Last + ", %q" + N + "\n";
  }
  CertifiedRewrite R("define void @f(" + Arguments + ") {\nhere:\n" + Code +
                     "%old = udiv i64 %s24, 7\nret void\n}");
  EXPECT_FALSE(R.isProved(R.leaf("s24")));
}

} // namespace
