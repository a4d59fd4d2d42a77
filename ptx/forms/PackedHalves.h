//===- PackedHalves.h - Two halves in one instruction -----------*- C++ -*-===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// mov.b32 d, {lo, hi} is lifted as zext(lo) | zext(hi) << 16, which the passes
// understand, and mov.b64 likewise. The backend prints that as it stands, in
// four instructions. This makes one of it again: a vector of two halves, or the
// text where the backend has no such vectors.
//
//===----------------------------------------------------------------------===//

#ifndef UNRAVEL_PTX_FORMS_PACKEDHALVES_H
#define UNRAVEL_PTX_FORMS_PACKEDHALVES_H

#include "llvm/IR/Function.h"

namespace unravel::ptx {

/// Behind the passes, which do not look into vectors.
void packHalves(llvm::Function &F);

} // namespace unravel::ptx

#endif // UNRAVEL_PTX_FORMS_PACKEDHALVES_H
