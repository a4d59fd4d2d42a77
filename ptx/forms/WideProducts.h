//===- WideProducts.h - Products that are widened at once -------*- C++ -*-===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// mul.wide multiplies a word into 64 bits. LLVM scales indices before it widens
// them, and masks them after: `zext(2 * x & 6)`, for `2 * zext(x & 3)`. The
// backend prints that as it stands, in one instruction more. Where a factor is
// extended or loaded in another block, or fits a word because it was masked, or
// the other one is negative, it multiplies 64 bits by 64, shifts 64 bits, or
// subtracts. ptxas adds where it multiplies. A product that is a factor of 64
// bits itself and fits a word stays a word.
//
//===----------------------------------------------------------------------===//

#ifndef UNRAVEL_PTX_FORMS_WIDEPRODUCTS_H
#define UNRAVEL_PTX_FORMS_WIDEPRODUCTS_H

#include "llvm/IR/Function.h"

namespace unravel::ptx {

/// In the last IR before the backend.
void widenProducts(llvm::Function &F);

} // namespace unravel::ptx

#endif // UNRAVEL_PTX_FORMS_WIDEPRODUCTS_H
