//===- DisjointSums.h - Sums of products, not ors ---------------*- C++ -*-===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// LLVM makes an or of a sum whose parts have no bits in common, and ptxas does
// not see that it is one. But ptxas adds to a product in the instruction that
// multiplies, and to a shifted word in the one that shifts.
//
//===----------------------------------------------------------------------===//

#ifndef UNRAVEL_PTX_FORMS_DISJOINTSUMS_H
#define UNRAVEL_PTX_FORMS_DISJOINTSUMS_H

#include "llvm/IR/Function.h"

namespace unravel::ptx {

/// In the last IR before the backend, to which such sums are text: it would
/// make ors of them again.
void addDisjointProducts(llvm::Function &F);

} // namespace unravel::ptx

#endif // UNRAVEL_PTX_FORMS_DISJOINTSUMS_H
