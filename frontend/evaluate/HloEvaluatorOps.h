//===- HloEvaluatorOps.h - The operations of the evaluator ------*- C++ -*-===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Families of operations, each in a file of its own. The operands are those of
// the instruction, in the order of its operands; the instruction is verified.
//
//===----------------------------------------------------------------------===//

#ifndef UNRAVEL_FRONTEND_EVALUATE_HLOEVALUATOROPS_H
#define UNRAVEL_FRONTEND_EVALUATE_HLOEVALUATOROPS_H

#include "frontend/hlo/HloLiteral.h"
#include "frontend/hlo/HloModule.h"

namespace unravel {

using HloOperands = llvm::ArrayRef<const HloLiteral *>;
using HloElements = llvm::SmallVector<HloElement, 4>;
/// What a callee computes from scalars.
using HloScalarFunction =
    llvm::function_ref<llvm::Expected<HloElements>(llvm::ArrayRef<HloElement>)>;

/// What a computation yields for scalars.
using HloApply = llvm::function_ref<llvm::Expected<HloElements>(
    const HloComputation &, llvm::ArrayRef<HloElement>)>;

/// What the usual callee yields: a few operations on scalars. Returns nullopt
/// for any other one.
std::optional<HloElements> applyToScalars(const HloComputation &C,
                                          llvm::ArrayRef<HloElement> Arguments);

/// One element of an elementwise operation but map.
HloElement evaluateElement(const HloInstruction &I,
                           llvm::ArrayRef<HloElement> Operands);

/// Index transforms, iota and bitcast-convert.
HloLiteral evaluateIndexTransform(const HloInstruction &I,
                                  HloOperands Operands);

llvm::Expected<HloLiteral> evaluateDynamicIndex(const HloInstruction &I,
                                                HloOperands Operands,
                                                HloScalarFunction Callee);
llvm::Expected<HloLiteral> evaluateContraction(const HloInstruction &I,
                                               HloOperands Operands,
                                               HloScalarFunction Callee);

llvm::Expected<HloLiteral> evaluateSelectAndScatter(const HloInstruction &I,
                                                    HloOperands Operands,
                                                    HloApply Apply);
llvm::Expected<HloLiteral> evaluateSort(const HloInstruction &I,
                                        HloOperands Operands,
                                        HloScalarFunction Callee);
llvm::Expected<HloLiteral> evaluateTopK(const HloInstruction &I,
                                        const HloLiteral &Operand);

/// Calls \p F for each index of an array with sizes \p Dimensions, the last
/// dimension fastest. \p F returns false to stop.
void forEachIndex(llvm::ArrayRef<int64_t> Dimensions,
                  llvm::function_ref<bool(llvm::ArrayRef<int64_t> Index)> F);

} // namespace unravel

#endif // UNRAVEL_FRONTEND_EVALUATE_HLOEVALUATOROPS_H
