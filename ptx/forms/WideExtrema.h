//===- WideExtrema.h - Minima and maxima of words ---------------*- C++ -*-===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// LLVM makes `zext(umin(a, b))` of 16 bits of `umin(zext(a), zext(b))`. GPUs
// before sm_90 have no such instruction, and ptxas extends the operands, and
// the result once more. Minima and maxima of 8 and 16 bits become those of
// words, which is the same: extending keeps the order.
//
//===----------------------------------------------------------------------===//

#ifndef UNRAVEL_PTX_FORMS_WIDEEXTREMA_H
#define UNRAVEL_PTX_FORMS_WIDEEXTREMA_H

#include "llvm/IR/Function.h"

namespace unravel::ptx {

/// In the last IR before the backend.
void widenExtrema(llvm::Function &F);

} // namespace unravel::ptx

#endif // UNRAVEL_PTX_FORMS_WIDEEXTREMA_H
