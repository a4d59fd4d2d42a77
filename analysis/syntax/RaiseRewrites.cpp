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

#include "analysis/algebra/IndexDigits.h"
#include "analysis/algebra/WholeXor.h"
#include "analysis/syntax/IndexRaiser.h"
#include "llvm/ADT/STLExtras.h"
#include <limits>
#include <tuple>

using namespace llvm;

namespace unravel {

static Monomial without(const IndexAtom *Atom, const IndexAtom *Factor) {
  Monomial Others(factorsOf(Atom));
  Others.erase(find(Others, Factor));
  return Others;
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
                               MonomialRef Others) {
  std::optional<Monomial> Factors =
      divide(Atom ? factorsOf(Atom) : MonomialRef(), Others);
  if (!Factors || Coefficient % Scale != 0)
    return {};
  return Context.product(*Factors, Coefficient / Scale);
}

/// Adds Coefficient * Factors * Extra + Rest, unless something overflowed.
void Raiser::addRewrite(MonomialRef Factors, int64_t Coefficient,
                        SymbolId Extra, IndexExpr Rest,
                        SmallVectorImpl<Rewrite> &Rewrites) {
  if (!Rest || Coefficient == std::numeric_limits<int64_t>::min())
    return;
  RaisedTerm Piece = makeTerm(Factors, Coefficient, Extra);
  Rewrites.push_back({std::move(Piece), Rest});
}

void Raiser::rewritesOf(IndexExpr E, SmallVectorImpl<Rewrite> &Rewrites) {
  auto ForEachFactor =
      [&](function_ref<void(const IndexTerm &, const IndexAtom *)> Visit) {
        for (const IndexTerm &T : E.terms()) {
          const IndexAtom *Last = nullptr;
          for (const IndexAtom *Factor : factorsOf(T.Atom)) {
            if (Factor != Last)
              Visit(T, Factor);
            Last = Factor;
          }
        }
      };
  // Of equally good ones the first is taken: remainders.
  for (const IndexTerm &T : E.terms())
    addDigits(E, T, Rewrites);
  ForEachFactor([&](const IndexTerm &T, const IndexAtom *Factor) {
    if (Factor->isConstantDivision() && Factor != T.Atom)
      addScaledDigits(E, T, Factor, Rewrites);
  });
  for (const IndexTerm &T : E.terms())
    addHalves(E, T, Rewrites);
  addProducts(E, Rewrites);
  ForEachFactor([&](const IndexTerm &T, const IndexAtom *Factor) {
    if (Factor->isFloorDiv())
      addAbsorptions(E, T, Factor, Rewrites);
    else if (Factor->isNegativePart())
      addExtrema(E, T, Factor, Rewrites);
  });
  for (const IndexTerm &T : E.terms())
    for (const WholeXor &W : wholeXorsOf(Bounds, E, T))
      addRewrite({}, W.Scale,
                 symbolOf(SyntaxOp::BitXor, W.X, W.Y, T.Atom->id()), W.Rest,
                 Rewrites);
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
                                         factorsOf(Factor)))
        A = Context.add(A, Part);
    if (!A || numSummands(A) < 2)
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
    // The sign of a divisor that is no number is unknown here.
    bool IsPositive = D.Divisor.isConstant() && D.Divisor.constant() > 0;
    if ((D.NeedsPositiveDivisor && !IsPositive) || numSummands(D.Scale) != 1)
      continue;
    const IndexAtom *Quotient =
        *find_if(factorsOf(T.Atom), [](const IndexAtom *Factor) {
          return Factor->isSymbolicDivision();
        });
    SymbolId Id = symbolOf(remainder(D.Truncating), D.Dividend, D.Divisor,
                           Quotient->id());
    forEachSummand(D.Scale, [&](const IndexAtom *Atom, int64_t Coefficient) {
      addRewrite(Atom ? factorsOf(Atom) : MonomialRef(), Coefficient, Id,
                 D.Rest, Rewrites);
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
  IndexExpr Unit = Context.product(Others);
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
           return A->isDivision() && A->operand() == Dividend;
         });
}

/// Whether \p Atom is compared in a minimum or maximum of \p Sum.
static bool isInExtremum(const IndexAtom *Atom, IndexExpr Sum) {
  return Atom && any_of(Sum.terms(), [&](const IndexTerm &T) {
           return T.Atom->isNegativePart() &&
                  T.Atom->operand().coefficientOf(Atom) != 0;
         });
}

