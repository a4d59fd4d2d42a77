//===- RaiseDivisions.cpp - Expanded divisions become divisions -----------===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The expansions, for a dividend x of N bits:
//
//   unsigned   (x * M) >> S, where the product has all its bits: the high half
//              of a word, or a product of a wider type
//   with add   (((x - t) >> 1) + t) >> s, where t = (x * M) >> N. As t <= x,
//              nothing wraps, and ((x - t) >> 1) + t = floor((x + t) / 2). So
//              it is floor(x * (2^N + M) / 2^(N+1+s)).
//   signed     (h >> s) + (h >>u (N-1)) or + (x >>u (N-1)), where h is the high
//              half of x * M, or that plus x, which makes the multiplier
//              2^N + M (or M - 2^N, read as a signed word, and plus 2^N). For a
//              positive multiplier below 2^N, h is negative where x is, and h
//              fits into the word.
//   power      (x + ((x >> (N-1)) >>u (N-k))) >> k: x / 2^k; and with & -2^k in
//              place of the last shift: x / 2^k * 2^k.
//
// Multipliers.h finds the divisor and proves it. Where the upper bits of a
// signed quotient are not needed, compilers write h >>u s for h >> s. For
// negative x that is 2^(N-s) more, which is added to the quotient; what
// simplifies the code next takes it away again, if it may.
//
//===----------------------------------------------------------------------===//

#include "ptx/raise/RaiseDivisions.h"
#include "ptx/raise/Multipliers.h"
#include "llvm/ADT/PostOrderIterator.h"
#include "llvm/Analysis/LazyValueInfo.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/IntrinsicsNVPTX.h"
#include "llvm/IR/PatternMatch.h"
#include "llvm/Transforms/Utils/Local.h"

using namespace llvm;
using namespace llvm::PatternMatch;
using namespace unravel::ptx;

namespace {

/// floor(X * Multiplier / 2^Shift), exactly: all bits of the product count.
struct ScaledFloor {
  Value *X = nullptr;
  APInt Multiplier;
  unsigned Shift = 0;
};

class DivisionRaiser {
public:
  DivisionRaiser(Function &F, FunctionAnalysisManager &FAM)
      : F(F), LVI(FAM.getResult<LazyValueAnalysis>(F)) {}

  bool run();

private:
  std::optional<ScaledFloor> unsignedFloor(Value *V) const;
  std::optional<ScaledFloor> floorWithAddition(Value *V) const;
  std::optional<ScaledFloor> signedHighHalf(Value *V) const;
  Value *raiseUnsigned(Instruction &I);
  Value *raiseSigned(Instruction &I);
  Value *raisePowerOfTwo(Instruction &I);
  APInt highest(Value *X, Instruction &At);

  Function &F;
  LazyValueInfo &LVI;
};

} // namespace

static std::optional<std::pair<Value *, APInt>> timesConstant(Value *A,
                                                              Value *B) {
  if (auto *C = dyn_cast<ConstantInt>(B))
    return std::pair(A, C->getValue());
  if (auto *C = dyn_cast<ConstantInt>(A))
    return std::pair(B, C->getValue());
  return std::nullopt;
}

static bool isUnsignedHighHalf(const IntrinsicInst &I) {
  return is_contained({Intrinsic::nvvm_mulhi_us, Intrinsic::nvvm_mulhi_ui,
                       Intrinsic::nvvm_mulhi_ull},
                      I.getIntrinsicID());
}

static bool isSignedHighHalf(const IntrinsicInst &I) {
  return is_contained({Intrinsic::nvvm_mulhi_s, Intrinsic::nvvm_mulhi_i,
                       Intrinsic::nvvm_mulhi_ll},
                      I.getIntrinsicID());
}

/// \p V as (X * M) >> S without its last shift, or with it.
std::optional<ScaledFloor> DivisionRaiser::unsignedFloor(Value *V) const {
  Value *Inner;
  const APInt *By;
  unsigned Shift = 0;
  if (match(V, m_LShr(m_Value(Inner), m_APInt(By))) &&
      By->ult(V->getType()->getIntegerBitWidth())) {
    Shift = By->getZExtValue();
    V = Inner;
  }
  // The low half of what was shifted down already.
  Value *A, *B;
  if (auto *High = dyn_cast<IntrinsicInst>(V);
      High && isUnsignedHighHalf(*High)) {
    auto Product =
        timesConstant(High->getArgOperand(0), High->getArgOperand(1));
    if (!Product)
      return std::nullopt;
    return ScaledFloor{Product->first, Product->second,
                       V->getType()->getIntegerBitWidth() + Shift};
  }
  if (Shift && match(V, m_NUWMul(m_Value(A), m_Value(B)))) {
    auto Product = timesConstant(A, B);
    if (!Product)
      return std::nullopt;
    return ScaledFloor{Product->first, Product->second, Shift};
  }
  return std::nullopt;
}

