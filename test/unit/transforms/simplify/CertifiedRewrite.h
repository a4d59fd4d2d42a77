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

#include "test/unit/transforms/simplify/PlannedRewrite.h"
#include "transforms/simplify/RewriteCertifier.h"
#include "llvm/Analysis/AssumptionCache.h"
#include "llvm/Analysis/ScalarEvolution.h"

namespace unravel::test {

class CertifiedRewrite : public PlannedRewrite {
public:
  using PlannedRewrite::PlannedRewrite;

  RewriteProof prove(const PlanNode *New) {
    Root.New = New;
    FunctionView View{A.F,
                      A.DT,
                      A.AM.getResult<llvm::LoopAnalysis>(A.F),
                      A.AM.getResult<llvm::ScalarEvolutionAnalysis>(A.F),
                      A.AM.getResult<llvm::AssumptionAnalysis>(A.F),
                      &memo()};
    DivisionProofs Divisions;
    return proveRewrite(Root, View, Divisions);
  }
  /// One for all rewrites of all functions: what was proved of one must say
  /// nothing of another.
  static ProofMemo &memo() {
    static ProofMemo Memo;
    return Memo;
  }
  /// What is missing for a proof of it as it is; empty if there is one.
  std::string missing(const PlanNode *New) {
    RewriteProof Proof = prove(New);
    return Proof.Missing.empty() && !Proof.Unflagged.empty()
               ? "a proof of its flags"
               : Proof.Missing;
  }
  bool isProved(const PlanNode *New) { return missing(New).empty(); }
  /// Takes off the flags that are not proved.
  bool isProvedWithoutFlags(const PlanNode *New) {
    RewriteProof Proof = prove(New);
    for (const PlanNode *Node : Proof.Unflagged)
      IndexPlan::dropFlagsOf(Node);
    return Proof.Missing.empty();
  }
};

} // namespace unravel::test

#endif // UNRAVEL_TEST_UNIT_TRANSFORMS_SIMPLIFY_CERTIFIEDREWRITE_H
