//===- IndexingMapText.cpp - Indexing maps as text ------------------------===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Text is parsed to a MapSyntax, which knows nothing of the algebra, and that
// is lowered to a map. Nothing is simplified on the way: the forms are built on
// a domain without facts, so only what holds for all integers is applied.
//
//===----------------------------------------------------------------------===//

#include "analysis/IndexingMapText.h"
#include "analysis/IndexLowering.h"
#include "analysis/IndexRaising.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace unravel {

//===----------------------------------------------------------------------===//
// Parsing
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
  return is_contained({"in", "inf", "domain", "true", "false"}, Name) ||
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
  /// Whether the last fact ended with a `]`: nothing can continue it.
  bool IsClosed = false;
};
} // namespace

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
    Expected<SyntaxTree> Result = parseExpression();
    if (!Result)
      return Result.takeError();
    Map.Results.push_back(std::move(*Result));
  } while (Parser.consumeIf(","));
  return Parser.expect(")", "behind the results of the map");
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
  // `0 <= x < 8` is (0 <= x) < 8, as in C; nobody means that.
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

//===----------------------------------------------------------------------===//
// Lowering
//===----------------------------------------------------------------------===//

namespace {
class MapLowering {
public:
  MapLowering(IndexContext &Context, const MapSyntax &Syntax, StringRef Text,
              StringRef BufferName)
      : Context(Context), Syntax(Syntax), Text(Text), BufferName(BufferName),
        Anywhere(Context), Basis(Anywhere) {}

  Expected<IndexingMap> run();

private:
  /// A fact to lower, and the variable if it is its bound.
  struct PendingFact {
    std::string Text;
    const MapSyntax::Fact *Fact;
    MapVariable *Bounded;
  };

  void declare(VariableKind Kind, ArrayRef<MapSyntax::Variable> Names,
               std::vector<MapVariable> &Variables);
  std::vector<PendingFact> sortedFacts();
  Error lowerFact(const PendingFact &Pending);
  Error addSymbolicBound(const SyntaxTree &At, IndexExpr E, IndexExpr Bound,
                         bool IsUpper);
  Expected<IndexExpr> lowerTree(const SyntaxTree &Tree);

  IndexContext &Context;
  const MapSyntax &Syntax;
  StringRef Text, BufferName;
  IndexDomain Anywhere;
  FloorBasis Basis;
  IndexingMap::Variables Vars;
  std::vector<MapConstraint> Constraints;
  struct NamedVariable {
    IndexExpr Form;
    MapVariable *Variable;
  };
  StringMap<NamedVariable> Variables;
};
} // namespace

Expected<IndexingMap> MapLowering::run() {
  if (Syntax.KnownEmpty)
    return IndexingMap::empty(Context, {}, /*NumResults=*/0);
  declare(VariableKind::Dimension, Syntax.Dimensions, Vars.Dimensions);
  declare(VariableKind::Range, Syntax.Ranges, Vars.Ranges);
  declare(VariableKind::Runtime, Syntax.Runtimes, Vars.Runtimes);
  std::vector<IndexExpr> Results;
  for (const SyntaxTree &Tree : Syntax.Results) {
    Expected<IndexExpr> Result = lowerTree(Tree);
    if (!Result)
      return Result.takeError();
    Results.push_back(*Result);
  }
  for (const PendingFact &Pending : sortedFacts())
    if (Error E = lowerFact(Pending))
      return E;
  return IndexingMap(Context, std::move(Vars), std::move(Results),
                     std::move(Constraints));
}

void MapLowering::declare(VariableKind Kind,
                          ArrayRef<MapSyntax::Variable> Names,
                          std::vector<MapVariable> &Declared) {
  for (unsigned I = 0; I < Names.size(); ++I) {
    bool IsDefault = Names[I].Name == IndexingMap::defaultNameOf(Kind, I);
    Declared.push_back({Interval(), IsDefault ? "" : Names[I].Name});
  }
  // Pointers into the vector, so only when it has stopped growing.
  for (unsigned I = 0; I < Names.size(); ++I)
    Variables[Names[I].Name] = {IndexingMap::exprOf(Context, Kind, I),
                                &Declared[I]};
}

