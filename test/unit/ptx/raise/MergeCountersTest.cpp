//===- MergeCountersTest.cpp - Counters apart by a constant ---------------===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ptx/raise/MergeCounters.h"
#include "ptx/backend/AnalysisManagers.h"
#include "test/unit/tools/kernel-fuzz/InterpretedFunction.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Verifier.h"
#include "llvm/Passes/PassBuilder.h"

using namespace llvm;
using namespace unravel;

namespace {

/// A loop of ten iterations with the counters %i and %j of 8 bits.
struct LoopCode {
  std::string Entry = "%si = shl i8 %a, 2\n%sj = or i8 %si, 3\n";
  std::string StepI = "4", StepJ = "4";
  std::string Body; ///< may use %jnext
};

std::vector<std::optional<uint64_t>> results(const Function &F) {
  auto Results = resultsOf(F, 256, [](unsigned A) {
    return std::vector{word(A), word(A * 7 % 256)};
  });
  EXPECT_FALSE(is_contained(Results, std::nullopt));
  return Results;
}

/// How many counters are left of three, one of which counts iterations.
unsigned numLeft(const LoopCode &C) {
  std::string IR =
      "define i8 @f(i8 %a, i8 %b) {\nentry:\n" + C.Entry +
      "br label %loop\nloop:\n"
      "%i = phi i8 [ %si, %entry ], [ %inext, %loop ]\n"
      "%j = phi i8 [ %sj, %entry ], [ %jnext, %loop ]\n"
      "%k = phi i16 [ 0, %entry ], [ %knext, %loop ]\n"
      "%sum = phi i8 [ 0, %entry ], [ %all, %loop ]\n"
      "%m = mul i8 %i, %j\n%sm = xor i8 %sum, %m\n"
      "%all = add i8 %sm, %j\n"
      "%inext = add i8 %i, " +
      C.StepI + "\n%jnext = add i8 %j, " + C.StepJ + "\n" + C.Body +
      "%knext = add i16 %k, 1\n%more = icmp ult i16 %knext, 10\n"
      "br i1 %more, label %loop, label %exit\nexit:\nret i8 %all\n}\n";
  LLVMContext Context;
  SMDiagnostic Error;
  auto M = parseAssemblyString(IR, Error, Context);
  EXPECT_TRUE(M) << Error.getMessage().str() << IR;
  Function &F = *M->getFunction("f");
  std::vector<std::optional<uint64_t>> Before = results(F);
  PassBuilder PB;
  AnalysisManagers Managers(PB);
  bool Changed = ptx::mergeCounters(F, Managers.Functions);
  EXPECT_FALSE(verifyModule(*M, &errs()));
  EXPECT_EQ(Before, results(F)) << IR;
  unsigned NumLeft = 0;
  for (Instruction &I : instructions(F))
    NumLeft += isa<PHINode>(I) && I.getName() != "sum";
  EXPECT_EQ(Changed, NumLeft < 3);
  return NumLeft;
}

TEST(MergeCounters, ApartByAConstant) {
  EXPECT_EQ(numLeft({}), 2u);
  LoopCode C;
  C.Entry = "%si = add i8 %a, 0\n%sj = sub i8 %a, 100\n";
  EXPECT_EQ(numLeft(C), 2u);
  C.StepI = C.StepJ = "%b";
  EXPECT_EQ(numLeft(C), 2u);
}

TEST(MergeCounters, Equal) {
  LoopCode C;
  C.Entry = "%si = add i8 %a, 5\n%sj = add i8 %a, 5\n";
  EXPECT_EQ(numLeft(C), 2u);
}

TEST(MergeCounters, OtherStep_negative) {
  LoopCode C;
  C.StepJ = "5";
  EXPECT_EQ(numLeft(C), 3u);
  C.StepJ = "%b";
  EXPECT_EQ(numLeft(C), 3u);
}

TEST(MergeCounters, ApartByAVariable_negative) {
  LoopCode C;
  C.Entry = "%si = shl i8 %a, 2\n%sj = add i8 %si, %b\n";
  EXPECT_EQ(numLeft(C), 3u);
  // The low bits of %a are not known.
  C.Entry = "%si = add i8 %a, 0\n%sj = or i8 %a, 3\n";
  EXPECT_EQ(numLeft(C), 3u);
}

// The sum is needed all the same.
TEST(MergeCounters, NextValueIsRead_negative) {
  LoopCode C;
  C.Body = "%odd = trunc i8 %jnext to i1\n"
           "%z = select i1 %odd, i8 %jnext, i8 %jnext\n";
  EXPECT_EQ(numLeft(C), 3u);
}

} // namespace
