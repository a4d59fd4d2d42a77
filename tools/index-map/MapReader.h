//===- MapReader.h - The maps of a text, one by one -------------*- C++ -*-===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A map ends where its grammar ends, at a blank line, and before a line that
// begins another one with `(...) ->`. So one map a line needs nothing between
// the lines, and after an error it is known where to go on.
//
//===----------------------------------------------------------------------===//

#ifndef UNRAVEL_TOOLS_INDEX_MAP_MAPREADER_H
#define UNRAVEL_TOOLS_INDEX_MAP_MAPREADER_H

#include "analysis/maps/IndexingMapText.h"
#include "llvm/Support/MemoryBufferRef.h"

namespace unravel {

class MapReader {
public:
  explicit MapReader(llvm::MemoryBufferRef Input)
      : Text(Input.getBuffer()), Name(Input.getBufferIdentifier()),
        Parser("", Name) {
    advance();
  }

  llvm::StringRef name() const { return Name; }
  bool atEnd() const { return AtEnd; }
  /// The next map, or why there is none where one should be; the next call goes
  /// on behind it.
  llvm::Expected<MapSyntax> next();

  llvm::Expected<IndexingMap> lower(IndexContext &Context,
                                    const MapSyntax &Map) const {
    return lowerMap(Context, Map, Text, Name);
  }
  /// An error about the map that begins at \p Offset.
  llvm::Error error(size_t Offset, const llvm::Twine &What) const {
    return syntaxError(Text, Name, Offset, What);
  }

private:
  void advance();
  void openPiece();

  llvm::StringRef Text, Name;
  /// Parses the current piece of the text, which ends at End.
  SyntaxParser Parser;
  size_t End = 0;
  bool AtEnd = false;
};

} // namespace unravel

#endif // UNRAVEL_TOOLS_INDEX_MAP_MAPREADER_H
