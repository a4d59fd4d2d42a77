//===- PointEvaluator.h - Computes IR and plans at one point ----*- C++ -*-===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Computes integer and pointer values of a function, and planned arithmetic,
// for one thread at one moment. What cannot be computed from operands (an
// argument, a load, the counter of a loop) is a *leaf*: the caller says what
// it is. Nothing here uses index forms or ranges: LLVM's constant folder does
// the arithmetic, the rules for poison and undefined behaviour are those of the
// language reference. So a rewrite can be checked against the code it replaces
// by something that shares no thought with the rewrite.
//
//===----------------------------------------------------------------------===//

#ifndef UNRAVEL_TRANSFORMS_VERIFY_POINTEVALUATOR_H
#define UNRAVEL_TRANSFORMS_VERIFY_POINTEVALUATOR_H

#include "transforms/plan/IndexPlan.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/Operator.h"

namespace llvm {
class LoopInfo;
} // namespace llvm

namespace unravel {

/// A value at a point. Pointers are numbers as wide as their indices.
struct PointValue {
  /// An integer, poison, or a struct of these; null: not computable, or the
  /// program has undefined behaviour here.
  llvm::Constant *Value = nullptr;
  /// Depends on a value that a loop carries from one iteration to the next.
  bool IsLoopCarried = false;

  bool isPoison() const {
    return llvm::isa_and_nonnull<llvm::PoisonValue>(Value);
  }
  const llvm::ConstantInt *integer() const {
    return llvm::dyn_cast_or_null<llvm::ConstantInt>(Value);
  }
};

class PointEvaluator {
public:
  /// Says what a leaf is, or the frozen value of a leaf that is poison (which
  /// may be asked for without a leaf). The type is that of the leaf's number:
  /// for a pointer the integer type of its indices.
  using LeafSource = llvm::function_ref<llvm::Constant *(
      const llvm::Value *Leaf, llvm::IntegerType *Ty)>;
  /// Says over which edge a block with a phi was entered; null: it was not.
  using EdgeSource = llvm::function_ref<const llvm::BasicBlock *(
      const llvm::BasicBlock *Block)>;

  PointEvaluator(const llvm::Function &F, const llvm::LoopInfo &LI,
                 LeafSource Leaves, EdgeSource Edges)
      : Context(F.getContext()), Layout(F.getDataLayout()), LI(LI),
        Leaves(Leaves), Edges(Edges) {}

  PointValue valueOf(const llvm::Value *V);
  /// Null where it is not computable, or undefined.
  llvm::Constant *valueOf(const PlanNode *Node);
  /// Whether a planned division was by zero, or of INT_MIN by -1.
  bool planIsUndefined() const { return PlanIsUndefined; }

private:
  llvm::IntegerType *numberType(const llvm::Value *V) const;
  bool isLoopCarried(const llvm::Value *V) const;
  bool isLeaf(const llvm::Value *V) const;
  bool operandsOf(const llvm::User &U,
                  llvm::SmallVectorImpl<const llvm::Value *> &Operands) const;
  PointValue compute(const llvm::User &U);
  llvm::Constant *computeFrom(const llvm::User &U,
                              llvm::ArrayRef<llvm::Constant *> Operands);
  llvm::Constant *computeAddress(const llvm::GEPOperator &GEP,
                                 llvm::ArrayRef<llvm::Constant *> Operands);
  llvm::Constant *computeCall(const llvm::CallInst &Call,
                              llvm::ArrayRef<llvm::Constant *> Operands);
  llvm::Constant *computePlanned(const PlanNode &Node);

  llvm::LLVMContext &Context;
  const llvm::DataLayout &Layout;
  const llvm::LoopInfo &LI;
  LeafSource Leaves;
  EdgeSource Edges;
  llvm::DenseMap<const llvm::Value *, PointValue> Values;
  llvm::DenseMap<const PlanNode *, llvm::Constant *> Planned;
  bool PlanIsUndefined = false;
};

} // namespace unravel

#endif // UNRAVEL_TRANSFORMS_VERIFY_POINTEVALUATOR_H
