//===- IndexEmitter.h - Code for indices ------------------------*- C++ -*-===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Everything that emitters know about indices goes through here: an index is
// made from a thread's number, carried from an instruction to its operand, and
// ends as a place in memory.
//
// NaiveIndexEmitter writes each of these steps as code at once, as emitters do
// that know one operation at a time: a reshape is a linearization and a
// delinearization, with plain divisions. Making that cheap is the work of
// index-simplify. MapIndexEmitter (in a file of its own) composes the steps
// first.
//
//===----------------------------------------------------------------------===//

#ifndef UNRAVEL_FRONTEND_EMIT_INDEXEMITTER_H
#define UNRAVEL_FRONTEND_EMIT_INDEXEMITTER_H

#include "frontend/hlo/HloModule.h"
#include "llvm/IR/IRBuilder.h"

namespace unravel {

/// A value for each dimension, the first of which is the major one.
using ElementIndex = llvm::SmallVector<llvm::Value *, 6>;

class IndexEmitter {
public:
  explicit IndexEmitter(llvm::IntegerType *Type) : Type(Type) {}
  virtual ~IndexEmitter() = default;

  /// i32, or i64 where something has 2^31 elements or more.
  llvm::IntegerType *type() const { return Type; }
  llvm::Value *constant(int64_t Value) const {
    return llvm::ConstantInt::getSigned(Type, Value);
  }

  /// The index of the element at place \p Offset of an array in memory.
  virtual ElementIndex fromOffset(llvm::IRBuilderBase &B, const HloShape &Shape,
                                  llvm::Value *Offset) = 0;
  /// And back.
  virtual llvm::Value *toOffset(llvm::IRBuilderBase &B, const HloShape &Shape,
                                const ElementIndex &Index) = 0;
  /// The element of operand 0 that element \p Index of \p I is: bitcast,
  /// broadcast, reshape, reverse, slice, transpose.
  virtual ElementIndex throughTransform(llvm::IRBuilderBase &B,
                                        const HloInstruction &I,
                                        const ElementIndex &Index) = 0;
  /// Called once, when all code is there that uses indices.
  virtual void finish() {}

  /// Whether an index of \p I, or what is computed on the way to one of its
  /// operands, may need more than 31 bits.
  static bool needsWideIndex(const HloInstruction &I);

private:
  llvm::IntegerType *Type;
};

class NaiveIndexEmitter final : public IndexEmitter {
public:
  using IndexEmitter::IndexEmitter;

  ElementIndex fromOffset(llvm::IRBuilderBase &B, const HloShape &Shape,
                          llvm::Value *Offset) override;
  llvm::Value *toOffset(llvm::IRBuilderBase &B, const HloShape &Shape,
                        const ElementIndex &Index) override;
  ElementIndex throughTransform(llvm::IRBuilderBase &B, const HloInstruction &I,
                                const ElementIndex &Index) override;

private:
  /// Dimensions in \p Order, the minor one first.
  ElementIndex delinearize(llvm::IRBuilderBase &B, const HloShape &Shape,
                           llvm::ArrayRef<int64_t> Order, llvm::Value *Linear);
  llvm::Value *linearize(llvm::IRBuilderBase &B, const HloShape &Shape,
                         llvm::ArrayRef<int64_t> Order,
                         const ElementIndex &Index);
};

} // namespace unravel

#endif // UNRAVEL_FRONTEND_EMIT_INDEXEMITTER_H
