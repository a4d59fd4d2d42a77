//===- TracedAccess.h - The accesses that a trace tells apart ---*- C++ -*-===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef UNRAVEL_TOOLS_KERNEL_RUN_TRACE_TRACEDACCESS_H
#define UNRAVEL_TOOLS_KERNEL_RUN_TRACE_TRACEDACCESS_H

#include "analysis/warps/KernelAccesses.h"
#include "tools/kernel-run/host/HostModule.h"

namespace unravel {

/// A static access.
struct TracedAccess {
  MemoryAccess Access;
  /// The counters of the loops around it, the outermost first; in a function
  /// that is called, that of the calls comes first.
  llvm::SmallVector<uint32_t, 4> Counters;
  /// It is in a function that is called: the k-th calls of all lanes are taken
  /// to be one.
  bool IsCalled = false;
  /// Why its requests are not traced; empty if they are.
  std::string NotTraced;

  /// `k.cu:31`, or empty.
  std::string place() const;
};

struct TracedAccesses {
  /// Those of the kernel in the order of accessesOf(), then those of functions
  /// that it calls.
  std::vector<TracedAccess> List;
  /// For each checked instruction the index in List, or -1.
  std::vector<int> NumberOf;
  unsigned Counters;

  TracedAccesses(const llvm::Function &Kernel,
                 llvm::ArrayRef<CheckedInstruction> Instructions,
                 llvm::ArrayRef<IterationCounter> Counters);
};

} // namespace unravel

#endif // UNRAVEL_TOOLS_KERNEL_RUN_TRACE_TRACEDACCESS_H
