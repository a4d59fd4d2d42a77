//===- HloLexer.h - HLO text as tokens --------------------------*- C++ -*-===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Tokens, and the parts of HLO text that more than one parser needs: lists of
// numbers, shapes, literals, values of unknown attributes.
//
// White space and comments (`//` to the end of the line, `/* */`) separate
// tokens. A `-` belongs to a name (`reduce-window`) unless a `>` follows.
//
//===----------------------------------------------------------------------===//

#ifndef UNRAVEL_FRONTEND_TEXT_HLOLEXER_H
#define UNRAVEL_FRONTEND_TEXT_HLOLEXER_H

#include "frontend/hlo/HloModule.h"
#include "llvm/ADT/StringSet.h"

namespace unravel {

class HloLexer {
public:
  enum class Kind {
    End,
    Name,   ///< `add.1`, `%add.1`, `inf`
    Number, ///< `-12`, `1.5e-3`, `-inf`, `0x1p-4`
    String, ///< with its quotation marks
    Symbol, ///< `->` or one character
    Bad,    ///< a comment or string without an end
  };
  struct Token {
    Kind TokenKind = Kind::End;
    llvm::StringRef Text;
    size_t Offset = 0;
  };

  HloLexer(llvm::StringRef Text, llvm::StringRef BufferName)
      : Text(Text), BufferName(BufferName) {
    advance();
  }

  const Token &peek() const { return Current; }
  /// The token behind the next one.
  Token peekSecond() const;
  Token next();
  bool atEnd() const { return Current.TokenKind == Kind::End; }
  bool isAt(llvm::StringRef Symbol) const {
    return Current.Text == Symbol && Current.TokenKind != Kind::String;
  }
  bool consumeIf(llvm::StringRef Symbol);
  llvm::Error expect(llvm::StringRef Symbol, llvm::StringRef Context);

  /// A name, `%` in front of it removed.
  llvm::Expected<llvm::StringRef> parseName(llvm::StringRef What);
  /// A decimal integer of 64 bits.
  llvm::Expected<int64_t> parseInteger(llvm::StringRef What);
  /// `{1,2}`, also `{}`.
  llvm::Expected<HloNumbers> parseNumbers(llvm::StringRef What);
  llvm::Expected<bool> parseBool(llvm::StringRef What);
  /// The characters from the next token on up to white space or one of `,})`:
  /// `3x3`, `0_1x0_1`, `b01f_01io->b01f`.
  llvm::StringRef takeWord();
  /// The value of an attribute, whatever it is: brackets that match, up to a
  /// comma, closing bracket or white space outside of them.
  llvm::Expected<llvm::StringRef> takeValue();
  /// The text from \p Offset up to the end of the last token.
  llvm::StringRef textFrom(size_t Offset) const {
    return Text.slice(Offset, LastEnd);
  }
  /// `f32[2,3]{1,0}`, `(f32[], s32[4])`; `b(f32[4])` is f32[4].
  llvm::Expected<HloShape> parseShape();
  /// Whether a shape begins here and not a name.
  bool isAtShape() const;

  /// "BUFFER:LINE:COLUMN: error: WHAT", the line and a caret.
  llvm::Error error(size_t Offset, const llvm::Twine &What) const;
  llvm::Error error(const llvm::Twine &What) const {
    return error(Current.Offset, What);
  }
  /// The error "expected WHAT, found 'OTHER'" at the next token.
  llvm::Error unexpected(const llvm::Twine &What) const;

  /// Warns about the next token, once for each \p Key.
  void warn(llvm::StringRef Key, const llvm::Twine &What);
  std::vector<std::string> takeWarnings() { return std::move(Warnings); }

  /// The place of the next token. Takes linear time over all calls.
  HloLocation location();

private:
  void advance();
  Token tokenAt(size_t Position) const;
  size_t skipSpace(size_t Position) const;
  bool isAtBuffer() const;
  llvm::Expected<HloShape> parseArrayShape();
  llvm::Error parseLayout(std::optional<HloNumbers> &Layout);
  bool isAtLayout() const;

  llvm::StringRef Text, BufferName;
  Token Current;
  size_t LastEnd = 0; ///< of the token before
  // The place that location() counted up to.
  size_t CountedOffset = 0, LineBegin = 0;
  unsigned Line = 1;
  std::vector<std::string> Warnings;
  llvm::StringSet<> WarnedOf;
};

} // namespace unravel

#endif // UNRAVEL_FRONTEND_TEXT_HLOLEXER_H
