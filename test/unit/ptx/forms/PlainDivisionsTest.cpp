//===- PlainDivisionsTest.cpp - Divisions whose guard PTX does not need ---===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ptx/forms/PlainDivisions.h"
#include "llvm/AsmParser/Parser.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/Verifier.h"
#include "llvm/Support/SourceMgr.h"
#include "gtest/gtest.h"

using namespace llvm;
using namespace unravel;

namespace {

/// By what `%q = sdiv ..., %e` divides as a division of PTX; "guarded" if it
/// stays.
std::string lowered(const std::string &Code) {
  std::string IR = "define i32 @f(i32 %n, i32 %other, i32 %x) {\n"
                   "%d = call i32 @llvm.umax.i32(i32 %x, i32 1)\n"
                   "%lowest = icmp eq i32 %n, -2147483648\n"
                   "%minus = icmp eq i32 %x, -1\n" +
                   Code +
                   "%m = mul i32 %q, %e\n%r = sub i32 %n, %m\n"
                   "ret i32 %r\n}\n";
  LLVMContext Context;
  SMDiagnostic Error;
  auto M = parseAssemblyString(IR, Error, Context);
  if (!M)
    return Error.getMessage().str() + IR;
  Function &F = *M->getFunction("f");
  ptx::makePlainDivisions(F);
  EXPECT_FALSE(verifyModule(*M, &errs()));
  const CallInst *Plain = nullptr;
  const BinaryOperator *Product = nullptr;
  for (const Instruction &I : instructions(F)) {
    if (I.getOpcode() == Instruction::SDiv)
      return "guarded";
    if (auto *Call = dyn_cast<CallInst>(&I); Call && Call->isInlineAsm())
      Plain = Call;
    if (I.getOpcode() == Instruction::Mul)
      Product = cast<BinaryOperator>(&I);
  }
  if (!Plain || !Product)
    return "no division";
  const Value *D = Plain->getArgOperand(1);
  // Both have to agree about an undef divisor.
  EXPECT_EQ(Product->getOperand(1), D);
  auto *Freeze = dyn_cast<FreezeInst>(D);
  std::string Name = (Freeze ? Freeze->getOperand(0) : D)->getName().str();
  return "by " + Name + (Freeze ? " frozen" : "");
}

const std::string Guard = "%c = and i1 %lowest, %minus\n";

TEST(PlainDivisions, OneSelection) {
  EXPECT_EQ(lowered(Guard + "%e = select i1 %c, i32 1, i32 %d\n"
                            "%q = sdiv i32 %n, %e\n"),
            "by d");
}

TEST(PlainDivisions, TwoSelections) {
  EXPECT_EQ(lowered("%g = select i1 %lowest, i32 1, i32 %d\n"
                    "%e = select i1 %minus, i32 %g, i32 %d\n"
                    "%q = sdiv i32 %n, %e\n"),
            "by d");
}

// As LLVM writes a quotient that a remainder is made of.
TEST(PlainDivisions, Frozen) {
  EXPECT_EQ(lowered(Guard + "%s = select i1 %c, i32 1, i32 %d\n"
                            "%e = freeze i32 %s\n%nf = freeze i32 %n\n"
                            "%q = sdiv i32 %nf, %e\n"),
            "by d frozen");
}

/// A guard of m + 1, or of another function of m, that asks for m.
std::string guardedSum(const std::string &Divisor, const std::string &C,
                       const std::string &Dividend = "add i32 %n, 0",
                       const std::string &Lowest = "-2147483648") {
  return lowered("%dd = " + Divisor + "\n%nn = " + Dividend +
                 "\n%lo = icmp eq i32 %n, " + Lowest +
                 "\n%mi = icmp eq i32 %d, " + C +
                 "\n%c = and i1 %lo, %mi\n"
                 "%e = select i1 %c, i32 1, i32 %dd\n%q = sdiv i32 " +
                 (Lowest == "-2147483648" ? "%n" : "%nn") + ", %e\n");
}

TEST(PlainDivisions, OfSums) {
  EXPECT_EQ(guardedSum("add i32 %d, 1", "-2"), "by dd");
  EXPECT_EQ(guardedSum("add i32 %d, -7", "6"), "by dd");
  EXPECT_EQ(guardedSum("sub i32 5, %d", "6"), "by dd");
  EXPECT_EQ(guardedSum("xor i32 %d, -1", "0"), "by dd");
  EXPECT_EQ(guardedSum("add i32 %d, 1", "-2", "add i32 %n, 3", "2147483645"),
            "by dd");
}

TEST(PlainDivisions, OfSums_negative) {
  EXPECT_EQ(guardedSum("add i32 %d, 1", "-1"), "guarded");
  EXPECT_EQ(guardedSum("add i32 %d, 1", "0"), "guarded");
  EXPECT_EQ(guardedSum("sub i32 5, %d", "-6"), "guarded");
  EXPECT_EQ(guardedSum("sub i32 %d, 5", "3"), "guarded");
  EXPECT_EQ(guardedSum("xor i32 %d, -1", "-1"), "guarded");
  EXPECT_EQ(guardedSum("mul i32 %d, 3", "-1"), "guarded");
  EXPECT_EQ(guardedSum("add i32 %d, 1", "-2", "add i32 %n, 3", "2147483646"),
            "guarded");
}

TEST(PlainDivisions, AnotherDividend_negative) {
  EXPECT_EQ(lowered(Guard + "%e = select i1 %c, i32 1, i32 %d\n"
                            "%q = sdiv i32 %other, %e\n"),
            "guarded");
  EXPECT_EQ(lowered(Guard + "%s = select i1 %c, i32 1, i32 %d\n"
                            "%e = freeze i32 %s\n%of = freeze i32 %other\n"
                            "%q = sdiv i32 %of, %e\n"),
            "guarded");
}

TEST(PlainDivisions, OneCondition_negative) {
  for (const char *Condition : {"%lowest", "%minus"})
    EXPECT_EQ(lowered(std::string("%e = select i1 ") + Condition +
                      ", i32 1, i32 %d\n%q = sdiv i32 %n, %e\n"),
              "guarded");
}

} // namespace
