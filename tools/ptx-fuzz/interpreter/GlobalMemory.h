//===- GlobalMemory.h - The buffers of a launch -----------------*- C++ -*-===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Buffers far apart, so that an address outside of one is inside of none. Pages
// come into being when they are touched: a buffer may be as large as the
// kernel's author had in mind.
//
//===----------------------------------------------------------------------===//

#ifndef UNRAVEL_TOOLS_PTX_FUZZ_INTERPRETER_GLOBALMEMORY_H
#define UNRAVEL_TOOLS_PTX_FUZZ_INTERPRETER_GLOBALMEMORY_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/DenseMap.h"
#include <array>
#include <functional>
#include <memory>
#include <optional>
#include <string>

namespace unravel::ptx {

class GlobalMemory {
public:
  static constexpr unsigned PageSize = 4096;
  using Page = std::array<uint8_t, PageSize>;
  /// What a page of a buffer holds at first, by its offset in the buffer.
  using Fill = std::function<void(uint64_t Offset, Page &)>;

  /// Where the buffer of a room begins.
  static uint64_t addressOf(unsigned Room);
  /// Rooms below this one are for the buffers of the launch.
  static constexpr unsigned FirstVariableRoom = 1024;
  /// A buffer of NoEnd bytes has no beginning either: nearly every address that
  /// a kernel makes of it is inside.
  static constexpr uint64_t NoEnd = ~uint64_t(0);
  void add(unsigned Room, std::string Name, uint64_t Size, Fill Contents);

  /// \p Size bytes, which do not cross a page as they are aligned to their
  /// size. Null outside of all buffers.
  uint8_t *find(uint64_t Address, unsigned Size);

  /// Whether so many pages are touched that a run should end.
  bool isFull() const { return Pages.size() > MaxPages; }

  struct Difference {
    std::string Buffer;
    int64_t Offset;
    uint8_t Here, There;
  };
  /// The first byte that is not the same in \p Other, which has got the same
  /// buffers.
  std::optional<Difference> compare(GlobalMemory &Other);

private:
  static constexpr size_t MaxPages = 1 << 14;

  struct Buffer {
    std::string Name;
    uint64_t Begin, Size;
    Fill Contents;
  };
  const Buffer *bufferAt(uint64_t Address) const;
  Page &page(const Buffer &B, uint64_t Number);

  llvm::DenseMap<unsigned, Buffer> Buffers;
  llvm::DenseMap<uint64_t, std::unique_ptr<Page>> Pages;
};

} // namespace unravel::ptx

#endif // UNRAVEL_TOOLS_PTX_FUZZ_INTERPRETER_GLOBALMEMORY_H
