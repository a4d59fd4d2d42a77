//===- MaskedWords.h - Two constants in one instruction ---------*- C++ -*-===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// x & 0x000f000f | 0x64006400, as kernels unpack quantised weights, is one
// lop3. ptxas makes it of two instructions only where one of them has no
// constant: an instruction of the GPU has room for one. As lop3 the other is in
// a register, which those with the same constants share.
//
// Proof: each of x & c, x | c and x ^ c is (x & a) ^ b, with a = c, b = 0, or
// a = ~c, b = c, or a = -1, b = c. And ((x & a) ^ b) & c ^ d is
// (x & (a & c)) ^ ((b & c) ^ d).
//
//===----------------------------------------------------------------------===//

#ifndef UNRAVEL_PTX_FORMS_MASKEDWORDS_H
#define UNRAVEL_PTX_FORMS_MASKEDWORDS_H

#include "llvm/IR/Function.h"

namespace unravel::ptx {

/// Words of 32 bits, where at least two share a constant.
void maskWords(llvm::Function &F);

} // namespace unravel::ptx

#endif // UNRAVEL_PTX_FORMS_MASKEDWORDS_H
