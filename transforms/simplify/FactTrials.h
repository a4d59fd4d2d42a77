//===- FactTrials.h - What a kernel would cost with facts -------*- C++ -*-===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What a fact saves does not follow from the divisions that miss it: one alone
// may save nothing, and two may have the same effect. So facts are tried: a
// copy of the kernel, as it was before the pass, is simplified with them, and
// costs what the pass would decide by.
//
//===----------------------------------------------------------------------===//

#ifndef UNRAVEL_TRANSFORMS_SIMPLIFY_FACTTRIALS_H
#define UNRAVEL_TRANSFORMS_SIMPLIFY_FACTTRIALS_H

#include "transforms/late/LatePrices.h"
#include "transforms/simplify/IndexSimplifyOptions.h"
#include "llvm/Transforms/Utils/ValueMapper.h"
#include <functional>
#include <memory>

namespace unravel {

class TrialCopy;
struct WantedFact;

class FactTrials {
public:
  struct Result {
    LatePrice Price;   ///< of an ordinary launch, behind later passes
    uint64_t Work = 0; ///< as IndexContext::work()
  };
  /// Simplifies a function without remarks.
  using Pass =
      std::function<Result(llvm::Function &, const IndexSimplifyOptions &,
                           llvm::FunctionAnalysisManager &)>;

  /// Keeps a copy of \p F as it is now.
  FactTrials(llvm::Function &F, llvm::FunctionAnalysisManager &AM,
             IndexSimplifyOptions Options, Pass Simplify);

  /// \p Copy, in a second body, is what \p Original is in the first one.
  void addCopy(const llvm::Value *Original, const llvm::Value *Copy);
  /// Whether all that \p Fact is about was there before the pass.
  bool canState(const WantedFact &Fact) const;
  /// Weighted by loop depth; the same for the same facts. Absent when as many
  /// trials were made, or as much work, as one kernel may have.
  std::optional<uint64_t> priceWith(llvm::ArrayRef<const WantedFact *> Facts);
  /// If \p Sum, an addition, subtraction, multiplication or shift of the
  /// kernel, never wrapped.
  std::optional<uint64_t> priceWithExact(const llvm::Instruction *Sum);

private:
  std::optional<uint64_t> tryWith(llvm::function_ref<void(TrialCopy &)> State);

  llvm::Function &F;
  llvm::FunctionAnalysisManager &AM;
  IndexSimplifyOptions Options;
  Pass Simplify;
  /// In no module, so that no pass sees it. The map follows what the pass
  /// replaces.
  std::unique_ptr<llvm::Function> Pristine;
  std::unique_ptr<llvm::ValueToValueMapTy> Copies;
  std::optional<uint64_t> WithNone;
  unsigned TrialsLeft;
  uint64_t WorkLeft;
};

/// Null unless missed remarks of the pass are wanted and the kernel is short
/// enough for trials.
std::optional<FactTrials> tryMissingFacts(llvm::Function &F,
                                          llvm::FunctionAnalysisManager &AM,
                                          const IndexSimplifyOptions &Options,
                                          FactTrials::Pass Simplify);

} // namespace unravel

#endif // UNRAVEL_TRANSFORMS_SIMPLIFY_FACTTRIALS_H
