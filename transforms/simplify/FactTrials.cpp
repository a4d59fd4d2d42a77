//===- FactTrials.cpp - What a kernel would cost with facts ---------------===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "transforms/simplify/FactTrials.h"
#include "analysis/facts/UniformValues.h"
#include "transforms/facts/FactMarkers.h"
#include "transforms/facts/ProductFlags.h"
#include "transforms/facts/Promises.h"
#include "transforms/late/ClonedBody.h"
#include "transforms/late/TrialCopy.h"
#include "transforms/simplify/WantedFact.h"
#include "llvm/Analysis/AssumptionCache.h"
#include "llvm/IR/DiagnosticHandler.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/Support/TimeProfiler.h"
#include "llvm/Transforms/Utils/Cloning.h"

using namespace llvm;

#define DEBUG_TYPE "index-simplify"

namespace unravel {

//===----------------------------------------------------------------------===//
// Facts, stated in a copy
//===----------------------------------------------------------------------===//

namespace {
/// Writes facts about a copy as the macros of unravel.h and a facts file would
/// have it at this point of the pipeline.
class FactStater {
public:
  FactStater(Function &F, FunctionAnalysisManager &AM)
      : F(F), AC(AM.getResult<AssumptionAnalysis>(F)),
        DT(AM.getResult<DominatorTreeAnalysis>(F)) {}
  void stateRange(const WantedFact &Fact, Value *V);
  void stateGrid();
  /// \p CopyOf finds the values of the copy.
  void stateSum(const WantedFact &Fact,
                function_ref<Value *(const Value *)> CopyOf);

private:
  void stateRangeOf(const WantedFact &Fact, Value *V);
  BasicBlock::iterator entry() {
    return F.getEntryBlock().getFirstNonPHIOrDbgOrAlloca();
  }
  Function &F;
  AssumptionCache &AC;
  DominatorTree &DT;
};
} // namespace

void FactStater::stateRangeOf(const WantedFact &Fact, Value *V) {
  BasicBlock::iterator Place = entry();
  if (auto *I = dyn_cast<Instruction>(V)) {
    std::optional<BasicBlock::iterator> Behind = I->getInsertionPointAfterDef();
    if (!Behind)
      return;
    Place = *Behind;
  }
  IRBuilder<> B(Place->getParent(), Place);
  Type *Ty = V->getType();
  unsigned Bits = Ty->getIntegerBitWidth();
  // A bound that the word cannot hold says nothing about it.
  if (Fact.HasLeast && isIntN(Bits, Fact.Least))
    stateCondition(B.CreateICmpSGE(V, ConstantInt::getSigned(Ty, Fact.Least)),
                   &*Place, AC);
  if (Fact.HasMost && isUIntN(Bits - 1, Fact.Most))
    stateCondition(B.CreateICmpSLE(V, ConstantInt::get(Ty, Fact.Most)), &*Place,
                   AC);
}

void FactStater::stateRange(const WantedFact &Fact, Value *V) {
  stateRangeOf(Fact, V);
  // The same field may be read more than once.
  for (Instruction &I : make_early_inc_range(instructions(F)))
    if (&I != V && isSameLoad(V, &I))
      stateRangeOf(Fact, &I);
}

void FactStater::stateGrid() {
  stateIndexFits(F, AC);
  useAssumedGrids(F, AC, DT);
}

/// At the entry if all is known there, otherwise behind the last value.
static BasicBlock::iterator placeBehind(ArrayRef<Value *> Values,
                                        BasicBlock::iterator Entry,
                                        const DominatorTree &DT) {
  BasicBlock::iterator Place = Entry;
  for (Value *V : Values)
    if (auto *I = dyn_cast<Instruction>(V))
      if (auto Behind = I->getInsertionPointAfterDef();
          Behind && !DT.dominates(I, &*Place))
        Place = *Behind;
  return Place;
}

void FactStater::stateSum(const WantedFact &Fact,
                          function_ref<Value *(const Value *)> CopyOf) {
  SmallVector<Value *, 4> Values;
  for (const WantedFact::Monomial &M : Fact.Sum)
    for (const WantedFact::Factor &Factor : M.Factors)
      if (Factor.Source)
        Values.push_back(CopyOf(Factor.Source));
  BasicBlock::iterator Place = placeBehind(Values, entry(), DT);
  if (!all_of(Values, [&](Value *V) {
        return !isa<Instruction>(V) ||
               DT.dominates(cast<Instruction>(V), &*Place);
      }))
    return;
  IRBuilder<> B(Place->getParent(), Place);
  SmallVector<KnownProduct, 2> Products;
  Value *Sum = nullptr;
  for (const WantedFact::Monomial &M : Fact.Sum) {
    Value *Product = nullptr;
    KnownProduct Known{{}, /*Width=*/0, /*Signed=*/true, &*Place};
    for (const WantedFact::Factor &Factor : M.Factors) {
      Value *V = Factor.Source ? CopyOf(Factor.Source)
                               : B.CreateIntrinsic(Factor.Register, {});
      Known.Factors.push_back(productFactor(V));
      Known.Width = V->getType()->getIntegerBitWidth();
      if (Fact.Kind == WantedFact::About::Product && Known.Factors.size() > 1)
        Products.push_back(Known);
      Value *Wide = Factor.Source ? B.CreateSExtOrTrunc(V, B.getInt64Ty())
                                  : B.CreateZExtOrTrunc(V, B.getInt64Ty());
      Product = Product ? B.CreateNSWMul(Product, Wide) : Wide;
    }
    if (M.Coefficient != 1)
      Product = B.CreateNSWMul(Product, B.getInt64(M.Coefficient));
    Sum = Sum ? B.CreateNSWAdd(Sum, Product) : Product;
  }
  stateCondition(B.CreateICmpSLE(Sum, B.getInt64(Fact.Most)), &*Place, AC);
  restoreFlags(F, Products, DT);
}

//===----------------------------------------------------------------------===//
// Trials
//===----------------------------------------------------------------------===//

// A set of facts, each of them left out once, and weaker ones in its place.
static constexpr unsigned MaxTrials = 40;
// Later passes are tried on a copy, which takes time with its length.
static constexpr unsigned MaxInstructions = 1500;
// A trial takes as long as the pass with these facts, which nested divisions by
// sizes of run time can make long: the trial that exceeds this is the last one.
static constexpr uint64_t MaxWork = 5'000'000;

FactTrials::FactTrials(Function &F, FunctionAnalysisManager &AM,
                       IndexSimplifyOptions Options, Pass Simplify)
    : F(F), AM(AM), Options(std::move(Options)), Simplify(std::move(Simplify)),
      Pristine(Function::Create(F.getFunctionType(),
                                GlobalValue::PrivateLinkage,
                                F.getAddressSpace())),
      Copies(std::make_unique<ValueToValueMapTy>()), TrialsLeft(MaxTrials),
      WorkLeft(MaxWork) {
  // A wrong rewrite is reported where it is real.
  this->Options.Verify = false;
  Pristine->copyAttributesFrom(&F);
  SmallVector<BasicBlock *, 16> Blocks = cloneBody(F, *Pristine, *Copies);
  for (Instruction &I : instructions(*Pristine))
    I.dropDbgRecords();
  remapInstructionsInBlocks(Blocks, *Copies);
}

bool FactTrials::canState(const WantedFact &Fact) const {
  auto IsKnown = [&](const Value *V) { return Copies->lookup(V) != nullptr; };
  return all_of(Fact.Values, IsKnown) &&
         all_of(Fact.Sum, [&](const WantedFact::Monomial &M) {
           return all_of(M.Factors, [&](const WantedFact::Factor &Factor) {
             return !Factor.Source || IsKnown(Factor.Source);
           });
         });
}

std::optional<uint64_t>
FactTrials::tryWith(function_ref<void(TrialCopy &)> State) {
  if (TrialsLeft == 0 || WorkLeft == 0)
    return std::nullopt;
  --TrialsLeft;
  TimeTraceScope Scope("FactTrials", F.getName());
  TrialCopy Copy(*Pristine, *F.getParent(), AM);
  State(Copy);
  Result Tried = Simplify(Copy.function(), Options, AM);
  WorkLeft -= std::min(WorkLeft, Tried.Work);
  return Tried.Price.Weighted;
}

std::optional<uint64_t>
FactTrials::priceWith(ArrayRef<const WantedFact *> Facts) {
  if (Facts.empty() && WithNone)
    return WithNone;
  std::optional<uint64_t> Price = tryWith([&](TrialCopy &Copy) {
    FactStater Stater(Copy.function(), AM);
    auto CopyOf = [&](const Value *V) {
      return Copy.copyOf(Copies->lookup(V));
    };
    for (const WantedFact *Fact : Facts) {
      for (const Value *V : Fact->Values)
        Stater.stateRange(*Fact, CopyOf(V));
      if (Fact->Kind == WantedFact::About::Grid)
        Stater.stateGrid();
      else if (!Fact->Sum.empty())
        Stater.stateSum(*Fact, CopyOf);
    }
  });
  if (Facts.empty())
    WithNone = Price;
  return Price;
}

void FactTrials::addCopy(const Value *Original, const Value *Copy) {
  if (Value *Old = Copies->lookup(Original))
    (*Copies)[Copy] = Old;
}

std::optional<uint64_t> FactTrials::priceWithExact(const Instruction *Sum) {
  const Value *Old = Copies->lookup(Sum);
  if (!Old)
    return std::nullopt;
  return tryWith([&](TrialCopy &Copy) {
    auto *New = cast<Instruction>(Copy.copyOf(Old));
    New->setHasNoSignedWrap();
    New->setHasNoUnsignedWrap();
  });
}

std::optional<FactTrials> tryMissingFacts(Function &F,
                                          FunctionAnalysisManager &AM,
                                          const IndexSimplifyOptions &Options,
                                          FactTrials::Pass Simplify) {
  LLVMContext &Context = F.getContext();
  if (Options.RunsAgain)
    return std::nullopt;
  if (!Context.getLLVMRemarkStreamer() &&
      !Context.getDiagHandlerPtr()->isMissedOptRemarkEnabled(DEBUG_TYPE))
    return std::nullopt;
  bool HasDivision = any_of(
      instructions(F), [](const Instruction &I) { return I.isIntDivRem(); });
  if (!HasDivision || F.getInstructionCount() > MaxInstructions || !canTry(F))
    return std::nullopt;
  return std::optional<FactTrials>(std::in_place, F, AM, Options,
                                   std::move(Simplify));
}

} // namespace unravel
