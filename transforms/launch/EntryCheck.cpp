//===- EntryCheck.cpp - One uniform test at kernel entry ------------------===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "transforms/launch/EntryCheck.h"
#include "analysis/facts/GuardedDivisor.h"
#include "analysis/facts/RangeFacts.h"
#include "analysis/facts/UniformValues.h"
#include "analysis/llvm/LLVMChanges.h"
#include "transforms/facts/FactMarkers.h"
#include "transforms/facts/SourceNames.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Analysis/AssumptionCache.h"
#include "llvm/Analysis/DomConditionCache.h"
#include "llvm/Analysis/SimplifyQuery.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/DataLayout.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/Support/KnownBits.h"
#include "llvm/Support/MathExtras.h"

using namespace llvm;

namespace unravel {

EntryCheck::EntryCheck(const MissingFacts &Facts, ValueToValueMapTy &Copies)
    : Symbols(Facts.Symbols), Bounds(Facts.Bounds), Periods(Facts.Periods) {
  // The body keeps the arguments of its kernel.
  auto CopyOf = [&](Value *V) -> Value * {
    return isa<Instruction>(V) ? static_cast<Value *>(Copies.lookup(V)) : V;
  };
  for (UniformSymbol &S : Symbols)
    if (S.Source)
      S.Source = CopyOf(S.Source);
  for (BoundedQuotient &P : Periods)
    P.Quotient = cast<BinaryOperator>(CopyOf(P.Quotient));
  for (Instruction *I : Facts.Exact)
    Exact.push_back(cast<Instruction>(CopyOf(I)));
  for (Value *V : Facts.Small)
    if (!isa<Constant>(V))
      Small.insert(CopyOf(V));
}

//===----------------------------------------------------------------------===//
// The test
//===----------------------------------------------------------------------===//

/// \p V computed in front of the kernel. Neither undef nor poison: nothing that
/// may be either decides the branch.
Value *EntryCheck::copyOf(Value *V, IRBuilderBase &Builder) {
  if (isa<Constant>(V))
    return V;
  auto It = Tested.find(V);
  if (It != Tested.end())
    return It->second;
  Value *Copy = V;
  if (isa<Argument>(V)) {
    if (!isGuaranteedNotToBeUndefOrPoison(V))
      Copy = Builder.CreateFreeze(V, V->getName() + ".tested");
  } else if (auto *Load = dyn_cast<LoadInst>(V)) {
    UniformLoad Place = *uniformLoad(*Load);
    Value *Address = Place.Base;
    if (Place.Offset != 0)
      Address = Builder.CreateConstInBoundsGEP1_64(Builder.getInt8Ty(), Address,
                                                   Place.Offset);
    Copy = Builder.CreateFreeze(
        Builder.CreateAlignedLoad(Load->getType(), Address, Place.Alignment),
        Load->getName() + ".tested");
  } else if (isSizeRegister(V)) {
    Intrinsic::ID Read = cast<IntrinsicInst>(V)->getIntrinsicID();
    Value *&Register = Registers[Read];
    if (!Register)
      Register = Builder.CreateIntrinsic(Read, {});
    Copy = Register;
  } else {
    // Without flags, so that it is a number whatever its operands are.
    Instruction *I = cast<Instruction>(V)->clone();
    I->dropPoisonGeneratingAnnotations();
    if (auto *MinMax = dyn_cast<MinMaxIntrinsic>(I))
      MinMax->setAttributes({}); // ranges of operands are flags as well
    I->setDebugLoc({});
    for (Use &U : I->operands())
      U = copyOf(U, Builder);
    Copy = Builder.Insert(I, V->getName() + ".tested");
  }
  return Tested[V] = Copy;
}

/// The symbol as a number below 2^32, in 64 bits. If it is negative, or does
/// not fit, then any such number will do: other comparisons fail.
Value *EntryCheck::naturalOf(unsigned Symbol, IRBuilderBase &Builder) {
  const UniformSymbol &S = Symbols[Symbol];
  Value *V;
  if (S.Source) {
    V = copyOf(S.Source, Builder);
  } else {
    Value *&Register = Registers[S.Register];
    if (!Register)
      Register = Builder.CreateIntrinsic(S.Register, {});
    V = Register;
  }
  if (V->getType()->isIntegerTy(64))
    V = Builder.CreateTrunc(V, Builder.getInt32Ty());
  return Builder.CreateZExt(V, Builder.getInt64Ty());
}

/// The largest value of naturalOf.
uint64_t EntryCheck::mostOf(unsigned Symbol) const {
  const UniformSymbol &S = Symbols[Symbol];
  return S.Source ? UINT32_MAX : static_cast<uint64_t>(S.Known.hi());
}

/// \p V as a number of at most 32 bits. The test fails where it is above the
/// limit, so any number will do there. It fails only where the whole bound, of
/// which V is a part or a factor, is above the limit as well, or a factor is 0.
Value *EntryCheck::bounded(Value *V, IRBuilderBase &Builder) {
  Value *&Known = Bounded[V];
  if (!Known) {
    Conditions.push_back(
        Builder.CreateICmpULE(V, Builder.getInt64(MissingFacts::Limit)));
    Known = Builder.CreateZExt(Builder.CreateTrunc(V, Builder.getInt32Ty()),
                               Builder.getInt64Ty());
  }
  return Known;
}

/// The product, of factors below 2^32: what has been multiplied so far is
/// bounded in time, so nothing overflows.
EntryCheck::BoundedValue EntryCheck::productOf(ArrayRef<unsigned> Factors,
                                               IRBuilderBase &Builder) {
  BoundedValue &Known = Products[SmallVector<unsigned, 4>(Factors)];
  if (Known.V)
    return Known;
  BoundedValue Last{naturalOf(Factors.back(), Builder), mostOf(Factors.back())};
  if (Factors.size() == 1)
    return Known = Last;
  BoundedValue Product = productOf(Factors.drop_back(), Builder);
  if (SaturatingMultiply(Product.Most, Last.Most) == UINT64_MAX)
    Product = {bounded(Product.V, Builder), UINT32_MAX};
  Product.Most *= Last.Most;
  Product.V = Builder.CreateMul(Product.V, Last.V, "", /*HasNUW=*/true,
                                /*HasNSW=*/Product.Most <= INT64_MAX);
  return Products[SmallVector<unsigned, 4>(Factors)] = Product;
}

/// What the symbols add to \p B.
Value *EntryCheck::sumOf(const CountBound &B, IRBuilderBase &Builder) {
  ArrayRef<CountBound::Monomial> Parts = B.monomials();
  if (Parts.front().Symbols.empty())
    Parts = Parts.drop_front();
  Value *Sum = nullptr;
  for (const CountBound::Monomial &M : Parts) {
    BoundedValue Part = productOf(M.Symbols, Builder);
    // Room for the other parts and for the coefficient, at most 2^31.
    bool HasCompany = Parts.size() > 1 || M.Coefficient > 1;
    if (Part.Most > (uint64_t(1) << (M.Coefficient > 1 ? 32 : 60)) &&
        HasCompany)
      Part.V = bounded(Part.V, Builder);
    if (M.Coefficient > 1)
      Part.V = Builder.CreateMul(Part.V, Builder.getInt64(M.Coefficient), "",
                                 /*HasNUW=*/true, /*HasNSW=*/true);
    if (M.Coefficient > 1 && Parts.size() > 1)
      Part.V = bounded(Part.V, Builder);
    Sum = Sum ? Builder.CreateAdd(Sum, Part.V, "", /*HasNUW=*/true,
                                  /*HasNSW=*/true)
              : Part.V;
  }
  return Sum;
}

/// As a balanced tree: who reads it looks only so deep.
static Value *conjunction(ArrayRef<Value *> Conditions,
                          IRBuilderBase &Builder) {
  if (Conditions.size() == 1)
    return Conditions.front();
  size_t Half = (Conditions.size() + 1) / 2;
  Value *Left = conjunction(Conditions.take_front(Half), Builder);
  Value *Right = conjunction(Conditions.drop_front(Half), Builder);
  return Builder.CreateAnd(Left, Right);
}

Value *EntryCheck::emit(IRBuilderBase &Builder) {
  describe(); // while all that it is about exists
  Conditions.clear();
  for (const UniformSymbol &S : Symbols) {
    if (!S.needsSignTest() && !S.needsSizeTest())
      continue;
    Value *V = copyOf(S.Source, Builder);
    Type *Ty = V->getType();
    if (S.needsSignTest())
      Conditions.push_back(
          S.IsFactor ? Builder.CreateICmpSGT(V, ConstantInt::get(Ty, 0))
                     : Builder.CreateICmpSGE(V, ConstantInt::get(Ty, 0)));
    if (S.needsSizeTest())
      Conditions.push_back(
          Builder.CreateICmpSLE(V, ConstantInt::get(Ty, INT32_MAX)));
  }
  for (const CountBound &B : Bounds) {
    Value *Sum = sumOf(B, Builder);
    Conditions.push_back(Builder.CreateICmpULE(
        Sum, Builder.getInt64(MissingFacts::Limit - B.constantTerm())));
  }
  for (const BoundedQuotient &P : Periods) {
    // Exact if the other conditions hold: sums of numbers below 2^60, and a
    // product of two below 2^32.
    unsigned Low = std::min(P.DivisorSymbol, P.LimitSymbol),
             High = std::max(P.DivisorSymbol, P.LimitSymbol);
    Value *Size = productOf({Low, High}, Builder).V;
    Value *Count = sumOf(P.Dividend, Builder);
    if (uint64_t More = P.Dividend.constantTerm())
      Count = Builder.CreateAdd(Count, Builder.getInt64(More));
    Conditions.push_back(Builder.CreateICmpULE(Count, Size));
  }
  return conjunction(Conditions, Builder);
}

//===----------------------------------------------------------------------===//
// The facts
//===----------------------------------------------------------------------===//

void EntryCheck::useTestedValues(ArrayRef<BasicBlock *> Blocks) {
  SmallPtrSet<BasicBlock *, 16> Here(Blocks.begin(), Blocks.end());
  auto Replace = [&](Value *Old, Value *New) {
    if (Old != New)
      Old->replaceUsesWithIf(New, [&](Use &U) {
        return Here.contains(cast<Instruction>(U.getUser())->getParent());
      });
  };
  for (auto [Source, Value] : Tested)
    if (isa<Argument>(Source))
      Replace(Source, Value);
  for (const UniformSymbol &S : Symbols)
    if (auto It = Tested.find(S.Source); S.Source && It != Tested.end())
      Replace(It->first, It->second);
  for (BasicBlock *BB : Blocks)
    for (Instruction &I : *BB) {
      // A range on the read itself is a fact of its own.
      auto *Read = dyn_cast<IntrinsicInst>(&I);
      if (Read && Registers.count(Read->getIntrinsicID()) &&
          !Read->getAttributes().hasRetAttr(Attribute::Range))
        Replace(Read, Registers[Read->getIntrinsicID()]);
      // The same place can be read more than once.
      for (auto [Source, Value] : Tested)
        if (isSameLoad(Source, &I))
          Replace(&I, Value);
    }
}

namespace {
/// Divisions and extensions of numbers whose sign and size the test settles.
class FactWriter {
public:
  FactWriter(const SmallPtrSetImpl<const Value *> &Small, BranchInst &Branch,
             DominatorTree &DT, AssumptionCache &AC)
      : Small(Small), Query(Branch.getDataLayout(), /*TLI=*/nullptr, &DT, &AC,
                            /*CXTI=*/nullptr, /*UseInstrInfo=*/true,
                            /*CanUseUndef=*/true, &Conditions) {
    registerCondition(Conditions, Branch);
  }
  /// The cheaper equal of \p I, or null.
  Value *improved(Instruction &I);

private:
  bool isNatural(Value *V, Instruction &At, unsigned Depth = 0);
  bool fits32Bits(Value *V, Instruction &At) {
    return Small.contains(V) ||
           computeKnownBits(V, Query.getWithInstruction(&At))
                   .countMaxActiveBits() <= 32;
  }
  Value *narrow(Value *V, IRBuilderBase &Builder);
  void dropGuard(BinaryOperator &I);
  Value *improvedDivision(BinaryOperator &I);

