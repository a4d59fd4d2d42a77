//===- MissingFactsFinder.h - Bounds of what a kernel divides -----------*- C++
//-*-===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The search behind MissingFacts.h. MissingFactsBounds.cpp bounds values by
// symbols, MissingFacts.cpp decides which values are worth it.
//
//===----------------------------------------------------------------------===//

#ifndef UNRAVEL_ANALYSIS_FACTS_MISSINGFACTSFINDER_H
#define UNRAVEL_ANALYSIS_FACTS_MISSINGFACTSFINDER_H

#include "analysis/facts/MissingFacts.h"
#include "analysis/facts/RangeFacts.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Analysis/AssumptionCache.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IntrinsicInst.h"

namespace unravel {

class MissingFactsFinder {
public:
  /// Values looked at for one kernel, and how far from a division.
  static constexpr unsigned MaxSteps = 1024, MaxDepth = 24;

  MissingFactsFinder(llvm::Function &F, llvm::FunctionAnalysisManager &AM)
      : F(F), Facts(F, AM), DT(AM.getResult<llvm::DominatorTreeAnalysis>(F)),
        LI(AM.getResult<llvm::LoopAnalysis>(F)),
        SE(AM.getResult<llvm::ScalarEvolutionAnalysis>(F)),
        AC(AM.getResult<llvm::AssumptionAnalysis>(F)) {}

  MissingFacts run();
  MissingFacts runOn(llvm::Value *V, bool IsDivisor);

private:
  using MaybeBound = std::optional<CountBound>;

  void findSizeReads();
  void examine(llvm::BinaryOperator &Division);
  void examinePeriods(llvm::ArrayRef<llvm::BinaryOperator *> Divisions);
  void examinePeriod(llvm::BinaryOperator &Quotient, llvm::Value *Limit);
  void requireDivisor(llvm::Value *V);
  void require(llvm::Value *V, unsigned Depth = 0);
  bool tryBound(llvm::Value *V);

  MaybeBound bound(llvm::Value *V, unsigned Depth);
  MaybeBound boundOperation(llvm::Instruction &I, unsigned Depth);
  MaybeBound boundIndexIn(llvm::Value *Product, llvm::Value *Digit,
                          unsigned Depth);
  MaybeBound boundPredecessor(llvm::Value *X, const CountBound &B);
  MaybeBound boundProduct(const CountBound &A, const CountBound &B);
  MaybeBound boundRecurrence(llvm::PHINode &Phi, unsigned Depth);
  MaybeBound boundByOtherCounter(llvm::PHINode &Phi, unsigned Depth);
  MaybeBound boundOneOf(llvm::ArrayRef<llvm::Value *> Values, unsigned Depth);
  MaybeBound boundGuarded(llvm::Value *V, unsigned Depth);
  MaybeBound boundUniform(llvm::Value *V);
  MaybeBound boundOfRegister(llvm::Intrinsic::ID ID,
                             const llvm::IntrinsicInst &Read);
  CountBound boundOfSymbol(unsigned Index);

  unsigned symbolOf(UniformSymbol S);
  bool isSymbol(llvm::Value *V, const CountBound &B) const;
  void makePositive(const CountBound &B);
  bool isPositive(unsigned Symbol) const {
    return Found.Symbols[Symbol].isKnownPositive();
  }
  uint64_t most(unsigned Symbol) const {
    int64_t Hi = Found.Symbols[Symbol].Known.hi();
    return std::min<int64_t>(Hi, INT32_MAX);
  }
  void dropRedundant(llvm::SmallVectorImpl<CountBound> &Bounds) const;
  /// Whether \p B is above the limit in every launch.
  bool isHopeless(const CountBound &B) const {
    return B.largestValue([&](unsigned S) {
      return std::max<int64_t>(Found.Symbols[S].Known.lo(), 0);
    }) > MissingFacts::Limit;
  }
  bool isKnownNonNegative(llvm::Value *V, llvm::Instruction &At);

  llvm::Function &F;
  RangeFacts Facts;
  llvm::DominatorTree &DT;
  llvm::LoopInfo &LI;
  llvm::ScalarEvolution &SE;
  llvm::AssumptionCache &AC;
  llvm::SmallVector<llvm::IntrinsicInst *, 8> SizeReads; ///< the first of each
  unsigned StepsLeft = MaxSteps;

  /// Where to go back to if a proof fails in the middle.
  struct Mark {
    llvm::SmallVector<UniformSymbol, 8> Symbols;
    llvm::SmallVector<CountBound, 8> Bounds;
    size_t NumExact, NumSmall, NumKnown;
  };
  Mark mark() const {
    return {Found.Symbols, Found.Bounds, Found.Exact.size(), Found.Small.size(),
            Order.size()};
  }
  void goBackTo(Mark M);

  MissingFacts Found;
  llvm::DenseMap<llvm::Value *, CountBound> Known;
  llvm::SmallVector<llvm::Value *, 32> Order; ///< the keys of Known
  llvm::SmallPtrSet<llvm::Value *, 32> Required;
};

} // namespace unravel

#endif // UNRAVEL_ANALYSIS_FACTS_MISSINGFACTSFINDER_H
