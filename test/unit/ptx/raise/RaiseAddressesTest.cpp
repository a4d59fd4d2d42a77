//===- RaiseAddressesTest.cpp - Sums of numbers become addresses ----------===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ptx/raise/RaiseAddresses.h"
#include "llvm/AsmParser/Parser.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/Verifier.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/raw_ostream.h"
#include "gtest/gtest.h"

using namespace llvm;

namespace {

/// What becomes of a function of the pointers %p and %q, the shared pointer %s,
/// the numbers %x and %y, and the condition %c.
std::string raised(StringRef Body) {
  std::string Text =
      ("target datalayout = \"e-p3:32:32-i64:64\"\n"
       "define void @f(ptr addrspace(1) %p, ptr addrspace(1) %q, "
       "ptr addrspace(3) %s, i64 %x, i64 %y, i1 %c) {\n" +
       Body + "\n}\n")
          .str();
  LLVMContext Context;
  SMDiagnostic Problem;
  auto M = parseAssemblyString(Text, Problem, Context);
  if (!M)
    return Problem.getMessage().str();
  Function &F = *M->getFunction("f");
  unravel::ptx::raiseAddresses(F);
  std::string Result;
  raw_string_ostream OS(Result);
  if (verifyFunction(F, &OS))
    return Result;
  for (Instruction &I : instructions(F))
    OS << I << ";";
  return Result;
}

bool isRaised(StringRef Body) {
  return raised(Body).find("inttoptr") == std::string::npos;
}

TEST(RaiseAddresses, Sum) {
  EXPECT_EQ(raised("%a = ptrtoint ptr addrspace(1) %p to i64\n"
                   "%b = add i64 %x, %a\n"
                   "%t = inttoptr i64 %b to ptr addrspace(1)\n"
                   "store i8 0, ptr addrspace(1) %t\nret void"),
            "  %1 = getelementptr i8, ptr addrspace(1) %p, i64 %x;"
            "  store i8 0, ptr addrspace(1) %1, align 1;  ret void;");
}

TEST(RaiseAddresses, SumOfSums) {
  EXPECT_TRUE(isRaised("%a = ptrtoint ptr addrspace(1) %p to i64\n"
                       "%b = add i64 %a, %x\n%d = add i64 %y, %b\n"
                       "%t = inttoptr i64 %d to ptr addrspace(1)\n"
                       "store i8 0, ptr addrspace(1) %t\nret void"));
}

TEST(RaiseAddresses, DisjointOr) {
  EXPECT_TRUE(isRaised("%a = ptrtoint ptr addrspace(1) %p to i64\n"
                       "%b = or disjoint i64 %a, 1\n"
                       "%t = inttoptr i64 %b to ptr addrspace(1)\n"
                       "store i8 0, ptr addrspace(1) %t\nret void"));
}

/// An or of bits that both may have is no sum.
TEST(RaiseAddresses, Or_negative) {
  EXPECT_FALSE(isRaised("%a = ptrtoint ptr addrspace(1) %p to i64\n"
                        "%b = or i64 %a, 1\n"
                        "%t = inttoptr i64 %b to ptr addrspace(1)\n"
                        "store i8 0, ptr addrspace(1) %t\nret void"));
}

/// In which of the two objects is it?
TEST(RaiseAddresses, SumOfTwoAddresses_negative) {
  EXPECT_FALSE(isRaised("%a = ptrtoint ptr addrspace(1) %p to i64\n"
                        "%b = ptrtoint ptr addrspace(1) %q to i64\n"
                        "%d = add i64 %a, %b\n"
                        "%t = inttoptr i64 %d to ptr addrspace(1)\n"
                        "store i8 0, ptr addrspace(1) %t\nret void"));
}

/// q - p + p is in q, and looks like a sum of two addresses.
TEST(RaiseAddresses, Difference) {
  EXPECT_TRUE(isRaised("%a = ptrtoint ptr addrspace(1) %p to i64\n"
                       "%n = sub i64 %x, %a\n"
                       "%b = ptrtoint ptr addrspace(1) %q to i64\n"
                       "%d = add i64 %b, %n\n"
                       "%t = inttoptr i64 %d to ptr addrspace(1)\n"
                       "store i8 0, ptr addrspace(1) %t\nret void"));
}

TEST(RaiseAddresses, SelectOfAddresses) {
  EXPECT_TRUE(isRaised("%a = ptrtoint ptr addrspace(1) %p to i64\n"
                       "%b = ptrtoint ptr addrspace(1) %q to i64\n"
                       "%d = select i1 %c, i64 %a, i64 %b\n"
                       "%e = add i64 %d, %x\n"
                       "%t = inttoptr i64 %e to ptr addrspace(1)\n"
                       "store i8 0, ptr addrspace(1) %t\nret void"));
}

/// The other arm is any number.
TEST(RaiseAddresses, SelectOfAddressAndNumber_negative) {
  EXPECT_FALSE(isRaised("%a = ptrtoint ptr addrspace(1) %p to i64\n"
                        "%d = select i1 %c, i64 %a, i64 %x\n"
                        "%t = inttoptr i64 %d to ptr addrspace(1)\n"
                        "store i8 0, ptr addrspace(1) %t\nret void"));
}

TEST(RaiseAddresses, Counter) {
  EXPECT_TRUE(isRaised("entry:\n%a = ptrtoint ptr addrspace(1) %p to i64\n"
                       "br label %loop\nloop:\n"
                       "%i = phi i64 [ %a, %entry ], [ %n, %loop ]\n"
                       "%t = inttoptr i64 %i to ptr addrspace(1)\n"
                       "store i8 0, ptr addrspace(1) %t\n"
                       "%n = add i64 %i, %x\n"
                       "br i1 %c, label %loop, label %exit\nexit:\nret void"));
}

/// It begins with any number.
TEST(RaiseAddresses, CounterFromNumber_negative) {
  EXPECT_FALSE(isRaised("entry:\nbr label %loop\nloop:\n"
                        "%i = phi i64 [ %y, %entry ], [ %n, %loop ]\n"
                        "%t = inttoptr i64 %i to ptr addrspace(1)\n"
                        "store i8 0, ptr addrspace(1) %t\n"
                        "%n = add i64 %i, %x\n"
                        "br i1 %c, label %loop, label %exit\nexit:\nret void"));
}

/// Shared addresses have 32 bits here.
TEST(RaiseAddresses, OtherSpace) {
  EXPECT_TRUE(isRaised("%a = ptrtoint ptr addrspace(3) %s to i32\n"
                       "%b = add i32 %a, 8\n"
                       "%t = inttoptr i32 %b to ptr addrspace(3)\n"
                       "store i8 0, ptr addrspace(3) %t\nret void"));
}

/// The bits of an address in one space are none in another.
TEST(RaiseAddresses, OtherSpace_negative) {
  EXPECT_FALSE(isRaised("%a = ptrtoint ptr addrspace(1) %p to i64\n"
                        "%b = add i64 %a, 8\n"
                        "%t = inttoptr i64 %b to ptr\n"
                        "store i8 0, ptr %t\nret void"));
}

} // namespace
