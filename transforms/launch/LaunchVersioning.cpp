//===- LaunchVersioning.cpp - A fast body for ordinary launches -----------===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//     entry:                               entry:
//       ...                                  %fits = <the test>
//                                            br i1 %fits, label %fast,
//                                                         label %fallback
//                             becomes      fast:
//                                            ...          ; with the facts
//                                          fallback:
//                                            ...          ; without
//
// The second body is a copy of the kernel as it was before index-simplify, so
// that nothing is lost that the facts could have been used for; the first one
// is exactly what index-simplify makes of the kernel alone. The test is the
// same in every thread of the launch: barriers and other convergent operations
// are executed by all threads in the same body.
//
//===----------------------------------------------------------------------===//

#include "transforms/launch/LaunchVersioning.h"
#include "analysis/facts/MissingFacts.h"
#include "transforms/late/ClonedBody.h"
#include "transforms/late/HiddenQuotients.h"
#include "transforms/late/HiddenValues.h"
#include "transforms/late/LatePrices.h"
#include "transforms/late/TwoBodies.h"
#include "transforms/launch/CopyableCode.h"
#include "transforms/launch/EntryCheck.h"
#include "transforms/launch/SignExtensions.h"
#include "transforms/plan/NVPTXCostModel.h"
#include "transforms/simplify/FactRemarks.h"
#include "transforms/simplify/FactTrials.h"
#include "transforms/simplify/IndexVectors.h"
#include "transforms/simplify/RemarkSink.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Analysis/AssumptionCache.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/OptimizationRemarkEmitter.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/MDBuilder.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/PatternMatch.h"
#include "llvm/Support/TimeProfiler.h"
#include "llvm/TargetParser/Triple.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/Cloning.h"
#include "llvm/Transforms/Utils/Local.h"
#include <memory>

using namespace llvm;
using namespace llvm::PatternMatch;

// Remarks are found with those of the pass that does the work.
#define DEBUG_TYPE "index-simplify"

