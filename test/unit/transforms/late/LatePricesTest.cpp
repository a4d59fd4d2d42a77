//===- LatePricesTest.cpp - What do the passes of the back end make of it? ===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "transforms/late/LatePrices.h"
#include "transforms/late/HiddenQuotients.h"
#include "llvm/AsmParser/Parser.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/Verifier.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Support/SourceMgr.h"
#include "gtest/gtest.h"

using namespace llvm;
using namespace unravel;

namespace {

class LatePricesTest : public testing::Test {
protected:
  LatePricesTest() {
    PB.registerModuleAnalyses(MAM);
    PB.registerCGSCCAnalyses(CGAM);
    PB.registerFunctionAnalyses(FAM);
    PB.registerLoopAnalyses(LAM);
    PB.crossRegisterProxies(LAM, FAM, CGAM, MAM);
  }

  /// The function @f of a module for NVPTX.
  Function &parse(StringRef Text) {
    SMDiagnostic Error;
    M = parseAssemblyString(
        ("target triple = \"nvptx64-nvidia-cuda\"\n" + Text).str(), Error,
        Context);
    EXPECT_TRUE(M) << Error.getMessage().str();
    return *M->getFunction("f");
  }

  std::string text() const {
    std::string Result;
    raw_string_ostream(Result) << *M;
    return Result;
  }

  BasicBlock &block(Function &F, StringRef Name) {
    for (BasicBlock &BB : F)
      if (BB.getName() == Name)
        return BB;
    llvm_unreachable("no such block");
  }

  LLVMContext Context;
  std::unique_ptr<Module> M;
  LoopAnalysisManager LAM;
  FunctionAnalysisManager FAM;
  CGSCCAnalysisManager CGAM;
  ModuleAnalysisManager MAM;
  PassBuilder PB;
};

/// An address whose index is %index, made of the index %i of a loop.
std::string loopWith(StringRef Index) {
  return ("define void @f(ptr %p, i32 %n, i32 %w) {\n"
          "entry:\n  br label %loop\n"
          "loop:\n  %i = phi i32 [ 0, %entry ], [ %next, %loop ]\n" +
          Index +
          "\n  %e = sext i32 %index to i64\n"
          "  %q = getelementptr inbounds float, ptr %p, i64 %e\n"
          "  store float 0.0, ptr %q\n"
          "  %next = add nuw nsw i32 %i, 1\n"
          "  %more = icmp slt i32 %next, %n\n"
          "  br i1 %more, label %loop, label %done\n"
          "done:\n  ret void\n}\n")
      .str();
}

/// Loop strength reduction makes a step of the product.
TEST_F(LatePricesTest, StrengthReductionIsCounted) {
  Function &Product = parse(loopWith("%index = mul nsw i32 %i, %w"));
  LatePrice ByProduct = priceBehindLaterPasses(Product, FAM);
  FAM.clear();
  Function &Plain = parse(loopWith("%index = add nsw i32 %i, %w"));
  LatePrice BySum = priceBehindLaterPasses(Plain, FAM);
  EXPECT_LE(ByProduct.Weighted, BySum.Weighted + 10);
}

/// A remainder by a value of run time stays what it is, in the loop.
TEST_F(LatePricesTest, StrengthReductionIsCounted_negative) {
  Function &F = parse(loopWith("%index = srem i32 %i, %w"));
  EXPECT_GT(priceBehindLaterPasses(F, FAM).Weighted, 250u);
}

TEST_F(LatePricesTest, NothingChanges) {
  Function &F = parse(loopWith("%s = mul nsw i32 %i, %w\n"
                               "  %index = udiv i32 %s, 7"));
  std::string Before = text();
  LatePrice First = priceBehindLaterPasses(F, FAM);
  EXPECT_EQ(text(), Before);
  LatePrice Again = priceBehindLaterPasses(F, FAM);
  EXPECT_EQ(First.Weighted, Again.Weighted);
  EXPECT_EQ(First.Plain, Again.Plain);
  EXPECT_EQ(M->size(), 1u);
}

const char *TwoBodies = R"(
  define void @f(ptr %p, i32 %n, i32 %w, i1 %c) {
  entry:
    br i1 %c, label %fast, label %slow
  fast:
    %i = phi i32 [ 0, %entry ], [ %next, %fast ]
    %e = sext i32 %i to i64
    %q = getelementptr float, ptr %p, i64 %e
    store float 0.0, ptr %q
    %next = add nuw nsw i32 %i, 1
    %more = icmp slt i32 %next, %n
    br i1 %more, label %fast, label %done
  slow:
    %d = sdiv i32 %n, %w
    %de = sext i32 %d to i64
    %dq = getelementptr float, ptr %p, i64 %de
    store float 0.0, ptr %dq
    br label %done
  done:
    ret void
  })";