/// (((x - t) >> 1) + t) >> s
std::optional<ScaledFloor> DivisionRaiser::floorWithAddition(Value *V) const {
  Value *Sum;
  const APInt *By;
  unsigned Shift = 0;
  if (match(V, m_LShr(m_Value(Sum), m_APInt(By))) &&
      By->ult(V->getType()->getIntegerBitWidth())) {
    Shift = By->getZExtValue();
    V = Sum;
  }
  Value *X, *T;
  if (!match(V, m_c_Add(m_LShr(m_Sub(m_Value(X), m_Value(T)), m_One()),
                        m_Deferred(T))))
    return std::nullopt;
  std::optional<ScaledFloor> Inner = unsignedFloor(T);
  // t may be computed in a wider type.
  if (!Inner) {
    Value *Wide;
    if (match(T, m_Trunc(m_Value(Wide))))
      Inner = unsignedFloor(Wide);
  }
  if (!Inner)
    return std::nullopt;
  bool IsSame = Inner->X == X || match(Inner->X, m_ZExt(m_Specific(X)));
  unsigned Bits = std::max(128u, Inner->Multiplier.getBitWidth());
  APInt Multiplier = Inner->Multiplier.zext(Bits);
  APInt One = APInt::getOneBitSet(Bits, Inner->Shift);
  if (!IsSame || Inner->Shift > 64 || Multiplier.ugt(One))
    return std::nullopt; // t <= x
  return ScaledFloor{X, One + Multiplier, Inner->Shift + 1 + Shift};
}

/// The high half of a signed product, or that plus x.
std::optional<ScaledFloor> DivisionRaiser::signedHighHalf(Value *V) const {
  auto OfProduct = [&](Value *V) -> std::optional<std::pair<Value *, APInt>> {
    auto *High = dyn_cast<IntrinsicInst>(V);
    if (!High || !isSignedHighHalf(*High))
      return std::nullopt;
    return timesConstant(High->getArgOperand(0), High->getArgOperand(1));
  };
  unsigned Width = V->getType()->getIntegerBitWidth();
  APInt Power = APInt::getOneBitSet(2 * Width, Width);
  Value *A, *B;
  if (auto Product = OfProduct(V)) {
    if (Product->second.isNegative())
      return std::nullopt;
    return ScaledFloor{Product->first, Product->second.zext(2 * Width), Width};
  }
  if (!match(V, m_Add(m_Value(A), m_Value(B))))
    return std::nullopt;
  for (auto [High, Other] : {std::pair(A, B), std::pair(B, A)})
    if (auto Product = OfProduct(High);
        Product && Product->first == Other && Product->second.isNegative())
      return ScaledFloor{Other, Product->second.sext(2 * Width) + Power, Width};
  return std::nullopt;
}

APInt DivisionRaiser::highest(Value *X, Instruction &At) {
  return LVI.getConstantRange(X, &At, /*UndefAllowed=*/false).getUnsignedMax();
}

Value *DivisionRaiser::raiseUnsigned(Instruction &I) {
  std::optional<ScaledFloor> Floor = unsignedFloor(&I);
  if (!Floor)
    Floor = floorWithAddition(&I);
  if (!Floor)
    return nullptr;
  Value *X = Floor->X;
  // What a widened dividend was before.
  Value *Narrow;
  if (match(X, m_ZExt(m_Value(Narrow))))
    X = Narrow;
  APInt All = APInt::getAllOnes(X->getType()->getIntegerBitWidth());
  std::optional<APInt> D =
      unsignedDivisor(Floor->Multiplier, Floor->Shift, All);
  if (!D)
    D = unsignedDivisor(Floor->Multiplier, Floor->Shift, highest(X, I));
  if (!D)
    return nullptr;
  IRBuilder<> B(&I);
  unsigned Width = X->getType()->getIntegerBitWidth();
  // A divisor above all dividends: 0.
  if (D->getActiveBits() > Width)
    return ConstantInt::get(I.getType(), 0);
  Value *Quotient =
      B.CreateUDiv(X, ConstantInt::get(X->getType(), D->zextOrTrunc(Width)));
  return B.CreateZExtOrTrunc(Quotient, I.getType());
}

