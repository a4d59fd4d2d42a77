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

#include "transforms/certify/ValueEncoder.h"
#include "transforms/simplify/IndexRoots.h"

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
};

RewriteProof proveRewrite(const IndexRoot &Root, const FunctionView &View);

/// Removes from \p Chosen what is not proved, with a remark for each, and says
/// in a remark how many are.
void refuseUndecidedRewrites(std::vector<IndexRoot *> &Chosen,
                             const FunctionView &View, RemarkSink &Remarks,
                             llvm::OptimizationRemarkEmitter &ORE);

} // namespace unravel

#endif // UNRAVEL_TRANSFORMS_SIMPLIFY_REWRITECERTIFIER_H
