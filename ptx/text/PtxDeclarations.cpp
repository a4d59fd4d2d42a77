//===- PtxDeclarations.cpp - Variables, parameters and registers ----------===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ptx/text/PtxParserBase.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MathExtras.h"

using namespace llvm;
using namespace unravel::ptx;

static unsigned bytesOf(const Type &T) { return std::max(T.Width / 8, 1u); }

/// Opaque types take the room of an address.
static bool isOpaqueType(StringRef Word) {
  return Word == ".texref" || Word == ".samplerref" || Word == ".surfref";
}

/// The directives between the state space and the name.
Error ParserBase::parseDeclared(Variable &V) {
  unsigned Lanes = 1;
  bool HasType = false, HasAlign = false, IsPointer = false;
  while (L.peek().K == Lexer::Kind::Directive) {
    StringRef Word = L.next().Text;
    if (Word == ".align") {
      unsigned Align;
      if (L.peek().Text.getAsInteger(0, Align) || !isPowerOf2_32(Align))
        return L.error("expected an alignment: a power of two");
      L.next();
      if (IsPointer) {
        V.PointerAlign = Align;
      } else {
        V.Align = Align;
        HasAlign = true;
      }
    } else if (Word == ".ptr") {
      V.IsPointer = IsPointer = true;
    } else if (Word == ".v2" || Word == ".v4" || Word == ".v8") {
      Lanes = Word.back() - '0';
    } else if (Word == ".attribute" || Word == ".unified") {
      if (L.isAt("("))
        if (Error E = skipBalanced())
          return E;
    } else if (isOpaqueType(Word)) {
      V.Of = {Type::Kind::Bits, 64};
      HasType = true;
    } else if (std::optional<Type> T = parseType(Word.drop_front())) {
      V.Of = *T;
      HasType = true;
    } else if (IsPointer) {
      V.PointerSpace = Word.drop_front();
    } else {
      return L.error(Word.begin(), "unknown '" + Word + "' in a declaration");
    }
  }
  if (!HasType)
    return L.error("expected a type such as .b32");
  V.Size = uint64_t(bytesOf(V.Of)) * Lanes;
  if (!HasAlign)
    V.Align = V.Size;
  return Error::success();
}

/// `name`, `name[4][8]`, `name[]`.
Error ParserBase::parseNameAndSize(Variable &V) {
  if (L.peek().K != Lexer::Kind::Word)
    return L.error("expected a name");
  V.Name = L.next().Text;
  bool Overflows = false;
  while (L.consumeIf("[")) {
    V.IsArray = true;
    uint64_t Count = 0;
    if (!L.isAt("]")) {
      if (L.peek().Text.getAsInteger(0, Count))
        return L.error("expected the size of array '" + V.Name + "'");
      L.next();
    }
    V.Size = SaturatingMultiply(V.Size, Count, &Overflows);
    if (Overflows)
      return L.error("array '" + V.Name + "' has more than 2^64 bytes");
    if (Error E = L.expect("]", "behind the size of an array"))
      return E;
  }
  return Error::success();
}

Expected<Variables> ParserBase::parseVariables(bool IsExtern) {
  Variable Common;
  Common.IsExtern = IsExtern;
  Common.Space = L.next().Text.drop_front().split("::").first;
  if (Error E = parseDeclared(Common))
    return E;
  Variables Result;
  do {
    Variable V = Common;
    if (Error E = parseNameAndSize(V))
      return E;
    if (L.consumeIf("=")) {
      V.HasInitialiser = true;
      if (Error E = skipToSeparator())
        return E;
    }
    Result.All.push_back(V);
  } while (L.consumeIf(","));
  if (Error E = L.expect(";", "behind a declaration"))
    return E;
  return Result;
}

Error ParserBase::parseParameters(std::vector<Variable> &Parameters) {
  L.next(); // (
  while (!L.isAt(")")) {
    Variable V;
    if (!L.isAt(".param") && !L.isAt(".reg"))
      return L.error("expected .param");
    V.Space = L.next().Text.drop_front();
    if (Error E = parseDeclared(V))
      return E;
    if (Error E = parseNameAndSize(V))
      return E;
    Parameters.push_back(V);
    if (!L.consumeIf(","))
      break;
  }
  return L.expect(")", "behind the parameters");
}

Expected<Registers> ParserBase::parseRegisters() {
  L.next(); // .reg
  Registers R{};
  bool HasType = false;
  while (L.peek().K == Lexer::Kind::Directive) {
    StringRef Word = L.next().Text.drop_front();
    if (Word == "v2" || Word == "v4") {
      R.Lanes = Word.back() - '0';
    } else if (std::optional<Type> T = parseType(Word)) {
      R.Of = *T;
      HasType = true;
    } else {
      return L.error(Word.begin(), "unknown type of registers '." + Word + "'");
    }
  }
  if (!HasType)
    return L.error("expected the type of registers, such as .b32");
  do {
    if (L.peek().K != Lexer::Kind::Word)
      return L.error("expected the name of a register");
    Registers::Entry E{L.next().Text, std::nullopt};
    if (L.consumeIf("<")) {
      unsigned Count;
      if (L.peek().Text.getAsInteger(10, Count))
        return L.error("expected the number of registers");
      L.next();
      E.Count = Count;
      if (Error Err = L.expect(">", "behind the number of registers"))
        return Err;
    }
    R.Entries.push_back(E);
  } while (L.consumeIf(","));
  if (Error E = L.expect(";", "behind the declaration of registers"))
    return E;
  return R;
}

//===----------------------------------------------------------------------===//
// What is only skipped
//===----------------------------------------------------------------------===//

Error ParserBase::skipBalanced() {
  const char *Begin = L.begin();
  unsigned Depth = 0;
  do {
    if (L.atEnd() || L.peek().K == Lexer::Kind::Bad)
      return L.error(Begin, "nothing closes '" + StringRef(Begin, 1) + "'");
    StringRef Text = L.next().Text;
    Depth += Text == "(" || Text == "[" || Text == "{";
    Depth -= Text == ")" || Text == "]" || Text == "}";
  } while (Depth);
  return Error::success();
}

Error ParserBase::skipToSeparator() {
  while (!L.isAt(",") && !L.isAt(";") && !L.isAt(")") && !L.isAt("]") &&
         !L.isAt("}")) {
    if (L.atEnd() || L.peek().K == Lexer::Kind::Bad)
      return L.error("expected ';'");
    if (L.isAt("(") || L.isAt("[") || L.isAt("{")) {
      if (Error E = skipBalanced())
        return E;
    } else {
      L.next();
    }
  }
  return Error::success();
}

Expected<Directive> ParserBase::parseToSemicolon(StringRef Name) {
  const char *Begin = L.begin();
  while (!L.isAt(";")) {
    if (L.isAt(",")) {
      L.next();
      continue;
    }
    const char *Before = L.begin();
    if (Error E = skipToSeparator())
      return E;
    if (L.begin() == Before)
      return L.error("expected ';' behind directive '." + Name + "'");
  }
  StringRef Rest = L.textFrom(Begin);
  L.next();
  return Directive{Name, Rest};
}
