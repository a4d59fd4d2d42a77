//===- SourcePlaces.h - Where code of PTX comes from ------------*- C++ -*-===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef UNRAVEL_PTX_TEXT_SOURCEPLACES_H
#define UNRAVEL_PTX_TEXT_SOURCEPLACES_H

#include "ptx/text/PtxSyntax.h"
#include <map>
#include <optional>
#include <string>
#include <tuple>

namespace unravel::ptx {

/// A file's number, a line and a column, as .loc gives them.
using LineNumbers = std::tuple<unsigned, unsigned, unsigned>;

/// Those of a .loc \p Directive; nothing if it is none.
std::optional<LineNumbers> lineNumbers(llvm::StringRef Directive);
/// Those of the call whose code was inlined there; nothing if none was.
std::optional<LineNumbers> callNumbers(llvm::StringRef Directive);
/// "1 265 26".
std::string toString(const LineNumbers &Numbers);

/// Lines and columns begin at 1; a column of 0 is not known.
struct SourcePlace {
  std::string File;
  unsigned Line = 0, Column = 0;
};

/// The module's text has to outlive it.
class SourcePlaces {
public:
  SourcePlaces(const Module &M, llvm::StringRef BufferName);
  /// \p Text is a `.loc` directive of the module: the place that it names. Any
  /// other part of the module's text: the place in the module itself.
  SourcePlace placeOf(llvm::StringRef Text) const;

private:
  void noteFile(llvm::StringRef Rest);

  std::string BufferName;
  std::vector<const char *> Lines;           ///< where they begin
  std::map<unsigned, llvm::StringRef> Files; ///< of `.file` directives
};

} // namespace unravel::ptx

#endif // UNRAVEL_PTX_TEXT_SOURCEPLACES_H