/// s*floor(M/n) + s*A = s*floor((M + n*A)/n), for an A whose terms merge with
/// those of M, also inside of a minimum, or make a remainder of M.
void Raiser::addAbsorptions(IndexExpr E, const IndexTerm &T,
                            const IndexAtom *Factor,
                            SmallVectorImpl<Rewrite> &Rewrites) {
  Monomial Others = without(T.Atom, Factor);
  IndexExpr M = Factor->operand(), N = Factor->divisor();
  SmallVector<IndexExpr, 4> Absorbed;
  IndexExpr All = Context.constant(0);
  forEachSummand(E, [&](const IndexAtom *Atom, int64_t Coefficient) {
    if (Atom && is_contained(factorsOf(Atom), Factor))
      return;
    IndexExpr A =
        divideSummand(Context, Atom, Coefficient, T.Coefficient, Others);
    IndexExpr Sum = A ? Context.add(M, Context.multiply(N, A)) : A;
    if (!Sum || (numSummands(Sum) > numSummands(M) && !hasQuotientOf(Atom, M) &&
                 !isInExtremum(Atom, M)))
      return;
    Absorbed.push_back(A);
    All = Context.add(All, A);
  });
  if (Absorbed.size() > 1)
    Absorbed.push_back(All);
  IndexExpr Unit = Context.product(Others, T.Coefficient);
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

/// s*floor(M/n) - s*floor(M/2n) = s*floor((M + n)/2n)
void Raiser::addHalves(IndexExpr E, const IndexTerm &T,
                       SmallVectorImpl<Rewrite> &Rewrites) {
  if (!T.Atom->isConstantFloorDiv())
    return;
  IndexExpr M = T.Atom->operand();
  int64_t N = T.Atom->constantDivisor();
  for (const IndexTerm &U : E.terms()) {
    int64_t Twice = U.Atom->constantDivisor();
    if (!U.Atom->isConstantFloorDiv() || U.Atom->operand() != M ||
        Twice % 2 != 0 || Twice / 2 != N || U.Coefficient != -T.Coefficient)
      continue;
    IndexExpr Dividend = Context.add(M, N);
    IndexExpr Rest = Context.add(E, Context.atom(T.Atom), -T.Coefficient);
    Rest = Context.add(Rest, Context.atom(U.Atom), -U.Coefficient);
    if (Dividend)
      addRewrite({}, T.Coefficient,
                 symbolOf(SyntaxOp::FloorDiv, Dividend, U.Atom->divisor(),
                          T.Atom->id()),
                 Rest, Rewrites);
  }
}

//===----------------------------------------------------------------------===//
// Minima and maxima
//===----------------------------------------------------------------------===//

/// For a > 0:  a*min(L, 0) = a*min(K + L, K) - a*K
///            -a*min(L, 0) = a*max(K - L, K) - a*K
/// with K made of what stands beside it.
struct Raiser::Extremum {
  SyntaxOp Op;
  int64_t A;      ///< a
  IndexExpr L;    ///< with its sign
  IndexExpr Unit; ///< a times the other factors of the term
  IndexExpr Rest; ///< what stands beside the term
};

/// \p T as an extremum with a factor a, which divides its coefficient.
std::optional<Raiser::Extremum> Raiser::extremumIn(IndexExpr E,
                                                   const IndexTerm &T,
                                                   const IndexAtom *Factor,
                                                   int64_t A) {
  SyntaxOp Op = T.Coefficient > 0 ? SyntaxOp::Min : SyntaxOp::Max;
  Extremum X{Op, A, Context.scale(Factor->operand(), T.Coefficient / A),
             Context.product(without(T.Atom, Factor), A),
             Context.add(E, Context.atom(T.Atom), -T.Coefficient)};
  if (!X.L || !X.Unit || !X.Rest)
    return std::nullopt;
  return X;
}

void Raiser::addExtremum(const Extremum &X, const IndexTerm &T,
                         const IndexAtom *Factor, IndexExpr K,
                         SmallVectorImpl<Rewrite> &Rewrites) {
  IndexExpr Left = Context.add(X.L, K);
  IndexExpr Beside = Context.sub(X.Rest, Context.multiply(X.Unit, K));
  if (!Left || !Beside)
    return;
  SymbolId Id = symbolOf(X.Op, Left, K, Factor->id());
  addRewrite(without(T.Atom, Factor), X.A, Id, Beside, Rewrites);
}

/// The terms beside an extremum that cancel in it.
IndexExpr Raiser::cancellingIn(const Extremum &X, const Monomial &Others) {
  IndexExpr K = Context.constant(0);
  for (const IndexTerm &T : X.Rest.terms()) {
    std::optional<Monomial> Factors = divide(factorsOf(T.Atom), Others);
    if (!Factors || Factors->empty())
      continue;
    IndexExpr Part = Context.product(*Factors);
    const IndexAtom *Atom = Part ? Part.asAtom() : nullptr;
    int64_t Wanted = Atom ? -X.L.coefficientOf(Atom) : 0;
    int64_t There = T.Coefficient / X.A;
    if (Wanted > 0 ? There >= Wanted : Wanted < 0 && There <= Wanted)
      K = Context.add(K, Part, Wanted);
  }
  return K;
}

/// The constants that may go into an extremum, the one that cancels alone.
static SmallVector<int64_t, 3> constantsFor(int64_t InL, int64_t Beside,
                                            int64_t A) {
  if (Beside % A != 0)
    return {0, -InL};
  if (Beside / A == -InL)
    return {-InL};
  return {0, Beside / A, -InL};
}

/// True if a quotient in \p E has a term of \p K in its dividend: they may be
/// better off together.
static bool isInQuotient(IndexExpr E, IndexExpr K) {
  for (const IndexTerm &T : E.terms())
    for (const IndexAtom *Factor : factorsOf(T.Atom))
      if (Factor->isDivision())
        for (const IndexTerm &U : K.terms())
          if (Factor->operand().coefficientOf(U.Atom) != 0)
            return true;
  return false;
}

/// The extremum of \p E in which most terms cancel with what stands beside it.
/// That has to be undone before anything else: min(min(x, y), z) is
/// z + min(y - z + min(x - y, 0), 0).
void Raiser::cancelExtremum(IndexExpr E, SmallVectorImpl<Rewrite> &Rewrites) {
  IndexTerm Term{};
  const IndexAtom *Found = nullptr;
  std::pair<size_t, unsigned> Most;
  for (const IndexTerm &T : E.terms())
    for (const IndexAtom *Factor : factorsOf(T.Atom)) {
      if (!Factor->isNegativePart())
        continue;
      Monomial Others = without(T.Atom, Factor);
      std::optional<Extremum> X =
          extremumIn(E, T, Factor, std::abs(T.Coefficient));
      IndexExpr K = X ? cancellingIn(*X, Others) : IndexExpr();
      IndexExpr Beside =
          K ? Context.sub(X->Rest, Context.multiply(X->Unit, K)) : K;
      if (!Beside || isInQuotient(Beside, K))
        continue;
      size_t Count = K.terms().size();
      if (Others.empty() && X->L.constant() != 0 &&
          constantsFor(X->L.constant(), X->Rest.constant(), X->A).size() == 1)
        ++Count;
      std::pair<size_t, unsigned> Worth = {Count, Factor->depth()};
      if (Count > 0 && Worth > Most)
        std::tie(Most, Term, Found) = std::tuple(Worth, T, Factor);
    }
  if (!Found)
    return;
  Monomial Others = without(Term.Atom, Found);
  Extremum X = *extremumIn(E, Term, Found, std::abs(Term.Coefficient));
  IndexExpr K = cancellingIn(X, Others);
  SmallVector<int64_t, 3> Constants = {0};
  if (Others.empty())
    Constants = constantsFor(X.L.constant(), X.Rest.constant(), X.A);
  for (int64_t Constant : Constants)
    if (Rewrites.empty() || spend())
      if (IndexExpr WithConstant = Context.add(K, Constant))
        addExtremum(X, Term, Found, WithConstant, Rewrites);
}

/// The same where nothing cancels, but terms or constants may merge.
void Raiser::addExtrema(IndexExpr E, const IndexTerm &T,
                        const IndexAtom *Factor,
                        SmallVectorImpl<Rewrite> &Rewrites) {
  Monomial Others = without(T.Atom, Factor);
  int64_t Size = std::abs(T.Coefficient);
  // a*min(L, 0) = min(a*L, 0): some terms are no multiples of a.
  for (int64_t A : {Size, int64_t(1)}) {
    std::optional<Extremum> X = extremumIn(E, T, Factor, A);
    if (!X)
      return;
    IndexExpr Zero = Context.constant(0), Merging = Zero;
    for (const IndexTerm &U : X->Rest.terms()) {
      IndexExpr Part = divideSummand(Context, U.Atom, U.Coefficient, A, Others);
      if (Part && !Part.isConstant() &&
          !is_contained(factorsOf(U.Atom), Factor) &&
          X->L.coefficientOf(Part.terms()[0].Atom) != 0)
        Merging = Context.add(Merging, Part);
    }
    SmallVector<int64_t, 3> Constants = constantsFor(
        X->L.constant(), Others.empty() ? X->Rest.constant() : 0, A);
    SmallVector<IndexExpr, 6> Tried;
    for (IndexExpr Terms : {Merging, Zero})
      for (int64_t Constant : Constants) {
        IndexExpr K = Terms ? Context.add(Terms, Constant) : Terms;
        bool IsPlain = X->Op == SyntaxOp::Min && K == Zero && A == Size;
        if (!K || IsPlain || is_contained(Tried, K))
          continue;
        Tried.push_back(K);
        addExtremum(*X, T, Factor, K, Rewrites);
      }
    if (Size == 1)
      break;
  }
}

} // namespace unravel
