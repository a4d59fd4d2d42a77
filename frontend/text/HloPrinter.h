//===- HloPrinter.h - HLO modules as text -----------------------*- C++ -*-===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Prints what the parser reads, in the spelling of XLA: parsing gives the same
// module back, and printing that one the same text.
//
//===----------------------------------------------------------------------===//

#ifndef UNRAVEL_FRONTEND_TEXT_HLOPRINTER_H
#define UNRAVEL_FRONTEND_TEXT_HLOPRINTER_H

#include "frontend/hlo/HloModule.h"

namespace unravel {

void print(llvm::raw_ostream &OS, const HloModule &Module);
void print(llvm::raw_ostream &OS, const HloComputation &Computation,
           bool IsEntry);
/// One instruction, without ROOT, indentation and line end.
void print(llvm::raw_ostream &OS, const HloInstruction &Instruction);

std::string toString(const HloModule &Module);
std::string toString(const HloInstruction &Instruction);

} // namespace unravel

#endif // UNRAVEL_FRONTEND_TEXT_HLOPRINTER_H
