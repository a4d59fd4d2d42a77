//===- AssemblyExpander.h - One piece of inline assembly --------*- C++ -*-===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Each kind of instruction has a function that answers false for what it does
// not know, before it has emitted anything. An instruction that none of them
// knows becomes a piece of assembly of its own.
//
//===----------------------------------------------------------------------===//

#ifndef UNRAVEL_TOOLS_KERNEL_RUN_ASSEMBLY_ASSEMBLYEXPANDER_H
#define UNRAVEL_TOOLS_KERNEL_RUN_ASSEMBLY_ASSEMBLYEXPANDER_H

#include "ptx/text/PtxSyntax.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/IR/IRBuilder.h"

namespace unravel {

class AssemblyExpander {
public:
  explicit AssemblyExpander(llvm::CallInst &Call)
      : Call(Call), B(&Call), Context(Call.getContext()) {}

  /// Replaces and erases the call. False if it stays as it is.
  bool run();

private:
  using Instruction = ptx::Instruction;

  // ExpandAssembly.cpp: operands

  /// Gives the operands of the call names.
  bool bindOperands();
  llvm::Value *results();
  void expand(const Instruction &I);
  void expandAsText(const Instruction &I);
  /// Null for what is not bound, such as a special register.
  llvm::Value *find(const ptx::Operand &O) const;
  bool canRead(const ptx::Operand &O) const;
  llvm::Value *read(const ptx::Operand &O, llvm::Type *Ty);
  llvm::Value *readPredicate(const ptx::Operand &O);
  /// Where the guard does not hold, the register keeps what it has.
  void write(const ptx::Operand &O, llvm::Value *V, bool IsSigned = false);
  llvm::Value *convert(llvm::Value *V, llvm::Type *Ty, bool IsSigned = false);
  llvm::Type *typeOf(const ptx::Type &T) const;
  /// Calls an intrinsic of NVPTX.
  llvm::Value *callIntrinsic(llvm::Intrinsic::ID ID,
                             llvm::ArrayRef<llvm::Value *> Arguments);

  // AssemblyMemory.cpp

  bool expandMemory(const Instruction &I);
  bool expandLoad(const Instruction &I);
  bool expandStore(const Instruction &I);
  bool expandAtomic(const Instruction &I);
  bool expandAsynchronousCopy(const Instruction &I);
  bool isAddress(const ptx::Operand &O) const;
  llvm::Value *address(const ptx::Operand &O, const Instruction &I);
  /// Emits what follows where the guard holds, until leaveGuard().
  void enterGuard();
  /// Merges \p V, which the guarded code computed, with what \p O has.
  void leaveGuard(llvm::ArrayRef<ptx::Operand> Written,
                  llvm::ArrayRef<llvm::Value *> NewValues, bool IsSigned);

  // AssemblyValues.cpp

  bool expandMove(const Instruction &I);
  bool expandPack(const Instruction &I, unsigned Width);
  bool expandCompare(const Instruction &I);
  bool expandConversion(const Instruction &I);
  bool expandPacked(const Instruction &I);

  // AssemblyIntegers.cpp

  bool expandInteger(const Instruction &I);
  bool expandSum(const Instruction &I, const ptx::Type &T);
  bool expandBits(const Instruction &I, const ptx::Type &T);
  /// Of `min` and `max`; none for other names.
  static llvm::Intrinsic::ID extremeNamed(llvm::StringRef Name, bool IsSigned);

  // AssemblySynchronization.cpp

  bool expandSynchronization(const Instruction &I);
  bool expandBarrier(const Instruction &I);
  bool expandWarpOperation(const Instruction &I);
  /// Writes \p V to \p O. Of two results, \p O need not take the second one.
  void writeResults(const ptx::Operand &O, llvm::Value *V);

  llvm::CallInst &Call;
  llvm::IRBuilder<> B;
  llvm::LLVMContext &Context;
  /// The text, with names in place of operand numbers, as a module.
  std::string Text;
  llvm::StringMap<llvm::Value *> Values;
  /// Of registers that have no value yet, too.
  llvm::StringMap<llvm::Type *> Types;
  llvm::SmallVector<std::string, 8> Outputs;
  llvm::Value *Guard = nullptr;
  /// Of the last instruction with `.cc`; null in front of the first.
  llvm::Value *Carry = nullptr;
  /// Where the code without the guarded part comes from.
  llvm::BasicBlock *Before = nullptr;
};

} // namespace unravel

#endif // UNRAVEL_TOOLS_KERNEL_RUN_ASSEMBLY_ASSEMBLYEXPANDER_H
