//===- IndexLowering.cpp - From syntax to forms ---------------------------===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "analysis/syntax/IndexLowering.h"
#include "analysis/algebra/IndexSubstitution.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Twine.h"
#include "llvm/Support/MathExtras.h"

using namespace llvm;

namespace unravel {

namespace {
class Lowering {
public:
  Lowering(FloorBasis &Basis, NameLookup Lookup, LoweringFailure &Failure)
      : Basis(Basis), Context(Basis.context()), Lookup(Lookup),
        Failure(Failure) {}

  IndexExpr value(const SyntaxTree &Tree);
  IndexExpr condition(const SyntaxTree &Tree);

private:
  IndexExpr build(const SyntaxTree &Tree);
  IndexExpr sum(const SyntaxTree &Tree);
  IndexExpr fold(const SyntaxTree &Tree,
                 function_ref<IndexExpr(IndexExpr, IndexExpr)> Combine);
  IndexExpr comparison(SyntaxOp Op, IndexExpr A, IndexExpr B);
  IndexExpr logical(const SyntaxTree &Tree);
  IndexExpr select(const SyntaxTree &Tree);
  IndexExpr shift(const SyntaxTree &Tree, IndexExpr A, IndexExpr B);
  IndexExpr binary(const SyntaxTree &Tree, IndexExpr A, IndexExpr B);
  IndexExpr makeTotal(IndexExpr E);
  bool dividesByMore(IndexExpr E, IndexExpr Before) const;

  template <typename Function>
  IndexExpr where(IndexExpr Condition, Function Lower);

  IndexExpr fail(const SyntaxTree &Tree, const Twine &Reason) {
    if (Failure.Reason.empty())
      Failure = {Tree->Offset, Reason.str()};
    return {};
  }

