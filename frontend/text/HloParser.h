//===- HloParser.h - HLO modules from text ----------------------*- C++ -*-===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Reads what XLA prints, and what its documents show:
//
//     module      ::= header? tables? (computation* | instruction*)
//     header      ::= 'HloModule' name (',' attribute)*
//     computation ::= 'ENTRY'? name signature? '{' instruction* '}'
//                     (',' attribute)*
//     signature   ::= '(' (name ':' shape (',' name ':' shape)*)? ')' '->'
//                     shape
//     instruction ::= 'ROOT'? name '=' operation (',' attribute)*
//     operation   ::= shape? opcode '(' operands ')'
//     operands    ::= (operand (',' operand)*)? | number | literal
//     operand     ::= shape? name | operation
//     attribute   ::= name '=' value
//
// Names may begin with `%`. Tables of source positions (FileNames and others)
// are kept as text. A text that is only instructions is one computation.
// Without ENTRY, the last computation is the entry; without ROOT, the last
// instruction is the root. An operand has to be defined before
// its user, a computation before it is called. A shape may be missing if the
// operands tell it. Some operations become others: HloEquivalents.h.
//
// Attributes that mean nothing here are kept as text and printed again; a
// warning says so, but for metadata, backend_config, frontend_attributes and
// sharding.
//
//===----------------------------------------------------------------------===//

#ifndef UNRAVEL_FRONTEND_TEXT_HLOPARSER_H
#define UNRAVEL_FRONTEND_TEXT_HLOPARSER_H

#include "frontend/hlo/HloModule.h"

namespace unravel {

/// A computation that calls one that calls ... may not go deeper than this.
constexpr unsigned MaxHloCallDepth = 100;

/// Parses \p Text. Shapes are not compared with what they should be, see
/// HloVerifier.h. Errors are "NAME:LINE:COLUMN: error: WHAT", the line of text
/// and a caret; warnings are appended to \p Warnings as "NAME:LINE:COLUMN:
/// warning: WHAT".
///
/// With \p EntryName that computation becomes the entry, and what follows it,
/// which it cannot call, is not read: dumps of whole programs have opcodes in
/// their own entry that nothing here knows.
llvm::Expected<std::unique_ptr<HloModule>>
parseHlo(llvm::StringRef Text, llvm::StringRef BufferName,
         std::vector<std::string> &Warnings, llvm::StringRef EntryName = "");

} // namespace unravel

#endif // UNRAVEL_FRONTEND_TEXT_HLOPARSER_H
