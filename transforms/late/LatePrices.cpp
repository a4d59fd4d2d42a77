//===- LatePrices.cpp - What code costs behind later passes ---------------===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "transforms/late/LatePrices.h"
#include "transforms/late/ClonedBody.h"
#include "transforms/plan/NVPTXCostModel.h"
#include "llvm/Analysis/AssumptionCache.h"
#include "llvm/Analysis/CodeMetrics.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/TimeProfiler.h"
#include "llvm/Transforms/Scalar/DCE.h"
#include "llvm/Transforms/Scalar/DivRemPairs.h"
#include "llvm/Transforms/Scalar/EarlyCSE.h"
#include "llvm/Transforms/Scalar/InstSimplifyPass.h"
#include "llvm/Transforms/Scalar/LoopPassManager.h"
#include "llvm/Transforms/Scalar/LoopStrengthReduce.h"
#include "llvm/Transforms/Scalar/SeparateConstOffsetFromGEP.h"
#include "llvm/Transforms/Scalar/SpeculativeExecution.h"
#include "llvm/Transforms/Scalar/StraightLineStrengthReduce.h"
#include "llvm/Transforms/Utils/Cloning.h"
#include "llvm/Transforms/Utils/Local.h"

using namespace llvm;

namespace unravel {

namespace {
/// A copy of a function, in its module for as long as the copy lives.
class TrialCopy {
public:
  TrialCopy(Function &F, FunctionAnalysisManager &AM);
  ~TrialCopy();
  /// Runs a pass as a pass manager does, but unseen by those who watch passes
  /// (-print-after-all, -opt-bisect-limit).
  template <typename Pass> void run(Pass P) {
    AM.invalidate(*Copy, P.run(*Copy, AM));
  }
  Function &function() { return *Copy; }
  /// Leaves of the blocks that the entry chooses from only \p Body.
  void keepOnly(const BasicBlock *Body);

private:
  FunctionAnalysisManager &AM;
  Function *Copy;
  ValueToValueMapTy Copies;
};
} // namespace

TrialCopy::TrialCopy(Function &F, FunctionAnalysisManager &AM)
    : AM(AM),
      Copy(Function::Create(F.getFunctionType(), GlobalValue::PrivateLinkage,
                            F.getAddressSpace(), "", F.getParent())) {
  Copy->copyAttributesFrom(&F);
  Copy->setVisibility(GlobalValue::DefaultVisibility);
  Copy->setDSOLocal(true);
  SmallVector<BasicBlock *, 16> Blocks = cloneBody(F, *Copy, Copies);
  // They would have to be remapped, and nothing here looks at them.
  for (Instruction &I : instructions(*Copy))
    I.dropDbgRecords();
  remapInstructionsInBlocks(Blocks, Copies);
}

void TrialCopy::keepOnly(const BasicBlock *Body) {
  auto *Nowhere = BasicBlock::Create(Copy->getContext(), "", Copy);
  new UnreachableInst(Copy->getContext(), Nowhere);
  Instruction *Choice = Copy->getEntryBlock().getTerminator();
  for (unsigned Successor : seq(Choice->getNumSuccessors()))
    if (Choice->getSuccessor(Successor) != Copies[Body])
      Choice->setSuccessor(Successor, Nowhere);
  removeUnreachableBlocks(*Copy);
}

// The passes may have declared intrinsics, behind the copy.
TrialCopy::~TrialCopy() {
  Module &M = *Copy->getParent();
  AM.clear(*Copy, Copy->getName());
  Copy->deleteBody();
  while (&M.getFunctionList().back() != Copy)
    M.getFunctionList().back().eraseFromParent();
  Copy->eraseFromParent();
}

void LatePrice::add(const Instruction &I, unsigned LoopDepth) {
  uint64_t Cost = costOf(I);
  Plain += Cost;
  Weighted += Cost * loopWeight(LoopDepth);
}

/// In the order of the pipelines and of NVPTX, which numbers values globally
/// where this eliminates common subexpressions. DivRemPairs freezes dividends,
/// so that scalar evolution sees less than here.
static void runLaterPasses(TrialCopy &Trial) {
  Trial.run(DCEPass());
  Trial.run(InstSimplifyPass());
  Trial.run(DivRemPairsPass());
  Trial.run(SeparateConstOffsetFromGEPPass());
  Trial.run(SpeculativeExecutionPass());
  Trial.run(StraightLineStrengthReducePass());
  Trial.run(EarlyCSEPass());
  Trial.run(createFunctionToLoopPassAdaptor(LoopStrengthReducePass()));
  Trial.run(EarlyCSEPass());
  Trial.run(DCEPass());
}

LatePrice priceNow(Function &F, FunctionAnalysisManager &AM) {
  auto &LI = AM.getResult<LoopAnalysis>(F);
  // What only states a fact is no code.
  SmallPtrSet<const Value *, 32> Ephemeral;
  CodeMetrics::collectEphemeralValues(&F, &AM.getResult<AssumptionAnalysis>(F),
                                      Ephemeral);
  LatePrice Price;
  for (const BasicBlock &BB : F)
    for (const Instruction &I : BB)
      if (!Ephemeral.contains(&I))
        Price.add(I, LI.getLoopDepth(&BB));
  return Price;
}

static bool isScalable(const Instruction &I) {
  auto *Address = dyn_cast<GetElementPtrInst>(&I);
  return I.getType()->isScalableTy() ||
         (Address && Address->getSourceElementType()->isScalableTy()) ||
         any_of(I.operands(),
                [](const Use &U) { return U->getType()->isScalableTy(); });
}

/// Whether an integer or address of \p F comes from so many operations in a
/// row that scalar evolution takes long to take it apart.
static bool hasLongChain(const Function &F) {
  static constexpr unsigned MaxChain = 256;
  DenseMap<const Value *, unsigned> Length;
  for (const Instruction &I : instructions(F)) {
    if (isa<PHINode>(I) || isa<LoadInst>(I) || isa<CallBase>(I) ||
        !I.getType()->isIntOrPtrTy())
      continue;
    unsigned Longest = 0;
    for (const Value *Operand : I.operands())
      Longest = std::max(Longest, Length.lookup(Operand));
    if (Longest == MaxChain)
      return true;
    Length[&I] = Longest + 1;
  }
  return false;
}

bool canTry(const Function &F) {
  // 450 short loops in a row, for which straight-line strength reduction takes
  // a fifth of a second.
  static constexpr unsigned MaxInstructions = 4096;
  return F.getInstructionCount() <= MaxInstructions &&
         none_of(instructions(F), isScalable) && !hasLongChain(F);
}

LatePrice priceBehindLaterPasses(
    Function &F, FunctionAnalysisManager &AM, const BasicBlock *Body,
    function_ref<PreservedAnalyses(Function &, FunctionAnalysisManager &)>
        First) {
  TimeTraceScope Scope("LatePrices", F.getName());
  TrialCopy Trial(F, AM);
  if (Body)
    Trial.keepOnly(Body);
  if (First)
    AM.invalidate(Trial.function(), First(Trial.function(), AM));
  if (canTry(F))
    runLaterPasses(Trial);
  else
    Trial.run(DCEPass());
  return priceNow(Trial.function(), AM);
}

} // namespace unravel
