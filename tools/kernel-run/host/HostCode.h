//===- HostCode.h - Writes calls of the run time into host IR --*- C++ -*--===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Translated code calls functions of this process by address, and asks about
// instructions by their number in a list. This writes both.
//
//===----------------------------------------------------------------------===//

#ifndef UNRAVEL_TOOLS_KERNEL_RUN_HOST_HOSTCODE_H
#define UNRAVEL_TOOLS_KERNEL_RUN_HOST_HOSTCODE_H

#include "tools/kernel-run/machine/Machine.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Module.h"

namespace unravel {

/// What a thread counts if its accesses are traced: the iterations of a loop
/// from 0 on, or calls of a function other than the kernel from 1 on.
struct IterationCounter {
  const llvm::Function *In;
  const llvm::BasicBlock *Header; ///< of the loop; null for calls
};

class HostCode {
public:
  explicit HostCode(llvm::Module &Host) : Host(Host) {}

  llvm::Module &module() { return Host; }
  std::vector<CheckedInstruction> takeInstructions() {
    return std::move(Instructions);
  }

  /// Some thread may wait for another one.
  bool MayWait = false;
  std::vector<IterationCounter> Counters;

  /// A constant pointer to \p Address of this process.
  llvm::Constant *pointer(uint64_t Address);
  llvm::Constant *pointer(const void *Address) {
    return pointer(reinterpret_cast<uintptr_t>(Address));
  }

  /// The number of \p Source, as a constant. One that accesses memory needs a
  /// number for each address.
  llvm::Constant *number(const llvm::Instruction &Source, uint64_t Align = 1,
                         bool Writes = false);

  /// Calls a function of this process; integers become its parameters' types.
  template <typename Result, typename... Parameters>
  llvm::CallInst *call(llvm::IRBuilder<> &B, Result (*Function)(Parameters...),
                       llvm::ArrayRef<llvm::Value *> Arguments) {
    return callAddress(B, reinterpret_cast<uintptr_t>(Function),
                       typeOf<Result>(B), {typeOf<Parameters>(B)...},
                       Arguments);
  }

  /// Checks an access of \p Bytes bytes, or of a \p Type.
  void checkAccess(llvm::IRBuilder<> &B, const llvm::Instruction &Source,
                   llvm::Value *Pointer, llvm::Value *Bytes, uint64_t Align,
                   bool Writes);
  void checkAccess(llvm::IRBuilder<> &B, const llvm::Instruction &Source,
                   llvm::Value *Pointer, llvm::Type *Type, uint64_t Align,
                   bool Writes);

private:
  template <typename T> static llvm::Type *typeOf(llvm::IRBuilder<> &B) {
    static_assert(std::is_void_v<T> || std::is_integral_v<T>);
    if constexpr (std::is_void_v<T>)
      return B.getVoidTy();
    else
      return B.getIntNTy(8 * sizeof(T));
  }

  llvm::CallInst *callAddress(llvm::IRBuilder<> &B, uint64_t Address,
                              llvm::Type *Result,
                              llvm::ArrayRef<llvm::Type *> Parameters,
                              llvm::ArrayRef<llvm::Value *> Arguments);

  llvm::Module &Host;
  std::vector<CheckedInstruction> Instructions;
};

} // namespace unravel

#endif // UNRAVEL_TOOLS_KERNEL_RUN_HOST_HOSTCODE_H
