//===- LaunchVersioningTest.cpp - Which code may a kernel have twice? -----===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "transforms/launch/LaunchVersioning.h"
#include "../../IRTestHelper.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Intrinsics.h"

using namespace llvm;
using namespace unravel;
using namespace unravel::test;

namespace {

constexpr StringLiteral Kernel = R"(
define ptx_kernel void @f(ptr noundef %out, i32 noundef %h, i32 noundef %w) convergent {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %x = mul i32 %t, %h
  %q = sdiv i32 %x, %w
  store i32 %q, ptr %out
  ret void
}
)";

/// Calls \p ID at the beginning of \p F. Returns whether that is valid.
bool callAtEntry(Function &F, Intrinsic::ID ID) {
  Function *Callee = Intrinsic::getOrInsertDeclaration(F.getParent(), ID);
  SmallVector<Value *, 8> Arguments;
  for (Argument &A : Callee->args()) {
    Type *T = A.getType();
    if (T->isMetadataTy() || T->isX86_AMXTy() || T->isTargetExtTy())
      return false;
    Arguments.push_back(
        T->isTokenTy() ? cast<Value>(ConstantTokenNone::get(T->getContext()))
                       : Constant::getNullValue(T));
  }
  IRBuilder<> B(&F.getEntryBlock(), F.getEntryBlock().begin());
  B.CreateCall(Callee, Arguments);
  return !verifyFunction(F);
}

// Whatever LLVM allows in one place only (in the entry block, say) must keep a
// kernel from getting a second body, which has no entry block of its own.
TEST(LaunchVersioning, NoIntrinsicMakesInvalidCode) {
  unsigned Tried = 0, WithTwoBodies = 0;
  IndexSimplifyOptions Options;
  Options.Versioning = VersioningMode::Always;
  for (Intrinsic::ID ID = 1; ID < Intrinsic::num_intrinsics; ++ID) {
    StringRef Name = Intrinsic::getBaseName(ID);
    // Other targets' are no code for a GPU of NVIDIA.
    bool IsOfTarget = Intrinsic::isTargetIntrinsic(ID);
    if (Intrinsic::isOverloaded(ID) ||
        (IsOfTarget && !Name.starts_with("llvm.nvvm.")))
      continue;
    DeviceModule M(Kernel);
    Function &F = M.function();
    if (!callAtEntry(F, ID))
      continue;
    ++Tried;
    LaunchVersioningPass(Options).run(F, M.analyses());
    EXPECT_FALSE(verifyFunction(F, &errs())) << Name.str();
    WithTwoBodies += F.hasFnAttribute("unravel-versioned");
  }
  EXPECT_GE(Tried, 500u);
  EXPECT_GE(WithTwoBodies, Tried / 2);
}

} // namespace
