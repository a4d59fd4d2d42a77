//===- IndexSyntax.h - Index expressions as written -------------*- C++ -*-===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The syntax tree between text and the algebra. Text is parsed to a tree, a
// tree is lowered to a form (IndexLowering.h), and a form is raised to the
// cheapest tree that computes it (IndexRaising.h), which is printed. The tree
// has its own evaluator, by the definitions of the operators and without any
// simplification: that is what every result is checked against.
//
// One grammar serves both the indexing maps (`a floordiv 3 + b mod 4`) and the
// C-like language of batches (`floordiv(a, 3) + floormod(b, 4)`):
//
//     or      ::= and ('||' and)*              and  ::= equal ('&&' equal)*
//     equal   ::= either (('<' '<=' '>' '>=' '==' '!=') either)*
//     either  ::= differ ('|' differ)*
//     differ  ::= bits (('^' | 'xor') bits)*
//     bits    ::= shift ('&' shift)*           shift ::= sum (('<<' '>>') sum)*
//     sum     ::= product (('+' | '-') product)*
//     product ::= unary (('*' '/' '%' 'floordiv' 'ceildiv' 'mod') unary)*
//     unary   ::= ('-' | '!') unary | primary
//     primary ::= number | name | name '(' or (',' or)* ')' | '(' or ')'
//               | 'true' | 'false'
//
// Functions: floordiv floormod ceildiv truncdiv truncmod (also tdiv tmod)
// eucdiv eucmod min max select. Infix `/` is floordiv. Infix `mod` and `%` have
// a result in [0, |divisor|), as in XLA: for a negative divisor that is not
// the remainder of floordiv, which is floormod. min and max take two or more
// arguments. Where a number stands for a condition, it is true if not zero; a
// condition that stands for a number is 0 or 1. `name` is
// [A-Za-z_][A-Za-z0-9_.]*. `&`, `|` and `xor` work on two's complement integers
// of unlimited width.
//
//===----------------------------------------------------------------------===//

#ifndef UNRAVEL_ANALYSIS_SYNTAX_INDEXSYNTAX_H
#define UNRAVEL_ANALYSIS_SYNTAX_INDEXSYNTAX_H

#include "analysis/syntax/SyntaxError.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <cstdint>
#include <memory>
#include <optional>
#include <string>

namespace llvm {
class raw_ostream;
}

namespace unravel {

enum class SyntaxOp : uint8_t {
  Number,
  Name,
  Negate,
  Add, ///< two or more arguments; `a - b` is Add(a, Negate(b))
  Multiply,
  FloorDiv,
  FloorMod,
  CeilDiv,
  TruncDiv,
  TruncMod,
  EuclidDiv,
  EuclidMod,
  Min, ///< two or more arguments
  Max, ///< two or more arguments
  Select,
  ShiftLeft,
  ShiftRight, ///< arithmetic: floor of a power of two
  BitAnd,     ///< of two's complement integers of unlimited width
  Less,
  LessEqual,
  Greater,
  GreaterEqual,
  Equal,
  NotEqual,
  And,
  Or,
  Not,
  BitXor, ///< as BitAnd
  BitOr,  ///< as BitAnd
};

struct SyntaxNode;
/// Trees are immutable and share parts.
using SyntaxTree = std::shared_ptr<const SyntaxNode>;

struct SyntaxNode {
  SyntaxOp Op;
  unsigned Height = 1; ///< nodes on the longest way down, this one included
  int64_t Value = 0;   ///< of a Number
  std::string Name;    ///< of a Name
  llvm::SmallVector<SyntaxTree, 2> Args;
  size_t Offset = 0; ///< where it begins in the text it was parsed from
};

/// Nodes to build trees from. Numbers fold nothing; the caller decides.
SyntaxTree syntaxNumber(int64_t Value, size_t Offset = 0);
SyntaxTree syntaxName(llvm::StringRef Name, size_t Offset = 0);
SyntaxTree syntaxNode(SyntaxOp Op, llvm::ArrayRef<SyntaxTree> Args,
                      size_t Offset = 0);

/// An infix operator or a function of the grammar above. An operator may have
/// several spellings; the first one is the one to print.
struct SyntaxSpelling {
  llvm::StringLiteral Text;
  SyntaxOp Op;
  unsigned Level = 0; ///< from 1 for `||` to 9 for `*`: higher binds tighter
};
llvm::ArrayRef<SyntaxSpelling> infixSpellings();
llvm::ArrayRef<SyntaxSpelling> functionSpellings();

/// True for the operators that take two or more arguments, not just two.
bool isVariadic(SyntaxOp Op);
/// True for the operators whose value is a truth value.
bool isCondition(SyntaxOp Op);
/// True for the seven quotient and remainder operators.
bool isDivision(SyntaxOp Op);

/// Splits text into tokens and parses expressions; IndexingMapText.h uses it
/// for the parts of a map. `//` comments and white space, line ends included,
/// separate tokens.
class SyntaxParser {
public:
  /// Deeper nesting of the text, or a higher tree, than this is an error, not a
  /// stack overflow (`a / b / c` is a tree of height 3).
  static constexpr unsigned MaxNesting = 256;

