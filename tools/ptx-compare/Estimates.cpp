//===- Estimates.cpp - What bounds the compared kernels -------------------===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tools/ptx-compare/Estimates.h"
#include "ptx/limits/KernelLimits.h"
#include "ptx/text/PtxParser.h"

using namespace llvm;
using namespace unravel;

static void addSide(std::vector<KernelPair> &Pairs, StringRef Text,
                    std::optional<Version> KernelPair::*Side) {
  ptx::Module M = cantFail(ptx::parseModule(Text, "")); // was read before
  for (KernelPair &Pair : Pairs)
    if (Pair.IsKernel && Pair.*Side)
      (Pair.*Side)->Estimate = estimateKernel(M, *M.find(Pair.Name));
}

void unravel::addEstimates(std::vector<KernelPair> &Pairs, StringRef Before,
                           StringRef After) {
  addSide(Pairs, Before, &KernelPair::Before);
  addSide(Pairs, After, &KernelPair::After);
}

std::vector<std::string> unravel::estimateLines(const KernelPair &Pair) {
  if (!Pair.any().Estimate)
    return {};
  return Pair.isMatched()
             ? linesOf(*Pair.Before->Estimate, *Pair.After->Estimate)
             : linesOf(*Pair.any().Estimate);
}

bool unravel::haveEstimates(ArrayRef<FileComparison> Files) {
  bool Any = false;
  forEachPair(Files, [&](const FileComparison &, const KernelPair &Pair) {
    Any |= Pair.any().Estimate.has_value();
  });
  return Any;
}
