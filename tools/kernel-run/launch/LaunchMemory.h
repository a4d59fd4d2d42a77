//===- LaunchMemory.h - The memory of one kernel run ------------*- C++ -*-===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The buffers of a launch. Every run starts with the same bytes at the same
// addresses, so what two kernels did to them can be compared byte by byte.
//
//===----------------------------------------------------------------------===//

#ifndef UNRAVEL_TOOLS_KERNEL_RUN_LAUNCH_LAUNCHMEMORY_H
#define UNRAVEL_TOOLS_KERNEL_RUN_LAUNCH_LAUNCHMEMORY_H

#include "tools/kernel-run/launch/HostKernel.h"
#include "tools/kernel-run/launch/KernelLaunch.h"
#include "tools/kernel-run/machine/MemoryRegions.h"

namespace unravel {

/// What a run left in one buffer or device variable.
struct MemoryPart {
  std::string Name;
  ArgumentType Type;
  uint64_t Address;
  std::vector<uint8_t> Bytes;
};
using MemoryImage = std::vector<MemoryPart>;

struct MemoryDifference {
  std::string Name;
  ArgumentType Type;
  uint64_t Element;
  /// The first byte that differs: its number in the part, and its address.
  uint64_t Byte, Address;
  std::string Left, Right;
};

/// The first difference between what two runs of one launch left. Two NaNs
/// count as equal: LLVM does not define which of them an operation gives.
std::optional<MemoryDifference> firstDifference(const MemoryImage &Left,
                                                const MemoryImage &Right);

class LaunchMemory {
public:
  /// Allocates the buffers of \p Launch, which must outlive this, and reads
  /// their files. Fails if memory is short.
  static llvm::Expected<LaunchMemory> create(const KernelLaunch &Launch,
                                             uint64_t Seed);

  /// Gives every buffer the bytes it starts with.
  void reset();

  /// One pointer per argument to its value: to a pointer, for a buffer. The
  /// kernel reads its parameters through these.
  llvm::ArrayRef<void *> arguments() const { return ArgumentSlots; }

  /// The buffers, and the variables of \p Kernel that are not constant.
  MemoryImage image(const HostKernel &Kernel) const;

  struct Buffer {
    const KernelArgument *Argument;
    unsigned Number;
    /// The bytes of its file.
    std::vector<uint8_t> Contents;
    Pages Storage;
    uint8_t *Begin;

    uint64_t size() const { return Argument->sizeInBytes(); }
    /// "argument 1", with the direction.
    std::string name() const;
    /// How many bytes are not those of the start.
    uint64_t changedBytes(uint64_t Seed) const;
  };
  llvm::ArrayRef<Buffer> buffers() const { return Buffers; }
  uint64_t seed() const { return Seed; }

  /// The bytes of all buffers together, and how many of them have changed.
  uint64_t sizeInBytes() const;
  uint64_t changedBytes() const;

private:
  LaunchMemory() = default;

  std::vector<Buffer> Buffers;
  std::vector<std::unique_ptr<uint64_t>> Values;
  std::vector<void *> ArgumentSlots;
  uint64_t Seed = 0;
};

} // namespace unravel

#endif // UNRAVEL_TOOLS_KERNEL_RUN_LAUNCH_LAUNCHMEMORY_H
