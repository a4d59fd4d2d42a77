//===- WordNumbers.cpp - The numbers that words stand for -----------------===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A number has many forms: x, or the signed reading of the word x, or what is
// left of a sum that may wrap. Proofs are short if one variable stands for all
// of them. What is found to be equal here was proved to be.
//
//===----------------------------------------------------------------------===//

#include "transforms/certify/WordEncoder.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace unravel {

//===----------------------------------------------------------------------===//
// Names
//===----------------------------------------------------------------------===//

/// Factors of a term, in terms of what its numbers were computed from.
static constexpr size_t MaxTracedDegree = 8;

/// \p P modulo 2^Width, in terms of what its numbers were computed from.
Polynomial WordEncoder::traced(const Polynomial &P, unsigned Width) const {
  DynamicAPInt Period = powerOfTwo(Width);
  // What else is in the monomial is an integer, and so a multiple of 2^w times
  // it is one of 2^w.
  auto IsTraceable = [&](unsigned V, const DynamicAPInt &Factor,
                         size_t Degree) {
    auto It = Origins.find(V);
    if (It == Origins.end() || Factor % It->second.Step != 0 ||
        It->second.Start.degree() + Degree - 1 > MaxTracedDegree)
      return false;
    const Origin &From = It->second;
    return !From.Width ||
           Factor / From.Step * powerOfTwo(*From.Width) % Period == 0;
  };
  Polynomial Sum;
  bool Changed = false;
  for (const auto &[M, Factor] : P.terms()) {
    const unsigned *V = find_if(
        M, [&](unsigned V) { return IsTraceable(V, Factor, M.size()); });
    if (V == M.end()) {
      Sum = Sum + Polynomial::monomial(M) * mod(Factor, Period);
      continue;
    }
    const Origin &From = Origins.find(*V)->second;
    Monomial Others(M);
    Others.erase(Others.begin() + (V - M.begin()));
    Sum = Sum + (From.Start - Polynomial(From.Rest)) *
                    Polynomial::monomial(Others) * (Factor / From.Step);
    Changed = true;
  }
  Sum = Sum.mapped(
      [&](const Monomial &, const DynamicAPInt &F) { return mod(F, Period); });
  return Changed ? traced(Sum, Width) : Sum;
}

void WordEncoder::assumeZero(const Polynomial &P) {
  C.assume(P);
  C.assume(-P);
}

/// \p Number is in the range of the reading. Two such numbers that are equal
/// modulo 2^w are equal: whichever came first stands for both.
Polynomial WordEncoder::settled(const Polynomial &Number, unsigned Width,
                                bool IsSigned) {
  if (C.isDoubtful())
    return Number;
  Polynomial Trace = traced(Number, Width);
  auto [It, IsNew] = Settled.try_emplace({Trace, Width, IsSigned}, Number);
  auto IsNow = [&](const Polynomial &Known) {
    if (Known != Number)
      assumeZero(Number - Known);
    return It->second = Known;
  };
  if (!IsNew)
    return IsNow(It->second);
  Polynomial Low(lowest(Width, IsSigned)), High(highest(Width, IsSigned));
  auto Twin = Settled.find({Trace, Width, !IsSigned});
  if (Twin != Settled.end() &&
      C.Proofs.rangeOf(IsSigned ? Number : Twin->second).Low >= 0) {
    // Not negative, so that it is the same in both readings.
    C.assume(Twin->second - Low);
    C.assume(High - Twin->second);
    return IsNow(Twin->second);
  }
  IntegerRange Range = C.Proofs.rangeOf(Number);
  if (Range.Low >= Low.constant() && Range.High <= High.constant())
    return Number;
  if (Number.terms().size() == 1 && Number.degree() == 1) {
    // A variable that has less values than it seemed.
    C.assume(Number - Low);
    C.assume(High - Number);
    return Number;
  }
  // A variable of its own, where its parts do not show how small it is. (Of
  // digits, the parts say more.)
  bool HasDigits = any_of(Number.terms(), [&](const Polynomial::Term &T) {
    return any_of(T.first, [&](unsigned V) { return Ratios.count(V); });
  });
  if (!HasDigits)
    It->second =
        named(Number, Width, IsSigned, DynamicAPInt(0), DynamicAPInt(0));
  return It->second;
}

