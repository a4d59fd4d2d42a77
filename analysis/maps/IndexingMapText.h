//===- IndexingMapText.h - Indexing maps as text ----------------*- C++ -*-===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// XLA's syntax of indexing maps, and some more:
//
//     map     ::= vars? '->' '(' exprs? ')' where? (','? 'domain' ':' domain)?
//               | 'KNOWN EMPTY'
//     vars    ::= '(' names? ')' ('[' names? ']')? ('{' names? '}')?
//     where   ::= 'where' name '=' expr (',' name '=' expr)*
//     domain  ::= (fact (',' fact)*)?
//     fact    ::= expr 'in' '[' bound ',' bound ']' | expr relation expr
//               | condition
//     bound   ::= expr | '-'? 'inf'
//     relation::= '<' | '<=' | '>' | '>=' | '=='
//
// with `expr` from IndexSyntax.h. The comma between two facts may be left out
// behind a `]`, as XLA did that wrote each on a line of its own; its closing
// words `, is_simplified: true` are skipped.
//
// The names of `where` stand for their expressions in the results and in the
// definitions behind them.
//
// A fact about a single variable is its bound the first time, a constraint
// after that; a variable without one is unbounded. A relation is a range of the
// difference (`x < n` is `x - n in [-inf, -1]`), or of one side if the other is
// a number (`x < 9` is `x in [-inf, 8]`). A bound that is not a constant
// becomes a constraint: `x in [0, n - 1]` is `x in [0, inf], x - n in [-inf,
// -1]`. Any other condition, `x == 0 || y == 0`, has to have the value 1; of
// `a && b`, each is a fact.
//
// Printing gives the canonical text: constraints are sorted, bounds [-inf, inf]
// left out where that can be. Parsing it gives a map with the same variables,
// bounds and values (but "KNOWN EMPTY" does not say what it had), or an error
// where the text has a divisor in an arm of a select that may be zero.
//
//===----------------------------------------------------------------------===//

#ifndef UNRAVEL_ANALYSIS_MAPS_INDEXINGMAPTEXT_H
#define UNRAVEL_ANALYSIS_MAPS_INDEXINGMAPTEXT_H

#include "analysis/maps/IndexingMap.h"
#include "analysis/syntax/IndexSyntax.h"

namespace unravel {

/// A map as written, before anything was built from it. The evaluator of
/// IndexSyntax.h works on it, so a simplified map can be checked against
/// exactly what the user wrote.
struct MapSyntax {
  struct Variable {
    std::string Name;
    size_t Offset = 0;
  };
  struct Fact {
    SyntaxTree Expr;
    SyntaxTree Lo, Hi; ///< null for an infinite bound
  };
  std::vector<Variable> Dimensions, Ranges, Runtimes;
  std::vector<SyntaxTree> Results;
  std::vector<Fact> Facts;
  bool KnownEmpty = false; ///< written "KNOWN EMPTY"
  size_t Offset = 0;       ///< where the map begins

  using NameValues =
      llvm::function_ref<std::optional<int64_t>(llvm::StringRef)>;
  /// Whether \p F holds where the variables have the values of \p ValueOf;
  /// nullopt if something in it has no value there.
  static std::optional<bool> holds(const Fact &F, NameValues ValueOf);
  /// Whether all facts hold. One without a value does not.
  bool contains(NameValues ValueOf) const;
};

/// Whether a map, and not the continuation of one, begins at the current token:
/// what can be seen is `(...)[...]{...} ->` or `KNOWN EMPTY`.
bool isAtMap(SyntaxParser Parser);
/// Parses the map that begins at the parser's current token, up to its end. It
/// does not have to be the end of the text.
llvm::Expected<MapSyntax> parseMapSyntax(SyntaxParser &Parser);
/// Parses a text that holds one map.
llvm::Expected<MapSyntax> parseMapSyntax(llvm::StringRef Text,
                                         llvm::StringRef BufferName);

/// Builds the map. Errors: an expression too large for 64 bits or the limits
/// of the context, or without a form (IndexLowering.h). \p Text and \p
/// BufferName are what \p Syntax was parsed from, for the error's place.
llvm::Expected<IndexingMap> lowerMap(IndexContext &Context,
                                     const MapSyntax &Syntax,
                                     llvm::StringRef Text,
                                     llvm::StringRef BufferName);
llvm::Expected<IndexingMap>
parseIndexingMap(IndexContext &Context, llvm::StringRef Text,
                 llvm::StringRef BufferName = "<map>");

/// The map on one line; "KNOWN EMPTY" for a known-empty map. The text parses;
/// building the map again can fail only where a part of the map has no value at
/// any point (a division by zero) or is at the limits of the context.
void print(llvm::raw_ostream &OS, const IndexingMap &Map);
std::string toString(const IndexingMap &Map);
/// The same with other text for the results, parentheses included; the map is
/// not empty.
void printWithResults(llvm::raw_ostream &OS, const IndexingMap &Map,
                      llvm::StringRef Results);
/// One expression with the names of \p Map.
std::string toString(const IndexingMap &Map, IndexExpr E);
SyntaxTree treeOf(const IndexingMap &Map, IndexExpr E);

/// The text of the simplified map that stays what it is if it is read and
/// simplified again. Forms that mean the same are not always the same, so what
/// simplified() gives may be printed in a way that simplifies to yet another
/// text; this follows the texts to the one at which they end.
std::string toSimplestString(const IndexingMap &Map);

} // namespace unravel

#endif // UNRAVEL_ANALYSIS_MAPS_INDEXINGMAPTEXT_H