/// In the order of their text: that of the input must not leave a trace in the
/// ids of the forms.
std::vector<MapLowering::PendingFact> MapLowering::sortedFacts() {
  auto TextOf = [](const SyntaxTree &Tree) {
    return Tree ? toString(Tree, SyntaxDialect::IndexingMap) : "inf";
  };
  std::vector<PendingFact> Sorted;
  StringSet<> HasBound;
  for (const MapSyntax::Fact &F : Syntax.Facts) {
    MapVariable *Bounded = nullptr;
    if (F.Expr->Op == SyntaxOp::Name && HasBound.insert(F.Expr->Name).second)
      Bounded = Variables[F.Expr->Name].Variable;
    Sorted.push_back(
        {TextOf(F.Expr) + " in " + TextOf(F.Lo) + ", " + TextOf(F.Hi), &F,
         Bounded});
  }
  llvm::stable_sort(Sorted, [](const PendingFact &A, const PendingFact &B) {
    return A.Text < B.Text;
  });
  return Sorted;
}

Error MapLowering::lowerFact(const PendingFact &Pending) {
  const MapSyntax::Fact &F = *Pending.Fact;
  Expected<IndexExpr> E = lowerTree(F.Expr);
  if (!E)
    return E.takeError();
  Interval Range;
  bool IsSymbolic = false;
  for (bool IsUpper : {false, true}) {
    const SyntaxTree &Tree = IsUpper ? F.Hi : F.Lo;
    if (!Tree)
      continue;
    Expected<IndexExpr> Bound = lowerTree(Tree);
    if (!Bound)
      return Bound.takeError();
    if (Bound->isConstant()) {
      Range = IsUpper ? Interval(Range.lo(), Bound->constant())
                      : Interval(Bound->constant(), Range.hi());
      continue;
    }
    IsSymbolic = true;
    if (Error Problem = addSymbolicBound(Tree, *E, *Bound, IsUpper))
      return Problem;
  }
  if (Pending.Bounded)
    Pending.Bounded->Bounds = Range;
  else if (!IsSymbolic || Range != Interval())
    Constraints.push_back({*E, Range});
  return Error::success();
}

/// E <= Bound is `E - Bound in [-inf, 0]`, with the constant on the right.
Error MapLowering::addSymbolicBound(const SyntaxTree &At, IndexExpr E,
                                    IndexExpr Bound, bool IsUpper) {
  IndexExpr Difference = Context.sub(E, Bound);
  int64_t End;
  if (!Difference || SubOverflow<int64_t>(0, Difference.constant(), End))
    return syntaxError(Text, BufferName, At->Offset,
                       "the distance from this bound leaves 64 bits, or is "
                       "too large an expression");
  Constraints.push_back(
      {Context.add(Difference, End),
       IsUpper ? Interval::atMost(End) : Interval::atLeast(End)});
  return Error::success();
}

Expected<IndexExpr> MapLowering::lowerTree(const SyntaxTree &Tree) {
  LoweringFailure Failure;
  IndexExpr E = lower(
      Basis, Tree, [&](StringRef Name) { return Variables.lookup(Name).Form; },
      Failure);
  if (!E)
    return syntaxError(Text, BufferName, Failure.Offset, Failure.Reason);
  return E;
}

Expected<IndexingMap> lowerMap(IndexContext &Context, const MapSyntax &Syntax,
                               StringRef Text, StringRef BufferName) {
  return MapLowering(Context, Syntax, Text, BufferName).run();
}

Expected<IndexingMap> parseIndexingMap(IndexContext &Context, StringRef Text,
                                       StringRef BufferName) {
  Expected<MapSyntax> Syntax = parseMapSyntax(Text, BufferName);
  if (!Syntax)
    return Syntax.takeError();
  return lowerMap(Context, *Syntax, Text, BufferName);
}

