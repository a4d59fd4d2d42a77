//===- Report.cpp - What became of the kernels of a module ----------------===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tools/ptx-simplify/Report.h"
#include "llvm/Support/JSON.h"

using namespace llvm;
using namespace unravel;
using namespace unravel::ptx;

using Outcome = KernelReport::Outcome;

static StringRef nameOf(Outcome Result) {
  switch (Result) {
  case Outcome::Simplified:
    return "simplified";
  case Outcome::NotCheaper:
    return "not cheaper";
  case Outcome::Worse:
    return "worse machine code";
  case Outcome::NothingToGain:
    return "nothing to gain";
  case Outcome::NotUnderstood:
    return "not understood";
  }
  return "";
}

void unravel::ptx::printSummary(const SimplifiedModule &M, raw_ostream &OS) {
  for (StringRef Name : M.OtherFunctions)
    OS << Name << ": no kernel, stays as it is\n";
  for (const KernelReport &K : M.Kernels) {
    OS << K.Name << ": " << nameOf(K.Result);
    if (!K.Reason.empty())
      OS << " (" << K.Reason << ")";
    if (K.Result == Outcome::Simplified || K.Result == Outcome::NotCheaper) {
      OS << ", cost " << K.Old.LoopCost << " -> ";
      if (K.HasSecondBody)
        OS << K.Fast->LoopCost << " in ordinary launches, "
           << std::min(K.New->LoopCost, K.Old.LoopCost) << " in others";
      else
        OS << K.New->LoopCost;
    }
    OS << "\n";
  }
}

static json::Object toJson(const PtxCounts &Counts) {
  return json::Object{
      {"cost", Counts.Cost},          {"index_cost", Counts.IndexCost},
      {"loop_cost", Counts.LoopCost}, {"instructions", Counts.Instructions},
      {"integer", Counts.Integer},    {"divisions", Counts.Division}};
}

std::string unravel::ptx::reportAsJson(const SimplifiedModule &M,
                                       StringRef Input) {
  json::Array Kernels;
  for (const KernelReport &K : M.Kernels) {
    json::Object O{{"name", K.Name},
                   {"outcome", nameOf(K.Result)},
                   {"old", toJson(K.Old)}};
    if (!K.Reason.empty())
      O["reason"] = json::fixUTF8(K.Reason);
    if (K.New)
      O["new"] = toJson(*K.New);
    if (K.Fast)
      O["fast"] = toJson(*K.Fast);
    if (K.Result == Outcome::Simplified)
      O["second_body"] = K.HasSecondBody;
    Kernels.push_back(std::move(O));
  }
  std::string Text;
  raw_string_ostream OS(Text);
  OS << formatv("{0:2}\n",
                json::Value(json::Object{
                    {"input", json::fixUTF8(Input)},
                    {"kernels", std::move(Kernels)},
                    {"other_functions", json::Array(M.OtherFunctions)}}));
  return Text;
}
