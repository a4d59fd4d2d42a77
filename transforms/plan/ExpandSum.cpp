//===- ExpandSum.cpp - The cheapest way to write a sum --------------------===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A form is a sum of terms; digits, source dividends, source sums, minima and
// joins are other ways to write parts of it. Each alternative is a Sum of
// planned parts, priced as it would be assembled, and the cheapest is kept.
//
//===----------------------------------------------------------------------===//

#include "analysis/algebra/IndexDigits.h"
#include "transforms/plan/IndexExpander.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"
#include <limits>
#include <numeric>

using namespace llvm;

namespace unravel {

/// How many rewritten parts one sum is split into.
static constexpr unsigned MaxSplitDepth = 4;

//===----------------------------------------------------------------------===//
// Ways to write a sum
//===----------------------------------------------------------------------===//

/// A node congruent to E modulo 2^Width.
const PlanNode *IndexExpander::sum(IndexExpr E, unsigned Width) {
  if (!E)
    return nullptr;
  auto It = Sums.find({E, Width});
  if (It != Sums.end())
    return It->second;
  const PlanNode *Node = bestSum(E, Width);
  Sums[{E, Width}] = Node;
  return Node;
}

const PlanNode *IndexExpander::bestSum(IndexExpr E, unsigned Width) {
  if (E.isConstant())
    return Plan.constant(E.constant(), Width);
  if (const PlanNode *Existing = sourceValue(E))
    return toWidth(Existing, E, Width);
  // In 64 bits, whatever fits 32 is computed there.
  if (Width == 64 &&
      (fits(E, 32, Reading::Unsigned) || fits(E, 32, Reading::Signed)))
    return toWidth(sum(E, 32), E, 64);
  if (any_of(E.terms(), [](IndexTerm T) { return T.Atom->isProduct(); }))
    return polynomial(E, Width);
  Sum Best = decompose(E, /*Depth=*/0);
  return Best.Valid ? assemble(Best, Width, Purpose::Code) : nullptr;
}

IndexExpander::Sum IndexExpander::decompose(IndexExpr E, unsigned Depth) {
  auto It = Decompositions.find({E, Depth});
  if (It != Decompositions.end())
    return It->second;
  Sum Result = findDecomposition(E, Depth);
  Decompositions[{E, Depth}] = Result;
  return Result;
}

IndexExpander::Sum IndexExpander::findDecomposition(IndexExpr E,
                                                    unsigned Depth) {
  Sum Best = plainSum(E);
  // Products are not split up.
  if (any_of(E.terms(), [](IndexTerm T) { return T.Atom->isProduct(); }))
    return Best;
  if (Depth >= MaxSplitDepth || Budget == 0)
    return Best;
  considerSourceSums(E, Depth, Best);
  considerDigits(E, Depth, Best);
  considerSourceDivisions(E, Depth, Best);
  considerNestedQuotients(E, Depth, Best);
  considerExtremes(E, Depth, Best);
  considerJoin(E, Best);
  return Best;
}

IndexExpander::Sum IndexExpander::plainSum(IndexExpr E) {
  Sum Result;
  Result.Constant = E.constant();
  for (const IndexTerm &T : E.terms()) {
    IndexExpr Form = Context.atom(T.Atom);
    Quotient Q{sourceValue(Form), 0};
    if (!Q.Node && T.Atom->isVariable())
      Q.Node = variable(T.Atom);
    else if (!Q.Node && T.Atom->isConstantFloorDiv())
      Q = floorQuotient(T.Atom->operand(), T.Atom->constantDivisor());
    else if (!Q.Node && T.Atom->isConstantTruncDiv())
      Q = truncQuotient(T.Atom->operand(), T.Atom->constantDivisor());
    else if (!Q.Node && T.Atom->isSymbolicDivision())
      Q.Node = runtimeQuotient(T.Atom);
    else if (!Q.Node && T.Atom->isNegativePart())
      Q.Node = extreme(T.Atom->operand(), Context.constant(0), /*IsMax=*/false);
    int64_t Shift;
    if (!Q.Node || MulOverflow(Q.Offset, T.Coefficient, Shift) ||
        SubOverflow(Result.Constant, Shift, Result.Constant)) {
      Result.Valid = false;
      return Result;
    }
    Result.Summands.push_back(
        {T.Coefficient, Q.Node, Context.add(Form, Q.Offset)});
  }
  return Result;
}

/// Best becomes `Rest + Coefficient * Node + Constant` if that is cheaper.
void IndexExpander::consider(Sum Rest, int64_t Coefficient,
                             const PlanNode *Node, IndexExpr Form,
                             int64_t Constant, Sum &Best) {
  if (!Rest.Valid || !Node || !Form ||
      AddOverflow(Rest.Constant, Constant, Rest.Constant))
    return;
  Rest.Summands.push_back({Coefficient, Node, Form});
  Rest.Price = std::nullopt;
  if (!Best.Valid || priceOf(Rest) < priceOf(Best))
    Best = std::move(Rest);
}

/// s*(M mod d) + rest, for every digit of E.
void IndexExpander::considerDigits(IndexExpr E, unsigned Depth, Sum &Best) {
  for (const IndexTerm &T : E.terms())
    for (const IndexDigit &D : digitsOf(Context, E, T)) {
      // x - d*floor(x/d) alone is its own only digit.
      bool IsWhole = D.Rest.isConstant() && D.Scale == 1;
      bool IsMask = !D.Truncating && isPowerOf2_64(D.Radix);
      if ((IsWhole && !IsMask) || Budget == 0)
        continue;
      --Budget;
      IndexExpr Form = Context.add(D.Dividend, Context.atom(T.Atom), -D.Radix);
      const PlanNode *Digit = digit(D.Dividend, D.Radix, D.Truncating);
      consider(decompose(D.Rest, Depth + 1), D.Scale, Digit, Form, 0, Best);
    }
}

/// With Q = floor(F/d) = t + out as the source computed it: c*t in E becomes
/// c*floor(F/d) - c*out, over a dividend that exists.
void IndexExpander::considerSourceDivisions(IndexExpr E, unsigned Depth,
                                            Sum &Best) {
  for (const IndexTerm &T : E.terms())
    for (const RecoveryScope *S = &Place.Scope; S; S = S->Parent) {
      auto It = S->Divisions.find(T.Atom);
      if (It == S->Divisions.end())
        continue;
      for (const SourceDivision &D : It->second) {
        if (Budget == 0 ||
            (D.Quotient.asAtom() && D.Dividend == T.Atom->operand()))
          continue; // what plainSum does
        if (!Place.dependsOnlyOnRoot(D.Dividend))
          continue;
        --Budget;
        IndexExpr Rest = Context.add(E, D.Quotient, -T.Coefficient);
        Quotient Q = floorQuotient(D.Dividend, D.Divisor);
        int64_t Shift;
        if (!Rest || Rest.coefficientOf(T.Atom) != 0 ||
            Rest.terms().size() > E.terms().size() + 1 ||
            MulOverflow(Q.Offset, -T.Coefficient, Shift))
          continue;
        IndexExpr Form = Context.add(D.Quotient, Q.Offset);
        consider(decompose(Rest, Depth + 1), T.Coefficient, Q.Node, Form, Shift,
                 Best);
      }
    }
}

/// floor(M/d) beside floor(M/p) with p | d is floor(floor(M/p) / (d/p)): the
/// smaller dividend often needs no shift.
void IndexExpander::considerNestedQuotients(IndexExpr E, unsigned Depth,
                                            Sum &Best) {
  for (const IndexTerm &T : E.terms())
    for (const IndexTerm &U : E.terms()) {
      int64_t D = T.Atom->constantDivisor(), P = U.Atom->constantDivisor();
      if (!T.Atom->isConstantFloorDiv() || !U.Atom->isConstantFloorDiv() ||
          T.Atom == U.Atom || T.Atom->operand() != U.Atom->operand() ||
          D % P != 0 || Budget == 0)
        continue;
      --Budget;
      IndexExpr Outer = Context.atom(T.Atom);
      Quotient Q = floorQuotient(Context.atom(U.Atom), D / P);
      int64_t Shift;
      if (!MulOverflow(Q.Offset, -T.Coefficient, Shift))
        consider(decompose(Context.add(E, Outer, -T.Coefficient), Depth + 1),
                 T.Coefficient, Q.Node, Context.add(Outer, Q.Offset), Shift,
                 Best);
    }
}

/// s*F + rest for a sum F that the source has computed.
void IndexExpander::considerSourceSums(IndexExpr E, unsigned Depth, Sum &Best) {
  if (!InScope)
    return;
  for (const IndexTerm &T : E.terms()) {
    auto It = InScope->Sums.find(T.Atom);
    if (It == InScope->Sums.end())
      continue;
    Planning.UsedSources = true;
    for (IndexExpr F : It->second) {
      int64_t C = F.terms()[0].Coefficient;
      if (T.Coefficient % C != 0 || Budget == 0)
        continue;
      int64_t S = T.Coefficient / C;
      IndexExpr Rest = Context.add(E, F, -S);
      if (!Rest || Rest.terms().size() >= E.terms().size())
        continue;
      --Budget;
      const PlanNode *Known = sourceValue(F);
      consider(decompose(Rest, Depth + 1), S, Known, F, 0, Best);
    }
  }
}

/// s*min(D, 0) + rest is s*min(D + X, X) + (rest - s*X) for every X, and since
/// min(D, 0) = D - max(D, 0) also -s*max(D + X, X) + (rest + s*D + s*X). With X
/// the negative terms of D, the operands that the source had come back; with a
/// constant, a difference that it clamped.
void IndexExpander::considerExtremes(IndexExpr E, unsigned Depth, Sum &Best) {
  for (const IndexTerm &T : E.terms()) {
    if (!T.Atom->isNegativePart())
      continue;
    IndexExpr D = T.Atom->operand(), Minimum = Context.atom(T.Atom);
    SmallVector<IndexTerm, 4> Negative;
    for (IndexTerm U : D.terms())
      if (U.Coefficient < 0)
        Negative.push_back({U.Atom, -U.Coefficient});
    auto Consider = [&](IndexExpr X, bool IsMax) {
      IndexExpr DX = Context.add(D, X);
      int64_t Scale = IsMax ? -T.Coefficient : T.Coefficient;
      IndexExpr Form =
          IsMax ? Context.sub(DX, Minimum) : Context.add(Minimum, X);
      IndexExpr Rest = Context.add(E, Form, -Scale);
      // (What plainSum does.)
      bool IsPlain = X && X.isConstant(0) && !IsMax;
      if (!X || !Rest || IsPlain || Budget == 0 ||
          Rest.terms().size() > E.terms().size())
        return;
      --Budget;
      const PlanNode *Extreme = extreme(DX, X, IsMax);
      consider(decompose(Rest, Depth + 1), Scale, Extreme, Form, 0, Best);
    };
    SmallVector<ArrayRef<IndexTerm>, 2> Moved{Negative};
    if (!Negative.empty())
      Moved.emplace_back();
    for (bool IsMax : {false, true})
      for (ArrayRef<IndexTerm> Terms : Moved) {
        Consider(Context.linear(Terms, -D.constant()), IsMax);
        if (D.constant() != 0)
          Consider(Context.linear(Terms, 0), IsMax);
      }
  }
}

/// The same as long as nothing is planned for other roots.
unsigned IndexExpander::priceOf(Sum &S) {
  if (!S.Price) {
    const PlanNode *Node = assemble(S, 32, Purpose::Price);
    S.Price =
        Node ? Prices.marginalCost(Node) : std::numeric_limits<unsigned>::max();
  }
  return *S.Price;
}

//===----------------------------------------------------------------------===//
// Assembling a sum
//===----------------------------------------------------------------------===//

const PlanNode *IndexExpander::assemble(Sum S, unsigned Width, Purpose For) {
  // Merge what several parts contributed. One node may stand for two numbers,
  // the signed and the unsigned reading of a word; they differ once widened.
  SmallVector<Summand, 4> Merged;
  for (const Summand &New : S.Summands) {
    auto *Same = find_if(Merged, [&](const Summand &Old) {
      return Old.Node == New.Node &&
             (Old.Form == New.Form || Old.Node->Width >= Width);
    });
    if (Same == Merged.end())
      Merged.push_back(New);
    else if (AddOverflow(Same->Coefficient, New.Coefficient, Same->Coefficient))
      return nullptr;
  }
  erase_if(Merged, [](const Summand &P) { return P.Coefficient == 0; });
  if (Merged.empty())
    return Plan.constant(S.Constant, Width);

  // What changes less often comes first, so that partial sums can leave the
  // loop; among equals the order is fixed, so that roots share prefixes.
  llvm::stable_sort(Merged, [&](const Summand &A, const Summand &B) {
    unsigned DepthA = Prices.loopDepthOf(A.Node),
             DepthB = Prices.loopDepthOf(B.Node);
    return DepthA != DepthB ? DepthA < DepthB : A.Node->Id < B.Node->Id;
  });
  // A sum that starts with a negative term costs a negation.
  auto *Positive =
      find_if(Merged, [](const Summand &P) { return P.Coefficient > 0; });
  if (Positive != Merged.end())
    std::rotate(Merged.begin(), Positive, std::next(Positive));

  int64_t G = 0;
  for (const Summand &P : Merged)
    G = std::gcd(G, P.Coefficient);
  if (Merged.size() == 1 || G == 1)
    return accumulate(Merged, S.Constant, Width, For);
  // g*(sum) + k: one multiplication for all.
  for (Summand &P : Merged)
    P.Coefficient /= G;
  IndexExpr Inner;
  if (For == Purpose::Code) {
    Inner = Context.constant(0);
    for (const Summand &P : Merged)
      Inner = Context.add(Inner, P.Form, P.Coefficient);
  }
  const PlanNode *Factored = accumulate(Merged, 0, Width, For);
  if (!Factored)
    return nullptr;
  return accumulate({Summand{G, Factored, Inner}}, S.Constant, Width, For);
}

const PlanNode *IndexExpander::accumulate(ArrayRef<Summand> Ordered,
                                          int64_t Constant, unsigned Width,
                                          Purpose For) {
  // Forms serve flags alone: without one, there are none.
  auto FormOf = [&](IndexExpr A, IndexExpr B, int64_t Times) {
    return For == Purpose::Code ? Context.add(A, B, Times) : IndexExpr();
  };
  auto Flags = [&](IndexExpr A, IndexExpr B, IndexExpr Result) {
    return For == Purpose::Code ? flagsFor(A, B, Result, Width)
                                : PlanFlags::open();
  };
  const PlanNode *Total = nullptr;
  IndexExpr Zero = Context.constant(0), TotalForm = Zero;
  auto Add = [&](const PlanNode *Node, IndexExpr Form) {
    IndexExpr NewForm = FormOf(TotalForm, Form, 1);
    Total =
        Total ? Plan.add(Total, Node, Flags(TotalForm, Form, NewForm)) : Node;
    TotalForm = NewForm;
  };
  // k - x rather than -x + k.
  if (Ordered[0].Coefficient < 0) {
    Add(Plan.constant(Constant, Width), Context.constant(Constant));
    Constant = 0;
  }
  for (const Summand &P : Ordered) {
    const PlanNode *Node = toWidth(P.Node, P.Form, Width);
    if (!Node)
      return nullptr;
    // x - 2^k*y is a shift and a subtraction; for other factors x + (-c)*y is
    // one multiply-add.
    int64_t C = P.Coefficient;
    if (C < 0 && Total && isPowerOf2_64(-static_cast<uint64_t>(C))) {
      IndexExpr Scaled = FormOf(Zero, P.Form, -C);
      IndexExpr NewForm = FormOf(TotalForm, Scaled, -1);
      Total = Plan.sub(Total, Plan.mul(Node, -C, Flags(P.Form, P.Form, Scaled)),
                       Flags(TotalForm, Scaled, NewForm));
      TotalForm = NewForm;
      continue;
    }
    IndexExpr Scaled = FormOf(Zero, P.Form, C);
    PlanFlags OfProduct = Flags(P.Form, P.Form, Scaled);
    OfProduct.NoUnsignedWrap &= C > 0;
    Add(Plan.mul(Node, C, OfProduct), Scaled);
  }
  if (Constant != 0)
    Add(Plan.constant(Constant, Width), Context.constant(Constant));
  return Total;
}

/// An operation on exact words cannot wrap if its result is a word too.
PlanFlags IndexExpander::flagsFor(IndexExpr A, IndexExpr B, IndexExpr Result,
                                  unsigned Width) const {
  PlanFlags Flags;
  if (!A || !B || !Result)
    return Flags;
  auto AllFit = [&](Reading R) {
    return fits(A, Width, R) && fits(B, Width, R) && fits(Result, Width, R);
  };
  Flags.NoUnsignedWrap = AllFit(Reading::Unsigned);
  Flags.NoSignedWrap = AllFit(Reading::Signed);
  return Flags;
}

/// The number Form, which Node holds in its own width, modulo 2^Width.
const PlanNode *IndexExpander::toWidth(const PlanNode *Node, IndexExpr Form,
                                       unsigned Width) {
  if (!Node || Node->Width == Width)
    return Node;
  if (!Form)
    return nullptr;
  if (Node->Width > Width)
    return Plan.trunc(Node, Width);
  bool Signed = fits(Form, Node->Width, Reading::Signed);
  bool Unsigned = fits(Form, Node->Width, Reading::Unsigned);
  if (!Signed && !Unsigned)
    return nullptr; // only a residue is there, it cannot be widened
  return widen(Node, Form, Width, Signed);
}

/// Extends a node that holds Form exactly, read as signed or, if not \p Signed,
/// as unsigned.
const PlanNode *IndexExpander::widen(const PlanNode *Node, IndexExpr Form,
                                     unsigned Width, bool Signed) {
  // A wide value of the program that holds the same number.
  if (Node->Op == PlanOp::Trunc && Node->A->Op == PlanOp::Leaf &&
      Node->A->Width == Width) {
    const RecoveredValue &R = Recovery.recover(Node->A->Leaf, Place.Scope);
    if (R.Signed == Form || R.Unsigned == Form)
      return Node->A;
  }
  // Straight-line strength reduction looks through sign extensions only; both
  // cost the same.
  return Signed ? Plan.sext(Node, Width) : Plan.zext(Node, Width);
}

} // namespace unravel
