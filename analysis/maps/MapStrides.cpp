//===- MapStrides.cpp - Sums as digits with strides -----------------------===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "analysis/maps/MapStrides.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

using namespace llvm;

namespace unravel {

/// Quotients of a form of which each is compared with each.
static constexpr unsigned MaxComparedQuotients = 32;

/// Whether \p M counts through a box: each term begins where those of smaller
/// coefficients end, or behind that.
bool StrideFinder::isPositional(IndexExpr M) const {
  SmallVector<IndexTerm, 4> Terms(M.terms());
  llvm::sort(Terms, [](const IndexTerm &A, const IndexTerm &B) {
    return A.Coefficient < B.Coefficient;
  });
  Interval Below = Interval::point(0);
  for (const IndexTerm &T : Terms) {
    Interval Range = Bounds.range(Context.atom(T.Atom));
    if (T.Coefficient <= Below.hi() || Range.lo() != 0)
      return false;
    Below = Below + Range * T.Coefficient;
  }
  return true;
}

/// Y and Times for which Rest holds Times*M' and the quotients of M' = M + d*Y
/// in the place of those of M, d being the last divisor. Since floor(M' / d_i)
/// is floor(M / d_i) + (d/d_i)*Y, that is
///
///     Rest = Times*M + sum c_i*floor(M / d_i) + F*Y + other terms
///     F = Times*d + sum c_i*(d/d_i)
///
/// With F = 0, a remainder, any Y will do: one that another form has.
IndexExpr StrideFinder::wholePart(IndexExpr M, const Chain &Quotients,
                                  IndexExpr Rest, int64_t &Times) {
  const int64_t D = Quotients.back().Atom->constantDivisor();
  auto FactorOf = [&](int64_t Times) -> std::optional<int64_t> {
    int64_t F;
    if (MulOverflow(Times, D, F))
      return std::nullopt;
    for (const IndexTerm &T : Quotients) {
      int64_t Part;
      if (MulOverflow(T.Coefficient, D / T.Atom->constantDivisor(), Part) ||
          AddOverflow(F, Part, F))
        return std::nullopt;
    }
    return F;
  };
  // What is left of M's variables, if there are so many M.
  auto LeftOf = [&](int64_t Times) {
    SmallVector<IndexTerm, 4> Left;
    for (const IndexTerm &T : M.terms())
      Left.push_back({T.Atom, Rest.coefficientOf(T.Atom)});
    return Context.add(Context.linear(Left, 0), Context.add(M, -M.constant()),
                       -Times);
  };
  SmallVector<int64_t, 4> Candidates;
  for (const IndexTerm &T : M.terms())
    if (int64_t C = Rest.coefficientOf(T.Atom); C % T.Coefficient == 0)
      Candidates.push_back(C / T.Coefficient);
  const IndexExpr Zero = Context.constant(0);
  for (int64_t Candidate : Candidates) {
    IndexExpr Left = LeftOf(Candidate);
    std::optional<int64_t> F = FactorOf(Candidate);
    if (!Left || !F)
      continue;
    if (Left == Zero) {
      Times = Candidate;
      IndexExpr Other = Known.lookup({M, D});
      return *F == 0 && Other ? Other : Zero;
    }
    IndexExpr Y = *F != 0 ? Context.divideExactly(Left, *F) : IndexExpr();
    IndexExpr Whole = Y ? Context.add(M, Y, D) : IndexExpr();
    if (!Whole || isPositional(M) || !isPositional(Whole))
      continue;
    Known[{M, D}] = Y;
    Times = Candidate;
    return Y;
  }
  Times = 0;
  return Zero;
}

/// With q_0 = M, q_i = floor(M / d_i) and r_i = d_{i+1} / d_i, the digit
/// q_i - r_i*q_{i+1} is q_i mod r_i, and
///
///     sum c_i*q_i = sum s_i*(q_i mod r_i),   s_0 = c_0,
///                                            s_{i+1} = c_{i+1} + s_i*r_i
///
/// where the last quotient stays whole. Moves that from \p Rest to \p Sum.
bool StrideFinder::addNumber(IndexExpr M, const Chain &Quotients,
                             IndexExpr &Rest, StridedSum &Sum) {
  int64_t Times, D = Quotients.back().Atom->constantDivisor();
  IndexExpr Y = wholePart(M, Quotients, Rest, Times);
  // A quotient without its remainder is a digit as it is.
  if (Times == 0 && Quotients.size() == 1 && Y.isConstant(0))
    return true;
  IndexExpr Whole = Context.add(M, Y, D), Quotient = Whole;
  Rest = Context.add(Rest, Whole, -Times);
  int64_t Stride = Times, Divisor = 1;
  for (const IndexTerm &T : Quotients) {
    int64_t Next = T.Atom->constantDivisor(), Radix = Next / Divisor;
    // As written: the multiples of the divisor would move out again.
    IndexExpr Upper = Context.rawAtom(IndexAtom::Kind::FloorDiv, Whole, Next);
    IndexExpr Digit = Context.add(Quotient, Upper, -Radix);
    Rest = Context.add(Rest, Context.atom(T.Atom), -T.Coefficient);
    Rest = Context.add(Rest, Context.scale(Y, D / Next), -T.Coefficient);
    if (!Digit || !Rest)
      return false;
    if (Stride != 0)
      Sum.Digits.push_back({Stride, Digit});
    if (MulOverflow(Stride, Radix, Stride) ||
        AddOverflow(Stride, T.Coefficient, Stride))
      return false;
    Quotient = Upper;
    Divisor = Next;
  }
  if (Stride != 0)
    Sum.Digits.push_back({Stride, Quotient});
  return true;
}

/// Quotients of one number that multiples of a divisor have moved out of become
/// quotients of that number again: where d divides D, and M' = M + d*Y,
///
///     Y + floor(M / d) = floor(M' / d)
///
/// is a digit together with floor(M' / D), which says what M' is.
IndexExpr StrideFinder::withJoinedNumbers(IndexExpr E) {
  auto Join = [&](const IndexTerm &Lower, const IndexTerm &Upper) {
    if (!Lower.Atom->isConstantFloorDiv() || !Upper.Atom->isConstantFloorDiv())
      return IndexExpr();
    int64_t D = Lower.Atom->constantDivisor();
    IndexExpr M = Lower.Atom->operand(), Whole = Upper.Atom->operand();
    if (M == Whole || Upper.Atom->constantDivisor() % D != 0)
      return IndexExpr();
    IndexExpr Apart = Context.sub(Whole, M);
    IndexExpr Y = Apart ? Context.divideExactly(Apart, D) : IndexExpr();
    IndexExpr New = Y ? Context.add(E, Y, -Lower.Coefficient) : IndexExpr();
    if (New)
      New = Context.add(New, Context.atom(Lower.Atom), -Lower.Coefficient);
    if (New)
      New =
          Context.add(New, Context.rawAtom(IndexAtom::Kind::FloorDiv, Whole, D),
                      Lower.Coefficient);
    // Y has to be there already.
    if (!New || New.terms().size() >= E.terms().size())
      return IndexExpr();
    Known[{M, D}] = Y;
    return New;
  };
  auto JoinAny = [&] {
    for (const IndexTerm &Lower : E.terms())
      for (const IndexTerm &Upper : E.terms())
        if (IndexExpr New = Join(Lower, Upper))
          return New;
    return IndexExpr();
  };
  if (count_if(E.terms(), [](const IndexTerm &T) {
        return T.Atom->isConstantFloorDiv();
      }) > MaxComparedQuotients)
    return E;
  // Each makes the form shorter.
  while (IndexExpr Next = JoinAny())
    E = Next;
  return E;
}

std::optional<StridedSum> StrideFinder::stridesOf(IndexExpr E) {
  E = withJoinedNumbers(E);
  MapVector<IndexExpr, Chain> QuotientsOf;
  for (const IndexTerm &T : E.terms())
    if (T.Atom->isConstantFloorDiv())
      QuotientsOf[T.Atom->operand()].push_back(T);
  // Long numbers first: their terms may be numbers with digits themselves.
  auto Numbers = QuotientsOf.takeVector();
  llvm::stable_sort(Numbers, [](const auto &A, const auto &B) {
    return A.first.terms().size() > B.first.terms().size();
  });
  StridedSum Sum;
  IndexExpr Rest = E;
  for (auto &[Number, Quotients] : Numbers) {
    llvm::sort(Quotients, [](const IndexTerm &A, const IndexTerm &B) {
      return A.Atom->constantDivisor() < B.Atom->constantDivisor();
    });
    int64_t Last = 1;
    erase_if(Quotients, [&](const IndexTerm &T) {
      bool IsNext = T.Atom->constantDivisor() % Last == 0 &&
                    Rest.coefficientOf(T.Atom) == T.Coefficient;
      if (IsNext)
        Last = T.Atom->constantDivisor();
      return !IsNext;
    });
    if (!Quotients.empty() && !addNumber(Number, Quotients, Rest, Sum))
      return std::nullopt;
  }
  for (const IndexTerm &T : Rest.terms())
    Sum.Digits.push_back({T.Coefficient, Context.atom(T.Atom)});
  Sum.Constant = Rest.constant();
  auto SizeOf = [](const StridedDigit &D) {
    return D.Stride < 0 ? 0 - uint64_t(D.Stride) : uint64_t(D.Stride);
  };
  llvm::stable_sort(Sum.Digits,
                    [&](const StridedDigit &A, const StridedDigit &B) {
                      return SizeOf(A) > SizeOf(B);
                    });
  return Sum;
}

} // namespace unravel
