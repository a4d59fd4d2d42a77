//===- AddIndexSimplifyPasses.h - For compilers that adopt them -*- C++ -*-===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The passes as a library: link UnravelTransforms and either put them into
// function pipelines of your own,
//
//   IndexSimplifyPasses Passes;
//   recordIndexFacts(FPM, Passes);        // in front of what reassociates
//   ...                                   // your passes
//   addIndexSimplifyPasses(FPM, Passes);  // behind inlining and unrolling
//
// or let LLVM's default pipelines have them, as the plugin does:
//
//   PassBuilder PB(&TargetMachine);
//   addIndexSimplifyCallbacks(PB, Passes);
//   PB.buildPerModuleDefaultPipeline(OptimizationLevel::O3);
//
// What is known of launches is stated in the IR, or in Facts (docs/facts.md).
//
//===----------------------------------------------------------------------===//

#ifndef UNRAVEL_TRANSFORMS_ADDINDEXSIMPLIFYPASSES_H
#define UNRAVEL_TRANSFORMS_ADDINDEXSIMPLIFYPASSES_H

#include "transforms/facts/IndexFacts.h"
#include "transforms/simplify/IndexSimplify.h"
#include <functional>

namespace llvm {
class PassBuilder;
} // namespace llvm

namespace unravel {

/// What the passes of one compilation do, and what they share: copies have the
/// same State, so make one for each compilation and hand it to all functions
/// below.
struct IndexSimplifyPasses {
  IndexSimplifyOptions Simplify;
  /// The mode is that of factsPass().
  IndexFactsOptions Facts;
  /// Run index-reciprocals behind index-simplify.
  bool Reciprocals = true;
  /// The pipeline unrolls loops: simplify in front of that too
  /// (BeforeUnrolling.h).
  bool BeforeUnrolling = true;
  /// Adds passes in front of index-reciprocals, for divisions that it would not
  /// understand otherwise.
  std::function<void(llvm::FunctionPassManager &)> PrepareDivisions;
  std::shared_ptr<IndexFactsState> State = std::make_shared<IndexFactsState>();

  IndexFactsPass factsPass(enum IndexFactsOptions::Mode Mode) const;
};

/// Where LLVM's default pipelines simplify.
enum class IndexSimplifyPlace {
  VectorizerEnd,       ///< after loop unrolling
  ScalarOptimizerLate, ///< before loop unrolling
  None
};

/// Adds index-facts, which keeps what only early IR says: flags of products and
/// assumptions. As early as possible, and again behind inlining; pipelines that
/// drop nothing in between may add it right in front of the passes below.
void recordIndexFacts(llvm::FunctionPassManager &FPM,
                      const IndexSimplifyPasses &Passes);

/// Adds the passes that use these facts, simplify, and leave nothing of the
/// facts. Behind them belong instsimplify and simplifycfg, or passes that do
/// what these do: a guard that is always true is a branch on a constant now.
void addIndexSimplifyPasses(llvm::FunctionPassManager &FPM,
                            const IndexSimplifyPasses &Passes);

/// Makes the pipelines that \p PB builds from now on do all of that, but at
/// O0.
void addIndexSimplifyCallbacks(
    llvm::PassBuilder &PB, const IndexSimplifyPasses &Passes,
    IndexSimplifyPlace Place = IndexSimplifyPlace::VectorizerEnd);

} // namespace unravel

#endif // UNRAVEL_TRANSFORMS_ADDINDEXSIMPLIFYPASSES_H
