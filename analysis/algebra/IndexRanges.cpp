//===- IndexRanges.cpp - The evaluator of ranges --------------------------===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The questions of IndexDomain.h about ranges; those about congruences are in
// IndexCongruences.cpp, and what the domain was told is kept by
// IndexDomain.cpp.
//
//===----------------------------------------------------------------------===//

#include "analysis/algebra/DomainSampler.h"
#include "analysis/algebra/FormMultiple.h"
#include "analysis/algebra/IndexDigits.h"
#include "analysis/algebra/IndexDomain.h"
#include "analysis/algebra/IndexPolynomial.h"
#include "llvm/ADT/STLExtras.h"
#include <numeric>
#include <tuple>

using namespace llvm;

namespace unravel {

/// How deep the evaluator splits digits off digits. Four covers what nested
/// reshapes produce; the cost grows exponentially with it.
static constexpr unsigned MaxDigitDepth = 4;
/// Forms that one query splits at most, counting equal ones again; a kernel's
/// address needs a few hundred, most of which the domain remembers.
static constexpr unsigned MaxSplits = 1000;
/// Longer forms are not split: looking for digits takes quadratic time in the
/// number of terms, and addresses with more than four digits are rare.
static constexpr unsigned MaxSplitTerms = 12;
/// More quotients than this are not split off in every order.
static constexpr unsigned MaxQuotients = 4;
/// A form with more conditions than this is not looked at case by case.
static constexpr unsigned MaxConditions = 3;

/// Both are true, so an empty intersection means dead code; keep the range
/// non-empty then, every answer is right there.
static Interval meet(const Interval &A, const Interval &B) {
  Interval Both = A.intersect(B);
  return Both.isEmpty() ? A : Both;
}

/// One question about a range. The answer depends on the form and the facts
/// alone: a split counts whether the domain remembers its result or not, so
/// earlier questions save time and change no answer.
class RangeQuery {
public:
  explicit RangeQuery(const IndexDomain &Domain)
      : Domain(Domain), Context(Domain.context()) {}
  Interval rangeAtDepth(IndexExpr E, unsigned Depth);
  Interval naiveRange(IndexExpr E, unsigned Depth);
  /// E = factor * form + constant: all such E share the answer for the form.
  static std::pair<IndexExpr, int64_t> sharedForm(const IndexDomain &Domain,
                                                  IndexExpr E);

private:
  Interval computeRange(IndexExpr E, unsigned Depth);
  Interval atomRange(const IndexAtom *Atom, unsigned Depth);
  Interval multilinearRange(IndexExpr E, unsigned Depth);
  Interval productRange(const IndexAtom *Product, unsigned Depth);
  Interval rangeByDivisors(const IndexAtom *Product, unsigned Depth);
  int64_t boundByMultiples(const IndexAtom *Product);
  Interval remainderRange(IndexExpr Dividend, int64_t Divisor, bool Truncating,
                          unsigned Depth);
  std::optional<Interval> rangeThroughDivision(IndexExpr E, const IndexTerm &T,
                                               unsigned Depth);
  std::optional<Interval> rangeDigitByDigit(IndexExpr E, unsigned Depth);
  bool areConstrained(IndexExpr A, IndexExpr B);
  std::optional<Interval>
  rangeThroughWholeDividend(IndexExpr E, const IndexTerm &T, unsigned Depth);
  Interval rangeThroughNegativePart(IndexExpr E, const IndexTerm &T,
                                    unsigned Depth);
  Interval rangeThroughXor(IndexExpr E, const IndexTerm &T, unsigned Depth);
  std::optional<Interval>
  rangeThroughSymbolicDivision(IndexExpr E, const IndexTerm &T, unsigned Depth);
  Interval rangeThroughCondition(IndexExpr E, const IndexAtom *Condition,
                                 unsigned Depth);
  std::optional<Interval> rangeThrough(const IndexConstraint &Fact, IndexExpr E,
                                       unsigned Depth);

