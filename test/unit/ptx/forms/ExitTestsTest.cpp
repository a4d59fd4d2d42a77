//===- ExitTestsTest.cpp - Counters by themselves in exit tests -----------===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Loops of 4-bit counters, with all starts and bounds, executed before and
// after.
//
//===----------------------------------------------------------------------===//

#include "ptx/forms/ExitTests.h"
#include "test/unit/tools/kernel-fuzz/InterpretedFunction.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Verifier.h"

using namespace llvm;
using namespace unravel;

namespace {

class Looping {
public:
  /// \p Test computes %stop of %i and %next, %a and %b, and %changing; %next,
  /// too, if there is no \p Step.
  explicit Looping(StringRef Test, StringRef Step = "3") {
    std::string IR = (R"(
      define i16 @f(i4 %start, i4 %a, i4 %b) {
      entry:
        br label %loop
      loop:
        %i = phi i4 [ %start, %entry ], [ %next, %loop ]
        %n = phi i16 [ 0, %entry ], [ %more, %loop ]
        %more = add i16 %n, 1
        %changing = trunc i16 %more to i4
      )" + (Step.empty() ? "" : "%next = add i4 %i, " + Step) +
                      "\n" + Test + R"(
        br i1 %stop, label %exit, label %loop
      exit:
        ret i16 %more
      })")
                         .str();
    SMDiagnostic Error;
    M = parseAssemblyString(IR, Error, Context);
    EXPECT_TRUE(M) << Error.getMessage().str();
  }

  std::vector<std::optional<uint64_t>> results() const {
    return resultsOf(*M->getFunction("f"), 1u << 12, [](unsigned Launch) {
      return std::vector{word(Launch & 15), word(Launch >> 4 & 15),
                         word(Launch >> 8)};
    });
  }

  void change() {
    ptx::isolateCounters(*M->getFunction("f"));
    EXPECT_FALSE(verifyModule(*M, &errs()));
  }

  /// Whether the loop is not to be unrolled.
  bool keepHidden() {
    Function &F = *M->getFunction("f");
    ptx::keepHiddenCounters(F);
    EXPECT_FALSE(verifyModule(*M, &errs()));
    return any_of(instructions(F), [](const Instruction &I) {
      MDNode *Loop = I.getMetadata(LLVMContext::MD_loop);
      return findOptionMDForLoopID(Loop, "llvm.loop.unroll.disable");
    });
  }

  const ICmpInst &test() const {
    for (Instruction &I : instructions(*M->getFunction("f")))
      if (I.getName() == "stop")
        return cast<ICmpInst>(I);
    llvm_unreachable("each loop has a test");
  }

  /// The name of the changing side, and whether the other one is made in front.
  std::string tested() const {
    const ICmpInst &Test = test();
    auto *Bound = dyn_cast<Instruction>(Test.getOperand(1));
    bool IsInside = Bound && Bound->getParent() == Test.getParent();
    return (Test.getOperand(0)->getName() + (IsInside ? " inside" : "")).str();
  }

private:
  LLVMContext Context;
  std::unique_ptr<Module> M;
};

/// What is compared after the change, which keeps all results.
std::string changed(StringRef Test, StringRef Step = "3") {
  Looping L(Test, Step);
  std::vector<std::optional<uint64_t>> Before = L.results();
  L.change();
  EXPECT_EQ(Before, L.results()) << Test.str();
  return L.tested();
}

TEST(ExitTests, SumWithWhatStays) {
  EXPECT_EQ(changed("%t = add i4 %i, %a\n%stop = icmp eq i4 %t, %b"), "next");
  EXPECT_EQ(changed("%t = add i4 %a, %next\n%stop = icmp eq i4 %t, 0"), "next");
  EXPECT_EQ(changed("%t = add i4 %next, %a\n%stop = icmp eq i4 %b, %t"),
            "next");
}

TEST(ExitTests, DifferenceOfBothSigns) {
  EXPECT_EQ(changed("%t = sub i4 %next, %a\n%stop = icmp eq i4 %t, %b"),
            "next");
  EXPECT_EQ(changed("%t = sub i4 %a, %next\n%stop = icmp eq i4 %t, %b"),
            "next");
}

