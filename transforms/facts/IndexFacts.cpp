//===- IndexFacts.cpp - Collects facts while they exist -------------------===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What may be recorded, and where: an operation with nsw (nuw) yields poison
// where it wraps. To divide by poison, to branch on it and to access memory
// through it are undefined behaviour. So where one of these is executed,
// nothing that its operand depends on by way of poison has wrapped; and the
// marker stands right there, because elsewhere the operation may well wrap.
//
// Nothing is assumed of undef either: a value that is undef may differ from use
// to use, but then the division could have seen the value that the marker sees.
//
//===----------------------------------------------------------------------===//

#include "transforms/facts/IndexFacts.h"
#include "analysis/facts/DeviceCode.h"
#include "analysis/facts/RangeFacts.h"
#include "transforms/facts/Contradictions.h"
#include "transforms/facts/FactMarkers.h"
#include "transforms/facts/Promises.h"
#include "transforms/facts/RegisterRanges.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Analysis/AssumptionCache.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace unravel {

//===----------------------------------------------------------------------===//
// Recording
//===----------------------------------------------------------------------===//

/// Kernels have a few shapes; more facts than this occur in stress tests only.
static constexpr size_t MaxFacts = 64;

/// The operand of which poison makes the execution of \p I undefined.
static Value *criticalOperand(Instruction &I) {
  if (I.isIntDivRem())
    return I.getOperand(1);
  if (auto *Branch = dyn_cast<BranchInst>(&I))
    return Branch->isConditional() ? Branch->getCondition() : nullptr;
  if (auto *Switch = dyn_cast<SwitchInst>(&I))
    return Switch->getCondition();
  return getLoadStorePointerOperand(&I);
}

namespace {
/// Puts markers into a function.
class FactRecorder {
public:
  FactRecorder(Function &F, AssumptionCache &AC, DominatorTree &DT)
      : F(F), AC(AC), DT(DT) {
    for (auto &Handle : AC.assumptions())
      if (auto *Assume = cast_or_null<AssumeInst>(Handle))
        if (std::optional<RecordedFact> Fact = markedFact(*Assume))
          Known.push_back({std::move(*Fact), Assume});
  }

  bool run() {
    size_t Before = Known.size();
    // Markers that are inserted on the way must not be looked at.
    SmallVector<Instruction *, 16> Places;
    for (Instruction &I : instructions(F))
      if (DT.isReachableFromEntry(I.getParent()) &&
          (criticalOperand(I) || isa<AssumeInst>(I)))
        Places.push_back(&I);
    for (Instruction *Place : Places)
      if (auto *Assume = dyn_cast<AssumeInst>(Place))
        recordAssumption(*Assume);
      else
        recordOperations(criticalOperand(*Place), Place);
    return Known.size() != Before;
  }

private:
  void recordOperations(Value *Root, Instruction *Place) {
    // Index arithmetic is a handful of operations; the rest is left out.
    static constexpr size_t MaxVisited = 32;
    SmallVector<Instruction *, 8> Work;
    SmallPtrSet<Instruction *, 8> Seen;
    auto Push = [&](Value *V) {
      auto *I = dyn_cast<Instruction>(V);
      if (I && Seen.size() < MaxVisited && Seen.insert(I).second)
        Work.push_back(I);
    };
    Push(Root);
    while (!Work.empty()) {
      Instruction *I = Work.pop_back_val();
      RecordedFact Fact;
      if (encodeExact(I, /*Signed=*/true, Fact) ||
          encodeExact(I, /*Signed=*/false, Fact)) {
        if (hasProduct(Fact) || isDivisor(*I, *Place))
          add(std::move(Fact), Place);
        continue;
      }
      for (const Use &U : I->operands())
        if (propagatesPoison(U))
          Push(U.get());
    }
  }

  /// `n - 1` in a guard does not wrap, but nothing follows from that.
  static bool isDivisor(const Instruction &I, const Instruction &Place) {
    return Place.isIntDivRem() && Place.getOperand(1) == &I;
  }

  void recordAssumption(AssumeInst &Assume) {
    RecordedFact Fact;
    auto *Cmp = dyn_cast<ICmpInst>(Assume.getArgOperand(0));
    // An assumption about an argument survives by itself.
    if (Cmp && !isa<Argument>(Cmp->getOperand(0)) && encodeCondition(Cmp, Fact))
      add(std::move(Fact), &Assume);
  }

  void add(RecordedFact Fact, Instruction *Place) {
    if (Known.size() >= MaxFacts || any_of(Known, [&](const auto &K) {
          return isSameFact(K.first, Fact) && DT.dominates(K.second, Place);
        }))
      return;
    Instruction *Marker = insertMarker(Fact, Place, AC);
    Known.push_back({std::move(Fact), Marker});
  }

  Function &F;
  AssumptionCache &AC;
  DominatorTree &DT;
  SmallVector<std::pair<RecordedFact, Instruction *>, 8> Known;
};
} // namespace

bool IndexFactsPass::applyFile(Function &F) {
  if (!Shared->IsFileRead && !Options.FactsFile.empty()) {
    Shared->IsFileRead = true;
    StringRef Compiled = Shared->WholeFile.empty()
                             ? StringRef(F.getParent()->getSourceFileName())
                             : StringRef(Shared->WholeFile);
    Expected<FactsFile> Read = FactsFile::read(Options.FactsFile);
    if (!Read)
      Shared->Errors.report(F.getContext(), toString(Read.takeError()));
    else if (Read->isOf(Compiled, F.getContext(), Shared->Errors))
      Shared->File = std::move(*Read);
  }
  if (!Shared->File)
    return false;
  if (Shared->WholeFile.empty())
    Shared->File->warnOfUnknown(*F.getParent(), Shared->Errors);
  else
    Shared->File->warnOfUnknown(F.getContext(), Shared->WholeFile,
                                Shared->KernelsOfFile, Shared->Errors);
  return isKernel(F) && Shared->File->applyTo(F, Shared->Errors);
}

