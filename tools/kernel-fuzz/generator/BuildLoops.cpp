//===- BuildLoops.cpp - Loops of a few iterations -------------------------===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tools/kernel-fuzz/generator/KernelBuilder.h"

using namespace llvm;

namespace unravel {

/// From Start in steps of Step until End, Count times.
struct KernelBuilder::LoopShape {
  Type *Ty;
  Value *Start, *Step, *Count, *End;
  bool TestsOrder; ///< `<` instead of `!=`; needs a positive constant step
  Type *AccumulatorType;
  Value *AccumulatorStart;
};

KernelBuilder::LoopShape KernelBuilder::loopShape() {
  static constexpr unsigned MaxTrips = 7;
  LoopShape L;
  L.Ty = R.chance(75) ? B.getInt32Ty() : R.chance(70) ? B.getInt64Ty() : type();
  if (R.chance(50))
    L.Start = number(L.Ty, 0);
  else
    L.Start = R.chance(50) ? interestingConstant(L.Ty) : operand(L.Ty);
  int64_t Step = 1;
  if (R.chance(50) && L.Ty->getIntegerBitWidth() > 8)
    Step = R.chance(70) ? R.between(1, 40) : R.between(-5, -1);
  L.Step = R.chance(15) ? operand(L.Ty) : number(L.Ty, uint64_t(Step));
  L.TestsOrder = Step > 0 && isa<Constant>(L.Step) && R.chance(50);
  L.Count = number(L.Ty, 1 + R.below(MaxTrips));
  if (R.chance(55)) {
    Value *Any = operand(L.Ty);
    L.Count = R.chance(50) ? B.CreateAnd(Any, number(L.Ty, MaxTrips), "count")
                           : B.CreateURem(Any, number(L.Ty, MaxTrips), "count");
  }
  L.End = B.CreateAdd(L.Start, B.CreateMul(L.Count, L.Step, "length"), "end");
  L.AccumulatorType = type();
  L.AccumulatorStart = operand(L.AccumulatorType);
  return L;
}

Value *KernelBuilder::nextAccumulator(Value *Accumulator) {
  bool Adds = R.chance(50);
  Value *V = operand(Accumulator->getType());
  return Adds ? B.CreateAdd(Accumulator, V, "acc.next") : V;
}

/// while (i != end) { ... }
void KernelBuilder::topTestedLoop(const LoopShape &L) {
  BasicBlock *Before = B.GetInsertBlock();
  BasicBlock *Head = block("head"), *Body = block("body"),
             *Exit = block("exit");
  B.CreateBr(Head);
  B.SetInsertPoint(Head);
  PHINode *I = B.CreatePHI(L.Ty, 2, "iv");
  PHINode *Accumulator = B.CreatePHI(L.AccumulatorType, 2, "acc");
  Value *More = L.TestsOrder ? B.CreateICmpSLT(I, L.End, "more")
                             : B.CreateICmpNE(I, L.End, "more");
  B.CreateCondBr(More, Body, Exit);
  B.SetInsertPoint(Body);
  Frame Old = enter();
  keep(Accumulator);
  keep(I);
  keep(I); // twice: used more often
  statements(1 + unsigned(R.below(4)));
  Value *NextAccumulator = nextAccumulator(Accumulator);
  Value *Next = B.CreateAdd(I, L.Step, "iv.next");
  BasicBlock *Latch = B.GetInsertBlock();
  B.CreateBr(Head);
  leave(Old);
  I->addIncoming(L.Start, Before);
  I->addIncoming(Next, Latch);
  Accumulator->addIncoming(L.AccumulatorStart, Before);
  Accumulator->addIncoming(NextAccumulator, Latch);
  B.SetInsertPoint(Exit);
  keep(I);
  keep(Accumulator);
}

/// if (count != 0) do { ... } while (i != end), as LLVM rotates loops.
void KernelBuilder::bottomTestedLoop(const LoopShape &L) {
  BasicBlock *Guard = B.GetInsertBlock();
  BasicBlock *Before = block("preheader"), *Body = block("body"),
             *Exit = block("exit");
  B.CreateCondBr(B.CreateICmpNE(L.Count, number(L.Ty, 0), "any"), Before, Exit);
  B.SetInsertPoint(Before);
  B.CreateBr(Body);
  B.SetInsertPoint(Body);
  PHINode *I = B.CreatePHI(L.Ty, 2, "iv");
  PHINode *Accumulator = B.CreatePHI(L.AccumulatorType, 2, "acc");
  PHINode *Trip = B.CreatePHI(L.Ty, 2, "trip");
  Frame Old = enter();
  keep(Accumulator);
  keep(I);
  keep(I);
  if (R.chance(30))
    keep(Trip);
  statements(1 + unsigned(R.below(4)));
  Value *NextAccumulator = nextAccumulator(Accumulator);
  Value *Next = B.CreateAdd(I, L.Step, "iv.next");
  Value *NextTrip = B.CreateAdd(Trip, number(L.Ty, 1), "trip.next");
  BasicBlock *Latch = B.GetInsertBlock();
  Value *More;
  if (L.TestsOrder) {
    Value *IsBelow = B.CreateICmpSLT(Next, L.End, "below");
    // The end may have wrapped: not for ever.
    Value *Cap = B.CreateICmpULT(NextTrip, number(L.Ty, 9), "cap");
    More = B.CreateAnd(IsBelow, Cap, "more");
  } else if (R.chance(50)) {
    More = B.CreateICmpNE(Next, L.End, "more");
  } else {
    More = B.CreateICmpULT(NextTrip, L.Count, "more");
  }
  B.CreateCondBr(More, Body, Exit);
  leave(Old);
  I->addIncoming(L.Start, Before);
  I->addIncoming(Next, Latch);
  Accumulator->addIncoming(L.AccumulatorStart, Before);
  Accumulator->addIncoming(NextAccumulator, Latch);
  Trip->addIncoming(number(L.Ty, 0), Before);
  Trip->addIncoming(NextTrip, Latch);
  B.SetInsertPoint(Exit);
  PHINode *Out = B.CreatePHI(L.AccumulatorType, 2, "out");
  PHINode *Last = B.CreatePHI(L.Ty, 2, "last");
  Out->addIncoming(L.AccumulatorStart, Guard);
  Out->addIncoming(NextAccumulator, Latch);
  Last->addIncoming(L.Start, Guard);
  Last->addIncoming(R.chance(50) ? static_cast<Value *>(I) : Next, Latch);
  keep(Out);
  keep(Last);
}

void KernelBuilder::loop() {
  LoopShape L = loopShape();
  if (R.chance(50))
    bottomTestedLoop(L);
  else
    topTestedLoop(L);
}

} // namespace unravel
