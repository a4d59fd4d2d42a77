//===- VariableMemory.h - Where the variables of modules live --*- C++ -*--===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Addresses for device variables, constants and shared memory. They are fixed
// before a kernel is compiled. A variable of one name and size is at the same
// place in every module, so that runs of two modules can be compared.
//
//===----------------------------------------------------------------------===//

#ifndef UNRAVEL_TOOLS_KERNEL_RUN_MACHINE_VARIABLEMEMORY_H
#define UNRAVEL_TOOLS_KERNEL_RUN_MACHINE_VARIABLEMEMORY_H

#include "tools/kernel-run/machine/MemoryRegions.h"
#include "llvm/ADT/StringMap.h"

namespace unravel {

/// What a block may have at most, static and dynamic together: sm_90's.
constexpr uint64_t MaxSharedBytes = 227 << 10;

class VariableMemory {
public:
  static llvm::Expected<VariableMemory> create();

  /// A place for a variable that kernels write; forked processes share it.
  llvm::Expected<uint64_t> placeVariable(llvm::StringRef Name, uint64_t Size,
                                         uint64_t Align);
  llvm::Expected<uint64_t> placeConstant(uint64_t Size, uint64_t Align);

  /// Where a kernel's static shared variables begin; a megabyte is free there.
  uint64_t staticShared() const;
  uint64_t dynamicShared() const;

private:
  VariableMemory() = default;

  std::vector<Pages> Storage;
  llvm::StringMap<uint64_t> Places;
  Pages Shared;
};

} // namespace unravel

#endif // UNRAVEL_TOOLS_KERNEL_RUN_MACHINE_VARIABLEMEMORY_H
