//===- RaiseRewrites.cpp - What a quotient or a minimum can become --------===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The identities that raising has to choose from, for a term s * q or s * m of
// a form, with q a quotient, m a minimum and s a number times atoms. All hold
// for all integers; a divisor n may have either sign. Whether one is worth it
// is not decided here.
//
//===----------------------------------------------------------------------===//

#include "analysis/IndexDigits.h"
#include "analysis/IndexRaiser.h"
#include "llvm/ADT/STLExtras.h"
#include <limits>

using namespace llvm;

namespace unravel {

static bool isFloor(const IndexAtom *Atom) {
  return Atom->isFloorDiv() ||
         Atom->kind() == IndexAtom::Kind::SymbolicFloorDiv;
}

static IndexExpr divisorOf(IndexContext &Context, const IndexAtom *Quotient) {
  return Quotient->symbolicDivisor() ? Quotient->symbolicDivisor()
                                     : Context.constant(Quotient->divisor());
}

static Monomial without(const IndexAtom *Atom, const IndexAtom *Factor) {
  Monomial Others = monomialOf(Atom);
  Others.erase(find(Others, Factor));
  return Others;
}

static size_t sizeOf(IndexExpr E) {
  return E.terms().size() + (E.constant() != 0 ? 1 : 0);
}

/// Calls \p Visit with the summands of \p E, the constant last and without an
/// atom.
static void
forEachSummand(IndexExpr E,
               function_ref<void(const IndexAtom *, int64_t)> Visit) {
  for (const IndexTerm &T : E.terms())
    Visit(T.Atom, T.Coefficient);
  if (E.constant() != 0)
    Visit(nullptr, E.constant());
}

/// Coefficient * Atom / (Scale * Others), null if that is not integral. A null
/// atom is 1.
static IndexExpr divideSummand(IndexContext &Context, const IndexAtom *Atom,
                               int64_t Coefficient, int64_t Scale,
                               const Monomial &Others) {
  std::optional<Monomial> Factors =
      divide(Atom ? monomialOf(Atom) : Monomial(), Others);
  if (!Factors || Coefficient % Scale != 0)
    return {};
  return toExpr(Context, *Factors, Coefficient / Scale);
}

/// Adds Coefficient * Factors * Extra + Rest, unless something overflowed.
void Raiser::addRewrite(const Monomial &Factors, int64_t Coefficient,
                        SymbolId Extra, IndexExpr Rest,
                        SmallVectorImpl<Rewrite> &Rewrites) {
  if (!Rest || Coefficient == std::numeric_limits<int64_t>::min())
    return;
  RaisedTerm Piece = makeTerm(Factors, Coefficient, Extra);
  Rewrites.push_back({std::move(Piece), Rest});
}

void Raiser::rewritesOf(IndexExpr E, SmallVectorImpl<Rewrite> &Rewrites) {
  addProducts(E, Rewrites);
  for (const IndexTerm &T : E.terms()) {
    addDigits(E, T, Rewrites);
    const IndexAtom *Last = nullptr;
    for (const IndexAtom *Factor : factorsOf(T.Atom)) {
      if (Factor == Last)
        continue;
      Last = Factor;
      if (Factor->isDivision() && Factor != T.Atom)
        addScaledDigits(E, T, Factor, Rewrites);
      if (isFloor(Factor))
        addAbsorptions(E, T, Factor, Rewrites);
      else if (Factor->isNegativePart())
        addExtrema(E, T, Factor, Rewrites);
    }
  }
}

//===----------------------------------------------------------------------===//
// Products
//===----------------------------------------------------------------------===//

/// v*A + B = A*(v + B/A) + rest, for an A of several terms.
void Raiser::addProducts(IndexExpr E, SmallVectorImpl<Rewrite> &Rewrites) {
  SmallVector<const IndexAtom *, 8> Factors;
  for (const IndexTerm &T : E.terms())
    if (T.Atom->isProduct())
      append_range(Factors, T.Atom->factors());
  llvm::sort(Factors, [](const IndexAtom *A, const IndexAtom *B) {
    return A->id() < B->id();
  });
  Factors.erase(llvm::unique(Factors), Factors.end());
  for (const IndexAtom *Factor : Factors) {
    IndexExpr A = Context.constant(0), Variable = Context.atom(Factor);
    for (const IndexTerm &T : E.terms())
      if (IndexExpr Part = divideSummand(Context, T.Atom, T.Coefficient, 1,
                                         monomialOf(Factor)))
        A = Context.add(A, Part);
    if (!A || sizeOf(A) < 2)
      continue;
    IndexExpr Beside = Context.sub(E, Context.multiply(Variable, A));
    if (!Beside)
      continue;
    PolynomialDivision Division = divideWithRest(Context, Beside, A);
    if (!Division.Rest || Division.Quotient.isConstant(0))
      continue;
    IndexExpr Other = Context.add(Variable, Division.Quotient);
    if (!Other)
      continue;
    SymbolId Id = symbolOf(SyntaxOp::Multiply, Other, A, Factor->id());
    addRewrite({}, 1, Id, Division.Rest, Rewrites);
  }
}

//===----------------------------------------------------------------------===//
// Remainders
//===----------------------------------------------------------------------===//

static SyntaxOp remainder(bool Truncating) {
  return Truncating ? SyntaxOp::TruncMod : SyntaxOp::FloorMod;
}

/// s*M - s*d*floor(M/d) = s*(M mod d)
void Raiser::addDigits(IndexExpr E, const IndexTerm &T,
                       SmallVectorImpl<Rewrite> &Rewrites) {
  for (const IndexDigit &D : digitsOf(Context, E, T)) {
    SymbolId Id = symbolOf(remainder(D.Truncating), D.Dividend,
                           Context.constant(D.Radix), T.Atom->id());
    addRewrite({}, D.Scale, Id, D.Rest, Rewrites);
  }
  for (const SymbolicDigit &D : symbolicDigitsOf(Context, E, T)) {
    // Nobody knows here whether a divisor that is no number is positive.
    bool IsPositive = D.Divisor.isConstant() && D.Divisor.constant() > 0;
    if ((D.NeedsPositiveDivisor && !IsPositive) || sizeOf(D.Scale) != 1)
      continue;
    const IndexAtom *Quotient =
        *find_if(factorsOf(T.Atom), [](const IndexAtom *Factor) {
          return Factor->isSymbolicDivision();
        });
    SymbolId Id = symbolOf(remainder(D.Truncating), D.Dividend, D.Divisor,
                           Quotient->id());
    forEachSummand(D.Scale, [&](const IndexAtom *Atom, int64_t Coefficient) {
      addRewrite(Atom ? monomialOf(Atom) : Monomial(), Coefficient, Id, D.Rest,
                 Rewrites);
    });
  }
}

/// The same where s has atoms and d is a number: the digits of everything that
/// has these atoms as factors.
void Raiser::addScaledDigits(IndexExpr E, const IndexTerm &T,
                             const IndexAtom *Factor,
                             SmallVectorImpl<Rewrite> &Rewrites) {
  Monomial Others = without(T.Atom, Factor);
  IndexExpr Common = Context.constant(0);
  for (const IndexTerm &U : E.terms())
    if (IndexExpr Part =
            divideSummand(Context, U.Atom, U.Coefficient, 1, Others))
      Common = Context.add(Common, Part);
  if (!Common)
    return;
  IndexExpr Unit = toExpr(Context, Others);
  IndexExpr Rest = Context.sub(E, Context.multiply(Unit, Common));
  for (const IndexDigit &D :
       digitsOf(Context, Common, {Factor, T.Coefficient})) {
    SymbolId Id = symbolOf(remainder(D.Truncating), D.Dividend,
                           Context.constant(D.Radix), Factor->id());
    addRewrite(Others, D.Scale, Id,
               Context.add(Rest, Context.multiply(Unit, D.Rest)), Rewrites);
  }
}

//===----------------------------------------------------------------------===//
// Quotients that take in what stands beside them
//===----------------------------------------------------------------------===//

static bool hasQuotientOf(const IndexAtom *Atom, IndexExpr Dividend) {
  return Atom && any_of(factorsOf(Atom), [&](const IndexAtom *A) {
           return (A->isDivision() || A->isSymbolicDivision()) &&
                  A->operand() == Dividend;
         });
}

/// s*floor(M/n) + s*A = s*floor((M + n*A)/n), for an A whose terms merge with
/// those of M, or make a remainder of M.
void Raiser::addAbsorptions(IndexExpr E, const IndexTerm &T,
                            const IndexAtom *Factor,
                            SmallVectorImpl<Rewrite> &Rewrites) {
  Monomial Others = without(T.Atom, Factor);
  IndexExpr M = Factor->operand(), N = divisorOf(Context, Factor);
  SmallVector<IndexExpr, 4> Absorbed;
  IndexExpr All = Context.constant(0);
  forEachSummand(E, [&](const IndexAtom *Atom, int64_t Coefficient) {
    if (Atom && is_contained(factorsOf(Atom), Factor))
      return;
    IndexExpr A =
        divideSummand(Context, Atom, Coefficient, T.Coefficient, Others);
    IndexExpr Sum = A ? Context.add(M, Context.multiply(N, A)) : A;
    if (!Sum || (sizeOf(Sum) > sizeOf(M) && !hasQuotientOf(Atom, M)))
      return;
    Absorbed.push_back(A);
    All = Context.add(All, A);
  });
  if (Absorbed.size() > 1)
    Absorbed.push_back(All);
  IndexExpr Unit = toExpr(Context, Others, T.Coefficient);
  IndexExpr Beside = Context.add(E, Context.atom(T.Atom), -T.Coefficient);
  for (IndexExpr A : Absorbed) {
    IndexExpr Dividend = Context.add(M, Context.multiply(N, A));
    if (!Dividend)
      continue;
    SymbolId Id = symbolOf(SyntaxOp::FloorDiv, Dividend, N, Factor->id());
    addRewrite(Others, T.Coefficient, Id,
               Context.sub(Beside, Context.multiply(Unit, A)), Rewrites);
  }
}

//===----------------------------------------------------------------------===//
// Minima and maxima
//===----------------------------------------------------------------------===//

/// For a > 0:  a*min(L, 0) = a*min(K + L, K) - a*K
///            -a*min(L, 0) = a*max(K - L, K) - a*K
/// K is built of what stands beside it and cancels there, or merges with L.
void Raiser::addExtrema(IndexExpr E, const IndexTerm &T,
                        const IndexAtom *Factor,
                        SmallVectorImpl<Rewrite> &Rewrites) {
  Monomial Others = without(T.Atom, Factor);
  IndexExpr Rest = Context.add(E, Context.atom(T.Atom), -T.Coefficient);
  SyntaxOp Op = T.Coefficient > 0 ? SyntaxOp::Min : SyntaxOp::Max;
  int64_t Size = std::abs(T.Coefficient);
  // a*min(L, 0) = min(a*L, 0): some terms are no multiples of a.
  for (int64_t A : {Size, int64_t(1)}) {
    IndexExpr L = Context.scale(Factor->operand(), T.Coefficient / A);
    if (!L || !Rest)
      return;
    IndexExpr Unit = toExpr(Context, Others, A);
    IndexExpr Zero = Context.constant(0);
    IndexExpr Cancelling = Zero, Merging = Zero, Everything = Zero;
    for (const IndexTerm &U : Rest.terms()) {
      IndexExpr Part = divideSummand(Context, U.Atom, U.Coefficient, A, Others);
      if (!Part || is_contained(factorsOf(U.Atom), Factor))
        continue;
      Everything = Context.add(Everything, Part);
      if (Part.isConstant())
        continue;
      int64_t Opposite = L.coefficientOf(Part.terms()[0].Atom);
      if (Opposite != 0)
        Merging = Context.add(Merging, Part);
      if (Opposite != 0 && Opposite == -Part.terms()[0].Coefficient)
        Cancelling = Context.add(Cancelling, Part);
    }
    SmallVector<int64_t, 3> Constants = {0, -L.constant()};
    if (Rest.constant() % A == 0 && Others.empty())
      Constants.push_back(Rest.constant() / A);
    SmallVector<IndexExpr, 12> Tried;
    for (IndexExpr Terms : {Cancelling, Zero, Merging, Everything})
      for (int64_t Constant : Constants) {
        IndexExpr K = Terms;
        if (!K || (K.constant() != 0 && Constant != 0))
          continue;
        K = Context.add(K, Constant);
        if (!K || is_contained(Tried, K))
          continue;
        Tried.push_back(K);
        IndexExpr Left = Context.add(L, K);
        IndexExpr Beside = Context.sub(Rest, Context.multiply(Unit, K));
        bool IsPlain = Op == SyntaxOp::Min && K == Zero && A == Size;
        if (!Left || !Beside || IsPlain)
          continue;
        SymbolId Id = symbolOf(Op, Left, K, Factor->id());
        addRewrite(Others, A, Id, Beside, Rewrites);
      }
    if (Size == 1)
      break;
  }
}

} // namespace unravel
