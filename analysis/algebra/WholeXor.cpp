//===- WholeXor.cpp - Exclusive ors that were split into digits -----------===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// For r = 2^k and b in [0, r), (A mod r) xor b has the bits of A xor b below k:
//
//     (A mod r) xor b = (A xor b) - A + A mod r
//
// For d = 2^k and A = floor(X/d), d*b has none of the low bits of X:
//
//     d*(A xor b) = (X xor d*b) - X mod d = (X xor d*b) - X + d*A
//
// Together, s*d*((A mod r) xor b) = s*(X xor d*b) + s*d*(A mod r) - s*X.
//
//===----------------------------------------------------------------------===//

#include "analysis/algebra/WholeXor.h"
#include "analysis/algebra/IndexDigits.h"
#include "llvm/Support/MathExtras.h"

using namespace llvm;

namespace unravel {

static void collectOperands(IndexExpr E, SmallVectorImpl<IndexExpr> &Operands) {
  if (const IndexAtom *A = E.asAtom(); A && A->isBitXor()) {
    collectOperands(A->operand(), Operands);
    collectOperands(A->divisor(), Operands);
  } else {
    Operands.push_back(E);
  }
}

SmallVector<IndexExpr, 4> xorOperands(ArrayRef<IndexExpr> Parts) {
  SmallVector<IndexExpr, 4> Operands;
  for (IndexExpr Part : Parts)
    collectOperands(Part, Operands);
  return Operands;
}

SmallVector<WholeXor, 4> wholeXorsOf(const IndexDomain &Domain, IndexExpr E,
                                     const IndexTerm &T) {
  SmallVector<WholeXor, 4> Wholes;
  if (!T.Atom->isBitXor())
    return Wholes;
  IndexContext &Context = Domain.context();
  SmallVector<IndexExpr, 4> Operands = xorOperands(Context.atom(T.Atom));
  for (size_t I = 0; I < Operands.size(); ++I) {
    IndexExpr Digit = Operands[I], Others;
    for (size_t J = 0; J < Operands.size(); ++J)
      if (J != I)
        Others = Others ? Context.rawAtom(IndexAtom::Kind::BitXor, Others,
                                          Operands[J])
                        : Operands[J];
    IndexExpr Without = Context.add(E, Context.atom(T.Atom), -T.Coefficient);
    Without = Context.add(Without, Digit, T.Coefficient);
    if (!Others || !Without)
      continue;
    auto Add = [&](IndexExpr X, int64_t D) {
      int64_t Scale = T.Coefficient / D;
      IndexExpr Y = Context.scale(Others, D);
      IndexExpr Rest = Context.add(Without, X, -Scale);
      if (Y && Rest)
        Wholes.push_back({Scale, X, Y, Rest});
    };
    SmallVector<IndexExpr, 4> Longer = {Digit};
    for (const IndexTerm &Q : Digit.terms())
      for (const IndexDigit &D : digitsOf(Context, Digit, Q))
        if (!D.Truncating && D.Scale == 1 && D.Rest.isConstant(0) &&
            isPowerOf2_64(D.Radix) &&
            Domain.isWithin(Others, Interval(0, D.Radix - 1)))
          Longer.push_back(D.Dividend);
    for (IndexExpr A : Longer) {
      if (A != Digit)
        Add(A, 1);
      for (const IndexTerm &Q : A.terms()) {
        int64_t D = Q.Atom->constantDivisor();
        if (!Q.Atom->isFloorDiv() || Q.Coefficient != 1 || !isPowerOf2_64(D) ||
            T.Coefficient % D != 0)
          continue;
        // floor(M/d) + R = floor((M + d*R) / d)
        IndexExpr R = Context.add(A, Context.atom(Q.Atom), -1);
        if (IndexExpr X = Context.add(Q.Atom->operand(), R, D))
          Add(X, D);
      }
    }
  }
  return Wholes;
}

} // namespace unravel
