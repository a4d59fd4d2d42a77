//===- IndexSyntax.cpp - Index expressions as written ---------------------===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "analysis/syntax/IndexSyntax.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"
#include <algorithm>

using namespace llvm;

namespace unravel {

//===----------------------------------------------------------------------===//
// Trees
//===----------------------------------------------------------------------===//

SyntaxTree syntaxNumber(int64_t Value, size_t Offset) {
  auto Node = std::make_shared<SyntaxNode>();
  Node->Op = SyntaxOp::Number;
  Node->Value = Value;
  Node->Offset = Offset;
  return Node;
}

SyntaxTree syntaxName(StringRef Name, size_t Offset) {
  auto Node = std::make_shared<SyntaxNode>();
  Node->Op = SyntaxOp::Name;
  Node->Name = Name.str();
  Node->Offset = Offset;
  return Node;
}

SyntaxTree syntaxNode(SyntaxOp Op, ArrayRef<SyntaxTree> Args, size_t Offset) {
  auto Node = std::make_shared<SyntaxNode>();
  Node->Op = Op;
  Node->Args.assign(Args.begin(), Args.end());
  Node->Offset = Offset;
  for (const SyntaxTree &Arg : Args)
    Node->Height = std::max(Node->Height, 1 + Arg->Height);
  return Node;
}

ArrayRef<SyntaxSpelling> infixSpellings() {
  static constexpr SyntaxSpelling Spellings[] = {
      {"||", SyntaxOp::Or, 1},        {"&&", SyntaxOp::And, 2},
      {"<", SyntaxOp::Less, 3},       {"<=", SyntaxOp::LessEqual, 3},
      {">", SyntaxOp::Greater, 3},    {">=", SyntaxOp::GreaterEqual, 3},
      {"==", SyntaxOp::Equal, 3},     {"!=", SyntaxOp::NotEqual, 3},
      {"|", SyntaxOp::BitOr, 4},      {"xor", SyntaxOp::BitXor, 5},
      {"^", SyntaxOp::BitXor, 5},     {"&", SyntaxOp::BitAnd, 6},
      {"<<", SyntaxOp::ShiftLeft, 7}, {">>", SyntaxOp::ShiftRight, 7},
      {"+", SyntaxOp::Add, 8},        {"-", SyntaxOp::Add, 8},
      {"*", SyntaxOp::Multiply, 9},   {"floordiv", SyntaxOp::FloorDiv, 9},
      {"/", SyntaxOp::FloorDiv, 9},   {"mod", SyntaxOp::EuclidMod, 9},
      {"%", SyntaxOp::EuclidMod, 9},  {"ceildiv", SyntaxOp::CeilDiv, 9},
  };
  return Spellings;
}

ArrayRef<SyntaxSpelling> functionSpellings() {
  static constexpr SyntaxSpelling Spellings[] = {
      {"floordiv", SyntaxOp::FloorDiv}, {"floormod", SyntaxOp::FloorMod},
      {"ceildiv", SyntaxOp::CeilDiv},   {"truncdiv", SyntaxOp::TruncDiv},
      {"truncmod", SyntaxOp::TruncMod}, {"tdiv", SyntaxOp::TruncDiv},
      {"tmod", SyntaxOp::TruncMod},     {"eucdiv", SyntaxOp::EuclidDiv},
      {"eucmod", SyntaxOp::EuclidMod},  {"min", SyntaxOp::Min},
      {"max", SyntaxOp::Max},           {"select", SyntaxOp::Select},
  };
  return Spellings;
}

bool isCondition(SyntaxOp Op) {
  return Op >= SyntaxOp::Less && Op <= SyntaxOp::Not;
}

bool isDivision(SyntaxOp Op) {
  return Op >= SyntaxOp::FloorDiv && Op <= SyntaxOp::EuclidMod;
}

bool isVariadic(SyntaxOp Op) {
  switch (Op) {
  case SyntaxOp::Add:
  case SyntaxOp::Multiply:
  case SyntaxOp::Min:
  case SyntaxOp::Max:
  case SyntaxOp::And:
  case SyntaxOp::Or:
    return true;
  default:
    return false;
  }
}

//===----------------------------------------------------------------------===//
// Values
//===----------------------------------------------------------------------===//

/// True if the quotient is the result, not the remainder.
static bool isQuotient(SyntaxOp Op) {
  return Op == SyntaxOp::FloorDiv || Op == SyntaxOp::CeilDiv ||
         Op == SyntaxOp::TruncDiv || Op == SyntaxOp::EuclidDiv;
}

/// What the quotient of \p Op is more than the truncated one, which leaves
/// \p Remainder.
static int quotientStep(SyntaxOp Op, int64_t Remainder, int64_t Divisor) {
  bool SameSign = (Remainder < 0) == (Divisor < 0);
  switch (Op) {
  case SyntaxOp::FloorDiv:
  case SyntaxOp::FloorMod:
    return Remainder != 0 && !SameSign ? -1 : 0;
  case SyntaxOp::CeilDiv:
    return Remainder != 0 && SameSign ? 1 : 0;
  case SyntaxOp::EuclidDiv:
  case SyntaxOp::EuclidMod:
    return Remainder >= 0 ? 0 : Divisor > 0 ? -1 : 1;
  default:
    return 0;
  }
}

static std::optional<int64_t> divide(SyntaxOp Op, int64_t A, int64_t D) {
  if (D == 0)
    return std::nullopt;
  int64_t Quotient, Remainder = 0;
  if (D != -1) {
    Quotient = A / D;
    Remainder = A % D;
  } else if (SubOverflow<int64_t>(0, A, Quotient) && isQuotient(Op)) {
    return std::nullopt;
  }
  // Nothing overflows: there is no step if |D| is 1, and after a step the
  // remainder is still smaller than |D|.
  int Step = quotientStep(Op, Remainder, D);
  if (isQuotient(Op))
    return Quotient + Step;
  return Step == 0 ? Remainder : Step < 0 ? Remainder + D : Remainder - D;
}

static std::optional<int64_t> shiftLeft(int64_t A, int64_t Amount) {
  if (A == 0 && Amount >= 0)
    return 0;
  if (Amount < 0 || Amount > 63)
    return std::nullopt;
  auto Shifted = static_cast<int64_t>(static_cast<uint64_t>(A) << Amount);
  if (Shifted >> Amount != A)
    return std::nullopt;
  return Shifted;
}

static std::optional<int64_t> shiftRight(int64_t A, int64_t Amount) {
  if (Amount < 0)
    return std::nullopt;
  return A >> std::min<int64_t>(Amount, 63);
}

/// The value of an operator with two arguments; more are taken one by one.
static std::optional<int64_t> combine(SyntaxOp Op, int64_t A, int64_t B) {
  int64_t Result;
  switch (Op) {
  case SyntaxOp::Add:
    return AddOverflow(A, B, Result) ? std::nullopt : std::optional(Result);
  case SyntaxOp::Multiply:
    return MulOverflow(A, B, Result) ? std::nullopt : std::optional(Result);
  case SyntaxOp::Min:
    return std::min(A, B);
  case SyntaxOp::Max:
    return std::max(A, B);
  case SyntaxOp::ShiftLeft:
    return shiftLeft(A, B);
  case SyntaxOp::ShiftRight:
    return shiftRight(A, B);
  case SyntaxOp::BitAnd:
    return A & B;
  case SyntaxOp::BitXor:
    return A ^ B;
  case SyntaxOp::BitOr:
    return A | B;
  case SyntaxOp::Less:
    return A < B;
  case SyntaxOp::LessEqual:
    return A <= B;
  case SyntaxOp::Greater:
    return A > B;
  case SyntaxOp::GreaterEqual:
    return A >= B;
  case SyntaxOp::Equal:
    return A == B;
  case SyntaxOp::NotEqual:
    return A != B;
  default:
    return divide(Op, A, B);
  }
}

using NameValues = function_ref<std::optional<int64_t>(StringRef)>;

/// The first true argument decides `||`, the first false one `&&`.
static std::optional<int64_t> evaluateLogical(const SyntaxNode &Node,
                                              NameValues ValueOf) {
  bool Decisive = Node.Op == SyntaxOp::Or;
  for (const SyntaxTree &Arg : Node.Args) {
    std::optional<int64_t> Value = evaluate(Arg, ValueOf);
    if (!Value)
      return std::nullopt;
    if ((*Value != 0) == Decisive)
      return Decisive;
  }
  return !Decisive;
}

std::optional<int64_t> evaluate(const SyntaxTree &Tree, NameValues ValueOf) {
  SyntaxOp Op = Tree->Op;
  if (Op == SyntaxOp::Number)
    return Tree->Value;
  if (Op == SyntaxOp::Name)
    return ValueOf(Tree->Name);
  if (Op == SyntaxOp::And || Op == SyntaxOp::Or)
    return evaluateLogical(*Tree, ValueOf);

  std::optional<int64_t> Value = evaluate(Tree->Args[0], ValueOf);
  if (!Value)
    return std::nullopt;
  if (Op == SyntaxOp::Select)
    return evaluate(Tree->Args[*Value != 0 ? 1 : 2], ValueOf);
  if (Op == SyntaxOp::Not)
    return *Value == 0;
  if (Op == SyntaxOp::Negate)
    return combine(SyntaxOp::Multiply, *Value, -1);
  for (const SyntaxTree &Arg : drop_begin(Tree->Args)) {
    std::optional<int64_t> Next = evaluate(Arg, ValueOf);
    if (!Next)
      return std::nullopt;
    Value = combine(Op, *Value, *Next);
    if (!Value)
      return std::nullopt;
  }
  return Value;
}

SyntaxCost costOf(const SyntaxTree &Tree) {
  ArrayRef<SyntaxTree> Args = Tree->Args;
  SyntaxCost Cost;
  for (size_t I = 0; I < Args.size(); ++I) {
    // The minus sign of `a - b` is the operation that adding b would be.
    bool Subtracted =
        Tree->Op == SyntaxOp::Add && I > 0 && Args[I]->Op == SyntaxOp::Negate;
    SyntaxCost Arg = costOf(Subtracted ? Args[I]->Args[0] : Args[I]);
    Cost.Divisions += Arg.Divisions;
    Cost.Operations += Arg.Operations;
  }
  if (isDivision(Tree->Op))
    ++Cost.Divisions;
  if (Tree->Op == SyntaxOp::Negate)
    Cost.Operations += Args[0]->Op == SyntaxOp::Number ? 0 : 1;
  else if (Tree->Op == SyntaxOp::Not || Tree->Op == SyntaxOp::Select)
    ++Cost.Operations;
  else if (!Args.empty())
    Cost.Operations += Args.size() - 1;
  return Cost;
}

} // namespace unravel
