//===- ProductFlags.h - Flags of products, restored -------------*- C++ -*-===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef UNRAVEL_TRANSFORMS_FACTS_PRODUCTFLAGS_H
#define UNRAVEL_TRANSFORMS_FACTS_PRODUCTFLAGS_H

#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/Dominators.h"

namespace unravel {

/// Values whose product, as a number, fits their words, at and behind a place.
struct KnownProduct {
  llvm::SmallVector<llvm::Value *, 4> Factors;
  bool Signed;
  llvm::Instruction *Place;
};

/// Gives multiplications of exactly these factors, in whatever order and
/// grouping Reassociate left them, their nsw (nuw) back.
void restoreFlags(llvm::Function &F, llvm::ArrayRef<KnownProduct> Products,
                  const llvm::DominatorTree &DT);

} // namespace unravel

#endif // UNRAVEL_TRANSFORMS_FACTS_PRODUCTFLAGS_H
