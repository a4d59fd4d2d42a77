//===- FloatSelects.h - Selections of floating-point numbers ----*- C++ -*-===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In lifted code floating-point numbers are words, which floating-point text
// takes and returns. A selection between such words is `selp.f32` again, as the
// compiler wrote it, and no integer instruction.
//
//===----------------------------------------------------------------------===//

#ifndef UNRAVEL_PTX_LOWER_FLOATSELECTS_H
#define UNRAVEL_PTX_LOWER_FLOATSELECTS_H

#include "llvm/IR/Function.h"

namespace unravel::ptx {

/// In the last IR before the backend.
void selectFloats(llvm::Function &F);

} // namespace unravel::ptx

#endif // UNRAVEL_PTX_LOWER_FLOATSELECTS_H
