//===- GridRunner.h - Runs the blocks of a grid ----------------*- C++ -*--===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Blocks run in forked workers that share the buffers, each a slice of the
// blocks in order. Whatever a kernel does, this process lives on to tell.
//
//===----------------------------------------------------------------------===//

#ifndef UNRAVEL_TOOLS_KERNEL_RUN_LAUNCH_GRIDRUNNER_H
#define UNRAVEL_TOOLS_KERNEL_RUN_LAUNCH_GRIDRUNNER_H

#include "tools/kernel-run/launch/HostKernel.h"
#include "tools/kernel-run/launch/LaunchMemory.h"

namespace unravel {

/// Some blocks of a grid by their linear numbers, x fastest.
class BlockSelection {
public:
  static BlockSelection all(const LaunchShape &Shape);
  /// \p Count blocks, evenly spread, with the first and the last.
  static BlockSelection sample(const LaunchShape &Shape, uint64_t Count);
  /// Parses "0,1,5-9,last".
  static llvm::Expected<BlockSelection> parse(llvm::StringRef Text,
                                              const LaunchShape &Shape);

  uint64_t size() const { return Size; }
  /// The block at \p Index in the order they were given.
  uint64_t operator[](uint64_t Index) const;

private:
  void add(uint64_t First, uint64_t Last);

  struct Range {
    uint64_t First, Last;
  };
  std::vector<Range> Ranges;
  uint64_t Size = 0;
};

struct RunSettings {
  unsigned Jobs = 1;
  /// Zero: no limit.
  unsigned TimeoutSeconds = 0;
  bool ExitedArrive = false;
  bool ShowProgress = false;
  /// The address of a byte whose last writer is wanted.
  std::optional<uint64_t> Watch;
  /// Hears of all accesses, in the worker; needs a single job. May be null.
  AccessListener *Listener = nullptr;
};

/// Runs \p Blocks of \p Launch on fresh memory and returns who last wrote the
/// watched byte. What the kernel does wrong is a KernelFinding.
llvm::Expected<Writer> runGrid(const HostKernel &Kernel,
                               const KernelLaunch &Launch,
                               const BlockSelection &Blocks,
                               LaunchMemory &Memory,
                               const RunSettings &Settings);

} // namespace unravel

#endif // UNRAVEL_TOOLS_KERNEL_RUN_LAUNCH_GRIDRUNNER_H
