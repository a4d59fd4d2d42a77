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

#ifndef UNRAVEL_ANALYSIS_ACCESSMAPS_H
#define UNRAVEL_ANALYSIS_ACCESSMAPS_H

#include "analysis/IndexRecovery.h"

namespace unravel {

struct AccessMap {
  llvm::Instruction *Access;
  llvm::Value *Base;
  /// The element (or byte) index relative to Base.
  IndexExpr Index;
  /// Bytes per unit of Index.
  uint64_t UnitSize;
  /// The variables of Index, with what is known of them at the access.
  llvm::SmallVector<std::pair<const IndexAtom *, Interval>, 4> Domain;
};

/// All loads, stores and atomics of the function whose address could be
/// recovered, in the order of the IR.
std::vector<AccessMap> accessMapsOf(IndexRecovery &Recovery);

/// `opt -passes='print<indexing-maps>'`.
class AccessMapsPrinterPass
    : public llvm::PassInfoMixin<AccessMapsPrinterPass> {
public:
  explicit AccessMapsPrinterPass(llvm::raw_ostream &OS) : OS(OS) {}
  llvm::PreservedAnalyses run(llvm::Function &F,
                              llvm::FunctionAnalysisManager &AM);
  static bool isRequired() { return true; }

private:
  llvm::raw_ostream &OS;
};

} // namespace unravel

#endif // UNRAVEL_ANALYSIS_ACCESSMAPS_H
