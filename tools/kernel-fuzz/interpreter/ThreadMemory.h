//===- ThreadMemory.h - Bytes that a thread reads and writes ----*- C++ -*-===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Every address can be read. What a thread has not written is decided by the
// seed: bytes, or elements of which only the low bytes are not zero, so that
// what is loaded looks like an index often enough.
//
//===----------------------------------------------------------------------===//

#ifndef UNRAVEL_TOOLS_KERNELFUZZ_THREADMEMORY_H
#define UNRAVEL_TOOLS_KERNELFUZZ_THREADMEMORY_H

#include "tools/kernel-fuzz/interpreter/Scalar.h"
#include "tools/kernel-fuzz/random/FuzzRandom.h"
#include <map>

namespace unravel {

struct MemoryByte {
  uint8_t Value = 0;
  bool IsPoison = false;
  bool IsUndef = false;
};

class ThreadMemory {
public:
  explicit ThreadMemory(uint64_t Seed) : Seed(Seed) {}

  /// What \p Address holds before anything is written.
  MemoryByte initial(uint64_t Address) const {
    static constexpr uint64_t ElementSizes[] = {1, 2, 4, 4, 8, 8};
    static constexpr uint64_t NonZeroBytes[] = {1, 1, 1, 2, 1, 4};
    unsigned Style = mixBits(Seed) % 6;
    if (Address % ElementSizes[Style] >= NonZeroBytes[Style])
      return {};
    return {uint8_t(mixBits(Address ^ mixBits(Seed + 1))), false};
  }
  MemoryByte load(uint64_t Address) const {
    auto It = Written.find(Address);
    return It == Written.end() ? initial(Address) : It->second;
  }
  void store(uint64_t Address, MemoryByte Byte) { Written[Address] = Byte; }

  Scalar loadWord(uint64_t Address, unsigned Bytes) const {
    Scalar Word;
    bool AllUndef = true; // the bytes that are poison
    for (unsigned K = 0; K < Bytes; ++K) {
      MemoryByte Byte = load(Address + K);
      Word.Bits |= uint64_t(Byte.Value) << (8 * K);
      Word.IsPoison |= Byte.IsPoison;
      AllUndef &= !Byte.IsPoison || Byte.IsUndef;
    }
    Word.IsUndef = Word.IsPoison && AllUndef;
    return Word;
  }
  void storeWord(uint64_t Address, unsigned Bytes, Scalar Word) {
    for (unsigned K = 0; K < Bytes; ++K)
      store(Address + K,
            {uint8_t(Word.Bits >> (8 * K)), Word.IsPoison, Word.IsUndef});
  }

  /// By address.
  const std::map<uint64_t, MemoryByte> &written() const { return Written; }

private:
  uint64_t Seed;
  std::map<uint64_t, MemoryByte> Written;
};

} // namespace unravel

#endif // UNRAVEL_TOOLS_KERNELFUZZ_THREADMEMORY_H
