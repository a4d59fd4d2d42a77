//===- AddressSources.h - What an address is computed of --------*- C++ -*-===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Which accesses may find their data in a cache, because they ask for what
// other blocks, other warps or earlier iterations asked for.
//
//===----------------------------------------------------------------------===//

#ifndef UNRAVEL_PTX_LIMITS_ADDRESSSOURCES_H
#define UNRAVEL_PTX_LIMITS_ADDRESSSOURCES_H

#include "llvm/ADT/DenseSet.h"
#include "llvm/IR/CycleInfo.h"
#include <array>

namespace unravel {

/// Indices of a thread or of a block in x, y and z.
using Dimensions = std::array<bool, 3>;

struct AddressSources {
  Dimensions Thread = {}, Block = {};
  /// Blocks of code with joins or with reads of memory that it depends on.
  llvm::DenseSet<const llvm::BasicBlock *> Varying;

  /// The cycles around \p BB in which the address may change.
  unsigned depthOf(const llvm::BasicBlock *BB,
                   const llvm::CycleInfo &Cycles) const;
};

/// What \p Pointer is computed of, through memory too.
AddressSources sourcesOf(const llvm::Value *Pointer);

/// The indices of blocks that \p F reads at all.
Dimensions blockIndicesOf(const llvm::Function &F);

} // namespace unravel

#endif // UNRAVEL_PTX_LIMITS_ADDRESSSOURCES_H
