//===- MissingFacts.cpp - What a kernel would have to know ----------------===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Every fact is proved here under the assumption that the test succeeds. The
// proofs rest on one property of the bounds: they are sums of products in
// which every factor is at least 1. So the bound of an expression is not below
// that of any of its parts, and if it is at most 2^31, then neither the
// expression nor a part of it leaves [0, 2^31).
//
//===----------------------------------------------------------------------===//

#include "analysis/MissingFacts.h"
#include "analysis/RangeFacts.h"
#include "analysis/UniformValues.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Analysis/AssumptionCache.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/PatternMatch.h"

using namespace llvm;
using namespace llvm::PatternMatch;

namespace unravel {

// A test is a handful of instructions that every thread executes.
static constexpr unsigned MaxTests = 16;
/// Values looked at for one kernel.
static constexpr unsigned MaxSteps = 1024;
static constexpr unsigned MaxDepth = 24;

unsigned MissingFacts::numTests() const {
  unsigned Count = Bounds.size();
  for (const UniformSymbol &S : Symbols)
    Count += S.needsSignTest() + S.needsSizeTest();
  return Count;
}

//===----------------------------------------------------------------------===//
// Bounds
//===----------------------------------------------------------------------===//

namespace {
class Finder {
public:
  Finder(Function &F, FunctionAnalysisManager &AM)
      : F(F), Facts(F, AM), DT(AM.getResult<DominatorTreeAnalysis>(F)),
        LI(AM.getResult<LoopAnalysis>(F)),
        SE(AM.getResult<ScalarEvolutionAnalysis>(F)),
        AC(AM.getResult<AssumptionAnalysis>(F)) {}

  MissingFacts run();
  MissingFacts runOn(Value *V, bool IsDivisor);

private:
  using MaybeBound = std::optional<CountBound>;

  void findSizeReads();
  void examine(BinaryOperator &Division);
  void requireDivisor(Value *V);
  void require(Value *V, unsigned Depth = 0);
  bool tryBound(Value *V);

  MaybeBound bound(Value *V, unsigned Depth);
  MaybeBound boundOperation(Instruction &I, unsigned Depth);
  MaybeBound boundIndexIn(Value *Product, Value *Digit, unsigned Depth);
  MaybeBound boundProduct(const CountBound &A, const CountBound &B);
  MaybeBound boundRecurrence(PHINode &Phi, unsigned Depth);
  MaybeBound boundUniform(Value *V);
  MaybeBound boundOfRegister(Intrinsic::ID ID, const IntrinsicInst &Read);
  CountBound boundOfSymbol(unsigned Index);

  unsigned symbolOf(UniformSymbol S);
  bool isSymbol(Value *V, const CountBound &B) const;
  void makePositive(const CountBound &B);
  bool isPositive(unsigned Symbol) const {
    return Found.Symbols[Symbol].isKnownPositive();
  }
  uint64_t most(unsigned Symbol) const {
    int64_t Hi = Found.Symbols[Symbol].Known.hi();
    return std::min<int64_t>(Hi, INT32_MAX);
  }
  void dropRedundant(SmallVectorImpl<CountBound> &Bounds) const;
  /// Whether \p B is above the limit in every launch.
  bool isHopeless(const CountBound &B) const {
    return B.largestValue([&](unsigned S) {
      return std::max<int64_t>(Found.Symbols[S].Known.lo(), 0);
    }) > MissingFacts::Limit;
  }
  bool isKnownNonNegative(Value *V, Instruction &At);

  Function &F;
  RangeFacts Facts;
  DominatorTree &DT;
  LoopInfo &LI;
  ScalarEvolution &SE;
  AssumptionCache &AC;
  SmallVector<IntrinsicInst *, 8> SizeReads; ///< the first of each
  unsigned StepsLeft = MaxSteps;

  /// Where to go back to if a proof fails in the middle.
  struct Mark {
    SmallVector<UniformSymbol, 8> Symbols;
    SmallVector<CountBound, 8> Bounds;
    size_t NumExact, NumSmall, NumKnown;
  };
  Mark mark() const {
    return {Found.Symbols, Found.Bounds, Found.Exact.size(), Found.Small.size(),
            Order.size()};
  }
  void goBackTo(Mark M);

