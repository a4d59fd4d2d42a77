//===- RaiseBypassesTest.cpp - Divisions with a short cut -----------------===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ptx/raise/RaiseBypasses.h"
#include "llvm/AsmParser/Parser.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/Verifier.h"
#include "llvm/Support/SourceMgr.h"
#include "gtest/gtest.h"
#include <utility>

using namespace llvm;

namespace {

/// A function of %a and %d, of which parts are replaced by tests.
struct BypassCode {
  std::string Before = "%o = or i64 %a, %d\n";
  std::string Test = "%h = and i64 %o, -4294967296\n"
                     "%c = icmp eq i64 %h, 0\n";
  std::string Branch = "br i1 %c, label %short, label %long\n";
  std::string Long = "%q = udiv i64 %a, %d\n";
  std::string Low = "%la = trunc i64 %a to i32\n%ld = trunc i64 %d to i32\n";
  std::string Short = "%lq = udiv i32 %la, %ld\n%w = zext i32 %lq to i64\n";
  std::string Join = "%r = phi i64 [ %q, %long ], [ %w, %short ]\n";
};

/// The divisions that are left: "udiv i64", and "; branch" if one is.
std::string raisedCode(const BypassCode &C) {
  std::string Text = "@m = external global i64\n"
                     "define i64 @f(i64 %a, i64 %d, i32 %n) {\n" +
                     C.Before + C.Test + C.Branch + "long:\n" + C.Long +
                     "br label %join\nshort:\n" + C.Low + C.Short +
                     "br label %join\njoin:\n" + C.Join + "ret i64 %r\n}\n";
  LLVMContext Context;
  SMDiagnostic Problem;
  auto M = parseAssemblyString(Text, Problem, Context);
  if (!M)
    return Problem.getMessage().str() + Text;
  Function &F = *M->getFunction("f");
  bool Changed = unravel::ptx::raiseBypasses(F);
  EXPECT_FALSE(verifyFunction(F, &errs()));
  EXPECT_EQ(Changed, F.size() == 1);
  EXPECT_FALSE(unravel::ptx::raiseBypasses(F));
  std::string Result;
  for (BasicBlock &Block : F)
    for (Instruction &I : Block)
      if (I.isIntDivRem())
        Result += std::string(Result.empty() ? "" : ", ") + I.getOpcodeName() +
                  (I.getType()->isIntegerTy(64) ? "64" : "32");
  return Result;
}

TEST(RaiseBypasses, Quotient) { EXPECT_EQ(raisedCode({}), "udiv64"); }

TEST(RaiseBypasses, OtherTests) {
  BypassCode C;
  C.Test = "%h = and i64 %o, -4294967296\n%c = icmp ne i64 %h, 0\n";
  C.Branch = "br i1 %c, label %long, label %short\n";
  EXPECT_EQ(raisedCode(C), "udiv64");
  C = {};
  C.Test = "%c = icmp ult i64 %o, 4294967296\n";
  EXPECT_EQ(raisedCode(C), "udiv64");
  C = {};
  C.Before = "%a0 = zext i32 %n to i64\n";
  C.Test = "%h = and i64 %d, -4294967296\n%c = icmp eq i64 %h, 0\n";
  C.Long = "%q = udiv i64 %a0, %d\n";
  C.Short = "%lq = udiv i32 %n, %ld\n%w = zext i32 %lq to i64\n";
  EXPECT_EQ(raisedCode(C), "udiv64");
}

/// Operands without upper halves are not negative.
TEST(RaiseBypasses, Signed) {
  BypassCode C;
  C.Long = "%q = sdiv i64 %a, %d\n";
  EXPECT_EQ(raisedCode(C), "sdiv64");
}

TEST(RaiseBypasses, Remainders) {
  BypassCode C;
  C.Long = "%q = urem i64 %a, %d\n";
  C.Short = "%lq = urem i32 %la, %ld\n%w = zext i32 %lq to i64\n";
  EXPECT_EQ(raisedCode(C), "urem64");
  C = {};
  C.Long += "%m = mul i64 %d, %q\n%s = sub i64 %a, %m\n";
  C.Short += "%lm = mul i32 %lq, %ld\n%ls = sub i32 %la, %lm\n"
             "%ws = zext i32 %ls to i64\n";
  C.Join += "%t = phi i64 [ %ws, %short ], [ %s, %long ]\n";
  EXPECT_EQ(raisedCode(C), "udiv64");
}

TEST(RaiseBypasses, Guarded) {
  BypassCode C;
  C.Long = "%g = call i64 @llvm.umax.i64(i64 %d, i64 1)\n"
           "%q = udiv i64 %a, %g\n";
  C.Short = "%lg = call i32 @llvm.umax.i32(i32 %ld, i32 1)\n"
            "%lq = udiv i32 %la, %lg\n%w = zext i32 %lq to i64\n";
  EXPECT_EQ(raisedCode(C), "udiv64");
  C.Long = "%z = icmp eq i64 %d, 0\n%g = select i1 %z, i64 1, i64 %d\n"
           "%l = icmp eq i64 %a, -9223372036854775808\n"
           "%m1 = icmp eq i64 %g, -1\n%b = and i1 %l, %m1\n"
           "%gg = select i1 %b, i64 1, i64 %g\n%q = sdiv i64 %a, %gg\n";
  EXPECT_EQ(raisedCode(C), "sdiv64");
}

/// The upper half of the divisor, or of the dividend, is not tested.
TEST(RaiseBypasses, OneOfTwo_negative) {
  for (const char *Tested : {"%o = or i64 %a, 0\n", "%o = or i64 %d, 0\n"}) {
    BypassCode C;
    C.Before = Tested;
    EXPECT_EQ(raisedCode(C), "udiv64, udiv32");
  }
}

TEST(RaiseBypasses, OtherCode_negative) {
  BypassCode C;
  C.Test = "%h = and i64 %o, -2147483648\n%c = icmp eq i64 %h, 0\n";
  EXPECT_EQ(raisedCode(C), "udiv64, udiv32"); // not a half
  C = {};
  C.Test = "%c = icmp ult i64 %o, 8589934592\n";
  EXPECT_EQ(raisedCode(C), "udiv64, udiv32");
  C = {};
  C.Branch = "br i1 %c, label %long, label %short\n";
  EXPECT_EQ(raisedCode(C), "udiv64, udiv32"); // the other way round
  C = {};
  C.Long = "%q = udiv i64 %d, %a\n";
  EXPECT_EQ(raisedCode(C), "udiv64, udiv32");
  C = {};
  C.Long = "%q = urem i64 %a, %d\n";
  EXPECT_EQ(raisedCode(C), "urem64, udiv32");
  C = {};
  C.Short = "%lq = sdiv i32 %la, %ld\n%w = zext i32 %lq to i64\n";
  EXPECT_EQ(raisedCode(C), "udiv64, sdiv32"); // its words have 32 bits
  C = {};
  C.Short = "%lq = udiv i32 %la, %ld\n%w = sext i32 %lq to i64\n";
  EXPECT_EQ(raisedCode(C), "udiv64, udiv32");
  C = {};
  C.Long += "store i64 %q, ptr @m\n";
  EXPECT_EQ(raisedCode(C), "udiv64, udiv32");
  C = {};
  C.Short += "store i64 %w, ptr @m\n";
  EXPECT_EQ(raisedCode(C), "udiv64, udiv32");
  C = {};
  C.Join += "%t = phi i64 [ 1, %long ], [ 2, %short ]\n";
  EXPECT_EQ(raisedCode(C), "udiv64, udiv32");
}

/// a - (a % d) * d may be negative, and has an upper half then.
TEST(RaiseBypasses, SubtractionOfOther_negative) {
  BypassCode C;
  C.Long = "%u = urem i64 %a, %d\n%m = mul i64 %u, %d\n%q = sub i64 %a, %m\n";
  C.Short = "%lu = urem i32 %la, %ld\n%lm = mul i32 %lu, %ld\n"
            "%lq = sub i32 %la, %lm\n%w = zext i32 %lq to i64\n";
  EXPECT_EQ(raisedCode(C), "urem64, urem32");
}

/// What would be undefined, or poison, where the short side runs.
TEST(RaiseBypasses, LongSideElsewhere_negative) {
  BypassCode C;
  C.Before += "%n64 = zext i32 %n to i64\n";
  C.Long += "%other = udiv i64 %a, %n64\n";
  EXPECT_EQ(raisedCode(C), "udiv64, udiv64, udiv32");
  C = {};
  C.Long = "%q = udiv exact i64 %a, %d\n";
  EXPECT_EQ(raisedCode(C), "udiv64, udiv32");
  C.Before += std::exchange(C.Long, "");
  EXPECT_EQ(raisedCode(C), "udiv64, udiv32");
}

/// The long side alone promises that a word is below 2^31, or of one sign with
/// the lowest number.
TEST(RaiseBypasses, PromiseOfTheLongSide_negative) {
  for (bool IsInFront : {false, true}) {
    BypassCode C;
    C.Test = "%h = and i64 %d, -4294967296\n%c = icmp eq i64 %h, 0\n";
    C.Long = "%q = udiv i64 %w64, %d\n";
    C.Short = "%lq = udiv i32 %n, %ld\n%w = zext i32 %lq to i64\n";
    std::string &Place = IsInFront ? C.Before : C.Long;
    BypassCode Plain = C;
    (IsInFront ? Plain.Before : Plain.Long)
        .insert(0, "%w64 = zext i32 %n to i64\n");
    EXPECT_EQ(raisedCode(Plain), "udiv64");
    Place.insert(0, "%w64 = zext nneg i32 %n to i64\n");
    EXPECT_EQ(raisedCode(C), "udiv64, udiv32");
  }
  for (const char *Promise : {"", "LOWEST", "MINUS"})
    for (bool IsInFront : {false, true}) {
      BypassCode C;
      std::string Guard = "%z = icmp eq i64 %d, 0\n"
                          "%g = select i1 %z, i64 1, i64 %d\n"
                          "%l = icmp LOWEST eq i64 %a, -9223372036854775808\n"
                          "%m1 = icmp MINUS eq i64 %g, -1\n"
                          "%b = and i1 %l, %m1\n"
                          "%gg = select i1 %b, i64 1, i64 %g\n";
      for (StringRef Place : {"LOWEST", "MINUS"})
        Guard.replace(Guard.find(Place), Place.size(),
                      Place == Promise ? "samesign" : "");
      C.Long = "%q = sdiv i64 %a, %gg\n";
      C.Short = "%lg = call i32 @llvm.umax.i32(i32 %ld, i32 1)\n"
                "%lq = udiv i32 %la, %lg\n%w = zext i32 %lq to i64\n";
      (IsInFront ? C.Before : C.Long).insert(0, Guard);
      EXPECT_EQ(raisedCode(C), *Promise ? "sdiv64, udiv32" : "sdiv64");
    }
}

/// By 0, one side has a result, and the other one has none.
TEST(RaiseBypasses, OneGuard_negative) {
  BypassCode C;
  C.Long = "%g = call i64 @llvm.umax.i64(i64 %d, i64 1)\n"
           "%q = udiv i64 %a, %g\n";
  EXPECT_EQ(raisedCode(C), "udiv64, udiv32");
  C = {};
  C.Long = "%g = call i64 @llvm.umax.i64(i64 %d, i64 2)\n"
           "%q = udiv i64 %a, %g\n";
  C.Short = "%lg = call i32 @llvm.umax.i32(i32 %ld, i32 1)\n"
            "%lq = udiv i32 %la, %lg\n%w = zext i32 %lq to i64\n";
  EXPECT_EQ(raisedCode(C), "udiv64, udiv32");
  // A choice that is no guard.
  C.Long = "%z = icmp eq i64 %d, 0\n%g = select i1 %z, i64 1, i64 %d\n"
           "%l = icmp eq i64 %a, 5\n%m1 = icmp eq i64 %g, 7\n"
           "%b = and i1 %l, %m1\n%gg = select i1 %b, i64 1, i64 %g\n"
           "%q = sdiv i64 %a, %gg\n";
  EXPECT_EQ(raisedCode(C), "sdiv64, udiv32");
}

} // namespace