Polynomial WordEncoder::numberOf(const Word &W, bool IsSigned) {
  const std::optional<Polynomial> &Known = IsSigned ? W.Signed : W.Unsigned;
  if (Known)
    return *Known;
  Polynomial Number = findNumber(W, IsSigned);
  if (C.isDoubtful())
    Numbers.erase({W.Bits, W.Width, IsSigned});
  return Number;
}

/// \p P modulo 2^Width, with the least coefficients.
Polynomial WordEncoder::balanced(const Polynomial &P, unsigned Width) {
  DynamicAPInt Period = powerOfTwo(Width), Half = powerOfTwo(Width - 1);
  return P.mapped([&](const Monomial &, const DynamicAPInt &F) {
    DynamicAPInt Rest = mod(F, Period);
    return Rest >= Half ? Rest - Period : Rest;
  });
}

/// Whether it follows easily that \p P is between these.
bool WordEncoder::isInRange(const Polynomial &P, const DynamicAPInt &Low,
                            const DynamicAPInt &High) {
  IntegerRange Range = C.Proofs.rangeOf(P);
  return (Range.Low >= Low ||
          C.Proofs.proves(P - Polynomial(Low), SplitsForRange)) &&
         (Range.High <= High ||
          C.Proofs.proves(Polynomial(High) - P, SplitsForRange));
}

/// The number that \p W is. The cheap ways to know it come first.
Polynomial WordEncoder::findNumber(const Word &W, bool IsSigned) {
  DynamicAPInt Low = lowest(W.Width, IsSigned),
               High = highest(W.Width, IsSigned);
  auto [It, IsNew] =
      Numbers.try_emplace({W.Bits, W.Width, IsSigned}, Polynomial());
  if (!IsNew)
    return It->second;
  // From the other reading, if that is known: they differ by 2^w at most.
  std::optional<Polynomial> Other = IsSigned ? W.Unsigned : W.Signed;
  if (auto Known = Numbers.find({W.Bits, W.Width, !IsSigned});
      !Other && Known != Numbers.end())
    Other = Known->second;
  const Polynomial &Start = Other ? *Other : W.Bits;
  Polynomial Trace = traced(Start, W.Width);
  if (auto Same = Settled.find({Trace, W.Width, IsSigned});
      Same != Settled.end())
    return It->second = Same->second;
  // What it was computed from may be in range where its names do not show that.
  if (Polynomial Source = balanced(Trace, W.Width);
      Source != Start && isInRange(Source, Low, High))
    return It->second = settled(Source, W.Width, IsSigned);
  IntegerRange Range = C.Proofs.rangeOf(Start);
  DynamicAPInt Period = powerOfTwo(W.Width);
  DynamicAPInt Least = floorDiv(Range.Low - Low, Period),
               Most = floorDiv(Range.High - Low, Period);
  // Which multiple of the period has to be subtracted?
  if (Other) {
    Least = std::max(Least, DynamicAPInt(IsSigned ? 0 : -1));
    Most = std::min(Most, DynamicAPInt(IsSigned ? 1 : 0));
  }
  if (Least < 0 && C.Proofs.proves(Start - Polynomial(Low), SplitsForRange))
    Least = 0;
  if (Most > 0 && (isInProduct(Start, High) ||
                   C.Proofs.proves(Polynomial(High) - Start, SplitsForRange)))
    Most = 0;
  // The parts of a sum often say less than the facts about it.
  if (Least < -1 &&
      C.Proofs.proves(Start - Polynomial(Low - Period), SplitsForRange))
    Least = -1;
  if (Most > 1 &&
      C.Proofs.proves(Polynomial(High + Period) - Start, SplitsForRange))
    Most = 1;
  if (Least >= Most)
    return It->second =
               settled(Start - Polynomial(Least * Period), W.Width, IsSigned);
  return It->second = settled(named(Start, W.Width, IsSigned, Least, Most),
                              W.Width, IsSigned);
}

