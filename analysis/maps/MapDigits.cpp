//===- MapDigits.cpp - Writing forms as sums of digits --------------------===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "analysis/maps/MapDigits.h"
#include "analysis/algebra/IndexDigits.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace unravel {

/// How many digits are looked for in one sum, and how many sums are made.
static constexpr size_t MaxDigits = 4;
static constexpr size_t MaxWays = 16;

namespace {
class PieceFinder {
public:
  explicit PieceFinder(FloorBasis &Basis)
      : Basis(Basis), Context(Basis.context()) {}

  void split(IndexExpr E);
  SmallVector<MapPieces, 4> Ways;

private:
  IndexExpr withoutConstant(IndexExpr E) const {
    return E ? Context.sub(E, Context.constant(E.constant())) : E;
  }
  void splitOff(IndexExpr E, IndexExpr Rest);
  void splitHiddenDigits(IndexExpr E, const IndexTerm &T);

  FloorBasis &Basis;
  IndexContext &Context;
  MapPieces Taken;
};
} // namespace

/// Takes E - Rest as a piece. Its constant and that of the rest cancel.
void PieceFinder::splitOff(IndexExpr E, IndexExpr Rest) {
  IndexExpr Digit = withoutConstant(Context.sub(E, Rest));
  if (!Digit || Digit.isConstant() || Ways.size() >= MaxWays)
    return;
  Taken.push_back(Digit);
  split(withoutConstant(Rest));
  Taken.pop_back();
}

/// With e = n*d, floor(K/e) is also floor(floor(K/n) / d), and floor(K/n) may
/// look quite different from K: floor(33*x/1024) is floor((x + floor(x/32))/32)
/// and makes the digit (x + floor(x/32)) mod 32.
void PieceFinder::splitHiddenDigits(IndexExpr E, const IndexTerm &T) {
  if (!T.Atom->isConstantFloorDiv())
    return;
  for (const IndexTerm &U : E.terms()) {
    int64_t Divisor = T.Atom->constantDivisor(), N = U.Atom->constantDivisor();
    if (!U.Atom->isConstantFloorDiv() || U.Atom == T.Atom || Divisor % N != 0 ||
        U.Atom->operand() == T.Atom->operand())
      continue;
    int64_t D = Divisor / N;
    if (D == 1 || T.Coefficient % D != 0)
      continue;
    IndexExpr Quotient = Basis.floorDiv(T.Atom->operand(), N);
    if (!Quotient || Quotient.coefficientOf(U.Atom) == 0)
      continue;
    // E - s*(Quotient - D*t), with the s that leaves no t.
    IndexExpr Rest = Context.add(E, Context.atom(T.Atom), -T.Coefficient);
    Rest = Context.add(Rest, Quotient, T.Coefficient / D);
    if (Rest && Rest.terms().size() <= E.terms().size())
      splitOff(E, Rest);
  }
}

/// Splits \p E, which has no constant, after what is taken already.
void PieceFinder::split(IndexExpr E) {
  if (!E)
    return;
  if (Taken.size() < MaxDigits)
    for (const IndexTerm &T : E.terms()) {
      if (Ways.size() >= MaxWays)
        return;
      for (const IndexDigit &D : digitsOf(Context, E, T))
        splitOff(E, D.Rest);
      splitHiddenDigits(E, T);
    }
  if (Ways.size() >= MaxWays)
    return;
  MapPieces Pieces = Taken;
  for (const IndexTerm &T : E.terms())
    Pieces.push_back(Context.linear({T}, 0));
  llvm::sort(Pieces, [](IndexExpr A, IndexExpr B) { return A.id() < B.id(); });
  if (!is_contained(Ways, Pieces))
    Ways.push_back(Pieces);
}

SmallVector<MapPieces, 4> piecesOf(FloorBasis &Basis, IndexExpr E) {
  IndexContext &Context = Basis.context();
  PieceFinder Finder(Basis);
  if (E)
    Finder.split(Context.sub(E, Context.constant(E.constant())));
  return std::move(Finder.Ways);
}

} // namespace unravel
