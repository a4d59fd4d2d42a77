//===- MemoryRegions.h - The memory that a kernel may touch ----*- C++ -*--===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Every buffer and variable that a run knows, by address. An access is legal if
// all its bytes lie in one of them.
//
//===----------------------------------------------------------------------===//

#ifndef UNRAVEL_TOOLS_KERNEL_RUN_MACHINE_MEMORYREGIONS_H
#define UNRAVEL_TOOLS_KERNEL_RUN_MACHINE_MEMORYREGIONS_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/Support/Error.h"
#include <cstdint>
#include <string>
#include <vector>

namespace unravel {

/// What fresh memory holds, so that runs agree about what they should not read.
constexpr uint8_t FillPattern = 0xA5;

/// As PTX numbers them.
enum class MemorySpace : uint32_t {
  Global = 1,
  Shared = 3,
  Constant = 4,
  Local = 5
};

struct MemoryRegion {
  uint64_t Begin = 0, Size = 0;
  MemorySpace Space = MemorySpace::Global;
  /// For messages: "argument 1 (out)", "shared variable tile".
  std::string Name;

  bool holds(uint64_t Address, uint64_t Bytes) const {
    return Bytes <= Size && Address - Begin <= Size - Bytes;
  }
};

/// Regions that do not overlap.
class MemoryRegions {
public:
  void add(MemoryRegion Region);

  /// The region with all of the bytes, or null. Valid until the next add().
  const MemoryRegion *find(uint64_t Address, uint64_t Bytes) const;

  /// The region with the least distance to \p Address; null if there is none.
  const MemoryRegion *nearest(uint64_t Address) const;

  llvm::ArrayRef<MemoryRegion> all() const { return Regions; }

private:
  std::vector<MemoryRegion> Regions;
};

/// The bytes between \p Address and \p Region; 0 inside.
uint64_t distance(const MemoryRegion &Region, uint64_t Address);

/// "byte 36 of argument 1 (out), which has 32 bytes"; -4 is before it.
std::string describeAddress(uint64_t Address, const MemoryRegion &Nearest);

/// Zeroed pages, given back at the end of its life. Forked processes share them
/// if \p Shared, else each has its own copy.
class Pages {
public:
  static llvm::Expected<Pages> create(uint64_t Size, bool Shared);
  /// Below 4 GiB, if there is room: for code with pointers of 32 bits.
  static llvm::Expected<Pages> createLow(uint64_t Size, bool Shared);
  Pages() = default;
  Pages(Pages &&Other) { *this = std::move(Other); }
  Pages &operator=(Pages &&Other) {
    std::swap(Data, Other.Data);
    std::swap(Size, Other.Size);
    return *this;
  }
  ~Pages();

  uint8_t *begin() const { return Data; }
  uint64_t size() const { return Size; }

private:
  uint8_t *Data = nullptr;
  uint64_t Size = 0;
};

/// The next address from \p From on that is a multiple of \p Align and of no
/// higher power of two: code that claims more alignment must show.
uint64_t alignExactly(uint64_t From, uint64_t Align);

} // namespace unravel

#endif // UNRAVEL_TOOLS_KERNEL_RUN_MACHINE_MEMORYREGIONS_H
