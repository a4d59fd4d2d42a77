//===- RunReport.h - What kernel-run has to say ----------------*- C++ -*--===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef UNRAVEL_TOOLS_KERNEL_RUN_LAUNCH_RUNREPORT_H
#define UNRAVEL_TOOLS_KERNEL_RUN_LAUNCH_RUNREPORT_H

#include "tools/kernel-run/launch/GridRunner.h"
#include "tools/kernel-run/launch/LaunchMemory.h"
#include "tools/kernel-run/trace/TraceReport.h"

namespace unravel {

/// One launch that was run, in one or more versions.
struct LaunchReport {
  LaunchShape Shape;
  uint64_t BlocksRun = 0, Bytes = 0, BytesChanged = 0;
  /// The files, and what else ran: the first is what the others agree with.
  std::vector<std::string> Versions;
  struct Buffer {
    unsigned Argument;
    std::string Name, Type;
    uint64_t Count, BytesChanged, Checksum;
  };
  std::vector<Buffer> Buffers;
  /// One for each version, or none.
  std::vector<TraceReport> Traces;

  uint64_t threadsRun() const { return BlocksRun * Shape.threadsPerBlock(); }
};

/// A byte that two versions leave different.
struct DifferenceReport {
  MemoryDifference What;
  std::string Left, Right;
  /// The thread and the instruction that wrote it.
  std::string LeftWriter, RightWriter;

  std::string text() const;
};

struct RunReport {
  std::string Module, Kernel;
  std::vector<LaunchReport> Launches;
  std::optional<DifferenceReport> Difference;
  /// What was found wrong; empty if nothing was.
  std::string Finding;

  void printText(llvm::raw_ostream &OS) const;
  void printJSON(llvm::raw_ostream &OS) const;
};

/// What \p Kernel left in the buffers of \p Memory.
LaunchReport describeRun(const KernelLaunch &Launch, uint64_t BlocksRun,
                         const LaunchMemory &Memory, const HostKernel &Kernel);

} // namespace unravel

#endif // UNRAVEL_TOOLS_KERNEL_RUN_LAUNCH_RUNREPORT_H
