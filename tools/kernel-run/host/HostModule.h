//===- HostModule.h - A kernel's IR for this CPU ---------------*- C++ -*--===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The translation from NVVM IR to host IR: copies a kernel and what it uses,
// puts all address spaces into one, replaces what only a GPU understands, and
// checks every access, division and assumption. No IR optimisation runs: what
// executes is what the file says.
//
//===----------------------------------------------------------------------===//

#ifndef UNRAVEL_TOOLS_KERNEL_RUN_HOST_HOSTMODULE_H
#define UNRAVEL_TOOLS_KERNEL_RUN_HOST_HOSTMODULE_H

#include "tools/kernel-run/host/HostCode.h"
#include "tools/kernel-run/machine/VariableMemory.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/Error.h"
#include <memory>

namespace unravel {

/// The function of a host module that runs one thread. It has the type
/// void(void *const *Arguments).
constexpr llvm::StringLiteral ThreadFunctionName = "unravel.thread";

/// A variable of the source; a region once the module is compiled.
struct ModuleVariable {
  MemoryRegion Region;
  /// The host module's constant with what it starts with; empty for shared
  /// memory.
  std::string Image;
  bool IsConstant = false;
};

struct HostModule {
  std::unique_ptr<llvm::Module> IR;
  std::vector<CheckedInstruction> Instructions;
  std::vector<IterationCounter> Counters;
  std::vector<ModuleVariable> Variables;
  uint64_t StaticSharedBytes = 0;
  bool UsesDynamicShared = false;
  /// Whether a thread may wait for others.
  bool MayWait = false;
};

/// Translates \p Kernel for \p Triple and \p Layout, in the same context. With
/// \p CountsIterations, threads tell the machine's listener of them.
/// Fails if it uses what a CPU cannot run; the message names the instruction
/// and the way out.
llvm::Expected<HostModule> makeHostModule(llvm::Function &Kernel,
                                          const llvm::Triple &Triple,
                                          const llvm::DataLayout &Layout,
                                          VariableMemory &Memory,
                                          bool CountsIterations);

} // namespace unravel

#endif // UNRAVEL_TOOLS_KERNEL_RUN_HOST_HOSTMODULE_H
