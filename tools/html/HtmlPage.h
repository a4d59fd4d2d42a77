//===- HtmlPage.h - Pages without external resources ------------*- C++ -*-===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What the pages of all tools share: one style sheet for light and dark, and
// PTX side by side.
//
//===----------------------------------------------------------------------===//

#ifndef UNRAVEL_TOOLS_HTML_HTMLPAGE_H
#define UNRAVEL_TOOLS_HTML_HTMLPAGE_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/JSON.h"
#include <string>

namespace llvm {
class raw_ostream;
} // namespace llvm

namespace unravel {

/// Everything that comes from an input goes through this: markup becomes text,
/// and what is no UTF-8 becomes replacement characters.
std::string escapeHtml(llvm::StringRef Text);

/// JSON text that can stand in a script element of a page.
std::string jsonInPage(llvm::StringRef Json);
std::string jsonInPage(const llvm::json::Value &Json);

/// The page up to and with its heading, which is \p Title as well. \p MoreStyle
/// is a style sheet of the tool's own.
void beginPage(llvm::raw_ostream &OS, llvm::StringRef Title,
               llvm::StringRef MoreStyle = "");
void endPage(llvm::raw_ostream &OS);

/// A heading in front of a line of the text after, counted from 0.
struct SideMark {
  unsigned Line;
  llvm::StringRef Heading;
};

/// Both texts in a table, their changed lines marked. Either may be empty.
void printSideBySide(llvm::raw_ostream &OS, llvm::StringRef Before,
                     llvm::StringRef After,
                     llvm::ArrayRef<SideMark> Marks = {});

/// Whether printSideBySide would mark no line.
bool areSamePtx(llvm::StringRef Before, llvm::StringRef After);

} // namespace unravel

#endif // UNRAVEL_TOOLS_HTML_HTMLPAGE_H