/// A variable for the number that \p Start is, up to a multiple of 2^w between
/// these: Start = n + m * 2^w. What the coefficients have in common with 2^w, n
/// has as well, up to the constant: n = step * v + rest.
Polynomial WordEncoder::named(const Polynomial &Start, unsigned Width,
                              bool IsSigned, const DynamicAPInt &Least,
                              const DynamicAPInt &Most) {
  DynamicAPInt Low = lowest(Width, IsSigned), High = highest(Width, IsSigned);
  DynamicAPInt Period = powerOfTwo(Width), Step(1);
  while (Step < Period && Start.gcdOfCoefficients() % (Step * 2) == 0)
    Step = Step * 2;
  DynamicAPInt Rest = mod(Start.constant(), Step);
  Origin From{Start, Step, Rest, std::nullopt};
  Polynomial Above = Start - Polynomial(Rest);
  if (Least < Most) {
    From.Width = Width;
    unsigned M = C.Proofs.addQuotient(Start - Polynomial(Low),
                                      Polynomial(Period), Least, Most);
    Above = Above - Polynomial::variable(M) * Period;
  } else {
    Above = Above - Polynomial(Least * Period);
    From.Start = From.Start - Polynomial(Least * Period);
  }
  unsigned Variable =
      C.Proofs.addQuotient(Above, Polynomial(Step), ceilDiv(Low - Rest, Step),
                           floorDiv(High - Rest, Step));
  Polynomial Number = Polynomial::variable(Variable) * Step + Polynomial(Rest);
  Polynomial Zero = Above + Polynomial(Rest) - Number;
  assumeZero(Zero);
  if (C.isDoubtful())
    return Number;
  Origins.try_emplace(Variable, From);
  // In front of the variable is that of the multiple.
  if (Multiple M{Variable - 1, Variable}; Least < Most && !fix(M))
    Multiples.push_back(M);
  return Number;
}

/// If there is only one multiple: the number is equal to what it comes from,
/// not only modulo 2^w.
bool WordEncoder::fix(const Multiple &M) {
  if (C.isDoubtful() || !C.Proofs.fix(M.Variable, SplitsForRange))
    return false;
  Origin &From = Origins.find(M.Number)->second;
  From.Start =
      From.Start -
      Polynomial(C.Proofs.rangeOf(Polynomial::variable(M.Variable)).Low *
                 powerOfTwo(*From.Width));
  From.Width = std::nullopt;
  return true;
}

void WordEncoder::fixMultiples() {
  erase_if(Multiples, [&](const Multiple &M) { return fix(M); });
}

/// \p P without variables that are names of something else, or of products.
Polynomial WordEncoder::unnamed(const Polynomial &P, bool ProductsOnly) const {
  Polynomial Sum;
  for (const auto &[M, Factor] : P.terms()) {
    Polynomial Term(Factor);
    for (unsigned V : M) {
      auto It = Origins.find(V);
      bool IsName = It != Origins.end() && !It->second.Width &&
                    It->second.Step == 1 && It->second.Rest == 0 &&
                    (!ProductsOnly || It->second.Start.terms().size() == 1);
      Term = Term * (IsName ? unnamed(It->second.Start, ProductsOnly)
                            : Polynomial::variable(V));
    }
    Sum = Sum + Term;
  }
  return Sum;
}

/// The plainest polynomial that is known to equal \p W modulo 2^w.
Polynomial WordEncoder::bitsOf(const Word &W) const {
  if (W.Signed)
    return *W.Signed;
  if (W.Unsigned)
    return *W.Unsigned;
  for (bool IsSigned : {true, false})
    if (auto It = Numbers.find({W.Bits, W.Width, IsSigned});
        It != Numbers.end())
      return It->second;
  return W.Bits;
}

} // namespace unravel
