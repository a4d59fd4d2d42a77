//===- FloatWords.h - Words that are floating-point numbers -----*- C++ -*-===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In lifted code floating-point numbers are words, which floating-point text
// takes and returns. A selection between such words is `selp.f32` again, as the
// compiler wrote it, and no integer instruction. LLVM makes `x & 0x7fffffff ==
// 0` of `x == 0.0`, which is one test again, too. Operations on the sign of a
// number stay what the source had, integer instructions.
//
//===----------------------------------------------------------------------===//

#ifndef UNRAVEL_PTX_FORMS_FLOATWORDS_H
#define UNRAVEL_PTX_FORMS_FLOATWORDS_H

#include "llvm/IR/Function.h"

namespace unravel::ptx {

/// In the last IR before the backend.
void restoreFloats(llvm::Function &F);

} // namespace unravel::ptx

#endif // UNRAVEL_PTX_FORMS_FLOATWORDS_H
