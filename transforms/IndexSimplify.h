//===- IndexSimplify.h - Simplifies index arithmetic ------------*- C++ -*-===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef UNRAVEL_TRANSFORMS_INDEXSIMPLIFY_H
#define UNRAVEL_TRANSFORMS_INDEXSIMPLIFY_H

#include "llvm/IR/PassManager.h"

namespace unravel {

struct IndexSimplifyOptions {
  bool Addresses = true;   ///< rewrite addresses of memory accesses
  bool Comparisons = true; ///< rewrite and fold integer comparisons
  bool Values = true;      ///< rewrite other quotients and remainders
  /// Compare each rewrite with the code it replaces, at this many points,
  /// before it is committed (RewriteVerifier.h).
  bool Verify = false;
  unsigned VerifyPoints = 256;
};

/// Writes every address, integer comparison and escaping quotient of a GPU
/// kernel as an index form, simplifies it with the facts that hold there, and
/// emits what is cheaper. Does nothing on modules that are not NVPTX. The CFG
/// stays as it is; a comparison that is always true becomes the constant.
class IndexSimplifyPass : public llvm::PassInfoMixin<IndexSimplifyPass> {
public:
  explicit IndexSimplifyPass(IndexSimplifyOptions Options = {})
      : Options(Options) {}
  llvm::PreservedAnalyses run(llvm::Function &F,
                              llvm::FunctionAnalysisManager &AM);
  void printPipeline(llvm::raw_ostream &OS,
                     llvm::function_ref<llvm::StringRef(llvm::StringRef)>
                         MapClassName2PassName);

private:
  IndexSimplifyOptions Options;
};

} // namespace unravel

#endif // UNRAVEL_TRANSFORMS_INDEXSIMPLIFY_H
