//===- WideProducts.cpp - Products that are widened at once ---------------===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ptx/forms/WideProducts.h"
#include "ptx/forms/PureText.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/PatternMatch.h"
#include "llvm/Transforms/Utils/Local.h"

using namespace llvm;
using namespace llvm::PatternMatch;
using namespace unravel::ptx;

/// \p Cast with its product behind it; null if its operand is none.
static Value *widened(CastInst &Cast) {
  bool IsSigned = isa<SExtInst>(Cast);
  Value *Operand = Cast.getOperand(0), *X;
  const APInt *Shift, *Mask = nullptr;
  if (!Cast.getType()->isIntegerTy(64) ||
      !Operand->getType()->isIntegerTy(32) || !Operand->hasOneUse())
    return nullptr;
  bool IsMasked =
      !IsSigned &&
      match(Operand,
            m_And(m_OneUse(m_Shl(m_Value(X), m_APInt(Shift))), m_APInt(Mask)));
  bool IsExact = IsSigned
                     ? match(Operand, m_NSWShl(m_Value(X), m_APInt(Shift)))
                     : match(Operand, m_NUWShl(m_Value(X), m_APInt(Shift)));
  if ((!IsMasked && !IsExact) || Shift->uge(32))
    return nullptr;
  IRBuilder<> B(&Cast);
  // What the shift loses is not in the mask, moved back: as a number, this is
  // at most the mask.
  if (IsMasked)
    X = B.CreateAnd(X, B.getInt(Mask->lshr(*Shift)));
  Value *Wide = IsSigned ? B.CreateSExt(X, Cast.getType())
                         : B.CreateZExt(X, Cast.getType());
  return B.CreateShl(Wide, Shift->getZExtValue(), "", /*HasNUW=*/!IsSigned,
                     /*HasNSW=*/true);
}

/// Whether \p V extends a word. The backend takes such values for factors.
static bool isExtended(const Value *V) {
  return isa<ZExtInst, SExtInst>(V) &&
         cast<CastInst>(V)->getSrcTy()->getIntegerBitWidth() <= 32;
}

/// Whether \p V is the number of its lower word, as a signed number or as an
/// unsigned one.
static bool isFactor(const Value *V, bool IsSigned, const DataLayout &DL) {
  if (auto *Cast = dyn_cast<CastInst>(V); Cast && isExtended(V))
    return IsSigned ? isa<SExtInst>(Cast) || Cast->hasNonNeg() ||
                          Cast->getSrcTy()->getIntegerBitWidth() < 32
                    : isa<ZExtInst>(Cast);
  return IsSigned ? ComputeNumSignBits(V, DL) > 32
                  : computeKnownBits(V, DL).countMaxActiveBits() <= 32;
}

namespace {

/// The blocks where words are extended to 64 bits.
class ExtensionPlaces {
public:
  explicit ExtensionPlaces(llvm::Function &F) {
    for (llvm::Instruction &I : instructions(F))
      if (isa<ZExtInst, SExtInst>(I) && I.getType()->isIntegerTy(64)) {
        auto [It, IsNew] = BlockOf.try_emplace(I.getOperand(0), I.getParent());
        if (!IsNew && It->second != I.getParent())
          It->second = nullptr; // several
      }
  }

  /// Whether the word that \p V extends is extended in another block than \p
  /// BB, too: the backend makes one of both. Or loaded in another block: the
  /// backend extends it there, for a load that does.
  bool hasOther(Value *V, const BasicBlock *BB) const {
    auto *Cast = dyn_cast<CastInst>(V);
    if (!Cast)
      return false;
    auto *Load = dyn_cast<LoadInst>(Cast->getOperand(0));
    return BlockOf.lookup(Cast->getOperand(0)) != BB ||
           (Load && Load->getParent() != BB);
  }

private:
  DenseMap<Value *, const BasicBlock *> BlockOf;
};

} // namespace

/// The product of the words \p A and \p B in 64 bits, as text; \p B may be a
/// constant of any width.
static Value *wideProduct(IRBuilder<> &Builder, bool IsSigned, Value *A,
                          Value *B) {
  StringRef Opcode = IsSigned ? "mul.wide.s32" : "mul.wide.u32";
  llvm::Type *Ty = Builder.getInt64Ty();
  auto *Factor = dyn_cast<ConstantInt>(B);
  if (!Factor)
    return pureText(Builder, Opcode, Ty, {A, B});
  int64_t Number = IsSigned ? Factor->getSExtValue() : Factor->getZExtValue();
  return pureText(Builder, Opcode, Ty, {A}, ("$0, $1, " + Twine(Number)).str());
}

