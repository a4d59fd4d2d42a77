//===- PlainShifts.h - Shifts that need no bound in PTX ---------*- C++ -*-===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// LLVM's shifts are undefined for amounts of the width and beyond, so that a
// lifted shift has a selection beside it, n < 32 ? x << n : 0, or a minimum in
// its amount, x >> min(n, 31). That is what PTX's shifts do by themselves: this
// prints such a shift as shl.b32 x, n.
//
//===----------------------------------------------------------------------===//

#ifndef UNRAVEL_PTX_FORMS_PLAINSHIFTS_H
#define UNRAVEL_PTX_FORMS_PLAINSHIFTS_H

#include "llvm/IR/Function.h"

namespace unravel::ptx {

/// The last step before the backend: what comes out is text to LLVM.
void makePlainShifts(llvm::Function &F);

} // namespace unravel::ptx

#endif // UNRAVEL_PTX_FORMS_PLAINSHIFTS_H