namespace unravel {

//===----------------------------------------------------------------------===//
// Which kernels
//===----------------------------------------------------------------------===//

/// Whether a division of \p I could gain by a fact.
static bool isCandidate(const Instruction &I) {
  return I.isIntDivRem() &&
         (!isa<Constant>(I.getOperand(1)) ||
          I.getType()->isIntOrIntVectorTy(64) || isSignedDivision(I));
}

/// Cheap: most kernels are told apart by their lack of divisions.
static bool isEligible(const Function &F) {
  // A kernel that is too large for a second body is too large to be looked at.
  static constexpr unsigned MaxInstructions = 8192;
  if (F.getCallingConv() != CallingConv::PTX_Kernel || F.hasOptSize() ||
      F.hasOptNone() || F.hasPersonalityFn() || F.isVarArg() || F.hasGC() ||
      F.isPresplitCoroutine() || F.hasFnAttribute(VersionedMarker))
    return false;
  bool HasCandidate = false, LeftAllocas = false;
  unsigned Count = 0;
  for (const BasicBlock &BB : F) {
    if (BB.hasAddressTaken())
      return false;
    for (const Instruction &I : BB) {
      if (!isCopyable(I) || ++Count > MaxInstructions)
        return false;
      HasCandidate |= isCandidate(I);
      // Local variables stay in front of the test.
      if (&BB == &F.getEntryBlock()) {
        if (isa<AllocaInst>(I) && LeftAllocas)
          return false;
        LeftAllocas |= !isa<AllocaInst>(I);
      }
    }
  }
  return HasCandidate;
}

//===----------------------------------------------------------------------===//
// Two bodies
//===----------------------------------------------------------------------===//

/// A loop is identified by its metadata: the copies need their own.
static void separateLoops(ArrayRef<BasicBlock *> Blocks) {
  DenseMap<MDNode *, MDNode *> Copies;
  for (BasicBlock *BB : Blocks) {
    Instruction *Branch = BB->getTerminator();
    MDNode *Id = Branch->getMetadata(LLVMContext::MD_loop);
    if (!Id)
      continue;
    MDNode *&Copy = Copies[Id];
    if (!Copy) {
      SmallVector<Metadata *, 4> Operands(Id->op_begin(), Id->op_end());
      Copy = MDNode::getDistinct(BB->getContext(), Operands);
      Copy->replaceOperandWith(0, Copy);
    }
    Branch->setMetadata(LLVMContext::MD_loop, Copy);
  }
}

namespace {
/// A copy of a kernel's body, kept outside of the kernel until it is wanted.
class SecondBody {
public:
  SecondBody(Function &F);
  /// Moves the copy into \p F, in front of \p Before, and replaces its local
  /// variables and arguments by those of \p F.
  void moveTo(Function &F, BasicBlock *Before);
  ValueToValueMapTy &copies() { return Copies; }
  ArrayRef<BasicBlock *> blocks() const { return Blocks; }
  BasicBlock *entry() const { return Blocks.front(); }

private:
  std::unique_ptr<Function> Holder;
  ValueToValueMapTy Copies;
  SmallVector<BasicBlock *, 16> Blocks;
  SmallVector<std::pair<AllocaInst *, WeakTrackingVH>, 4> Allocas;
};
} // namespace

// The copy must not have the arguments of the kernel: they would have more
// users, which analyses of the kernel look at.
SecondBody::SecondBody(Function &F)
    : Holder(Function::Create(F.getFunctionType(), GlobalValue::PrivateLinkage,
                              F.getAddressSpace())) {
  Blocks = cloneBody(F, *Holder, Copies);
  remapInstructionsInBlocks(Blocks, Copies);
  for (Instruction &I : F.getEntryBlock())
    if (auto *Alloca = dyn_cast<AllocaInst>(&I))
      Allocas.push_back({cast<AllocaInst>(Copies[Alloca]), Alloca});
  separateLoops(Blocks);
  SmallVector<MDNode *, 4> Scopes;
  identifyNoAliasScopesToClone(Blocks, Scopes);
  cloneAndAdaptNoAliasScopes(Scopes, Blocks, F.getContext(), "fast");
}

void SecondBody::moveTo(Function &F, BasicBlock *Before) {
  for (auto [Old, New] : zip(Holder->args(), F.args()))
    Old.replaceAllUsesWith(&New);
  for (auto &[Copy, Original] : Allocas) {
    if (Original) {
      Copy->replaceAllUsesWith(Original);
      Copy->eraseFromParent();
    } else { // Simplification left no use of it in the first body.
      Copy->moveBefore(F.getEntryBlock().begin());
    }
  }
  F.splice(Before->getIterator(), Holder.get());
}

//===----------------------------------------------------------------------===//
// What it costs
//===----------------------------------------------------------------------===//

namespace {
/// What a launch executes, and the code for it.
struct Price {
  uint64_t Time; ///< behind the passes of the back end, weighted by loop depth
  uint64_t Size; ///< in instructions
};
} // namespace

static uint64_t sizeOf(ArrayRef<BasicBlock *> Blocks) {
  uint64_t Size = 0;
  for (BasicBlock *BB : Blocks)
    for (const Instruction &I : *BB)
      if (!isa<PHINode>(I) && !I.isDebugOrPseudoInst() && !isa<AllocaInst>(I))
        Size += std::max(costOf(I), 1u);
  return Size;
}

/// What a fast body has to gain, for the gain to show: below a twentieth, and
/// below a few instructions, no kernel gets faster.
static constexpr uint64_t LeastGainPercent = 5, LeastGain = 8;

static bool savesEnough(const Price &Fast, const Price &Fallback) {
  return Fast.Time + LeastGain <= Fallback.Time &&
         Fast.Time * 100 <= Fallback.Time * (100 - LeastGainPercent);
}

/// A launch executes the test and one of the bodies; the code of the other is
/// not fetched. So what a fast body costs is the size of the module, which is
/// bounded by \p MaxGrowthPercent. Returns why it does not pay; empty if it
/// does.
static std::string whyNot(const Price &Fast, const Price &Fallback,
                          unsigned MaxGrowthPercent) {
  if (!savesEnough(Fast, Fallback))
    return "it would have to save " + std::to_string(LeastGain) +
           " instructions and " + std::to_string(LeastGainPercent) + " percent";
  if (Fast.Size * 100 > Fallback.Size * MaxGrowthPercent)
    return "it may add " + std::to_string(MaxGrowthPercent) +
           " percent of the kernel's code "
           "(-Xarch_device -mllvm=-index-simplify-versioning-growth=" +
           std::to_string((Fast.Size * 100 + Fallback.Size - 1) /
                          Fallback.Size) +
           " allows it)";
  return "";
}

//===----------------------------------------------------------------------===//
// Versioning
//===----------------------------------------------------------------------===//

namespace {
class Versioning {
public:
  Versioning(Function &F, const MissingFacts &Facts,
             const IndexSimplifyOptions &Options, FunctionAnalysisManager &AM,
             bool IsSilent)
      : F(F), Options(Options), AM(AM), Second(F), Test(Facts, Second.copies()),
        IsSilent(IsSilent) {}
  /// Adds the fast body. Returns whether it stays, beside the other one with
  /// its price.
  bool run(const LatePrice &FirstPrice);
  const BasicBlock *fastBody() const { return Second.entry(); }
  /// Of a launch that takes the fast body.
  const LatePrice &fastPrice() const { return FastPrice; }
  uint64_t work() const { return Work; }
  ValueToValueMapTy &copies() { return Second.copies(); }

private:
  void addBody();
  void removeBody();
  void removeFirstBody();
  void priceWithDivisionPasses(const BasicBlock *Body, Price &P);
  void nameFirstBody();
  void report(StringRef WhyNot, const Price &Fast, const Price &Fallback);
  void forgetAnalyses() { AM.invalidate(F, PreservedAnalyses::none()); }