  MissingFacts Found;
  DenseMap<Value *, CountBound> Known;
  SmallVector<Value *, 32> Order; ///< the keys of Known
  SmallPtrSet<Value *, 32> Required;
};
} // namespace

void Finder::goBackTo(Mark M) {
  Found.Symbols = std::move(M.Symbols);
  Found.Bounds = std::move(M.Bounds);
  while (Found.Exact.size() > M.NumExact)
    Found.Exact.pop_back();
  while (Found.Small.size() > M.NumSmall)
    Found.Small.pop_back();
  while (Order.size() > M.NumKnown)
    Known.erase(Order.pop_back_val());
}

unsigned Finder::symbolOf(UniformSymbol S) {
  auto &Symbols = Found.Symbols;
  for (auto [Index, Known] : enumerate(Symbols))
    if (Known.Register == S.Register &&
        (Known.Source == S.Source ||
         (S.Source && isSameLoad(Known.Source, S.Source))))
      return Index;
  Symbols.push_back(S);
  return Symbols.size() - 1;
}

/// One more than the symbol; a constant where only one value is possible.
CountBound Finder::boundOfSymbol(unsigned Index) {
  const Interval &Known = Found.Symbols[Index].Known;
  if (Known.isPoint() && Known.lo() >= 0)
    return CountBound::constant(static_cast<uint64_t>(Known.lo()) + 1);
  return *CountBound::symbol(Index).plus(CountBound::constant(1));
}

/// blockDim or gridDim, which are positive; \p Read is a read of it, or of the
/// register below it.
Finder::MaybeBound Finder::boundOfRegister(Intrinsic::ID ID,
                                           const IntrinsicInst &Read) {
  UniformSymbol S;
  S.Register = ID;
  S.Known = Interval(1, Facts.launchRange(&Read)->hi() + 1);
  for (IntrinsicInst *Size : SizeReads)
    if (Size->getIntrinsicID() == ID)
      S.Known = *Facts.launchRange(Size);
  return boundOfSymbol(symbolOf(S));
}

Finder::MaybeBound Finder::boundUniform(Value *V) {
  if (!isUniform(V))
    return std::nullopt;
  UniformSymbol S;
  S.Source = V;
  // Flags and metadata say nothing of a value that is computed without them.
  auto *A = dyn_cast<Argument>(V);
  bool HoldsAnyway = A && isGuaranteedNotToBeUndefOrPoison(A);
  S.Known = HoldsAnyway ? Facts.rangeOf(V, Reading::Signed)
                        : wordRange(V->getType()->getIntegerBitWidth(),
                                    Reading::Signed);
  // max(x, 1) needs no test of its sign.
  const APInt *C;
  if (match(V, m_SMax(m_Value(), m_APInt(C))))
    S.Known = S.Known.intersect(Interval::atLeast(C->getSExtValue()));
  else if (match(V, m_SMin(m_Value(), m_APInt(C))))
    S.Known = S.Known.intersect(Interval::atMost(C->getSExtValue()));
  if (S.Known.hi() < 0)
    return std::nullopt;
  return boundOfSymbol(symbolOf(S));
}

/// Whether \p B, the bound of \p V, is one more than V and not constant.
bool Finder::isSymbol(Value *V, const CountBound &B) const {
  CountBound Most = B.withoutOne();
  if (Most == B || Most.monomials().size() != 1)
    return false;
  const CountBound::Monomial &M = Most.monomials().front();
  return M.Coefficient == 1 && M.Symbols.size() == 1 &&
         Found.Symbols[M.Symbols.front()].Source == V;
}

/// Makes sure that \p B is at least 1 whatever the symbols are.
void Finder::makePositive(const CountBound &B) {
  auto IsPositive = [&](unsigned S) { return isPositive(S); };
  if (any_of(B.monomials(), [&](const CountBound::Monomial &M) {
        return all_of(M.Symbols, IsPositive);
      }))
    return;
  for (const CountBound::Monomial &M : B.monomials())
    for (unsigned S : M.Symbols)
      Found.Symbols[S].IsFactor = true;
}

/// x < A and y < B: x*y <= (A-1)*(B-1). Both factors are made positive, so that
/// the product is not below either.
Finder::MaybeBound Finder::boundProduct(const CountBound &A,
                                        const CountBound &B) {
  CountBound MostA = A.withoutOne(), MostB = B.withoutOne();
  if (MostA.isZero() || MostB.isZero())
    return std::nullopt;
  makePositive(MostA);
  makePositive(MostB);
  MaybeBound Product = MostA.times(MostB);
  return Product ? Product->plus(CountBound::constant(1)) : std::nullopt;
}

/// The same number, if it is natural.
static Value *withoutExtension(Value *V) {
  return isa<ZExtInst>(V) || isa<SExtInst>(V) ? cast<CastInst>(V)->getOperand(0)
                                              : V;
}

/// Product is B*S and Digit < S by the hardware: B*S + Digit < bound(B)*S, as
/// in blockIdx.x*blockDim.x + threadIdx.x.
Finder::MaybeBound Finder::boundIndexIn(Value *Product, Value *Digit,
                                        unsigned Depth) {
  auto *Index = dyn_cast<IntrinsicInst>(withoutExtension(Digit));
  auto *Mul = dyn_cast<BinaryOperator>(withoutExtension(Product));
  if (!Index || !Mul || Mul->getOpcode() != Instruction::Mul)
    return std::nullopt;
  Intrinsic::ID Size = boundingRegister(Index->getIntrinsicID());
  for (unsigned Side : {0u, 1u}) {
    auto *S = dyn_cast<IntrinsicInst>(withoutExtension(Mul->getOperand(Side)));
    if (!S || S->getIntrinsicID() != Size || Size == Intrinsic::not_intrinsic)
      continue;
    MaybeBound Outer = bound(Mul->getOperand(1 - Side), Depth + 1);
    MaybeBound Inner = boundOfRegister(Size, *S);
    MaybeBound Result =
        Outer && Inner ? Outer->times(Inner->withoutOne()) : std::nullopt;
    if (Result) {
      Found.Exact.insert(Mul);
      Found.Small.insert(Mul);
      Found.Small.insert(Product);
    }
    return Result;
  }
  return std::nullopt;
}

/// i = start; ...; i += step, where every iteration has i < n: start < n guards
/// the loop and i + step < n the way back. With start and step in [0, 2^31) and
/// n + step <= 2^31, i stays in [0, n) by induction, and i + step, at most
/// n - 1 + step, wraps under neither reading.
Finder::MaybeBound Finder::boundRecurrence(PHINode &Phi, unsigned Depth) {
  Loop *L = LI.getLoopFor(Phi.getParent());
  if (!L || L->getHeader() != Phi.getParent() || !L->getLoopPredecessor() ||
      !L->getLoopLatch() || !SE.isSCEVable(Phi.getType()))
    return std::nullopt;
  Value *Start = Phi.getIncomingValueForBlock(L->getLoopPredecessor());
  auto *Next =
      dyn_cast<BinaryOperator>(Phi.getIncomingValueForBlock(L->getLoopLatch()));
  Value *Step;
  if (!Next || !match(Next, m_c_Add(m_Specific(&Phi), m_Value(Step))) ||
      !L->isLoopInvariant(Step))
    return std::nullopt;
  // What the index is compared with in the loop.
  SmallSetVector<Value *, 4> Ends;
  for (Value *Index : {static_cast<Value *>(Next), static_cast<Value *>(&Phi)})
    for (User *U : Index->users())
      if (auto *Cmp = dyn_cast<ICmpInst>(U); Cmp && L->contains(Cmp))
        for (Value *End : Cmp->operands())
          if (End != Index && L->isLoopInvariant(End))
            Ends.insert(End);
  auto EndsBelow = [&](Value *End) {
    const SCEV *N = SE.getSCEV(End);
    return any_of(ArrayRef{CmpInst::ICMP_SLT, CmpInst::ICMP_ULT}, [&](auto P) {
      return SE.isLoopEntryGuardedByCond(L, P, SE.getSCEV(Start), N) &&
             SE.isLoopBackedgeGuardedByCond(L, P, SE.getSCEV(Next), N);
    });
  };
  auto *It = find_if(Ends, EndsBelow);
  if (It == Ends.end())
    return std::nullopt;
  MaybeBound First = bound(Start, Depth + 1), Stride = bound(Step, Depth + 1),
             End = bound(*It, Depth + 1);
  if (!First || !Stride || !End)
    return std::nullopt;
  CountBound MostEnd = End->withoutOne();
  MaybeBound After = MostEnd.plus(Stride->withoutOne());
  if (!After || MostEnd.isZero())
    return std::nullopt;
  makePositive(MostEnd);
  append_range(Found.Bounds, ArrayRef{*First, *Stride, *End, *After});
  Found.Exact.insert(Next);
  Found.Small.insert(Next);
  return MostEnd;
}

/// x - x / d * d, also of a frozen x, for x >= 0.
static bool isRemainder(const Instruction &Sub) {
  Value *X = Sub.getOperand(0), *D;
  auto Same = m_CombineOr(m_Specific(X), m_Freeze(m_Specific(X)));
  return match(Sub.getOperand(1),
               m_c_Mul(m_IDiv(Same, m_Value(D)), m_Deferred(D)));
}

Finder::MaybeBound Finder::boundOperation(Instruction &I, unsigned Depth) {
  auto Operand = [&](unsigned Index) {
    return bound(I.getOperand(Index), Depth + 1);
  };
  auto Exactly = [&](MaybeBound Result) {
    if (Result)
      Found.Exact.insert(&I);
    return Result;
  };
  switch (I.getOpcode()) {
  case Instruction::Or:
    if (!cast<PossiblyDisjointInst>(I).isDisjoint())
      return std::nullopt;
    [[fallthrough]];
  case Instruction::Add: {
    bool IsAdd = I.getOpcode() == Instruction::Add;
    for (unsigned Side : {0u, 1u})
      if (MaybeBound Index =
              boundIndexIn(I.getOperand(Side), I.getOperand(1 - Side), Depth))
        return IsAdd ? Exactly(Index) : Index;
    MaybeBound A = Operand(0);
    // x - 1 of a symbol x is a question about x alone.
    if (A && match(I.getOperand(1), m_AllOnes())) {
      if (!isSymbol(I.getOperand(0), *A))
        return std::nullopt;
      CountBound Most = A->withoutOne();
      makePositive(Most);
      Found.Bounds.push_back(*A);
      return Most;
    }
    MaybeBound B = A ? Operand(1) : std::nullopt;
    if (!B)
      return std::nullopt;
    // x <= A-1, y <= B-1: x + y < A + B - 1.
    bool HasOne = A->constantTerm() > 0;
    MaybeBound Sum =
        HasOne ? A->withoutOne().plus(*B) : A->plus(B->withoutOne());
    return IsAdd ? Exactly(Sum) : Sum;
  }
  case Instruction::Mul: {
    // x / d * d <= x.
    for (unsigned Side : {0u, 1u}) {
      Value *Dividend;
      if (match(
              I.getOperand(Side),
              m_IDiv(m_Value(Dividend), m_Specific(I.getOperand(1 - Side)))) &&
          Operand(Side))
        return Exactly(bound(Dividend, Depth + 1));
    }
    MaybeBound A = Operand(0), B = A ? Operand(1) : std::nullopt;
    return B ? Exactly(boundProduct(*A, *B)) : std::nullopt;
  }
  case Instruction::Shl: {
    const APInt *Amount;
    if (!match(I.getOperand(1), m_APInt(Amount)) || Amount->uge(31))
      return std::nullopt;
    MaybeBound A = Operand(0);
    return A ? Exactly(boundProduct(
                   *A,
                   CountBound::constant((1u << Amount->getZExtValue()) + 1)))
             : std::nullopt;
  }
  case Instruction::SExt:
  case Instruction::ZExt:
  case Instruction::Trunc:
    // The same number, once the operand is known to be in [0, 2^31).
    return Operand(0);
  case Instruction::Freeze:
    return isNeverPoison(I.getOperand(0)) ? Operand(0) : std::nullopt;
  case Instruction::Sub:
    // x % d in disguise; what is left of x by itself proves nothing.
    if (isRemainder(I)) {
      MaybeBound Dividend = Operand(0);
      if (!Dividend)
        return std::nullopt;
      Found.Bounds.push_back(*Dividend);
      return Dividend;
    }
    return std::nullopt;
  case Instruction::UDiv:
  case Instruction::SDiv:
  case Instruction::URem:
  case Instruction::SRem: {
    // 0 <= x / d <= x and 0 <= x % d < d for x >= 0 and d > 0. The bound says
    // nothing of the dividend, which is tested by itself.
    MaybeBound Dividend = Operand(0),
               Divisor = Dividend ? Operand(1) : std::nullopt;
    if (!Divisor)
      return std::nullopt;
    Found.Bounds.push_back(*Dividend);
    Found.Bounds.push_back(*Divisor);
    bool IsQuotient = I.getOpcode() == Instruction::UDiv ||
                      I.getOpcode() == Instruction::SDiv;
    CountBound MostDivisor = Divisor->withoutOne();
    makePositive(MostDivisor);
    return IsQuotient || MostDivisor.isZero() ? Dividend : MostDivisor;
  }
  case Instruction::PHI:
    return boundRecurrence(cast<PHINode>(I), Depth);
  default:
    return std::nullopt;
  }
}

/// A bound of \p V that holds if it, and those it added to Bounds, are at most
/// 2^31. Facts that were noted on the way are void if the result is null.
Finder::MaybeBound Finder::bound(Value *V, unsigned Depth) {
  auto It = Known.find(V);
  if (It != Known.end())
    return It->second;
  static constexpr size_t MaxBounds = 64;
  if (StepsLeft == 0 || Depth > MaxDepth || Found.Bounds.size() > MaxBounds ||
      !(V->getType()->isIntegerTy(32) || V->getType()->isIntegerTy(64)))
    return std::nullopt;
  --StepsLeft;
  MaybeBound Result;
  if (auto *Call = dyn_cast<IntrinsicInst>(V)) {
    Intrinsic::ID Size = boundingRegister(Call->getIntrinsicID());
    if (isGridOrBlockSize(*Call))
      Result = boundOfRegister(Call->getIntrinsicID(), *Call);
    else if (Size != Intrinsic::not_intrinsic)
      Result = boundOfRegister(Size, *Call)->withoutOne();
  }
  // What is small anyway is not worth a test.
  static constexpr int64_t SmallEnough = 1 << 24;
  Interval Range = Facts.rangeOf(V, Reading::Signed);
  bool IsNatural = Range.lo() >= 0 && Range.hi() <= INT32_MAX;
  auto Constant = [&] {
    return CountBound::constant(static_cast<uint64_t>(Range.hi()) + 1);
  };
  bool IsSmall = IsNatural && (Range.hi() < SmallEnough || isa<ConstantInt>(V));
  // What is extended may be known by its symbol.
  if (!Result && IsSmall && !isa<CastInst>(V))
    Result = Constant();
  if (!Result && isa<Instruction>(V)) {
    Mark Before = mark();
    Result = boundOperation(*cast<Instruction>(V), Depth);
    if (!Result)
      goBackTo(std::move(Before));
  }
  if (!Result && IsSmall)
    Result = Constant();
  if (!Result)
    Result = boundUniform(V);
  if (!Result && IsNatural)
    Result = Constant();
  if (!Result)
    return std::nullopt;
  Known[V] = *Result;
  Order.push_back(V);
  Found.Small.insert(V);
  return Result;
}

//===----------------------------------------------------------------------===//
// What divisions need
//===----------------------------------------------------------------------===//

/// Removes bounds that hold anyway, and those that others imply.
void Finder::dropRedundant(SmallVectorImpl<CountBound> &Bounds) const {
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
bool Finder::tryBound(Value *V) {
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
void Finder::require(Value *V, unsigned Depth) {
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

bool Finder::isKnownNonNegative(Value *V, Instruction &At) {
  return Facts.rangeOf(V, Reading::Signed).lo() >= 0 ||
         llvm::isKnownNonNegative(
             V, SimplifyQuery(F.getDataLayout(), &DT, &AC, &At));
}

void Finder::examine(BinaryOperator &Division) {
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

void Finder::requireDivisor(Value *V) {
  require(V);
  auto It = Known.find(V);
  if (It != Known.end())
    makePositive(It->second.withoutOne());
}

void Finder::findSizeReads() {
  for (Instruction &I : instructions(F))
    if (isSizeRegister(&I) && none_of(SizeReads, [&](IntrinsicInst *Read) {
          return Read->getIntrinsicID() ==
                 cast<IntrinsicInst>(I).getIntrinsicID();
        }))
      SizeReads.push_back(cast<IntrinsicInst>(&I));
}

MissingFacts Finder::run() {
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
  return std::move(Found);
}

MissingFacts Finder::runOn(Value *V, bool IsDivisor) {
  findSizeReads();
  IsDivisor ? requireDivisor(V) : require(V);
  return std::move(Found);
}

MissingFacts findMissingFacts(Function &F, FunctionAnalysisManager &AM) {
  return Finder(F, AM).run();
}

MissingFacts findMissingFacts(Function &F, FunctionAnalysisManager &AM,
                              Value *Operand, bool IsDivisor) {
  return Finder(F, AM).runOn(Operand, IsDivisor);
}

} // namespace unravel
