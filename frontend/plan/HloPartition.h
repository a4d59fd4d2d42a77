//===- HloPartition.h - Which instructions are functions --------*- C++ -*-===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Code for an element contains the code for all elements that it depends on. In
//
//     log = f32[8,8] log(p)
//     ROOT add = f32[8,8] add(log, transpose(log))
//
// log is needed at two indices. Code at each use would contain it twice, and in
// a chain of such steps 2^n times. So
//
// * an instruction whose uses all need the same element is computed once, at
//   the first use;
// * an instruction that is used at different indices becomes a function of the
//   index;
// * leaves (a load, a constant, an iota) are repeated at every use.
//
// Then each instruction except the leaves is emitted exactly once.
//
// Two uses need the same element if everything between them is elementwise.
// Other maps are not compared: that could only save a function.
//
//===----------------------------------------------------------------------===//

#ifndef UNRAVEL_FRONTEND_PLAN_HLOPARTITION_H
#define UNRAVEL_FRONTEND_PLAN_HLOPARTITION_H

#include "frontend/hlo/HloModule.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace unravel {

class HloPartition {
public:
  using IsInMemory = llvm::function_ref<bool(const HloInstruction &)>;
  using Buffers = std::vector<const HloInstruction *>;

  HloPartition() = default;
  /// What \p Roots, all of one computation, are computed from. Roots with the
  /// same number in \p Places are needed at one index. What \p IsLoaded is not
  /// computed; parameters have to be loaded.
  HloPartition(llvm::ArrayRef<const HloInstruction *> Roots,
               llvm::ArrayRef<unsigned> Places, IsInMemory IsLoaded);

  /// Operands before users.
  llvm::ArrayRef<const HloInstruction *> functions() const { return Functions; }
  bool isFunction(const HloInstruction &I) const {
    return BuffersOf.contains(&I);
  }
  /// The arrays that a function, or one that it calls, loads from.
  const Buffers &buffersOf(const HloInstruction &Function) const {
    return BuffersOf.find(&Function)->second;
  }
  /// Every instruction that is computed or loaded, operands before users.
  llvm::ArrayRef<const HloInstruction *> instructions() const { return Needed; }

private:
  Buffers collectBuffers(const HloInstruction &Function,
                         IsInMemory IsLoaded) const;

  std::vector<const HloInstruction *> Functions, Needed;
  llvm::DenseMap<const HloInstruction *, Buffers> BuffersOf;
};

/// Which element of operand \p K an instruction needs, as a number: 0 is the
/// element at its own index, and operands with the same number are needed at
/// the same index; nullopt if it needs several elements.
std::optional<unsigned> operandPlace(const HloInstruction &I, size_t K);

} // namespace unravel

#endif // UNRAVEL_FRONTEND_PLAN_HLOPARTITION_H
