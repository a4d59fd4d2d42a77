//===- ExpandPolynomial.cpp - Sums with products of run-time values -------===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A form with sizes of run time is a polynomial. It is written as Horner would:
// one factor is taken out of all terms that have it,
//
//     n*C*H*W + c*H*W + h*W + w = ((n*C + c)*H + h)*W + w,
//
// or a product that is at hand, or a sum that the source multiplies by, such as
// the size of a row with its padding,
//
//     h*W + 2*h + w = h*(W + 2) + w,
//
// and the rest of both parts is written the same way. Products and sums are
// exact modulo 2^Width, so nothing has to be proved.
//
//===----------------------------------------------------------------------===//

#include "analysis/algebra/IndexPolynomial.h"
#include "transforms/plan/IndexExpander.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace unravel {

/// Factor*With + Without = E.
namespace {
struct FactorSplit {
  IndexExpr With, Without;
};
} // namespace

static FactorSplit splitBy(IndexContext &Context, IndexExpr E,
                           MonomialRef Factor) {
  SmallVector<IndexTerm, 8> Without;
  IndexExpr With = Context.constant(0);
  for (const IndexTerm &T : E.terms()) {
    if (std::optional<Monomial> Left = divide(factorsOf(T.Atom), Factor))
      With = Context.add(With, Context.product(*Left, T.Coefficient));
    else
      Without.push_back(T);
  }
  return {With, Context.linear(Without, E.constant())};
}

/// Whether a minus sign is all that is in the way of writing -E.
static bool isNegated(IndexExpr E) {
  return E.constant() <= 0 &&
         all_of(E.terms(), [](IndexTerm T) { return T.Coefficient < 0; });
}

/// Factor*With + Without, which is E.
const PlanNode *IndexExpander::timesPlus(IndexExpr Factor, IndexExpr With,
                                         IndexExpr Without, IndexExpr E,
                                         unsigned Width) {
  if (!With || !Without)
    return nullptr;
  const PlanNode *NodeF = sum(Factor, Width);
  if (!NodeF)
    return nullptr;
  bool Negated = isNegated(With) && !With.isConstant(-1);
  if (Negated)
    With = Context.negate(With);
  IndexExpr Product = With ? Context.multiply(Factor, With) : IndexExpr();
  const PlanNode *NodeW = sum(With, Width);
  if (!Product || !NodeW)
    return nullptr;
  const PlanNode *Node =
      Plan.mulBy(NodeF, NodeW, flagsFor(Factor, With, Product, Width));
  if (Without.isConstant(0))
    return Negated ? Plan.mul(Node, -1, {}) : Node;
  const PlanNode *Rest = sum(Without, Width);
  if (!Rest)
    return nullptr;
  PlanFlags Flags = flagsFor(Without, Product, E, Width);
  return Negated ? Plan.sub(Rest, Node, Flags) : Plan.add(Node, Rest, Flags);
}

const PlanNode *IndexExpander::byFactor(IndexExpr E,
                                        ArrayRef<const IndexAtom *> Factor,
                                        unsigned Width) {
  auto [With, Without] = splitBy(Context, E, Factor);
  return timesPlus(Context.product(Factor, 1), With, Without, E, Width);
}

namespace {
/// Factor*Parts.Quotient + Parts.Rest.
struct SumSplit {
  IndexExpr Factor;
  PolynomialDivision Parts;
};
} // namespace

/// E by those of \p Sums that are smaller than E, and leave a quotient and a
/// rest that are smaller together; else splitting by them would not end. Other
/// variables than those of E may be missing at the place.
static SmallVector<SumSplit, 2> splitBySums(IndexContext &Context, IndexExpr E,
                                            ArrayRef<IndexExpr> Sums) {
  SmallVector<SumSplit, 2> Splits;
  VariableSet Known;
  if (!Sums.empty())
    addVariables(Known, E);
  for (IndexExpr Sum : Sums) {
    if (numSummands(Sum) >= numSummands(E) || !hasVariablesOf(Known, Sum))
      continue;
    PolynomialDivision Parts = divideWithRest(Context, E, Sum);
    if (Parts.Quotient && Parts.Rest &&
        numSummands(Parts.Quotient) + numSummands(Parts.Rest) < numSummands(E))
      Splits.push_back({Sum, Parts});
  }
  return Splits;
}

