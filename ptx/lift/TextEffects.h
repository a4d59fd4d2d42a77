//===- TextEffects.h - What instructions do that stay text ------*- C++ -*-===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// LLVM has to know which registers such an instruction writes and what else it
// does. An instruction that is in none of the tables makes its kernel stay as
// it is.
//
//===----------------------------------------------------------------------===//

#ifndef UNRAVEL_PTX_LIFT_TEXTEFFECTS_H
#define UNRAVEL_PTX_LIFT_TEXTEFFECTS_H

#include "ptx/text/PtxSyntax.h"
#include "llvm/ADT/ArrayRef.h"

namespace unravel::ptx {

enum class Effect {
  Unknown,
  Pure,    ///< writes its first operand, and that depends on the others alone
  Reads,   ///< the same, and it depends on memory
  Any,     ///< whatever it does besides writing its first operand
  NoResult ///< whatever it does; it writes no register
};

/// \p IsInGroup: the instruction stands in one text with its neighbours.
Effect effectOf(const Instruction &I, bool IsInGroup);

/// Whether it writes or reads the carry.
bool usesCarry(const Instruction &I);
bool readsCarry(const Instruction &I);

/// What one piece of text does, of one instruction or of several.
struct TextEffects {
  void add(const Instruction &I, Effect E);

  bool ReadsMemory = false;
  bool HasSideEffects = false;
  /// Some of the side effects may be in memory, and not only between the
  /// threads of a warp.
  bool WritesMemory = false;
  /// Threads of a warp take part in it together: LLVM must not make it depend
  /// on more conditions.
  bool IsConvergent = false;
};

/// What an instruction with \p E writes, and what it reads.
struct OperandRoles {
  OperandRoles(const Instruction &I, Effect E);
  const Operand *Result; ///< or null
  llvm::ArrayRef<Operand> Sources;
};

} // namespace unravel::ptx

#endif // UNRAVEL_PTX_LIFT_TEXTEFFECTS_H
