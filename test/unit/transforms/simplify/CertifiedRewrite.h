//===- CertifiedRewrite.h - Rewrites made by hand, to prove -----*- C++ -*-===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What the tests of RewriteCertifier share.
//
//===----------------------------------------------------------------------===//

#ifndef UNRAVEL_TEST_UNIT_TRANSFORMS_SIMPLIFY_CERTIFIEDREWRITE_H
#define UNRAVEL_TEST_UNIT_TRANSFORMS_SIMPLIFY_CERTIFIEDREWRITE_H

#include "test/unit/IRTestHelper.h"
#include "transforms/simplify/RewriteCertifier.h"
#include "llvm/Analysis/AssumptionCache.h"
#include "llvm/Analysis/ScalarEvolution.h"

namespace unravel::test {

/// A function with a value %old that is used in the block %here.
class CertifiedRewrite {
public:
  explicit CertifiedRewrite(llvm::StringRef Text) : M(Text), A(M) {
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

  RewriteProof prove(const PlanNode *New) {
    Root.New = New;
    FunctionView View{A.F, A.DT, A.AM.getResult<llvm::LoopAnalysis>(A.F),
                      A.AM.getResult<llvm::ScalarEvolutionAnalysis>(A.F),
                      A.AM.getResult<llvm::AssumptionAnalysis>(A.F)};
    return proveRewrite(Root, View);
  }
  /// What is missing for a proof; empty if there is one.
  std::string missing(const PlanNode *New) { return prove(New).Missing; }
  bool isProved(const PlanNode *New) { return missing(New).empty(); }

  DeviceModule M;
  AnalysedFunction A;
  IndexPlan Plan;
  IndexRoot Root;
};

} // namespace unravel::test

#endif // UNRAVEL_TEST_UNIT_TRANSFORMS_SIMPLIFY_CERTIFIEDREWRITE_H
