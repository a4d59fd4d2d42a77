//===- LaneValues.cpp - What a value was in a thread of a trace ----------===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "LaneValues.h"
#include "llvm/Analysis/ConstantFolding.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"

using namespace llvm;
using namespace unravel;

static constexpr unsigned MaxDepth = 400;
static constexpr unsigned MaxIterations = 200;

void LaneValues::start(std::array<uint32_t, 3> OfBlock, unsigned OfThread,
                       DenseMap<const Loop *, uint32_t> InIterations) {
  Block = OfBlock;
  Thread = OfThread;
  Iterations = std::move(InIterations);
  Known.clear();
}

std::optional<APInt> LaneValues::valueOf(const Value *V, unsigned Depth) {
  if (auto *C = dyn_cast<ConstantInt>(V))
    return C->getValue();
  if (!V->getType()->isIntegerTy() || Depth > MaxDepth)
    return std::nullopt;
  if (auto *A = dyn_cast<Argument>(V)) {
    std::optional<int64_t> Value = Launch.Arguments[A->getArgNo()];
    if (!Value)
      return std::nullopt;
    return APInt(64, *Value).sextOrTrunc(V->getType()->getIntegerBitWidth());
  }
  auto *I = dyn_cast<Instruction>(V);
  if (!I)
    return std::nullopt;
  if (auto It = Known.find(V); It != Known.end())
    return It->second;
  // What a loop leaves behind depends on its last iteration.
  for (const Loop *L = LI.getLoopFor(I->getParent()); L; L = L->getParentLoop())
    if (!Iterations.contains(L))
      return std::nullopt;
  std::optional<APInt> Result = compute(*I, Depth + 1);
  return Known[V] = Result;
}

std::optional<APInt> LaneValues::compute(const Instruction &I, unsigned Depth) {
  if (auto *Phi = dyn_cast<PHINode>(&I))
    return phi(*Phi, Depth);
  if (isa<FreezeInst>(I))
    return valueOf(I.getOperand(0), Depth);
  if (auto *Call = dyn_cast<IntrinsicInst>(&I))
    return call(*Call, Depth);
  if (isa<SelectInst>(I)) {
    std::optional<APInt> Condition = valueOf(I.getOperand(0), Depth);
    if (!Condition)
      return std::nullopt;
    return valueOf(I.getOperand(Condition->isZero() ? 2 : 1), Depth);
  }
  if (!isa<BinaryOperator, CastInst, ICmpInst>(I))
    return std::nullopt;
  SmallVector<Constant *, 2> Operands;
  for (const Use &U : I.operands()) {
    std::optional<APInt> Value = valueOf(U, Depth);
    if (!Value)
      return std::nullopt;
    Operands.push_back(ConstantInt::get(U->getType(), *Value));
  }
  Constant *Folded =
      isa<ICmpInst>(I)
          ? ConstantFoldCompareInstOperands(cast<ICmpInst>(I).getPredicate(),
                                            Operands[0], Operands[1],
                                            I.getDataLayout())
          : ConstantFoldInstOperands(const_cast<Instruction *>(&I), Operands,
                                     I.getDataLayout());
  auto *Number = dyn_cast_or_null<ConstantInt>(Folded);
  return Number ? std::optional(Number->getValue()) : std::nullopt;
}

std::optional<APInt> LaneValues::phi(const PHINode &Phi, unsigned Depth) {
  const BasicBlock *BB = Phi.getParent();
  const Loop *L = LI.getLoopFor(BB);
  if (L && L->getHeader() == BB) {
    const BasicBlock *Entry = L->getLoopPredecessor();
    const BasicBlock *Latch = L->getLoopLatch();
    uint32_t Iteration = Iterations.lookup(L);
    if (!Entry || !Latch || Iteration > MaxIterations)
      return std::nullopt;
    if (Iteration == 0)
      return valueOf(Phi.getIncomingValueForBlock(Entry), Depth);
    // In the iteration before.
    LaneValues Before(Launch, DT, LI);
    auto Earlier = Iterations;
    --Earlier[L];
    // Loops inside have other iterations then.
    for (auto &[Inner, Count] : Iterations)
      if (Inner != L && L->contains(Inner))
        Earlier.erase(Inner);
    Before.start(Block, Thread, Earlier);
    return Before.valueOf(Phi.getIncomingValueForBlock(Latch), Depth);
  }
  // One of two ways from a branch.
  const BasicBlock *Above = DT.getNode(BB)->getIDom()->getBlock();
  auto *Branch = dyn_cast<BranchInst>(Above->getTerminator());
  if (!Branch || !Branch->isConditional() || Phi.getNumIncomingValues() != 2)
    return std::nullopt;
  std::optional<APInt> Condition = valueOf(Branch->getCondition(), Depth);
  if (!Condition)
    return std::nullopt;
  BasicBlockEdge Taken(Above, Branch->getSuccessor(Condition->isZero()));
  for (unsigned I : {0, 1}) {
    const BasicBlock *From = Phi.getIncomingBlock(I);
    bool IsDirect = From == Above && Taken.getEnd() == BB;
    if (IsDirect || (From != Above && DT.dominates(Taken, From)))
      return valueOf(Phi.getIncomingValue(I), Depth);
  }
  return std::nullopt;
}

std::optional<APInt> LaneValues::call(const IntrinsicInst &Call,
                                      unsigned Depth) {
  unsigned Width = Call.getType()->getIntegerBitWidth();
  StringRef Name = Call.getCalledFunction()->getName();
  if (Name.consume_front("llvm.nvvm.read.ptx.sreg.")) {
    auto [Register, Axis] = Name.split('.');
    const auto &Extent = Launch.Block;
    if (Register == "laneid")
      return APInt(Width, Thread % 32);
    if (Axis.size() != 1)
      return std::nullopt;
    unsigned D = Axis[0] - 'x';
    unsigned OfThread[3] = {Thread % Extent[0], Thread / Extent[0] % Extent[1],
                            Thread / Extent[0] / Extent[1]};
    if (Register == "tid")
      return APInt(Width, OfThread[D]);
    if (Register == "ctaid")
      return APInt(Width, Block[D]);
    if (Register == "ntid")
      return APInt(Width, Extent[D]);
    if (Register == "nctaid")
      return APInt(Width, Launch.Grid[D]);
    return std::nullopt;
  }
  SmallVector<APInt, 2> Operands;
  for (const Value *A : Call.args()) {
    std::optional<APInt> Value = valueOf(A, Depth);
    if (!Value)
      return std::nullopt;
    Operands.push_back(*Value);
  }
  SmallVector<Constant *, 2> Constants;
  for (auto [A, V] : zip_equal(Call.args(), Operands))
    Constants.push_back(ConstantInt::get(A->getType(), V));
  auto *Number = dyn_cast_or_null<ConstantInt>(
      ConstantFoldCall(&Call, Call.getCalledFunction(), Constants));
  return Number ? std::optional(Number->getValue()) : std::nullopt;
}
