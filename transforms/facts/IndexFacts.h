//===- IndexFacts.h - Collects facts while they exist -----------*- C++ -*-===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef UNRAVEL_TRANSFORMS_FACTS_INDEXFACTS_H
#define UNRAVEL_TRANSFORMS_FACTS_INDEXFACTS_H

#include "transforms/facts/FactsFile.h"
#include <memory>

namespace unravel {

struct IndexFactsOptions {
  enum class Mode {
    Record,   ///< early and often: facts become markers, ranges and attributes
    Lend,     ///< in front of a run of index-simplify that is not the last one:
              ///< assumptions are added to the markers
    Withdraw, ///< behind it: the assumptions go, the markers stay
    State,    ///< in front of the last one: markers become assumptions
    Forget    ///< behind it: nothing stays
  };
  Mode Mode = Mode::Record;
  /// Promises of the command line: ctaid * ntid + tid is at most 2^31 - 1;
  /// integers that are divided by, or factors of such, are positive.
  bool IndexFits = false, PositiveSizes = false;
  /// The file with more facts; empty if there is none.
  std::string FactsFile;
};

/// What the runs of the pass in one compilation have in common.
struct IndexFactsState {
  /// Read when the first function is seen.
  std::optional<FactsFile> File;
  bool IsFileRead = false;
  FactErrors Errors;
  /// Where modules are parts of a file, such as single kernels of PTX: its name
  /// and all of its kernels.
  std::string WholeFile;
  std::vector<std::string> KernelsOfFile;
};

/// The shape of a product, `nsw` on it, exists in what the front end emits and
/// is lost to Reassociate, LICM and InstCombine. This pass records such facts
/// in a form that survives (FactMarkers), together with what people state about
/// launches and arguments (KernelFacts).
class IndexFactsPass : public llvm::PassInfoMixin<IndexFactsPass> {
public:
  IndexFactsPass(IndexFactsOptions Options,
                 std::shared_ptr<IndexFactsState> Shared)
      : Options(std::move(Options)), Shared(std::move(Shared)) {}
  llvm::PreservedAnalyses run(llvm::Function &F,
                              llvm::FunctionAnalysisManager &AM);
  void printPipeline(
      llvm::raw_ostream &OS,
      llvm::function_ref<llvm::StringRef(llvm::StringRef)> MapClassName);

  /// For a pass that stands alone in a pipeline: puts in force what people
  /// state and what was recorded, unless something is in force already. True if
  /// Mode::Forget has to follow.
  bool bringIntoForce(llvm::Function &F, llvm::FunctionAnalysisManager &AM);

private:
  bool isForDevice(const llvm::Function &F);
  bool record(llvm::Function &F, llvm::FunctionAnalysisManager &AM);
  bool applyStatements(llvm::Function &F, llvm::FunctionAnalysisManager &AM);
  bool state(llvm::Function &F, llvm::FunctionAnalysisManager &AM,
             bool KeepsMarkers);
  bool applyFile(llvm::Function &F);

  IndexFactsOptions Options;
  std::shared_ptr<IndexFactsState> Shared;
};

} // namespace unravel

#endif // UNRAVEL_TRANSFORMS_FACTS_INDEXFACTS_H