/// What people state, of this kernel or of all.
bool IndexFactsPass::applyStatements(Function &F, FunctionAnalysisManager &AM) {
  auto &AC = AM.getResult<AssumptionAnalysis>(F);
  auto &DT = AM.getResult<DominatorTreeAnalysis>(F);
  bool Changed = applyFile(F);
  if (isKernel(F)) {
    Changed |= applyKernelFacts(F, readKernelFacts(F, Shared->Errors), AC,
                                Shared->Errors);
    Changed |= narrowClusterReads(F);
  }
  Changed |= narrowAssumedReads(F, AM);
  Changed |= useAssumedGrids(F, AC, DT);
  if (Options.IndexFits)
    Changed |= promiseIndexFits(F);
  if (Options.PositiveSizes && isKernel(F))
    Changed |= promisePositiveSizes(F, AC);
  return Changed;
}

bool IndexFactsPass::record(Function &F, FunctionAnalysisManager &AM) {
  bool Changed = applyStatements(F, AM);
  // A pure function with an assumption in it is no longer seen as pure. That
  // does no harm where it is inlined.
  if (!isKernel(F) && F.hasFnAttribute(Attribute::NoInline))
    return Changed;
  return FactRecorder(F, AM.getResult<AssumptionAnalysis>(F),
                      AM.getResult<DominatorTreeAnalysis>(F))
             .run() ||
         Changed;
}

//===----------------------------------------------------------------------===//
// Stating
//===----------------------------------------------------------------------===//

bool IndexFactsPass::state(Function &F, FunctionAnalysisManager &AM,
                           bool KeepsMarkers) {
  auto &AC = AM.getResult<AssumptionAnalysis>(F);
  auto &DT = AM.getResult<DominatorTreeAnalysis>(F);
  SmallVector<AssumeInst *, 8> Markers;
  for (Instruction &I : instructions(F))
    if (auto *Assume = dyn_cast<AssumeInst>(&I); Assume && markedFact(*Assume))
      Markers.push_back(Assume);
  // Unrolled bodies repeat facts.
  SmallVector<std::pair<RecordedFact, Instruction *>, 8> Stated;
  SmallVector<KnownProduct, 8> Products;
  for (AssumeInst *Marker : Markers) {
    RecordedFact Fact = *markedFact(*Marker);
    if (Stated.size() >= MaxFacts || any_of(Stated, [&](const auto &S) {
          return isSameFact(S.first, Fact) && DT.dominates(S.second, Marker);
        }))
      continue;
    stateFact(Fact, Marker, AC);
    collectProducts(Fact, Marker, Products);
    Stated.push_back({std::move(Fact), Marker});
  }
  restoreFlags(F, Products, DT);
  bool Changed = !Markers.empty();
  if (!KeepsMarkers)
    for (AssumeInst *Marker : Markers)
      removeAssumption(*Marker, AC);
  if (Options.IndexFits && isKernel(F))
    Changed |= stateIndexFits(F, AC);
  return Changed;
}

/// Every pipeline comes by here, and every pass alone: the place to say why
/// nothing will happen.
bool IndexFactsPass::isForDevice(const Function &F) {
  if (isDeviceCodeWithoutLayout(F))
    Shared->Errors.warn(
        F.getContext(),
        "'" + F.getParent()->getModuleIdentifier() +
            "' is code for NVIDIA GPUs without a data layout, so its indices "
            "are not simplified; give the module a data layout and the target "
            "triple nvptx64-nvidia-cuda");
  return isDeviceCode(F);
}

bool IndexFactsPass::bringIntoForce(Function &F, FunctionAnalysisManager &AM) {
  if (!isForDevice(F) || hasStatedFacts(F))
    return false;
  bool Changed = applyStatements(F, AM);
  Changed |= state(F, AM, /*KeepsMarkers=*/false);
  if (!Changed)
    return false;
  PreservedAnalyses PA;
  PA.preserveSet<CFGAnalyses>();
  AM.invalidate(F, PA);
  return true;
}

PreservedAnalyses IndexFactsPass::run(Function &F,
                                      FunctionAnalysisManager &AM) {
  if (!isForDevice(F))
    return PreservedAnalyses::all();
  bool Changed = false;
  switch (Options.Mode) {
  case IndexFactsOptions::Mode::Record:
    Changed = record(F, AM);
    break;
  case IndexFactsOptions::Mode::Lend:
  case IndexFactsOptions::Mode::State:
    Changed = state(F, AM, Options.Mode == IndexFactsOptions::Mode::Lend);
    break;
  case IndexFactsOptions::Mode::Withdraw:
    Changed = withdrawFacts(F, AM.getResult<AssumptionAnalysis>(F));
    break;
  case IndexFactsOptions::Mode::Forget:
    Changed = forgetFacts(F, AM.getResult<AssumptionAnalysis>(F));
    Changed |= forgetKernelFacts(F);
    Changed |= reportContradiction(F, Shared->Errors);
    break;
  }
  if (!Changed)
    return PreservedAnalyses::all();
  PreservedAnalyses PA;
  PA.preserveSet<CFGAnalyses>();
  return PA;
}

} // namespace unravel
