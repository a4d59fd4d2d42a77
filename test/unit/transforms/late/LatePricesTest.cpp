//===- LatePricesTest.cpp - What do the passes of the back end make of it? ===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "transforms/late/LatePrices.h"
#include "ptx/backend/AnalysisManagers.h"
#include "llvm/AsmParser/Parser.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/SourceMgr.h"
#include "gtest/gtest.h"

using namespace llvm;
using namespace unravel;

namespace {

class LatePricesTest : public testing::Test {
protected:
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
  PassBuilder PB;
  AnalysisManagers Managers{PB};
};

/// @f with a loop that stores at %p + 4 * %index. \p Start stands in front of
/// the loop; \p Index computes the index of the counter %i, which goes up by
/// two.
std::string loopWith(StringRef Index, StringRef Start = "") {
  return ("define void @f(ptr %p, i32 %n, i32 %w, i32 %x) {\n"
          "entry:\n" +
          Start +
          "  br label %loop\n"
          "loop:\n  %i = phi i32 [ 0, %entry ], [ %next, %loop ]\n" +
          Index +
          "  %e = zext i32 %index to i64\n"
          "  %q = getelementptr inbounds float, ptr %p, i64 %e\n"
          "  store float 0.0, ptr %q\n"
          "  %next = add nuw nsw i32 %i, 2\n"
          "  %more = icmp slt i32 %next, %n\n"
          "  br i1 %more, label %loop, label %done\n"
          "done:\n  ret void\n}\n")
      .str();
}

/// Loop strength reduction makes a step of the product.
TEST_F(LatePricesTest, StrengthReductionIsCounted) {
  Function &Product = parse(loopWith("%index = mul nsw i32 %i, %w\n"));
  LatePrice ByProduct = priceBehindLaterPasses(Product, Managers.Functions);
  Managers.Functions.clear();
  Function &Plain = parse(loopWith("%index = add nsw i32 %i, %w\n"));
  LatePrice BySum = priceBehindLaterPasses(Plain, Managers.Functions);
  EXPECT_LE(ByProduct.Weighted, BySum.Weighted + 10);
}

/// A remainder by a value of run time stays what it is, in the loop.
TEST_F(LatePricesTest, StrengthReductionIsCounted_negative) {
  Function &F = parse(loopWith("%index = srem i32 %i, %w\n"));
  EXPECT_GT(priceBehindLaterPasses(F, Managers.Functions).Weighted, 250u);
}

TEST_F(LatePricesTest, NothingChanges) {
  Function &F = parse(loopWith("%s = mul nsw i32 %i, %w\n"
                               "  %index = udiv i32 %s, 7\n"));
  std::string Before = text();
  LatePrice First = priceBehindLaterPasses(F, Managers.Functions);
  EXPECT_EQ(text(), Before);
  LatePrice Again = priceBehindLaterPasses(F, Managers.Functions);
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
  LatePrice Slow =
      priceBehindLaterPasses(F, Managers.Functions, &block(F, "slow"));
  EXPECT_GE(Slow.Plain, 26u);
  EXPECT_EQ(Slow.Plain, Slow.Weighted);
}

TEST_F(LatePricesTest, OneBody_negative) {
  Function &F = parse(TwoBodies);
  LatePrice Fast =
      priceBehindLaterPasses(F, Managers.Functions, &block(F, "fast"));
  EXPECT_LT(Fast.Plain, 26u);
  EXPECT_GT(Fast.Weighted, Fast.Plain);
}

TEST_F(LatePricesTest, CanTry) {
  EXPECT_TRUE(canTry(parse(loopWith("%index = add nsw i32 %i, %w\n"))));
}

// Scalar evolution does not see through bits.
TEST_F(LatePricesTest, CanTryChainOfBits) {
  std::string Chain = "  %s0 = add i32 %x, %w\n";
  for (unsigned I = 0; I < 256; ++I)
    Chain += formatv("  %s{0} = xor i32 %s{1}, %w\n", I + 1, I);
  EXPECT_TRUE(canTry(parse(loopWith("%index = add nsw i32 %i, %w\n", Chain))));
}

TEST_F(LatePricesTest, CanTry_negative) {
  std::string Long;
  for (unsigned I = 0; I < 4096; ++I)
    Long += formatv("  %s{0} = add i32 %x, {0}\n", I);
  EXPECT_FALSE(canTry(parse(loopWith("%index = add nsw i32 %i, %w\n", Long))));
}

TEST_F(LatePricesTest, CanTry_negativeChain) {
  std::string Chain = "  %s0 = add i32 %x, %w\n";
  for (unsigned I = 0; I < 256; ++I)
    Chain += formatv("  %s{0} = add i32 %s{1}, %w\n", I + 1, I);
  EXPECT_FALSE(canTry(parse(loopWith("%index = add nsw i32 %i, %w\n", Chain))));
}

} // namespace