// As LLVM leaves the loops that nvcc unrolls.
TEST(ExitTests, NegativeOfTheOldValue) {
  EXPECT_EQ(changed("%t = sub i4 -4, %i\n%stop = icmp eq i4 %b, %t", "4"),
            "next");
}

TEST(ExitTests, ChainOfOperations) {
  EXPECT_EQ(changed("%s = sub i4 %a, %next\n%t = add i4 %s, 5\n"
                    "%u = sub i4 %t, %b\n%stop = icmp eq i4 %u, 1"),
            "next");
}

TEST(ExitTests, StepOfTheLaunch) {
  EXPECT_EQ(changed("%t = sub i4 %b, %i\n%stop = icmp eq i4 %t, 2", "%a"),
            "next");
}

TEST(ExitTests, NextValueBehindTheTest) {
  EXPECT_EQ(changed("%t = sub i4 %b, %i\n%stop = icmp eq i4 %t, %a\n"
                    "%next = add i4 %i, 1",
                    ""),
            "i");
}

// The mark would say more of the new operands than of the old ones.
TEST(ExitTests, SameSignIsDropped) {
  Looping L("%t = sub i4 %a, %next\n%stop = icmp samesign eq i4 %t, %b");
  L.change();
  EXPECT_EQ(L.tested(), "next");
  EXPECT_FALSE(L.test().hasSameSign());
}

TEST(ExitTests, CounterByItselfStays_negative) {
  EXPECT_EQ(changed("%stop = icmp eq i4 %next, %b"), "next");
  EXPECT_EQ(changed("%stop = icmp eq i4 %i, %b"), "i");
}

TEST(ExitTests, TwoChangingSides_negative) {
  EXPECT_EQ(changed("%t = add i4 %next, %changing\n%stop = icmp eq i4 %t, %b"),
            "t");
  EXPECT_EQ(changed("%t = add i4 %next, %a\n%stop = icmp eq i4 %t, %changing"),
            "t inside");
}

// The sum is computed anyway.
TEST(ExitTests, OtherUse_negative) {
  EXPECT_EQ(changed("%t = add i4 %next, %a\n%z = zext i4 %t to i16\n"
                    "%used = mul i16 %z, %z\n%w = trunc i16 %used to i1\n"
                    "%stop = icmp eq i4 %t, %b"),
            "t");
}

// x + a < b is not x < b - a in numbers that wrap.
TEST(ExitTests, Order_negative) {
  EXPECT_EQ(changed("%t = add i4 %next, %a\n%stop = icmp ult i4 %t, %b"), "t");
}

bool isKept(StringRef Test, StringRef Step = "3") {
  return Looping(Test, Step).keepHidden();
}

// ptxas does not unroll these, but what isolateCounters() makes of them.
TEST(ExitTests, HiddenCounter) {
  EXPECT_TRUE(isKept("%t = add i4 %a, %next\n%stop = icmp eq i4 %t, 0"));
  EXPECT_TRUE(isKept("%t = sub i4 %i, %a\n%stop = icmp slt i4 %b, %t"));
  EXPECT_TRUE(isKept("%s = sub i4 %a, %next\n%t = add i4 %s, 5\n"
                     "%stop = icmp eq i4 %t, %b",
                     "%b"));
}

TEST(ExitTests, CounterInTheTest_negative) {
  EXPECT_FALSE(isKept("%stop = icmp eq i4 %next, %b"));
  EXPECT_FALSE(isKept("%stop = icmp ult i4 %i, %b"));
  // A counter, although it is made of another one.
  EXPECT_FALSE(
      isKept("%next = sub i4 %i, %a\n%stop = icmp eq i4 %next, 0", ""));
}

// Neither is unrolled as long as the test stays what it is.
TEST(ExitTests, NoCounterInTheTest_negative) {
  EXPECT_FALSE(isKept("%t = xor i4 %i, %a\n%stop = icmp eq i4 %t, 0"));
  EXPECT_FALSE(isKept("%t = add i4 %i, %changing\n%stop = icmp eq i4 %t, 0"));
}

} // namespace
