//===- UseVectors.cpp - Lanes in addresses, guards, joins and loops -------===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tools/kernel-fuzz/generator/KernelBuilder.h"

using namespace llvm;

namespace unravel {

//===----------------------------------------------------------------------===//
// From vectors to scalars
//===----------------------------------------------------------------------===//

/// Mostly one that is not poison.
unsigned KernelBuilder::laneToUse(const VectorValue &X) {
  unsigned Count = cast<FixedVectorType>(X.V->getType())->getNumElements();
  unsigned Lane = unsigned(R.below(Count));
  if (R.chance(4))
    return Lane;
  for (unsigned K = 0; K < Count && X.Poison >> Lane & 1; ++K)
    Lane = (Lane + 1) % Count;
  return Lane;
}

Value *KernelBuilder::extract(const VectorValue &X) {
  return B.CreateExtractElement(X.V, uint64_t(laneToUse(X)), "lane");
}

Value *KernelBuilder::extractAtVariable(const VectorValue &X) {
  uint64_t Count = cast<FixedVectorType>(X.V->getType())->getNumElements();
  Value *Index = variable(B.getInt32Ty());
  if (R.chance(90))
    Index = B.CreateURem(Index, B.getInt32(uint32_t(Count)), "which");
  return B.CreateExtractElement(X.V, Index, "lane");
}

Value *KernelBuilder::reduce(const VectorValue &X) {
  static constexpr Intrinsic::ID IDs[] = {
      Intrinsic::vector_reduce_add,  Intrinsic::vector_reduce_add,
      Intrinsic::vector_reduce_mul,  Intrinsic::vector_reduce_and,
      Intrinsic::vector_reduce_or,   Intrinsic::vector_reduce_xor,
      Intrinsic::vector_reduce_smin, Intrinsic::vector_reduce_smax,
      Intrinsic::vector_reduce_umin, Intrinsic::vector_reduce_umax};
  return call(R.pick(IDs), {X.V->getType()}, {X.V}, "reduced");
}

/// One lane of a comparison, all lanes, or any.
Value *KernelBuilder::vectorCondition() {
  VectorValue If = vectorCompare(anyVector());
  switch (If.Poison ? 0 : R.below(4)) {
  case 1:
    return call(Intrinsic::vector_reduce_and, {If.V->getType()}, {If.V}, "all");
  case 2:
    return call(Intrinsic::vector_reduce_or, {If.V->getType()}, {If.V}, "any");
  case 3: {
    unsigned Count = cast<FixedVectorType>(If.V->getType())->getNumElements();
    Type *Bits = B.getIntNTy(Count);
    return B.CreateICmpNE(B.CreateBitCast(If.V, Bits, "mask"), number(Bits, 0),
                          "any");
  }
  default:
    return extract(If);
  }
}

/// Through one of the addresses of a vector.
void KernelBuilder::storeThroughVector(const VectorValue &X) {
  Value *Pointer = Pointers[R.below(2)];
  Value *Addresses = B.CreateGEP(B.getInt32Ty(), Pointer, X.V, "vp");
  Value *P = B.CreateExtractElement(Addresses, uint64_t(laneToUse(X)), "p");
  B.CreateAlignedStore(operand(B.getInt32Ty()), P, Align(1));
}

void KernelBuilder::observeVector(const VectorValue &X) {
  auto *Ty = cast<FixedVectorType>(X.V->getType());
  std::string Name = ("observe" + Twine(Ty->getNumElements()) + "x" +
                      Twine(Ty->getScalarSizeInBits()))
                         .str();
  FunctionCallee Callee = M.getOrInsertFunction(
      Name, FunctionType::get(B.getVoidTy(), {Ty}, false));
  auto *Declaration = cast<Function>(Callee.getCallee());
  Declaration->setDoesNotThrow();
  Declaration->setWillReturn();
  Declaration->setMemoryEffects(MemoryEffects::inaccessibleMemOnly());
  B.CreateCall(Callee, {X.V});
}

void KernelBuilder::useVector(const VectorValue &X) {
  uint64_t Bits = X.V->getType()->getPrimitiveSizeInBits().getFixedValue();
  switch (R.below(16)) {
  case 0:
  case 1:
    if (X.Poison == 0 || R.chance(5)) {
      Value *Reduced = keep(reduce(X));
      if (R.chance(50))
        callUnknown(Reduced, /*MayEndThread=*/false);
      return;
    }
    break;
  case 2:
  case 3:
    B.CreateAlignedStore(X.V, address(), Align(1));
    return;
  case 4:
  case 5:
    return observeVector(X);
  case 6:
    if (X.Poison == 0) {
      keep(extractAtVariable(X));
      return;
    }
    break;
  case 7:
    if (X.Poison == 0 && Bits <= 64) {
      keep(B.CreateBitCast(X.V, B.getIntNTy(unsigned(Bits)), "bits"));
      return;
    }
    break;
  case 8:
    return storeThroughVector(X);
  default:
    break;
  }
  for (uint64_t K = 1 + R.below(3); K > 0; --K)
    keep(extract(X));
  if (R.chance(60))
    use();
}

//===----------------------------------------------------------------------===//
// Joins and loops
//===----------------------------------------------------------------------===//

void KernelBuilder::vectorJoin() {
  FixedVectorType *Ty = vectorType();
  Value *If = condition();
  BasicBlock *Arms[] = {block("then"), block("else")};
  BasicBlock *Join = block("join"), *Ends[2];
  B.CreateCondBr(If, Arms[0], Arms[1]);
  VectorValue Outs[2];
  for (unsigned Arm : {0u, 1u}) {
    B.SetInsertPoint(Arms[Arm]);
    Frame Old = enter();
    statements(unsigned(R.below(2)));
    Outs[Arm] = R.chance(50) ? vectorOperand(Ty) : newVector(Ty);
    Ends[Arm] = B.GetInsertBlock();
    B.CreateBr(Join);
    leave(Old);
  }
  B.SetInsertPoint(Join);
  PHINode *Phi = B.CreatePHI(Ty, 2, "vphi");
  for (unsigned Arm : {0u, 1u})
    Phi->addIncoming(Outs[Arm].V, Ends[Arm]);
  useVector(keepVector({Phi, Outs[0].Poison | Outs[1].Poison}));
}

/// A vector that a loop carries, and now and then another one, which is what
/// the first was before. A lane may be the counter.
void KernelBuilder::vectorLoop() {
  FixedVectorType *Ty = vectorType();
  Type *I32 = B.getInt32Ty();
  VectorValue Start = vectorOf(Ty), Second = vectorOperand(Ty);
  bool CarriesTwo = R.chance(35), LaneCounts = R.chance(35);
  Constant *Trips = number(I32, 1 + R.below(6));
  BasicBlock *Before = B.GetInsertBlock();
  BasicBlock *Body = block("body"), *Exit = block("exit");
  B.CreateBr(Body);
  B.SetInsertPoint(Body);
  PHINode *Carried = B.CreatePHI(Ty, 2, "vcarried");
  PHINode *Older = CarriesTwo ? B.CreatePHI(Ty, 2, "volder") : nullptr;
  PHINode *Trip = B.CreatePHI(I32, 2, "trip");
  // Lanes that the steps below make poison are not known as yet.
  VectorValue X{Carried, Start.Poison};
  Frame Old = enter();
  keepVector(X);
  if (Older)
    keepVector({Older, Start.Poison | Second.Poison});
  keep(extract(X));
  if (R.chance(30))
    keep(Trip);
  statements(1 + unsigned(R.below(3)));
  VectorValue Next;
  switch (R.below(Start.Poison ? 2 : 4)) {
  case 0:
    Next = insertLane(X);
    Next.V = B.CreateAdd(Next.V, laneDivisors(Ty), "vnext");
    break;
  case 1:
    Next = Older ? VectorValue{B.CreateAdd(X.V, Older, "vnext"), 0}
                 : vectorArithmetic(X);
    break;
  case 2: { // the lanes move on by one
    SmallVector<int, 8> Mask;
    for (unsigned Lane = 0; Lane < Ty->getNumElements(); ++Lane)
      Mask.push_back(int((Lane + 1) % Ty->getNumElements()));
    Next.V = B.CreateShuffleVector(X.V, Mask, "vnext");
    break;
  }
  default:
    Next.V = B.CreateAdd(X.V, laneDivisors(Ty), "vnext");
    break;
  }
  Value *NextTrip = B.CreateAdd(Trip, number(I32, 1), "trip.next");
  Value *More = B.CreateICmpULT(NextTrip, Trips, "more");
  if (LaneCounts) {
    Value *Counter = extract({Next.V, Start.Poison});
    ConstantInt *End = interestingConstant(Ty->getElementType());
    Value *IsBelow = B.CreateICmpSLT(Counter, End, "below");
    if (auto *Cmp = dyn_cast<ICmpInst>(IsBelow))
      Conditions.Guards.push_back(Cmp);
    More = B.CreateAnd(More, IsBelow, "both");
  }
  BasicBlock *Latch = B.GetInsertBlock();
  B.CreateCondBr(More, Body, Exit);
  leave(Old);
  Carried->addIncoming(Start.V, Before);
  Carried->addIncoming(Next.V, Latch);
  if (Older) {
    Older->addIncoming(Second.V, Before);
    Older->addIncoming(Carried, Latch);
  }
  Trip->addIncoming(number(I32, 0), Before);
  Trip->addIncoming(NextTrip, Latch);
  B.SetInsertPoint(Exit);
  Value *Last = R.chance(50) ? static_cast<Value *>(Carried) : Next.V;
  useVector(keepVector({Last, Start.Poison}));
}

void KernelBuilder::vectorStatement() {
  uint64_t What = R.below(12);
  if (What == 0 && Depth < MaxDepth)
    return vectorJoin();
  if (What <= 2 && Depth < MaxDepth)
    return vectorLoop();
  VectorValue X = anyVector();
  for (uint64_t K = 1 + R.below(3); K > 0; --K)
    X = keepVector(vectorOperation(X));
  if (R.chance(70))
    useVector(X);
}

} // namespace unravel