//===----------------------------------------------------------------------===//
// Printing
//===----------------------------------------------------------------------===//

static SyntaxTree treeOf(const IndexingMap &Map, IndexExpr E) {
  return raise(Map.context(), E,
               [&](const IndexAtom *Atom) { return Map.nameOf(Atom); });
}

/// The tree of a number that is a condition: `select(c, 1, 0)` is c.
static SyntaxTree withoutSelect(const SyntaxTree &Tree) {
  auto IsNumber = [](const SyntaxTree &Arg, int64_t Value) {
    return Arg->Op == SyntaxOp::Number && Arg->Value == Value;
  };
  bool IsCondition = Tree->Op == SyntaxOp::Select &&
                     IsNumber(Tree->Args[1], 1) && IsNumber(Tree->Args[2], 0);
  return IsCondition ? Tree->Args[0] : Tree;
}

static std::string textOf(const IndexingMap &Map, const MapConstraint &C) {
  SyntaxTree Tree = withoutSelect(treeOf(Map, C.Expr));
  std::string Text = toString(Tree, SyntaxDialect::IndexingMap);
  if (!isCondition(Tree->Op))
    return Text + " in " + C.Range.str();
  // Alone, a relation would be read as a difference, `&&` as two facts.
  bool MayStandAlone = Tree->Op == SyntaxOp::Or || Tree->Op == SyntaxOp::Not ||
                       Tree->Op == SyntaxOp::NotEqual;
  if (MayStandAlone && C.Range == Interval::point(1))
    return Text;
  return "(" + Text + ") in " + C.Range.str();
}

/// Bounds of every variable in order, then the constraints, sorted.
static std::vector<std::string> factsOf(const IndexingMap &Map) {
  std::vector<std::string> Bounds, Constraints;
  for (size_t I = 0; I < Map.numVariables(); ++I) {
    const IndexAtom *Variable = Map.atomAt(I);
    const Interval &Range = Map.variableAt(I).Bounds;
    // A constraint on the variable alone would be read as its bound.
    auto IsAlone = [&](const MapConstraint &C) {
      return C.Expr.asAtom() == Variable;
    };
    if (Range != Interval() || any_of(Map.constraints(), IsAlone))
      Bounds.push_back(Map.nameOf(Variable) + " in " + Range.str());
  }
  for (const MapConstraint &C : Map.constraints())
    Constraints.push_back(textOf(Map, C));
  llvm::sort(Constraints);
  Constraints.erase(llvm::unique(Constraints), Constraints.end());
  append_range(Bounds, Constraints);
  return Bounds;
}

static void printNames(raw_ostream &OS, const IndexingMap &Map,
                       VariableKind Kind) {
  for (unsigned I = 0; I < Map.variables(Kind).size(); ++I)
    OS << (I > 0 ? ", " : "") << Map.nameOf(Kind, I);
}

void print(raw_ostream &OS, const IndexingMap &Map) {
  if (Map.isKnownEmpty()) {
    OS << "KNOWN EMPTY";
    return;
  }
  OS << '(';
  printNames(OS, Map, VariableKind::Dimension);
  OS << ')';
  if (!Map.ranges().empty()) {
    OS << '[';
    printNames(OS, Map, VariableKind::Range);
    OS << ']';
  }
  if (!Map.runtimes().empty()) {
    OS << '{';
    printNames(OS, Map, VariableKind::Runtime);
    OS << '}';
  }
  OS << " -> (";
  ListSeparator Comma;
  for (IndexExpr Result : Map.results())
    OS << Comma << toString(Map, Result);
  OS << ')';
  std::vector<std::string> Facts = factsOf(Map);
  if (!Facts.empty())
    OS << ", domain: " << join(Facts, ", ");
}

std::string toString(const IndexingMap &Map) {
  std::string Text;
  raw_string_ostream OS(Text);
  print(OS, Map);
  return Text;
}

std::string toString(const IndexingMap &Map, IndexExpr E) {
  return toString(treeOf(Map, E), SyntaxDialect::IndexingMap);
}

} // namespace unravel
