//===- HloShapeInference.h - Shapes that operations give --------*- C++ -*-===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// For each opcode: which operands and attributes it accepts, and the shape that
// they give. What the operands do not determine (the sizes of a broadcast, the
// type of a convert) is taken from the instruction's own shape, and checked.
//
// Attributes that passed refer to dimensions that exist; sizes, padding,
// strides and dilations are so small that positions computed from them,
// HloAttributes.h has the formulas, fit 64 bits.
//
// The errors are a reason, without the place.
//
//===----------------------------------------------------------------------===//

#ifndef UNRAVEL_FRONTEND_SHAPES_HLOSHAPEINFERENCE_H
#define UNRAVEL_FRONTEND_SHAPES_HLOSHAPEINFERENCE_H

#include "frontend/hlo/HloModule.h"

namespace unravel {

llvm::Expected<HloShape> inferShape(const HloInstruction &I);
/// Whether operands and attributes tell all of the shape; of dot and
/// convolution, all but the element type.
bool isShapeDetermined(HloOpcode Opcode);

// Families of opcodes, each in a file of its own.
llvm::Expected<HloShape> inferElementwise(const HloInstruction &I);
llvm::Expected<HloShape> inferIndexTransform(const HloInstruction &I);
llvm::Expected<HloShape> inferDynamicIndex(const HloInstruction &I);
llvm::Expected<HloShape> inferContraction(const HloInstruction &I);
llvm::Expected<HloShape> inferOrder(const HloInstruction &I);
llvm::Expected<HloShape> inferHost(const HloInstruction &I);

// Checks that several of them need.

/// Each of \p Dimensions is in [0, Rank) and there once. \p Name says which
/// attribute they are.
llvm::Error checkDimensions(llvm::ArrayRef<int64_t> Dimensions, size_t Rank,
                            llvm::StringRef Name);
/// As well, each is larger than the one before.
llvm::Error checkAscending(llvm::ArrayRef<int64_t> Dimensions, size_t Rank,
                           llvm::StringRef Name);
/// All operands but tuples; those have no elements.
llvm::Error checkOperandsAreArrays(const HloInstruction &I);
/// \p Callee takes scalars of these types and yields one of \p Results, or a
/// tuple of several.
llvm::Error checkScalarCallee(const HloComputation &Callee,
                              llvm::ArrayRef<ElementType> Parameters,
                              llvm::ArrayRef<ElementType> Results);
/// The shape itself if it is the only one, otherwise the tuple.
llvm::Expected<HloShape> oneOrTuple(std::vector<HloShape> Shapes);

} // namespace unravel

#endif // UNRAVEL_FRONTEND_SHAPES_HLOSHAPEINFERENCE_H
