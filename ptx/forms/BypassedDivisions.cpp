//===- BypassedDivisions.cpp - Short cuts for divisions -------------------===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ptx/forms/BypassedDivisions.h"
#include "transforms/reciprocal/OverflowGuard.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/PatternMatch.h"
#include "llvm/Transforms/Utils/BypassSlowDivision.h"

using namespace llvm;
using namespace llvm::PatternMatch;
using namespace unravel;

/// Takes the guard out of the test of a short cut, and out of \p ShortSide
/// behind it. A guarded divisor is another number only where the dividend is
/// the lowest one. That has an upper half, so the test fails with both
/// divisors, and where it does not, they are the same.
static void dropGuard(BasicBlock &ShortSide) {
  BasicBlock *Above = ShortSide.getSinglePredecessor(), *LongSide;
  llvm::Instruction *Halves;
  const APInt *Mask;
  if (!Above ||
      !match(Above->getTerminator(),
             m_Br(m_SpecificICmp(
                      CmpInst::ICMP_EQ,
                      m_And(m_OneUse(m_Instruction(Halves)), m_APInt(Mask)),
                      m_Zero()),
                  m_SpecificBB(&ShortSide), m_BasicBlock(LongSide))) ||
      Halves->getOpcode() != llvm::Instruction::Or || !Mask->isSignBitSet())
    return;
  Value *N = Halves->getOperand(0), *Guarded = Halves->getOperand(1);
  if (!isa<SelectInst>(Guarded))
    return;
  for (llvm::Instruction &I : *LongSide) {
    auto *Division = dyn_cast<BinaryOperator>(&I);
    if (!Division || Division->getOperand(0) != N ||
        Division->getOperand(1) != Guarded)
      continue;
    if (Value *D = withoutOverflowGuard(*Division)) {
      Halves->setOperand(1, D);
      for (llvm::Instruction &Short : ShortSide)
        Short.replaceUsesOfWith(Guarded, D);
      return;
    }
  }
}

/// Takes the lower halves of the operands of short divisions behind the
/// operands, once each: so all divisions by one size have one divisor, and it
/// does not change in loops in which the size does not.
static void hoistHalves(llvm::Function &F) {
  DenseMap<Value *, Value *> HalfOf;
  for (llvm::Instruction &I : make_early_inc_range(instructions(F))) {
    Value *V;
    if (!I.isIntDivRem() || !I.getType()->isIntegerTy(32))
      continue;
    for (Use &U : I.operands()) {
      if (!match(U.get(), m_Trunc(m_Value(V))) ||
          !V->getType()->isIntegerTy(64))
        continue;
      Value *&Half = HalfOf[V];
      if (!Half) {
        auto *Def = dyn_cast<llvm::Instruction>(V);
        std::optional<BasicBlock::iterator> Place =
            Def ? Def->getInsertionPointAfterDef()
                : F.getEntryBlock().getFirstInsertionPt();
        if (!Place)
          continue;
        Half = new TruncInst(V, U->getType(), V->getName() + ".lo", *Place);
      }
      U.set(Half);
    }
  }
}

PreservedAnalyses
unravel::ptx::BypassedDivisionsPass::run(llvm::Function &F,
                                         FunctionAnalysisManager &) {
  // In 64 bits, those of 32.
  const DenseMap<unsigned, unsigned> Widths = {{64, 32}};
  bool Changed = false;
  // The rest of a block that is split comes next, and was looked at.
  for (BasicBlock *Block = &F.front(); Block;) {
    BasicBlock *Next = Block->getNextNode();
    Changed |= bypassSlowDivision(Block, Widths);
    for (Block = Block->getNextNode(); Block != Next;
         Block = Block->getNextNode())
      dropGuard(*Block);
  }
  if (!Changed)
    return PreservedAnalyses::all();
  hoistHalves(F);
  return PreservedAnalyses::none();
}
