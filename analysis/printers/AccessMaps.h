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

namespace unravel {

/// One memory access: which element of the memory at Base belongs to a thread.
/// Thread and block indices (whatever is read from a special register) are the
/// dimensions of the map, loop counters its ranges, all other values runtime
/// variables. Its domain holds what is known at the access, guards included.
struct AccessMap {
  llvm::Instruction *Access;
  llvm::Value *Base;
  /// One result: the element (or byte) index relative to Base.
  IndexingMap Map;
  /// Bytes per unit of the result.
  uint64_t UnitSize;
};

/// All loads, stores and atomics of the function whose address could be
/// recovered, in the order of the IR.
std::vector<AccessMap> accessMapsOf(IndexRecovery &Recovery);

/// `opt -passes='print<indexing-maps>'`.
class AccessMapsPrinterPass
    : public llvm::PassInfoMixin<AccessMapsPrinterPass> {
public:
  explicit AccessMapsPrinterPass(llvm::raw_ostream &OS,
                                 const RecoveryLimits &Limits = {})
      : OS(OS), Limits(Limits) {}
  llvm::PreservedAnalyses run(llvm::Function &F,
                              llvm::FunctionAnalysisManager &AM);
  static bool isRequired() { return true; }

private:
  llvm::raw_ostream &OS;
  RecoveryLimits Limits;
};

} // namespace unravel

#endif // UNRAVEL_ANALYSIS_PRINTERS_ACCESSMAPS_H
