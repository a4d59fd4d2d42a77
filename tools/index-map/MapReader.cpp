//===- MapReader.cpp - The maps of a text, one by one ---------------------===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tools/index-map/MapReader.h"

using namespace llvm;

namespace unravel {

Expected<MapSyntax> MapReader::next() {
  Expected<MapSyntax> Map = parseMapSyntax(Parser);
  if (Map && !Parser.atEnd() && !isAtMap(Parser))
    Map = Parser.unexpected("the end of the map");
  // Nothing is known of what is left of a map with an error.
  if (!Map)
    openPiece();
  advance();
  return Map;
}

/// Goes on to the next token, in this piece or in one behind it.
void MapReader::advance() {
  while (Parser.atEnd() && End < Text.size())
    openPiece();
  AtEnd = Parser.atEnd();
}

/// Begins the piece of the text behind the current one.
void MapReader::openPiece() {
  size_t Begin = End;
  for (bool IsFirst = true; End < Text.size(); IsFirst = false) {
    StringRef Line = Text.substr(End).split('\n').first;
    bool IsBlank = Line.trim().empty();
    if (IsBlank && !IsFirst)
      break;
    char First = IsBlank ? ' ' : Line.ltrim()[0];
    if (!IsFirst && (First == '(' || First == 'K') &&
        isAtMap(SyntaxParser(Text, Name, End)))
      break;
    End = std::min(End + Line.size() + 1, Text.size());
  }
  Parser = SyntaxParser(Text.take_front(End), Name, Begin);
}

} // namespace unravel
