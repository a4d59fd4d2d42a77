//===- IndexingMapText.cpp - Indexing maps as text ------------------------===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// From a MapSyntax to a map, and from a map to text. Nothing is simplified on
// the way: the forms are built on a domain without facts, so only what holds
// for all integers is applied.
//
//===----------------------------------------------------------------------===//

#include "analysis/maps/IndexingMapText.h"
#include "analysis/syntax/IndexLowering.h"
#include "analysis/syntax/IndexRaising.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace unravel {

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
  llvm::sort(Sorted, [](const PendingFact &A, const PendingFact &B) {
    return std::tie(A.Text, A.Fact) < std::tie(B.Text, B.Fact);
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

/// The text of a map means it inside of these.
static Interval boundsIn(const IndexingMap &Map, const IndexAtom *Atom) {
  std::optional<size_t> Position = Map.positionOf(Atom);
  return Position ? Map.variableAt(*Position).Bounds : Interval();
}

SyntaxTree treeOf(const IndexingMap &Map, IndexExpr E) {
  auto NameOf = [&](const IndexAtom *Atom) { return Map.nameOf(Atom); };
  auto BoundsOf = [&](const IndexAtom *Atom) { return boundsIn(Map, Atom); };
  return raise(Map.context(), E, NameOf, BoundsOf);
}

/// True if the value can be seen to be 0 or 1.
static bool isTruthValue(const SyntaxTree &Tree) {
  if (Tree->Op == SyntaxOp::Select)
    return isTruthValue(Tree->Args[1]) && isTruthValue(Tree->Args[2]);
  return isCondition(Tree->Op) ||
         (Tree->Op == SyntaxOp::Number && (Tree->Value >> 1) == 0);
}

static std::string textOf(const IndexingMap &Map, const MapConstraint &C) {
  SyntaxTree Tree = treeOf(Map, C.Expr);
  // In the place of `select(a || b, 1, 0)`.
  if (Tree->Op == SyntaxOp::Select && isTruthValue(Tree))
    Tree = raiseCondition(
        Map.context(), C.Expr,
        [&](const IndexAtom *Atom) { return Map.nameOf(Atom); },
        [&](const IndexAtom *Atom) { return boundsIn(Map, Atom); });
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
  std::string Results;
  ListSeparator Comma;
  for (IndexExpr Result : Map.results())
    Results += std::string(StringRef(Comma)) + toString(Map, Result);
  printWithResults(OS, Map, "(" + Results + ")");
}

void printWithResults(raw_ostream &OS, const IndexingMap &Map,
                      StringRef Results) {
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
  OS << " -> " << Results;
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

std::string toSimplestString(const IndexingMap &Map) {
  static constexpr unsigned MaxTexts = 8;
  std::vector<std::string> Texts = {toString(Map.simplified())};
  while (Texts.size() < MaxTexts && Texts.back() != "KNOWN EMPTY") {
    IndexContext Fresh(Map.context().limits());
    Expected<IndexingMap> Read = parseIndexingMap(Fresh, Texts.back());
    if (!Read) {
      // Too large for the limits of the context when it is built from text.
      consumeError(Read.takeError());
      break;
    }
    std::string Next = toString(Read->simplified());
    auto Seen = llvm::find(Texts, Next);
    if (Seen != Texts.end()) {
      // From any text of a cycle the same one is chosen.
      return *std::min_element(
          Seen, Texts.end(), [](const std::string &A, const std::string &B) {
            return std::pair(A.size(), A) < std::pair(B.size(), B);
          });
    }
    Texts.push_back(std::move(Next));
  }
  return Texts.back();
}

} // namespace unravel
