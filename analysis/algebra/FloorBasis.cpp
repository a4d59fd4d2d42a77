//===- FloorBasis.cpp - Division, min and max on index forms --------------===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// buildFloor reads top down as the list of rules. Throughout, F is the
// dividend, D > 1 the divisor, and "one period" means that floor(X/D) has the
// same value for every X in a range.
//
//===----------------------------------------------------------------------===//

#include "analysis/algebra/FloorBasis.h"
#include "analysis/algebra/IndexDigits.h"
#include "analysis/algebra/WholeXor.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/MathExtras.h"
#include <algorithm>
#include <numeric>

using namespace llvm;

namespace unravel {

//===----------------------------------------------------------------------===//
// Rule: split off the multiples of the divisor
//===----------------------------------------------------------------------===//

namespace {
/// F = D * Out + Rest.
struct Split {
  IndexExpr Out, Rest;
};
/// Which of the coefficients congruent modulo D stays in the rest.
enum class Residue { Least, Symmetric, KeepSign };
} // namespace

static Split splitMultiples(IndexContext &Context, IndexExpr F, int64_t D,
                            Residue Choice) {
  SmallVector<IndexTerm, 8> Out, Rest;
  for (const IndexTerm &T : F.terms()) {
    int64_t Q = floorDiv(T.Coefficient, D), R = floorMod(T.Coefficient, D);
    // R > D - R, and not 2 * R > D, which might overflow.
    if (R != 0 && ((Choice == Residue::Symmetric && R > D - R) ||
                   (Choice == Residue::KeepSign && T.Coefficient < 0))) {
      Q += 1;
      R -= D;
    }
    if (Q != 0)
      Out.push_back({T.Atom, Q});
    if (R != 0)
      Rest.push_back({T.Atom, R});
  }
  return {Context.linear(Out, floorDiv(F.constant(), D)),
          Context.linear(Rest, floorMod(F.constant(), D))};
}

//===----------------------------------------------------------------------===//
// Rule: whole periods
//===----------------------------------------------------------------------===//

/// Let F = G*U + B with G > 0 and B in one period, j*G <= B < (j + 1)*G. Then
/// U + j <= F/G < U + j + 1, that is floor(F/G) = U + j; and for E > 0, since
/// floors nest,
///
///     floor(F / (G*E)) = floor((U + j) / E)
///
/// Returns U + j if such a j is known, else null. G is a constant or a form
/// that is not zero where the quotient has a value. Any \p U will do: B is what
/// it leaves of F. The functions below guess G and U.
IndexExpr FloorBasis::wholePeriods(IndexExpr F, IndexExpr G, IndexExpr U) {
  IndexExpr B = Context.sub(F, Context.multiply(U, G));
  std::optional<int64_t> J = B ? periodOf(B, G) : std::nullopt;
  return J ? Context.add(U, *J) : IndexExpr();
}

/// Longer dividends only try the coefficients themselves, not gcds of pairs,
/// and do not look for remainders.
static constexpr size_t MaxPairedTerms = 16;
/// Every factor is tried with every quotient here.
static constexpr size_t MaxHiddenTerms = 6;

/// The common factors of D and one or two coefficients of F, largest first.
static SmallVector<int64_t, 16> commonFactors(IndexExpr F, int64_t D) {
  SmallVector<int64_t, 16> Factors;
  auto Add = [&](int64_t A, int64_t B) {
    int64_t G = std::gcd(std::gcd(A, B), D);
    if (G > 1 && !is_contained(Factors, G))
      Factors.push_back(G);
  };
  for (const IndexTerm &T : F.terms()) {
    Add(T.Coefficient, T.Coefficient);
    if (F.terms().size() <= MaxPairedTerms)
      for (const IndexTerm &U : F.terms())
        Add(T.Coefficient, U.Coefficient);
  }
  llvm::sort(Factors, std::greater<int64_t>());
  return Factors;
}

/// Takes a divisor G of D and a U; true if the rule applies to them.
using PeriodTest = function_ref<bool(int64_t G, IndexExpr U)>;

/// G*U are the terms that G divides.
static bool guessCommonFactor(IndexContext &Context, IndexExpr F, int64_t D,
                              PeriodTest Test) {
  return any_of(commonFactors(F, D), [&](int64_t G) {
    return Test(G, Context.divideMultiples(F, G));
  });
}

/// B holds a remainder: x + 38*floor(x/38) is 76*floor(x/38) + (x mod 38). Only
/// if U is one quotient, which then flattens: in a longer dividend the
/// remainder of F would not be recognised again.
static bool guessQuotient(IndexContext &Context, IndexExpr F, int64_t D,
                          PeriodTest Test) {
  if (F.terms().size() > MaxPairedTerms)
    return false;
  for (const IndexTerm &T : F.terms())
    for (const IndexDigit &Digit : digitsOf(Context, F, T))
      for (const IndexTerm &U : Digit.Rest.terms())
        if (!Digit.Truncating && U.Coefficient > 1 && D % U.Coefficient == 0 &&
            Test(U.Coefficient, Context.atom(U.Atom)))
          return true;
  return false;
}

/// B holds a remainder whose quotient U holds as well: 440*floor(x/22) + x is
/// 22*21*floor(x/22) + (x mod 22).
static bool guessSharedQuotient(IndexContext &Context, IndexExpr F, int64_t D,
                                PeriodTest Test) {
  if (F.terms().size() > MaxHiddenTerms)
    return false;
  for (int64_t G : commonFactors(F, D))
    for (Residue Choice : {Residue::Least, Residue::Symmetric}) {
      Split S = splitMultiples(Context, F, G, Choice);
      if (!S.Out || !S.Rest || S.Rest.isConstant())
        continue;
      for (const IndexTerm &T : F.terms())
        if (T.Atom->isConstantFloorDiv() &&
            Test(G, Context.add(S.Out, Context.atom(T.Atom))))
          return true;
    }
  return false;
}

/// G is D, and F holds D*t in disguise: 2*x + 78*q + 77*t, with q and t floors
/// of x, is D*t plus digits that stay below D.
static bool guessMultiple(IndexContext &Context, IndexExpr F, int64_t D,
                          PeriodTest Test) {
  return any_of(F.terms(), [&](const IndexTerm &T) {
    int64_t Sign = T.Coefficient > 0 ? 1 : -1;
    return !T.Atom->isVariable() &&
           Test(D, Context.linear({{T.Atom, Sign}}, 0));
  });
}

//===----------------------------------------------------------------------===//
// Rule: nested floors flatten
//===----------------------------------------------------------------------===//

/// For an inner floor with coefficient 1 and any integer A,
/// floor((A + floor(M/N)) / D) = floor((N*A + M) / (N*D)),
/// and so for -1, since -floor(M/N) = floor((N - 1 - M)/N). That is done where
/// the whole has a common factor with the divisor: then the inner quotient was
/// one of the whole, and mirrored. A swizzle is best left as it is.
/// Where A holds floors itself the merge can go either way, so then it is
/// done only if fewer divisions remain.
static IndexExpr flattenDividend(IndexContext &Context, IndexExpr F, int64_t D,
                                 bool OnlyIfFewer, int64_t &NewDivisor) {
  for (const IndexTerm &T : F.terms()) {
    int64_t Sign = T.Coefficient;
    if (!T.Atom->isConstantFloorDiv() || (Sign != 1 && Sign != -1))
      continue;
    IndexExpr A = Context.add(F, Context.atom(T.Atom), -Sign);
    if (!A)
      continue;
    bool HasFloors = any_of(A.terms(), [](const IndexTerm &U) {
      return U.Atom->isConstantFloorDiv();
    });
    if (HasFloors != OnlyIfFewer)
      continue;
    int64_t N = T.Atom->constantDivisor();
    IndexExpr M = T.Atom->operand();
    if (Sign < 0)
      M = Context.add(Context.negate(M), N - 1);
    IndexExpr Whole = Context.add(M, A, N);
    if (!Whole || MulOverflow(N, D, NewDivisor))
      continue;
    if (OnlyIfFewer && countDivisions(Whole) >= countDivisions(F))
      continue;
    if (Sign < 0 && std::gcd(Whole.gcdOfCoefficients(), NewDivisor) == 1)
      continue;
    return Whole;
  }
  return {};
}

/// Whether E is floor(M/N) + k.
static bool isQuotientAndConstant(IndexExpr E) {
  return E.terms().size() == 1 && E.terms()[0].Coefficient == 1 &&
         E.terms()[0].Atom->isConstantFloorDiv();
}

//===----------------------------------------------------------------------===//
// Rule: a quotient and its mirror image are one
//===----------------------------------------------------------------------===//

/// floor(R/d) = -floor((d - 1 - R)/d). Of the two, keep the dividend with the
/// smaller coefficients: a reversed index is written over the index itself.
/// Among equals the smaller constant: the index of a thread divided by three
/// stays as it is. Returns the other dividend if it is the better one.
///
/// The constant k of R = X + k is a multiple of g already, with X = a (mod g)
/// and g | D (the lattice rule, see buildFloor). The mirror's X is g - a modulo
/// g, or 0, so the same rule would write its D - 1 - k as D - k, or as D - g -
/// k for a = 0. That is what counts: of two mirrors that both seem to have the
/// smaller constant each would be replaced by the other, without end.
static IndexExpr mirroredDividend(IndexContext &Context, IndexExpr R, int64_t D,
                                  int64_t A, int64_t G) {
  // R has least residues as coefficients; those of the mirror are D - r.
  int64_t K = floorMod(R.constant(), D);
  int64_t MirrorK = floorMod(D - (A == 0 ? G : 0) - K, D);
  bool Better = MirrorK < K, Decided = MirrorK != K;
  int64_t Balance = 0; // sum of (D - r) - r, compared with 0
  for (const IndexTerm &T : R.terms()) {
    int64_t Residue = floorMod(T.Coefficient, D);
    int64_t Difference = (D - Residue) - Residue;
    if (AddOverflow(Balance, Difference, Balance))
      return {};
    // The last resort is the first coefficient that differs.
    if (!Decided && Difference != 0) {
      Better = Difference < 0;
      Decided = true;
    }
  }
  if (Balance > 0 || (Balance == 0 && !Better))
    return {};
  return Context.add(Context.negate(R), D - 1);
}

//===----------------------------------------------------------------------===//
// Rule: a quotient that is linear on the few points there are
//===----------------------------------------------------------------------===//

/// Points that the rule enumerates at most.
static constexpr uint64_t MaxPoints = 256;
static constexpr unsigned MaxLinearTerms = 3;

/// If floor(F/D) agrees with an affine function of F's atoms on the whole box
/// of their ranges, that function; floor((a + 3)/4) = a for a in [0, 1]. The
/// atoms are taken as independent, which only makes the box larger.
static IndexExpr linearOnBox(const IndexDomain &Domain, IndexExpr F,
                             int64_t D) {
  IndexContext &Context = Domain.context();
  ArrayRef<IndexTerm> Terms = F.terms();
  if (Terms.empty() || Terms.size() > MaxLinearTerms)
    return {};
  SmallVector<Interval, MaxLinearTerms> Box;
  uint64_t Points = 1;
  int64_t Low = F.constant(); // F at the low corner
  for (const IndexTerm &T : Terms) {
    Interval R = Domain.range(Context.atom(T.Atom));
    std::optional<uint64_t> Size = R.size();
    int64_t Product;
    if (!Size || *Size > MaxPoints || (Points *= *Size) > MaxPoints ||
        MulOverflow(T.Coefficient, R.lo(), Product) ||
        AddOverflow(Low, Product, Low))
      return {};
    Box.push_back(R);
  }
  // No coefficient times at most 256 steps may overflow below.
  if (!Domain.range(F).isBounded() || !isInt<48>(Low) ||
      any_of(Terms, [](IndexTerm T) { return !isInt<48>(T.Coefficient); }))
    return {};

  // Fit: the value at the low corner and one step along each axis.
  int64_t Base = floorDiv(Low, D);
  SmallVector<int64_t, MaxLinearTerms> Slope;
  for (auto [T, R] : zip_equal(Terms, Box))
    Slope.push_back(R.isPoint() ? 0 : floorDiv(Low + T.Coefficient, D) - Base);
  // Check every point; Step counts through the box in mixed radix.
  SmallVector<int64_t, MaxLinearTerms> Step(Terms.size(), 0);
  for (uint64_t P = 0; P < Points; ++P) {
    int64_t Value = Low, Fit = Base;
    for (auto [T, S, K] : zip_equal(Terms, Slope, Step)) {
      Value += T.Coefficient * K;
      Fit += S * K;
    }
    if (floorDiv(Value, D) != Fit)
      return {};
    for (size_t I = 0; I < Step.size(); ++I) {
      if (Box[I].lo() + ++Step[I] <= Box[I].hi())
        break;
      Step[I] = 0;
    }
  }
  // Fit = Base + sum Slope_i * (t_i - lo_i).
  SmallVector<IndexTerm, MaxLinearTerms> Result;
  IndexExpr Offset = Context.constant(Base);
  for (auto [T, S, R] : zip_equal(Terms, Slope, Box)) {
    if (S != 0)
      Result.push_back({T.Atom, S});
    Offset = Context.add(Offset, Context.constant(R.lo()), -S);
  }
  return Context.add(Offset, Context.linear(Result, 0));
}

//===----------------------------------------------------------------------===//
// floor
//===----------------------------------------------------------------------===//

IndexExpr FloorBasis::floorDiv(IndexExpr E, int64_t Divisor) {
  if (!E || Divisor == 0 || Divisor == Interval::MinusInfinity)
    return {};
  if (Divisor < 0)
    return floorDiv(Context.negate(E), -Divisor);
  if (IndexExpr Quotient = quotientOfQuotient(E, Divisor))
    return Quotient;
  // While it is being built, it is null: a rule that comes back to its own
  // dividend gives up.
  auto [It, IsNew] = Floors.try_emplace({E, Divisor});
  if (!IsNew)
    return It->second;
  IndexExpr Result = buildFloor(E, Divisor);
  Floors[{E, Divisor}] = Result;
  Written.noteQuotient(Result, E, Divisor);
  return Result;
}

IndexExpr FloorBasis::quotientByMagicNumber(IndexExpr X, int64_t M, int64_t N) {
  if (M <= 0 || N <= 0)
    return {};
  Interval Range = Domain.range(X);
  int64_t Divisor = N / M + (N % M != 0 ? 1 : 0), Excess, Bound;
  if (Range.lo() < 0 || !Range.isBounded() || MulOverflow(M, Divisor, Excess) ||
      MulOverflow(Range.hi(), Excess - N, Bound) || Bound >= N)
    return {};
  return floorDiv(X, Divisor);
}

/// Finds the division in code that multiplies by a magic number.
IndexExpr FloorBasis::quotientOfProduct(IndexExpr F, int64_t D) {
  // Small powers of two are shifts of ordinary indices.
  static constexpr int64_t SmallestScale = int64_t(1) << 16;
  int64_t M = std::gcd(F.gcdOfCoefficients(), F.constant());
  if (D < SmallestScale || !isPowerOf2_64(D) || M <= 1 || M >= D)
    return {};
  return quotientByMagicNumber(Context.divideExactly(F, M), M, D);
}

IndexExpr FloorBasis::buildFloor(IndexExpr F, int64_t D) {
  if (D == 1)
    return F;
  if (std::optional<int64_t> Q = Domain.constantQuotient(F, D))
    return Context.constant(*Q);

  if (IndexExpr Quotient = quotientOfProduct(F, D))
    return Quotient;

  // F = D*Out + Rest: floor(F/D) = Out + floor(Rest/D). If a rest stays
  // inside one period the floor is gone; otherwise take the fewest terms.
  SmallVector<Split, 3> Splits;
  for (Residue Choice :
       {Residue::Least, Residue::Symmetric, Residue::KeepSign}) {
    Split S = splitMultiples(Context, F, D, Choice);
    if (!S.Out || !S.Rest)
      continue;
    if (std::optional<int64_t> Q = Domain.constantQuotient(S.Rest, D))
      return Context.add(S.Out, *Q);
    if (none_of(Splits, [&](const Split &Old) { return Old.Rest == S.Rest; }))
      Splits.push_back(S);
  }
  if (Splits.empty())
    return {};
  if (IndexExpr Quotient = quotientOfSum(F, D))
    return Quotient;
  const Split &Best = *std::min_element(
      Splits.begin(), Splits.end(), [](const Split &A, const Split &B) {
        return A.Rest.terms().size() < B.Rest.terms().size();
      });
  for (const Split &S : Splits)
    if (IndexExpr Linear = linearOnBox(Domain, S.Rest, D))
      return Context.add(S.Out, Linear);

  IndexExpr Result;
  auto ByPeriods = [&](auto Guess, const Split &S) {
    return Guess(Context, S.Rest, D, [&](int64_t G, IndexExpr U) {
      IndexExpr Whole = wholePeriods(S.Rest, Context.constant(G), U);
      Result = Context.add(S.Out, floorDiv(Whole, D / G));
      return static_cast<bool>(Whole);
    });
  };
  const Split Unsplit{Context.constant(0), F};
  // Residues may hide a digit: 10*x - 330*floor(x/33) is 10*(x mod 33), but
  // modulo 320 the difference 10*x - 10*floor(x/33).
  if (ByPeriods(guessMultiple, Best) ||
      (F != Best.Rest && ByPeriods(guessMultiple, Unsplit)))
    return Result;

  if (const IndexAtom *A = Best.Rest.asAtom(); A && A->isBitXor())
    if (IndexExpr Quotient = quotientOfXor(A, D))
      return Context.add(Best.Out, Quotient);

  // Rest = X + k with X = a (mod g) and g | D: X - a is a multiple of g, so the
  // constant only counts by how many g there are in a + k. Write it as that
  // multiple of g.
  Congruence C = Domain.congruence(Best.Rest);
  int64_t G = std::gcd(C.modulus(), D), K = Best.Rest.constant();
  int64_t A = unravel::floorMod(unravel::floorMod(C.residue(), G) - K % G, G);
  int64_t Whole = K - K % G + (A >= G - K % G ? G : 0); // no overflow: G | D
  if (Whole != K)
    return Context.add(Best.Out,
                       floorDiv(Context.add(Best.Rest, Whole - K), D));

  // Parity: floor((X + 1)/2) = X - floor(X/2), so that both halves of an
  // integer are expressed by one of them.
  // (Not for a lattice that has just lost this very constant, and not for a
  // quotient X, which flattens: floor((floor(M/N) + 1)/2) has one division.)
  if (D == 2 && Best.Rest.constant() == 1 && C.modulus() % 2 != 0 &&
      !isQuotientAndConstant(Best.Rest)) {
    IndexExpr X = Context.add(Best.Rest, -1);
    return Context.add(Best.Out, Context.sub(X, floorDiv(X, 2)));
  }

  // Reduced coefficients may hide a digit here, too: 2*floor(x/2) -
  // 16*floor(x/16) is 2*floor((x mod 16)/2), but not modulo 6.
  if ((F != Best.Rest && ByPeriods(guessCommonFactor, Unsplit)) ||
      ByPeriods(guessCommonFactor, Best))
    return Result;
  // Which residue shows the remainder depends on where it comes from.
  for (auto Guess : {guessQuotient, guessSharedQuotient})
    for (const Split &S : Splits)
      if (ByPeriods(Guess, S))
        return Result;
  int64_t NewDivisor = 0;
  for (const Split &S : Splits)
    if (IndexExpr Whole = flattenDividend(Context, S.Rest, D,
                                          /*OnlyIfFewer=*/false, NewDivisor))
      return Context.add(S.Out, floorDiv(Whole, NewDivisor));
  if (IndexExpr Whole =
          flattenDividend(Context, F, D, /*OnlyIfFewer=*/true, NewDivisor))
    return floorDiv(Whole, NewDivisor);
  if (IndexExpr Whole = flattenDividend(Context, Best.Rest, D,
                                        /*OnlyIfFewer=*/true, NewDivisor))
    return Context.add(Best.Out, floorDiv(Whole, NewDivisor));
  // floor(floor(M/N) / D) = floor(M / (N*D)) for a symbolic N, too.
  if (const IndexAtom *A = Best.Rest.asAtom();
      A && A->isFloorDiv() && A->isSymbolicDivision())
    if (IndexExpr Product = Context.scale(A->divisor(), D))
      return Context.add(Best.Out, floorDiv(A->operand(), Product));
  if (IndexExpr Mirror = mirroredDividend(Context, Best.Rest, D, A, G))
    return Context.sub(Best.Out, floorDiv(Mirror, D));
  return Context.add(Best.Out, foldPoint(Context.rawAtom(
                                   IndexAtom::Kind::FloorDiv, Best.Rest, D)));
}

/// The constant, if facts on the atom itself leave it only one value.
IndexExpr FloorBasis::foldPoint(IndexExpr E) {
  if (!E)
    return {};
  Interval R = Domain.range(E);
  return R.isPoint() ? Context.constant(R.lo()) : E;
}

IndexExpr FloorBasis::floorMod(IndexExpr E, int64_t Divisor) {
  IndexExpr Quotient = floorDiv(E, Divisor);
  if (!Quotient)
    return {};
  IndexExpr Remainder = foldPoint(Context.add(E, Quotient, -Divisor));
  if (Divisor > 0)
    Written.noteRemainder(Remainder, E, Divisor, Quotient);
  return Remainder;
}

IndexExpr FloorBasis::ceilDiv(IndexExpr E, int64_t Divisor) {
  return Context.negate(floorDiv(scale(E, -1), Divisor));
}

//===----------------------------------------------------------------------===//
// Simplifying with new facts
//===----------------------------------------------------------------------===//

IndexExpr FloorBasis::rebuild(const IndexAtom *Atom, IndexExpr Operand,
                              IndexExpr Divisor) {
  switch (Atom->kind()) {
  case IndexAtom::Kind::Variable:
  case IndexAtom::Kind::Product:
    break;
  case IndexAtom::Kind::FloorDiv:
    return floorDiv(Operand, Divisor);
  case IndexAtom::Kind::TruncDiv:
    return truncDiv(Operand, Divisor);
  case IndexAtom::Kind::NegativePart:
    return negativePart(Operand);
  case IndexAtom::Kind::NonNegative:
    return nonNegative(Operand);
  case IndexAtom::Kind::Zero:
    return zero(Operand);
  case IndexAtom::Kind::BitXor:
    return bitXor(Operand, Divisor);
  }
  llvm_unreachable("has no operand");
}

IndexExpr FloorBasis::simplifyAtom(const IndexAtom *Atom) {
  IndexExpr E = Context.atom(Atom);
  Interval R = Domain.range(E);
  if (R.isPoint())
    return Context.constant(R.lo());
  if (Atom->isVariable())
    return E;
  if (Atom->isProduct()) {
    IndexExpr Product = Context.constant(1);
    for (const IndexAtom *Factor : Atom->factors())
      Product = Context.multiply(Product, simplifyAtom(Factor));
    return Product;
  }
  if (Atom->isBitXor()) {
    // All at once: two of the operands may come apart where all do not.
    SmallVector<IndexExpr, 4> Operands = xorOperands(E);
    for (IndexExpr &Operand : Operands)
      Operand = simplify(Operand);
    return xorOf(Operands, 0);
  }
  IndexExpr Divisor = simplify(Atom->divisor());
  return rebuild(Atom, simplify(Atom->operand()), Divisor);
}

IndexExpr FloorBasis::simplify(IndexExpr E) {
  if (!E || E.isConstant())
    return E;
  auto It = Simplified.find(E);
  if (It != Simplified.end())
    return It->second;
  IndexExpr Result =
      mapTerms(E, [&](const IndexAtom *A) { return simplifyAtom(A); });
  if (Result)
    Result = joinQuotients(Result);
  Simplified[E] = Result;
  return Result;
}

void FloorBasis::forget() {
  Floors.clear();
  Truncs.clear();
  NegativeParts.clear();
  SymbolicFloors.clear();
  NonNegatives.clear();
  Xors.clear();
  Simplified.clear();
}

} // namespace unravel
