//===- ValueNumbers.h - Values that are the same ----------------*- C++ -*-===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef UNRAVEL_TRANSFORMS_LATE_VALUENUMBERS_H
#define UNRAVEL_TRANSFORMS_LATE_VALUENUMBERS_H

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/Instructions.h"

namespace unravel {

/// What one of two values is, by one condition: a select, or the phi of an
/// if-else whose branches are a block each, one of them perhaps empty.
struct Choice {
  llvm::Value *Condition = nullptr, *OnTrue = nullptr, *OnFalse = nullptr;

  static Choice of(llvm::Instruction &I);
  explicit operator bool() const { return Condition; }
};

/// Values with one number are equal wherever both are computed, poison
/// included: the same operation, with the same flags, on values of one number.
/// Unlike LLVM's value numbering this sees through choices, whose sides stand
/// in blocks that do not dominate each other. Takes linear time.
class ValueNumbers {
public:
  explicit ValueNumbers(llvm::Function &F);

  unsigned of(const llvm::Value *V);

private:
  using Key = llvm::SmallVector<unsigned, 4>;

  unsigned fresh() { return ++Last; }
  unsigned numberOf(llvm::Instruction &I);

  unsigned Last = 0;
  llvm::DenseMap<const llvm::Value *, unsigned> Numbers;
  /// By a hash: operations with the numbers of their operands.
  struct Operation {
    llvm::Instruction *I;
    Key Operands;
  };
  llvm::DenseMap<size_t, llvm::SmallVector<Operation, 1>> Operations;
};

} // namespace unravel

#endif // UNRAVEL_TRANSFORMS_LATE_VALUENUMBERS_H
