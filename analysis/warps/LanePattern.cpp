//===- LanePattern.cpp - Lanes in words -----------------------------------===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "analysis/warps/LanePattern.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Twine.h"

using namespace llvm;

namespace unravel {

static SmallVector<unsigned, LanesPerWarp>
activeOf(const LaneAddressForm &Lanes) {
  SmallVector<unsigned, LanesPerWarp> Active;
  for (unsigned L = 0; L < LanesPerWarp; ++L)
    if (Lanes.Active[L])
      Active.push_back(L);
  return Active;
}

/// The step D with Numbers[l] = Numbers[first] + D * (l - first) in the lanes
/// \p Among. Unsigned arithmetic: wrong candidates may wrap.
static std::optional<int64_t> stepOf(const LaneNumbers &Numbers,
                                     ArrayRef<unsigned> Among) {
  if (Among.size() < 2)
    return 0;
  auto At = [&](size_t I) { return uint64_t(Numbers[Among[I]]); };
  int64_t Difference = int64_t(At(1) - At(0));
  int64_t Lanes = Among[1] - Among[0];
  if (Difference % Lanes != 0)
    return std::nullopt;
  int64_t Step = Difference / Lanes;
  for (size_t I = 1; I < Among.size(); ++I)
    if (At(I) - At(0) != uint64_t(Step) * (Among[I] - Among[0]))
      return std::nullopt;
  return Step;
}

static bool haveSameTerms(const WarpForm &Form, ArrayRef<unsigned> Among) {
  return all_of(Form.Terms, [&](const WarpTerm &T) {
    return all_of(Among, [&](unsigned L) {
      return T.Coefficients[L] == T.Coefficients[Among[0]];
    });
  });
}

std::optional<int64_t> strideOf(const LaneAddressForm &Lanes) {
  SmallVector<unsigned, LanesPerWarp> Active = activeOf(Lanes);
  if (Active.empty() || !haveSameTerms(Lanes.Form, Active))
    return std::nullopt;
  return stepOf(Lanes.Form.Constants, Active);
}

/// `4 * %n`, `%n`, `-%n`; what a symbol stands for is q here.
static std::string termText(int64_t Coefficient, unsigned Symbol,
                            const WarpSymbols &Symbols) {
  const WarpSymbols::Symbol &S = Symbols[Symbol];
  // s = Scale * q + Residue: the residue is in the constant.
  int64_t Times = Coefficient / S.Scale;
  bool IsWhole = Coefficient % S.Scale == 0;
  if (!IsWhole)
    Times = Coefficient;
  if (Times == 1)
    return S.Name;
  return (Twine(Times) + " * " + S.Name).str();
}

std::string textOf(const LaneAddressForm &Lanes, const WarpSymbols &Symbols) {
  SmallVector<unsigned, LanesPerWarp> Active = activeOf(Lanes);
  if (Active.empty())
    return "";
  std::string Text;
  auto Append = [&](const Twine &Part) {
    Text += (Text.empty() ? "" : " + ") + Part.str();
  };
  int64_t Constant = 0;
  SmallVector<std::string, 2> OfLanes;
  for (const WarpTerm &T : Lanes.Form.Terms) {
    const WarpSymbols::Symbol &S = Symbols[T.Symbol];
    std::optional<int64_t> Step = stepOf(T.Coefficients, Active);
    if (S.Split != 1 || S.Residue != 0 || !Step)
      return "";
    int64_t AtZero = T.Coefficients[Active[0]] - *Step * Active[0];
    if (AtZero != 0)
      Append(termText(AtZero, T.Symbol, Symbols));
    if (*Step != 0)
      OfLanes.push_back(termText(*Step, T.Symbol, Symbols) + " * lane");
  }
  std::optional<int64_t> Step = stepOf(Lanes.Form.Constants, Active);
  if (!Step)
    return "";
  if (*Step != 0)
    Append(*Step == 1 ? Twine("lane") : Twine(*Step) + " * lane");
  for (const std::string &Part : OfLanes)
    Append(Part);
  Constant = Lanes.Form.Constants[Active[0]] - *Step * Active[0];
  if (Constant != 0 || Text.empty())
    Append(Twine(Constant));
  return Text;
}

/// Lanes with the same symbols.
static std::string patternOfNumbers(const LaneNumbers &Numbers,
                                    ArrayRef<unsigned> Among, int64_t Bytes) {
  std::string Apart =
      std::to_string(Bytes) + (Bytes == 1 ? " byte apart" : " bytes apart");
  if (std::optional<int64_t> Step = stepOf(Numbers, Among)) {
    if (*Step == 0)
      return "same address";
    if (*Step == Bytes)
      return "consecutive, " + Apart;
    if (*Step == -Bytes)
      return "consecutive backwards, " + Apart;
    return "stride " + std::to_string(*Step) + " bytes";
  }
  SmallVector<int64_t, LanesPerWarp> Sorted;
  for (unsigned L : Among)
    Sorted.push_back(Numbers[L]);
  llvm::sort(Sorted);
  Sorted.erase(llvm::unique(Sorted), Sorted.end());
  uint64_t Span = uint64_t(Sorted.back()) - uint64_t(Sorted.front()) + Bytes;
  if (Span == Sorted.size() * uint64_t(Bytes))
    return (Sorted.size() == Among.size() ? "permuted within "
                                          : "repeated within ") +
           std::to_string(Span) + " bytes";
  // Runs of equal length.
  auto IsNext = [&](size_t I) {
    return uint64_t(Numbers[Among[I]]) - uint64_t(Numbers[Among[I - 1]]) ==
           uint64_t(Bytes);
  };
  size_t Run = 1;
  while (Run < Among.size() && Among.size() % 2 == 0 && IsNext(Run))
    ++Run;
  bool AreRuns = Run > 1 && Among.size() % Run == 0;
  for (size_t I = 0; AreRuns && I < Among.size(); ++I)
    AreRuns = I % Run == 0 || IsNext(I);
  if (AreRuns)
    return "runs of " + std::to_string(Run) + " lanes within " +
           std::to_string(Span) + " bytes";
  return "irregular within " + std::to_string(Span) + " bytes";
}

std::string patternOf(const LaneAddressForm &Lanes,
                      const WarpSymbols &Symbols) {
  SmallVector<unsigned, LanesPerWarp> Active = activeOf(Lanes);
  if (Active.empty())
    return "no lane";
  if (Active.size() == 1)
    return "one lane";
  const WarpForm &Form = Lanes.Form;
  if (haveSameTerms(Form, Active))
    return patternOfNumbers(Form.Constants, Active, Lanes.Bytes);
  // A stride of run time.
  std::string Stride;
  bool IsStride = true;
  auto Append = [&](const std::string &Part) {
    Stride += (Stride.empty() ? "" : " + ") + Part;
  };
  for (const WarpTerm &T : Form.Terms) {
    std::optional<int64_t> Step = stepOf(T.Coefficients, Active);
    IsStride &= Step.has_value() && Symbols[T.Symbol].Residue == 0;
    if (IsStride && *Step != 0)
      Append(termText(*Step, T.Symbol, Symbols));
  }
  std::optional<int64_t> Step = stepOf(Form.Constants, Active);
  IsStride &= Step.has_value();
  if (IsStride && *Step != 0)
    Append(std::to_string(*Step));
  if (IsStride)
    return "stride " + Stride + " bytes";
  // Runs of lanes with the same symbols.
  size_t Run = 1;
  auto InRow = [&](size_t I) {
    return haveSameTerms(Form, {Active[I - 1], Active[I]});
  };
  while (Run < Active.size() && InRow(Run))
    ++Run;
  bool AreRows = Active.size() % Run == 0;
  for (size_t I = 1; I < Active.size(); ++I)
    AreRows &= InRow(I) == (I % Run != 0);
  if (!AreRows || Run == 1)
    return "irregular";
  return "rows of " + std::to_string(Run) + " lanes, each " +
         patternOfNumbers(Form.Constants, ArrayRef(Active).take_front(Run),
                          Lanes.Bytes);
}

} // namespace unravel
