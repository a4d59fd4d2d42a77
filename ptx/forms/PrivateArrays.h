//===- PrivateArrays.h - Arrays as ptxas understands them -------*- C++ -*-===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// ptxas puts an array in local memory into registers where it understands all
// addresses, with a select for each element where an index has a value of run
// time: up to twice the instructions and registers. It understands
//
//     st.local.b32 [%array+24], %r1;
//
// and not what several accesses take from a register:
//
//     add.s64 %place, %array, 24;
//     st.local.b32 [%place], %r1;
//
// nor the array where cvta has made its address from a generic one.
//
// Which of them is faster depends on the kernel. So what is computed in the old
// kernel is computed in the new one, and ptxas decides as it did.
//
//===----------------------------------------------------------------------===//

#ifndef UNRAVEL_PTX_FORMS_PRIVATEARRAYS_H
#define UNRAVEL_PTX_FORMS_PRIVATEARRAYS_H

#include "llvm/IR/Function.h"

namespace unravel::ptx {

/// In the IR of the old kernel, where addresses are numbers: notes the places
/// in arrays, in bytes, that several instructions use.
void noteArrayPlaces(llvm::Function &F);

/// In the last IR before the backend: loads and stores behind such a place are
/// relative to it.
void keepArrayPlaces(llvm::Function &F);

} // namespace unravel::ptx

#endif // UNRAVEL_PTX_FORMS_PRIVATEARRAYS_H
