//===- Comparison.cpp - Kernels before and after --------------------------===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tools/ptx-compare/Comparison.h"
#include "llvm/Demangle/Demangle.h"
#include <cmath>
#include <cstdlib>

using namespace llvm;
using namespace unravel;

//===----------------------------------------------------------------------===//
// Pairs
//===----------------------------------------------------------------------===//

SmallVector<KernelPair::Path, 2> KernelPair::paths() const {
  if (!isMatched())
    return {};
  const PtxFunction &From = Before->Function, &To = After->Function;
  if (!isVersioned())
    return {{"", &From.ordinary(), &To.Counts}};
  return {{"ordinary launches", &From.ordinary(), &To.ordinary()},
          {"general body", &From.general(), &To.general()}};
}

bool KernelPair::isWorse() const {
  return any_of(paths(), [&](const Path &P) {
    return P.hasMoreLoopCost() || P.hasMoreInnermostCost();
  });
}

std::string KernelPair::fullName() const { return demangle(Name); }

static std::string shortNameOf(const std::string &Name) {
  ItaniumPartialDemangler Demangler;
  if (Demangler.partialDemangle(Name.c_str()) || !Demangler.isFunction())
    return Name;
  // The demangler allocates with malloc and hands the buffer over.
  char *Buffer = Demangler.getFunctionName(nullptr, nullptr);
  if (!Buffer)
    return Name;
  std::string Short = Buffer;
  std::free(Buffer);
  return Short;
}

std::vector<KernelPair>
unravel::matchFunctions(const PtxModule &Before, const PtxModule &After,
                        const std::optional<UsageByName> &UsageBefore,
                        const std::optional<UsageByName> &UsageAfter) {
  auto MakeVersion = [](const PtxModule &Module, const std::string &Name,
                        const std::optional<UsageByName> &Usage) {
    std::optional<Version> Result;
    const PtxFunction *Function = Module.find(Name);
    if (!Function)
      return Result;
    Result.emplace();
    Result->Function = *Function;
    if (Usage)
      if (auto It = Usage->find(Name); It != Usage->end())
        Result->Usage = It->second;
    if (Result->Usage && Result->Usage->Registers)
      Result->Occupancy =
          occupancy(*Result->Usage->Registers, Result->blockThreads(),
                    Result->Usage->SharedBytes, Module.Target);
    return Result;
  };

  std::vector<KernelPair> Pairs;
  auto AddPair = [&](const PtxFunction &F) {
    KernelPair Pair;
    Pair.Name = F.Name;
    Pair.ShortName = shortNameOf(F.Name);
    Pair.IsKernel = F.IsKernel;
    Pair.Before = MakeVersion(Before, F.Name, UsageBefore);
    Pair.After = MakeVersion(After, F.Name, UsageAfter);
    Pairs.push_back(std::move(Pair));
  };
  for (const PtxFunction &F : Before.Functions)
    AddPair(F);
  for (const PtxFunction &F : After.Functions)
    if (!Before.find(F.Name))
      AddPair(F);
  return Pairs;
}

void unravel::forEachPair(
    ArrayRef<FileComparison> Files,
    function_ref<void(const FileComparison &, const KernelPair &)> Visit) {
  for (const FileComparison &File : Files)
    for (const KernelPair &Pair : File.Pairs)
      Visit(File, Pair);
}

bool unravel::haveAssumedBlocks(ArrayRef<FileComparison> Files) {
  auto Assumes = [](const std::optional<Version> &V) {
    return V && V->Occupancy && !V->Function.BlockThreads;
  };
  bool Any = false;
  forEachPair(Files, [&](const FileComparison &, const KernelPair &Pair) {
    Any |= Assumes(Pair.Before) || Assumes(Pair.After);
  });
  return Any;
}

//===----------------------------------------------------------------------===//
// Ideals
//===----------------------------------------------------------------------===//

static const KernelPair *findKernel(const FileComparison &File,
                                    StringRef ShortName) {
  auto It = find_if(File.Pairs, [&](const KernelPair &Pair) {
    return Pair.IsKernel && Pair.ShortName == ShortName;
  });
  return It == File.Pairs.end() ? nullptr : &*It;
}

const KernelPair *FileComparison::idealOf(const KernelPair &Pair) const {
  return Pair.IsKernel ? findKernel(*this, Pair.ShortName + "_ideal") : nullptr;
}

bool FileComparison::isIdeal(const KernelPair &Pair) const {
  StringRef Stem = Pair.ShortName;
  return Pair.IsKernel && Stem.consume_back("_ideal") &&
         findKernel(*this, Stem);
}

bool unravel::haveVersioned(ArrayRef<FileComparison> Files) {
  return any_of(Files, [](const FileComparison &File) {
    return any_of(File.Pairs,
                  [](const KernelPair &Pair) { return Pair.isVersioned(); });
  });
}

