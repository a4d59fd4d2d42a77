//===- MissingFacts.cpp - What a kernel would have to know ----------------===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Which values are worth a question. MissingFactsBounds.cpp has the proofs.
//
//===----------------------------------------------------------------------===//

#include "analysis/facts/MissingFactsFinder.h"
#include "analysis/facts/UniformValues.h"
#include "llvm/ADT/DepthFirstIterator.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/PatternMatch.h"

using namespace llvm;
using namespace llvm::PatternMatch;

namespace unravel {

// A test is a handful of instructions that every thread executes.
static constexpr unsigned MaxTests = 16;

unsigned MissingFacts::numTests() const {
  unsigned Count = Bounds.size() + Periods.size();
  for (const UniformSymbol &S : Symbols)
    Count += S.needsSignTest() + S.needsSizeTest();
  return Count;
}

//===----------------------------------------------------------------------===//
// What divisions need
//===----------------------------------------------------------------------===//

/// Removes bounds that hold anyway, and those that others imply.
void MissingFactsFinder::dropRedundant(
    SmallVectorImpl<CountBound> &Bounds) const {
  auto Most = [&](unsigned S) { return most(S); };
  auto IsPositive = [&](unsigned S) { return isPositive(S); };
  SmallVector<CountBound, 8> Kept;
  for (const CountBound &B : Bounds) {
    if (B.largestValue(Most) <= MissingFacts::Limit ||
        any_of(Kept,
               [&](const CountBound &K) { return B.isAtMost(K, IsPositive); }))
      continue;
    erase_if(Kept,
             [&](const CountBound &K) { return K.isAtMost(B, IsPositive); });
    Kept.push_back(B);
  }
  Bounds.assign(Kept.begin(), Kept.end());
}

/// Asks for \p V in [0, 2^31). False, and nothing noted, if that is no question
/// about uniform values, or one too many.
bool MissingFactsFinder::tryBound(Value *V) {
  Mark Before = mark();
  if (MaybeBound B = bound(V, 0)) {
    Found.Bounds.push_back(*B);
    dropRedundant(Found.Bounds);
    if (Found.numTests() <= MaxTests &&
        none_of(Found.Bounds, [&](auto &B) { return isHopeless(B); }))
      return true;
  }
  goBackTo(std::move(Before));
  return false;
}

/// Asks for V >= 0 and exact, or for as much of that as can be asked for.
void MissingFactsFinder::require(Value *V, unsigned Depth) {
  if (!V->getType()->isIntegerTy() || isa<ConstantInt>(V) ||
      !Required.insert(V).second || StepsLeft == 0 || Depth > MaxDepth)
    return;
  auto *I = dyn_cast<Instruction>(V);
  auto *Op = dyn_cast<OverflowingBinaryOperator>(V);
  // Sums and products of natural numbers that do not wrap need no test.
  bool IsExact = Op && Op->hasNoSignedWrap() && I &&
                 V->getType()->isIntegerTy(32) &&
                 I->getOpcode() != Instruction::Sub &&
                 !match(I->getOperand(1), m_Negative());
  if (!IsExact && tryBound(V))
    return;
  if (!I || isa<LoadInst>(I) || isa<CallBase>(I))
    return;
  bool IsProduct = I->getOpcode() == Instruction::Mul;
  for (Value *Operand : I->operands()) {
    require(Operand, Depth + 1);
    auto It = Known.find(Operand);
    if (IsProduct && It != Known.end())
      makePositive(It->second.withoutOne());
    // The divisor is a question of its own; a subtrahend is none.
    if (I->isIntDivRem() || I->getOpcode() == Instruction::Sub)
      break;
  }
}

bool MissingFactsFinder::isKnownNonNegative(Value *V, Instruction &At) {
  return Facts.rangeOf(V, Reading::Signed).lo() >= 0 ||
         llvm::isKnownNonNegative(
             V, SimplifyQuery(F.getDataLayout(), &DT, &AC, &At));
}

void MissingFactsFinder::examine(BinaryOperator &Division) {
  Value *Dividend = Division.getOperand(0), *Divisor = Division.getOperand(1);
  bool IsWide = Division.getType()->isIntegerTy(64);
  if (!IsWide && !Division.getType()->isIntegerTy(32))
    return;
  if (isa<ConstantInt>(Divisor)) {
    bool IsMissing = IsWide || (isSignedDivision(Division) &&
                                !isKnownNonNegative(Dividend, Division));
    if (IsMissing)
      require(Dividend);
    return;
  }
  requireDivisor(Divisor);
  require(Dividend);
}

void MissingFactsFinder::requireDivisor(Value *V) {
  // That the divisor is positive makes its guard unnecessary.
  V = divisorBehindGuard(V);
  require(V);
  auto It = Known.find(V);
  if (It != Known.end())
    makePositive(It->second.withoutOne());
}

using Blocks = SmallPtrSet<const BasicBlock *, 16>;

/// Those that are executed only because a branch decides so.
static Blocks guardedBlocks(DominatorTree &DT) {
  Blocks Guarded;
  for (DomTreeNode *Node : depth_first(&DT)) {
    const BasicBlock *Pred = Node->getBlock()->getSinglePredecessor();
    const DomTreeNode *Above = Node->getIDom();
    if ((Pred && Pred->getTerminator()->getNumSuccessors() > 1) ||
        (Above && Guarded.contains(Above->getBlock())))
      Guarded.insert(Node->getBlock());
  }
  return Guarded;
}

/// The quotient in (x/d + k) % n, (n + x/d - 1) % n and the like.
static BinaryOperator *neighbourOf(Value *Dividend, Value *Limit) {
  static constexpr unsigned MaxSummands = 4;
  bool HasOffset = false;
  for (unsigned I = 0; I < MaxSummands; ++I) {
    Value *Rest;
    if (!match(Dividend, m_Add(m_Value(Rest), m_ConstantInt())) &&
        !match(Dividend, m_c_Add(m_Specific(Limit), m_Value(Rest))))
      break;
    Dividend = Rest;
    HasOffset = true;
  }
  return HasOffset && match(Dividend, m_IDiv(m_Value(), m_Value()))
             ? cast<BinaryOperator>(Dividend)
             : nullptr;
}

/// Looks for x/d whose neighbours are taken modulo n, if no write has a guard:
/// then the grid has to fit the memory, or threads would write behind its end.
/// (With a guard it is larger as a rule.) These are kernels over a periodic
/// grid of d columns and n rows (stencils, lattices, circular convolutions,
/// rolls), where x/d is a row and x/d + 1, x/d - 1 + n its neighbours.
void MissingFactsFinder::examinePeriods(ArrayRef<BinaryOperator *> Divisions) {
  SmallVector<std::pair<BinaryOperator *, BinaryOperator *>, 4> Candidates;
  for (BinaryOperator *D : Divisions) {
    if (isQuotient(*D))
      continue;
    if (auto *Quotient = neighbourOf(D->getOperand(0), D->getOperand(1)))
      Candidates.push_back({D, Quotient});
  }
  if (Candidates.empty())
    return;
  Blocks Guarded = guardedBlocks(DT);
  if (any_of(instructions(F), [&](const Instruction &I) {
        return I.mayWriteToMemory() && Guarded.contains(I.getParent());
      }))
    return;
  for (auto [Remainder, Quotient] : Candidates)
    if (!Guarded.contains(Remainder->getParent()))
      examinePeriod(*Quotient, Remainder->getOperand(1));
}

/// Asks for x/d < n, by x < grid <= d*n. Only if nothing looks at x/d modulo n
/// itself.
void MissingFactsFinder::examinePeriod(BinaryOperator &Quotient, Value *Limit) {
  if (any_of(Quotient.users(), [&](const User *U) {
        auto *Division = dyn_cast<BinaryOperator>(U);
        return Division && Division->isIntDivRem() &&
               Division->getOperand(0) == &Quotient;
      }))
    return;
  auto *LimitSource = dyn_cast<Instruction>(Limit);
  Value *Dividend = Quotient.getOperand(0), *Divisor = Quotient.getOperand(1);
  auto Bound = Known.find(Dividend), BoundOfLimit = Known.find(Limit),
       BoundOfDivisor = Known.find(Divisor);
  if (Bound == Known.end() || BoundOfLimit == Known.end() ||
      BoundOfDivisor == Known.end() || Bound->second.isZero() ||
      Bound->second.monomials().back().Symbols.empty() ||
      !isSymbol(Limit, BoundOfLimit->second) ||
      !isSymbol(Divisor, BoundOfDivisor->second) ||
      (LimitSource && !DT.dominates(LimitSource, &Quotient)) ||
      !isNeverPoison(Dividend) || Found.numTests() >= MaxTests)
    return;
  auto SymbolOf = [](const CountBound &B) {
    return B.monomials().back().Symbols.front();
  };
  BoundedQuotient Period{&Quotient, Bound->second,
                         SymbolOf(BoundOfDivisor->second),
                         SymbolOf(BoundOfLimit->second)};
  MaybeBound Size = boundProduct(BoundOfDivisor->second, BoundOfLimit->second);
  if (!Size || any_of(Found.Periods, [&](const BoundedQuotient &P) {
        return P.Quotient == &Quotient && P.LimitSymbol == Period.LimitSymbol;
      }))
    return;
  Found.Bounds.push_back(*Size);
  dropRedundant(Found.Bounds);
  Found.Periods.push_back(Period);
}

void MissingFactsFinder::findSizeReads() {
  for (Instruction &I : instructions(F))
    if (isSizeRegister(&I) && none_of(SizeReads, [&](IntrinsicInst *Read) {
          return Read->getIntrinsicID() ==
                 cast<IntrinsicInst>(I).getIntrinsicID();
        }))
      SizeReads.push_back(cast<IntrinsicInst>(&I));
}

MissingFacts MissingFactsFinder::run() {
  findSizeReads();
  SmallVector<BinaryOperator *, 16> Divisions;
  for (Instruction &I : instructions(F))
    if (I.isIntDivRem() && DT.isReachableFromEntry(I.getParent()))
      Divisions.push_back(cast<BinaryOperator>(&I));
  // Where the tests are rationed, loops come first.
  stable_sort(Divisions, [&](BinaryOperator *A, BinaryOperator *B) {
    return LI.getLoopDepth(A->getParent()) > LI.getLoopDepth(B->getParent());
  });
  for (BinaryOperator *Division : Divisions)
    examine(*Division);
  examinePeriods(Divisions);
  return std::move(Found);
}

MissingFacts MissingFactsFinder::runOn(Value *V, bool IsDivisor) {
  findSizeReads();
  IsDivisor ? requireDivisor(V) : require(V);
  return std::move(Found);
}

MissingFacts findMissingFacts(Function &F, FunctionAnalysisManager &AM) {
  return MissingFactsFinder(F, AM).run();
}

MissingFacts findMissingFacts(Function &F, FunctionAnalysisManager &AM,
                              Value *Operand, bool IsDivisor) {
  return MissingFactsFinder(F, AM).runOn(Operand, IsDivisor);
}

} // namespace unravel
