//===- Regressions.cpp - What makes a kernel worse ------------------------===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tools/ptx-compare/Regressions.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;

namespace unravel {

bool needPtxas(ArrayRef<Rule> Rules) {
  return any_of(Rules, [](Rule R) { return R != Rule::Cost; });
}

/// The column of a rule other than the cost.
static const Measure &measureOf(Rule R) {
  StringRef Key = R == Rule::Registers ? "registers"
                  : R == Rule::Warps   ? "warps"
                                       : "spill_bytes";
  return *find_if(measures(), [&](const Measure &M) { return Key == M.Key; });
}

static std::string change(const Twine &What, unsigned From, unsigned To) {
  return (What + " " + Twine(From) + " -> " + Twine(To)).str();
}

static void addCosts(const KernelPair &Pair,
                     SmallVectorImpl<std::string> &Texts) {
  for (const KernelPair::Path &P : Pair.paths()) {
    std::string Suffix = *P.Name ? std::string(" of ") + P.Name : "";
    if (P.hasMoreLoopCost())
      Texts.push_back(
          change("loopcost" + Suffix, P.Before->LoopCost, P.After->LoopCost));
    if (P.hasMoreInnermostCost())
      Texts.push_back(change("inner" + Suffix, P.Before->InnermostCost,
                             P.After->InnermostCost));
  }
}

Expected<std::string> regressionsOf(const KernelPair &Pair,
                                    ArrayRef<Rule> Rules) {
  if (!Pair.After && Pair.IsKernel)
    return "gone";
  if (!Pair.isMatched())
    return "";
  SmallVector<std::string, 4> Texts;
  for (Rule R : Rules) {
    if (R == Rule::Cost) {
      addCosts(Pair, Texts);
      continue;
    }
    // A device function has what its kernel has.
    if (!Pair.IsKernel)
      continue;
    const Measure &M = measureOf(R);
    std::optional<unsigned> Before =
        M.Read(*Pair.Before, Pair.Before->Function.Counts);
    std::optional<unsigned> After =
        M.Read(*Pair.After, Pair.After->Function.Counts);
    if (!Before || !After)
      return createStringError(
          "--fail-if-worse=" + Twine(R == Rule::Spills ? "spills" : M.Key) +
          ": not known of " + Pair.ShortName +
          "; it needs a ptxas that knows the GPU (--cuda-path), or leave it "
          "out");
    if (M.MoreIsBetter ? *After < *Before : *After > *Before)
      Texts.push_back(change(M.Title, *Before, *After));
  }
  return join(Texts, ", ");
}

} // namespace unravel
