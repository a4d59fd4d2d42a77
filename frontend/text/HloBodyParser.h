//===- HloBodyParser.h - The instructions of computations -------*- C++ -*-===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What is between the braces of a computation; HloParser.h has the grammar.
//
//===----------------------------------------------------------------------===//

#ifndef UNRAVEL_FRONTEND_TEXT_HLOBODYPARSER_H
#define UNRAVEL_FRONTEND_TEXT_HLOBODYPARSER_H

#include "frontend/text/HloAttributeParser.h"
#include "frontend/text/HloEquivalents.h"
#include "llvm/ADT/StringMap.h"
#include <functional>

namespace unravel {

/// Operations in the place of operands may not go deeper than this.
constexpr unsigned MaxHloNesting = 100;

/// Names that a text does not have, for instructions that are not written.
class HloFreshNames {
public:
  explicit HloFreshNames(llvm::StringRef Text) : Text(Text) {}

  /// \p Base, with a number behind it if that is a name already.
  std::string next(llvm::StringRef Base);

private:
  llvm::StringRef Text;
  bool IsRead = false;
  llvm::StringSet<> Taken;
  llvm::StringMap<unsigned> Numbers; ///< the last one of each base
};

/// Parses the bodies of one module's computations, one after the other.
class HloBodyParser {
public:
  /// \p Find gives the computations that were parsed before.
  HloBodyParser(HloLexer &Lexer, llvm::StringRef Text,
                std::function<const HloComputation *(llvm::StringRef)> Find)
      : Lexer(Lexer), Names(Text), Find(std::move(Find)) {}

  /// Appends instructions to \p C up to \p Closer or the end of the text, one
  /// at least, and sets the root that is written.
  llvm::Error parse(HloComputation &C, llvm::StringRef Closer);

private:
  /// What is written before an operation's operands.
  struct Head {
    HloLocation Location;
    size_t Offset; ///< where messages point to
    std::optional<HloShape> Shape;
    HloEquivalent Operation;
    HloOpcode Opcode; ///< of what is begun or written
  };

  llvm::Error parseInstruction();
  llvm::Expected<std::optional<HloShape>> parseShapeIfAny();
  llvm::Expected<const HloInstruction *> parseValue(llvm::StringRef Name,
                                                    Head H);
  llvm::Error parseOpcode(Head &H);
  llvm::Error checkShapeIsKnown(llvm::StringRef Name, const Head &H);
  llvm::Expected<const HloInstruction *>
  add(HloInstruction I, llvm::ArrayRef<const HloInstruction *> Operands,
      const Head &H);
  llvm::Expected<const HloInstruction *>
  addNew(HloInstruction I, llvm::ArrayRef<const HloInstruction *> Operands,
         const Head &H);
  llvm::Error setInferredShape(HloInstruction &I, size_t Offset);
  llvm::Error checkOperandCount(const Head &H, size_t Count, size_t Offset);
  llvm::Error
  parseOperands(HloInstruction &I, const Head &H,
                llvm::SmallVectorImpl<const HloInstruction *> &Operands);
  llvm::Error
  parseOperand(llvm::SmallVectorImpl<const HloInstruction *> &Operands);
  llvm::Expected<HloLiteral> parseElided(const HloInstruction &I);
  llvm::Error parseLiteralOperand(HloInstruction &I);

  HloLexer &Lexer;
  HloFreshNames Names;
  std::function<const HloComputation *(llvm::StringRef)> Find;

  // Of the computation that is being parsed:
  HloComputation *C = nullptr;
  llvm::StringMap<const HloInstruction *> Instructions;
  const HloInstruction *Root = nullptr;
  unsigned Nesting = 0;
};

} // namespace unravel

#endif // UNRAVEL_FRONTEND_TEXT_HLOBODYPARSER_H
