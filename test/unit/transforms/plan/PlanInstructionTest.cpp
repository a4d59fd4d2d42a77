//===- PlanInstructionTest.cpp - The instruction of a planned node --------===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "transforms/plan/PlanInstruction.h"
#include "llvm/AsmParser/Parser.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/SourceMgr.h"
#include "gtest/gtest.h"

using namespace llvm;
using namespace unravel;

namespace {

class PlanInstructionTest : public testing::Test {
protected:
  PlanInstructionTest() {
    SMDiagnostic Error;
    M = parseAssemblyString("declare void @f(ptr, i64)", Error, Context);
    Function *F = M->getFunction("f");
    Pointer = Plan.leaf(F->getArg(0), 0);
    X = Plan.leaf(F->getArg(1), 64);
  }

  ScaledIndex scaled(int64_t Factor, PlanFlags Product, PlanFlags Address) {
    return scaledIndexOf(
        *Plan.ptrAdd(Pointer, Plan.mul(X, Factor, Product), Address));
  }

  LLVMContext Context;
  std::unique_ptr<Module> M;
  IndexPlan Plan;
  const PlanNode *Pointer, *X;
};

constexpr PlanFlags None{}, NoSigned{false, true, false},
    Neither{true, true, false}, InBounds{false, false, true},
    InBoundsNoWrap{true, false, true};

TEST_F(PlanInstructionTest, AddressesScaleTheirIndex) {
  for (int64_t Factor : {4, 12}) {
    ScaledIndex S = scaled(Factor, None, None);
    EXPECT_EQ(S.Index, X);
    EXPECT_EQ(S.Scale, Factor);
  }
  EXPECT_EQ(scaled(5, NoSigned, InBounds).Scale, 5);
  EXPECT_EQ(scaled(6, Neither, InBoundsNoWrap).Scale, 6);
}

/// The flags of the address would say of the product what was not proved.
TEST_F(PlanInstructionTest, AddressesScaleTheirIndex_negative) {
  ScaledIndex S = scaled(4, None, InBounds);
  EXPECT_EQ(S.Scale, 1);
  EXPECT_EQ(S.Index->Op, PlanOp::Mul);
  EXPECT_EQ(scaled(5, NoSigned, InBoundsNoWrap).Scale, 1);
  // There are no elements of negative size.
  EXPECT_EQ(scaled(-4, Neither, None).Scale, 1);
}

} // namespace
