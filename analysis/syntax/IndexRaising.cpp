//===- IndexRaising.cpp - From forms to the cheapest syntax ---------------===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The search. A form falls apart into groups of terms that have an atom in
// common; only inside of those does one rewrite get in the way of another. A
// small group is searched: all its rewrites, the most promising first, each
// followed by the search of what it leaves, memoised by form, until the work
// allowed is spent. A large one only gets what can be found in linear time.
//
//===----------------------------------------------------------------------===//

#include "analysis/syntax/IndexRaising.h"
#include "analysis/algebra/CanonicalCopy.h"
#include "analysis/algebra/IndexDigits.h"
#include "analysis/algebra/WholeXor.h"
#include "analysis/syntax/IndexRaiser.h"
#include "llvm/ADT/EquivalenceClasses.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Support/SaveAndRestore.h"
#include <limits>

using namespace llvm;

namespace unravel {

/// Groups with more terms are not searched.
static constexpr size_t MaxSearchedTerms = 12;
/// Groups with more terms are not even looked through for digits repeatedly.
static constexpr size_t MaxDigitTerms = 40;
/// Of the search within one form.
static constexpr unsigned WorkOfForm = 60;
/// Of the search within all forms of one call.
static constexpr unsigned LeastWork = 2000;
static constexpr unsigned WorkOfAtom = 40;

/// What may be spent on \p E.
static unsigned workFor(IndexExpr E) {
  assert(E && "the form was given up");
  unsigned Work = LeastWork;
  forEachAtom(E, [&](const IndexAtom *) { Work += WorkOfAtom; });
  return Work;
}

/// Searches on a canonical copy: equal prices are decided by the order of
/// atoms, and the text of a form must not depend on what else its context
/// holds. The search makes atoms, too, which then do not stay.
template <typename Function>
static SyntaxTree onCanonicalCopy(IndexContext &Context, IndexExpr E,
                                  AtomNames NameOf, AtomBounds BoundsOf,
                                  Function Search) {
  CanonicalCopy Copy(Context, E);
  if (!Copy.expr()) {
    Raiser Original(Context, NameOf, workFor(E));
    return Search(Original, E).Tree;
  }
  auto NameOfCopy = [&](const IndexAtom *A) {
    return NameOf(Copy.originalOf(A));
  };
  Raiser R(Copy.context(), NameOfCopy, workFor(E));
  if (BoundsOf)
    forEachAtom(Copy.expr(), [&](const IndexAtom *A) {
      if (A->isVariable())
        R.setBounds(A, BoundsOf(Copy.originalOf(A)));
    });
  return Search(R, Copy.expr()).Tree;
}

SyntaxTree raise(IndexContext &Context, IndexExpr E, AtomNames NameOf,
                 AtomBounds BoundsOf) {
  return onCanonicalCopy(
      Context, E, NameOf, BoundsOf,
      [](Raiser &R, IndexExpr Form) { return R.tree(Form); });
}

SyntaxTree raiseCondition(IndexContext &Context, IndexExpr E, AtomNames NameOf,
                          AtomBounds BoundsOf) {
  return onCanonicalCopy(
      Context, E, NameOf, BoundsOf,
      [](Raiser &R, IndexExpr Form) { return R.condition(Form); });
}

PricedTree Raiser::tree(IndexExpr E) {
  auto It = Trees.find(E);
  if (It != Trees.end())
    return It->second;
  PricedTree Tree;
  {
    SaveAndRestore Local(LocalWork, WorkOfForm);
    Tree = render(best(E));
  }
  Trees[E] = Tree;
  return Tree;
}

bool Raiser::spend() {
  if (Work == 0 || LocalWork == 0)
    return false;
  --Work;
  --LocalWork;
  return true;
}

//===----------------------------------------------------------------------===//
// A form as it is
//===----------------------------------------------------------------------===//

/// The value of \p Atom if it is made of numbers alone.
static std::optional<int64_t> valueOf(IndexContext &Context,
                                      const IndexAtom *Atom) {
  if (Atom->isVariable() || Atom->isProduct() ||
      !Atom->operand().isConstant() ||
      (Atom->divisor() && !Atom->divisor().isConstant()))
    return std::nullopt;
  return evaluate(Context.atom(Atom),
                  [](const IndexAtom *) { return std::nullopt; });
}

/// Multiplies \p Coefficient with the factors that are numbers; appends the
/// others to \p Factors. Returns false if that overflows.
static bool foldFactors(IndexContext &Context, const IndexAtom *Atom,
                        int64_t &Coefficient, Monomial &Factors) {
  for (const IndexAtom *Factor : factorsOf(Atom)) {
    std::optional<int64_t> Value = valueOf(Context, Factor);
    if (!Value)
      Factors.push_back(Factor);
    else if (MulOverflow(Coefficient, *Value, Coefficient))
      return false;
  }
  return true;
}

/// Adds a term to a sum, to one with the same factors if there is one. Returns
/// false if that overflows.
static bool addTerm(RaisedSum &Sum, const RaisedTerm &Term) {
  constexpr int64_t Least = std::numeric_limits<int64_t>::min();
  int64_t Total;
  if (Term.Factors.empty()) {
    if (AddOverflow(Sum.Constant, Term.Coefficient, Total) || Total == Least)
      return false;
    Sum.Constant = Total;
    return true;
  }
  auto *It = find_if(Sum.Terms, [&](const RaisedTerm &T) {
    return T.Factors == Term.Factors;
  });
  if (It == Sum.Terms.end()) {
    Sum.Terms.push_back(Term);
    return Term.Coefficient != Least;
  }
  if (AddOverflow(It->Coefficient, Term.Coefficient, Total) || Total == Least)
    return false;
  It->Coefficient = Total;
  if (Total == 0)
    Sum.Terms.erase(It);
  return true;
}

RaisedSum Raiser::plain(IndexExpr E) {
  RaisedSum Sum, Folded;
  Sum.Constant = Folded.Constant = E.constant();
  bool Folds = false, Overflows = false;
  for (const IndexTerm &T : E.terms())
    for (const IndexAtom *Factor : factorsOf(T.Atom))
      Folds = Folds || valueOf(Context, Factor);
  for (const IndexTerm &T : E.terms()) {
    Monomial Factors;
    int64_t Coefficient = T.Coefficient;
    Sum.Terms.push_back(makeTerm(factorsOf(T.Atom), Coefficient));
    // Terms that are different atoms may become equal.
    if (Folds && !Overflows)
      Overflows = !foldFactors(Context, T.Atom, Coefficient, Factors) ||
                  (Coefficient != 0 &&
                   !addTerm(Folded, makeTerm(Factors, Coefficient)));
  }
  return Folds && !Overflows ? Folded : Sum;
}

/// Adds a sum of other terms. Returns false if its constant overflows.
static bool append(RaisedSum &Sum, const RaisedSum &More) {
  append_range(Sum.Terms, More.Terms);
  return !AddOverflow(Sum.Constant, More.Constant, Sum.Constant) &&
         Sum.Constant != std::numeric_limits<int64_t>::min();
}

//===----------------------------------------------------------------------===//
// Groups of terms
//===----------------------------------------------------------------------===//

/// True if there may be something to rewrite.
static bool isWorthSearching(IndexExpr E) {
  unsigned Products = 0;
  for (const IndexTerm &T : E.terms()) {
    Products += T.Atom->isProduct() ? 1 : 0;
    for (const IndexAtom *A : factorsOf(T.Atom))
      if (A->isDivision() || A->isNegativePart() || A->isBitXor())
        return true;
  }
  return Products > 0 && E.terms().size() > 2;
}

SmallVector<IndexExpr, 4>
groupTerms(IndexContext &Context, IndexExpr E,
           function_ref<void(const IndexAtom *, AtomVisitor)> Links) {
  ArrayRef<IndexTerm> Terms = E.terms();
  EquivalenceClasses<unsigned> Classes;
  DenseMap<const IndexAtom *, unsigned> FirstWith;
  for (unsigned I = 0; I < Terms.size(); ++I) {
    Classes.insert(I);
    Links(Terms[I].Atom, [&](const IndexAtom *Link) {
      Classes.unionSets(FirstWith.try_emplace(Link, I).first->second, I);
    });
  }
  MapVector<unsigned, SmallVector<IndexTerm, 4>> TermsOf;
  for (unsigned I = 0; I < Terms.size(); ++I)
    TermsOf[Classes.getLeaderValue(I)].push_back(Terms[I]);
  SmallVector<IndexExpr, 4> Groups;
  for (auto &[Leader, Group] : TermsOf)
    Groups.push_back(Context.linear(Group, 0));
  return Groups;
}

static void visitFactors(IndexExpr E, AtomVisitor Visit) {
  for (const IndexTerm &T : E.terms())
    for (const IndexAtom *Factor : factorsOf(T.Atom))
      Visit(Factor);
}

/// Visits what a term may have in common with others that it is rewritten with:
/// its factors and what they are made of, also inside of a minimum.
static void visitParts(const IndexAtom *Atom, AtomVisitor Visit) {
  for (const IndexAtom *Factor : factorsOf(Atom)) {
    Visit(Factor);
    SmallVector<IndexExpr, 4> Parts = {Factor->operand(), Factor->divisor()};
    if (Factor->isBitXor())
      Parts = xorOperands(Parts);
    for (IndexExpr Part : Parts)
      if (Part)
        visitFactors(Part, [&](const IndexAtom *Inner) {
          Visit(Inner);
          if (Inner->isNegativePart())
            visitFactors(Inner->operand(), Visit);
        });
  }
}

RaisedSum Raiser::best(IndexExpr E) {
  auto It = Sums.find(E);
  if (It != Sums.end())
    return It->second;
  RaisedSum Sum;
  if (hasConditions(E))
    Sum = splitConditions(E);
  else if (!isWorthSearching(E))
    Sum = plain(E);
  else if (auto Groups = groupTerms(Context, E, visitParts); Groups.size() > 1)
    Sum = bestOfGroups(E, Groups);
  else
    Sum = search(E);
  Sums[E] = Sum;
  return Sum;
}

RaisedSum Raiser::bestOfGroups(IndexExpr E, ArrayRef<IndexExpr> Groups) {
  // The constant may serve one of the groups.
  int64_t Constant = E.constant();
  std::optional<size_t> Taker;
  std::pair<int64_t, int64_t> Least = {0, 1}; // what adding it costs
  SmallVector<RaisedSum, 4> Parts;
  for (auto [I, Group] : enumerate(Groups)) {
    Parts.push_back(best(Group));
    if (Constant == 0 || (!isWorthSearching(Group) && !hasConditions(Group)))
      continue;
    IndexExpr More = Context.add(Group, Constant);
    if (!More)
      continue;
    RaisedSum With = best(More);
    SyntaxCost Before = render(Parts.back()).Cost, After = render(With).Cost;
    std::pair<int64_t, int64_t> Extra = {
        int64_t(After.Divisions) - int64_t(Before.Divisions),
        int64_t(After.Operations) - int64_t(Before.Operations)};
    if (Extra < Least) {
      Least = Extra;
      Taker = I;
    }
  }
  RaisedSum Result;
  if (Taker)
    Parts[*Taker] = best(Context.add(Groups[*Taker], Constant));
  else
    Result.Constant = Constant;
  return all_of(Parts,
                [&](const RaisedSum &Part) { return append(Result, Part); })
             ? Result
             : plain(E);
}

//===----------------------------------------------------------------------===//
// The search
//===----------------------------------------------------------------------===//

RaisedSum Raiser::search(IndexExpr E) {
  if (E.terms().size() > MaxSearchedTerms || Nesting >= MaxNesting)
    return greedy(E);
  SaveAndRestore Nested(Nesting, Nesting + 1);
  SmallVector<Rewrite, 3> Cancelling;
  cancelExtremum(E, Cancelling);
  RaisedSum Result;
  PricedTree Best;
  auto Consider = [&](const RaisedSum &Sum) {
    PricedTree Tree = render(Sum);
    if (!Best || Tree.isBetterThan(Best)) {
      Best = Tree;
      Result = Sum;
    }
    return Tree.Cost;
  };
  for (const Rewrite &R : Cancelling) {
    RaisedSum Sum = best(R.Rest);
    if (addTerm(Sum, R.Piece))
      Consider(Sum);
  }
  if (Best)
    return Result;
  if (!spend())
    return greedy(E);
  Consider(plain(E));
  SmallVector<Rewrite, 4> Rewrites;
  rewritesOf(E, Rewrites);
  SmallVector<std::pair<SyntaxCost, size_t>, 4> Order;
  for (auto [I, R] : enumerate(Rewrites)) {
    RaisedSum Sum = plain(R.Rest);
    if (addTerm(Sum, R.Piece))
      Order.push_back({Consider(Sum), I});
  }
  llvm::sort(Order, [](const auto &A, const auto &B) {
    return A.first == B.first ? A.second < B.second : A.first < B.first;
  });
  for (auto [Estimate, I] : Order) {
    if (!spend())
      break;
    RaisedSum Sum = best(Rewrites[I].Rest);
    if (addTerm(Sum, Rewrites[I].Piece))
      Consider(Sum);
  }
  return Result;
}

//===----------------------------------------------------------------------===//
// Large groups
//===----------------------------------------------------------------------===//

namespace {
/// The terms of a large form that are not written yet.
class TermPool {
public:
  explicit TermPool(IndexExpr E) : Terms(E.terms()), Constant(E.constant()) {
    for (const IndexTerm &T : Terms)
      Left[T.Atom] = T.Coefficient;
  }

