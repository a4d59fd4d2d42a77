//===- PlannedRewrite.h - Rewrites made by hand -----------------*- C++ -*-===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What the tests of RewriteVerifier and RewriteCertifier share.
//
//===----------------------------------------------------------------------===//

#ifndef UNRAVEL_TEST_UNIT_TRANSFORMS_SIMPLIFY_PLANNEDREWRITE_H
#define UNRAVEL_TEST_UNIT_TRANSFORMS_SIMPLIFY_PLANNEDREWRITE_H

#include "test/unit/IRTestHelper.h"
#include "transforms/simplify/IndexRoots.h"

namespace unravel::test {

/// A function with a value %old that is used in the block %here.
class PlannedRewrite {
public:
  explicit PlannedRewrite(llvm::StringRef Text) : M(Text), A(M) {
    Root.Old = llvm::cast<llvm::Instruction>(A.value("old"));
    Root.Kind = Root.Old->getType()->isPointerTy() ? RootKind::Address
                                                   : RootKind::Value;
    Root.At = A.block("here")->getTerminator();
  }

  const PlanNode *leaf(llvm::StringRef Name, bool MayBeUndef = false) {
    llvm::Value *V = A.value(Name);
    llvm::Type *Ty = V->getType();
    return Plan.leaf(V, Ty->isPointerTy() ? 0 : Ty->getIntegerBitWidth(),
                     MayBeUndef);
  }
  const PlanNode *number(int64_t Value, unsigned Width = 32) {
    return Plan.constant(Value, Width);
  }
  /// Executed in the place of %old, unless \p Anchor names another.
  const PlanNode *divide(PlanOp Op, const PlanNode *N, const PlanNode *D,
                         llvm::StringRef Anchor = "old") {
    return Plan.divideBy(Op, N, D,
                         llvm::cast<llvm::Instruction>(A.value(Anchor)));
  }

  DeviceModule M;
  AnalysedFunction A;
  IndexPlan Plan;
  IndexRoot Root;
};

} // namespace unravel::test

#endif // UNRAVEL_TEST_UNIT_TRANSFORMS_SIMPLIFY_PLANNEDREWRITE_H