bool unravel::haveIdeals(ArrayRef<FileComparison> Files) {
  return any_of(Files, [](const FileComparison &File) {
    return any_of(File.Pairs,
                  [&](const KernelPair &Pair) { return File.isIdeal(Pair); });
  });
}

//===----------------------------------------------------------------------===//
// Measures
//===----------------------------------------------------------------------===//

template <unsigned PtxCounts::*Member>
static std::optional<unsigned> readCount(const Version &,
                                         const PtxCounts &Counts) {
  return Counts.*Member;
}

static std::optional<unsigned> readAccesses(const Version &,
                                            const PtxCounts &Counts) {
  return Counts.numAccesses();
}

static std::optional<unsigned> readRegisters(const Version &V,
                                             const PtxCounts &) {
  return V.Usage ? V.Usage->Registers : std::nullopt;
}

static std::optional<unsigned> readSpills(const Version &V, const PtxCounts &) {
  if (!V.Usage)
    return std::nullopt;
  return V.Usage->spillBytes();
}

static std::optional<unsigned> readWarps(const Version &V, const PtxCounts &) {
  if (!V.Occupancy)
    return std::nullopt;
  return V.Occupancy->Warps;
}

ArrayRef<Measure> unravel::measures() {
  using Counts = PtxCounts;
  static const Measure Measures[] = {
      // clang-format off
      // Title     Key               Read                              Total  Mean
      {"int",      "integer",        readCount<&Counts::Integer>,       true,  true},
      {"div",      "division",       readCount<&Counts::Division>,      true,  false},
      {"mulhi",    "multiply_high",    readCount<&Counts::MultiplyHigh>,  true,  false},
      {"int64",    "integer64",      readCount<&Counts::Integer64>,     true,  false},
      {"ld+st",    "accesses",       readAccesses,                      true,  true},
      {"regs",     "registers",      readRegisters,                     false, true, false, false},
      {"warps",    "warps",          readWarps,                         false, true, true, false},
      {"spillB",   "spill_bytes",    readSpills,                        true,  false, false, false},
      {"cost",     "cost",           readCount<&Counts::Cost>,          true,  true},
      {"inner",    "innermost_cost", readCount<&Counts::InnermostCost>, true,  false},
      {"loopcost", "loop_cost",      readCount<&Counts::LoopCost>,      true,  true},
      // clang-format on
  };
  return Measures;
}

std::optional<double> Change::ratio() const {
  if (!Before || !After || (*Before == 0 && *After != 0))
    return std::nullopt;
  return *Before == 0 ? 1.0 : double(*After) / *Before;
}

Change unravel::readChange(const FileComparison &File, const KernelPair &Pair,
                           const Measure &M, Baseline Base) {
  Change Result;
  const KernelPair *From = Base == Baseline::Ideal ? File.idealOf(Pair) : &Pair;
  if (From && From->Before)
    Result.Before = M.Read(*From->Before, From->Before->Function.ordinary());
  if (Pair.After)
    Result.After = M.Read(*Pair.After, Pair.After->Function.ordinary());
  return Result;
}

Change unravel::readGeneralChange(const KernelPair &Pair, const Measure &M) {
  Change Result;
  if (Pair.Before)
    Result.Before = M.Read(*Pair.Before, Pair.Before->Function.general());
  Result.After = M.Read(*Pair.After, Pair.After->Function.general());
  return Result;
}

/// Calls Visit with the change of every function for which both values are
/// known, without ideals.
static void forEachKnownChange(ArrayRef<FileComparison> Files, const Measure &M,
                               Baseline Base,
                               function_ref<void(unsigned, unsigned)> Visit) {
  forEachPair(Files, [&](const FileComparison &File, const KernelPair &Pair) {
    Change C = readChange(File, Pair, M, Base);
    if (C.Before && C.After && !File.isIdeal(Pair))
      Visit(*C.Before, *C.After);
  });
}

Change unravel::totalChange(ArrayRef<FileComparison> Files, const Measure &M,
                            Baseline Base) {
  Change Total;
  if (!M.HasTotal)
    return Total;
  forEachKnownChange(Files, M, Base, [&](unsigned Before, unsigned After) {
    Total.Before = Total.Before.value_or(0) + Before;
    Total.After = Total.After.value_or(0) + After;
  });
  return Total;
}

std::optional<double> unravel::geometricMean(ArrayRef<FileComparison> Files,
                                             const Measure &M, Baseline Base) {
  if (!M.HasMean)
    return std::nullopt;
  double LogSum = 0;
  unsigned Count = 0;
  forEachKnownChange(Files, M, Base, [&](unsigned Before, unsigned After) {
    LogSum += std::log(std::max(After, 1u)) - std::log(std::max(Before, 1u));
    ++Count;
  });
  if (Count == 0)
    return std::nullopt;
  return std::exp(LogSum / Count);
}
