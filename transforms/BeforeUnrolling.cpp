//===- BeforeUnrolling.cpp - Loops as small as they will be ---------------===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "transforms/BeforeUnrolling.h"
#include "transforms/late/TrialCopy.h"
#include "transforms/simplify/RemarkSink.h"
#include "llvm/Analysis/AssumptionCache.h"
#include "llvm/Analysis/CodeMetrics.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/TargetTransformInfo.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/Transforms/InstCombine/InstCombine.h"
#include "llvm/Transforms/Scalar/SimplifyCFG.h"
#include "llvm/Transforms/Utils/LoopUtils.h"
#include "llvm/Transforms/Utils/UnrollLoop.h"

using namespace llvm;

namespace unravel {

static IndexFactsPass inMode(const IndexSimplifyPasses &Passes,
                             enum IndexFactsOptions::Mode Mode) {
  IndexFactsOptions Options = Passes.Facts;
  Options.Mode = Mode;
  return IndexFactsPass(std::move(Options), Passes.State);
}

BeforeUnrollingPass::BeforeUnrollingPass(const IndexSimplifyPasses &Passes)
    : Lend(inMode(Passes, IndexFactsOptions::Mode::Lend)),
      Withdraw(inMode(Passes, IndexFactsOptions::Mode::Withdraw)),
      Options(Passes.Simplify) {
  Options.RunsAgain = true;
}

/// Whether LLVM decides about the loop by its size.
static bool mayBeUnrolled(const Loop &L, ScalarEvolution &SE) {
  return L.isInnermost() && hasUnrollTransformation(&L) == TM_Unspecified &&
         SE.getSmallConstantMaxTripCount(&L) > 1;
}

namespace {
/// A copy in which loops are as large as unrolling will find them.
class SizedCopy {
public:
  SizedCopy(Function &F, FunctionAnalysisManager &AM) : Copy(F, AM), AM(AM) {}

  /// As the pipeline does in front of unrolling, which adds instructions too.
  void cleanUp() {
    Copy.run(InstCombinePass());
    Copy.run(SimplifyCFGPass());
  }
  /// Of the loop that begins at the copy of \p Header, by the measure of
  /// unrolling; 0 if it is gone or cannot be unrolled.
  uint64_t sizeOfLoop(const BasicBlock *Header);

  TrialCopy Copy;

private:
  FunctionAnalysisManager &AM;
};
} // namespace

uint64_t SizedCopy::sizeOfLoop(const BasicBlock *Header) {
  Function &F = Copy.function();
  auto *Block = cast_or_null<BasicBlock>(Copy.copyOf(Header));
  const Loop *L =
      Block ? AM.getResult<LoopAnalysis>(F).getLoopFor(Block) : nullptr;
  if (!L || L->getHeader() != Block)
    return 0;
  SmallPtrSet<const Value *, 32> Ephemeral;
  CodeMetrics::collectEphemeralValues(L, &AM.getResult<AssumptionAnalysis>(F),
                                      Ephemeral);
  constexpr unsigned OfBackEdge = 2; // the test and the branch
  UnrollCostEstimator Size(L, AM.getResult<TargetIRAnalysis>(F), Ephemeral,
                           OfBackEdge);
  return Size.canUnroll() ? Size.getRolledLoopSize() : 0;
}

/// InstCombine would freeze the pointer itself, and nothing sees its address
/// space behind that.
static unsigned countFrozenPointers(Function &F) {
  return count_if(instructions(F), [](const Instruction &I) {
    return isa<FreezeInst>(I) && isa<PtrToIntInst>(I.getOperand(0));
  });
}

bool BeforeUnrollingPass::makesLoopsSmall(Function &F,
                                          FunctionAnalysisManager &AM) const {
  SizedCopy New(F, AM);
  New.Copy.run(Lend);
  Function &Simplified = New.Copy.function();
  RewriteTrial Trial(Simplified, AM, /*RunsAgain=*/true);
  RemarkSink Silent(RemarkSink::When::Never);
  if (!simplifyIndices(Simplified, Options, AM, Trial, Silent).Changed)
    return false;
  New.Copy.run(Withdraw);
  if (countFrozenPointers(Simplified) > countFrozenPointers(F))
    return false;
  SizedCopy Old(F, AM);
  Old.cleanUp();
  New.cleanUp();
  // For less than an eighth, loops that stay loops are better left alone.
  auto &SE = AM.getResult<ScalarEvolutionAnalysis>(F);
  return any_of(
      AM.getResult<LoopAnalysis>(F).getLoopsInPreorder(), [&](const Loop *L) {
        return mayBeUnrolled(*L, SE) && 8 * New.sizeOfLoop(L->getHeader()) <
                                            7 * Old.sizeOfLoop(L->getHeader());
      });
}

PreservedAnalyses BeforeUnrollingPass::run(Function &F,
                                           FunctionAnalysisManager &AM) {
  const LoopInfo &LI = AM.getResult<LoopAnalysis>(F);
  if (LI.empty())
    return PreservedAnalyses::all();
  ScalarEvolution &SE = AM.getResult<ScalarEvolutionAnalysis>(F);
  if (none_of(LI.getLoopsInPreorder(),
              [&](const Loop *L) { return mayBeUnrolled(*L, SE); }) ||
      !makesLoopsSmall(F, AM))
    return PreservedAnalyses::all();
  FunctionPassManager Passes;
  Passes.addPass(IndexFactsPass(Lend));
  Passes.addPass(IndexSimplifyPass(Options));
  Passes.addPass(IndexFactsPass(Withdraw));
  return Passes.run(F, AM);
}

} // namespace unravel
