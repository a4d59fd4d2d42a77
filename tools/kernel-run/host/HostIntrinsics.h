//===- HostIntrinsics.h - NVVM intrinsics on this CPU -----------*- C++ -*-===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What the calls that only a GPU understands become in a host module: special
// registers are loads of the machine's, arithmetic is IR or a call of the C
// library, and whatever waits for other threads calls the block's scheduler.
// Approximate and directed-rounding operations are computed as round-to-nearest
// ones: both runs of a comparison do the same, and the check is about
// addresses, not about the last bit of a sine.
//
//===----------------------------------------------------------------------===//

#ifndef UNRAVEL_TOOLS_KERNEL_RUN_HOST_HOSTINTRINSICS_H
#define UNRAVEL_TOOLS_KERNEL_RUN_HOST_HOSTINTRINSICS_H

#include "tools/kernel-run/host/HostCode.h"
#include "llvm/ADT/StringRef.h"

namespace unravel {

class HostIntrinsics {
public:
  explicit HostIntrinsics(HostCode &Code) : Code(Code), Host(Code.module()) {}

  /// Whether \p Call is one that only a GPU understands.
  static bool isForGPU(const llvm::CallInst &Call);

  /// Replaces and erases such a call, the copy of \p Source. False, and nothing
  /// changed, if there is no replacement.
  bool lower(llvm::CallInst &Call, const llvm::Instruction &Source);

private:
  using Builder = llvm::IRBuilder<>;

  llvm::Value *lowerIntrinsic(Builder &B, llvm::CallInst &Call,
                              const llvm::Instruction &Source);
  llvm::Value *lowerMemory(Builder &B, llvm::StringRef Name,
                           llvm::CallInst &Call,
                           const llvm::Instruction &Source);
  llvm::Value *lowerAtomic(Builder &B, llvm::StringRef Name,
                           llvm::CallInst &Call,
                           const llvm::Instruction &Source);
  llvm::Value *lowerSynchronization(Builder &B, llvm::StringRef Name,
                                    llvm::CallInst &Call,
                                    const llvm::Instruction &Source);
  llvm::Value *lowerAssembly(Builder &B, llvm::CallInst &Call);

  HostCode &Code;
  llvm::Module &Host;
};

} // namespace unravel

#endif // UNRAVEL_TOOLS_KERNEL_RUN_HOST_HOSTINTRINSICS_H
