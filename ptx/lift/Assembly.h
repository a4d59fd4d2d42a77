//===- Assembly.h - One piece of inline assembly ----------------*- C++ -*-===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef UNRAVEL_PTX_LIFT_ASSEMBLY_H
#define UNRAVEL_PTX_LIFT_ASSEMBLY_H

#include "ptx/lift/TextEffects.h"
#include "ptx/text/PtxWords.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/IR/IRBuilder.h"

namespace unravel::ptx {

/// The letter for an operand of type \p Ty; 0 if it can be none.
char constraintOf(llvm::Type *Ty);

/// The operands of one piece of inline assembly: results first, all numbered.
class Assembly {
public:
  explicit Assembly(llvm::LLVMContext &Context) : Context(Context) {}

  /// \p Mark is "=", or "=&" for a result that is written before the last
  /// operand is read.
  void addResult(llvm::StringRef Name, llvm::Type *Ty, llvm::StringRef Mark);
  /// Returns the number.
  unsigned addArgument(llvm::Value *V);
  /// An argument in the register of a result.
  void addTied(unsigned Result, llvm::Value *V);
  /// An argument that stands for a register; one that holds an address is
  /// another operand than the same register as a number.
  void addNamed(llvm::StringRef Name, llvm::Value *V, bool IsAddress);
  /// What is added from now on are other operands, whatever their names.
  void forgetNames() { Numbers.clear(); }

  unsigned number(llvm::StringRef Name) const { return Numbers.lookup(Name); }
  bool hasName(llvm::StringRef Name, bool IsAddress) const;
  /// What stands for \p Name in the text.
  std::string renamed(llvm::StringRef Name, bool IsAddress) const;
  llvm::ArrayRef<llvm::StringRef> results() const { return Results; }

  llvm::CallInst *create(llvm::IRBuilder<> &B, llvm::StringRef Text,
                         const TextEffects &Effects) const;

private:
  unsigned addArgument(llvm::Value *V, const llvm::Twine &Constraint);

  llvm::LLVMContext &Context;
  llvm::SmallVector<std::string, 8> Constraints;
  llvm::SmallVector<llvm::StringRef, 4> Results;
  llvm::SmallVector<llvm::Type *, 4> ResultTypes;
  llvm::SmallVector<llvm::Value *, 8> Arguments;
  llvm::StringMap<unsigned> Numbers, AddressNumbers;
};

/// `$` begins an operand in inline assembly.
std::string escaped(llvm::StringRef Text);

/// \p I without its guard, with a semicolon: \p Rename gives what stands for a
/// name in an operand.
void printText(
    const Instruction &I,
    llvm::function_ref<std::string(const Operand &In, llvm::StringRef Name)>
        Rename,
    llvm::raw_ostream &OS);

} // namespace unravel::ptx

#endif // UNRAVEL_PTX_LIFT_ASSEMBLY_H
