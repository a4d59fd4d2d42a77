//===- PtxParserBase.h - Declarations and instructions of PTX ---*- C++ -*-===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The parts of the parser that statements and module items share.
//
//===----------------------------------------------------------------------===//

#ifndef UNRAVEL_PTX_TEXT_PTXPARSERBASE_H
#define UNRAVEL_PTX_TEXT_PTXPARSERBASE_H

#include "ptx/text/PtxLexer.h"
#include "ptx/text/PtxSyntax.h"

namespace unravel::ptx {

class ParserBase {
protected:
  ParserBase(llvm::StringRef Text, llvm::StringRef BufferName)
      : L(Text, BufferName) {}

  // PtxDeclarations.cpp

  /// From the state space on, with the semicolon.
  llvm::Expected<Variables> parseVariables(bool IsExtern);
  /// `(.param .u64 a, .param .b8 b[16])`
  llvm::Error parseParameters(std::vector<Variable> &Parameters);
  /// From `.reg` on.
  llvm::Expected<Registers> parseRegisters();

  // PtxInstructions.cpp

  llvm::Expected<Instruction> parseInstruction();

  // What a directive may hold that has no meaning here.

  /// From an opening bracket to the one that closes it.
  llvm::Error skipBalanced();
  /// Up to `,` or one of the closing brackets, or `;`, outside of brackets.
  llvm::Error skipToSeparator();
  llvm::Expected<Directive> parseToSemicolon(llvm::StringRef Name);

  Lexer L;

private:
  llvm::Error parseDeclared(Variable &V);
  llvm::Error parseNameAndSize(Variable &V);
  llvm::Error parseOperand(Operand &O, unsigned Depth);
  llvm::Error parseSimpleOperand(Operand &O, unsigned Depth);
  llvm::Error parseNumber(Operand &O, bool IsNegative);
  llvm::Error parseAddress(Operand &O);
  llvm::Error parseParts(Operand &O, llvm::StringRef Close, unsigned Depth);
};

} // namespace unravel::ptx

#endif // UNRAVEL_PTX_TEXT_PTXPARSERBASE_H
