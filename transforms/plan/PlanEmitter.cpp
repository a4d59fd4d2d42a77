//===- PlanEmitter.cpp - Writes planned arithmetic into the IR ------------===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "transforms/plan/PlanEmitter.h"
#include "transforms/plan/CommonDominator.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IntrinsicsNVPTX.h"
#include "llvm/Support/MathExtras.h"

using namespace llvm;

namespace unravel {

//===----------------------------------------------------------------------===//
// Placement
//===----------------------------------------------------------------------===//

void PlanEmitter::place(const PlanNode *Node, Instruction *Before,
                        DebugLoc Loc) {
  auto &[N, P] = Nodes[Node->Id];
  N = Node;
  P.Before = P.Before ? commonDominator(P.Before, Before, DT) : Before;
  P.Loc = P.HasLoc ? DebugLoc::getMergedLocation(P.Loc, Loc) : Loc;
  P.HasLoc = true;
}

void PlanEmitter::request(const PlanNode *Node, Instruction *At, DebugLoc Loc) {
  place(Node, At, Loc);
  // Make sure that every operand has an entry; places follow in emit().
  SmallVector<const PlanNode *, 8> Work{Node};
  while (!Work.empty()) {
    const PlanNode *N = Work.pop_back_val();
    for (const PlanNode *Operand : {N->A, N->B})
      if (Operand &&
          Nodes.try_emplace(Operand->Id, Operand, Placement()).second)
        Work.push_back(Operand);
  }
}

/// Whether Node may be computed at the end of \p Preheader, in front of L: no
/// leaf below it is defined in L, and no division is kept in it by its anchor.
bool PlanEmitter::isInvariantIn(const PlanNode *Node, const Loop *L,
                                BasicBlock *Preheader) {
  if (Node->Leaf && !L->isLoopInvariant(Node->Leaf))
    return false;
  // Division by zero is undefined at once, not where its result is used.
  if (Node->Anchor && Node->Anchor != Preheader->getTerminator() &&
      !DT.dominates(Node->Anchor, Preheader->getTerminator()))
    return false;
  auto It = Invariant.find({Node, L});
  if (It != Invariant.end())
    return It->second;
  bool Result = (!Node->A || isInvariantIn(Node->A, L, Preheader)) &&
                (!Node->B || isInvariantIn(Node->B, L, Preheader));
  Invariant[{Node, L}] = Result;
  return Result;
}

Instruction *PlanEmitter::hoist(const PlanNode *Node, Instruction *Before) {
  for (const Loop *L = LI.getLoopFor(Before->getParent()); L;
       L = L->getParentLoop()) {
    BasicBlock *Preheader = L->getLoopPreheader();
    if (!Preheader || !isInvariantIn(Node, L, Preheader))
      break;
    Before = Preheader->getTerminator();
  }
  return Before;
}

//===----------------------------------------------------------------------===//
// Emission
//===----------------------------------------------------------------------===//

void PlanEmitter::emit() {
  // Users before operands: each hands its place on.
  for (auto &[Id, Entry] : reverse(Nodes)) {
    auto &[Node, P] = Entry;
    if (Node->isFree())
      continue;
    if (Node->Op == PlanOp::Phi) {
      // At the head of its block, with the operands in front of its edges.
      auto *Beside = cast<PHINode>(Node->Leaf);
      P.Before = Beside;
      place(Node->A, Beside->getIncomingBlock(0)->getTerminator(), P.Loc);
      place(Node->B, Beside->getIncomingBlock(1)->getTerminator(), P.Loc);
      continue;
    }
    P.Before = hoist(Node, P.Before);
    for (const PlanNode *Operand : {Node->A, Node->B})
      if (Operand)
        place(Operand, P.Before, P.Loc);
  }
  // Operands before users.
  for (auto &[Id, Entry] : Nodes) {
    auto &[Node, P] = Entry;
    if (Node->Op == PlanOp::Leaf) {
      Values[Node] = leafValue(Node, P.Loc);
      continue;
    }
    IRBuilder<> Builder(P.Before);
    Builder.SetCurrentDebugLocation(P.Loc);
    Values[Node] = create(Node, Builder);
  }
}

Value *PlanEmitter::valueOf(const PlanNode *Node) {
  return Values.lookup(Node);
}

/// A leaf gains uses, so if it may be undef all of them must see one value.
Value *PlanEmitter::leafValue(const PlanNode *Node, DebugLoc Loc) {
  Value *V = Node->Leaf;
  if (Node->Imm != PlanNode::MayBeUndef)
    return V;
  Value *&Result = Frozen[V];
  if (Result)
    return Result;
  BasicBlock::iterator After;
  if (auto *I = dyn_cast<Instruction>(V))
    After = *I->getInsertionPointAfterDef();
  else
    After = cast<Argument>(V)
                ->getParent()
                ->getEntryBlock()
                .getFirstNonPHIOrDbgOrAlloca();
  IRBuilder<> Builder(After->getParent(), After);
  Builder.SetCurrentDebugLocation(Loc);
  Result = Builder.CreateFreeze(V, V->getName() + ".fr");
  return Result;
}

Value *PlanEmitter::create(const PlanNode *Node, IRBuilderBase &Builder) {
  Type *Ty = Node->Width ? Builder.getIntNTy(Node->Width) : nullptr;
  Value *A = Node->A ? Values.lookup(Node->A) : nullptr;
  Value *B = Node->B ? Values.lookup(Node->B) : nullptr;
  auto Imm = [&] {
    return ConstantInt::getSigned(cast<IntegerType>(Ty), Node->Imm, true);
  };
  bool NUW = Node->NoUnsignedWrap, NSW = Node->NoSignedWrap;
  switch (Node->Op) {
  case PlanOp::Leaf:
    llvm_unreachable("leaves are not created");
  case PlanOp::Constant:
    return Imm();
  case PlanOp::Add:
    return Builder.CreateAdd(A, B, "idx", NUW, NSW);
  case PlanOp::Sub:
    return Builder.CreateSub(A, B, "idx", NUW, NSW);
  case PlanOp::Mul:
    if (Node->Imm == -1)
      return Builder.CreateNeg(A, "idx", NSW);
    if (Node->Imm > 0 && isPowerOf2_64(Node->Imm)) {
      // As a factor 2^(w-1) is negative, as a shift it is not.
      bool SameSign = Log2_64(Node->Imm) < Node->Width - 1;
      return Builder.CreateShl(A, Log2_64(Node->Imm), "idx", NUW,
                               NSW && SameSign);
    }
    return Builder.CreateMul(A, Imm(), "idx", NUW, NSW);
  case PlanOp::MulBy:
    return Builder.CreateMul(A, B, "idx", NUW, NSW);
  case PlanOp::UDivBy:
    return Builder.CreateUDiv(A, B, "idx.div");
  case PlanOp::SDivBy:
    return Builder.CreateSDiv(A, B, "idx.div");
  case PlanOp::URemBy:
    return Builder.CreateURem(A, B, "idx.mod");
  case PlanOp::SRemBy:
    return Builder.CreateSRem(A, B, "idx.mod");
  case PlanOp::UDiv:
    if (isPowerOf2_64(Node->Imm))
      return Builder.CreateLShr(A, Log2_64(Node->Imm), "idx.div");
    return Builder.CreateUDiv(A, Imm(), "idx.div");
  case PlanOp::MulHi:
    return Builder.CreateIntrinsic(Intrinsic::nvvm_mulhi_ui, {}, {A, Imm()},
                                   nullptr, "idx.div");
  case PlanOp::LShr:
    return Builder.CreateLShr(A, Node->Imm, "idx.div");
  case PlanOp::SDiv:
    return Builder.CreateSDiv(A, Imm(), "idx.div");
  case PlanOp::AShr:
    return Builder.CreateAShr(A, Node->Imm, "idx.div");
  case PlanOp::And:
    return Builder.CreateAnd(A, Imm(), "idx.mod");
  case PlanOp::SMin:
    return Builder.CreateBinaryIntrinsic(Intrinsic::smin, A, B, nullptr,
                                         "idx.min");
  case PlanOp::SMax:
    return Builder.CreateBinaryIntrinsic(Intrinsic::smax, A, B, nullptr,
                                         "idx.max");
  case PlanOp::UMin:
    return Builder.CreateBinaryIntrinsic(Intrinsic::umin, A, B, nullptr,
                                         "idx.min");
  case PlanOp::ZExt:
    return Builder.CreateZExt(A, Ty, "idx.ext", /*IsNonNeg=*/NSW);
  case PlanOp::SExt:
    return Builder.CreateSExt(A, Ty, "idx.ext");
  case PlanOp::Trunc:
    return Builder.CreateTrunc(A, Ty, "idx.lo");
  case PlanOp::PtrAdd: {
    GEPNoWrapFlags Flags = GEPNoWrapFlags::none();
    if (Node->InBounds)
      Flags |= GEPNoWrapFlags::inBounds();
    if (NUW)
      Flags |= GEPNoWrapFlags::noUnsignedWrap();
    return Builder.CreatePtrAdd(A, B, "addr", Flags);
  }
  case PlanOp::Phi: {
    auto *Beside = cast<PHINode>(Node->Leaf);
    PHINode *Phi = Builder.CreatePHI(Ty, 2, "idx.phi");
    Phi->addIncoming(A, Beside->getIncomingBlock(0));
    Phi->addIncoming(B, Beside->getIncomingBlock(1));
    return Phi;
  }
  case PlanOp::Select:
    return Builder.CreateSelect(Node->Leaf, A, B, "idx.sel");
  case PlanOp::Compare:
    return Builder.CreateICmp(static_cast<CmpInst::Predicate>(Node->Imm), A, B,
                              "idx.cmp");
  }
  llvm_unreachable("covered switch");
}

} // namespace unravel