  Function &F;
  const IndexSimplifyOptions &Options;
  FunctionAnalysisManager &AM;
  SecondBody Second;
  EntryCheck Test;
  bool IsSilent;
  LatePrice FastPrice;
  uint64_t Work = 0; ///< for the second body
  BasicBlock *Entry = nullptr, *First = nullptr;
  SmallVector<BasicBlock *, 16> FirstBlocks;
  SmallVector<std::string, 16> FirstNames;
};
} // namespace

/// The names belong to the second body from here on.
void Versioning::nameFirstBody() {
  for (BasicBlock *BB : FirstBlocks) {
    FirstNames.push_back(BB->getName().str());
    BB->setName(BB == First     ? "fallback"
                : BB->hasName() ? BB->getName() + ".fallback"
                                : "");
  }
}

void Versioning::addBody() {
  F.addFnAttr(VersionedMarker);
  Entry = &F.getEntryBlock();
  BasicBlock::iterator Start = Entry->getFirstNonPHIOrDbgOrAlloca();
  First = Entry->splitBasicBlock(Start);
  for (BasicBlock &BB : F)
    if (&BB != Entry)
      FirstBlocks.push_back(&BB);
  nameFirstBody();
  Second.entry()->setName("fast");
  Second.moveTo(F, First);

  Instruction *OldBranch = Entry->getTerminator();
  IRBuilder<> Builder(OldBranch);
  Builder.SetCurrentDebugLocation({});
  Value *Fits = Test.emit(Builder);
  BranchInst *Branch = Builder.CreateCondBr(
      Fits, Second.entry(), First,
      MDBuilder(F.getContext()).createLikelyBranchWeights());
  OldBranch->eraseFromParent();

  auto &AC = AM.getResult<AssumptionAnalysis>(F);
  for (BasicBlock *BB : Second.blocks())
    for (Instruction &I : *BB)
      if (auto *Assume = dyn_cast<AssumeInst>(&I))
        AC.registerAssumption(Assume);
  Test.useTestedValues(Second.blocks());
  forgetAnalyses();
  Test.writeFacts(Second.blocks(), *Branch,
                  AM.getResult<DominatorTreeAnalysis>(F), AC);
  for (BasicBlock *BB : Second.blocks())
    for (Instruction &I : make_early_inc_range(reverse(*BB)))
      if (isInstructionTriviallyDead(&I))
        I.eraseFromParent();
  forgetAnalyses();
}

/// The function becomes what it was before addBody.
void Versioning::removeBody() {
  F.removeFnAttr(VersionedMarker);
  BranchInst::Create(First, Entry->getTerminator()->getIterator());
  Entry->getTerminator()->eraseFromParent();
  DeleteDeadBlocks(Second.blocks());
  // Only the second body used what was computed for it.
  for (Instruction &I : make_early_inc_range(reverse(*Entry)))
    if (!I.isTerminator() && !isa<AllocaInst>(I) && !I.isDebugOrPseudoInst())
      I.eraseFromParent();
  for (auto [BB, Name] : zip(FirstBlocks, FirstNames))
    BB->setName(Name);
  MergeBlockIntoPredecessor(First);
}

/// For measuring the fast body only: what the test rules out is undefined.
void Versioning::removeFirstBody() {
  BasicBlock *Nowhere = BasicBlock::Create(F.getContext(), "", &F);
  new UnreachableInst(F.getContext(), Nowhere);
  cast<BranchInst>(Entry->getTerminator())->setSuccessor(1, Nowhere);
  DeleteDeadBlocks(FirstBlocks);
  Nowhere->setName("fallback");
}

void Versioning::report(StringRef WhyNot, const Price &Fast,
                        const Price &Fallback) {
  bool Stays = WhyNot.empty();
  auto &ORE = AM.getResult<OptimizationRemarkEmitterAnalysis>(F);
  auto Describe = [&](auto R) {
    R << "launches with " << ore::NV("Test", Test.str())
      << (Stays ? " take a faster body: " : " could take a faster body: ")
      << ore::NV("Fast", Fast.Time) << " instead of "
      << ore::NV("Fallback", Fallback.Time)
      << " SASS instructions of a thread, those in loops counted by depth. It "
      << (Stays ? "adds " : "would add ") << ore::NV("Growth", Fast.Size)
      << " instructions of code to " << ore::NV("Size", Fallback.Size);
    if (!Stays)
      R << ", and is left out: " << ore::NV("Reason", WhyNot);
    return R;
  };
  DiagnosticLocation Place(F.getSubprogram());
  if (Stays)
    ORE.emit([&] {
      return Describe(
          OptimizationRemark(DEBUG_TYPE, "LaunchVersioned", Place, Entry));
    });
  else if (savesEnough(Fast, Fallback)) // An option would add the body.
    ORE.emit([&] {
      return Describe(
          OptimizationRemarkMissed(DEBUG_TYPE, "NotVersioned", Place, Entry));
    });
  else if (Fast.Time < Fallback.Time)
    ORE.emit([&] {
      return Describe(
          OptimizationRemarkAnalysis(DEBUG_TYPE, "NotVersioned", Place, Entry));
    });
}

void Versioning::priceWithDivisionPasses(const BasicBlock *Body, Price &P) {
  if (std::optional<LatePrice> New =
          priceBehindLaterPasses(F, AM, Body, Options.TryDivisionPasses))
    P.Time = New->Weighted;
}

bool Versioning::run(const LatePrice &FirstPrice) {
  addBody();
  RewriteTrial Trial(F, AM, Second.entry());
  RemarkSink Remarks(IsSilent ? RemarkSink::When::Never
                              : RemarkSink::When::Later);
  Work = simplifyIndices(F, Options, AM, Trial, Remarks).Work;
  // The facts that they stated have been used.
  if (useSignExtensions(Second.blocks()))
    Trial.forgetPrice();
  std::optional<HiddenQuotients> Hidden =
      hideQuotients(F, AM, Second.blocks(), [&Trial] { return Trial.price(); });
  FastPrice = Hidden ? Hidden->Price : Trial.price();
  // Simplification computes in the entry what the second body uses twice.
  Price Fast = {FastPrice.Weighted, sizeOf(Entry) + sizeOf(Second.blocks())};
  Price Fallback = {FirstPrice.Weighted, sizeOf(FirstBlocks)};
  auto Judge = [&] {
    return Options.Versioning == VersioningMode::Auto
               ? whyNot(Fast, Fallback, Options.MaxVersioningGrowth)
               : std::string();
  };
  std::string WhyNot = Judge();
  // Divisions that share a reciprocal are cheap in both bodies.
  if (WhyNot.empty() && Options.TryDivisionPasses) {
    priceWithDivisionPasses(Second.entry(), Fast);
    priceWithDivisionPasses(First, Fallback);
    WhyNot = Judge();
  }
  bool Stays = WhyNot.empty();
  if (!IsSilent)
    report(WhyNot, Fast, Fallback);
  if (!Stays)
    removeBody();
  else
    Remarks.release(AM.getResult<OptimizationRemarkEmitterAnalysis>(F));
  if (Stays && Options.Versioning == VersioningMode::FastOnly)
    removeFirstBody();
  forgetAnalyses();
  return Stays;
}

/// Whether a test asks for the sign of a difference. Sizes are positive as a
/// rule; `pad - extent` is as likely negative, and no launch might pass.
static bool isBet(const MissingFacts &Facts) {
  auto IsDifference = [](const Value *V) {
    // (~x is -x - 1.)
    return match(V, m_Sub(m_Value(), m_Value())) ||
           match(V, m_Not(m_Value())) ||
           match(V, m_c_Add(m_Sub(m_Value(), m_Value()), m_Value()));
  };
  return any_of(Facts.Symbols, [&](const UniformSymbol &S) {
    return !S.IsFactor && !S.IsEnd && S.Source && S.needsSignTest() &&
           IsDifference(S.Source);
  });
}

namespace {
/// Simplifies a kernel, with a second body where that pays.
struct VersionedKernel {
  VersionedKernel(Function &F, const MissingFacts &Facts,
                  const IndexSimplifyOptions &Options,
                  FunctionAnalysisManager &AM, bool IsSilent)
      : F(F), Options(Options), AM(AM), IsSilent(IsSilent),
        Second(F, Facts, Options, AM, IsSilent), Trial(F, AM) {}
  void run();
  /// What an ordinary launch costs.
  LatePrice price() {
    if (IsVersioned)
      return Second.fastPrice();
    return FirstPrice ? *FirstPrice : priceBehindPipeline(F, AM, Trial);
  }

