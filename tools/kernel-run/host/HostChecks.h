//===- HostChecks.h - Checks and replacements in a copied function --*- C++
//-*--===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What becomes of single instructions of a copied function: accesses, divisions
// and assumptions are checked, local variables move to the machine's memory.
//
//===----------------------------------------------------------------------===//

#ifndef UNRAVEL_TOOLS_KERNEL_RUN_HOST_HOSTCHECKS_H
#define UNRAVEL_TOOLS_KERNEL_RUN_HOST_HOSTCHECKS_H

#include "tools/kernel-run/host/HostCode.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"

namespace unravel {

class HostChecks {
public:
  explicit HostChecks(HostCode &Code) : Code(Code) {}

  /// Checks what \p Copy, the copy of \p Source, does to memory. May replace
  /// and erase it. False if it accesses memory in a way that is not checked.
  bool checkInstruction(llvm::Instruction &Copy,
                        const llvm::Instruction &Source);

  /// Gives \p Copy its own copies of arguments that are passed by value, and
  /// frees local variables on the way out; \p Source is its first instruction.
  void addFrame(llvm::Function &Copy, const llvm::Instruction &Source);

private:
  void checkDivision(llvm::BinaryOperator &I, const llvm::Instruction &Source);
  bool checkMemoryIntrinsic(llvm::IntrinsicInst &I,
                            const llvm::Instruction &Source);
  void moveVariable(llvm::AllocaInst &I, const llvm::Instruction &Source);
  llvm::Value *allocate(llvm::IRBuilder<> &B, llvm::Value *Bytes,
                        llvm::Align Align, const llvm::Instruction &Source);

  HostCode &Code;
};

} // namespace unravel

#endif // UNRAVEL_TOOLS_KERNEL_RUN_HOST_HOSTCHECKS_H
