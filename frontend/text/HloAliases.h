//===- HloAliases.h - Results in the memory of parameters -------*- C++ -*-===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A module may say that a result shall have the memory of a parameter:
//
//     HloModule m, input_output_alias={ {1}: (0, {}, must-alias), {2}: 3 }
//
// Result 1 must, result 2 may be written over parameter 0 and 3.
//
//===----------------------------------------------------------------------===//

#ifndef UNRAVEL_FRONTEND_TEXT_HLOALIASES_H
#define UNRAVEL_FRONTEND_TEXT_HLOALIASES_H

#include "frontend/text/HloLexer.h"

namespace unravel {

/// Parses what is behind `input_output_alias=`.
llvm::Error parseAliases(HloLexer &Lexer, std::vector<HloAlias> &Aliases);

/// Prints `, input_output_alias={...}`; nothing if there is none.
void print(llvm::raw_ostream &OS, llvm::ArrayRef<HloAlias> Aliases);

/// Each names an array of the entry's result and one of its parameters with the
/// same shape and layout, and no array is named twice.
llvm::Error verifyAliases(const HloModule &Module);

} // namespace unravel

#endif // UNRAVEL_FRONTEND_TEXT_HLOALIASES_H
