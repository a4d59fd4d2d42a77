//===- ComplexFunctions.h - Code for operations on complex numbers * C++ -*===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A complex number is a pair, <2 x float> or <2 x double>. All operations but
// abs, real and imag, whose results are real, yield such a pair.
//
// Where the operands are finite, and the result is as well, nothing in between
// overflows that matters. A zero has a sign, which chooses the side of a branch
// cut, as in C and in Python's cmath.
//
//===----------------------------------------------------------------------===//

#ifndef UNRAVEL_FRONTEND_EMIT_COMPLEXFUNCTIONS_H
#define UNRAVEL_FRONTEND_EMIT_COMPLEXFUNCTIONS_H

#include "frontend/hlo/HloModule.h"
#include "llvm/IR/IRBuilder.h"

namespace unravel {

llvm::Value *makeComplex(llvm::IRBuilderBase &B, llvm::Value *Real,
                         llvm::Value *Imaginary);

llvm::Value *unaryOfComplex(llvm::IRBuilderBase &B, HloOpcode Opcode,
                            llvm::Value *X);

/// The power of c64 is computed in double.
llvm::Value *binaryOfComplex(llvm::IRBuilderBase &B, HloOpcode Opcode,
                             llvm::Value *X, llvm::Value *Y);

} // namespace unravel

#endif // UNRAVEL_FRONTEND_EMIT_COMPLEXFUNCTIONS_H
