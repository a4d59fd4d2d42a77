//===- AccessTraffic.h - What the accesses of a kernel move -----*- C++ -*-===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// At most, each sector of each request comes from DRAM, and each line that a
// request touches passes L1 by itself.
//
// At least, caches keep what is asked for again. An access then moves the bytes
// that its lanes ask for, and
//
// * nothing if its address does not depend on all block indices that the kernel
//   reads: other blocks have brought its data in, or will write them;
// * a part if it does not depend on all thread indices: the warps share it;
// * once, in a loop that does not change its address;
// * the loads of one array move as much as the largest of them;
// * nothing for atomics, generic addresses and a thread's own memory.
//
// An access that is not understood needs at least the sectors that its bytes
// fill, and at most one or two for each lane.
//
//===----------------------------------------------------------------------===//

#ifndef UNRAVEL_PTX_LIMITS_ACCESSTRAFFIC_H
#define UNRAVEL_PTX_LIMITS_ACCESSTRAFFIC_H

#include "analysis/limits/WarpWork.h"
#include "analysis/warps/AccessReport.h"
#include "llvm/IR/CycleInfo.h"

namespace unravel {

/// Adds what \p Accesses of \p F move to \p Work.
void addTraffic(llvm::ArrayRef<AccessReport> Accesses, const llvm::Function &F,
                const BlockShape &Block, const llvm::CycleInfo &Cycles,
                WarpWork &Work);

} // namespace unravel

#endif // UNRAVEL_PTX_LIMITS_ACCESSTRAFFIC_H
