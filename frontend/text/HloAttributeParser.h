//===- HloAttributeParser.h - Attributes of instructions --------*- C++ -*-===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Which attributes an opcode has, and how their values are written.
//
//===----------------------------------------------------------------------===//

#ifndef UNRAVEL_FRONTEND_TEXT_HLOATTRIBUTEPARSER_H
#define UNRAVEL_FRONTEND_TEXT_HLOATTRIBUTEPARSER_H

#include "frontend/text/HloLexer.h"

namespace unravel {

/// The struct of \p Opcode with nothing in it yet.
HloAttributes emptyAttributesOf(HloOpcode Opcode);

/// The attributes by which \p Opcode names the computations that it calls, in
/// the order of HloInstruction::callees(): `to_apply`, or `condition` and
/// `body`. A conditional may have `branch_computations` instead of its two.
llvm::ArrayRef<llvm::StringLiteral> calleeAttributesOf(HloOpcode Opcode);

/// Parses `, name=value` as often as it is there.
class HloAttributeParser {
public:
  using FindComputation =
      llvm::function_ref<const HloComputation *(llvm::StringRef)>;

  HloAttributeParser(HloLexer &Lexer, FindComputation Find)
      : Lexer(Lexer), Find(Find) {}

  /// The attributes of \p I, known and unknown ones. Errors: one that is
  /// missing, written twice, or not as it should be.
  llvm::Error parse(HloInstruction &I);
  /// Of an operation that stands in an operand, where a comma ends it.
  llvm::Error parseNone(HloInstruction &I);
  /// Attributes of modules and computations, kept as text. \p ParseOwn is asked
  /// first; false if the value is still to be parsed.
  llvm::Error parseText(
      std::vector<HloTextAttribute> &Attributes,
      llvm::ArrayRef<llvm::StringLiteral> Known,
      llvm::function_ref<llvm::Expected<bool>(llvm::StringRef Name)> ParseOwn);

private:
  llvm::Error finish(HloInstruction &I, HloAttributes Attributes,
                     llvm::ArrayRef<llvm::StringRef> Seen, size_t Begin,
                     llvm::StringRef Remedy = "");
  llvm::Error parseOne(HloInstruction &I, HloAttributes &Attributes,
                       llvm::SmallVectorImpl<llvm::StringRef> &Seen);
  llvm::Error parseCallee(const HloComputation *&To);
  llvm::Error parseBranches();
  llvm::Expected<HloTextAttribute> parseTextValue(llvm::StringRef Name);

  HloLexer &Lexer;
  FindComputation Find;
  /// Of the instruction that is parsed.
  llvm::SmallVector<const HloComputation *, 2> Callees;
};

} // namespace unravel

#endif // UNRAVEL_FRONTEND_TEXT_HLOATTRIBUTEPARSER_H