  const SmallPtrSetImpl<const Value *> &Small;
  DomConditionCache Conditions;
  SimplifyQuery Query;
};
} // namespace

bool FactWriter::isNatural(Value *V, Instruction &At, unsigned Depth) {
  static constexpr unsigned MaxDepth = 6;
  if (Small.contains(V) || isKnownNonNegative(V, Query.getWithInstruction(&At)))
    return true;
  // LLVM does not know what is small.
  auto *Op = dyn_cast<OverflowingBinaryOperator>(V);
  return Op && Op->hasNoSignedWrap() && Op->getOpcode() != Instruction::Sub &&
         Depth < MaxDepth && isNatural(Op->getOperand(0), At, Depth + 1) &&
         (Op->getOpcode() == Instruction::Shl ||
          isNatural(Op->getOperand(1), At, Depth + 1));
}

/// The low half of a number that fits it.
Value *FactWriter::narrow(Value *V, IRBuilderBase &Builder) {
  if (auto *Cast = dyn_cast<CastInst>(V))
    if ((isa<ZExtInst>(Cast) || isa<SExtInst>(Cast)) &&
        Cast->getSrcTy()->isIntegerTy(32))
      return Cast->getOperand(0);
  return Builder.CreateTrunc(V, Builder.getInt32Ty(), V->getName() + ".low",
                             /*IsNUW=*/true, /*IsNSW=*/Small.contains(V));
}

/// Where the test says that the divisor is positive, it needs no guard.
void FactWriter::dropGuard(BinaryOperator &I) {
  Value *Guarded = I.getOperand(1), *Divisor = divisorBehindGuard(Guarded);
  if (Divisor != Guarded &&
      isKnownPositive(Divisor, Query.getWithInstruction(&I)))
    I.setOperand(1, Divisor);
}

Value *FactWriter::improvedDivision(BinaryOperator &I) {
  dropGuard(I);
  Value *Dividend = I.getOperand(0), *Divisor = I.getOperand(1);
  bool IsSigned = isSignedDivision(I);
  if (IsSigned && (!isNatural(Dividend, I) || !isNatural(Divisor, I)))
    return nullptr;
  bool Narrows = I.getType()->isIntegerTy(64) && fits32Bits(Dividend, I) &&
                 fits32Bits(Divisor, I);
  if (!IsSigned && !Narrows)
    return nullptr;
  IRBuilder<> Builder(&I);
  if (Narrows) {
    Dividend = narrow(Dividend, Builder);
    Divisor = narrow(Divisor, Builder);
  }
  Value *New =
      isQuotient(I)
          ? Builder.CreateUDiv(Dividend, Divisor, "",
                               cast<PossiblyExactOperator>(I).isExact())
          : Builder.CreateURem(Dividend, Divisor);
  if (!Narrows)
    return New;
  New->takeName(&I);
  return Builder.CreateZExt(New, I.getType(), "",
                            /*IsNonNeg=*/Small.contains(&I));
}

Value *FactWriter::improved(Instruction &I) {
  if (I.isIntDivRem() &&
      (I.getType()->isIntegerTy(32) || I.getType()->isIntegerTy(64)))
    return improvedDivision(cast<BinaryOperator>(I));
  if (isa<SExtInst>(I) && I.getType()->isIntegerTy() &&
      isNatural(I.getOperand(0), I))
    return IRBuilder<>(&I).CreateZExt(I.getOperand(0), I.getType(), "",
                                      /*IsNonNeg=*/true);
  return nullptr;
}

void EntryCheck::writeFacts(ArrayRef<BasicBlock *> Blocks, BranchInst &Branch,
                            DominatorTree &DT, AssumptionCache &AC) {
  for (Instruction *I : Exact) {
    I->setHasNoUnsignedWrap(true);
    I->setHasNoSignedWrap(true);
  }
  for (const BoundedQuotient &P : Periods) {
    IRBuilder<> Builder(P.Quotient);
    Value *Limit = Tested.lookup(Symbols[P.LimitSymbol].Source);
    Value *Size = Builder.CreateMul(P.Quotient->getOperand(1), Limit, "",
                                    /*HasNUW=*/true, /*HasNSW=*/true);
    stateCondition(Builder.CreateICmpULT(P.Quotient->getOperand(0), Size),
                   P.Quotient, AC);
  }
  FactWriter Writer(Small, Branch, DT, AC);
  SmallVector<Instruction *, 16> Old;
  for (BasicBlock *BB : Blocks)
    for (Instruction &I : make_early_inc_range(*BB))
      if (Value *New = Writer.improved(I)) {
        if (!New->hasName())
          New->takeName(&I);
        I.replaceAllUsesWith(New);
        // What is small stays small.
        if (Small.contains(&I))
          Small.insert(New);
        Old.push_back(&I);
      }
  for (Instruction *I : Old)
    I->eraseFromParent();
}

//===----------------------------------------------------------------------===//
// Text
//===----------------------------------------------------------------------===//

std::string EntryCheck::nameOf(unsigned Symbol) const {
  const UniformSymbol &S = Symbols[Symbol];
  std::string Name = S.Source ? sourceName(*S.Source) : sourceName(S.Register);
  return Name.empty() ? "a value computed from arguments" : Name;
}

/// Without the constant term.
std::string EntryCheck::sumText(const CountBound &B) const {
  std::string Text;
  ListSeparator Plus(" + ");
  for (const CountBound::Monomial &M : B.monomials()) {
    if (M.Symbols.empty())
      continue;
    Text += StringRef(Plus);
    ListSeparator Times("*");
    if (M.Coefficient != 1)
      (Text += StringRef(Times)) += std::to_string(M.Coefficient);
    for (unsigned S : M.Symbols)
      (Text += StringRef(Times)) += nameOf(S);
  }
  return Text;
}

void EntryCheck::describe() {
  ListSeparator Comma;
  for (auto [Index, S] : enumerate(Symbols)) {
    if (S.needsSignTest())
      ((Text += StringRef(Comma)) += nameOf(Index)) +=
          S.IsFactor ? " > 0" : " >= 0";
    if (S.needsSizeTest())
      ((Text += StringRef(Comma)) += nameOf(Index)) += " <= 2147483647";
  }
  for (const CountBound &B : Bounds)
    (Text += StringRef(Comma)) +=
        sumText(B) +
        " <= " + std::to_string(MissingFacts::Limit - B.constantTerm());
  for (const BoundedQuotient &P : Periods) {
    (Text += StringRef(Comma)) += sumText(P.Dividend);
    if (uint64_t More = P.Dividend.constantTerm())
      Text += " + " + std::to_string(More);
    Text += " <= " + nameOf(P.DivisorSymbol) + "*" + nameOf(P.LimitSymbol);
  }
}

} // namespace unravel
