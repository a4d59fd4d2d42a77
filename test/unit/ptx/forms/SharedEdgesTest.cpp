//===- SharedEdgesTest.cpp - Copies for the edge that is taken ------------===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ptx/forms/SharedEdges.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/AsmParser/Parser.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/Verifier.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/raw_ostream.h"
#include "gtest/gtest.h"

using namespace llvm;
using namespace unravel;

namespace {

/// The edges that come together in each new block of \p Body, in the order of
/// the blocks.
std::vector<unsigned> sharedEdges(const std::string &Body) {
  LLVMContext Context;
  SMDiagnostic Error;
  auto M = parseAssemblyString("define i32 @f(i32 %a, i32 %b, i32 %c, i1 %p, "
                               "i1 %q, i1 %r) {\n" +
                                   Body + "}\n",
                               Error, Context);
  if (!M) {
    ADD_FAILURE() << Error.getMessage().str();
    return {};
  }
  Function &F = *M->getFunction("f");
  ptx::shareEdges(F);
  EXPECT_FALSE(verifyFunction(F, &errs()));
  std::vector<unsigned> Result;
  for (BasicBlock &BB : F)
    if (BB.getName().starts_with("shared"))
      Result.push_back(pred_size(&BB));
  return Result;
}

/// Two tests in front of `join`, whose phis have \p First to \p Third from
/// `entry`, `second` and `third`.
std::string chain(const std::string &First, const std::string &Second,
                  const std::string &Third, unsigned NumPhis = 3) {
  std::string Text = "entry:\n  br i1 %p, label %join, label %second\n"
                     "second:\n  br i1 %q, label %join, label %third\n"
                     "third:\n  br label %join\njoin:\n";
  for (unsigned I = 0; I < NumPhis; ++I)
    Text += "  %x" + std::to_string(I) + " = phi i32 [ " + First +
            ", %entry ], [ " + Second + ", %second ], [ " + Third +
            ", %third ]\n";
  return Text + "  ret i32 %x0\n";
}

TEST(SharedEdges, TheSameValues) {
  EXPECT_EQ(sharedEdges(chain("%a", "%a", "%b")), std::vector<unsigned>{2});
  EXPECT_EQ(sharedEdges(chain("%b", "%a", "%b")), std::vector<unsigned>{2});
  EXPECT_EQ(sharedEdges(chain("%a", "%a", "%a")), std::vector<unsigned>{3});
}

TEST(SharedEdges, OtherValues_negative) {
  EXPECT_TRUE(sharedEdges(chain("%a", "%b", "%c")).empty());
}

TEST(SharedEdges, FewCopies_negative) {
  EXPECT_TRUE(sharedEdges(chain("%a", "%a", "%b", 2)).empty());
}

/// Nothing is copied in vain where no edge goes elsewhere.
TEST(SharedEdges, Jumps_negative) {
  EXPECT_TRUE(sharedEdges("entry:\n  br i1 %p, label %x, label %y\n"
                          "x:\n  br label %join\ny:\n  br label %join\njoin:\n"
                          "  %u = phi i32 [ %a, %x ], [ %a, %y ]\n"
                          "  %v = phi i32 [ %b, %x ], [ %b, %y ]\n"
                          "  %w = phi i32 [ %c, %x ], [ %c, %y ]\n"
                          "  ret i32 %u\n")
                  .empty());
}

TEST(SharedEdges, Loops_negative) {
  EXPECT_TRUE(
      sharedEdges("entry:\n  br label %loop\nloop:\n"
                  "  %u = phi i32 [ %a, %entry ], [ %b, %loop ], [ %b, %end ]\n"
                  "  %v = phi i32 [ %b, %entry ], [ %c, %loop ], [ %c, %end ]\n"
                  "  %w = phi i32 [ %c, %entry ], [ %a, %loop ], [ %a, %end ]\n"
                  "  br i1 %p, label %loop, label %end\nend:\n"
                  "  br i1 %q, label %loop, label %exit\nexit:\n"
                  "  ret i32 %u\n")
          .empty());
}

/// A switch may have several edges to one block.
TEST(SharedEdges, Switches_negative) {
  EXPECT_TRUE(
      sharedEdges(
          "entry:\n  switch i32 %a, label %other [ i32 1, label %join\n"
          "    i32 2, label %join ]\nother:\n  br label %join\njoin:\n"
          "  %u = phi i32 [ %a, %entry ], [ %a, %entry ], [ %a, %other ]\n"
          "  %v = phi i32 [ %b, %entry ], [ %b, %entry ], [ %b, %other ]\n"
          "  %w = phi i32 [ %c, %entry ], [ %c, %entry ], [ %c, %other ]\n"
          "  ret i32 %u\n")
          .empty());
}

} // namespace
