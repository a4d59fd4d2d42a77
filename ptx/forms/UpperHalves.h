//===- UpperHalves.h - Comparisons that upper halves decide -----*- C++ -*-===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A number x of 64 bits is less than 2^32 where its upper half is 0, and
// negative where that is. GPUs compare words: a comparison of 64 bits is two
// instructions, and the upper half of a register is there for nothing. nvcc
// masks the upper half for that reason, and LLVM makes x < 2^32 of it.
//
//===----------------------------------------------------------------------===//

#ifndef UNRAVEL_PTX_FORMS_UPPERHALVES_H
#define UNRAVEL_PTX_FORMS_UPPERHALVES_H

#include "llvm/IR/Function.h"

namespace unravel::ptx {

/// Behind the passes, which would turn it back.
void compareUpperHalves(llvm::Function &F);

} // namespace unravel::ptx

#endif // UNRAVEL_PTX_FORMS_UPPERHALVES_H
