//===- BuildBranches.cpp - Guards, joins, switches, assumptions -----------===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tools/kernel-fuzz/generator/KernelBuilder.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/IntrinsicsNVPTX.h"

using namespace llvm;

namespace unravel {

void KernelBuilder::ifThen() {
  Value *If = condition();
  BasicBlock *Then = block("then"), *Join = block("join");
  if (R.chance(75))
    B.CreateCondBr(If, Then, Join);
  else
    B.CreateCondBr(If, Join, Then);
  BasicBlock *From = B.GetInsertBlock();
  B.SetInsertPoint(Then);
  Frame Old = enter();
  statements(1 + unsigned(R.below(4)));
  Value *Out = nullptr;
  if (R.chance(40)) {
    Type *Ty = type();
    Out = operand(Ty);
  }
  BasicBlock *End = B.GetInsertBlock();
  B.CreateBr(Join);
  leave(Old);
  Value *Otherwise = nullptr;
  if (Out) { // what comes over the other edge exists in front of the branch
    B.SetInsertPoint(From->getTerminator());
    Otherwise = operand(Out->getType());
  }
  B.SetInsertPoint(Join);
  if (!Out)
    return;
  PHINode *Phi = B.CreatePHI(Out->getType(), 2, "phi");
  Phi->addIncoming(Out, End);
  Phi->addIncoming(Otherwise, From);
  keep(Phi);
}

/// r*x + y: the arms of a join that have x in common.
Value *KernelBuilder::relatedSum(Value *Base, Type *Ty) {
  Value *X = convert(Base, Ty);
  Value *Scaled = B.CreateMul(X, number(Ty, uint64_t(radix())), "scaled");
  return B.CreateAdd(Scaled, operand(Ty), "related");
}

void KernelBuilder::ifElse() {
  Value *If = condition();
  BasicBlock *Arms[] = {block("then"), block("else")};
  BasicBlock *Join = block("join"), *Ends[2];
  B.CreateCondBr(If, Arms[0], Arms[1]);
  SmallVector<Type *, 2> Types{type()};
  if (R.chance(50))
    Types.push_back(type());
  Value *Base = R.chance(50) ? anyValue() : nullptr;
  Values Outs[2];
  for (unsigned Arm : {0u, 1u}) {
    B.SetInsertPoint(Arms[Arm]);
    Frame Old = enter();
    if (Base)
      Outs[Arm].push_back(relatedSum(Base, Types[0]));
    statements(unsigned(R.below(3)));
    while (Outs[Arm].size() < Types.size())
      Outs[Arm].push_back(operand(Types[Outs[Arm].size()]));
    Ends[Arm] = B.GetInsertBlock();
    B.CreateBr(Join);
    leave(Old);
  }
  B.SetInsertPoint(Join);
  for (size_t K = 0; K < Types.size(); ++K) {
    PHINode *Phi = B.CreatePHI(Types[K], 2, "phi");
    for (unsigned Arm : {0u, 1u})
      Phi->addIncoming(Outs[Arm][K], Ends[Arm]);
    keep(Phi);
  }
  // The common tail of both arms, sunk below the join.
  if (Base && R.chance(70))
    keep(relatedSum(Pool[Pool.size() - Types.size()], Types[0]));
}

void KernelBuilder::switchOver() {
  Type *Ty = type();
  Value *On = variable(Ty);
  if (R.chance(70))
    On = B.CreateURem(On, number(Ty, 2 + R.below(5)), "case.of");
  if (isa<Constant>(On))
    return;
  BasicBlock *Join = block("join"), *Default = block("default");
  SwitchInst *Switch = B.CreateSwitch(On, Default);
  SmallVector<BasicBlock *, 4> Bodies;
  for (uint64_t K = 0, Count = 1 + R.below(3); K < Count; ++K) {
    ConstantInt *Case = number(Ty, R.chance(80) ? K : R.below(100) - 50);
    if (Switch->findCaseValue(Case) != Switch->case_default())
      continue;
    if (Bodies.empty() || R.chance(85))
      Bodies.push_back(block("case"));
    Switch->addCase(Case, Bodies.back());
  }
  Bodies.push_back(Default);
  Type *PhiType = type();
  SmallVector<std::pair<Value *, BasicBlock *>, 4> Incoming;
  for (BasicBlock *Body : Bodies) {
    B.SetInsertPoint(Body);
    Frame Old = enter();
    statements(unsigned(R.below(3)));
    Value *Out = operand(PhiType);
    Incoming.push_back({Out, B.GetInsertBlock()});
    B.CreateBr(Join);
    leave(Old);
  }
  B.SetInsertPoint(Join);
  PHINode *Phi = B.CreatePHI(PhiType, unsigned(Incoming.size()), "phi");
  for (auto &[V, From] : Incoming)
    Phi->addIncoming(V, From);
  keep(Phi);
}

void KernelBuilder::earlyReturn() {
  Value *If = condition();
  BasicBlock *Out = block("out"), *Rest = block("rest");
  if (R.chance(50))
    B.CreateCondBr(If, Rest, Out);
  else
    B.CreateCondBr(If, Out, Rest);
  B.SetInsertPoint(Out);
  B.CreateRetVoid();
  B.SetInsertPoint(Rest);
}

/// The right side is chosen, or the assumption dropped, after a run.
void KernelBuilder::assume() {
  Type *Ty = type();
  Value *X = variable(Ty);
  Value *Y = R.chance(75) ? number(Ty, 1) : operand(Ty);
  CmpInst::Predicate P = predicate();
  auto *Cmp = dyn_cast<ICmpInst>(B.CreateICmp(P, X, Y, "assumed"));
  if (Cmp)
    Conditions.Assumptions.push_back({Cmp, B.CreateAssumption(Cmp)});
}

/// __builtin_assume(gridDim.x == n)
void KernelBuilder::assumeLaunch() {
  static constexpr Intrinsic::ID Sizes[] = {
      Intrinsic::nvvm_read_ptx_sreg_ntid_x,
      Intrinsic::nvvm_read_ptx_sreg_ntid_y,
      Intrinsic::nvvm_read_ptx_sreg_nctaid_x,
      Intrinsic::nvvm_read_ptx_sreg_nctaid_y,
      Intrinsic::nvvm_read_ptx_sreg_nctaid_z};
  Value *Size = call(R.pick(Sizes), {}, {}, "size");
  auto *Cmp =
      cast<ICmpInst>(B.CreateICmp(R.chance(60) ? CmpInst::ICMP_EQ : predicate(),
                                  Size, B.getInt32(1), "assumed"));
  Conditions.Assumptions.push_back({Cmp, B.CreateAssumption(Cmp)});
  if (R.chance(50))
    keep(Size);
}

} // namespace unravel