  FloorBasis &Basis;
  IndexContext &Context;
  NameLookup Lookup;
  LoweringFailure &Failure;
};
} // namespace

IndexExpr Lowering::value(const SyntaxTree &Tree) {
  IndexExpr E = build(Tree);
  return E ? E
           : fail(Tree, "the arithmetic leaves 64 bits, or the expression is "
                        "too large");
}

/// A number is true if it is not zero.
IndexExpr Lowering::condition(const SyntaxTree &Tree) {
  IndexExpr E = value(Tree);
  if (!E || isCondition(Tree->Op))
    return E;
  return Context.sub(Context.constant(1), Basis.zero(E));
}

//===----------------------------------------------------------------------===//
// Arithmetic
//===----------------------------------------------------------------------===//

IndexExpr Lowering::sum(const SyntaxTree &Tree) {
  SmallVector<Summand, 8> Summands;
  for (const SyntaxTree &Arg : Tree->Args) {
    IndexExpr E = value(Arg);
    if (!E)
      return {};
    Summands.push_back({E, 1});
  }
  return Basis.sum(Summands, 0);
}

IndexExpr
Lowering::fold(const SyntaxTree &Tree,
               function_ref<IndexExpr(IndexExpr, IndexExpr)> Combine) {
  IndexExpr Result = value(Tree->Args[0]);
  for (const SyntaxTree &Arg : drop_begin(Tree->Args)) {
    IndexExpr E = value(Arg);
    if (!E || !Result)
      return {};
    Result = Combine(Result, E);
  }
  return Result;
}

IndexExpr Lowering::shift(const SyntaxTree &Tree, IndexExpr A, IndexExpr B) {
  if (!B.isConstant())
    return fail(Tree, "a shift by an amount that is not constant has no "
                      "indexing form");
  if (B.constant() < 0 || B.constant() > 62)
    return fail(Tree, "the shift amount " + Twine(B.constant()) +
                          " is not in [0, 62]");
  int64_t Power = int64_t(1) << B.constant();
  return Tree->Op == SyntaxOp::ShiftLeft ? Context.scale(A, Power)
                                         : Basis.floorDiv(A, Power);
}

IndexExpr Lowering::comparison(SyntaxOp Op, IndexExpr A, IndexExpr B) {
  IndexExpr One = Context.constant(1);
  switch (Op) {
  case SyntaxOp::Less: // B - A - 1 >= 0
    return Basis.nonNegative(Context.add(Context.sub(B, A), -1));
  case SyntaxOp::LessEqual:
    return Basis.nonNegative(Context.sub(B, A));
  case SyntaxOp::Greater:
    return Basis.nonNegative(Context.add(Context.sub(A, B), -1));
  case SyntaxOp::GreaterEqual:
    return Basis.nonNegative(Context.sub(A, B));
  case SyntaxOp::Equal:
    return Basis.zero(Context.sub(A, B));
  default:
    return Context.sub(One, Basis.zero(Context.sub(A, B)));
  }
}

IndexExpr Lowering::binary(const SyntaxTree &Tree, IndexExpr A, IndexExpr B) {
  if (isDivision(Tree->Op) && B.isConstant(0))
    return fail(Tree, "division by zero");
  switch (Tree->Op) {
  case SyntaxOp::FloorDiv:
    return Basis.floorDiv(A, B);
  case SyntaxOp::FloorMod:
    return Basis.floorMod(A, B);
  case SyntaxOp::CeilDiv:
    return Basis.ceilDiv(A, B);
  case SyntaxOp::TruncDiv:
    return Basis.truncDiv(A, B);
  case SyntaxOp::TruncMod:
    return Basis.truncMod(A, B);
  case SyntaxOp::EuclidDiv:
    return Basis.euclidDiv(A, B);
  case SyntaxOp::EuclidMod:
    return Basis.euclidMod(A, B);
  case SyntaxOp::ShiftLeft:
  case SyntaxOp::ShiftRight:
    return shift(Tree, A, B);
  case SyntaxOp::BitAnd:
    return Basis.bitAnd(A, B);
  case SyntaxOp::BitXor:
    return Basis.bitXor(A, B);
  case SyntaxOp::BitOr:
    return Basis.bitOr(A, B);
  default:
    return comparison(Tree->Op, A, B);
  }
}

//===----------------------------------------------------------------------===//
// Conditions
//===----------------------------------------------------------------------===//

/// The algebra takes for granted that the divisors of a form are not zero. What
/// is only computed under a condition may divide by something that is zero
/// where the condition does not hold, so before it is mixed into a form, such a
/// divisor D becomes D + [D = 0], which is the same where it matters and is
/// never zero.
IndexExpr Lowering::makeTotal(IndexExpr E) {
  if (!E)
    return {};
  Replacements Total;
  forEachAtom(E, [&](const IndexAtom *A) {
    if (!A->isSymbolicDivision() ||
        !Basis.domain().range(A->divisor()).contains(0))
      return;
    IndexSubstitution InOperands(Context, Total);
    IndexExpr D = InOperands.apply(A->divisor());
    IndexExpr NeverZero = Context.add(D, Basis.zero(D));
    IndexExpr Dividend = InOperands.apply(A->operand());
    Total[A] = Context.rawAtom(A->kind(), Dividend, NeverZero);
  });
  return Total.empty() ? E : IndexSubstitution(Context, Total).apply(E);
}

/// Whether a divisor of \p E may be zero that is none of \p Before's.
bool Lowering::dividesByMore(IndexExpr E, IndexExpr Before) const {
  DenseSet<IndexExpr> Divisors;
  forEachAtom(Before, [&](const IndexAtom *A) {
    if (A->isSymbolicDivision())
      Divisors.insert(A->divisor());
  });
  bool More = false;
  forEachAtom(E, [&](const IndexAtom *A) {
    if (A->isSymbolicDivision() && !Divisors.contains(A->divisor()))
      More |= Basis.domain().range(A->divisor()).contains(0);
  });
  return More;
}

/// Calls \p Lower with a lowering that knows that \p Condition is 1.
template <typename Function>
IndexExpr Lowering::where(IndexExpr Condition, Function Lower) {
  IndexDomain Nested(Basis.domain());
  Nested.constrain(Condition, Interval::point(1));
  Nested.propagate();
  FloorBasis NestedBasis(Nested);
  Lowering NestedLowering(NestedBasis, Lookup, Failure);
  return Lower(NestedLowering);
}

IndexExpr Lowering::select(const SyntaxTree &Tree) {
  IndexExpr C = condition(Tree->Args[0]);
  if (!C)
    return {};
  if (C.isConstant())
    return value(Tree->Args[C.isConstant(1) ? 1 : 2]);
  IndexExpr NotC = Context.sub(Context.constant(1), C);
  auto Arm = [&](unsigned I) {
    return [&Tree, I](Lowering &Nested) { return Nested.value(Tree->Args[I]); };
  };
  IndexExpr A = makeTotal(where(C, Arm(1)));
  IndexExpr B = makeTotal(where(NotC, Arm(2)));
  return Basis.select(C, A, B);
}

/// a && b is a*b, where b may assume a; a || b is not (not a and not b). Then
/// each factor may assume all others, also those behind it: the product is the
/// same, since it is zero where one of them is.
IndexExpr Lowering::logical(const SyntaxTree &Tree) {
  bool IsOr = Tree->Op == SyntaxOp::Or;
  IndexExpr One = Context.constant(1), Before = One;
  SmallVector<IndexExpr, 4> Factors;
  for (const SyntaxTree &Arg : Tree->Args) {
    IndexExpr C =
        where(Before, [&](Lowering &Nested) { return Nested.condition(Arg); });
    if (!C)
      return {};
    if (!Factors.empty())
      C = makeTotal(C);
    if (!C)
      return {};
    Factors.push_back(IsOr ? Context.sub(One, C) : C);
    Before = Context.multiply(Before, Factors.back());
    if (!Before)
      return {};
    if (Before.isConstant(0))
      return Context.constant(IsOr ? 1 : 0);
  }
  IndexExpr All = One;
  for (IndexExpr &Factor : Factors) {
    IndexExpr Others = One;
    for (IndexExpr &Other : Factors)
      if (&Other != &Factor)
        Others = Context.multiply(Others, Other);
    if (!Others)
      return {};
    IndexExpr Simpler = where(Others, [&](Lowering &Nested) {
      return Nested.Basis.simplify(Factor);
    });
    // With what the others say a divisor may lose what kept it from zero.
    if (Simpler && dividesByMore(Simpler, Factor))
      Simpler = makeTotal(Simpler);
    if (Simpler)
      Factor = Simpler;
    All = Context.multiply(All, Factor);
  }
  return IsOr ? Context.sub(One, All) : All;
}

IndexExpr Lowering::build(const SyntaxTree &Tree) {
  switch (Tree->Op) {
  case SyntaxOp::Number:
    return Context.constant(Tree->Value);
  case SyntaxOp::Name: {
    IndexExpr E = Lookup(Tree->Name);
    return E ? E : fail(Tree, "unknown variable '" + Tree->Name + "'");
  }
  case SyntaxOp::Negate:
    return Basis.scale(value(Tree->Args[0]), -1);
  case SyntaxOp::Add:
    return sum(Tree);
  case SyntaxOp::Multiply:
    return fold(Tree,
                [&](IndexExpr A, IndexExpr B) { return Basis.multiply(A, B); });
  case SyntaxOp::Min:
    return fold(Tree,
                [&](IndexExpr A, IndexExpr B) { return Basis.min(A, B); });
  case SyntaxOp::Max:
    return fold(Tree,
                [&](IndexExpr A, IndexExpr B) { return Basis.max(A, B); });
  case SyntaxOp::Select:
    return select(Tree);
  case SyntaxOp::And:
  case SyntaxOp::Or:
    return logical(Tree);
  case SyntaxOp::Not: {
    IndexExpr C = condition(Tree->Args[0]);
    return C ? Context.sub(Context.constant(1), C) : C;
  }
  default: {
    IndexExpr A = value(Tree->Args[0]);
    IndexExpr B = A ? value(Tree->Args[1]) : IndexExpr();
    return B ? binary(Tree, A, B) : IndexExpr();
  }
  }
}

//===----------------------------------------------------------------------===//
// Entry points
//===----------------------------------------------------------------------===//

IndexExpr lower(FloorBasis &Basis, const SyntaxTree &Tree, NameLookup Lookup,
                LoweringFailure &Failure) {
  return Lowering(Basis, Lookup, Failure).value(Tree);
}

/// What B - A is where `A Op B` holds.
static std::optional<Interval> differenceWhere(SyntaxOp Op) {
  switch (Op) {
  case SyntaxOp::Less:
    return Interval::atLeast(1);
  case SyntaxOp::LessEqual:
    return Interval::atLeast(0);
  case SyntaxOp::Greater:
    return Interval::atMost(-1);
  case SyntaxOp::GreaterEqual:
    return Interval::atMost(0);
  case SyntaxOp::Equal:
    return Interval::point(0);
  default:
    return std::nullopt;
  }
}

bool assume(IndexDomain &Domain, const SyntaxTree &Condition,
            NameLookup Lookup) {
  if (Condition->Op == SyntaxOp::And) {
    bool All = true;
    for (const SyntaxTree &Arg : Condition->Args)
      All &= assume(Domain, Arg, Lookup);
    return All;
  }
  FloorBasis Basis(Domain);
  LoweringFailure Failure;
  Lowering Lower(Basis, Lookup, Failure);
  IndexExpr C = Lower.condition(Condition);
  if (!C)
    return false;
  // The simplified condition may have lost a quotient that the expression under
  // it has: state the comparison as written as well.
  IndexExpr Difference;
  std::optional<Interval> Range = differenceWhere(Condition->Op);
  if (Range) {
    IndexExpr Left = Lower.value(Condition->Args[0]);
    IndexExpr Right = Lower.value(Condition->Args[1]);
    Difference = Domain.context().sub(Right, Left);
  }
  Domain.constrain(C, Interval::point(1));
  if (Difference)
    Domain.constrain(Difference, *Range);
  Domain.propagate();
  return true;
}

} // namespace unravel
