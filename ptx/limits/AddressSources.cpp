//===- AddressSources.cpp - What an address is computed of ----------------===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ptx/limits/AddressSources.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/IntrinsicsNVPTX.h"

using namespace llvm;

namespace unravel {

/// Marks what a special register says.
static void addRegister(const IntrinsicInst &Call, Dimensions &Thread,
                        Dimensions &Block) {
  switch (Call.getIntrinsicID()) {
  case Intrinsic::nvvm_read_ptx_sreg_tid_x:
    Thread[0] = true;
    break;
  case Intrinsic::nvvm_read_ptx_sreg_tid_y:
    Thread[1] = true;
    break;
  case Intrinsic::nvvm_read_ptx_sreg_tid_z:
    Thread[2] = true;
    break;
  case Intrinsic::nvvm_read_ptx_sreg_ctaid_x:
    Block[0] = true;
    break;
  case Intrinsic::nvvm_read_ptx_sreg_ctaid_y:
    Block[1] = true;
    break;
  case Intrinsic::nvvm_read_ptx_sreg_ctaid_z:
    Block[2] = true;
    break;
  case Intrinsic::nvvm_read_ptx_sreg_laneid:
  case Intrinsic::nvvm_read_ptx_sreg_warpid:
    Thread = {true, true, true};
    break;
  default:
    break;
  }
}

AddressSources sourcesOf(const Value *Pointer) {
  AddressSources Sources;
  SmallVector<const Value *, 16> Worklist = {Pointer};
  SmallPtrSet<const Value *, 32> Seen = {Pointer};
  while (!Worklist.empty()) {
    auto *I = dyn_cast<User>(Worklist.pop_back_val());
    if (!I || isa<GlobalValue>(I))
      continue;
    if (auto *Inst = dyn_cast<Instruction>(I);
        Inst && (isa<PHINode>(Inst) || Inst->mayReadFromMemory()))
      Sources.Varying.insert(Inst->getParent());
    if (auto *Call = dyn_cast<IntrinsicInst>(I))
      addRegister(*Call, Sources.Thread, Sources.Block);
    for (const Value *Operand : I->operands())
      if (Seen.insert(Operand).second)
        Worklist.push_back(Operand);
  }
  return Sources;
}

unsigned AddressSources::depthOf(const BasicBlock *BB,
                                 const CycleInfo &Cycles) const {
  unsigned Depth = 0;
  for (const Cycle *C = Cycles.getCycle(BB); C; C = C->getParentCycle())
    Depth += any_of(Varying,
                    [&](const BasicBlock *From) { return C->contains(From); });
  return Depth;
}

Dimensions blockIndicesOf(const Function &F) {
  Dimensions Thread = {}, Block = {};
  for (const Instruction &I : instructions(F))
    if (auto *Call = dyn_cast<IntrinsicInst>(&I))
      addRegister(*Call, Thread, Block);
  return Block;
}

} // namespace unravel
