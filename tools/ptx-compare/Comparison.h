//===- Comparison.h - Kernels before and after ------------------*- C++ -*-===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The data that every report shows: the functions of two PTX modules matched by
// name, with their counts, and the measures that are compared.
//
//===----------------------------------------------------------------------===//

#ifndef UNRAVEL_TOOLS_PTXCOMPARE_COMPARISON_H
#define UNRAVEL_TOOLS_PTXCOMPARE_COMPARISON_H

#include "analysis/limits/LimitText.h"
#include "tools/ptx-compare/AccessLines.h"
#include "tools/ptx-compare/Occupancy.h"
#include "tools/ptx-compare/PtxText.h"
#include "tools/ptx-compare/Remarks.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include <optional>
#include <string>
#include <vector>

namespace unravel {

/// One version of one kernel.
struct Version {
  PtxFunction Function;
  /// What ptxas said; absent when there is no ptxas.
  std::optional<PtxasUsage> Usage;
  /// Absent where the registers are unknown, or the GPU.
  std::optional<SmOccupancy> Occupancy;
  /// What bounds a kernel, if asked for.
  std::optional<KernelEstimate> Estimate;

  /// In a block, if the kernel does not say.
  unsigned blockThreads() const {
    return Function.BlockThreads.value_or(UsualBlockThreads);
  }
};

/// One kernel or device function, before and after. One side is absent when
/// only the other module has it, as when a function is inlined everywhere.
struct KernelPair {
  std::string Name;
  /// The demangled name without parameters: `reshape`.
  std::string ShortName;
  bool IsKernel = false;
  std::optional<Version> Before;
  std::optional<Version> After;
  /// What the pass said of it, if that was asked for.
  std::vector<PassRemark> Remarks;
  /// What it reads and writes without the pass, if that was asked for.
  std::vector<AccessLine> Accesses;
  /// Facts that the estimates do without, and why.
  std::vector<std::string> FactsLeftOut;

  bool isMatched() const { return Before && After; }
  /// Whether the version after has a body for ordinary launches and a general
  /// one.
  bool isVersioned() const { return After && After->Function.Paths; }
  /// The version that exists; the one after if both do.
  const Version &any() const { return After ? *After : *Before; }
  /// What is executed after: an ordinary launch, and with two bodies others.
  /// Empty if one side is absent.
  struct Path {
    const char *Name; ///< "ordinary launches"; empty if there is one path only.
    const PtxCounts *Before, *After;
    bool hasMoreLoopCost() const { return After->LoopCost > Before->LoopCost; }
    bool hasMoreInnermostCost() const {
      return After->InnermostCost > Before->InnermostCost;
    }
  };
  llvm::SmallVector<Path, 2> paths() const;
  /// The measures that make a kernel worse when they grow on a path: the cost
  /// weighted by loop depth, and the cost of the innermost loops. The first
  /// alone would take an instruction more in a hot loop for some less around
  /// it.
  bool isWorse() const;
  /// The demangled name: `reshape(float const*, float*)`.
  std::string fullName() const;
};

struct FileComparison {
  std::string Label; ///< The input file, or "a.ptx -> b.ptx".
  std::vector<KernelPair> Pairs;

  /// The kernel NAME_ideal that stands beside the kernel NAME: the same result
  /// with the least arithmetic, written by hand. Null if there is none.
  const KernelPair *idealOf(const KernelPair &Pair) const;
  /// Whether \p Pair is the NAME_ideal of another kernel.
  bool isIdeal(const KernelPair &Pair) const;
};

using UsageByName = std::map<std::string, PtxasUsage>;

/// Matches the functions of two modules by name: in the order of Before, then
/// what only After has. No usage means that ptxas did not look at the module.
std::vector<KernelPair>
matchFunctions(const PtxModule &Before, const PtxModule &After,
               const std::optional<UsageByName> &UsageBefore,
               const std::optional<UsageByName> &UsageAfter);

/// A number that is compared.
struct Measure {
  const char *Title; ///< Column heading.
  const char *Key;   ///< JSON key.
  /// Absent where it is not known.
  std::optional<unsigned> (*Read)(const Version &, const PtxCounts &);
  bool HasTotal; ///< A sum over kernels means something.
  bool HasMean;  ///< A mean of ratios does: rarely zero.
  bool MoreIsBetter = false;
  /// It counts instructions; otherwise it belongs to the kernel as a whole.
  bool IsOfCode = true;
};

/// Integer instructions come first: by them kernels are measured against their
/// ideals. The loop cost comes last: the ratio is that of it.
llvm::ArrayRef<Measure> measures();

/// What the version after is compared with.
enum class Baseline {
  Before, ///< The same kernel without the pass.
  Ideal,  ///< The kernel's hand-written ideal without the pass.
};

/// A measure before (or of the ideal) and after; either may be unknown.
struct Change {
  std::optional<unsigned> Before;
  std::optional<unsigned> After;

  /// after / before; 1 if both are zero, absent if unknown or from zero.
  std::optional<double> ratio() const;
};

/// Of ordinary launches, if \p Pair has two bodies.
Change readChange(const FileComparison &File, const KernelPair &Pair,
                  const Measure &M, Baseline Base = Baseline::Before);
/// Of the general body of a kernel that has two.
Change readGeneralChange(const KernelPair &Pair, const Measure &M);

/// The sum over all functions that both sides have. Ideals are not summed.
Change totalChange(llvm::ArrayRef<FileComparison> Files, const Measure &M,
                   Baseline Base = Baseline::Before);

/// The geometric mean of the ratios of the same functions. A zero counts as
/// one. Absent if there is no such function.
std::optional<double> geometricMean(llvm::ArrayRef<FileComparison> Files,
                                    const Measure &M,
                                    Baseline Base = Baseline::Before);

/// Visits every function of every file.
void forEachPair(
    llvm::ArrayRef<FileComparison> Files,
    llvm::function_ref<void(const FileComparison &, const KernelPair &)> Visit);

/// Whether the occupancy of any kernel is of UsualBlockThreads, which is
/// assumed.
bool haveAssumedBlocks(llvm::ArrayRef<FileComparison> Files);

/// Whether any kernel has two bodies.
bool haveVersioned(llvm::ArrayRef<FileComparison> Files);

/// Whether any kernel has an ideal beside it.
bool haveIdeals(llvm::ArrayRef<FileComparison> Files);

} // namespace unravel

#endif // UNRAVEL_TOOLS_PTXCOMPARE_COMPARISON_H
