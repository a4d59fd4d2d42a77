//===- AccessMaps.h - Every memory access as a map --------------*- C++ -*-===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The map of a memory access takes the thread, block and loop variables to the
// element that is accessed:
//
//     (th_x, bl_x) -> (bl_x * 128 + th_x), domain: th_x in [0, 127], ...
//
// Elements are counted in units of the accessed type where the byte offset is
// a multiple of its size, in bytes otherwise.
//
//===----------------------------------------------------------------------===//

#ifndef UNRAVEL_ANALYSIS_PRINTERS_ACCESSMAPS_H
#define UNRAVEL_ANALYSIS_PRINTERS_ACCESSMAPS_H

#include "analysis/maps/IndexingMap.h"
#include "analysis/recovery/IndexRecovery.h"
#include "analysis/warps/KernelAccesses.h"

namespace unravel {

/// One memory access: which element of the memory at Base belongs to a thread.
/// Thread and block indices (whatever is read from a special register) are the
/// dimensions of the map, loop counters its ranges, all other values runtime
/// variables. Its domain holds what is known at the access, guards included.
struct AccessMap {
  MemoryAccess Access;
  /// The object; null if it is not known.
  llvm::Value *Base = nullptr;
  /// One result: the element (or byte) index relative to Base. Nothing if it is
  /// not known, which NotUnderstood explains, or the access is never executed.
  /// Runtime variables without bounds are in the range of their type.
  std::optional<IndexingMap> Map;
  std::string NotUnderstood;
  /// Bytes per unit of the result.
  uint64_t UnitSize = 1;
  /// If words in the index may wrap: an index over more basic variables, which
  /// is congruent to it modulo 2^CongruentWidth.
  std::optional<IndexingMap> Congruent;
  unsigned CongruentWidth = 0;
  /// Such a word in a quotient, where a congruent number is another one: what
  /// the variable of the map is congruent to.
  struct Word {
    std::string Name;
    unsigned Width;
    IndexingMap Map;
  };
  std::vector<Word> Words;
};

/// All accesses of the function that can be reached, in the order of the IR.
/// The limits of \p Recovery should allow to read bits.
std::vector<AccessMap> accessMapsOf(IndexRecovery &Recovery);

/// The map, or why there is none; behind it, on lines of their own, what words
/// that may wrap are congruent to. \p Readable chooses ReadableMap.h.
std::string mapText(const AccessMap &Map, bool Readable = false);

/// `opt -passes='print<indexing-maps>'`, or `print<indexing-maps;readable>`.
class AccessMapsPrinterPass
    : public llvm::PassInfoMixin<AccessMapsPrinterPass> {
public:
  explicit AccessMapsPrinterPass(llvm::raw_ostream &OS,
                                 const RecoveryLimits &Limits = {},
                                 bool Readable = false)
      : OS(OS), Limits(Limits), Readable(Readable) {
    this->Limits.ReadsBits = true;
  }
  llvm::PreservedAnalyses run(llvm::Function &F,
                              llvm::FunctionAnalysisManager &AM);
  static bool isRequired() { return true; }

private:
  llvm::raw_ostream &OS;
  RecoveryLimits Limits;
  bool Readable;
};

} // namespace unravel

#endif // UNRAVEL_ANALYSIS_PRINTERS_ACCESSMAPS_H
