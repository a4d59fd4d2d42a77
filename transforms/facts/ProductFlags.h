//===- ProductFlags.h - Flags of products, restored -------------*- C++ -*-===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef UNRAVEL_TRANSFORMS_FACTS_PRODUCTFLAGS_H
#define UNRAVEL_TRANSFORMS_FACTS_PRODUCTFLAGS_H

#include "llvm/ADT/PointerIntPair.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/Dominators.h"

namespace unravel {

/// A factor of a product: a value, or one that is extended to the width of the
/// product, with zeros or with its sign.
using ProductFactor = llvm::PointerIntPair<llvm::Value *, 1, bool>;

/// \p V, or what it extends.
ProductFactor productFactor(llvm::Value *V);

/// Factors whose product, as a number, fits a word, at and behind a place.
struct KnownProduct {
  llvm::SmallVector<ProductFactor, 4> Factors;
  unsigned Width; ///< of the word, in bits
  bool Signed;
  llvm::Instruction *Place;
};

/// Gives multiplications of exactly these factors, in whatever order and
/// grouping Reassociate left them, their nsw (nuw) back.
void restoreFlags(llvm::Function &F, llvm::ArrayRef<KnownProduct> Products,
                  const llvm::DominatorTree &DT);

} // namespace unravel

#endif // UNRAVEL_TRANSFORMS_FACTS_PRODUCTFLAGS_H
