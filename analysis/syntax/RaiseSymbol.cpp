//===- RaiseSymbol.cpp - Quotients, minima and the like as trees ----------===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A symbol is an operator and its operands, which are forms. There are several
// ways to write some of them, for the value itself and for its negation, where
// the sign is free.
//
//===----------------------------------------------------------------------===//

#include "analysis/syntax/IndexRaiser.h"
#include "llvm/ADT/STLExtras.h"
#include <tuple>

using namespace llvm;

namespace unravel {

/// For operands with more terms only one way to write them is looked at.
static constexpr size_t MaxMirroredTerms = 12;
/// Of more operands of a minimum the rest stays nested.
static constexpr size_t MaxBounds = 16;

SymbolId Raiser::newSymbol(Symbol S) {
  Symbols.push_back(std::move(S));
  return Symbols.size() - 1;
}

SymbolId Raiser::symbolOf(const IndexAtom *Atom) {
  using Kind = IndexAtom::Kind;
  IndexExpr Operand = Atom->operand();
  unsigned Key = Atom->id();
  switch (Atom->kind()) {
  case Kind::FloorDiv:
    return symbolOf(SyntaxOp::FloorDiv, Operand, Atom->divisor(), Key);
  case Kind::TruncDiv:
    return symbolOf(SyntaxOp::TruncDiv, Operand, Atom->divisor(), Key);
  case Kind::NegativePart:
    return symbolOf(SyntaxOp::Min, Operand, Context.constant(0), Key);
  case Kind::NonNegative:
  case Kind::Zero:
    return symbolOf(SyntaxOp::Select, Context.atom(Atom), IndexExpr(), Key);
  case Kind::BitXor:
    return symbolOf(SyntaxOp::BitXor, Operand, Atom->divisor(), Key);
  case Kind::Variable:
    return symbolOf(SyntaxOp::Name, Context.atom(Atom), IndexExpr(), Key);
  case Kind::Product:
    break;
  }
  llvm_unreachable("a product is no factor");
}

/// Whether \p A is written in front of \p B: constants last, `n` before `-n`.
static bool goesFirst(IndexExpr A, IndexExpr B) {
  if (A.isConstant() || B.isConstant())
    return !A.isConstant();
  const IndexTerm &T = A.terms()[0], &U = B.terms()[0];
  return std::pair(T.Atom->id(), T.Coefficient < 0) <
         std::pair(U.Atom->id(), U.Coefficient < 0);
}

SymbolId Raiser::symbolOf(SyntaxOp Op, IndexExpr A, IndexExpr B, unsigned Key) {
  bool Commutes =
      Op == SyntaxOp::Min || Op == SyntaxOp::Max || Op == SyntaxOp::BitXor;
  if (Commutes && goesFirst(B, A))
    std::swap(A, B);
  SymbolKey Identity = {static_cast<unsigned>(Op), {A, B}};
  auto It = SymbolIds.find(Identity);
  if (It != SymbolIds.end())
    return It->second;
  Symbol S = makeSymbol(Op, A, B); // may make others
  S.Key = Key;
  return SymbolIds[Identity] = newSymbol(std::move(S));
}

/// The cheaper tree of a symbol; negates \p Sign if it is that of the negated
/// value.
const PricedTree &Raiser::cheaperSense(SymbolId Id, int64_t &Sign) const {
  const Symbol &S = Symbols[Id];
  if (!S.Negative || !(S.Negative.Cost < S.Positive.Cost))
    return S.Positive;
  Sign = -Sign;
  return S.Negative;
}

//===----------------------------------------------------------------------===//
// Ways to write a symbol
//===----------------------------------------------------------------------===//

static bool isShort(IndexExpr E) {
  return E.terms().size() <= MaxMirroredTerms;
}

static bool worthMirroring(IndexExpr E) {
  auto IsNegative = [](const IndexTerm &T) { return T.Coefficient < 0; };
  return isShort(E) && (E.constant() < 0 || any_of(E.terms(), IsNegative));
}

Raiser::Symbol Raiser::makeSymbol(SyntaxOp Op, IndexExpr A, IndexExpr B) {
  Symbol S{treeOf(Op, A, B), {}, 0};
  auto Try = [&](PricedTree &Sense, SyntaxOp Op, IndexExpr A, IndexExpr B) {
    if (!A || !B)
      return;
    PricedTree Tree = treeOf(Op, A, B);
    if (!Sense || Tree.Cost < Sense.Cost)
      Sense = Tree;
  };
  switch (Op) {
  case SyntaxOp::FloorDiv:
    if (B.isConstant() && B.constant() > 1) {
      // floor(A/d) = ceil((A - (d-1))/d), -floor(A/d) = floor((d-1 - A)/d).
      int64_t Most = B.constant() - 1;
      if (A.constant() == Most && isShort(A))
        Try(S.Positive, SyntaxOp::CeilDiv, Context.add(A, -Most), B);
      if (worthMirroring(A))
        Try(S.Negative, Op, Context.add(Context.negate(A), Most), B);
    }
    if (worthMirroring(A))
      Try(S.Negative, SyntaxOp::CeilDiv, Context.negate(A), B);
    return S;
  case SyntaxOp::TruncDiv:
  case SyntaxOp::TruncMod:
    if (worthMirroring(A))
      Try(S.Negative, Op, Context.negate(A), B);
    return S;
  case SyntaxOp::Min:
  case SyntaxOp::Max:
    if (isShort(A) && isShort(B) && (worthMirroring(A) || worthMirroring(B))) {
      IndexExpr MinusB = Context.negate(B);
      Try(S.Negative, Op == SyntaxOp::Min ? SyntaxOp::Max : SyntaxOp::Min,
          Context.negate(A), MinusB);
    }
    return S;
  default:
    return S;
  }
}

PricedTree Raiser::treeOf(SyntaxOp Op, IndexExpr A, IndexExpr B) {
  switch (Op) {
  case SyntaxOp::Name:
    return pricedName(NameOf(A.asAtom()));
  case SyntaxOp::Select:
    return pricedNode(Op, {comparison(A.asAtom(), /*Negated=*/false),
                           pricedNumber(1), pricedNumber(0)});
  case SyntaxOp::Min:
  case SyntaxOp::Max:
    return extremum(Op, A, B);
  default: {
    PricedTree Left = tree(A), Best = pricedNode(Op, {Left, tree(B)});
    while (flattenQuotient(Op, A, B)) {
      Left = tree(A);
      PricedTree Tree = pricedNode(Op, {Left, tree(B)});
      if (Tree.Cost < Best.Cost)
        Best = Tree;
    }
    return Best;
  }
  }
}

/// For d > 0:  floor((R + floor(M/n))/d) = floor((n*R + M)/(n*d))
///             ceil((R - floor(M/n))/d) = ceil((n*R - M)/(n*d))
/// and tdiv(tdiv(M, n), d) = tdiv(M, n*d). Returns false if there is no
/// quotient in \p A to do this with.
bool Raiser::flattenQuotient(SyntaxOp Op, IndexExpr &A, IndexExpr &B) {
  bool IsTrunc = Op == SyntaxOp::TruncDiv;
  bool IsFloor = Op == SyntaxOp::FloorDiv, IsCeil = Op == SyntaxOp::CeilDiv;
  if ((!IsTrunc && !IsFloor && !IsCeil) || !isShort(A) || !B.isConstant() ||
      B.constant() <= 0)
    return false;
  for (const IndexTerm &T : A.terms()) {
    const IndexAtom *Quotient = T.Atom;
    if (IsTrunc
            ? !Quotient->isTruncDiv() || !A.asAtom()
            : !Quotient->isFloorDiv() || T.Coefficient != (IsFloor ? 1 : -1))
      continue;
    IndexExpr N = Quotient->divisor();
    IndexExpr R = Context.add(A, Context.atom(Quotient), -T.Coefficient);
    IndexExpr Dividend =
        Context.add(Context.multiply(N, R), Quotient->operand(), T.Coefficient);
    IndexExpr Divisor = Context.multiply(N, B);
    if (!Dividend || !Divisor)
      continue;
    // Products may leave 64 bits where quotients did not.
    auto Fits = [&](IndexExpr E) { return Bounds.range(E).isBounded(); };
    if (Fits(A) && Fits(Quotient->operand()) && Fits(N) &&
        !(Fits(Dividend) && Fits(Divisor)))
      continue;
    A = Dividend;
    B = Divisor;
    return true;
  }
  return false;
}

//===----------------------------------------------------------------------===//
// Minima and maxima of several
//===----------------------------------------------------------------------===//

/// The forms of which \p E is the minimum or maximum.
static void collectBounds(IndexContext &Context, SyntaxOp Op, IndexExpr E,
                          SmallVectorImpl<IndexExpr> &Bounds) {
  // The outermost of nested ones: K + min(L, 0) = min(K + L, K) and
  // K - min(L, 0) = max(K - L, K).
  int64_t Sign = Op == SyntaxOp::Min ? 1 : -1;
  const IndexAtom *Outermost = nullptr;
  for (const IndexTerm &T : E.terms())
    if (T.Atom->isNegativePart() && T.Coefficient == Sign &&
        (!Outermost || T.Atom->depth() > Outermost->depth()))
      Outermost = T.Atom;
  if (Outermost && Bounds.size() < MaxBounds) {
    IndexExpr K = Context.add(E, Context.atom(Outermost), -Sign);
    IndexExpr Other = K ? Context.add(K, Outermost->operand(), Sign) : K;
    if (Other) {
      collectBounds(Context, Op, Other, Bounds);
      collectBounds(Context, Op, K, Bounds);
      return;
    }
  }
  Bounds.push_back(E);
}

/// The term that most of \p Bounds have, or one that no two have.
static IndexTerm mostFrequentTerm(ArrayRef<IndexExpr> Bounds, size_t &Count) {
  IndexTerm Most{};
  Count = 0;
  for (IndexExpr Bound : Bounds)
    for (const IndexTerm &T : Bound.terms()) {
      size_t With = count_if(Bounds, [&](IndexExpr Other) {
        return is_contained(Other.terms(), T);
      });
      if (With > Count)
        std::tie(Most, Count) = std::tuple(T, With);
    }
  return Most;
}

/// The extremum of \p Bounds, with what several of them share outside:
/// min(a - x, b, c - x) = min(min(a, c) - x, b).
PricedTree Raiser::extremumOf(SyntaxOp Op, SmallVector<IndexExpr, 4> Bounds) {
  // What stands for a group goes where its first bound went.
  SmallVector<std::pair<IndexExpr, PricedTree>, 4> Args;
  size_t Count;
  for (IndexTerm Shared = mostFrequentTerm(Bounds, Count); Count > 1;
       Shared = mostFrequentTerm(Bounds, Count)) {
    SmallVector<IndexExpr, 4> Group, Others;
    for (IndexExpr Bound : Bounds)
      (is_contained(Bound.terms(), Shared) ? Group : Others).push_back(Bound);
    SmallVector<IndexTerm, 4> Terms;
    copy_if(Group[0].terms(), std::back_inserter(Terms),
            [&](const IndexTerm &T) {
              return all_of(Group, [&](IndexExpr Bound) {
                return is_contained(Bound.terms(), T);
              });
            });
    IndexExpr Common = Context.linear(Terms, 0), First = Group[0];
    for (IndexExpr &Bound : Group)
      Bound = Context.sub(Bound, Common);
    RaisedSum Sum = best(Common);
    SymbolId Id =
        newSymbol({extremumOf(Op, Group), {}, First.terms()[0].Atom->id()});
    Sum.Terms.push_back({1, {Id}, Symbols[Id].Key});
    Args.push_back({First, render(Sum)});
    Bounds = Others;
  }
  for (IndexExpr Bound : Bounds)
    Args.push_back({Bound, tree(Bound)});
  SmallVector<PricedTree, 4> Trees;
  while (!Args.empty()) {
    auto *First = Args.begin();
    for (auto &Arg : Args)
      if (goesFirst(Arg.first, First->first))
        First = &Arg;
    Trees.push_back(First->second);
    Args.erase(First);
  }
  return Trees.size() == 1 ? Trees[0] : pricedNode(Op, Trees);
}

/// min(A, B) or max(A, B), nested or all at once.
PricedTree Raiser::extremum(SyntaxOp Op, IndexExpr A, IndexExpr B) {
  PricedTree Left = tree(A), Nested = pricedNode(Op, {Left, tree(B)});
  SmallVector<IndexExpr, 4> Bounds;
  collectBounds(Context, Op, A, Bounds);
  collectBounds(Context, Op, B, Bounds);
  if (Bounds.size() <= 2)
    return Nested;
  PricedTree Flat = extremumOf(Op, std::move(Bounds));
  return Nested.Cost < Flat.Cost ? Nested : Flat;
}

} // namespace unravel
