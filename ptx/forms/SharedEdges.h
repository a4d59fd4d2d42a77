//===- SharedEdges.h - Copies for the edge that is taken --------*- C++ -*-===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// For the phis of a block, the backend copies values at the end of each block
// that may branch to it, in front of the branch: also where another edge is
// taken, and once more for each test of a chain. Comparisons of keys with
// several words, which swap the keys or not, had seven times the copies. Where
// there are many, they get a block of their own, which all edges share that
// bring the same values:
//
//     mov %x, %a;                    @%p bra Swap;
//     mov %y, %b;                    @%q bra Swap;
//     @%p bra Join;      for       ...
//     mov %x, %a;                  Swap:
//     mov %y, %b;                    mov %x, %a;
//     @%q bra Join;                  mov %y, %b;
//                                  Join:
//
//===----------------------------------------------------------------------===//

#ifndef UNRAVEL_PTX_FORMS_SHAREDEDGES_H
#define UNRAVEL_PTX_FORMS_SHAREDEDGES_H

#include "llvm/IR/Function.h"

namespace unravel::ptx {

/// In the last IR before the backend.
void shareEdges(llvm::Function &F);

} // namespace unravel::ptx

#endif // UNRAVEL_PTX_FORMS_SHAREDEDGES_H