/// A product of words, as numbers of 64 bits, that the backend would not see as
/// one: it has no look at bits that are known, such as those of a mask. Null
/// for others.
static Value *multiplied(BinaryOperator &Product,
                         const ExtensionPlaces &Places) {
  if (!Product.getType()->isIntegerTy(64))
    return nullptr;
  Value *A = Product.getOperand(0), *B = Product.getOperand(1);
  const APInt *Shift;
  if (isExtended(A) && match(&Product, m_Shl(m_Value(), m_APInt(Shift))) &&
      Shift->ult(31))
    B = ConstantInt::get(Product.getType(), uint64_t(1)
                                                << Shift->getZExtValue());
  else if (Product.getOpcode() != llvm::Instruction::Mul)
    return nullptr;
  const DataLayout &DL = Product.getDataLayout();
  auto AreFactors = [&](bool IsSigned) {
    return isFactor(A, IsSigned, DL) && isFactor(B, IsSigned, DL);
  };
  bool IsUnsigned = AreFactors(/*IsSigned=*/false);
  auto *Scale = dyn_cast<ConstantInt>(B);
  if (isa<Constant>(A) || (!IsUnsigned && !AreFactors(/*IsSigned=*/true)))
    return nullptr;
  bool IsSeen = isExtended(A) && (Scale || isExtended(B));
  if (IsSeen && !(Scale && Scale->isNegative()) &&
      !Places.hasOther(A, Product.getParent()) &&
      !Places.hasOther(B, Product.getParent()))
    return nullptr;
  IRBuilder<> Builder(&Product);
  auto Word = [&](Value *V) {
    bool IsSigned = isa<SExtInst>(V);
    if (isExtended(V))
      V = cast<CastInst>(V)->getOperand(0);
    return Builder.CreateIntCast(V, Builder.getInt32Ty(), IsSigned);
  };
  Value *First = Word(A), *Second = Scale ? Scale : Word(B);
  return wideProduct(Builder, !IsUnsigned, First, Second);
}

/// The product of words that \p Cast widens to a factor of 64 bits, as text.
/// The backend would multiply into 64 bits, and ptxas would not know that the
/// upper half is 0: a product with it takes two instructions more. Null for
/// others.
static Value *kept(CastInst &Cast) {
  auto *Product = dyn_cast<BinaryOperator>(Cast.getOperand(0));
  auto IsFactor = [&](const User *U) {
    return match(U, m_c_Mul(m_Specific(&Cast), m_Value())) &&
           !match(U, m_Mul(m_Value(), m_ImmConstant()));
  };
  if (!isa<ZExtInst>(Cast) || !Cast.getType()->isIntegerTy(64) || !Product ||
      !Product->getType()->isIntegerTy(32) ||
      !match(Product, m_NUWMul(m_Value(), m_Value())) ||
      isa<Constant>(Product->getOperand(1)) || none_of(Cast.users(), IsFactor))
    return nullptr;
  IRBuilder<> B(Product);
  return pureText(B, "mul.lo.s32", B.getInt32Ty(),
                  {Product->getOperand(0), Product->getOperand(1)});
}

/// The extension of a product of words that does not wrap and that nothing else
/// needs, as the backend prints it if it sees it; null for others.
static Value *extendedProduct(CastInst &Cast) {
  bool IsSigned = isa<SExtInst>(Cast);
  Value *A, *B, *Product = Cast.getOperand(0);
  if (!Cast.getType()->isIntegerTy(64) ||
      !Product->getType()->isIntegerTy(32) || !Product->hasOneUse() ||
      !(IsSigned ? match(Product, m_NSWMul(m_Value(A), m_Value(B)))
                 : match(Product, m_NUWMul(m_Value(A), m_Value(B)))))
    return nullptr;
  IRBuilder<> Builder(&Cast);
  return wideProduct(Builder, IsSigned, A, B);
}

void unravel::ptx::widenProducts(llvm::Function &F) {
  SmallVector<WeakTrackingVH, 8> Dead;
  for (llvm::Instruction &I : make_early_inc_range(instructions(F))) {
    auto *Cast = dyn_cast<CastInst>(&I);
    if (!Cast || !isa<ZExtInst, SExtInst>(Cast))
      continue;
    Value *Old = Cast, *New = widened(*Cast);
    if (!New && (New = kept(*Cast)))
      Old = Cast->getOperand(0);
    if (!New)
      New = extendedProduct(*Cast);
    if (!New)
      continue;
    Old->replaceAllUsesWith(New);
    Dead.push_back(Old);
  }
  const ExtensionPlaces Places(F);
  for (llvm::Instruction &I : make_early_inc_range(instructions(F)))
    if (auto *Product = dyn_cast<BinaryOperator>(&I))
      if (Value *New = multiplied(*Product, Places)) {
        I.replaceAllUsesWith(New);
        Dead.push_back(&I);
      }
  RecursivelyDeleteTriviallyDeadInstructions(Dead);
}
