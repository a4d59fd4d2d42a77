//===- IndexingMapParser.cpp - Indexing maps from text --------------------===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// From text to a MapSyntax, which knows nothing of the algebra.
//
//===----------------------------------------------------------------------===//

#include "analysis/maps/IndexingMapText.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/MathExtras.h"

using namespace llvm;

namespace unravel {

//===----------------------------------------------------------------------===//
// Words
//===----------------------------------------------------------------------===//

/// Skips a list without parentheses in it. Returns false if there is none.
static bool skipList(SyntaxParser &Parser, StringRef Open, StringRef Close) {
  if (!Parser.consumeIf(Open))
    return false;
  while (!Parser.atEnd()) {
    StringRef Token = Parser.next();
    if (Token == Close)
      return true;
    if (StringRef("()[]{}").contains(Token))
      return false;
  }
  return false;
}

bool isAtMap(SyntaxParser Parser) {
  if (Parser.consumeIf("KNOWN"))
    return Parser.peek() == "EMPTY";
  if (skipList(Parser, "(", ")")) {
    skipList(Parser, "[", "]");
    skipList(Parser, "{", "}");
  }
  return Parser.peek() == "->";
}

static bool isName(StringRef Token) {
  return !Token.empty() && (isAlpha(Token[0]) || Token[0] == '_');
}

/// Words that have a meaning where a variable could stand.
static bool isKeyword(StringRef Name) {
  auto IsSpelling = [&](const SyntaxSpelling &S) { return S.Text == Name; };
  return is_contained({"in", "inf", "domain", "where", "true", "false"},
                      Name) ||
         any_of(infixSpellings(), IsSpelling) ||
         any_of(functionSpellings(), IsSpelling);
}

/// True for a comparison that has an order.
static bool isOrdering(SyntaxOp Op) {
  return Op == SyntaxOp::Less || Op == SyntaxOp::LessEqual ||
         Op == SyntaxOp::Greater || Op == SyntaxOp::GreaterEqual;
}

namespace {
class MapParser {
public:
  explicit MapParser(SyntaxParser &Parser) : Parser(Parser) {}

  Expected<MapSyntax> parse();

private:
  Error parseVariables();
  Error parseNames(StringRef Open, StringRef Close, StringRef Kind,
                   std::vector<MapSyntax::Variable> &Names);
  Error parseName(std::vector<MapSyntax::Variable> &Names);
  Error parseResults();
  Error parseDefinitions();
  Expected<SyntaxTree> expanded(const SyntaxTree &Tree);
  Error parseDomain();
  Error parseFact();
  Error parseRange(const SyntaxTree &Expr);
  Expected<SyntaxTree> parseBound(bool IsUpper);
  Error addCondition(const SyntaxTree &Condition);
  void addRelation(SyntaxOp Op, SyntaxTree A, SyntaxTree B, size_t Offset);
  Expected<bool> parseIsSimplified();
  bool isAtFact() const;

  Expected<SyntaxTree> parseExpression();
  Error checkNames(const SyntaxTree &Tree);
  std::string listOfVariables() const;

