//===- RewriteCertifier.h - Decides rewrites --------------------*- C++ -*-===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// -index-simplify-certify: before a rewrite is committed, the old value and the
// planned one are proved equal wherever the old one is defined, for all inputs,
// by means that share nothing with the algebra (transforms/certify). A rewrite
// without proof is refused; a remark says why there is none.
//
//===----------------------------------------------------------------------===//

#ifndef UNRAVEL_TRANSFORMS_SIMPLIFY_REWRITECERTIFIER_H
#define UNRAVEL_TRANSFORMS_SIMPLIFY_REWRITECERTIFIER_H

#include "transforms/certify/PlanEncoder.h"
#include "transforms/simplify/IndexRoots.h"
#include "llvm/IR/ValueHandle.h"

namespace llvm {
class OptimizationRemarkEmitter;
} // namespace llvm

namespace unravel {

class RemarkSink;

/// The outcome for one rewrite.
struct RewriteProof {
  /// Empty: it is proved. Otherwise what is missing.
  std::string Missing;
  /// Cases, certificates, and their nodes.
  unsigned Cases = 0, Certificates = 0, Nodes = 0;
  /// The new code without the flags of these is what is proved.
  PlanNodeSet Unflagged = {};
};

/// Rewrites of one run that were refused. Later rounds propose them again, and
/// the answer would be the same.
class RefusedRewrites {
public:
  bool contains(const IndexRoot &Root) const;
  void add(const IndexRoot &Root);

private:
  /// The value and a hash of its new code: where two are the same by chance,
  /// one more is refused.
  std::vector<std::pair<llvm::WeakVH, size_t>> All;
};

/// \p Divisions has what was found out for other roots of the same plan.
RewriteProof proveRewrite(const IndexRoot &Root, const FunctionView &View,
                          DivisionProofs &Divisions);

/// Removes from \p Chosen what is not proved, with a remark for each that is
/// not in \p Refused yet, and says in a remark how many are.
void refuseUndecidedRewrites(std::vector<IndexRoot *> &Chosen,
                             const FunctionView &View, RefusedRewrites &Refused,
                             RemarkSink &Remarks,
                             llvm::OptimizationRemarkEmitter &ORE);

} // namespace unravel

#endif // UNRAVEL_TRANSFORMS_SIMPLIFY_REWRITECERTIFIER_H
