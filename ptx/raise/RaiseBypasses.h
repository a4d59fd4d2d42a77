//===- RaiseBypasses.h - Divisions with a short cut -------------*- C++ -*-===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// nvcc and LLVM print a division of 64 bits as two, and choose:
//
//     if ((a | b) >> 32 == 0) q = zext(trunc(a) / trunc(b)); else q = a / b;
//
// This turns them back into the one of 64 bits, of which more can be proved.
//
//===----------------------------------------------------------------------===//

#ifndef UNRAVEL_PTX_RAISE_RAISEBYPASSES_H
#define UNRAVEL_PTX_RAISE_RAISEBYPASSES_H

namespace llvm {
class Function;
} // namespace llvm

namespace unravel::ptx {

/// Returns whether anything changed.
bool raiseBypasses(llvm::Function &F);

} // namespace unravel::ptx

#endif // UNRAVEL_PTX_RAISE_RAISEBYPASSES_H
