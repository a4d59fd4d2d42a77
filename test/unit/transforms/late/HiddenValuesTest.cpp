//===- HiddenValuesTest.cpp - Does LLVM see through hidden values? --------===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "transforms/late/HiddenValues.h"
#include "ptx/backend/AnalysisManagers.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/AsmParser/Parser.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/SourceMgr.h"
#include "gtest/gtest.h"

using namespace llvm;
using namespace unravel;

namespace {

class HiddenValuesTest : public testing::Test {
protected:
  HiddenValuesTest() {
    SMDiagnostic Error;
    M = parseAssemblyString(R"(
      define void @f(i32 %n, ptr %p) {
      entry:
        br label %loop
      loop:
        %i = phi i32 [ 0, %entry ], [ %next, %loop ]
        %x = mul nuw nsw i32 %i, 3
        store volatile i32 %x, ptr %p
        %next = add nuw nsw i32 %i, 1
        %more = icmp ult i32 %next, %n
        br i1 %more, label %loop, label %exit
      exit:
        ret void
      })",
                            Error, Context);
    F = M->getFunction("f");
    for (BasicBlock &BB : *F)
      for (Instruction &I : BB)
        if (I.getName() == "x")
          X = &I;
  }

  ScalarEvolution &evolution() {
    return Managers.Functions.getResult<ScalarEvolutionAnalysis>(*F);
  }

  LLVMContext Context;
  std::unique_ptr<Module> M;
  Function *F = nullptr;
  Instruction *X = nullptr;
  PassBuilder PB;
  AnalysisManagers Managers{PB};
};

TEST_F(HiddenValuesTest, ScalarEvolutionDoesNotLookThrough) {
  IRBuilder<> B(X->getNextNode());
  Instruction *Hidden = HiddenValues(*F).hide(B, X);
  auto *Unknown = dyn_cast<SCEVUnknown>(evolution().getSCEV(Hidden));
  EXPECT_TRUE(Unknown && Unknown->getValue() == Hidden);
  EXPECT_TRUE(HiddenValues::isHidden(*Hidden));
}

TEST_F(HiddenValuesTest, ScalarEvolutionSeesAQuotientByTheUnknown) {
  IRBuilder<> B(X->getNextNode());
  Instruction *Hidden = HiddenValues(*F).hideAsQuotient(B, X);
  const SCEV *S = evolution().getSCEV(Hidden);
  EXPECT_TRUE(isa<SCEVUDivExpr>(S));
  // What LoopStrengthReduce may compute anew is made of the divisor as well.
  EXPECT_TRUE(SCEVExprContains(S, [&](const SCEV *Part) {
    auto *U = dyn_cast<SCEVUnknown>(Part);
    return U &&
           (U->getValue() == Hidden || U->getValue() == Hidden->getOperand(1));
  }));
  EXPECT_TRUE(HiddenValues::isHidden(*Hidden));
}

TEST_F(HiddenValuesTest, ScalarEvolutionDoesNotLookThrough_negative) {
  EXPECT_TRUE(isa<SCEVAddRecExpr>(evolution().getSCEV(X)));
  EXPECT_FALSE(HiddenValues::isHidden(*X));
}

/// Two of one number are not merged: the calls would be no constants then.
TEST_F(HiddenValuesTest, CallsDiffer) {
  IRBuilder<> B(X->getNextNode());
  Instruction *A = HiddenValues(*F).hide(B, X);
  // Of another pass, which goes on counting.
  Instruction *C = HiddenValues(*F).hide(B, X);
  EXPECT_FALSE(cast<Instruction>(A->getOperand(1))
                   ->isIdenticalTo(cast<Instruction>(C->getOperand(1))));
}

} // namespace
