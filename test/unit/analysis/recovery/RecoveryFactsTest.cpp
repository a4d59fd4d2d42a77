//===- RecoveryFactsTest.cpp - What holds in one scope --------------------===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Facts that only a certain shape of guard, register or flag proves, each with
// the twin where it is missing. IndexRecoveryTest checks all small programs;
// here is what those do not contain.
//
//===----------------------------------------------------------------------===//

#include "test/unit/IRTestHelper.h"

using namespace llvm;
using namespace unravel;
using namespace unravel::test;

namespace {

const Interval Word = wordRange(32, Reading::Signed);

/// n >u x puts x into the lower half where n is in it, also if x is on the
/// right and a sum.
TEST(ScopeFacts, SmallSideOfAnUnsignedComparison) {
  for (bool IsSmall : {true, false}) {
    DeviceModule M(std::string("define void @f(i32 noundef %y, i32 noundef ") +
                   (IsSmall ? "range(i32 0, 1000) " : "") + R"(%n) {
      entry:
        %x = add nsw i32 %y, -5
        %c = icmp ule i32 %n, %x
        br i1 %c, label %done, label %work
      work:
        ret void
      done:
        ret void
      })");
    AnalysedFunction A(M);
    EXPECT_EQ(A.range("y", "work"), IsSmall ? Interval(5, 1003) : Word);
  }
}

/// What is known of ntid where it is read is a fact about the launch only if
/// that read is sure to be executed.
TEST(ScopeFacts, RegistersThatMayNotBeRead) {
  const struct {
    const char *Between; ///< the reads of tid and of ntid
    Interval Tid;
  } Cases[] = {{"", {0, 3}},
               {"call void @returns() nounwind willreturn\n", {0, 3}},
               {"call void @may_exit()\n", {0, 1023}},
               {"br i1 %c, label %then, label %done\nthen:\n", {0, 1023}}};
  for (const auto &Case : Cases) {
    DeviceModule M("declare void @returns()\ndeclare void @may_exit()\n"
                   "define ptx_kernel void @f(i1 noundef %c) {\nentry:\n"
                   "%t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()\n" +
                   std::string(Case.Between) +
                   "%n = call noundef range(i32 1, 5) i32 "
                   "@llvm.nvvm.read.ptx.sreg.ntid.x()\n"
                   "br label %done\ndone:\nret void\n}");
    AnalysedFunction A(M);
    EXPECT_EQ(A.range("t", "entry"), Case.Tid) << Case.Between;
  }
}

/// A phi is what comes in over all edges, and poison where one of it may be.
TEST(ScopeFacts, PhiOfOneForm) {
  const struct {
    const char *Left, *Right, *Form;
    bool MayBePoison;
  } Cases[] = {{"add i32 %y, 5", "sub i32 %y, -5", "y + 5", false},
               {"add nsw i32 %x, 5", "add i32 %y, 0", "phi", true},
               {"add nsw i32 %x, 5", "sub nsw i32 %x, -5", "x + 5", true},
               {"add i32 %y, 5", "add i32 %y, 6", "phi", false}};
  for (const auto &Case : Cases) {
    DeviceModule M("define void @f(i1 noundef %c, i32 noundef %x, "
                   "i32 noundef range(i32 0, 100) %y) {\nentry:\n"
                   "br i1 %c, label %l, label %r\nl:\n%a = " +
                   std::string(Case.Left) +
                   "\nbr label %join\nr:\n%b = " + Case.Right +
                   "\nbr label %join\njoin:\n"
                   "%phi = phi i32 [ %a, %l ], [ %b, %r ]\nret void\n}");
    AnalysedFunction A(M);
    EXPECT_EQ(A.form("phi", "join"), Case.Form) << Case.Left;
    EXPECT_EQ(A.Recovery.recover(A.value("phi"), A.scope("join")).MayBePoison,
              Case.MayBePoison)
        << Case.Left;
  }
}

/// Recovery looks through an operation only if it knows its operands.
TEST(Operations, OfWordsOnly) {
  DeviceModule M(R"(
    define void @f(i128 noundef %wide, i64 noundef %x, ptr %p) {
    entry:
      %low = trunc i128 %wide to i64
      %half = trunc i64 %x to i32
      %more = zext i64 %x to i128
      %number = ptrtoint ptr %p to i64
      ret void
    })");
  AnalysedFunction A(M);
  EXPECT_TRUE(IndexRecovery::isIndexOperation(A.value("half")));
  for (const char *Name : {"low", "more", "number", "x"})
    EXPECT_FALSE(IndexRecovery::isIndexOperation(A.value(Name))) << Name;
}

} // namespace