TEST_F(LatePricesTest, OneBody) {
  Function &F = parse(TwoBodies);
  LatePrice Slow = priceBehindLaterPasses(F, FAM, &block(F, "slow"));
  EXPECT_GE(Slow.Plain, 26u);
  EXPECT_EQ(Slow.Plain, Slow.Weighted);
}

TEST_F(LatePricesTest, OneBody_negative) {
  Function &F = parse(TwoBodies);
  LatePrice Fast = priceBehindLaterPasses(F, FAM, &block(F, "fast"));
  EXPECT_LT(Fast.Plain, 26u);
  EXPECT_GT(Fast.Weighted, Fast.Plain);
}

TEST_F(LatePricesTest, PartsOfAFunction) {
  Function &F = parse(TwoBodies);
  SmallVector<LatePrice, 2> Prices =
      pricesBehindLaterPasses(F, FAM, {&F.getEntryBlock(), &block(F, "slow")});
  EXPECT_GE(Prices[1].Plain, 26u);
  EXPECT_GT(Prices[0].Plain, Prices[1].Plain);
  EXPECT_EQ(Prices[1].Plain, Prices[1].Weighted);
}

/// The address of an inner loop begins at an unsigned quotient.
std::string nest(StringRef Division) {
  return ("define void @f(ptr %p, i32 %n, i32 %w, i32 %x) {\n"
          "entry:\n  %d = " +
          Division +
          " i32 %x, %w\n"
          "  %first = mul nsw i32 %d, %n\n  br label %loop\n"
          "loop:\n  %k = phi i32 [ 0, %entry ], [ %next, %loop ]\n"
          "  %i = add nsw i32 %k, %first\n  %e = sext i32 %i to i64\n"
          "  %q = getelementptr inbounds float, ptr %p, i64 %e\n"
          "  store float 0.0, ptr %q\n"
          "  %k1 = or disjoint i32 %k, 1\n"
          "  %i1 = add nsw i32 %k1, %first\n  %e1 = sext i32 %i1 to i64\n"
          "  %q1 = getelementptr inbounds float, ptr %p, i64 %e1\n"
          "  store float 0.0, ptr %q1\n"
          "  %next = add nuw nsw i32 %k, 2\n"
          "  %more = icmp slt i32 %next, %n\n"
          "  br i1 %more, label %loop, label %done\n"
          "done:\n  ret void\n}\n")
      .str();
}

TEST_F(LatePricesTest, HiddenQuotientsCostNoMore) {
  Function &F = parse(nest("udiv"));
  LatePrice Before = priceBehindLaterPasses(F, FAM);
  std::string Text = text();
  bool IsHidden = hideQuotients(F, FAM);
  EXPECT_FALSE(verifyModule(*M, &errs()));
  EXPECT_EQ(StringRef(text()).contains("llvm.expect"), IsHidden);
  if (IsHidden)
    EXPECT_LT(priceBehindLaterPasses(F, FAM).Weighted, Before.Weighted);
  else
    EXPECT_EQ(text(), Text);
}

/// Scalar evolution does not look into a signed division anyway, and without a
/// loop nobody asks it.
TEST_F(LatePricesTest, HiddenQuotientsCostNoMore_negative) {
  EXPECT_FALSE(hideQuotients(parse(nest("sdiv")), FAM));
  FAM.clear();
  EXPECT_FALSE(hideQuotients(parse("define i32 @f(i32 %x, i32 %w) {\n"
                                   "  %d = udiv i32 %x, %w\n"
                                   "  ret i32 %d\n}\n"),
                             FAM));
}

} // namespace
