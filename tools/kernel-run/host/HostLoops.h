//===- HostLoops.h - Counts iterations in host code -------------*- C++ -*-===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef UNRAVEL_TOOLS_KERNEL_RUN_HOST_HOSTLOOPS_H
#define UNRAVEL_TOOLS_KERNEL_RUN_HOST_HOSTLOOPS_H

#include "tools/kernel-run/host/HostCode.h"
#include "llvm/Transforms/Utils/ValueMapper.h"

namespace unravel {

/// Lets \p Copy, the copy of \p Source by \p Map, tell the machine of each
/// iteration of each loop, and of its own calls if \p CountsCalls.
void addIterationCounters(llvm::Function &Copy, llvm::Function &Source,
                          const llvm::ValueToValueMapTy &Map, HostCode &Code,
                          bool CountsCalls);

} // namespace unravel

#endif // UNRAVEL_TOOLS_KERNEL_RUN_HOST_HOSTLOOPS_H
