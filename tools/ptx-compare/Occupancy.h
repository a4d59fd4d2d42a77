//===- Occupancy.h - How many warps an SM holds -----------------*- C++ -*-===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The number of warps that a multiprocessor (SM) holds at a time, from what a
// kernel uses. What an SM has is from the table "Technical Specifications per
// Compute Capability" of the CUDA C++ Programming Guide (version 13); in which
// units it hands that out, and how many blocks it takes, from the toolkit's
// cuda_occupancy.h:
//
// * 65,536 registers, in four partitions; a warp takes them from one of them,
//   in units of 256. Shared memory is in units of 128 bytes (sm_7x: 256), and
//   1 KB of each block is the system's (sm_7x: none).
// * Assumed is that the kernel is launched with no dynamic shared memory, and
//   with as much of the L1 cache as shared memory as there can be.
//
//===----------------------------------------------------------------------===//

#ifndef UNRAVEL_TOOLS_PTXCOMPARE_OCCUPANCY_H
#define UNRAVEL_TOOLS_PTXCOMPARE_OCCUPANCY_H

#include "llvm/ADT/StringRef.h"
#include <optional>

namespace unravel {

/// Assumed of a kernel that does not say how it is launched.
constexpr unsigned UsualBlockThreads = 256;

struct SmOccupancy {
  unsigned Blocks = 0; ///< On an SM at a time; 0 if not even one fits.
  unsigned Warps = 0;
  unsigned WarpSlots = 0; ///< What an SM can hold.
};

/// Of blocks of \p Threads threads that use so many registers each, and so many
/// bytes of shared memory together. \p Arch is for example "sm_90a". Absent for
/// a GPU that the table does not have.
std::optional<SmOccupancy> occupancy(unsigned Registers, unsigned Threads,
                                     unsigned SharedBytes,
                                     llvm::StringRef Arch);

} // namespace unravel

#endif // UNRAVEL_TOOLS_PTXCOMPARE_OCCUPANCY_H
