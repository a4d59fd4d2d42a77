//===- PtxLexer.h - PTX text as tokens --------------------------*- C++ -*-===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// White space and comments (`//`, `/* */`, and lines that begin with `#`)
// separate tokens. A word keeps its dots: `ld.global.L1::no_allocate.b32` and
// `%tid.x` are one token each. Zero bytes at the end are none of the text:
// NVRTC counts the one that ends its string, and programs write it to their
// files.
//
//===----------------------------------------------------------------------===//

#ifndef UNRAVEL_PTX_TEXT_PTXLEXER_H
#define UNRAVEL_PTX_TEXT_PTXLEXER_H

#include "llvm/ADT/StringRef.h"
#include "llvm/ADT/Twine.h"
#include "llvm/Support/Error.h"

namespace unravel::ptx {

class Lexer {
public:
  enum class Kind : uint8_t {
    End,
    Word,      ///< `add.s32`, `%r1`, `$L__BB0_2`, `_`
    Directive, ///< `.reg`, `.b32`
    Number,    ///< `12`, `0x1FU`, `0f3F800000`, `1.5`
    String,    ///< with its quotation marks
    Symbol,    ///< one character
    Bad        ///< a comment or string without an end
  };
  struct Token {
    Kind K = Kind::End;
    llvm::StringRef Text;
  };

  Lexer(llvm::StringRef Text, llvm::StringRef BufferName)
      : Text(Text.rtrim('\0')), BufferName(BufferName) {
    advance();
  }

  const Token &peek() const { return Current; }
  Token next() {
    Token T = Current;
    advance();
    return T;
  }
  /// The token behind the next one.
  Token peekSecond() const {
    Lexer Copy(*this);
    Copy.advance();
    return Copy.Current;
  }
  bool atEnd() const { return Current.K == Kind::End; }
  bool isAt(llvm::StringRef Symbol) const {
    return Current.Text == Symbol && Current.K != Kind::String;
  }
  bool consumeIf(llvm::StringRef Symbol) {
    bool Is = isAt(Symbol);
    if (Is)
      advance();
    return Is;
  }
  llvm::Error expect(llvm::StringRef Symbol, llvm::StringRef Context);
  /// What is left of the line behind the last token, without comment: for
  /// directives that end with their line.
  llvm::StringRef takeLine();

  /// Where the next token begins.
  const char *begin() const { return Current.Text.data(); }
  /// Behind the last token that was taken.
  const char *end() const { return LastEnd; }
  /// The text from \p Begin to the end of the last token: nothing if no token
  /// was taken since.
  llvm::StringRef textFrom(const char *Begin) const {
    return llvm::StringRef(Begin, LastEnd < Begin ? 0 : LastEnd - Begin);
  }

  /// "BUFFER:LINE:COLUMN: error: WHAT", and the line with a caret.
  llvm::Error error(const llvm::Twine &What) const {
    return error(Current.Text.data(), What);
  }
  llvm::Error error(const char *Where, const llvm::Twine &What) const;

private:
  void advance();
  /// Returns the first position that is no space or comment; End where a
  /// comment does not end.
  const char *skipSpace(const char *At) const;
  bool isLineStart(const char *At) const {
    return At == Text.begin() || At[-1] == '\n';
  }

  llvm::StringRef Text, BufferName;
  Token Current;
  const char *LastEnd = nullptr;
};

} // namespace unravel::ptx

#endif // UNRAVEL_PTX_TEXT_PTXLEXER_H
