//===- PureText.h - Instructions that LLVM has no name for ------*- C++ -*-===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Instructions of PTX that compute a number of their operands and do nothing
// else, as text in the last IR before the backend.
//
//===----------------------------------------------------------------------===//

#ifndef UNRAVEL_PTX_FORMS_PURETEXT_H
#define UNRAVEL_PTX_FORMS_PURETEXT_H

#include "llvm/IR/IRBuilder.h"

namespace unravel::ptx {

/// The result of "\p Opcode result, operands;". \p Ty and the operands are
/// integers of 1, 16, 32 or 64 bits. With \p Form, its text stands behind the
/// opcode: "$0, {$1, $2}". A structure is several results: "{$0, $1}, $2".
llvm::Value *pureText(llvm::IRBuilder<> &B, llvm::StringRef Opcode,
                      llvm::Type *Ty, llvm::ArrayRef<llvm::Value *> Operands,
                      llvm::StringRef Form = "");

/// The opcode with its modifiers of \p Text, a call of inline assembly, without
/// the guard: of `@$1 div.s32 $0, $2, $3;` that is `div.s32`.
llvm::StringRef opcodeOf(const llvm::CallInst &Text);

} // namespace unravel::ptx

#endif // UNRAVEL_PTX_FORMS_PURETEXT_H