  Function &F;
  const IndexSimplifyOptions &Options;
  FunctionAnalysisManager &AM;
  bool IsSilent, IsVersioned = false;
  uint64_t Work = 0; ///< for both bodies
  /// Of the first body as it would be alone, if there was a use for a second.
  std::optional<LatePrice> FirstPrice;
  Versioning Second;
  RewriteTrial Trial;
};
} // namespace

void VersionedKernel::run() {
  RemarkSink Remarks(IsSilent ? RemarkSink::When::Never
                              : RemarkSink::When::Now);
  // With the facts that the kernel has anyway, which may be enough.
  Simplification First = simplifyIndices(F, Options, AM, Trial, Remarks);
  Work = First.Work;
  if (First.Changed) {
    PreservedAnalyses Preserved;
    Preserved.preserveSet<CFGAnalyses>();
    AM.invalidate(F, Preserved);
  }
  if (none_of(instructions(F), isCandidate))
    return;
  // As they would be in a body alone: that is what the fast one has to beat.
  SmallVector<BasicBlock *, 16> Blocks(make_pointer_range(F));
  std::optional<HiddenQuotients> Hidden =
      hideQuotients(F, AM, Blocks, [this] { return Trial.price(); });
  FirstPrice = Hidden ? Hidden->Price : Trial.price();
  IsVersioned = Second.run(*FirstPrice);
  Work += Second.work();
  // Passes in between may do more for quotients that are not hidden.
  if (Hidden && !IsVersioned)
    for_each(Hidden->Values, HiddenValues::reveal);
}

static bool mayHaveSecondBody(const Function &F,
                              const IndexSimplifyOptions &Options) {
  // Without a triple the prices of trials are not NVPTX's.
  return F.getParent()->getTargetTriple().isNVPTX() &&
         Options.Versioning != VersioningMode::Off && isEligible(F);
}

/// The questions that a second body for \p F could answer; none if there is no
/// use for such a body.
static MissingFacts questionsOf(Function &F,
                                const IndexSimplifyOptions &Options,
                                FunctionAnalysisManager &AM) {
  if (!mayHaveSecondBody(F, Options))
    return {};
  MissingFacts Facts = findMissingFacts(F, AM);
  if (Options.Versioning == VersioningMode::Auto && isBet(Facts))
    return {};
  return Facts;
}

/// As the pass does it with a kernel, for trials of facts.
static FactTrials::Result priceOfCopy(Function &F,
                                      const IndexSimplifyOptions &Options,
                                      FunctionAnalysisManager &AM) {
  MissingFacts Facts = questionsOf(F, Options, AM);
  if (Facts.isEmpty())
    return priceSimplified(F, Options, AM);
  VersionedKernel Kernel(F, Facts, Options, AM, /*IsSilent=*/true);
  Kernel.run();
  return {Kernel.price(), Kernel.Work};
}

PreservedAnalyses LaunchVersioningPass::run(Function &F,
                                            FunctionAnalysisManager &AM) {
  TimeTraceScope Scope("LaunchVersioning", F.getName());
  PreservedAnalyses PreservedCFG;
  PreservedCFG.preserveSet<CFGAnalyses>();
  // No proof covers this: see simplifyIndices.
  bool IsSplit = !Options.Certify && mayHaveSecondBody(F, Options) &&
                 splitIndexVectors(F, AM, nullptr);
  if (IsSplit)
    AM.invalidate(F, PreservedCFG);
  MissingFacts Facts = questionsOf(F, Options, AM);
  if (Facts.isEmpty()) {
    PreservedAnalyses Preserved = IndexSimplifyPass(Options).run(F, AM);
    if (IsSplit)
      Preserved.intersect(PreservedCFG);
    return Preserved;
  }
  std::optional<FactTrials> Trials =
      tryMissingFacts(F, AM, Options, priceOfCopy);
  VersionedKernel Kernel(F, Facts, Options, AM, /*IsSilent=*/false);
  if (Trials)
    for (const auto &[Original, Copy] : Kernel.Second.copies())
      if (isa<Instruction>(Original))
        Trials->addCopy(Original, Copy);
  Kernel.run();
  // What the other body is missing, the fast one has.
  reportMissingFacts(F, Options, AM, Trials ? &*Trials : nullptr,
                     Kernel.IsVersioned ? Kernel.Second.fastBody() : nullptr);
  // Where the body did not stay, blocks have come and gone.
  return PreservedAnalyses::none();
}

} // namespace unravel
