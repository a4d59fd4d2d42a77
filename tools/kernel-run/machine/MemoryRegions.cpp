//===- MemoryRegions.cpp - The memory that a kernel may touch -------------===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tools/kernel-run/machine/MemoryRegions.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MathExtras.h"
#include <cerrno>
#include <cstring>
#include <sys/mman.h>

using namespace llvm;
using namespace unravel;

static bool endsBefore(uint64_t Address, const MemoryRegion &Region) {
  return Address < Region.Begin;
}

void MemoryRegions::add(MemoryRegion Region) {
  auto At = upper_bound(Regions, Region.Begin, endsBefore);
  Regions.insert(At, std::move(Region));
}

const MemoryRegion *MemoryRegions::find(uint64_t Address,
                                        uint64_t Bytes) const {
  auto Next = upper_bound(Regions, Address, endsBefore);
  if (Next == Regions.begin() || !std::prev(Next)->holds(Address, Bytes))
    return nullptr;
  return &*std::prev(Next);
}

uint64_t unravel::distance(const MemoryRegion &Region, uint64_t Address) {
  if (Address < Region.Begin)
    return Region.Begin - Address;
  uint64_t Offset = Address - Region.Begin;
  return Offset < Region.Size ? 0 : Offset - Region.Size + 1;
}

const MemoryRegion *MemoryRegions::nearest(uint64_t Address) const {
  const MemoryRegion *Best = nullptr;
  for (const MemoryRegion &Region : Regions)
    if (!Best || distance(Region, Address) < distance(*Best, Address))
      Best = &Region;
  return Best;
}

std::string unravel::describeAddress(uint64_t Address,
                                     const MemoryRegion &Nearest) {
  return formatv("byte {0} of {1}, which has {2} byte{3}",
                 int64_t(Address - Nearest.Begin), Nearest.Name, Nearest.Size,
                 Nearest.Size == 1 ? "" : "s");
}

static void *mapPages(uint64_t Where, uint64_t Size, bool Shared, int Flags) {
  Flags |= (Shared ? MAP_SHARED : MAP_PRIVATE) | MAP_ANONYMOUS | MAP_NORESERVE;
  return mmap(reinterpret_cast<void *>(Where), Size, PROT_READ | PROT_WRITE,
              Flags, -1, 0);
}

Expected<Pages> Pages::create(uint64_t Size, bool Shared) {
  Pages Result;
  void *Data = mapPages(0, Size, Shared, 0);
  if (Data == MAP_FAILED)
    return createStringError("no memory for " + Twine(Size) +
                             " bytes: " + std::strerror(errno));
  Result.Data = static_cast<uint8_t *>(Data);
  Result.Size = Size;
  return Result;
}

Expected<Pages> Pages::createLow(uint64_t Size, bool Shared) {
#ifdef MAP_FIXED_NOREPLACE
  // Small ones close together, so that large ones find room.
  constexpr uint64_t MiB = 1 << 20, End = uint64_t(1) << 32;
  bool IsSmall = Size <= 2 * MiB;
  uint64_t Begin = (IsSmall ? 128 : 512) * MiB, Step = (IsSmall ? 2 : 64) * MiB;
  for (uint64_t Where = Begin; Where + Size <= End; Where += Step) {
    void *Data = mapPages(Where, Size, Shared, MAP_FIXED_NOREPLACE);
    if (Data == MAP_FAILED)
      continue;
    Pages Result;
    Result.Data = static_cast<uint8_t *>(Data);
    Result.Size = Size;
    // (A kernel that does not know the flag takes the address as a hint.)
    if (reinterpret_cast<uintptr_t>(Data) == Where)
      return Result;
  }
#endif
  return create(Size, Shared);
}

Pages::~Pages() {
  if (Data)
    munmap(Data, Size);
}

uint64_t unravel::alignExactly(uint64_t From, uint64_t Align) {
  uint64_t Address = alignTo(From, 2 * Align) + Align;
  return Address - From >= 2 * Align ? Address - 2 * Align : Address;
}
