//===- ElementEmitter.h - Code for operations on elements -------*- C++ -*-===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Code for one element, with the meaning that HloEvaluator.h gives each
// operation. How elements look:
//
//             in memory      as a value     computed in
//   pred      i8, 0 or 1     i1
//   s4, u4    i8             i4
//   s8 - u64  iN             iN
//   f8...     i8             i8, its bits   float
//   bf16      i16            i16, its bits  float
//   f16       half           half           float
//   f32, f64  float, double  the same       the same
//   c64       <2 x float>    the same       float, see ComplexFunctions.h
//   c128      <2 x double>   the same       double
//
// Functions of calculus are calls of CUDA's libdevice, `__nv_expf`.
//
//===----------------------------------------------------------------------===//

#ifndef UNRAVEL_FRONTEND_EMIT_ELEMENTEMITTER_H
#define UNRAVEL_FRONTEND_EMIT_ELEMENTEMITTER_H

#include "frontend/hlo/HloLiteral.h"
#include "frontend/hlo/HloModule.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Module.h"

namespace unravel {

class ElementEmitter {
public:
  explicit ElementEmitter(llvm::Module &M) : M(M), C(M.getContext()) {}

  llvm::Type *valueType(ElementType Type) const;
  llvm::Type *memoryType(ElementType Type) const;
  llvm::Constant *constant(const HloElement &Element) const;
  llvm::Constant *zero(ElementType Type) const {
    return llvm::Constant::getNullValue(valueType(Type));
  }

  /// The element at place \p Offset of the array at \p Pointer.
  llvm::Value *load(llvm::IRBuilderBase &B, ElementType Type,
                    llvm::Value *Pointer, llvm::Value *Offset) const;
  void store(llvm::IRBuilderBase &B, ElementType Type, llvm::Value *Pointer,
             llvm::Value *Offset, llvm::Value *Element) const;
  llvm::Value *addressOf(llvm::IRBuilderBase &B, ElementType Type,
                         llvm::Value *Pointer, llvm::Value *Offset) const;
  /// Between a value and what is in memory.
  llvm::Value *toMemory(llvm::IRBuilderBase &B, ElementType Type,
                        llvm::Value *Element) const;
  llvm::Value *fromMemory(llvm::IRBuilderBase &B, ElementType Type,
                          llvm::Value *Stored) const;
  /// Between a value and an integer of as many bits.
  llvm::Value *toBits(llvm::IRBuilderBase &B, ElementType Type,
                      llvm::Value *Element) const;
  llvm::Value *fromBits(llvm::IRBuilderBase &B, ElementType Type,
                        llvm::Value *Bits) const;

  /// An elementwise operation but map.
  llvm::Value *emit(llvm::IRBuilderBase &B, const HloInstruction &I,
                    llvm::ArrayRef<llvm::Value *> Operands);

  llvm::Value *convert(llvm::IRBuilderBase &B, ElementType To, ElementType From,
                       llvm::Value *X);
  /// \p Sum + \p X * \p Y, as dot adds up: the sum has the type accumulator().
  llvm::Value *multiplyAdd(llvm::IRBuilderBase &B, ElementType Accumulator,
                           llvm::Value *Sum, llvm::Value *X, llvm::Value *Y);
  /// In what type sums of products with results of type \p Type are formed.
  static ElementType accumulator(ElementType Type);

private:
  llvm::Type *computeType(ElementType Type) const;
  llvm::Value *widen(llvm::IRBuilderBase &B, ElementType From, llvm::Value *X);
  llvm::Value *round(llvm::IRBuilderBase &B, ElementType To, llvm::Value *X);
  llvm::Value *convertInteger(llvm::IRBuilderBase &B, ElementType To,
                              ElementType From, llvm::Value *X);
  llvm::Value *unaryOfInteger(llvm::IRBuilderBase &B, HloOpcode Opcode,
                              ElementType Type, llvm::Value *X);
  llvm::Value *unaryOfFloat(llvm::IRBuilderBase &B, HloOpcode Opcode,
                            llvm::Value *X);
  llvm::Value *binary(llvm::IRBuilderBase &B, HloOpcode Opcode,
                      ElementType Type, llvm::Value *X, llvm::Value *Y);
  llvm::Value *binaryOfInteger(llvm::IRBuilderBase &B, HloOpcode Opcode,
                               ElementType Type, llvm::Value *X,
                               llvm::Value *Y);
  llvm::Value *binaryOfFloat(llvm::IRBuilderBase &B, HloOpcode Opcode,
                             llvm::Value *X, llvm::Value *Y);
  llvm::Value *compare(llvm::IRBuilderBase &B, const HloCompare &How,
                       ElementType Type, llvm::Value *X, llvm::Value *Y);
  llvm::Value *reducePrecision(llvm::IRBuilderBase &B,
                               const HloReducePrecision &To, ElementType Type,
                               llvm::Value *X);

  llvm::Function *powerFunction(ElementType Type);
  llvm::GlobalVariable *wideningTable(ElementType Type);
  llvm::Function *roundingFunction(ElementType Type);
  llvm::GlobalVariable *table(const llvm::Twine &Name, llvm::Constant *Data);

  llvm::Module &M;
  llvm::LLVMContext &C;
};

/// A call of libdevice: \p Name is the function's for double, without `__nv_`.
llvm::Value *callMath(llvm::IRBuilderBase &B, llvm::StringRef Name,
                      llvm::ArrayRef<llvm::Value *> Arguments);

/// \p X, double, as float: exact if that is possible, otherwise the neighbour
/// with an odd significand. Rounding that to a format with fewer bits by two or
/// more gives what rounding \p X gives.
llvm::Value *roundToOdd(llvm::IRBuilderBase &B, llvm::Value *X);

} // namespace unravel

#endif // UNRAVEL_FRONTEND_EMIT_ELEMENTEMITTER_H
