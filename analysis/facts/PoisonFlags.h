//===- PoisonFlags.h - Flags that make a result poison ----------*- C++ -*-===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef UNRAVEL_ANALYSIS_FACTS_POISONFLAGS_H
#define UNRAVEL_ANALYSIS_FACTS_POISONFLAGS_H

namespace llvm {
class Instruction;
} // namespace llvm

namespace unravel {

/// The flags of an operation on integers, in IR or planned, that make its
/// result poison where what they say does not hold.
struct PoisonFlags {
  bool NoUnsignedWrap = false, NoSignedWrap = false;
  bool Exact = false, Disjoint = false;

  static PoisonFlags of(const llvm::Instruction &I);
};

} // namespace unravel

#endif // UNRAVEL_ANALYSIS_FACTS_POISONFLAGS_H
