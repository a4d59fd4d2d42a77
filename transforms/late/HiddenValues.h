//===- HiddenValues.h - Values that loop passes leave alone -----*- C++ -*-===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef UNRAVEL_TRANSFORMS_LATE_HIDDENVALUES_H
#define UNRAVEL_TRANSFORMS_LATE_HIDDENVALUES_H

#include "llvm/IR/IRBuilder.h"

namespace unravel {

/// Hides values from scalar evolution, as the divisions did that they replace.
/// A signed division is unknown to it as a whole: V becomes `V ^ expect(0, N)`.
/// An unsigned one is a quotient, which passes do not compute anew: V becomes
/// `V / expect(1, N)`. Code generation reads 0 or 1 in place of the call, and V
/// in place of V ^ 0 or V / 1.
///
/// Without this, LoopStrengthReduce computes what depends on a quotient, such
/// as the bounds of inner loops, in several ways at once, or leaves the
/// addresses of inner loops alone because they begin at a quotient: up to 1.75
/// times the instructions of an inner loop.
class HiddenValues {
public:
  /// Goes on counting where \p F stops.
  explicit HiddenValues(const llvm::Function &F);
  /// \p V, an integer, as a value of which scalar evolution knows nothing.
  llvm::Instruction *hide(llvm::IRBuilderBase &B, llvm::Value *V);
  /// \p V as a quotient by something unknown.
  llvm::Instruction *hideAsQuotient(llvm::IRBuilderBase &B, llvm::Value *V);
  /// Has the users of \p Hidden, which hide() or hideAsQuotient() has made, use
  /// the value itself again.
  static void reveal(llvm::Instruction *Hidden);
  /// Whether \p I is what hide() or hideAsQuotient() has made, in any function.
  static bool isHidden(const llvm::Instruction &I);

private:
  llvm::Value *expected(llvm::IRBuilderBase &B, llvm::Type *Ty, unsigned C);

  /// Equal calls would be merged, across blocks even, and be no constants then.
  unsigned Number = 0;
};

} // namespace unravel

#endif // UNRAVEL_TRANSFORMS_LATE_HIDDENVALUES_H
