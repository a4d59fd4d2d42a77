//===- WarpSymbols.cpp - What is not known, in residue classes ------------===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "analysis/warps/WarpSymbols.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

using namespace llvm;

namespace unravel {

unsigned WarpSymbols::symbolOf(Key Key, function_ref<Symbol()> Properties) {
  auto It = Numbers.find(Key);
  if (It != Numbers.end())
    return It->second;
  Symbols.push_back(Properties());
  return Numbers[Key] = Symbols.size() - 1;
}

unsigned WarpSymbols::productOf(unsigned A, unsigned B) {
  if (A > B)
    std::swap(A, B);
  auto [It, IsNew] = Products.try_emplace({A, B}, Symbols.size());
  if (!IsNew)
    return It->second;
  Symbol Product;
  Product.Name = Symbols[A].Name + " * " + Symbols[B].Name;
  Symbols.push_back(std::move(Product));
  return It->second;
}

/// (s - Residue) / Scale.
static Interval valuesOf(const WarpSymbols::Symbol &S) {
  return (S.Range - Interval::point(S.Residue)).divideInwards(S.Scale);
}

std::optional<WarpForm> WarpSymbols::formOf(unsigned S) const {
  const Symbol &Of = Symbols[S];
  int64_t Coefficient, Constant;
  if (Of.IsEnumerated) {
    int64_t First = valuesOf(Of).lo();
    if (AddOverflow(First, Of.Chosen, Constant) ||
        MulOverflow(Of.Scale, Constant, Constant) ||
        AddOverflow(Constant, Of.Residue, Constant))
      return std::nullopt;
    return WarpForm::constant(Constant);
  }
  if (MulOverflow(Of.Scale, Of.Split, Coefficient) ||
      MulOverflow(Of.Scale, Of.Chosen, Constant) ||
      AddOverflow(Constant, Of.Residue, Constant))
    return std::nullopt;
  return add(WarpForm::symbol(S, Coefficient), WarpForm::constant(Constant));
}

Interval WarpSymbols::rangeOf(unsigned S) const {
  const Symbol &Of = Symbols[S];
  return (valuesOf(Of) - Interval::point(Of.Chosen)).divideInwards(Of.Split);
}

bool WarpSymbols::choiceOf(const void *Condition) {
  for (const Choice &C : Choices)
    if (C.Condition == Condition)
      return C.Chosen;
  Choices.push_back({Condition, true});
  NeedsRestart = true;
  HasTooMany |= countClasses() > MaxClasses;
  return true;
}

void WarpSymbols::split(unsigned S, int64_t Factor) {
  NeedsRestart = true;
  if (MulOverflow(Symbols[S].Split, Factor, Symbols[S].Split)) {
    Symbols[S].Split = 1;
    HasTooMany = true;
  }
  Interval Values = valuesOf(Symbols[S]);
  std::optional<uint64_t> Count =
      Values.isBounded() && !Values.isEmpty() ? Values.size() : std::nullopt;
  if (Count && *Count <= uint64_t(Symbols[S].Split)) {
    Symbols[S].Split = *Count;
    Symbols[S].IsEnumerated = true;
  }
  HasTooMany |= countClasses() > MaxClasses;
}

bool WarpSymbols::enumerate(unsigned S) {
  std::optional<uint64_t> Count = rangeOf(S).size();
  int64_t Classes;
  if (!Count || *Count == 0 || *Count > MaxValues ||
      MulOverflow<int64_t>(countClasses(), *Count, Classes) ||
      Classes > MaxClasses)
    return false;
  split(S, *Count);
  return true;
}

bool WarpSymbols::isAnyEnumerated() const {
  return any_of(Symbols, [](const Symbol &S) { return S.IsEnumerated; });
}

int64_t WarpSymbols::countClasses() const {
  int64_t Count = 1;
  for (const Symbol &S : Symbols)
    if (MulOverflow(Count, S.Split, Count))
      return INT64_MAX;
  for (size_t I = 0; I < Choices.size(); ++I)
    if (MulOverflow<int64_t>(Count, 2, Count))
      return INT64_MAX;
  return Count;
}

void WarpSymbols::restart() {
  NeedsRestart = false;
  for (Symbol &S : Symbols)
    S.Chosen = 0;
  for (Choice &C : Choices)
    C.Chosen = true;
}

bool WarpSymbols::next() {
  for (Symbol &S : Symbols) {
    if (++S.Chosen < S.Split)
      return true;
    S.Chosen = 0;
  }
  for (Choice &C : Choices) {
    C.Chosen = !C.Chosen;
    if (!C.Chosen)
      return true;
  }
  return false;
}

} // namespace unravel