  /// Parses \p Text from offset \p Begin on.
  SyntaxParser(llvm::StringRef Text, llvm::StringRef BufferName,
               size_t Begin = 0)
      : Text(Text), BufferName(BufferName), Position(Begin) {}

  /// Parses one `or` of the grammar above, starting at the current token.
  llvm::Expected<SyntaxTree> parseExpression();

  /// The next token, without consuming it; empty at the end of the text. A
  /// token is a name, a number (digits only), an operator, `->`, or any other
  /// single character (bytes beyond ASCII stay together).
  llvm::StringRef peek();
  llvm::StringRef next();
  bool consumeIf(llvm::StringRef Token);
  /// Consumes \p Token or returns the error "expected 'TOKEN' CONTEXT, found
  /// 'OTHER'".
  llvm::Error expect(llvm::StringRef Token, llvm::StringRef Context);
  /// The error "expected WHAT, found 'OTHER'" at the next token.
  llvm::Error unexpected(const llvm::Twine &What);
  /// Where the next token begins; at the end of the text, where the last one
  /// ends, as what is missing is missing there.
  size_t offset();
  bool atEnd() { return peek().empty(); }
  llvm::Error error(size_t Offset, const llvm::Twine &What) const {
    return syntaxError(Text, BufferName, Offset, What);
  }

private:
  llvm::Expected<SyntaxTree> parseInfix(unsigned MinLevel);
  llvm::Expected<SyntaxTree> parseOperands(const SyntaxSpelling &Infix,
                                           SyntaxTree First, size_t Begin);
  llvm::Expected<SyntaxTree> parseUnary();
  llvm::Expected<SyntaxTree> parsePrimary();
  llvm::Expected<SyntaxTree> parseNumber(bool Negative, size_t Begin);
  llvm::Expected<SyntaxTree> parseCall(llvm::StringRef Name, size_t Begin);
  llvm::Expected<SyntaxTree> build(SyntaxOp Op, llvm::ArrayRef<SyntaxTree> Args,
                                   size_t Begin);
  llvm::Error closeParenthesis(size_t Open);
  llvm::Error tooDeep();
  const SyntaxSpelling *peekInfix();
  void skipSpace();

  llvm::StringRef Text;
  llvm::StringRef BufferName;
  size_t Position;
  size_t LastTokenEnd = 0;
  unsigned Nesting = 0;
};

/// Parses \p Text as one expression.
llvm::Expected<SyntaxTree> parseSyntax(llvm::StringRef Text,
                                       llvm::StringRef BufferName);

/// The value of \p Tree by the definition of its operators. Returns nullopt for
/// a division by zero, a negative shift, an unknown name, or a value that
/// leaves 64 bits. Arguments that are not chosen by a select, or not needed by
/// && and ||, need no value.
std::optional<int64_t>
evaluate(const SyntaxTree &Tree,
         llvm::function_ref<std::optional<int64_t>(llvm::StringRef)> ValueOf);

/// What a tree costs as written: every occurrence counts. A minus sign in front
/// of a number is no operation, `a - b` is one.
struct SyntaxCost {
  unsigned Divisions = 0;  ///< quotients and remainders
  unsigned Operations = 0; ///< all operators, divisions included
  bool operator<(const SyntaxCost &Other) const {
    return Divisions != Other.Divisions ? Divisions < Other.Divisions
                                        : Operations < Other.Operations;
  }
  bool operator==(const SyntaxCost &Other) const {
    return Divisions == Other.Divisions && Operations == Other.Operations;
  }
};
SyntaxCost costOf(const SyntaxTree &Tree);

/// Which of the two spellings to print.
enum class SyntaxDialect {
  IndexingMap, ///< `(a floordiv 3) * 4 + b mod 4`, as XLA writes
  Functions,   ///< `floordiv(a, 3) * 4 + eucmod(b, 4)`
};

/// Prints \p Tree so that parsing gives the same tree back, but for two of
/// equal value: Add(a, -5) is printed as `a - 5`, and in the map dialect a
/// FloorMod by a positive number is `a mod 5`. Between operators that bind
/// alike there are always parentheses: `(a floordiv 8) * 4`. In the map
/// dialect, truncdiv and the like stay functions, and so does a remainder by
/// anything but a positive number.
void print(llvm::raw_ostream &OS, const SyntaxTree &Tree,
           SyntaxDialect Dialect);
std::string toString(const SyntaxTree &Tree, SyntaxDialect Dialect);

} // namespace unravel

#endif // UNRAVEL_ANALYSIS_SYNTAX_INDEXSYNTAX_H
