//===- Promises.h - Facts that a flag promises of all kernels ---*- C++ -*-===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Two facts hold in nearly every launch and are stated in nearly none. Nothing
// checks them: a flag is the user's word for every kernel of the compilation.
//
//===----------------------------------------------------------------------===//

#ifndef UNRAVEL_TRANSFORMS_FACTS_PROMISES_H
#define UNRAVEL_TRANSFORMS_FACTS_PROMISES_H

#include "llvm/IR/Function.h"

namespace llvm {
class AssumptionCache;
class DominatorTree;
} // namespace llvm

namespace unravel {

/// -index-simplify-promise-index-fits: ctaid * ntid + tid < 2^31 in every
/// dimension. Puts the flags on the arithmetic, while it has this shape.
bool promiseIndexFits(llvm::Function &F);
/// The same where nctaid * ntid <= 2^31 is assumed: UNRAVEL_NO_WRAP_GRID.
bool useAssumedGrids(llvm::Function &F, llvm::AssumptionCache &AC,
                     llvm::DominatorTree &DT);
/// As an assumption at the entry of a kernel, for index-simplify.
bool stateIndexFits(llvm::Function &F, llvm::AssumptionCache &AC);

/// -index-simplify-promise-positive-sizes: assumes that arguments of a kernel
/// (and fields of structs passed by value) that a signed division divides by,
/// or that are factors of such a divisor, are positive.
bool promisePositiveSizes(llvm::Function &F, llvm::AssumptionCache &AC);

} // namespace unravel

#endif // UNRAVEL_TRANSFORMS_FACTS_PROMISES_H
