//===- HostIntrinsics.h - NVVM intrinsics on this CPU -----------*- C++ -*-===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What the calls that only a GPU understands become in a host module: special
// registers are loads of globals, arithmetic is IR or a call of the C library.
// Approximate and directed-rounding operations are computed as round-to-nearest
// ones: both runs of a comparison do the same, and the check is about
// addresses, not about the last bit of a sine.
//
//===----------------------------------------------------------------------===//

#ifndef UNRAVEL_TEST_EXECUTION_HOSTINTRINSICS_H
#define UNRAVEL_TEST_EXECUTION_HOSTINTRINSICS_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/IR/IRBuilder.h"
#include <utility>

namespace unravel {

class HostIntrinsics {
public:
  explicit HostIntrinsics(llvm::Module &Host) : Host(Host) {}

  /// Whether \p Call is one that only a GPU understands.
  static bool isForGPU(const llvm::CallInst &Call);

  /// Replaces and erases such a call. False, and nothing changed, if there is
  /// no replacement.
  bool lower(llvm::CallInst &Call);

  /// The i32 global that stands for a special register: "tid.x", "laneid", ...
  llvm::GlobalVariable *specialRegister(llvm::StringRef Name);

  /// What lowered code calls besides the C library.
  static llvm::ArrayRef<std::pair<llvm::StringRef, void *>> helpers();

private:
  llvm::Value *lowerIntrinsic(llvm::IRBuilder<> &B, llvm::CallInst &Call);
  llvm::Value *lowerAssembly(llvm::IRBuilder<> &B, llvm::CallInst &Call);

  llvm::Module &Host;
};

} // namespace unravel

#endif // UNRAVEL_TEST_EXECUTION_HOSTINTRINSICS_H
