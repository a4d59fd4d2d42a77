//===- Semantics.h - What LLVM's instructions compute -----------*- C++ -*-===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The LLVM Language Reference as formulas: results, when they are poison and
// when executing an instruction is undefined. It shares no code with the pass
// that it judges.
//
//===----------------------------------------------------------------------===//

#ifndef UNRAVEL_TEST_REFINEMENT_SEMANTICS_H
#define UNRAVEL_TEST_REFINEMENT_SEMANTICS_H

#include "SymbolicValue.h"
#include "World.h"
#include "llvm/IR/Instructions.h"

namespace unravel::refinement {

/// What executing an instruction does.
struct Effect {
  SymbolicValue Result;
  z3::expr Undefined;
};

/// Whether a floating-point operation is defined for NaN and infinity too.
bool isAnyFloat(const llvm::Instruction &I);

class Semantics {
public:
  explicit Semantics(World &W) : W(W), C(W.context()) {}

  /// For every instruction without memory, control flow or choice (phi,
  /// freeze), and for calls of functions without effects.
  Effect evaluate(const llvm::Instruction &I,
                  llvm::ArrayRef<SymbolicValue> Operands);

  /// Accessing \p Bytes bytes through \p Pointer is undefined.
  z3::expr isBadAccess(const Lane &Pointer, uint64_t Bytes, llvm::Align A);

  /// Applies what the attributes or metadata of \p I promise of its result:
  /// makes it poison where they do not hold. Returns when \p I is undefined.
  z3::expr applyPromises(const llvm::Instruction &I, SymbolicValue &Result);
  /// Passing poison for a noundef parameter.
  z3::expr isBadCall(const llvm::CallBase &Call,
                     llvm::ArrayRef<SymbolicValue> Arguments);

private:
  // Scalars.
  SymbolicValue perLane(const llvm::Instruction &I,
                        llvm::ArrayRef<SymbolicValue> Operands,
                        z3::expr &Undefined);
  Lane binary(const llvm::BinaryOperator &I, const Lane &A, const Lane &B,
              z3::expr &Undefined);
  z3::expr wraps(unsigned Opcode, const z3::expr &A, const z3::expr &B,
                 bool Signed);
  Lane convert(const llvm::CastInst &I, const Lane &From, unsigned Width);
  Lane compare(const llvm::ICmpInst &I, const Lane &A, const Lane &B);
  z3::expr nonzero(const z3::expr &E);

  // Pointers.
  SymbolicValue address(const llvm::GetElementPtrInst &I,
                        llvm::ArrayRef<SymbolicValue> Operands);
  Lane addressLane(const llvm::GetElementPtrInst &I,
                   llvm::ArrayRef<Lane> Operands);

  // Aggregates and vectors.
  std::optional<SymbolicValue>
  rearrange(const llvm::Instruction &I, llvm::ArrayRef<SymbolicValue> Operands);
  std::optional<unsigned> laneIndex(const llvm::Value *Index,
                                    llvm::Type *VectorTy);

  // Calls (CallSemantics.cpp).
  Effect call(const llvm::CallBase &I, llvm::ArrayRef<SymbolicValue> Operands);
  std::optional<SymbolicValue>
  integerIntrinsic(const llvm::CallBase &I,
                   llvm::ArrayRef<SymbolicValue> Operands);
  std::optional<Lane> intrinsicLane(const llvm::CallBase &I,
                                    llvm::ArrayRef<Lane> A);
  SymbolicValue withOverflow(const llvm::CallBase &I, const SymbolicValue &A,
                             const SymbolicValue &B);
  std::optional<SymbolicValue>
  signIntrinsic(const llvm::CallBase &I,
                llvm::ArrayRef<SymbolicValue> Operands);
  z3::expr brokenAssumption(const llvm::AssumeInst &I,
                            llvm::ArrayRef<SymbolicValue> Operands);

  World &W;
  z3::context &C;
};

} // namespace unravel::refinement

#endif // UNRAVEL_TEST_REFINEMENT_SEMANTICS_H
