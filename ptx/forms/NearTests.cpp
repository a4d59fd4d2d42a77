//===- NearTests.cpp - Comparisons at their branches ----------------------===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ptx/forms/NearTests.h"
#include "ptx/forms/PureText.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/PatternMatch.h"

using namespace llvm;
using namespace llvm::PatternMatch;

/// As many predicates are left for a loop, beside one for what is tested at the
/// moment. Elsewhere, where a test is kept for one use, and not for one in each
/// iteration, ptxas gets along with more.
static constexpr unsigned MaxKeptInLoop = 6, MaxKept = 16;

/// Where a use needs its value.
static BasicBlock *blockOf(const Use &U) {
  auto *User = cast<llvm::Instruction>(U.getUser());
  if (auto *Phi = dyn_cast<PHINode>(User))
    return Phi->getIncomingBlock(U);
  return User->getParent();
}

static bool isFar(const Use &U) {
  return blockOf(U) != cast<llvm::Instruction>(U.get())->getParent();
}

static bool isWordTest(const llvm::Instruction &I) {
  auto *Test = dyn_cast<ICmpInst>(&I);
  return Test && (Test->getOperand(0)->getType()->isIntegerTy(32) ||
                  Test->getOperand(0)->getType()->isIntegerTy(64));
}

/// How many tests of other blocks are kept at the beginning of a block.
static DenseMap<const BasicBlock *, unsigned> countKept(llvm::Function &F) {
  DenseMap<const BasicBlock *, unsigned> NumKept;
  for (llvm::Instruction &Test : instructions(F)) {
    if (!isWordTest(Test))
      continue;
    // From the far uses back to the test.
    SmallVector<const BasicBlock *, 8> Work;
    SmallPtrSet<const BasicBlock *, 8> Seen;
    for (const Use &U : Test.uses())
      if (isFar(U))
        Work.push_back(blockOf(U));
    while (!Work.empty()) {
      const BasicBlock *Block = Work.pop_back_val();
      if (Block == Test.getParent() || !Seen.insert(Block).second)
        continue;
      ++NumKept[Block];
      append_range(Work, predecessors(Block));
    }
  }
  return NumKept;
}

/// Instructions that ptxas may make conditional in place of a branch.
static constexpr unsigned MaxGuarded = 12;

/// Whether \p Branch jumps over a few instructions.
static bool guardsLittle(const BranchInst &Branch) {
  for (unsigned Side : {0, 1}) {
    const BasicBlock *Guarded = Branch.getSuccessor(Side);
    if (Guarded->getSinglePredecessor() &&
        Guarded->getSingleSuccessor() == Branch.getSuccessor(1 - Side) &&
        Guarded->size() <= MaxGuarded)
      return true;
  }
  return false;
}

SmallVector<BranchInst *, 16> unravel::ptx::crowdedBranches(llvm::Function &F) {
  DenseMap<const BasicBlock *, unsigned> NumKept = countKept(F);
  DominatorTree DT(F);
  LoopInfo LI(DT);
  SmallVector<BranchInst *, 16> Crowded;
  for (BasicBlock &Block : F) {
    auto *Branch = dyn_cast<BranchInst>(Block.getTerminator());
    if (!Branch || !Branch->isConditional() || !guardsLittle(*Branch))
      continue;
    auto *Test = dyn_cast<ICmpInst>(Branch->getCondition());
    if (!Test || !isWordTest(*Test) || Test->getParent() == &Block)
      continue;
    const Loop *L = LI.getLoopFor(&Block);
    bool IsFromOutside = L && !L->contains(Test);
    if (NumKept.lookup(&Block) > (IsFromOutside ? MaxKeptInLoop : MaxKept))
      Crowded.push_back(Branch);
  }
  return Crowded;
}

/// LLVM moves what has no effects to where it was.
static Value *inPlace(Value *Text) {
  auto *Call = cast<CallInst>(Text);
  auto *Asm = cast<InlineAsm>(Call->getCalledOperand());
  Call->setCalledOperand(InlineAsm::get(
      Asm->getFunctionType(), Asm->getAsmString(), Asm->getConstraintString(),
      /*hasSideEffects=*/true));
  return Call;
}

/// \p Operand, or the sum with a constant that it is once more if nothing but
/// tests of its block needs it: then its register is free in between.
static Value *near(Value *Operand, BranchInst &Branch) {
  Value *X;
  const APInt *C;
  if (!match(Operand, m_Add(m_Value(X), m_APInt(C))) || isa<Constant>(X) ||
      any_of(Operand->uses(), [&](const Use &U) {
        return isFar(U) || !isa<ICmpInst>(U.getUser());
      }))
    return Operand;
  IRBuilder<> B(&Branch);
  bool IsWide = Operand->getType()->isIntegerTy(64);
  return inPlace(unravel::ptx::pureText(
      B, IsWide ? "add.s64" : "add.s32", Operand->getType(), {X},
      "$0, $1, " + std::to_string(C->getSExtValue())));
}

static void repeat(ICmpInst &Test, BranchInst &Branch) {
  IRBuilder<> B(&Branch);
  Value *X = near(Test.getOperand(0), Branch);
  Value *Y = near(Test.getOperand(1), Branch);
  // `ult` is `lt.u`, `ne` is `ne.s`.
  std::string Opcode =
      ("setp." + CmpInst::getPredicateName(Test.getPredicate()).take_back(2) +
       "." + (Test.isUnsigned() ? "u" : "s") +
       Twine(X->getType()->getIntegerBitWidth()))
          .str();
  Branch.setCondition(
      inPlace(unravel::ptx::pureText(B, Opcode, B.getInt1Ty(), {X, Y})));
}

void unravel::ptx::repeatTests(ArrayRef<BranchInst *> Branches) {
  for (BranchInst *Branch : Branches)
    repeat(*cast<ICmpInst>(Branch->getCondition()), *Branch);
}
