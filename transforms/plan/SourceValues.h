//===- SourceValues.h - What the source computes for other code -*- C++ -*-===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef UNRAVEL_TRANSFORMS_PLAN_SOURCEVALUES_H
#define UNRAVEL_TRANSFORMS_PLAN_SOURCEVALUES_H

#include "analysis/recovery/IndexRecovery.h"

namespace unravel {

/// Values that code other than index arithmetic needs (a comparison, say), by
/// the number that they are in one scope: plans use them for nothing.
struct SourceValues {
  explicit SourceValues(const RecoveryScope &Scope);

  llvm::DenseMap<IndexExpr, llvm::SmallVector<llvm::Value *, 2>> Values;
  /// Sums of two terms or more, by their first atom.
  llvm::DenseMap<const IndexAtom *, llvm::SmallVector<IndexExpr, 2>> Sums;
};

} // namespace unravel

#endif // UNRAVEL_TRANSFORMS_PLAN_SOURCEVALUES_H
