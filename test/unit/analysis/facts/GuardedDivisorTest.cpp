//===- GuardedDivisorTest.cpp - The divisor behind its guard --------------===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "analysis/facts/GuardedDivisor.h"
#include "llvm/AsmParser/Parser.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/ValueSymbolTable.h"
#include "llvm/Support/SourceMgr.h"
#include "gtest/gtest.h"

using namespace llvm;

namespace {

/// The name of what is behind the guard of the value that is returned, or that
/// has a name.
std::string behindGuard(StringRef Body, StringRef Name = "") {
  std::string Text = ("declare i32 @llvm.umax.i32(i32, i32)\n"
                      "declare i32 @llvm.smax.i32(i32, i32)\n"
                      "define i32 @f(i32 %d, i32 %n, i1 %c) {\n" +
                      Body + "\n}\n")
                         .str();
  LLVMContext Context;
  SMDiagnostic Problem;
  auto M = parseAssemblyString(Text, Problem, Context);
  if (!M)
    return Problem.getMessage().str();
  Function &F = *M->getFunction("f");
  Value *V = Name.empty() ? F.getEntryBlock().getTerminator()->getOperand(0)
                          : F.getValueSymbolTable()->lookup(Name);
  return unravel::divisorBehindGuard(V)->getName().str();
}

TEST(GuardedDivisor, OfZero) {
  EXPECT_EQ(behindGuard("%m = call i32 @llvm.umax.i32(i32 %d, i32 1)\n"
                        "ret i32 %m"),
            "d");
  EXPECT_EQ(behindGuard("%z = icmp eq i32 %d, 0\n"
                        "%m = select i1 %z, i32 1, i32 %d\nret i32 %m"),
            "d");
  EXPECT_EQ(behindGuard("%z = icmp sgt i32 %d, 0\n"
                        "%m = select i1 %z, i32 %d, i32 1\nret i32 %m"),
            "d");
}

TEST(GuardedDivisor, OfZeroAndOverflow) {
  const char *Zero = "%u = call i32 @llvm.umax.i32(i32 %d, i32 1)\n"
                     "%l = icmp eq i32 %n, -2147483648\n"
                     "%o = icmp eq i32 %d, -1\n";
  EXPECT_EQ(behindGuard((Zero + Twine("%b = and i1 %l, %o\n"
                                      "%m = select i1 %b, i32 1, i32 %u\n"
                                      "ret i32 %m"))
                            .str()),
            "d");
  EXPECT_EQ(behindGuard((Zero + Twine("%s = select i1 %o, i32 1, i32 %u\n"
                                      "%m = select i1 %l, i32 %s, i32 %u\n"
                                      "ret i32 %m"))
                            .str()),
            "d");
}

TEST(GuardedDivisor, OfWhatWasExtended) {
  EXPECT_EQ(behindGuard("%w = sext i32 %d to i64\n%z = icmp eq i32 %d, 0\n"
                        "%g = select i1 %z, i64 1, i64 %w\n"
                        "%m = trunc i64 %g to i32\nret i32 %m",
                        "g"),
            "w");
  EXPECT_EQ(behindGuard("%w = zext i32 %d to i64\n%z = icmp eq i32 %d, 0\n"
                        "%g = select i1 %z, i64 1, i64 %w\n"
                        "%m = trunc i64 %g to i32\nret i32 %m",
                        "g"),
            "w");
}

TEST(GuardedDivisor, OfWhatWasExtended_negative) {
  // What is extended without its sign may be negative: 2^31 is positive in 64
  // bits.
  EXPECT_EQ(behindGuard("%w = zext i32 %d to i64\n%z = icmp slt i32 %d, 0\n"
                        "%g = select i1 %z, i64 1, i64 %w\n"
                        "%m = trunc i64 %g to i32\nret i32 %m",
                        "g"),
            "g");
}

/// A guard by a condition that is made of itself, twice at each of \p Levels.
std::string behindConditions(unsigned Levels) {
  std::string Text = "%a0 = icmp eq i32 %d, 0\n";
  for (unsigned I = 0; I < Levels; ++I) {
    std::string Old = std::to_string(I), New = std::to_string(I + 1);
    Text += "%l" + New + " = or i1 %a" + Old + ", %c\n%r" + New +
            " = or i1 %c, %a" + Old + "\n%a" + New + " = and i1 %l" + New +
            ", %r" + New + "\n";
  }
  return behindGuard(Text + "%m = select i1 %a" + std::to_string(Levels) +
                     ", i32 1, i32 %d\nret i32 %m");
}

TEST(GuardedDivisor, DeepConditions_negative) {
  // Would take as many steps as there are ways through the conditions.
  EXPECT_EQ(behindConditions(40), "m");
}

TEST(GuardedDivisor, DeepConditions) {
  // Of an `and` of many, one decides: five of them are looked at.
  auto Chain = [](unsigned Length) {
    std::string Text = "%a0 = icmp eq i32 %d, 0\n";
    for (unsigned I = 0; I < Length; ++I)
      Text += "%a" + std::to_string(I + 1) + " = and i1 %a" +
              std::to_string(I) + ", %c\n";
    return behindGuard(Text + "%m = select i1 %a" + std::to_string(Length) +
                       ", i32 1, i32 %d\nret i32 %m");
  };
  EXPECT_EQ(Chain(5), "d");
  EXPECT_EQ(Chain(100000), "m");
}

TEST(GuardedDivisor, NoGuard_negative) {
  // Positive in any launch.
  EXPECT_EQ(behindGuard("%m = call i32 @llvm.smax.i32(i32 %d, i32 1)\n"
                        "ret i32 %m"),
            "m");
  // 2 for a divisor of 1.
  EXPECT_EQ(behindGuard("%m = call i32 @llvm.umax.i32(i32 %d, i32 2)\n"
                        "ret i32 %m"),
            "m");
  // 1 for a positive divisor.
  EXPECT_EQ(behindGuard("%z = icmp eq i32 %d, 5\n"
                        "%m = select i1 %z, i32 1, i32 %d\nret i32 %m"),
            "m");
  EXPECT_EQ(behindGuard("%m = select i1 %c, i32 1, i32 %d\nret i32 %m"), "m");
  // The comparison is of something else.
  EXPECT_EQ(behindGuard("%z = icmp eq i32 %n, 0\n"
                        "%m = select i1 %z, i32 1, i32 %d\nret i32 %m"),
            "m");
  // Either may hold.
  EXPECT_EQ(behindGuard("%z = icmp eq i32 %d, 0\n%e = or i1 %z, %c\n"
                        "%m = select i1 %e, i32 1, i32 %d\nret i32 %m"),
            "m");
}

} // namespace