/// (h >> s) + (h >>u N-1)
Value *DivisionRaiser::raiseSigned(Instruction &I) {
  Value *A, *C;
  if (!match(&I, m_Add(m_Value(A), m_Value(C))))
    return nullptr;
  unsigned Width = I.getType()->getIntegerBitWidth();
  for (auto [Shifted, Sign] : {std::pair(A, C), std::pair(C, A)}) {
    Value *Signed;
    if (!match(Sign, m_LShr(m_Value(Signed), m_SpecificInt(Width - 1))))
      continue;
    Value *High = Shifted;
    const APInt *By;
    unsigned Shift = 0;
    bool LosesSign = false;
    Value *Inner;
    if (match(Shifted, m_Shr(m_Value(Inner), m_APInt(By))) && By->ult(Width)) {
      High = Inner;
      Shift = By->getZExtValue();
      LosesSign = match(Shifted, m_LShr(m_Value(), m_Value()));
    }
    std::optional<ScaledFloor> Floor = signedHighHalf(High);
    if (!Floor || (Signed != High && Signed != Floor->X))
      continue;
    std::optional<APInt> D =
        signedDivisor(Floor->Multiplier, Floor->Shift + Shift, Width);
    if (!D || D->getActiveBits() >= Width)
      continue;
    IRBuilder<> B(&I);
    Value *X = Floor->X;
    Value *Quotient =
        B.CreateSDiv(X, ConstantInt::get(I.getType(), D->trunc(Width)));
    if (!LosesSign || Shift == 0)
      return Quotient;
    Value *IsNegative = B.CreateLShr(X, Width - 1);
    return B.CreateAdd(Quotient, B.CreateShl(IsNegative, Width - Shift));
  }
  return nullptr;
}

Value *DivisionRaiser::raisePowerOfTwo(Instruction &I) {
  unsigned Width = I.getType()->getIntegerBitWidth();
  Value *Sum;
  const APInt *C;
  unsigned K;
  bool IsQuotient = match(&I, m_AShr(m_Value(Sum), m_APInt(C)));
  if (IsQuotient && C->ult(Width))
    K = C->getZExtValue();
  else if (match(&I, m_And(m_Value(Sum), m_APInt(C))) && C->isNegatedPowerOf2())
    K = C->countr_zero();
  else
    return nullptr;
  Value *A, *B;
  if (K == 0 || K + 1 >= Width || !match(Sum, m_Add(m_Value(A), m_Value(B))))
    return nullptr;
  for (auto [X, Bias] : {std::pair(A, B), std::pair(B, A)}) {
    // 2^k - 1 for negative x, 0 for others.
    bool IsBias =
        match(Bias, m_LShr(m_AShr(m_Specific(X), m_SpecificInt(Width - 1)),
                           m_SpecificInt(Width - K))) ||
        (K == 1 &&
         match(Bias, m_LShr(m_Specific(X), m_SpecificInt(Width - 1))));
    if (!IsBias)
      continue;
    IRBuilder<> Builder(&I);
    Value *Quotient = Builder.CreateSDiv(
        X, ConstantInt::get(I.getType(), APInt::getOneBitSet(Width, K)));
    return IsQuotient ? Quotient : Builder.CreateShl(Quotient, K);
  }
  return nullptr;
}

bool DivisionRaiser::run() {
  bool Changed = false;
  SmallVector<Instruction *, 64> Order;
  for (BasicBlock *Block : ReversePostOrderTraversal<Function *>(&F))
    for (Instruction &I : *Block)
      if (I.getType()->isIntegerTy() && I.getType()->getIntegerBitWidth() <= 64)
        Order.push_back(&I);
  SmallVector<WeakTrackingVH, 64> Dead;
  // The outer operations of an expansion before its parts, which may look like
  // another.
  for (Instruction *I : reverse(Order)) {
    if (I->use_empty())
      continue;
    Value *New = raisePowerOfTwo(*I);
    if (!New)
      New = raiseSigned(*I);
    if (!New)
      New = raiseUnsigned(*I);
    if (!New)
      continue;
    I->replaceAllUsesWith(New);
    Dead.push_back(I);
    Changed = true;
  }
  RecursivelyDeleteTriviallyDeadInstructions(Dead);
  return Changed;
}

bool unravel::ptx::raiseDivisions(Function &F, FunctionAnalysisManager &FAM) {
  return DivisionRaiser(F, FAM).run();
}