  const IndexDomain &Domain;
  IndexContext &Context;
  unsigned SplitsLeft = MaxSplits;
};

//===----------------------------------------------------------------------===//
// Ranges
//===----------------------------------------------------------------------===//

Interval IndexDomain::range(IndexExpr E) const {
  return RangeQuery(informed()).rangeAtDepth(E, 0);
}

bool IndexDomain::isWithin(IndexExpr E, const Interval &Bounds) const {
  RangeQuery Query(informed());
  // The naive range holds the other one, and mostly suffices.
  return Bounds.contains(Query.naiveRange(E, MaxDigitDepth)) ||
         Bounds.contains(Query.rangeAtDepth(E, 0));
}

void IndexDomain::learnRange(IndexExpr E, const Interval &Range) {
  auto [Form, Factor] = RangeQuery::sharedForm(*this, E);
  if (!Form || Range.contains(range(E)))
    return;
  Interval OfForm =
      (Range - Interval::point(E.constant())).divideInwards(Factor);
  auto [It, IsNew] = Learned.try_emplace(Form, OfForm);
  if (!IsNew)
    It->second = meet(It->second, OfForm);
  forgetAnswers();
}

std::pair<IndexExpr, int64_t> RangeQuery::sharedForm(const IndexDomain &Domain,
                                                     IndexExpr E) {
  auto [Unit, Factor] = Domain.unitOf(E);
  // (4*u) mod 12 is four times a form that has no digit.
  if (Unit && any_of(E.terms(), [Factor = Factor](const IndexTerm &T) {
        int64_t D = T.Atom->constantDivisor();
        return D != 0 && T.Coefficient % D == 0 &&
               T.Coefficient / Factor % D != 0;
      }))
    return {Domain.context().add(E, -E.constant()), 1};
  return {Unit, Factor};
}

Interval RangeQuery::rangeAtDepth(IndexExpr E, unsigned Depth) {
  const unsigned Before = SplitsLeft;
  if (Before == 0 || Depth >= MaxDigitDepth)
    return naiveRange(E, MaxDigitDepth);
  if (auto It = Domain.Ranges.find({E, Depth}); It != Domain.Ranges.end())
    // With no more left than it took, the last parts would get none.
    if (It->second.Splits < Before || Before == MaxSplits) {
      SplitsLeft -= It->second.Splits;
      return It->second.Range;
    }
  Interval R = computeRange(E, Depth);
  if (auto It = Domain.Learned.find(E); It != Domain.Learned.end())
    R = meet(R, It->second);
  // Without a split left the answer depends on how many there were; all of
  // them, if this is the whole question.
  if (SplitsLeft > 0 || Before == MaxSplits)
    Domain.Ranges[{E, Depth}] = {R, Before - SplitsLeft};
  return R;
}

Interval RangeQuery::atomRange(const IndexAtom *Atom, unsigned Depth) {
  Interval Known = Domain.boundsOf(Atom);
  if (Atom->isVariable())
    return Known;
  if (Atom->isProduct())
    return meet(productRange(Atom, Depth), Known);
  Interval Operand = rangeAtDepth(Atom->operand(), Depth);
  switch (Atom->kind()) {
  case IndexAtom::Kind::FloorDiv:
  case IndexAtom::Kind::TruncDiv: {
    auto By = [&](auto Divisor) {
      return Atom->isFloorDiv() ? Operand.floorDivBy(Divisor)
                                : Operand.truncDivBy(Divisor);
    };
    Interval Quotient = Atom->isConstantDivision()
                            ? By(Atom->constantDivisor())
                            : By(rangeAtDepth(Atom->divisor(), Depth));
    return Quotient.isEmpty() ? Known : meet(Quotient, Known);
  }
  case IndexAtom::Kind::NonNegative:
    return meet(Interval(Operand.lo() >= 0, Operand.hi() >= 0), Known);
  case IndexAtom::Kind::Zero:
    return meet(Interval(Operand == Interval::point(0), Operand.contains(0)),
                Known);
  case IndexAtom::Kind::BitXor:
    return meet(Operand.bitXor(rangeAtDepth(Atom->divisor(), Depth)), Known);
  default:
    return meet(Operand.negativePart(), Known);
  }
}

/// Equal factors are taken together, so that a square is not negative.
Interval RangeQuery::productRange(const IndexAtom *Product, unsigned Depth) {
  Interval Result = Interval::point(1);
  ArrayRef<const IndexAtom *> Factors = Product->factors();
  for (size_t I = 0; I < Factors.size();) {
    const IndexAtom *Factor = Factors[I];
    Interval R = atomRange(Factor, Depth), Power = Interval::point(1);
    unsigned Times = 0;
    for (; I < Factors.size() && Factors[I] == Factor; ++I, ++Times)
      Power = Power * R;
    if (Times % 2 == 0)
      Power = meet(Power, Interval::atLeast(0));
    Result = Result * Power;
  }
  if (Result.lo() >= 0)
    Result = meet(Result, Interval::atMost(boundByMultiples(Product)));
  return meet(Result, rangeByDivisors(Product, Depth));
}

/// From what is known of products that divide this one: P*R in range(P) times
/// range(R).
Interval RangeQuery::rangeByDivisors(const IndexAtom *Product, unsigned Depth) {
  static constexpr unsigned MaxDivisors = 16;
  Interval Result;
  unsigned Left = MaxDivisors;
  for (const IndexDomain *D = &Domain; D; D = D->Parent)
    for (const IndexAtom *Divisor : D->BoundedProducts) {
      if (Left-- == 0)
        return Result;
      std::optional<Monomial> Others =
          divide(factorsOf(Product), factorsOf(Divisor));
      if (!Others || Others->empty())
        continue;
      Interval R = Interval::point(1);
      for (const IndexAtom *Factor : Divisor->factors())
        R = R * Domain.boundsOf(Factor);
      R = meet(R, Domain.boundsOf(Divisor));
      for (const IndexAtom *Factor : *Others)
        R = R * atomRange(Factor, Depth);
      Result = meet(Result, R);
    }
  return Result;
}

/// P*R <= b with R >= 1 and P >= 0 means P <= b: an upper bound of Product,
/// which is not negative, from what is known of larger products.
int64_t RangeQuery::boundByMultiples(const IndexAtom *Product) {
  static constexpr unsigned MaxMultiples = 16;
  int64_t Bound = Interval::PlusInfinity;
  unsigned Left = MaxMultiples;
  for (const IndexDomain *D = &Domain; D && Left; D = D->Parent)
    for (const IndexAtom *Larger : D->BoundedProducts) {
      if (Left-- == 0)
        return Bound;
      std::optional<Monomial> Others =
          divide(factorsOf(Larger), factorsOf(Product));
      if (Others && all_of(*Others, [&](const IndexAtom *Factor) {
            return Domain.boundsOf(Factor).lo() >= 1;
          }))
        Bound = std::min(Bound, Domain.boundsOf(Larger).hi());
    }
  return Bound;
}

/// Interval arithmetic; forgets that x and floor(x/d) move together.
Interval RangeQuery::naiveRange(IndexExpr E, unsigned Depth) {
  bool Naive = Depth >= MaxDigitDepth;
  if (Naive)
    if (auto It = Domain.NaiveRanges.find(E); It != Domain.NaiveRanges.end())
      return It->second;
  Interval Sum = Interval::point(E.constant());
  for (const IndexTerm &T : E.terms())
    Sum = Sum + atomRange(T.Atom, Depth) * T.Coefficient;
  if (Naive)
    Domain.NaiveRanges[E] = Sum;
  return Sum;
}

/// The range of M - d*floor(M/d), or of C's remainder M - d*tdiv(M, d).
Interval RangeQuery::remainderRange(IndexExpr Dividend, int64_t Divisor,
                                    bool Truncating, unsigned Depth) {
  Interval M = rangeAtDepth(Dividend, Depth);
  if (Truncating) {
    // The remainder has the dividend's sign and is no further from 0.
    Interval Digit(-(Divisor - 1), Divisor - 1);
    return meet(Digit, M.unite(Interval::point(0)));
  }
  Interval Digit(0, Divisor - 1);
  if (M.isBounded() && floorDiv(M.lo(), Divisor) == floorDiv(M.hi(), Divisor))
    Digit = {floorMod(M.lo(), Divisor), floorMod(M.hi(), Divisor)};
  // M = r (mod m) leaves r mod gcd(m, d) in every remainder.
  Congruence C = Domain.congruence(Dividend);
  int64_t G = std::gcd(C.modulus(), Divisor);
  return meet(Digit, tighten(Digit, Congruence::of(G, C.residue())));
}

/// Whether a constraint is about variables of A and of B.
bool RangeQuery::areConstrained(IndexExpr A, IndexExpr B) {
  return Domain.anyVisibleConstraint([&](const IndexConstraint &Fact) {
    uint64_t Bits = Fact.Expr.variableBits();
    return (Bits & A.variableBits()) && (Bits & B.variableBits());
  });
}

/// E = c*floor(M/d) + c*A + Rest = c*floor((M + d*A)/d) + Rest: the dividend as
/// it was before multiples of d moved out, which a constraint may be about.
std::optional<Interval>
RangeQuery::rangeThroughWholeDividend(IndexExpr E, const IndexTerm &T,
                                      unsigned Depth) {
  int64_t D = T.Atom->constantDivisor();
  if (!T.Atom->isFloorDiv() || D == 0)
    return std::nullopt;
  SmallVector<IndexTerm, 8> A, Rest;
  for (const IndexTerm &U : E.terms())
    if (U.Atom != T.Atom && U.Coefficient % T.Coefficient == 0)
      A.push_back({U.Atom, U.Coefficient / T.Coefficient});
    else if (U.Atom != T.Atom)
      Rest.push_back(U);
  if (A.empty())
    return std::nullopt;
  IndexExpr Others = Context.linear(A, 0);
  // a & b is such a dividend: floor((a + b - (a xor b)) / 2).
  bool HasXor =
      any_of(E.terms(), [](IndexTerm T) { return T.Atom->isBitXor(); });
  if (!HasXor && !areConstrained(T.Atom->operand(), Others))
    return std::nullopt;
  IndexExpr Whole = Context.add(T.Atom->operand(), Others, D);
  if (!Whole)
    return std::nullopt;
  Interval Quotient = rangeAtDepth(Whole, Depth + 1).floorDivBy(D);
  return Quotient * T.Coefficient +
         rangeAtDepth(Context.linear(Rest, E.constant()), Depth + 1);
}

/// E = Scale * digit + Rest, for every digit that T's division produces.
std::optional<Interval> RangeQuery::rangeThroughDivision(IndexExpr E,
                                                         const IndexTerm &T,
                                                         unsigned Depth) {
  std::optional<Interval> Best;
  // Each digit is another form to split: the expensive ones only on top.
  constexpr size_t MaxTerms = 5;
  Quotients Through = Depth == 0 && E.terms().size() <= MaxTerms
                          ? Quotients::OfOneNumber
                          : Quotients::OfOneOperand;
  for (const IndexDigit &D : digitsOf(Context, E, T, Through)) {
    Interval Digit =
        remainderRange(D.Dividend, D.Radix, D.Truncating, Depth + 1);
    Interval Split = rangeAtDepth(D.Rest, Depth + 1) + Digit * D.Scale;
    Best = Best ? meet(*Best, Split) : Split;
  }
  return Best;
}

/// The digits of E that one operand has together, taken off one by one. For
/// quotients by d1 | d2 | ... the lowest come first: what is left then has
/// nothing in common with them, and the sum of their ranges is that of the sum.
std::optional<Interval> RangeQuery::rangeDigitByDigit(IndexExpr E,
                                                      unsigned Depth) {
  // Whether the rest still has the dividend, how fine that is, the radix.
  using Key = std::tuple<bool, int64_t, int64_t>;
  auto KeyOf = [](const IndexTerm &T, const IndexDigit &D) {
    const IndexAtom *Finer = D.Dividend.asAtom();
    bool IsFiner = Finer && Finer->isConstantDivision() &&
                   Finer->operand() == T.Atom->operand();
    return Key(D.Rest.coefficientOf(D.Dividend.terms().front().Atom) != 0,
               IsFiner ? Finer->constantDivisor() : 1, D.Radix);
  };
  Interval Sum = Interval::point(0);
  IndexExpr Left = E;
  while (true) {
    std::optional<IndexDigit> Lowest;
    Key Best;
    for (const IndexTerm &T : Left.terms())
      for (const IndexDigit &D : digitsOf(Context, Left, T)) {
        Key Here = KeyOf(T, D);
        if (D.Rest.terms().size() < Left.terms().size() &&
            (!Lowest || Here < Best)) {
          Lowest = D;
          Best = Here;
        }
      }
    if (!Lowest)
      break;
    Sum = Sum + remainderRange(Lowest->Dividend, Lowest->Radix,
                               Lowest->Truncating, Depth + 1) *
                    Lowest->Scale;
    Left = Lowest->Rest;
  }
  if (Left == E)
    return std::nullopt;
  return Sum + rangeAtDepth(Left, Depth + 1);
}

/// rest + s*min(L, 0) is min(rest, rest + s*L) for s > 0, max for s < 0. A
/// maximum is at least the mean of the two, which sees that max(x, -x) >= 0.
Interval RangeQuery::rangeThroughNegativePart(IndexExpr E, const IndexTerm &T,
                                              unsigned Depth) {
  IndexExpr Rest = Context.add(E, Context.atom(T.Atom), -T.Coefficient);
  IndexExpr Taken = Context.add(Rest, T.Atom->operand(), T.Coefficient);
  if (!Rest || !Taken)
    return {};
  Interval A = rangeAtDepth(Rest, Depth + 1);
  Interval B = rangeAtDepth(Taken, Depth + 1);
  Interval Mean;
  if (IndexExpr Sum = Context.add(Rest, Taken))
    Mean = rangeAtDepth(Sum, Depth + 1);
  if (T.Coefficient > 0)
    return {std::min(A.lo(), B.lo()),
            std::min({A.hi(), B.hi(), Mean.floorDivBy(2).hi()})};
  return {std::max({A.lo(), B.lo(), (-((-Mean).floorDivBy(2))).lo()}),
          std::max(A.hi(), B.hi())};
}

/// With a, b >= 0, c*(a xor b) + Rest is c*(a + b) + Rest - c*2*(a & b), and no
/// bit of a & b is missing in a or b.
Interval RangeQuery::rangeThroughXor(IndexExpr E, const IndexTerm &T,
                                     unsigned Depth) {
  IndexExpr A = T.Atom->operand(), B = T.Atom->divisor();
  Interval OfA = rangeAtDepth(A, Depth + 1), OfB = rangeAtDepth(B, Depth + 1);
  IndexExpr Sum = Context.add(E, Context.atom(T.Atom), -T.Coefficient);
  Sum = Context.add(Context.add(Sum, A, T.Coefficient), B, T.Coefficient);
  if (!Sum || !OfA.isNonNegative() || !OfB.isNonNegative())
    return {};
  Interval Common = Interval(0, std::min(OfA.hi(), OfB.hi())) * 2;
  return rangeAtDepth(Sum, Depth + 1) - Common * T.Coefficient;
}

/// A form of degree one in each of a few atoms takes its extreme values at the
/// corners of their box.
Interval RangeQuery::multilinearRange(IndexExpr E, unsigned Depth) {
  static constexpr unsigned MaxCornerAtoms = 4;
  SmallVector<const IndexAtom *, MaxCornerAtoms> Atoms;
  for (const IndexTerm &T : E.terms()) {
    ArrayRef<const IndexAtom *> Factors = factorsOf(T.Atom);
    for (size_t I = 0; I < Factors.size(); ++I) {
      if (I > 0 && Factors[I] == Factors[I - 1])
        return {};
      if (!is_contained(Atoms, Factors[I]))
        Atoms.push_back(Factors[I]);
    }
    if (Atoms.size() > MaxCornerAtoms)
      return {};
  }
  SmallVector<Interval, MaxCornerAtoms> Box;
  for (const IndexAtom *A : Atoms) {
    Box.push_back(atomRange(A, Depth));
    if (!Box.back().isBounded())
      return {};
  }
  Interval Result = Interval::empty();
  for (unsigned Corner = 0; Corner < (1u << Atoms.size()); ++Corner) {
    Interval Value = Interval::point(E.constant());
    for (const IndexTerm &T : E.terms()) {
      Interval Product = Interval::point(T.Coefficient);
      for (const IndexAtom *Factor : factorsOf(T.Atom)) {
        size_t I = find(Atoms, Factor) - Atoms.begin();
        Product = Product * ((Corner >> I) & 1 ? Box[I].hi() : Box[I].lo());
      }
      Value = Value + Product;
    }
    Result = Result.unite(Value);
  }
  return Result;
}

/// q = floor(M/D) or tdiv(M, D) with a symbolic D occurs in the term T as
/// D's leading monomial times q times a rest. With s = -(T's coefficient and
/// the rest), E = s*(M - D*q) + Rest, and the remainder M - D*q lies between
/// -|D| and |D|, on the divisor's side for floor, on the dividend's for tdiv.
std::optional<Interval>
RangeQuery::rangeThroughSymbolicDivision(IndexExpr E, const IndexTerm &T,
                                         unsigned Depth) {
  // Products make this many times as expensive as a split by a constant.
  static constexpr unsigned Price = 6;
  if (SplitsLeft <= Price) {
    SplitsLeft = 0;
    return std::nullopt;
  }
  SplitsLeft -= Price;
  std::optional<Interval> Best;
  for (const SymbolicDigit &Digit : symbolicDigitsOf(Context, E, T)) {
    Interval D = rangeAtDepth(Digit.Divisor, Depth + 1);
    if (Digit.NeedsPositiveDivisor && D.lo() < 0)
      continue;
    Interval R;
    if (Digit.Truncating) {
      // |remainder| <= |dividend|, with the dividend's sign.
      R = rangeAtDepth(Digit.Dividend, Depth + 1).unite(Interval::point(0));
    } else {
      // In [0, D-1] for D > 0, in [D+1, 0] for D < 0.
      R = {D.lo() >= 0 ? 0 : (D + Interval::point(1)).lo(),
           D.hi() <= 0 ? 0 : (D - Interval::point(1)).hi()};
    }
    Interval Split = rangeAtDepth(Digit.Rest, Depth + 1) +
                     R * rangeAtDepth(Digit.Scale, Depth + 1);
    Best = Best ? meet(*Best, Split) : Split;
  }
  return Best;
}

/// With E = A*c + B for a condition c: the values of B and of A + B.
Interval RangeQuery::rangeThroughCondition(IndexExpr E,
                                           const IndexAtom *Condition,
                                           unsigned Depth) {
  SmallVector<IndexTerm, 8> With, Without;
  for (const IndexTerm &T : E.terms()) {
    ArrayRef<const IndexAtom *> Factors = factorsOf(T.Atom);
    (is_contained(Factors, Condition) ? With : Without).push_back(T);
  }
  IndexExpr False = Context.linear(Without, E.constant());
  IndexExpr True = False;
  for (const IndexTerm &T : With) {
    IndexExpr Rest = Context.constant(1);
    for (const IndexAtom *Factor : factorsOf(T.Atom))
      if (Factor != Condition)
        Rest = Context.multiply(Rest, Context.atom(Factor));
    True = Context.add(True, Rest, T.Coefficient);
  }
  if (!True || !False)
    return {};
  return rangeAtDepth(False, Depth + 1).unite(rangeAtDepth(True, Depth + 1));
}

std::optional<Interval> RangeQuery::rangeThrough(const IndexConstraint &Fact,
                                                 IndexExpr E, unsigned Depth) {
  std::optional<FormMultiple> M = multipleIn(Context, E, Fact.Expr);
  if (!M)
    return std::nullopt;
  return Fact.Range * M->Times + rangeAtDepth(M->Rest, Depth + 1);
}

Interval RangeQuery::computeRange(IndexExpr E, unsigned Depth) {
  if (E.isConstant())
    return Interval::point(E.constant());
  if (auto [Form, Factor] = sharedForm(Domain, E); Form && Form != E)
    return rangeAtDepth(Form, Depth) * Factor + Interval::point(E.constant());
  Interval R = naiveRange(E, Depth);
  if (E.terms().size() < 2 || E.terms().size() > MaxSplitTerms ||
      SplitsLeft == 0)
    return R;
  --SplitsLeft;
  SmallVector<const IndexAtom *, 4> Conditions;
  if (any_of(E.terms(), [](IndexTerm T) { return T.Atom->isProduct(); }))
    R = meet(R, multilinearRange(E, Depth));
  // Digits in every order are too many where each has others beside it.
  std::optional<Interval> ByDigit;
  if (count_if(E.terms(), [](IndexTerm T) {
        return T.Atom->isConstantDivision();
      }) > MaxQuotients)
    ByDigit = rangeDigitByDigit(E, Depth);
  if (ByDigit)
    R = meet(R, *ByDigit);
  for (const IndexTerm &T : E.terms()) {
    if (T.Atom->isConstantDivision()) {
      if (!ByDigit)
        if (std::optional<Interval> Split = rangeThroughDivision(E, T, Depth))
          R = meet(R, *Split);
      if (std::optional<Interval> Split =
              rangeThroughWholeDividend(E, T, Depth))
        R = meet(R, *Split);
    } else if (T.Atom->isNegativePart()) {
      R = meet(R, rangeThroughNegativePart(E, T, Depth));
    } else if (T.Atom->isBitXor()) {
      R = meet(R, rangeThroughXor(E, T, Depth));
    }
    ArrayRef<const IndexAtom *> Factors = factorsOf(T.Atom);
    if (any_of(Factors, [](auto *A) { return A->isSymbolicDivision(); }))
      if (std::optional<Interval> Split =
              rangeThroughSymbolicDivision(E, T, Depth))
        R = meet(R, *Split);
    for (const IndexAtom *Factor : Factors)
      if (Factor->isCondition() && !is_contained(Conditions, Factor))
        Conditions.push_back(Factor);
  }
  if (Conditions.size() <= MaxConditions)
    for (const IndexAtom *Condition : Conditions)
      R = meet(R, rangeThroughCondition(E, Condition, Depth));
  Domain.anyVisibleConstraint([&](const IndexConstraint &Fact) {
    if (std::optional<Interval> Via = rangeThrough(Fact, E, Depth))
      R = meet(R, *Via);
    return false;
  });
  return meet(R, tighten(R, Domain.congruence(E)));
}

std::optional<int64_t> IndexDomain::constantQuotient(IndexExpr E,
                                                     int64_t Divisor) const {
  // The range of a long form takes up to MaxSplits splits, and most guesses of
  // the rules are wrong, which a few points mostly say at once.
  static constexpr unsigned FewDivisions = 3;
  if (E && countDivisions(E) > FewDivisions &&
      samplePoints().refuteConstantQuotient(E, Divisor))
    return std::nullopt;
  Interval R = range(E);
  if (!R.isBounded())
    return std::nullopt;
  int64_t Q = floorDiv(R.lo(), Divisor);
  if (Q != floorDiv(R.hi(), Divisor))
    return std::nullopt;
  return Q;
}

} // namespace unravel
