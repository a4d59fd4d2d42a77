//===- IndexPlan.cpp - Index arithmetic before it becomes IR --------------===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "transforms/plan/IndexPlan.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/MathExtras.h"
#include <cassert>

using namespace llvm;

namespace unravel {

void forEachNode(const PlanNode *Plan, DenseSet<const PlanNode *> &Seen,
                 function_ref<void(const PlanNode *)> Visit) {
  SmallVector<const PlanNode *, 16> Work{Plan};
  while (!Work.empty()) {
    const PlanNode *Node = Work.pop_back_val();
    if (!Node || !Seen.insert(Node).second)
      continue;
    Visit(Node);
    Work.push_back(Node->A);
    Work.push_back(Node->B);
  }
}

void PlanNode::Profile(FoldingSetNodeID &ID) const {
  ID.AddInteger(static_cast<unsigned>(Op));
  ID.AddInteger(Width);
  ID.AddPointer(A);
  ID.AddPointer(B);
  ID.AddInteger(Imm);
  ID.AddPointer(Leaf);
  ID.AddPointer(Anchor);
}

/// Also for the scope that proves \p Flags, which may be less than others do.
void PlanNode::restrictFlags(PlanFlags Flags) {
  if (Flags.IsOpen)
    return;
  if (!IsOpen) {
    Flags.NoUnsignedWrap &= NoUnsignedWrap;
    Flags.NoSignedWrap &= NoSignedWrap;
    Flags.InBounds &= InBounds;
  }
  static_cast<PlanFlags &>(*this) = Flags;
}

const PlanNode *IndexPlan::get(PlanNode Node, PlanFlags Flags) {
  FoldingSetNodeID ID;
  Node.Profile(ID);
  void *InsertPos;
  if (PlanNode *Known = Nodes.FindNodeOrInsertPos(ID, InsertPos)) {
    Known->restrictFlags(Flags);
    return Known;
  }
  auto *New = new (Allocator.Allocate<PlanNode>()) PlanNode(Node);
  static_cast<PlanFlags &>(*New) = Flags;
  New->Id = NextId++;
  Nodes.InsertNode(New, InsertPos);
  return New;
}

void IndexPlan::dropFlags(const PlanNode *Node) {
  SmallVector<const PlanNode *, 8> Work{Node};
  while (!Work.empty()) {
    const PlanNode *N = Work.pop_back_val();
    if (!N || N->isFree())
      continue;
    dropFlagsOf(N);
    Work.append({N->A, N->B});
  }
}

void IndexPlan::dropFlagsOf(const PlanNode *Node) {
  // The plan owns its nodes.
  static_cast<PlanFlags &>(*const_cast<PlanNode *>(Node)) = {};
}

const PlanNode *IndexPlan::leaf(Value *V, unsigned Width, bool MayBeUndef) {
  PlanNode Node(PlanOp::Leaf, Width);
  Node.Imm = MayBeUndef ? PlanNode::MayBeUndef : 0;
  Node.Leaf = V;
  return get(Node);
}

const PlanNode *IndexPlan::constant(int64_t Value, unsigned Width) {
  PlanNode Node(PlanOp::Constant, Width);
  // One spelling a bit pattern.
  Node.Imm =
      Width < 64 ? SignExtend64(static_cast<uint64_t>(Value), Width) : Value;
  return get(Node);
}

const PlanNode *IndexPlan::ofBoth(PlanOp Op, const PlanNode *A,
                                  const PlanNode *B, PlanFlags Flags) {
  assert(A->Width == B->Width && "operands of one width");
  return get(PlanNode(Op, A->Width, A, B), Flags);
}

const PlanNode *IndexPlan::add(const PlanNode *A, const PlanNode *B,
                               PlanFlags Flags) {
  if (A->isConstant())
    std::swap(A, B);
  if (B->isConstant() && B->Imm == 0)
    return A;
  if (A->isConstant() && B->isConstant())
    return constant(static_cast<int64_t>(static_cast<uint64_t>(A->Imm) +
                                         static_cast<uint64_t>(B->Imm)),
                    A->Width);
  return ofBoth(PlanOp::Add, A, B, Flags);
}

const PlanNode *IndexPlan::sub(const PlanNode *A, const PlanNode *B,
                               PlanFlags Flags) {
  if (B->isConstant())
    return add(A,
               constant(static_cast<int64_t>(0 - static_cast<uint64_t>(B->Imm)),
                        B->Width),
               {});
  return ofBoth(PlanOp::Sub, A, B, Flags);
}

const PlanNode *IndexPlan::mul(const PlanNode *A, int64_t Factor,
                               PlanFlags Flags) {
  // Only the residue of the factor counts; as a shift it has to fit.
  if (A->Width < 64 && SignExtend64(Factor, A->Width) != Factor) {
    Factor = SignExtend64(Factor, A->Width);
    Flags = {};
  }
  if (Factor == 1)
    return A;
  if (Factor == 0)
    return constant(0, A->Width);
  if (A->isConstant())
    return constant(static_cast<int64_t>(static_cast<uint64_t>(A->Imm) *
                                         static_cast<uint64_t>(Factor)),
                    A->Width);
  return byConstant(PlanOp::Mul, A, Factor, Flags);
}

const PlanNode *IndexPlan::mulBy(const PlanNode *A, const PlanNode *B,
                                 PlanFlags Flags) {
  if (A->isConstant())
    std::swap(A, B);
  if (B->isConstant())
    return mul(A, B->Imm, {});
  // One order a product.
  if (A->Id > B->Id)
    std::swap(A, B);
  return ofBoth(PlanOp::MulBy, A, B, Flags);
}

const PlanNode *IndexPlan::divideBy(PlanOp Op, const PlanNode *A,
                                    const PlanNode *B, Instruction *Anchor) {
  assert(A->Width == B->Width && "operands of one width");
  PlanNode Node(Op, A->Width, A, B);
  Node.Anchor = Anchor;
  return get(Node);
}

/// \p Constant is what becomes of the operand if that is one.
const PlanNode *IndexPlan::cast(PlanOp Op, const PlanNode *A, unsigned Width,
                                uint64_t Constant) {
  if (A->Width == Width)
    return A;
  if (A->isConstant())
    return constant(static_cast<int64_t>(Constant), Width);
  return get(PlanNode(Op, Width, A));
}

const PlanNode *IndexPlan::zext(const PlanNode *A, unsigned Width) {
  return cast(PlanOp::ZExt, A, Width,
              A->Imm & maskTrailingOnes<uint64_t>(A->Width));
}

const PlanNode *IndexPlan::sext(const PlanNode *A, unsigned Width) {
  return cast(PlanOp::SExt, A, Width, A->Imm);
}

const PlanNode *IndexPlan::trunc(const PlanNode *A, unsigned Width) {
  if ((A->Op == PlanOp::ZExt || A->Op == PlanOp::SExt) && A->A->Width == Width)
    return A->A;
  return cast(PlanOp::Trunc, A, Width, A->Imm);
}

const PlanNode *IndexPlan::ptrAdd(const PlanNode *Pointer,
                                  const PlanNode *Offset, PlanFlags Flags) {
  if (Offset->isConstant() && Offset->Imm == 0)
    return Pointer;
  return get(PlanNode(PlanOp::PtrAdd, 0, Pointer, Offset), Flags);
}

const PlanNode *IndexPlan::phi(Value *Beside, const PlanNode *A,
                               const PlanNode *B) {
  assert(A->Width == B->Width && "operands of one width");
  PlanNode Node(PlanOp::Phi, A->Width, A, B);
  Node.Leaf = Beside;
  return get(Node);
}

const PlanNode *IndexPlan::select(Value *Condition, const PlanNode *A,
                                  const PlanNode *B) {
  assert(A->Width == B->Width && "operands of one width");
  if (A == B)
    return A;
  PlanNode Node(PlanOp::Select, A->Width, A, B);
  Node.Leaf = Condition;
  return get(Node);
}

const PlanNode *IndexPlan::compare(unsigned Predicate, const PlanNode *A,
                                   const PlanNode *B) {
  assert(A->Width == B->Width && "operands of one width");
  return get(PlanNode(PlanOp::Compare, 1, A, B, Predicate));
}

} // namespace unravel
