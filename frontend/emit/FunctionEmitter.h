//===- FunctionEmitter.h - Code for an element of an instruction *- C++ -*-===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Emits what computes one element of an instruction, and recursively of what it
// depends on, in one function: a kernel, or a part of one that HloPartition
// makes a function of its own.
//
//===----------------------------------------------------------------------===//

#ifndef UNRAVEL_FRONTEND_EMIT_FUNCTIONEMITTER_H
#define UNRAVEL_FRONTEND_EMIT_FUNCTIONEMITTER_H

#include "frontend/emit/ElementEmitter.h"
#include "frontend/emit/IndexEmitter.h"
#include "frontend/plan/HloFlatten.h"
#include "frontend/plan/HloPartition.h"

namespace unravel {

/// One for each array that an instruction yields.
using ElementValues = llvm::SmallVector<llvm::Value *, 2>;

/// An index, and what has been computed at it. Whatever is in the memo
/// dominates what is emitted for this place later on.
struct ElementPlace {
  explicit ElementPlace(ElementIndex Index = {}) : Index(std::move(Index)) {}

  ElementIndex Index;
  llvm::DenseMap<const HloInstruction *, ElementValues> Memo;
};

/// What the functions of one kernel share.
struct EmitterContext {
  llvm::Module &M;
  ElementEmitter &Elements;
  IndexEmitter &Indices;
  const HloPartition &Partition;
  const FlatCallees &Callees;
  llvm::DenseMap<const HloInstruction *, llvm::Function *> Functions{};
  llvm::DenseMap<const HloInstruction *, llvm::GlobalVariable *> Constants{};
};

class FunctionEmitter {
public:
  FunctionEmitter(EmitterContext &Context, llvm::IRBuilder<> &B)
      : Context(Context), Elements(Context.Elements), Indices(Context.Indices),
        B(B) {}

  /// Elements of \p I are loaded from \p Pointer.
  void setBuffer(const HloInstruction &I, llvm::Value *Pointer) {
    Buffers[&I] = Pointer;
  }

  /// What the elements of \p I are, at the only index that they are asked for.
  void setElements(const HloInstruction &I, ElementValues Values) {
    Given[&I] = std::move(Values);
  }

  /// Elements of \p I at \p Place.
  ElementValues elements(const HloInstruction &I, ElementPlace &Place);
  llvm::Value *element(const HloInstruction &I, ElementPlace &Place) {
    return elements(I, Place).front();
  }
  /// Emits \p I as a function of its own; those it calls are there already.
  static llvm::Function *emitFunction(EmitterContext &Context,
                                      const HloInstruction &I);
  /// What \p C yields for scalars.
  ElementValues apply(const HloComputation &C,
                      llvm::ArrayRef<llvm::Value *> Arguments);
  /// Of dynamic-update-slice: the place in the operand of the update at \p
  /// Index.
  ElementIndex updatePlace(const HloInstruction &I, const ElementIndex &Index);
  /// Of scatter: the place in the operand of the update at \p Update, and
  /// whether its window is inside.
  std::pair<ElementIndex, llvm::Value *> scatterPlace(const HloInstruction &I,
                                                      ElementPlace &Update);

  /// Runs \p Then where \p Condition holds, otherwise \p Else; both yield as
  /// many values.
  ElementValues branch(llvm::Value *Condition,
                       llvm::function_ref<ElementValues()> Then,
                       llvm::function_ref<ElementValues()> Else);

  using LoopBody = llvm::function_ref<ElementValues(
      const ElementIndex &Index, const ElementValues &Carried)>;
  /// Loops over \p Sizes, the last one innermost, that carry \p Initial.
  ElementValues loopNest(llvm::ArrayRef<int64_t> Sizes, ElementValues Initial,
                         LoopBody Body);

private:
  ElementValues compute(const HloInstruction &I, ElementPlace &Place);
  ElementValues call(const HloInstruction &I, const ElementPlace &Place);
  llvm::Value *load(const HloInstruction &I, const ElementPlace &Place);
  llvm::Value *constant(const HloInstruction &I, const ElementPlace &Place);
  llvm::Value *iota(const HloInstruction &I, const ElementPlace &Place);
  ElementValues elementwise(const HloInstruction &I, ElementPlace &Place);
  ElementValues applyInline(const FlatComputation &C,
                            llvm::ArrayRef<llvm::Value *> Arguments);

  // Other places for the same elements.
  llvm::Value *bitcast(const HloInstruction &I, ElementPlace &Place);
  llvm::Value *bitcastConvert(const HloInstruction &I, ElementPlace &Place);
  llvm::Value *concatenate(const HloInstruction &I, ElementPlace &Place);
  llvm::Value *pad(const HloInstruction &I, ElementPlace &Place);
  llvm::Value *dynamicSlice(const HloInstruction &I, ElementPlace &Place);
  llvm::Value *dynamicUpdateSlice(const HloInstruction &I, ElementPlace &Place);
  llvm::Value *gather(const HloInstruction &I, ElementPlace &Place);
  llvm::Value *clampStart(llvm::Value *Start, ElementType Type, int64_t Last);
  llvm::Value *wideStart(llvm::Value *Start, ElementType Type);

  // Many elements make one.
  ElementValues reduce(const HloInstruction &I, ElementPlace &Place);
  ElementValues reduceWindow(const HloInstruction &I, ElementPlace &Place);
  ElementValues reduceStep(const HloInstruction &I, ElementIndex Input,
                           const ElementValues &Sum);
  ElementValues selectAndScatter(const HloInstruction &I, ElementPlace &Place);
  llvm::Value *dot(const HloInstruction &I, ElementPlace &Place);
  llvm::Value *convolution(const HloInstruction &I, ElementPlace &Place);
  llvm::Value *product(const HloInstruction &I, ElementIndex Lhs,
                       ElementIndex Rhs, llvm::Value *Sum);
  /// Where in the input, and whether it is there.
  std::pair<llvm::Value *, llvm::Value *>
  placeInWindow(const HloWindowDimension &W, llvm::Value *Output,
                llvm::Value *InWindow, int64_t Size);

  EmitterContext &Context;
  ElementEmitter &Elements;
  IndexEmitter &Indices;
  llvm::IRBuilder<> &B;
  llvm::DenseMap<const HloInstruction *, llvm::Value *> Buffers;
  llvm::DenseMap<const HloInstruction *, ElementValues> Given;
};

} // namespace unravel

#endif // UNRAVEL_FRONTEND_EMIT_FUNCTIONEMITTER_H
