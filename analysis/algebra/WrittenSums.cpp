//===- WrittenSums.cpp - Forms as the program writes them -----------------===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "analysis/algebra/WrittenSums.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

using namespace llvm;

namespace unravel {

/// Longer sums are taken as they are: no index has as many digits.
static constexpr size_t MaxSummands = 16;

//===----------------------------------------------------------------------===//
// Ranges, quotients, remainders
//===----------------------------------------------------------------------===//

/// The form of E's terms. (-2^63 has no negative.)
IndexExpr WrittenSums::withoutConstant(IndexExpr E) const {
  if (!E || E.constant() == Interval::MinusInfinity)
    return {};
  return Context.add(E, -E.constant());
}

void WrittenSums::noteRange(IndexExpr E, const Interval &Range) {
  IndexExpr Form = withoutConstant(E);
  // What is known of one atom, the domain knows.
  if (!Form || Form.terms().size() < 2 || Range.isEmpty())
    return;
  Interval OfForm = Range - Interval::point(E.constant());
  auto [It, IsNew] = Ranges.try_emplace(Form, OfForm);
  if (Interval Both = It->second.intersect(OfForm); !IsNew && !Both.isEmpty())
    It->second = Both;
}

Interval WrittenSums::rangeOf(IndexExpr E) const {
  Interval Range = Domain.range(E);
  auto It = Ranges.find(withoutConstant(E));
  if (It == Ranges.end())
    return Range;
  Interval Both = Range.intersect(It->second + Interval::point(E.constant()));
  // Where facts contradict each other, any range will do.
  return Both.isEmpty() ? Range : Both;
}

void WrittenSums::noteQuotient(IndexExpr E, IndexExpr Dividend,
                               int64_t Divisor) {
  if (!E || E.isConstant() || E == Dividend || Divisor <= 1)
    return;
  noteRange(E, rangeOf(Dividend).floorDivBy(Divisor));
  Quotients.try_emplace(E, Quotient{Dividend, Divisor});
}

std::optional<WrittenSums::Quotient>
WrittenSums::quotientOf(IndexExpr E) const {
  if (auto It = Quotients.find(E); It != Quotients.end())
    return It->second;
  if (const IndexAtom *A = E.asAtom(); A && A->isConstantFloorDiv())
    return Quotient{A->operand(), A->constantDivisor()};
  return std::nullopt;
}

void WrittenSums::noteRemainder(IndexExpr E, IndexExpr Dividend,
                                int64_t Divisor, IndexExpr Quotient) {
  noteRange(E, Interval(0, Divisor - 1));
  if (IndexExpr Form = withoutConstant(E); Form && Form.terms().size() > 1)
    Remainders.try_emplace(Form, Remainder{Dividend, Divisor, Quotient});
}

//===----------------------------------------------------------------------===//
// Sums
//===----------------------------------------------------------------------===//

const WrittenSum *WrittenSums::sumOf(IndexExpr E) const {
  auto It = Sums.find(withoutConstant(E));
  return It == Sums.end() ? nullptr : &It->second;
}

/// Sets the summands of \p Sum to \p Summands, multiples multiplied out and
/// each form once, and its constant so that its value stays the same. False if
/// they are something else, or too many.
bool WrittenSums::replace(WrittenSum &Sum, ArrayRef<Summand> Summands,
                          Digits Of) {
  IndexExpr Rest = Context.constant(Sum.Constant);
  for (const Summand &S : Sum.Summands)
    Rest = Context.add(Rest, S.Form, S.Factor);
  WrittenSum New;
  for (Summand S : Summands) {
    if (!S.Form || S.Form.isConstant())
      continue;
    int64_t Inner = 1;
    if (const WrittenSum *Multiple = sumOf(S.Form);
        Multiple && Multiple->Summands.size() == 1) {
      S.Form = Multiple->Summands[0].Form;
      Inner = Multiple->Summands[0].Factor;
    } else if (S.Form.terms().size() == 1) {
      Inner = S.Form.terms()[0].Coefficient;
      S.Form = Context.atom(S.Form.terms()[0].Atom);
    }
    if (MulOverflow(S.Factor, Inner, S.Factor))
      return false;
    auto *Same = find_if(New.Summands,
                         [&](const Summand &T) { return T.Form == S.Form; });
    if (Same == New.Summands.end())
      New.Summands.push_back(S);
    else if (AddOverflow(Same->Factor, S.Factor, Same->Factor))
      return false;
  }
  if (Of == Digits::Split)
    splitDigits(New);
  erase_if(New.Summands, [](const Summand &S) { return S.Factor == 0; });
  for (const Summand &S : New.Summands)
    Rest = Context.add(Rest, S.Form, -S.Factor);
  if (!Rest || !Rest.isConstant() || New.Summands.size() > MaxSummands)
    return false;
  New.Constant = Rest.constant();
  Sum = std::move(New);
  return true;
}

/// InstCombine makes 12*(y mod 5) + floor(y/5) a 12*y - 59*floor(y/5). Where a
/// sum has y, or a quotient of it, and a coarser one, the digit between them
/// comes back: c*y = c*(y mod n) + c*n*floor(y/n).
void WrittenSums::splitDigits(WrittenSum &Sum) {
  struct Member {
    IndexExpr Base, Form; ///< Form is floor(Base / Divisor)
    int64_t Divisor;
    size_t Index;
  };
  SmallVector<Member, 8> Members;
  for (auto [I, S] : enumerate(Sum.Summands))
    if (std::optional<Quotient> Q = quotientOf(S.Form))
      Members.push_back({Q->Dividend, S.Form, Q->Divisor, I});
  const size_t NumQuotients = Members.size();
  for (auto [I, S] : enumerate(Sum.Summands))
    if (any_of(ArrayRef(Members).take_front(NumQuotients),
               [F = S.Form](const Member &M) { return M.Base == F; }))
      Members.push_back({S.Form, S.Form, 1, I});
  stable_sort(Members, [](const Member &A, const Member &B) {
    return A.Divisor < B.Divisor;
  });
  for (auto [I, P] : enumerate(Members)) {
    auto *Coarser = find_if(drop_begin(Members, I + 1), [&](const Member &Q) {
      return Q.Base == P.Base && Q.Divisor > P.Divisor &&
             Q.Divisor % P.Divisor == 0;
    });
    if (Coarser == Members.end())
      continue;
    Summand &Fine = Sum.Summands[P.Index];
    Summand &Coarse = Sum.Summands[Coarser->Index];
    // (A summand that has two bases may be a digit of the other one by now.)
    int64_t Radix = Coarser->Divisor / P.Divisor, Whole, Factor;
    if (Fine.Form != P.Form || Coarse.Form != Coarser->Form ||
        MulOverflow(Fine.Factor, Radix, Whole) ||
        AddOverflow(Coarse.Factor, Whole, Factor))
      continue;
    IndexExpr Digit = Context.add(Fine.Form, Coarse.Form, -Radix);
    if (!Digit)
      continue;
    noteRemainder(Digit, Fine.Form, Radix, Coarse.Form);
    Fine.Form = Digit;
    Coarse.Factor = Factor;
  }
}

void WrittenSums::noteSum(IndexExpr E, ArrayRef<Summand> Summands) {
  IndexExpr Form = withoutConstant(E);
  if (!Form || Form.terms().size() < 2 || Sums.contains(Form))
    return;
  WrittenSum Sum{{{Form, 1}}, 0};
  if (!replace(Sum, Summands, Digits::Split))
    return;
  Interval Range = Interval::point(Sum.Constant);
  for (const Summand &S : Sum.Summands)
    Range = Range + rangeOf(S.Form) * S.Factor;
  noteRange(Form, Range);
  if (Sum.Summands.empty())
    return;
  // Atoms are what the form itself says, and so is one form and a constant.
  if ((Sum.Summands.size() > 1 || Sum.Summands[0].Factor != 1) &&
      any_of(Sum.Summands,
             [](const Summand &S) { return S.Form.terms().size() > 1; }))
    Sums.try_emplace(Form, std::move(Sum));
}

bool WrittenSums::expandSums(WrittenSum &Sum) {
  bool Changed = false;
  SmallVector<Summand, 8> Summands;
  for (const Summand &S : Sum.Summands) {
    const WrittenSum *Inner = sumOf(S.Form);
    if (!Inner) {
      Summands.push_back(S);
      continue;
    }
    Changed = true;
    for (const Summand &T : Inner->Summands) {
      int64_t Factor;
      if (MulOverflow(S.Factor, T.Factor, Factor))
        return false;
      Summands.push_back({T.Form, Factor});
    }
  }
  return Changed && replace(Sum, Summands, Digits::Split);
}

bool WrittenSums::expandRemainders(WrittenSum &Sum, int64_t G) {
  bool Changed = false;
  SmallVector<Summand, 8> Summands;
  for (const Summand &S : Sum.Summands) {
    auto It = Remainders.find(withoutConstant(S.Form));
    int64_t Product;
    if (It == Remainders.end() || S.Factor % G == 0 ||
        MulOverflow(S.Factor, -It->second.Divisor, Product) ||
        Product % G != 0) {
      Summands.push_back(S);
      continue;
    }
    Changed = true;
    Summands.push_back({It->second.Dividend, S.Factor});
    Summands.push_back({It->second.Quotient, Product});
  }
  return Changed && replace(Sum, Summands, Digits::Keep);
}

} // namespace unravel
