//===- PlainDivisions.h - Divisions that need no guard in PTX ---*- C++ -*-===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// LLVM's sdiv is undefined for the lowest number by -1, so that a lifted
// division has a selection in front: n / (n == lowest && d == -1 ? 1 : d). PTX
// gives the lowest number for both, and 0 as remainder: this prints such a
// division as div.s32 n, d.
//
//===----------------------------------------------------------------------===//

#ifndef UNRAVEL_PTX_FORMS_PLAINDIVISIONS_H
#define UNRAVEL_PTX_FORMS_PLAINDIVISIONS_H

#include "llvm/IR/Function.h"

namespace unravel::ptx {

/// The last step before the backend: what comes out is text to LLVM.
void makePlainDivisions(llvm::Function &F);

} // namespace unravel::ptx

#endif // UNRAVEL_PTX_FORMS_PLAINDIVISIONS_H
