//===- Occupancy.cpp - How many warps an SM holds -------------------------===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tools/ptx-compare/Occupancy.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"
#include <algorithm>

using namespace llvm;
using namespace unravel;

namespace {
/// What an SM of a compute capability has.
struct SmLimits {
  unsigned Capability; ///< 90 is 9.0
  unsigned Warps;
  unsigned Blocks;
  unsigned SharedKB;
};
} // namespace

static constexpr SmLimits Table[] = {
    {70, 64, 32, 96},   {75, 32, 16, 64},   {80, 64, 32, 164},
    {86, 48, 16, 100},  {87, 48, 16, 164},  {89, 48, 24, 100},
    {90, 64, 32, 228},  {100, 64, 32, 228}, {103, 64, 32, 228},
    {110, 48, 24, 228}, {120, 48, 24, 100}, {121, 48, 24, 100},
};

static constexpr unsigned WarpThreads = 32, LargestBlock = 1024;
static constexpr unsigned Partitions = 4, PartitionRegisters = 65536 / 4;
static constexpr unsigned RegisterUnit = 256, KB = 1024;

/// How many blocks of \p Warps warps have their registers.
static uint64_t blocksByRegisters(uint64_t Registers, uint64_t Warps) {
  uint64_t OfWarp =
      std::max(alignTo(Registers * WarpThreads, RegisterUnit), uint64_t(1));
  // The warps of a block are dealt out to the partitions; all get as many as
  // the one that gets most.
  if (OfWarp * alignTo(Warps, Partitions) > Partitions * PartitionRegisters)
    return 0;
  return PartitionRegisters / OfWarp * Partitions / Warps;
}

static uint64_t blocksByShared(uint64_t Bytes, const SmLimits &Sm) {
  bool IsVolta = Sm.Capability < 80; // or Turing
  uint64_t Reserved = IsVolta ? 0 : KB;
  uint64_t OfBlock = alignTo(Bytes + Reserved, IsVolta ? 256 : 128);
  return Sm.SharedKB * KB / std::max(OfBlock, uint64_t(1));
}

std::optional<SmOccupancy> unravel::occupancy(unsigned Registers,
                                              unsigned Threads,
                                              unsigned SharedBytes,
                                              StringRef Arch) {
  unsigned Capability;
  if (!Arch.consume_front("sm_") || Arch.consumeInteger(10, Capability))
    return std::nullopt;
  const auto *Sm = find_if(
      Table, [&](const SmLimits &S) { return S.Capability == Capability; });
  if (Sm == std::end(Table))
    return std::nullopt;

  SmOccupancy Result;
  Result.WarpSlots = Sm->Warps;
  if (Threads == 0 || Threads > LargestBlock)
    return Result;
  unsigned Warps = divideCeil(Threads, WarpThreads);
  Result.Blocks = std::min<uint64_t>({Sm->Blocks, Sm->Warps / Warps,
                                      blocksByRegisters(Registers, Warps),
                                      blocksByShared(SharedBytes, *Sm)});
  Result.Warps = Result.Blocks * Warps;
  return Result;
}