/// Scale*(M mod D) + Rest, where the remainder needs no division, or no plan
/// needs the quotient.
const PlanNode *IndexExpander::byDigit(IndexExpr E, const SymbolicDigit &Digit,
                                       unsigned Width) {
  // What is left has to be simpler, or this would not end.
  if (Digit.Rest.terms().size() >= E.terms().size())
    return nullptr;
  const PlanNode *Remainder = nullptr;
  if (!Digit.Truncating)
    Remainder = divideInPeriod(Digit.Dividend, Digit.Divisor,
                               /*WantsRemainder=*/true);
  bool IsOwn = Digit.Quotient->operand() == Digit.Dividend &&
               Digit.Quotient->divisor() == Digit.Divisor;
  if (!Remainder && IsOwn && !Planning.Wanted.isSharedQuotient(Digit.Quotient))
    Remainder = divide(Digit.Dividend, Digit.Divisor, Digit.Truncating,
                       /*WantsRemainder=*/true);
  const PlanNode *Scale = sum(Digit.Scale, Width);
  IndexExpr Form = Context.sub(
      Digit.Dividend,
      Context.multiply(Digit.Divisor, Context.atom(Digit.Quotient)));
  if (!Remainder || !Scale || !Form)
    return nullptr;
  IndexExpr Product = Context.multiply(Digit.Scale, Form);
  // (The minimum of divideInPeriod is not negative, which its form may hide.)
  Remainder = Remainder->Op == PlanOp::UMin && Remainder->Width < Width
                  ? Plan.zext(Remainder, Width)
                  : toWidth(Remainder, Form, Width);
  if (!Remainder)
    return nullptr;
  const PlanNode *Node =
      Plan.mulBy(Scale, Remainder, flagsFor(Digit.Scale, Form, Product, Width));
  if (Digit.Rest.isConstant(0))
    return Node;
  const PlanNode *Rest = sum(Digit.Rest, Width);
  return Rest ? Plan.add(Node, Rest, flagsFor(Digit.Rest, Product, E, Width))
              : nullptr;
}

/// The products in E that quotients in E are by. They are computed for these
/// anyway: n*(h*w), if there is a quotient by h*w, needs no other product.
static SmallVector<Monomial, 2> divisorsIn(IndexExpr E) {
  SmallVector<Monomial, 2> Divisors;
  for (const IndexTerm &T : E.terms())
    for (const IndexAtom *Factor : factorsOf(T.Atom)) {
      if (!Factor->isSymbolicDivision())
        continue;
      const IndexAtom *Divisor = Factor->divisor().asAtom();
      if (Divisor && Divisor->isProduct() &&
          !is_contained(Divisors, Divisor->factors()) &&
          any_of(E.terms(), [&](const IndexTerm &U) {
            return divide(factorsOf(U.Atom), Divisor->factors());
          }))
        Divisors.emplace_back(Divisor->factors());
    }
  return Divisors;
}

/// A node congruent to E, which has products, modulo 2^Width.
///
/// There are as many parts of E as there are sets of factors, and as many to
/// try in vain if a quotient in E cannot be computed. So every attempt is paid
/// from the budget of the root; when it is spent, each part is split by its
/// first factor only, which is one attempt for each term.
const PlanNode *IndexExpander::polynomial(IndexExpr E, unsigned Width) {
  SmallVector<const IndexAtom *, 8> Factors;
  for (const IndexTerm &T : E.terms())
    if (T.Atom->isProduct())
      for (const IndexAtom *Factor : T.Atom->factors())
        if (!is_contained(Factors, Factor))
          Factors.push_back(Factor);
  const PlanNode *Best = nullptr;
  auto Consider = [&](const PlanNode *Node) {
    if (Node &&
        (!Best || Prices.marginalCost(Node) < Prices.marginalCost(Best)))
      Best = Node;
  };
  if (Budget == 0)
    return byFactor(E, Factors.front(), Width);
  auto MayTry = [&] { return Budget > 0 && Budget--; };
  // What takes most terms away first: there may be nothing left to try others.
  for (const IndexAtom *Factor : Factors)
    for (const auto &[Sum, Parts] :
         splitBySums(Context, E, Recovery.factorSums(Factor)))
      if (MayTry())
        Consider(timesPlus(Sum, Parts.Quotient, Parts.Rest, E, Width));
  for (const IndexAtom *Factor : Factors)
    if (MayTry())
      Consider(byFactor(E, Factor, Width));
  for (const Monomial &Divisor : divisorsIn(E))
    if (MayTry())
      Consider(byFactor(E, Divisor, Width));
  for (const IndexTerm &T : E.terms())
    for (const SymbolicDigit &Digit : symbolicDigitsOf(Context, E, T))
      if (MayTry())
        Consider(byDigit(E, Digit, Width));
  return Best;
}

} // namespace unravel
