//===- IndexPlan.h - Index arithmetic before it becomes IR ------*- C++ -*-===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A plan is a DAG of the instructions that a rewrite would emit. Building one
// costs nothing in the IR, so alternatives can be priced against each other
// and against the code they would replace; only what pays is emitted (see
// PlanEmitter.h). Nodes are uniqued: whatever two addresses share is one node,
// emitted once at a place that dominates both.
//
//===----------------------------------------------------------------------===//

#ifndef UNRAVEL_TRANSFORMS_PLAN_INDEXPLAN_H
#define UNRAVEL_TRANSFORMS_PLAN_INDEXPLAN_H

#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/FoldingSet.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/Support/Allocator.h"
#include <cstdint>

namespace llvm {
class Instruction;
class Value;
} // namespace llvm

namespace unravel {

/// What there is to plan (PlanOps.def says what each operation means).
enum class PlanOp : uint8_t {
#define PLAN_OP(Name, ...) Name,
#include "transforms/plan/PlanOps.def"
};

/// Proved in every scope that asked for the node. On PtrAdd NoUnsignedWrap
/// means nuw.
struct PlanFlags {
  bool NoUnsignedWrap = false, NoSignedWrap = false, InBounds = false;
  /// No scope has asked yet: so far the node serves to find a price.
  bool IsOpen = false;

  static PlanFlags open() {
    PlanFlags Flags;
    Flags.IsOpen = true;
    return Flags;
  }
};

/// One planned instruction. Width is that of the result; 0 means a pointer.
struct PlanNode : llvm::FoldingSetNode, PlanFlags {
  explicit PlanNode(PlanOp Op, unsigned Width, const PlanNode *A = nullptr,
                    const PlanNode *B = nullptr, int64_t Imm = 0)
      : Op(Op), Width(Width), A(A), B(B), Imm(Imm) {}
  void Profile(llvm::FoldingSetNodeID &ID) const;
  void restrictFlags(PlanFlags Flags);

  PlanOp Op;
  unsigned Width;
  const PlanNode *A, *B;
  int64_t Imm;
  llvm::Value *Leaf = nullptr;
  /// A division by a value of run time may be executed behind this instruction
  /// (or in its place), and nowhere else.
  llvm::Instruction *Anchor = nullptr;
  /// Creation order; operands have smaller ids than their users.
  unsigned Id = 0;

  /// Imm of a leaf that has to be frozen once, so that all its uses agree.
  static constexpr int64_t MayBeUndef = 1;

  /// Whether Leaf is used by the instruction.
  bool usesLeaf() const { return Op == PlanOp::Leaf || Op == PlanOp::Select; }
  bool isConstant() const { return Op == PlanOp::Constant; }
  bool isFree() const { return Op == PlanOp::Leaf || isConstant(); }
};

/// Calls \p Visit for \p Plan and every node below it, each once over all calls
/// that share \p Seen. Null is no node.
void forEachNode(const PlanNode *Plan, llvm::DenseSet<const PlanNode *> &Seen,
                 llvm::function_ref<void(const PlanNode *)> Visit);

/// Creates and uniques nodes. Constants fold, neutral operands vanish.
class IndexPlan {
public:
  const PlanNode *leaf(llvm::Value *V, unsigned Width, bool MayBeUndef = false);
  const PlanNode *constant(int64_t Value, unsigned Width);
  const PlanNode *add(const PlanNode *A, const PlanNode *B, PlanFlags Flags);
  const PlanNode *sub(const PlanNode *A, const PlanNode *B, PlanFlags Flags);
  const PlanNode *mul(const PlanNode *A, int64_t Factor, PlanFlags Flags);
  const PlanNode *mulBy(const PlanNode *A, const PlanNode *B, PlanFlags Flags);
  /// \p Op is one of UDivBy, SDivBy, URemBy and SRemBy. Wherever \p Anchor
  /// dominates, B is not zero and a signed quotient fits.
  const PlanNode *divideBy(PlanOp Op, const PlanNode *A, const PlanNode *B,
                           llvm::Instruction *Anchor);
  /// By a constant of at least 2.
  const PlanNode *udiv(const PlanNode *A, int64_t Divisor) {
    return byConstant(PlanOp::UDiv, A, Divisor);
  }
  const PlanNode *sdiv(const PlanNode *A, int64_t Divisor) {
    return byConstant(PlanOp::SDiv, A, Divisor);
  }
  /// The upper half of the 64-bit product of a 32-bit word.
  const PlanNode *mulHi(const PlanNode *A, int64_t Factor) {
    return byConstant(PlanOp::MulHi, A, Factor);
  }
  const PlanNode *lshr(const PlanNode *A, unsigned Amount) {
    return Amount == 0 ? A : byConstant(PlanOp::LShr, A, Amount);
  }
  const PlanNode *ashr(const PlanNode *A, unsigned Amount) {
    return byConstant(PlanOp::AShr, A, Amount);
  }
  const PlanNode *bitAnd(const PlanNode *A, int64_t Mask) {
    return byConstant(PlanOp::And, A, Mask);
  }
  const PlanNode *smin(const PlanNode *A, const PlanNode *B) {
    return ofBoth(PlanOp::SMin, A, B);
  }
  const PlanNode *smax(const PlanNode *A, const PlanNode *B) {
    return ofBoth(PlanOp::SMax, A, B);
  }
  const PlanNode *umin(const PlanNode *A, const PlanNode *B) {
    return ofBoth(PlanOp::UMin, A, B);
  }
  const PlanNode *zext(const PlanNode *A, unsigned Width);
  const PlanNode *sext(const PlanNode *A, unsigned Width);
  const PlanNode *trunc(const PlanNode *A, unsigned Width);
  const PlanNode *ptrAdd(const PlanNode *Pointer, const PlanNode *Offset,
                         PlanFlags Flags);
  /// A joins \p Beside's block from its first predecessor, B from the second.
  const PlanNode *phi(llvm::Value *Beside, const PlanNode *A,
                      const PlanNode *B);
  const PlanNode *select(llvm::Value *Condition, const PlanNode *A,
                         const PlanNode *B);
  /// \p Predicate is an llvm::CmpInst::Predicate.
  const PlanNode *compare(unsigned Predicate, const PlanNode *A,
                          const PlanNode *B);

  /// Takes the flags off all nodes that \p Node is computed by: it has a value
  /// wherever its leaves have one.
  void dropFlags(const PlanNode *Node);
  /// Takes the flags off \p Node alone: its value stays what it is.
  static void dropFlagsOf(const PlanNode *Node);

private:
  const PlanNode *get(PlanNode Node, PlanFlags Flags = {});
  const PlanNode *byConstant(PlanOp Op, const PlanNode *A, int64_t Imm,
                             PlanFlags Flags = {}) {
    return get(PlanNode(Op, A->Width, A, nullptr, Imm), Flags);
  }
  const PlanNode *ofBoth(PlanOp Op, const PlanNode *A, const PlanNode *B,
                         PlanFlags Flags = {});
  const PlanNode *cast(PlanOp Op, const PlanNode *A, unsigned Width,
                       uint64_t Constant);

  llvm::BumpPtrAllocator Allocator;
  llvm::FoldingSet<PlanNode> Nodes;
  unsigned NextId = 0;
};

} // namespace unravel

#endif // UNRAVEL_TRANSFORMS_PLAN_INDEXPLAN_H
