//===- LibraryCalls.h - Calls whose meaning is not known ------*- C++ -*-===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A custom-call names a function of a library. To check the kernels around it,
// each call yields random values, the same ones to the evaluator and to the
// kernels, and its operands have to be what the evaluator had there. Calls with
// an effect are made as often as by the evaluator.
//
//===----------------------------------------------------------------------===//

#ifndef UNRAVEL_TOOLS_FUSIONEMIT_LIBRARYCALLS_H
#define UNRAVEL_TOOLS_FUSIONEMIT_LIBRARYCALLS_H

#include "frontend/evaluate/HloErrors.h"
#include "frontend/hlo/HloEffects.h"
#include "frontend/kernels/KernelEmitter.h"
#include "llvm/ADT/StringMap.h"

namespace unravel {

class LibraryCalls {
public:
  /// For the evaluator, which comes first: makes the values, and keeps them.
  HloLiteral evaluate(const HloInstruction &Call,
                      llvm::ArrayRef<const HloLiteral *> Operands);

  /// For the evaluator when it goes the same way again, to bound \p Errors: the
  /// same values.
  const HloLiteral &repeat(const HloInstruction &Call,
                           llvm::ArrayRef<const HloLiteral *> Operands,
                           const HloErrors &Errors);

  /// For kernels: the same values. A KernelFinding if the operands differ.
  llvm::Expected<std::vector<HloLiteral>>
  run(const EmittedStep &Call, llvm::ArrayRef<HloLiteral> Operands);

  /// A KernelFinding if a call with an effect was left out since restart().
  llvm::Error checkEffects() const;

  /// What follows is from the beginning again.
  void restart() { Again.clear(); }

  size_t callCount() const { return Count; }

private:
  struct Record {
    bool HasEffect = false;
    std::vector<HloLiteral> Operands;
    HloLiteral Result;
    /// Of each operand: null if it is exact, or not known.
    std::vector<std::shared_ptr<const HloLiteral>> Bounds;
  };
  /// By the name of the instruction, in the order of the calls. The evaluator
  /// may make more of them: it does not know of each array whether it is read.
  llvm::StringMap<std::vector<Record>> Records;
  llvm::StringMap<size_t> Again;
  size_t Count = 0;
  HloEffects Effects;
};

} // namespace unravel

#endif // UNRAVEL_TOOLS_FUSIONEMIT_LIBRARYCALLS_H
