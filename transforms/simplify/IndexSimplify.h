//===- IndexSimplify.h - Simplifies index arithmetic ------------*- C++ -*-===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef UNRAVEL_TRANSFORMS_SIMPLIFY_INDEXSIMPLIFY_H
#define UNRAVEL_TRANSFORMS_SIMPLIFY_INDEXSIMPLIFY_H

#include "transforms/simplify/FactTrials.h"
#include "transforms/simplify/IndexSimplifyOptions.h"
#include "transforms/simplify/RewriteTrial.h"
#include "llvm/IR/PassManager.h"

namespace unravel {

class RemarkSink;

struct Simplification {
  bool Changed = false;
  uint64_t Work = 0; ///< as IndexContext::work()
};

/// Simplifies \p F, or only the body of \p Trial, which says what pays
/// behind later passes. Analyses that this preserved stay valid.
Simplification simplifyIndices(llvm::Function &F,
                               const IndexSimplifyOptions &Options,
                               llvm::FunctionAnalysisManager &AM,
                               RewriteTrial &Trial, RemarkSink &Remarks);

/// What \p F costs when index-hidden-quotients has seen it, which may change
/// it.
/// \p Trial knows its price.
LatePrice priceBehindPipeline(llvm::Function &F,
                              llvm::FunctionAnalysisManager &AM,
                              RewriteTrial &Trial);

/// Simplifies \p Copy without remarks, for trials of facts, and prices it
/// behind the pipeline.
FactTrials::Result priceSimplified(llvm::Function &Copy,
                                   const IndexSimplifyOptions &Options,
                                   llvm::FunctionAnalysisManager &AM);

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

#endif // UNRAVEL_TRANSFORMS_SIMPLIFY_INDEXSIMPLIFY_H
