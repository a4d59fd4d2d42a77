//===- IndexSimplifyOptions.h - What users choose ---------------*- C++ -*-===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef UNRAVEL_TRANSFORMS_SIMPLIFY_INDEXSIMPLIFYOPTIONS_H
#define UNRAVEL_TRANSFORMS_SIMPLIFY_INDEXSIMPLIFYOPTIONS_H

#include "analysis/proof/ProofMemo.h"
#include "analysis/recovery/IndexRecovery.h"
#include "llvm/IR/PassManager.h"
#include <functional>
#include <memory>

namespace unravel {

/// What the pass tries before it is content with what it has; docs/options.md.
struct IndexSimplifyLimits {
  RecoveryLimits Recovery;
  /// Alternatives that are planned for one root; beyond it sums are written
  /// term by term. Address forms of real kernels need fewer than 50.
  unsigned MaxAlternatives = 128;
  /// Roots of a group that shares code, to try without each of them, one after
  /// another. Judging a subset takes time in the size of the group: of larger
  /// ones, those that lose are left out at once.
  unsigned MaxGroup = 48;
  /// Rewriting can uncover more: a folded comparison frees what it used. Each
  /// round makes the code strictly cheaper, so this would end by itself.
  unsigned MaxRounds = 8;
};

/// Whether kernels get a second body for ordinary launches
/// (LaunchVersioning.h).
enum class VersioningMode {
  Off,
  Auto,    ///< where it pays
  Always,  ///< wherever a fact is missing, for tests
  FastOnly ///< likewise, and other launches are undefined: for measuring
};

struct IndexSimplifyOptions {
  bool Addresses = true;   ///< rewrite addresses of memory accesses
  bool Comparisons = true; ///< rewrite and fold integer comparisons
  bool Values = true;      ///< rewrite other quotients and remainders
  /// Compare each rewrite with the code it replaces, at this many points,
  /// before it is committed (RewriteVerifier.h).
  bool Verify = false;
  unsigned VerifyPoints = 256;
  /// Commit only rewrites that are proved by other means than the algebra
  /// (RewriteCertifier.h).
  bool Certify = false;
  /// What it proved so far: other rounds and bodies ask the same.
  std::shared_ptr<ProofMemo> Proofs = std::make_shared<ProofMemo>();
  /// Loop unrolling follows, and another run: what pays is decided by prices
  /// alone, and what there is to say of code that stays as it is, is said by
  /// the last run.
  bool RunsAgain = false;
  /// Obeyed by launch-versioning, not by index-simplify alone.
  VersioningMode Versioning = VersioningMode::Auto;
  /// Passes behind launch-versioning that share work of divisions, to be tried
  /// on a copy: they save more where less is known. Null if none run.
  std::function<llvm::PreservedAnalyses(llvm::Function &,
                                        llvm::FunctionAnalysisManager &)>
      TryDivisionPasses;
  /// The code that versioning may add, in percent of the kernel's.
  unsigned MaxVersioningGrowth = 150;
  IndexSimplifyLimits Limits;
};

} // namespace unravel

#endif // UNRAVEL_TRANSFORMS_SIMPLIFY_INDEXSIMPLIFYOPTIONS_H
