//===- HiddenValues.h - Values that loop passes leave alone -----*- C++ -*-===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef UNRAVEL_TRANSFORMS_RECIPROCAL_HIDDENVALUES_H
#define UNRAVEL_TRANSFORMS_RECIPROCAL_HIDDENVALUES_H

#include "llvm/IR/IRBuilder.h"

namespace unravel {

/// Hides values from scalar evolution: V becomes `V / expect(1, N)`, a quotient
/// by something unknown, which passes do not compute anew. (Nor did they with
/// the division that a reciprocal replaces.) Code generation reads a 1 in place
/// of the call, and V in place of V / 1.
///
/// Without this, LoopStrengthReduce computes what depends on a quotient, such
/// as the bounds of inner loops, in several ways at once: up to 22 SASS
/// instructions more in a kernel of 158, where there are 3 less with it.
class HiddenValues {
public:
  /// \p V, an i32, as a value that scalar evolution does not look into.
  llvm::Value *hide(llvm::IRBuilderBase &B, llvm::Value *V);
  /// Whether \p I is what hide() has made, in any function.
  static bool isHidden(const llvm::Instruction &I);

private:
  /// Equal calls would be merged, across blocks even, and be no constants then.
  unsigned Number = 0;
};

} // namespace unravel

#endif // UNRAVEL_TRANSFORMS_RECIPROCAL_HIDDENVALUES_H
