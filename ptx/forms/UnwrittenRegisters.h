//===- UnwrittenRegisters.h - Registers before a write ----------*- C++ -*-===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Where a register is not written on a path, the backend would move some number
// into it there:
//
//     @%p1 bra END;         mov %r1, 0;  mov %r2, 0;  mov %r3, 0;
//     ld.global %r1, ...    @%p1 bra END;
//     @%p2 bra END;         ld.global %r1, ...
//     ld.global %r2, ...    mov %r2, 0;  mov %r3, 0;
//     @%p3 bra END;         @%p2 bra END; ...
//
// With a chain of n guards that is n*n/2 moves. So in a kernel with many, they
// are left as they are. Where there are few they are 0: ptxas makes predicates
// of a guard around one load, and for that it has to know what the register is
// otherwise.
//
//===----------------------------------------------------------------------===//

#ifndef UNRAVEL_PTX_FORMS_UNWRITTENREGISTERS_H
#define UNRAVEL_PTX_FORMS_UNWRITTENREGISTERS_H

#include "llvm/IR/Function.h"

namespace unravel::ptx {

/// In the IR of the old kernel, where such a register has a frozen poison: has
/// LLVM know nothing of the value, which it would take for 0.
void markUnwritten(llvm::Function &F);

/// In the last IR before the backend: nothing is left of the marks.
void settleUnwritten(llvm::Function &F);

} // namespace unravel::ptx

#endif // UNRAVEL_PTX_FORMS_UNWRITTENREGISTERS_H
