//===- SyntaxError.h - Errors that show the place in the text ---*- C++ -*-===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef UNRAVEL_ANALYSIS_SYNTAX_SYNTAXERROR_H
#define UNRAVEL_ANALYSIS_SYNTAX_SYNTAXERROR_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <utility>

namespace unravel {

/// The line and the column of \p Offset in \p Text, both from 1 on; columns
/// count bytes.
std::pair<size_t, size_t> lineAndColumn(llvm::StringRef Text, size_t Offset);

/// A parse error: the message is "NAME:LINE:COLUMN: error: WHAT", the line of
/// text and a caret below the place, each on a line of its own (lines and
/// columns count from 1, columns in bytes). Of a long line, the part around the
/// place is shown.
llvm::Error syntaxError(llvm::StringRef Text, llvm::StringRef BufferName,
                        size_t Offset, const llvm::Twine &What);

} // namespace unravel

#endif // UNRAVEL_ANALYSIS_SYNTAX_SYNTAXERROR_H