  bool contains(const IndexAtom *Atom) const { return Left.contains(Atom); }
  int64_t coefficientOf(const IndexAtom *Atom) const {
    return Left.lookup(Atom);
  }
  /// Takes out all terms of \p E if each is there with just this coefficient.
  bool take(IndexExpr E) {
    bool All = all_of(E.terms(), [&](const IndexTerm &T) {
      return Left.lookup(T.Atom) == T.Coefficient;
    });
    int64_t Rest;
    if (!All || SubOverflow(Constant, E.constant(), Rest) ||
        Rest == std::numeric_limits<int64_t>::min())
      return false;
    Constant = Rest;
    for (const IndexTerm &T : E.terms())
      Left.erase(T.Atom);
    return true;
  }
  IndexExpr rest(IndexContext &Context) const {
    SmallVector<IndexTerm, 16> Rest;
    copy_if(Terms, std::back_inserter(Rest),
            [&](const IndexTerm &T) { return contains(T.Atom); });
    return Context.linear(Rest, Constant);
  }

private:
  ArrayRef<IndexTerm> Terms;
  DenseMap<const IndexAtom *, int64_t> Left;
  int64_t Constant;
};
} // namespace

RaisedSum Raiser::greedy(IndexExpr E) {
  RaisedSum Result;
  auto AddDigit = [&](const IndexDigit &Digit, unsigned Key) {
    SyntaxOp Op = Digit.Truncating ? SyntaxOp::TruncMod : SyntaxOp::FloorMod;
    SymbolId Id =
        symbolOf(Op, Digit.Dividend, Context.constant(Digit.Radix), Key);
    return addTerm(Result, {Digit.Scale, {Id}, Key});
  };
  // 1. Remainders of which every term is there.
  TermPool Pool(E);
  for (const IndexTerm &T : E.terms()) {
    if (!T.Atom->isConstantDivision() || !Pool.contains(T.Atom))
      continue;
    IndexExpr M = T.Atom->operand();
    int64_t D = T.Atom->constantDivisor(), Scale = -(T.Coefficient / D), First;
    if (M.isConstant() || T.Coefficient % D != 0 ||
        MulOverflow(M.terms()[0].Coefficient, Scale, First) ||
        Pool.coefficientOf(M.terms()[0].Atom) != First)
      continue;
    IndexExpr Digit = Context.add(Context.scale(M, Scale), Context.atom(T.Atom),
                                  T.Coefficient);
    if (Digit && Pool.take(Digit) &&
        !AddDigit({M, D, Scale, {}, T.Atom->isTruncDiv()}, T.Atom->id()))
      return plain(E);
  }
  // 2. What is cheaper together with the few terms it is made of.
  bool IsLarge = E.terms().size() > MaxSearchedTerms;
  for (const IndexTerm &T : E.terms()) {
    if (!IsLarge || !Pool.contains(T.Atom) || !T.Atom->operand())
      continue;
    SmallVector<IndexTerm, MaxSearchedTerms> Window = {T};
    for (const IndexTerm &U : T.Atom->operand().terms())
      if (Window.size() < MaxSearchedTerms && Pool.contains(U.Atom))
        Window.push_back({U.Atom, Pool.coefficientOf(U.Atom)});
    IndexExpr Part = Context.linear(Window, 0);
    if (Window.size() == 1 || !Part)
      continue;
    RaisedSum Sum = best(Part);
    if (!(render(Sum).Cost < render(plain(Part)).Cost) || !Pool.take(Part))
      continue;
    if (!append(Result, Sum))
      return plain(E);
  }
  // 3. Digits of quotients. What they leave may be there already.
  RaisedSum Plain = plain(E);
  IndexExpr Rest = Pool.rest(Context);
  bool Overflows = false;
  if (Rest.terms().size() > MaxDigitTerms) {
    Overflows = !append(Result, plain(Rest));
  } else {
    while (std::optional<IndexDigit> Digit = bestDigit(Context, Rest)) {
      Overflows |= !AddDigit(*Digit, Digit->Dividend.terms()[0].Atom->id());
      Rest = Digit->Rest;
    }
    RaisedSum Others = plain(Rest);
    for (const RaisedTerm &Term : Others.Terms)
      Overflows |= !addTerm(Result, Term);
    Overflows |= !addTerm(Result, {Others.Constant, {}, 0});
  }
  bool IsCheaper = !Overflows && render(Result).Cost < render(Plain).Cost;
  return IsCheaper ? Result : Plain;
}

} // namespace unravel
