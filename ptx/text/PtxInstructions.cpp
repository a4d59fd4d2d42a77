//===- PtxInstructions.cpp - Instructions and their operands --------------===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ptx/text/PtxParserBase.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;
using namespace unravel::ptx;

/// Vectors of vectors: PTX has two levels.
static constexpr unsigned MaxDepth = 4;

Expected<Instruction> ParserBase::parseInstruction() {
  Instruction I;
  if (L.consumeIf("@")) {
    I.IsNegated = L.consumeIf("!");
    if (L.peek().K != Lexer::Kind::Word)
      return L.error("expected a predicate behind '@'");
    I.Predicate = L.next().Text;
  }
  if (L.peek().K == Lexer::Kind::Bad)
    return L.error("this comment or string has no end");
  if (L.peek().K != Lexer::Kind::Word)
    return L.error("expected an instruction");
  I.Opcode = L.next().Text;
  I.Opcode.split(I.Words, '.');
  while (!L.isAt(";")) {
    Operand &O = I.Operands.emplace_back();
    if (Error E = parseOperand(O, 0))
      return E;
    if (!L.consumeIf(","))
      break;
  }
  if (Error E = L.expect(";", "behind instruction '" + I.Opcode.str() + "'"))
    return E;
  return I;
}

Error ParserBase::parseOperand(Operand &O, unsigned Depth) {
  const char *Begin = L.begin();
  if (Error E = parseSimpleOperand(O, Depth))
    return E;
  if (L.isAt("|") && O.isName()) {
    Operand First = std::move(O);
    First.Text = L.textFrom(Begin);
    O = Operand();
    O.K = Operand::Kind::Pair;
    L.next();
    Operand Second;
    const char *SecondBegin = L.begin();
    if (Error E = parseSimpleOperand(Second, Depth))
      return E;
    Second.Text = L.textFrom(SecondBegin);
    O.Parts.push_back(std::move(First));
    O.Parts.push_back(std::move(Second));
  }
  // Whatever else the ISA has, as text.
  const char *Parsed = L.begin();
  if (Error E = skipToSeparator())
    return E;
  if (L.begin() != Parsed) {
    O = Operand();
    O.K = Operand::Kind::Other;
  }
  O.Text = L.textFrom(Begin);
  if (O.Text.empty())
    return L.error("expected an operand");
  return Error::success();
}

Error ParserBase::parseSimpleOperand(Operand &O, unsigned Depth) {
  if (Depth > MaxDepth)
    return L.error("operands are nested too deeply");
  if (L.peek().K == Lexer::Kind::Word) {
    O.K = Operand::Kind::Name;
    O.Name = L.next().Text;
    if (L.isAt("+") || L.isAt("-")) { // table+8
      bool IsNegative = L.next().Text == "-";
      Operand Offset;
      if (L.peek().K != Lexer::Kind::Number)
        return Error::success();
      if (Error E = parseNumber(Offset, IsNegative))
        return E;
      O.Value = Offset.Value;
      if (Offset.K != Operand::Kind::Integer)
        O.K = Operand::Kind::Other;
    }
    return Error::success();
  }
  if (L.peek().K == Lexer::Kind::Number)
    return parseNumber(O, /*IsNegative=*/false);
  if (L.consumeIf("-")) {
    if (L.peek().K == Lexer::Kind::Number)
      return parseNumber(O, /*IsNegative=*/true);
    return Error::success();
  }
  if (L.consumeIf("!")) {
    O.K = Operand::Kind::Not;
    Operand &Inner = O.Parts.emplace_back();
    const char *Begin = L.begin();
    if (Error E = parseSimpleOperand(Inner, Depth + 1))
      return E;
    Inner.Text = L.textFrom(Begin);
    return Error::success();
  }
  if (L.isAt("["))
    return parseAddress(O);
  if (L.consumeIf("{")) {
    O.K = Operand::Kind::Vector;
    return parseParts(O, "}", Depth);
  }
  if (L.consumeIf("(")) {
    O.K = Operand::Kind::List;
    return parseParts(O, ")", Depth);
  }
  return Error::success();
}

Error ParserBase::parseParts(Operand &O, StringRef Close, unsigned Depth) {
  while (!L.isAt(Close)) {
    Operand &Part = O.Parts.emplace_back();
    if (Error E = parseOperand(Part, Depth + 1))
      return E;
    if (!L.consumeIf(","))
      break;
  }
  return L.expect(Close, "behind a list of operands");
}

/// `12`, `0x1F`, `0b101`, `017`, all with or without U; `0f3F800000`,
/// `0d3FF0000000000000`.
Error ParserBase::parseNumber(Operand &O, bool IsNegative) {
  StringRef Text = L.peek().Text, Digits = Text;
  if (Text.starts_with_insensitive("0f") ||
      Text.starts_with_insensitive("0d")) {
    bool IsSingle = toLower(Text[1]) == 'f';
    O.Width = IsSingle ? 32 : 64;
    if (Text.drop_front(2).getAsInteger(16, O.Value) ||
        Text.size() != 2 + O.Width / 4)
      return L.error("expected " + Twine(O.Width / 4) +
                     " hexadecimal digits of a float");
    L.next();
    // A sign in front of one is not in the ISA.
    O.K = IsNegative ? Operand::Kind::Other : Operand::Kind::Float;
    return Error::success();
  }
  if (Digits.ends_with("U") || Digits.ends_with("u"))
    Digits = Digits.drop_back();
  if (Digits.contains('.') || Digits.getAsInteger(0, O.Value)) {
    double AsDouble;
    if (Text.getAsDouble(AsDouble))
      return L.error("'" + Text + "' is no number of 64 bits");
    L.next();
    O.K = Operand::Kind::Other;
    return Error::success();
  }
  L.next();
  O.K = Operand::Kind::Integer;
  if (IsNegative)
    O.Value = -O.Value;
  return Error::success();
}

Error ParserBase::parseAddress(Operand &O) {
  const char *Begin = L.begin();
  L.next(); // [
  O.K = Operand::Kind::Address;
  if (L.peek().K == Lexer::Kind::Word)
    O.Name = L.next().Text;
  // `[a+4]`, `[a+-4]`, `[a-4]`, `[16]`
  bool IsOffset = O.Name.empty() || L.consumeIf("+");
  bool IsNegative = (IsOffset || L.isAt("-")) && L.consumeIf("-");
  if ((IsOffset || IsNegative) && L.peek().K == Lexer::Kind::Number) {
    Operand Offset;
    if (Error E = parseNumber(Offset, IsNegative))
      return E;
    O.Value = Offset.Value;
    if (Offset.K != Operand::Kind::Integer)
      O.K = Operand::Kind::Other;
  }
  if (L.consumeIf("]"))
    return Error::success();
  // `[tensor, {x, y}]` and the like.
  O.K = Operand::Kind::Other;
  while (!L.isAt("]")) {
    if (L.atEnd() || L.isAt(";"))
      return L.error(Begin, "nothing closes '['");
    const char *Before = L.begin();
    if (Error E = skipToSeparator())
      return E;
    if (L.begin() == Before && !L.consumeIf(","))
      return L.error("expected ']'");
  }
  L.next();
  return Error::success();
}
