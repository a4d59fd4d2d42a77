//===- PtxPrinter.h - Write PTX ---------------------------------*- C++ -*-===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef UNRAVEL_PTX_TEXT_PTXPRINTER_H
#define UNRAVEL_PTX_TEXT_PTXPRINTER_H

#include "ptx/text/PtxSyntax.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/Support/raw_ostream.h"

namespace unravel::ptx {

/// What stands for a name in what is printed, for example `$0` for a register.
using NameMap = llvm::function_ref<std::string(llvm::StringRef)>;

/// From the tree, not from the text: operands that the parser looked into are
/// written anew, with \p Rename applied to their names.
void print(const Operand &O, NameMap Rename, llvm::raw_ostream &OS);
/// With guard and semicolon.
void print(const Instruction &I, NameMap Rename, llvm::raw_ostream &OS);

/// The bytes of \p M, apart from the bodies of some functions: \p NewBody gives
/// what stands between the braces, or nothing for a function that stays.
std::string
splice(const Module &M,
       llvm::function_ref<std::optional<llvm::StringRef>(const Function &)>
           NewBody);

} // namespace unravel::ptx

#endif // UNRAVEL_PTX_TEXT_PTXPRINTER_H
