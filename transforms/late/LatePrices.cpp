//===- LatePrices.cpp - What code costs behind later passes ---------------===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "transforms/late/LatePrices.h"
#include "transforms/late/TrialCopy.h"
#include "transforms/plan/NVPTXCostModel.h"
#include "llvm/Analysis/AssumptionCache.h"
#include "llvm/Analysis/CodeMetrics.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/Support/CommandLine.h"
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

using namespace llvm;

namespace unravel {

void LatePrice::add(const Instruction &I, unsigned LoopDepth) {
  // Loop strength reduction makes stepped pointers of sums with products. That
  // is no worse; a new plan has to gain more than such a difference.
  uint64_t Cost = costOf(I, reducesLoops() ? WideSums::AsTwo : WideSums::AsOne);
  Plain += Cost;
  Weighted += Cost * loopWeight(LoopDepth);
  if (auto *Gep = dyn_cast<GetElementPtrInst>(&I);
      Gep && !Gep->hasAllConstantIndices() &&
      Gep->getDataLayout().getIndexTypeSizeInBits(Gep->getType()) == 64) {
    ++PlainAddresses;
    WeightedAddresses += loopWeight(LoopDepth);
  }
}

bool reducesLoops() {
  auto *Disable = static_cast<cl::opt<bool> *>(
      cl::getRegisteredOptions().lookup("disable-lsr"));
  return !Disable || !*Disable;
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
  if (reducesLoops())
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

/// Whether scalar evolution sees through \p I to its operands.
static bool isTakenApart(const Instruction &I) {
  switch (I.getOpcode()) {
  case Instruction::Add:
  case Instruction::Sub:
  case Instruction::Mul:
  case Instruction::Shl:
  case Instruction::LShr:
  case Instruction::UDiv:
  case Instruction::URem:
  case Instruction::And:
  case Instruction::Or:
  case Instruction::GetElementPtr:
  case Instruction::Select:
    return true;
  case Instruction::Call:
    return isa<MinMaxIntrinsic>(I);
  default:
    return I.isCast();
  }
}

bool hasLongChain(const Function &F) {
  static constexpr unsigned MaxChain = 256;
  DenseMap<const Value *, unsigned> Length;
  for (const Instruction &I : instructions(F)) {
    if (!I.getType()->isIntOrPtrTy() || !isTakenApart(I))
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

bool hasManySiblings(const Function &F) {
  static constexpr unsigned MaxSiblings = 256;
  DenseMap<const Value *, unsigned> NumMadeOf;
  for (const Instruction &I : instructions(F))
    if (I.getType()->isIntOrPtrTy() && isTakenApart(I))
      for (const Value *Operand : I.operands())
        if (!isa<Constant>(Operand) && ++NumMadeOf[Operand] > MaxSiblings)
          return true;
  return false;
}

bool canTry(const Function &F) {
  // 450 short loops in a row, for which straight-line strength reduction takes
  // a fifth of a second.
  static constexpr unsigned MaxInstructions = 4096;
  return F.getInstructionCount() <= MaxInstructions &&
         none_of(instructions(F), isScalable) && !hasLongChain(F);
}

LatePrice priceBehindLaterPasses(Function &F, FunctionAnalysisManager &AM,
                                 const BasicBlock *Body) {
  // As if it changed something, so that there is a price.
  auto Nothing = [](Function &, FunctionAnalysisManager &) {
    return PreservedAnalyses::none();
  };
  return *priceBehindLaterPasses(F, AM, Body, Nothing);
}

std::optional<LatePrice> priceBehindLaterPasses(
    Function &F, FunctionAnalysisManager &AM, const BasicBlock *Body,
    function_ref<PreservedAnalyses(Function &, FunctionAnalysisManager &)>
        First) {
  TimeTraceScope Scope("LatePrices", F.getName());
  TrialCopy Trial(F, AM);
  if (Body)
    Trial.keepOnly(Body);
  PreservedAnalyses Changed = First(Trial.function(), AM);
  if (Changed.areAllPreserved())
    return std::nullopt;
  AM.invalidate(Trial.function(), Changed);
  if (canTry(F))
    runLaterPasses(Trial);
  else
    Trial.run(DCEPass());
  return priceNow(Trial.function(), AM);
}

} // namespace unravel
