//===- RaiseDivisionsTest.cpp - Expansions of divisions -------------------===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ptx/raise/RaiseDivisions.h"
#include "ptx/backend/AnalysisManagers.h"
#include "llvm/AsmParser/Parser.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/Verifier.h"
#include "llvm/Support/SourceMgr.h"
#include "gtest/gtest.h"

using namespace llvm;

namespace {

/// What becomes of the body of a function of `%x`.
std::string raised(StringRef Type, StringRef Body) {
  std::string Text = ("declare i16 @llvm.nvvm.mulhi.us(i16, i16)\n"
                      "declare i32 @llvm.nvvm.mulhi.ui(i32, i32)\n"
                      "declare i32 @llvm.nvvm.mulhi.i(i32, i32)\n"
                      "declare i64 @llvm.nvvm.mulhi.ull(i64, i64)\n"
                      "define " +
                      Type + " @f(" + Type + " %x) {\n" + Body + "\n}\n")
                         .str();
  LLVMContext Context;
  SMDiagnostic Problem;
  auto M = parseAssemblyString(Text, Problem, Context);
  if (!M)
    return Problem.getMessage().str();
  PassBuilder PB;
  unravel::AnalysisManagers Managers(PB);
  Function &F = *M->getFunction("f");
  unravel::ptx::raiseDivisions(F, Managers.Functions);
  EXPECT_FALSE(verifyFunction(F, &errs()));
  std::string Result;
  raw_string_ostream OS(Result);
  for (Instruction &I : F.getEntryBlock())
    if (!I.isTerminator())
      OS << I << ";";
  return Result;
}

TEST(RaiseDivisions, HighHalfAndShift) {
  EXPECT_EQ(raised("i32", "%h = call i32 @llvm.nvvm.mulhi.ui(i32 %x, i32 "
                          "-858993459)\n%q = lshr i32 %h, 3\nret i32 %q"),
            "  %1 = udiv i32 %x, 10;");
}

TEST(RaiseDivisions, ProductOfAWiderType) {
  EXPECT_EQ(raised("i16", "%w = zext i16 %x to i32\n"
                          "%p = mul nuw i32 %w, 52429\n%q = lshr i32 %p, 19\n"
                          "%r = trunc i32 %q to i16\nret i16 %r"),
            "  %1 = udiv i16 %x, 10;  %2 = zext i16 %1 to i32;"
            "  %r = trunc i32 %2 to i16;");
}

/// The same bits, but the product may wrap.
TEST(RaiseDivisions, ProductThatMayWrap_negative) {
  EXPECT_NE(raised("i32", "%p = mul i32 %x, 52429\n%q = lshr i32 %p, 19\n"
                          "ret i32 %q")
                .find("mul i32"),
            std::string::npos);
}

/// Right for dividends up to 2^16, of which nothing is known here.
TEST(RaiseDivisions, MultiplierForABoundedDividend_negative) {
  EXPECT_EQ(raised("i32", "%h = call i32 @llvm.nvvm.mulhi.ui(i32 %x, i32 "
                          "429496730)\nret i32 %h")
                .find("udiv"),
            std::string::npos);
}

TEST(RaiseDivisions, MultiplierForABoundedDividend) {
  EXPECT_EQ(raised("i32", "%y = lshr i32 %x, 16\n"
                          "%h = call i32 @llvm.nvvm.mulhi.ui(i32 %y, i32 "
                          "429496730)\nret i32 %h"),
            "  %y = lshr i32 %x, 16;  %1 = udiv i32 %y, 10;");
}

TEST(RaiseDivisions, AddAndShift) {
  EXPECT_EQ(raised("i32", "%t = call i32 @llvm.nvvm.mulhi.ui(i32 %x, i32 "
                          "613566757)\n%d = sub i32 %x, %t\n"
                          "%h = lshr i32 %d, 1\n%s = add i32 %h, %t\n"
                          "%q = lshr i32 %s, 2\nret i32 %q"),
            "  %1 = udiv i32 %x, 7;");
}

/// Of another value than is multiplied.
TEST(RaiseDivisions, AddAndShift_negative) {
  EXPECT_EQ(raised("i32", "%y = xor i32 %x, 5\n"
                          "%t = call i32 @llvm.nvvm.mulhi.ui(i32 %x, i32 "
                          "613566757)\n%d = sub i32 %y, %t\n"
                          "%h = lshr i32 %d, 1\n%s = add i32 %h, %t\n"
                          "%q = lshr i32 %s, 2\nret i32 %q")
                .find("udiv"),
            std::string::npos);
}

TEST(RaiseDivisions, Signed) {
  EXPECT_EQ(raised("i32", "%h = call i32 @llvm.nvvm.mulhi.i(i32 %x, i32 "
                          "1717986919)\n%s = lshr i32 %h, 31\n"
                          "%a = ashr i32 %h, 2\n%q = add i32 %a, %s\n"
                          "ret i32 %q"),
            "  %1 = sdiv i32 %x, 10;");
}

TEST(RaiseDivisions, SignedWithAddition) {
  EXPECT_EQ(raised("i32", "%m = call i32 @llvm.nvvm.mulhi.i(i32 %x, i32 "
                          "-1840700269)\n%h = add i32 %m, %x\n"
                          "%s = lshr i32 %h, 31\n%a = ashr i32 %h, 2\n"
                          "%q = add i32 %a, %s\nret i32 %q"),
            "  %1 = sdiv i32 %x, 7;");
}

/// For negative x, an unsigned shift gives 2^(32-s) more.
TEST(RaiseDivisions, SignedWithUnsignedShift) {
  EXPECT_EQ(raised("i32", "%h = call i32 @llvm.nvvm.mulhi.i(i32 %x, i32 "
                          "1717986919)\n%s = lshr i32 %h, 31\n"
                          "%a = lshr i32 %h, 2\n%q = add i32 %a, %s\n"
                          "ret i32 %q"),
            "  %1 = sdiv i32 %x, 10;  %2 = lshr i32 %x, 31;"
            "  %3 = shl i32 %2, 30;  %4 = add i32 %1, %3;");
}

/// Without the sign it rounds down.
TEST(RaiseDivisions, SignedWithoutTheSign_negative) {
  EXPECT_EQ(raised("i32", "%h = call i32 @llvm.nvvm.mulhi.i(i32 %x, i32 "
                          "1717986919)\n%a = ashr i32 %h, 2\nret i32 %a")
                .find("div"),
            std::string::npos);
}

TEST(RaiseDivisions, PowerOfTwo) {
  const char *Bias = "%s = ashr i32 %x, 31\n%b = lshr i32 %s, 29\n"
                     "%t = add i32 %x, %b\n";
  EXPECT_EQ(
      raised("i32", (Bias + Twine("%q = ashr i32 %t, 3\nret i32 %q")).str()),
      "  %1 = sdiv i32 %x, 8;");
  EXPECT_EQ(
      raised("i32", (Bias + Twine("%q = and i32 %t, -8\nret i32 %q")).str()),
      "  %1 = sdiv i32 %x, 8;  %2 = shl i32 %1, 3;");
  // The bias of another power.
  EXPECT_EQ(
      raised("i32", (Bias + Twine("%q = ashr i32 %t, 4\nret i32 %q")).str())
          .find("sdiv"),
      std::string::npos);
}

TEST(RaiseDivisions, WideWords) {
  EXPECT_EQ(raised("i64", "%h = call i64 @llvm.nvvm.mulhi.ull(i64 %x, i64 "
                          "-3689348814741910323)\n%q = lshr i64 %h, 3\n"
                          "ret i64 %q"),
            "  %1 = udiv i64 %x, 10;");
}

} // namespace