  SyntaxParser &Parser;
  MapSyntax Map;
  StringSet<> Declared;
  /// What the names of a where clause stand for.
  StringMap<SyntaxTree> Definitions;
  /// Nodes that expressions with such names may still grow by.
  unsigned NodesLeft = MaxExpandedNodes;
  static constexpr unsigned MaxExpandedNodes = 1u << 16;
  /// Whether the last fact ended with a `]`: nothing can continue it.
  bool IsClosed = false;
};
} // namespace

//===----------------------------------------------------------------------===//
// Variables and results
//===----------------------------------------------------------------------===//

Expected<MapSyntax> MapParser::parse() {
  Map.Offset = Parser.offset();
  if (Parser.consumeIf("KNOWN")) {
    if (Error E = Parser.expect("EMPTY", "behind 'KNOWN'"))
      return E;
    Map.KnownEmpty = true;
    return std::move(Map);
  }
  if (Error E = parseVariables())
    return E;
  if (Error E = parseResults())
    return E;
  if (Error E = parseDefinitions())
    return E;
  bool Comma = Parser.consumeIf(",");
  Expected<bool> Ends = parseIsSimplified();
  if (!Ends)
    return Ends.takeError();
  if (*Ends)
    return std::move(Map);
  if (Parser.consumeIf("domain")) {
    if (Error E = Parser.expect(":", "behind 'domain'"))
      return E;
    if (Error E = parseDomain())
      return E;
  } else if (Comma) {
    return Parser.unexpected("'domain:' behind the results of the map");
  }
  return std::move(Map);
}

Error MapParser::parseVariables() {
  if (Parser.peek() == "->")
    return Error::success();
  if (Error E = parseNames("(", ")", "dimensions", Map.Dimensions))
    return E;
  if (Parser.peek() == "[")
    if (Error E = parseNames("[", "]", "ranges", Map.Ranges))
      return E;
  if (Parser.peek() == "{")
    if (Error E = parseNames("{", "}", "runtime variables", Map.Runtimes))
      return E;
  return Error::success();
}

Error MapParser::parseNames(StringRef Open, StringRef Close, StringRef Kind,
                            std::vector<MapSyntax::Variable> &Names) {
  if (Error E = Parser.expect(
          Open, "and the names of the " + Kind.str() +
                    ", as in '(d0) -> (d0 mod 4), domain: d0 in [0, 9]'"))
    return E;
  if (Parser.consumeIf(Close))
    return Error::success();
  do {
    if (Error E = parseName(Names))
      return E;
  } while (Parser.consumeIf(","));
  return Parser.expect(Close, "behind the " + Kind.str());
}

Error MapParser::parseName(std::vector<MapSyntax::Variable> &Names) {
  StringRef Name = Parser.peek();
  size_t Offset = Parser.offset();
  if (!isName(Name))
    return Parser.unexpected("the name of a variable");
  if (isKeyword(Name))
    return Parser.error(Offset,
                        "'" + Name +
                            "' is a word of the language; give the variable "
                            "another name");
  if (!Declared.insert(Name).second)
    return Parser.error(Offset, "the map has a variable '" + Name +
                                    "' already; rename one of them");
  if (Names.size() == IndexingMap::MaxOfKind)
    return Parser.error(Offset, "more than " + Twine(IndexingMap::MaxOfKind) +
                                    " variables of one kind");
  Parser.next();
  Names.push_back({Name.str(), Offset});
  return Error::success();
}

Error MapParser::parseResults() {
  if (Error E = Parser.expect("->", "and the results of the map"))
    return E;
  if (Error E = Parser.expect("(", "before the results of the map"))
    return E;
  if (Parser.consumeIf(")"))
    return Error::success();
  do {
    // With names that may follow behind `where`.
    Expected<SyntaxTree> Result = Parser.parseExpression();
    if (!Result)
      return Result.takeError();
    Map.Results.push_back(std::move(*Result));
  } while (Parser.consumeIf(","));
  return Parser.expect(")", "behind the results of the map");
}

Error MapParser::parseDefinitions() {
  if (Parser.consumeIf("where")) {
    bool IsMore = true;
    while (IsMore) {
      std::vector<MapSyntax::Variable> Name;
      if (Error E = parseName(Name))
        return E;
      if (Error E = Parser.expect("=", "behind the name"))
        return E;
      Declared.erase(Name[0].Name); // not in its own definition
      Expected<SyntaxTree> Value = Parser.parseExpression();
      if (Value)
        Value = expanded(*Value);
      if (!Value)
        return Value.takeError();
      Definitions[Name[0].Name] = *Value;
      Declared.insert(Name[0].Name);
      SyntaxParser Ahead = Parser;
      IsMore = Ahead.consumeIf(",") && Ahead.peek() != "domain" &&
               Ahead.peek() != "is_simplified";
      if (IsMore)
        Parser = Ahead;
    }
  }
  for (SyntaxTree &Result : Map.Results) {
    Expected<SyntaxTree> Whole = expanded(Result);
    if (!Whole)
      return Whole.takeError();
    Result = *Whole;
  }
  // They are no variables of the domain.
  for (const auto &Definition : Definitions)
    Declared.erase(Definition.first());
  return Error::success();
}

/// \p Tree with the expressions of a where clause in the place of their names.
Expected<SyntaxTree> MapParser::expanded(const SyntaxTree &Tree) {
  if (Definitions.empty()) {
    if (Error E = checkNames(Tree))
      return E;
    return Tree;
  }
  if (NodesLeft == 0)
    return Parser.error(Tree->Offset,
                        "with the definitions behind 'where', the expressions "
                        "have more than " +
                            Twine(MaxExpandedNodes) + " operations");
  --NodesLeft;
  if (Tree->Op == SyntaxOp::Name) {
    auto It = Definitions.find(Tree->Name);
    if (It != Definitions.end())
      return expanded(It->second);
    if (Error E = checkNames(Tree))
      return E;
    return Tree;
  }
  SmallVector<SyntaxTree, 4> Args;
  for (const SyntaxTree &Arg : Tree->Args) {
    Expected<SyntaxTree> Whole = expanded(Arg);
    if (!Whole)
      return Whole.takeError();
    Args.push_back(*Whole);
  }
  if (Args.empty())
    return Tree;
  SyntaxTree Whole = syntaxNode(Tree->Op, Args, Tree->Offset);
  if (Whole->Height > SyntaxParser::MaxNesting)
    return Parser.error(Tree->Offset,
                        "with the definitions behind 'where', the expression "
                        "nests more than " +
                            Twine(SyntaxParser::MaxNesting) + " levels deep");
  return Whole;
}

//===----------------------------------------------------------------------===//
// The domain
//===----------------------------------------------------------------------===//

Error MapParser::parseDomain() {
  if (Parser.atEnd() || isAtMap(Parser))
    return Error::success();
  do {
    Expected<bool> Ends = parseIsSimplified();
    if (!Ends)
      return Ends.takeError();
    if (*Ends)
      return Error::success();
    if (Error E = parseFact())
      return E;
  } while (Parser.consumeIf(",") || (IsClosed && isAtFact()));
  return Error::success();
}

bool MapParser::isAtFact() const {
  SyntaxParser Ahead = Parser;
  StringRef Token = Ahead.peek();
  return (isName(Token) || Token == "(" || Token == "-") && !isAtMap(Ahead);
}

/// XLA's closing words `is_simplified: true`. Returns false if they are not
/// there.
Expected<bool> MapParser::parseIsSimplified() {
  SyntaxParser Ahead = Parser;
  if (!Ahead.consumeIf("is_simplified") || !Ahead.consumeIf(":"))
    return false;
  Parser = Ahead;
  if (!Parser.consumeIf("true") && !Parser.consumeIf("false"))
    return Parser.unexpected("'true' or 'false' behind 'is_simplified:'");
  return true;
}

Error MapParser::parseFact() {
  Expected<SyntaxTree> Expr = parseExpression();
  if (!Expr)
    return Expr.takeError();
  IsClosed = Parser.consumeIf("in");
  if (IsClosed)
    return parseRange(*Expr);
  if (!isCondition((*Expr)->Op))
    return Parser.unexpected("a range, as in 'd0 in [0, 9]', or a relation, as "
                             "in 'd0 < 10', in the domain");
  return addCondition(*Expr);
}

Error MapParser::parseRange(const SyntaxTree &Expr) {
  if (Error E = Parser.expect("[", "before the bounds"))
    return E;
  Expected<SyntaxTree> Lo = parseBound(/*IsUpper=*/false);
  if (!Lo)
    return Lo.takeError();
  if (Error E = Parser.expect(",", "between the bounds"))
    return E;
  Expected<SyntaxTree> Hi = parseBound(/*IsUpper=*/true);
  if (!Hi)
    return Hi.takeError();
  Map.Facts.push_back({Expr, *Lo, *Hi});
  return Parser.expect("]", "behind the bounds");
}

/// Null for no bound.
Expected<SyntaxTree> MapParser::parseBound(bool IsUpper) {
  SyntaxParser Ahead = Parser;
  bool IsNegative = Ahead.consumeIf("-");
  if (!Ahead.consumeIf("inf"))
    return parseExpression();
  if (IsNegative == IsUpper)
    return Parser.error(Parser.offset(),
                        IsUpper ? "no value is below '-inf'; no upper bound is "
                                  "written 'inf'"
                                : "no value is above 'inf'; no lower bound is "
                                  "written '-inf'");
  Parser = Ahead;
  return SyntaxTree();
}

/// Adds the facts that say that \p Condition is true.
Error MapParser::addCondition(const SyntaxTree &Condition) {
  SyntaxOp Op = Condition->Op;
  if (Op == SyntaxOp::And && all_of(Condition->Args, [](const SyntaxTree &Arg) {
        return isCondition(Arg->Op);
      })) {
    for (const SyntaxTree &Arg : Condition->Args)
      if (Error E = addCondition(Arg))
        return E;
    return Error::success();
  }
  if (!isOrdering(Op) && Op != SyntaxOp::Equal) {
    SyntaxTree One = syntaxNumber(1, Condition->Offset);
    Map.Facts.push_back({Condition, One, One});
    return Error::success();
  }
  const SyntaxTree &A = Condition->Args[0], &B = Condition->Args[1];
  // `0 <= x < 8` is (0 <= x) < 8, as in C, which is never meant.
  if (isOrdering(A->Op))
    return Parser.error(Condition->Offset,
                        "relations do not chain; write '0 <= x, x < 8' or 'x "
                        "in [0, 7]' in place of '0 <= x < 8'");
  addRelation(Op, A, B, Condition->Offset);
  return Error::success();
}

static SyntaxOp mirrored(SyntaxOp Op) {
  switch (Op) {
  case SyntaxOp::Less:
    return SyntaxOp::Greater;
  case SyntaxOp::LessEqual:
    return SyntaxOp::GreaterEqual;
  case SyntaxOp::Greater:
    return SyntaxOp::Less;
  case SyntaxOp::GreaterEqual:
    return SyntaxOp::LessEqual;
  default:
    return Op;
  }
}

void MapParser::addRelation(SyntaxOp Op, SyntaxTree A, SyntaxTree B,
                            size_t Offset) {
  if (A->Op == SyntaxOp::Number) {
    std::swap(A, B);
    Op = mirrored(Op);
  }
  // What A is compared with, and the next number if equality is not allowed.
  int64_t Bound = B->Op == SyntaxOp::Number ? B->Value : 0;
  int64_t Step = Op == SyntaxOp::Less ? -1 : Op == SyntaxOp::Greater ? 1 : 0;
  int64_t Inside;
  if (B->Op != SyntaxOp::Number || AddOverflow(Bound, Step, Inside)) {
    A = syntaxNode(SyntaxOp::Add, {A, syntaxNode(SyntaxOp::Negate, B, Offset)},
                   Offset);
    Inside = Step;
  }
  SyntaxTree End = syntaxNumber(Inside, B->Offset);
  bool IsLower = Op == SyntaxOp::Greater || Op == SyntaxOp::GreaterEqual;
  bool IsUpper = Op == SyntaxOp::Less || Op == SyntaxOp::LessEqual;
  Map.Facts.push_back(
      {A, IsUpper ? SyntaxTree() : End, IsLower ? SyntaxTree() : End});
}

//===----------------------------------------------------------------------===//
// Names
//===----------------------------------------------------------------------===//

Expected<SyntaxTree> MapParser::parseExpression() {
  Expected<SyntaxTree> Tree = Parser.parseExpression();
  if (Tree)
    if (Error E = checkNames(*Tree))
      return E;
  return Tree;
}

Error MapParser::checkNames(const SyntaxTree &Tree) {
  if (Tree->Op == SyntaxOp::Name && !Declared.contains(Tree->Name))
    return Parser.error(Tree->Offset,
                        isKeyword(Tree->Name)
                            ? "'" + Tree->Name + "' is not a variable here"
                            : "unknown variable '" + Tree->Name + "'; " +
                                  listOfVariables());
  for (const SyntaxTree &Arg : Tree->Args)
    if (Error E = checkNames(Arg))
      return E;
  return Error::success();
}

std::string MapParser::listOfVariables() const {
  constexpr size_t MaxListed = 16;
  SmallVector<StringRef, MaxListed + 1> Names;
  for (const auto *Kind : {&Map.Dimensions, &Map.Ranges, &Map.Runtimes})
    for (const MapSyntax::Variable &V : *Kind)
      if (Names.size() <= MaxListed)
        Names.push_back(V.Name);
  if (Names.empty())
    return "the map has no variables";
  if (Names.size() > MaxListed)
    Names.back() = "...";
  return "the variables of the map are " + join(Names, ", ");
}

//===----------------------------------------------------------------------===//
// Entry points
//===----------------------------------------------------------------------===//

Expected<MapSyntax> parseMapSyntax(SyntaxParser &Parser) {
  return MapParser(Parser).parse();
}

Expected<MapSyntax> parseMapSyntax(StringRef Text, StringRef BufferName) {
  SyntaxParser Parser(Text, BufferName);
  Expected<MapSyntax> Map = parseMapSyntax(Parser);
  if (Map && !Parser.atEnd())
    return Parser.unexpected("the end of the map");
  return Map;
}

bool MapSyntax::contains(NameValues ValueOf) const {
  return !KnownEmpty && all_of(Facts, [&](const Fact &F) {
    return holds(F, ValueOf).value_or(false);
  });
}

std::optional<bool> MapSyntax::holds(const Fact &F, NameValues ValueOf) {
  std::optional<int64_t> Value = evaluate(F.Expr, ValueOf);
  std::optional<int64_t> Lo =
      F.Lo ? evaluate(F.Lo, ValueOf) : std::optional(Interval::MinusInfinity);
  std::optional<int64_t> Hi =
      F.Hi ? evaluate(F.Hi, ValueOf) : std::optional(Interval::PlusInfinity);
  if (!Value || !Lo || !Hi)
    return std::nullopt;
  return *Lo <= *Value && *Value <= *Hi;
}

} // namespace unravel
