//===- UnwrittenValue.h - What an unwritten register has --------*- C++ -*-===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A register that is read before it is written has some value, the same at each
// read: to LLVM, the result of a function that nothing is known of. What
// becomes of it is decided behind the optimisations
// (ptx/forms/UnwrittenRegisters.h).
//
//===----------------------------------------------------------------------===//

#ifndef UNRAVEL_PTX_LIFT_UNWRITTENVALUE_H
#define UNRAVEL_PTX_LIFT_UNWRITTENVALUE_H

#include "llvm/IR/IRBuilder.h"

namespace unravel::ptx {

/// The value of a register of type \p Ty, an integer, before it is written.
llvm::Value *unwritten(llvm::IRBuilderBase &B, llvm::Type *Ty);

/// Whether unwritten() has made \p V.
bool isUnwritten(const llvm::Value *V);

} // namespace unravel::ptx

#endif // UNRAVEL_PTX_LIFT_UNWRITTENVALUE_H
