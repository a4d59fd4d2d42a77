//===- IndexSyntaxParser.cpp - Index expressions from text ----------------===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Precedence climbing over the table of infix operators. Operators that take
// many arguments are parsed in a loop, so that the length of a sum is limited
// by memory only.
//
//===----------------------------------------------------------------------===//

#include "analysis/syntax/IndexSyntax.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/SaveAndRestore.h"
#include "llvm/Support/raw_ostream.h"
#include <limits>

using namespace llvm;

namespace unravel {

//===----------------------------------------------------------------------===//
// Errors
//===----------------------------------------------------------------------===//

/// A token as messages name it; bytes that do not print are written `\xNN`.
static std::string describe(StringRef Token) {
  constexpr size_t MaxLength = 40;
  if (Token.empty())
    return "the end of the text";
  bool IsKnown = isAlnum(Token[0]) ||
                 StringRef("_+-*/%&|<>=!()[]{},:;").contains(Token[0]);
  std::string Name = IsKnown ? "'" : "the unknown character '";
  for (char C : Token.take_front(MaxLength)) {
    if (isPrint(C))
      Name += C;
    else
      Name += "\\x" + utohexstr(static_cast<unsigned char>(C),
                                /*LowerCase=*/false, /*Width=*/2);
  }
  return Name + (Token.size() > MaxLength ? "...'" : "'");
}

//===----------------------------------------------------------------------===//
// Tokens
//===----------------------------------------------------------------------===//

void SyntaxParser::skipSpace() {
  while (true) {
    StringRef Rest = Text.substr(Position).ltrim();
    if (Rest.starts_with("//"))
      Rest = Rest.drop_until([](char C) { return C == '\n'; });
    size_t End = Text.size() - Rest.size();
    if (End == Position)
      return;
    Position = End;
  }
}

StringRef SyntaxParser::peek() {
  skipSpace();
  StringRef Rest = Text.substr(Position);
  if (Rest.empty())
    return Rest;
  if (isDigit(Rest[0]))
    return Rest.take_while(isDigit);
  if (isAlpha(Rest[0]) || Rest[0] == '_')
    return Rest.take_while(
        [](char C) { return isAlnum(C) || C == '_' || C == '.'; });
  // The bytes of a character beyond ASCII are for messages only.
  if (!isASCII(Rest[0]))
    return Rest.take_until([](char C) { return isASCII(C); });
  StringRef Two = Rest.take_front(2);
  for (StringRef Token : {"||", "&&", "<=", ">=", "==", "!=", "<<", ">>", "->"})
    if (Two == Token)
      return Two;
  return Rest.take_front(1);
}

StringRef SyntaxParser::next() {
  StringRef Token = peek();
  Position += Token.size();
  LastTokenEnd = Position;
  return Token;
}

bool SyntaxParser::consumeIf(StringRef Token) {
  if (peek() != Token)
    return false;
  next();
  return true;
}

Error SyntaxParser::expect(StringRef Token, StringRef Context) {
  if (consumeIf(Token))
    return Error::success();
  return unexpected("'" + Token + "'" + (Context.empty() ? "" : " ") + Context);
}

Error SyntaxParser::unexpected(const Twine &What) {
  return error(offset(), "expected " + What + ", found " + describe(peek()));
}

size_t SyntaxParser::offset() { return atEnd() ? LastTokenEnd : Position; }

//===----------------------------------------------------------------------===//
// Expressions
//===----------------------------------------------------------------------===//

static const SyntaxSpelling *find(ArrayRef<SyntaxSpelling> Spellings,
                                  StringRef Token) {
  const auto *Found = llvm::find_if(
      Spellings, [&](const SyntaxSpelling &S) { return S.Text == Token; });
  return Found == Spellings.end() ? nullptr : Found;
}

static bool isNumber(StringRef Token) {
  return !Token.empty() && isDigit(Token[0]);
}

static bool isName(StringRef Token) {
  return !Token.empty() && (isAlpha(Token[0]) || Token[0] == '_');
}

Error SyntaxParser::tooDeep() {
  return error(offset(), "the expression nests more than " + Twine(MaxNesting) +
                             " levels deep");
}

Expected<SyntaxTree> SyntaxParser::build(SyntaxOp Op, ArrayRef<SyntaxTree> Args,
                                         size_t Begin) {
  SyntaxTree Tree = syntaxNode(Op, Args, Begin);
  if (Tree->Height > MaxNesting)
    return tooDeep();
  return Tree;
}

const SyntaxSpelling *SyntaxParser::peekInfix() {
  return find(infixSpellings(), peek());
}

Expected<SyntaxTree> SyntaxParser::parseExpression() {
  return parseInfix(/*MinLevel=*/1);
}

/// Parses the operators that bind at least as tightly as \p MinLevel.
Expected<SyntaxTree> SyntaxParser::parseInfix(unsigned MinLevel) {
  size_t Begin = offset();
  Expected<SyntaxTree> Left = parseUnary();
  while (Left) {
    const SyntaxSpelling *Infix = peekInfix();
    if (!Infix || Infix->Level < MinLevel)
      break;
    Left = parseOperands(*Infix, *Left, Begin);
  }
  return Left;
}

/// Parses `OPERATOR OPERAND` once, or as long as it adds to one flat node.
Expected<SyntaxTree> SyntaxParser::parseOperands(const SyntaxSpelling &Infix,
                                                 SyntaxTree First,
                                                 size_t Begin) {
  SmallVector<SyntaxTree, 4> Args = {std::move(First)};
  const SyntaxSpelling *Next = &Infix;
  do {
    size_t Operator = offset();
    bool IsMinus = next() == "-";
    Expected<SyntaxTree> Right = parseInfix(Infix.Level + 1);
    if (Right && IsMinus)
      Right = build(SyntaxOp::Negate, *Right, Operator);
    if (!Right)
      return Right;
    Args.push_back(std::move(*Right));
    Next = peekInfix();
  } while (isVariadic(Infix.Op) && Next && Next->Op == Infix.Op);
  return build(Infix.Op, Args, Begin);
}

/// All recursion comes through here, and is counted here.
Expected<SyntaxTree> SyntaxParser::parseUnary() {
  if (Nesting == MaxNesting)
    return tooDeep();
  SaveAndRestore Nested(Nesting, Nesting + 1);
  size_t Begin = offset();
  bool IsMinus = peek() == "-";
  if (!IsMinus && peek() != "!")
    return parsePrimary();
  next();
  if (IsMinus && isNumber(peek()))
    return parseNumber(/*Negative=*/true, Begin);
  Expected<SyntaxTree> Operand = parseUnary();
  if (!Operand)
    return Operand;
  return build(IsMinus ? SyntaxOp::Negate : SyntaxOp::Not, *Operand, Begin);
}

Expected<SyntaxTree> SyntaxParser::parsePrimary() {
  size_t Begin = offset();
  StringRef Token = peek();
  if (isNumber(Token))
    return parseNumber(/*Negative=*/false, Begin);
  if (consumeIf("(")) {
    Expected<SyntaxTree> Inner = parseExpression();
    if (!Inner)
      return Inner;
    if (Error E = closeParenthesis(Begin))
      return E;
    return Inner;
  }
  if (isName(Token)) {
    next();
    if (peek() == "(")
      return parseCall(Token, Begin);
    if (Token == "true" || Token == "false")
      return syntaxNumber(Token == "true" ? 1 : 0, Begin);
    if (!find(infixSpellings(), Token)) // as `mod` is
      return syntaxName(Token, Begin);
  }
  return error(Begin, "expected an expression, found " + describe(Token));
}

Expected<SyntaxTree> SyntaxParser::parseNumber(bool Negative, size_t Begin) {
  StringRef Digits = next();
  uint64_t Magnitude;
  uint64_t Largest = std::numeric_limits<int64_t>::max();
  if (Digits.getAsInteger(10, Magnitude) || Magnitude > Largest + Negative)
    return error(Begin,
                 "the number " + describe(Digits) + " does not fit in 64 bits");
  return syntaxNumber(int64_t(Negative ? 0 - Magnitude : Magnitude), Begin);
}

Expected<SyntaxTree> SyntaxParser::parseCall(StringRef Name, size_t Begin) {
  const SyntaxSpelling *Function = find(functionSpellings(), Name);
  if (!Function) {
    auto Text = [](const SyntaxSpelling &S) { return S.Text; };
    return error(Begin, "unknown function " + describe(Name) +
                            "; the functions are " +
                            join(map_range(functionSpellings(), Text), ", "));
  }
  size_t Open = offset();
  next();
  SmallVector<SyntaxTree, 4> Args;
  do {
    Expected<SyntaxTree> Arg = parseExpression();
    if (!Arg)
      return Arg;
    Args.push_back(std::move(*Arg));
  } while (consumeIf(","));
  if (Error E = closeParenthesis(Open))
    return E;

  bool AnyMore = isVariadic(Function->Op);
  size_t Wanted = Function->Op == SyntaxOp::Select ? 3 : 2;
  if (AnyMore ? Args.size() < Wanted : Args.size() != Wanted)
    return error(Begin, Name + " takes " + Twine(Wanted) +
                            (AnyMore ? " or more" : "") + " arguments, found " +
                            Twine(Args.size()));
  return build(Function->Op, Args, Begin);
}

Error SyntaxParser::closeParenthesis(size_t Open) {
  if (consumeIf(")"))
    return Error::success();
  auto [Line, Column] = lineAndColumn(Text, Open);
  bool OnThisLine = lineAndColumn(Text, offset()).first == Line;
  std::string Place = OnThisLine ? "" : "line " + std::to_string(Line) + ", ";
  return expect(")", "to close '(' at " + Place + "column " +
                         std::to_string(Column));
}

Expected<SyntaxTree> parseSyntax(StringRef Text, StringRef BufferName) {
  SyntaxParser Parser(Text, BufferName);
  Expected<SyntaxTree> Tree = Parser.parseExpression();
  if (Tree && !Parser.atEnd())
    return Parser.unexpected("an operator or the end of the text");
  return Tree;
}

} // namespace unravel
