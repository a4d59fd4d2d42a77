//===- IndexRoots.h - Where index arithmetic leaves its world ---*- C++ -*-===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A root is a value that index arithmetic computes and that other code uses:
// the pointer of a memory access, an integer comparison, or a quotient that is
// stored, converted, passed on. Everything below a root may be replaced.
//
//===----------------------------------------------------------------------===//

#ifndef UNRAVEL_TRANSFORMS_SIMPLIFY_INDEXROOTS_H
#define UNRAVEL_TRANSFORMS_SIMPLIFY_INDEXROOTS_H

#include "analysis/recovery/IndexRecovery.h"
#include "transforms/plan/IndexPlan.h"
#include "transforms/simplify/IndexSimplifyOptions.h"

namespace unravel {

enum class RootKind : uint8_t { Address, Comparison, Value };

struct IndexRoot {
  RootKind Kind = RootKind::Address;
  llvm::Instruction *Old = nullptr;
  /// The uses to replace, none of them by index arithmetic.
  llvm::SmallVector<llvm::Use *, 2> Uses;
  /// The last place that dominates all uses: the facts that hold there may be
  /// used, and the new value has to be there.
  llvm::Instruction *At = nullptr;

  // Filled in by recovery.
  std::optional<RecoveredPointer> Pointer; ///< of an address
  IndexExpr Form;                          ///< of the others
  /// A comparison `x <u n` whose left side may be negative: then Form is the
  /// signed reading of x and the outcome is `0 <= Form < Limit`.
  IndexExpr Limit;

  // Filled in by planning: one of them, or neither.
  std::optional<bool> Constant; ///< the outcome of a comparison
  const PlanNode *New = nullptr;

  /// What recovery has filled in.
  llvm::SmallVector<IndexExpr, 2> forms() const;
  bool hasPlan() const { return Constant || New; }
  /// Whether this is a division-free comparison on which a loop is left.
  bool decidesLoop(const llvm::LoopInfo &LI) const;
};

/// The roots of \p F, in the order of the IR. Comparisons and values that only
/// feed assumptions are left alone: they are the facts.
std::vector<IndexRoot> collectRoots(llvm::Function &F,
                                    const IndexSimplifyOptions &Options,
                                    llvm::DominatorTree &DT,
                                    llvm::AssumptionCache &AC);

/// The quotients and remainders by values of run time, with all their uses: an
/// address that is best left as it is may be made of digits that are not.
std::vector<IndexRoot> collectDigits(llvm::Function &F,
                                     llvm::DominatorTree &DT);

/// Recovers the form of a root. Returns false where the facts contradict each
/// other, which means that the code is never executed.
bool recoverRoot(IndexRoot &Root, IndexRecovery &Recovery);

} // namespace unravel

#endif // UNRAVEL_TRANSFORMS_SIMPLIFY_INDEXROOTS_H
