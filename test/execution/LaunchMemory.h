//===- LaunchMemory.h - The memory of one kernel run ------------*- C++ -*-===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The buffers of a launch, each between two guard zones. Two memories made for
// the same launch start with the same bytes, so what two kernels did to them
// can be compared byte by byte.
//
//===----------------------------------------------------------------------===//

#ifndef UNRAVEL_TEST_EXECUTION_LAUNCHMEMORY_H
#define UNRAVEL_TEST_EXECUTION_LAUNCHMEMORY_H

#include "KernelLaunch.h"
#include <memory>

namespace unravel {

class LaunchMemory {
public:
  /// Allocates and fills the buffers of \p Launch. Fails if memory is short.
  static llvm::Expected<LaunchMemory> create(const KernelLaunch &Launch);

  /// One pointer per argument to its value: to a pointer, for a buffer. The
  /// kernel reads its parameters through these.
  llvm::ArrayRef<void *> arguments() const { return ArgumentSlots; }

  /// The bytes of all buffers together.
  uint64_t sizeInBytes() const;

  /// How many of those have changed since create().
  uint64_t changedBytes() const;

  /// Fails, and says where, if a guard zone has changed.
  llvm::Error checkGuards() const;

  /// Describes the first difference, or is empty if every byte is equal. Both
  /// memories must be of the same launch. Two NaNs count as equal: LLVM does
  /// not define which of them an operation gives.
  std::string firstDifference(const LaunchMemory &Other, llvm::StringRef Name,
                              llvm::StringRef OtherName) const;

private:
  struct Buffer {
    /// The launch's, which outlives its memories.
    const KernelArgument *Argument;
    unsigned Number;
    std::unique_ptr<uint8_t[]> Storage;
    uint64_t StorageSize;
    uint64_t Offset;

    uint8_t *begin() const { return Storage.get() + Offset; }
    uint64_t size() const { return Argument->sizeInBytes(); }
  };

  LaunchMemory() = default;

  std::vector<Buffer> Buffers;
  std::vector<std::unique_ptr<uint64_t>> Values;
  std::vector<void *> ArgumentSlots;
};

} // namespace unravel

#endif // UNRAVEL_TEST_EXECUTION_LAUNCHMEMORY_H
