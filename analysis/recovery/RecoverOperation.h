//===- RecoverOperation.h - The form of one IR operation --------*- C++ -*-===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The private half of IndexRecovery: given the forms of an operation's
// operands, the forms of its result. One function an opcode family; a null
// form says that the reading could not be proved exact.
//
//===----------------------------------------------------------------------===//

#ifndef UNRAVEL_ANALYSIS_RECOVERY_RECOVEROPERATION_H
#define UNRAVEL_ANALYSIS_RECOVERY_RECOVEROPERATION_H

#include "analysis/recovery/IndexRecovery.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/Support/KnownBits.h"

namespace unravel {

inline unsigned widthOf(const llvm::Value *V) {
  return V->getType()->getIntegerBitWidth();
}

/// Whether OperationRecovery has a rule for \p V; anything else is a variable.
bool isRecoverableOperation(const llvm::Value *V);

class OperationRecovery {
public:
  using OperandForms =
      llvm::function_ref<const RecoveredValue &(llvm::Value *)>;
  using DivisionSink = llvm::function_ref<void(
      IndexExpr Dividend, int64_t Divisor, IndexExpr Quotient)>;

  /// Is told of every division by a value of run time.
  using RuntimeDivisionSink =
      llvm::function_ref<void(llvm::BinaryOperator *Division)>;

  /// Whether the first of two forms for one value is the better one.
  using Preference = llvm::function_ref<bool(IndexExpr, IndexExpr)>;

  /// \p Domain is that of the basis: it learns the ranges of the program's
  /// sums. \p FormsOf knows the operands, and may know what these were made of.
  OperationRecovery(IndexDomain &Domain, FloorBasis &Basis,
                    OperandForms FormsOf, DivisionSink NoteDivision,
                    RuntimeDivisionSink NoteRuntimeDivision,
                    Preference ExplainsMore, bool ReadsBits)
      : Domain(Domain), Basis(Basis), Context(Basis.context()),
        FormsOf(FormsOf), NoteDivision(NoteDivision),
        NoteRuntimeDivision(NoteRuntimeDivision), ExplainsMore(ExplainsMore),
        ReadsBits(ReadsBits) {}

  /// The forms of \p I; null where not proved.
  RecoveredValue recover(llvm::Instruction *I);

private:
  RecoveredValue
  linear(llvm::Instruction *I,
         llvm::function_ref<IndexExpr(IndexExpr, IndexExpr)> Op,
         llvm::function_ref<Interval(Interval, Interval)> RangeOp, bool NSW,
         bool NUW);
  RecoveredValue addLike(llvm::Instruction *I);
  RecoveredValue multiply(llvm::Instruction *I);
  RecoveredValue shiftLeft(llvm::Instruction *I);
  RecoveredValue divide(llvm::Instruction *I);
  RecoveredValue shiftRight(llvm::Instruction *I);
  RecoveredValue bitOr(llvm::Instruction *I);
  RecoveredValue bitAnd(llvm::Instruction *I);
  RecoveredValue keptBits(llvm::Instruction *I, llvm::Value *X,
                          const llvm::APInt &Mask);
  RecoveredValue setBits(llvm::Instruction *I);
  uint64_t possibleBits(IndexExpr E) const;
  llvm::APInt possibleBits(llvm::Value *V, const llvm::KnownBits &Known) const;
  RecoveredValue withDecidedMask(llvm::Instruction *I);
  RecoveredValue bitXor(llvm::Instruction *I);
  RecoveredValue withAnyBits(llvm::Instruction *I, RecoveredValue Result);
  RecoveredValue extend(llvm::Instruction *I);
  RecoveredValue truncate(llvm::Instruction *I);
  RecoveredValue freeze(llvm::Instruction *I);
  RecoveredValue compare(llvm::Instruction *I);
  RecoveredValue select(llvm::Instruction *I);
  RecoveredValue intrinsic(llvm::Instruction *I);

  IndexExpr outcome(const llvm::ICmpInst &Cmp);
  IndexExpr sizeOfPeriod(IndexExpr G) const;
  IndexExpr isNegative(IndexExpr G, const Interval &Range,
                       int64_t Compared = 0);
  IndexExpr quotient(IndexExpr Dividend, int64_t Divisor, bool Truncating);
  bool isBetterRead(const RecoveredValue &A, unsigned Width) const;
  IndexExpr highBits(const llvm::Instruction &I, int64_t Low);
  IndexExpr quotientByMagicNumber(llvm::Value *High, int64_t Divisor);
  IndexExpr withoutWholeWords(IndexExpr E, unsigned Width) const;
  /// \p Ring where it explains more than the exact forms of \p Value, unless
  /// it is a plain sum that no division is computed for.
  IndexExpr betterRing(IndexExpr Ring, const RecoveredValue &Value,
                       bool Divides) const;
  /// The number that the low \p Width bits of \p E mean, if it is known how
  /// often E wraps, else null.
  IndexExpr asWord(IndexExpr E, unsigned Width, Reading R) const;
  /// Both readings from one number, each where it fits.
  RecoveredValue fromNumber(IndexExpr E, llvm::Instruction *I);
  RecoveredValue poisonOfOperands(llvm::Instruction *I) const;

  IndexDomain &Domain;
  FloorBasis &Basis;
  IndexContext &Context;
  OperandForms FormsOf;
  DivisionSink NoteDivision;
  RuntimeDivisionSink NoteRuntimeDivision;
  Preference ExplainsMore;
  bool ReadsBits;
};

} // namespace unravel

#endif // UNRAVEL_ANALYSIS_RECOVERY_RECOVEROPERATION_H
