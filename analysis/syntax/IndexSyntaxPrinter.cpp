//===- IndexSyntaxPrinter.cpp - Index expressions to text -----------------===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Every operand of an infix operator has to bind more tightly than it, on both
// sides: readers need not remember how `a * 4 mod 3` associates.
//
//===----------------------------------------------------------------------===//

#include "analysis/syntax/IndexSyntax.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/raw_ostream.h"
#include <limits>

using namespace llvm;

namespace unravel {

namespace {
class SyntaxPrinter {
public:
  SyntaxPrinter(raw_ostream &OS, SyntaxDialect Dialect)
      : OS(OS), Dialect(Dialect) {}

  void print(const SyntaxNode &Node) {
    if (Node.Op == SyntaxOp::Number)
      OS << Node.Value;
    else if (Node.Op == SyntaxOp::Name)
      OS << Node.Name;
    else if (Node.Op == SyntaxOp::Negate)
      negation(Node);
    else if (Node.Op == SyntaxOp::Not)
      prefixed("!", *Node.Args[0], UnaryLevel);
    else if (const SyntaxSpelling *Infix = infixOf(Node))
      infix(Node, *Infix);
    else
      call(Node);
  }

private:
  /// Levels above those of the infix operators.
  enum : unsigned { UnaryLevel = 10, PrimaryLevel = 11 };

  static bool isNegativeNumber(const SyntaxNode &Node) {
    return Node.Op == SyntaxOp::Number && Node.Value < 0;
  }
  static bool isPositiveNumber(const SyntaxNode &Node) {
    return Node.Op == SyntaxOp::Number && Node.Value > 0;
  }

  /// The infix operator that \p Node is printed with, null for a function.
  const SyntaxSpelling *infixOf(const SyntaxNode &Node) const {
    SyntaxOp Op = Node.Op;
    if (isDivision(Op) && Dialect == SyntaxDialect::Functions)
      return nullptr;
    if (Op == SyntaxOp::FloorMod || Op == SyntaxOp::EuclidMod) {
      if (!isPositiveNumber(*Node.Args[1]))
        return nullptr;
      Op = SyntaxOp::EuclidMod; // the two are the same here
    }
    return findOp(infixSpellings(), Op);
  }

  static const SyntaxSpelling *findOp(ArrayRef<SyntaxSpelling> Spellings,
                                      SyntaxOp Op) {
    const auto *Found = llvm::find_if(
        Spellings, [&](const SyntaxSpelling &S) { return S.Op == Op; });
    return Found == Spellings.end() ? nullptr : Found;
  }

  /// How tightly the outermost operator binds.
  unsigned levelOf(const SyntaxNode &Node) const {
    if (Node.Op == SyntaxOp::Negate || Node.Op == SyntaxOp::Not ||
        isNegativeNumber(Node))
      return UnaryLevel;
    const SyntaxSpelling *Infix = infixOf(Node);
    return Infix ? Infix->Level : unsigned(PrimaryLevel);
  }

  /// Prints \p Node behind \p Prefix, in parentheses if it binds less tightly
  /// than \p MinLevel.
  void prefixed(StringRef Prefix, const SyntaxNode &Node, unsigned MinLevel) {
    bool Parens = levelOf(Node) < MinLevel;
    OS << Prefix << (Parens ? "(" : "");
    print(Node);
    OS << (Parens ? ")" : "");
  }

  void negation(const SyntaxNode &Node) {
    const SyntaxNode &Operand = *Node.Args[0];
    // `-5` would be parsed as a number.
    bool Literal = Operand.Op == SyntaxOp::Number && Operand.Value >= 0;
    prefixed("-", Operand, Literal ? PrimaryLevel + 1 : UnaryLevel);
  }

  void infix(const SyntaxNode &Node, const SyntaxSpelling &Infix) {
    // How `a xor b * 4` binds differs between languages.
    bool IsOnBits = Node.Op == SyntaxOp::BitXor || Node.Op == SyntaxOp::BitOr ||
                    Node.Op == SyntaxOp::BitAnd;
    unsigned Tighter = IsOnBits ? unsigned(UnaryLevel) : Infix.Level + 1;
    prefixed("", *Node.Args[0], Tighter);
    for (const SyntaxTree &Arg : drop_begin(Node.Args)) {
      if (Node.Op == SyntaxOp::Add) {
        summand(*Arg, Tighter);
      } else {
        OS << ' ' << Infix.Text;
        prefixed(" ", *Arg, Tighter);
      }
    }
  }

  /// Prints what follows the first summand, with its sign.
  void summand(const SyntaxNode &Node, unsigned MinLevel) {
    bool HasOpposite = Node.Value != std::numeric_limits<int64_t>::min();
    if (Node.Op == SyntaxOp::Negate)
      prefixed(" - ", *Node.Args[0], MinLevel);
    else if (isNegativeNumber(Node) && HasOpposite)
      OS << " - " << -Node.Value;
    else
      prefixed(" + ", Node, MinLevel);
  }

  void call(const SyntaxNode &Node) {
    OS << findOp(functionSpellings(), Node.Op)->Text << '(';
    interleave(
        Node.Args, [&](const SyntaxTree &Arg) { print(*Arg); },
        [&] { OS << ", "; });
    OS << ')';
  }

  raw_ostream &OS;
  SyntaxDialect Dialect;
};
} // namespace

void print(raw_ostream &OS, const SyntaxTree &Tree, SyntaxDialect Dialect) {
  SyntaxPrinter(OS, Dialect).print(*Tree);
}

std::string toString(const SyntaxTree &Tree, SyntaxDialect Dialect) {
  std::string Text;
  raw_string_ostream OS(Text);
  print(OS, Tree, Dialect);
  return Text;
}

} // namespace unravel
