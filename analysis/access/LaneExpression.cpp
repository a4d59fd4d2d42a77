//===- LaneExpression.cpp - The addresses of a warp as text ---------------===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "analysis/access/LaneExpression.h"
#include "analysis/syntax/IndexSyntax.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace unravel {

/// The first name in \p Tree that is not the lane, or null. The parser bounds
/// the depth.
static const SyntaxNode *foreignName(const SyntaxTree &Tree) {
  if (Tree->Op == SyntaxOp::Name && Tree->Name != "t")
    return Tree.get();
  for (const SyntaxTree &Arg : Tree->Args)
    if (const SyntaxNode *Found = foreignName(Arg))
      return Found;
  return nullptr;
}

static Expected<SyntaxTree> parseInLane(SyntaxParser &Parser) {
  Expected<SyntaxTree> Tree = Parser.parseExpression();
  if (!Tree)
    return Tree;
  if (const SyntaxNode *Name = foreignName(*Tree))
    return Parser.error(Name->Offset, "unknown variable '" + Name->Name +
                                          "'; the only variable is the lane t");
  return Tree;
}

/// `t mod 2 == Rest`.
static SyntaxTree isLaneModTwo(int64_t Rest) {
  SyntaxTree Bit =
      syntaxNode(SyntaxOp::EuclidMod, {syntaxName("t"), syntaxNumber(2)});
  return syntaxNode(SyntaxOp::Equal, {Bit, syntaxNumber(Rest)});
}

/// What follows `for`.
static Expected<SyntaxTree> parseWhich(SyntaxParser &Parser) {
  for (int64_t Rest : {0, 1}) {
    StringRef Word = Rest == 0 ? "even" : "odd";
    if (!Parser.consumeIf(Word))
      continue;
    if (Error E = Parser.expect("t", ("behind '" + Word + "'").str()))
      return E;
    return isLaneModTwo(Rest);
  }
  return parseInLane(Parser);
}

/// \p Text without a remark at its end, if there is one: text in parentheses
/// behind a space that is neither an expression nor the arguments of a
/// function.
static StringRef withoutRemark(StringRef Text) {
  StringRef Rest = Text.rtrim();
  if (!Rest.consume_back(")"))
    return Text;
  size_t Open = Rest.find_last_of("()");
  if (Open == StringRef::npos || Rest[Open] == ')')
    return Text;
  StringRef Before = Rest.take_front(Open), Remark = Rest.drop_front(Open + 1);
  if (Before.rtrim() == Before ||
      any_of(functionSpellings(), [&](const SyntaxSpelling &Function) {
        return Before.rtrim().ends_with(Function.Text);
      }))
    return Text;
  SyntaxParser Parser(Remark, "remark");
  Expected<SyntaxTree> Tree = Parser.parseExpression();
  if (Tree && Parser.atEnd())
    return Text;
  if (Tree)
    return Before;
  consumeError(Tree.takeError());
  return Before;
}

Expected<LaneAddresses> parseLaneAddresses(StringRef Text, StringRef Name) {
  Text = withoutRemark(Text);
  SyntaxParser Parser(Text, Name);
  Expected<SyntaxTree> Address = parseInLane(Parser);
  if (!Address)
    return Address.takeError();
  SyntaxTree IsActive = syntaxNumber(1);
  if (Parser.consumeIf("for")) {
    Expected<SyntaxTree> Which = parseWhich(Parser);
    if (!Which)
      return Which.takeError();
    IsActive = *Which;
  }
  if (!Parser.atEnd())
    return Parser.unexpected("an operator");

  LaneAddresses Lanes;
  for (unsigned Lane = 0; Lane < LanesPerWarp; ++Lane) {
    auto ValueOf = [&](StringRef) { return std::optional<int64_t>(Lane); };
    std::optional<int64_t> Active = evaluate(IsActive, ValueOf);
    if (Active && *Active == 0)
      continue;
    if (Active)
      Lanes[Lane] = evaluate(*Address, ValueOf);
    if (!Lanes[Lane])
      return createStringError(
          Name + ": no value for t = " + Twine(Lane) +
          ": a division by zero, a negative shift, or a number of more than "
          "64 bits");
  }
  return Lanes;
}

} // namespace unravel
