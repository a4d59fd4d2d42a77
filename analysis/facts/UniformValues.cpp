//===- UniformValues.cpp - What all threads of a launch agree on ----------===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "analysis/facts/UniformValues.h"
#include "analysis/facts/RangeFacts.h"
#include "analysis/facts/SpecialRegisters.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/DataLayout.h"
#include "llvm/IR/GlobalVariable.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Operator.h"

using namespace llvm;

namespace unravel {

std::optional<UniformLoad> uniformLoad(const LoadInst &Load) {
  if (!Load.isSimple() || !Load.getType()->isIntegerTy())
    return std::nullopt;
  const DataLayout &DL = Load.getDataLayout();
  APInt Offset(DL.getIndexTypeSizeInBits(Load.getPointerOperandType()), 0);
  Value *Base = const_cast<Value *>(
      Load.getPointerOperand()->stripAndAccumulateConstantOffsets(
          DL, Offset, /*AllowNonInbounds=*/true));
  Type *Memory = nullptr;
  Align Known;
  if (auto *A = dyn_cast<Argument>(Base)) {
    // The kernel's own copy, which nothing else points to.
    if (!A->hasByValAttr() || !A->onlyReadsMemory())
      return std::nullopt;
    Memory = A->getParamByValType();
    Known = A->getParamAlign().valueOrOne();
  } else if (auto *G = dyn_cast<GlobalVariable>(Base)) {
    static constexpr unsigned ConstantMemory = 4;
    if (G->getAddressSpace() != ConstantMemory || G->hasExternalWeakLinkage() ||
        !G->getValueType()->isSized())
      return std::nullopt;
    Memory = G->getValueType();
    Known = G->getAlign().value_or(DL.getABITypeAlign(Memory));
  } else {
    return std::nullopt;
  }
  uint64_t Size = DL.getTypeStoreSize(Load.getType());
  uint64_t Available = DL.getTypeStoreSize(Memory).getKnownMinValue();
  if (Offset.getActiveBits() > 32 || Size > Available ||
      Offset.getZExtValue() > Available - Size)
    return std::nullopt;
  return UniformLoad{Base, Offset.getZExtValue(),
                     commonAlignment(Known, Offset.getZExtValue())};
}

bool isSizeRegister(const Value *V) {
  auto *Call = dyn_cast<IntrinsicInst>(V);
  return Call && isGridOrBlockSize(*Call);
}

/// Looks at no more than \p PartsLeft operations.
static bool isUniform(const Value *V, unsigned &PartsLeft) {
  if (!V->getType()->isIntegerTy() || V->getType()->getIntegerBitWidth() > 64)
    return false;
  if (isa<ConstantInt>(V) || isa<Argument>(V) || isSizeRegister(V))
    return true;
  auto *I = dyn_cast<Instruction>(V);
  if (!I || PartsLeft == 0)
    return false;
  --PartsLeft;
  if (auto *Load = dyn_cast<LoadInst>(I))
    return uniformLoad(*Load).has_value();
  if (auto *MinMax = dyn_cast<MinMaxIntrinsic>(I))
    return isUniform(MinMax->getLHS(), PartsLeft) &&
           isUniform(MinMax->getRHS(), PartsLeft);
  // Without its flags it must be a number: a shift by too much is none.
  if (!(isa<BinaryOperator>(I) || isa<ZExtInst>(I) || isa<SExtInst>(I) ||
        isa<TruncInst>(I)) ||
      I->isIntDivRem() ||
      canCreateUndefOrPoison(cast<Operator>(I),
                             /*ConsiderFlagsAndMetadata=*/false))
    return false;
  return all_of(I->operands(),
                [&](const Use &U) { return isUniform(U, PartsLeft); });
}

bool isUniform(const Value *V) {
  static constexpr unsigned MaxParts = 12;
  unsigned PartsLeft = MaxParts;
  return isUniform(V, PartsLeft);
}

bool isSameLoad(const Value *A, const Value *B) {
  auto *LoadA = dyn_cast<LoadInst>(A), *LoadB = dyn_cast<LoadInst>(B);
  if (!LoadA || !LoadB || LoadA->getType() != LoadB->getType())
    return false;
  auto PlaceA = uniformLoad(*LoadA), PlaceB = uniformLoad(*LoadB);
  return PlaceA && PlaceB && PlaceA->Base == PlaceB->Base &&
         PlaceA->Offset == PlaceB->Offset;
}

bool isNeverPoison(const Value *V) {
  static constexpr unsigned MaxVisited = 32;
  SmallVector<const Value *, 8> Work{V};
  SmallPtrSet<const Value *, 16> Seen{V};
  while (!Work.empty()) {
    const Value *Top = Work.pop_back_val();
    if (isGuaranteedNotToBeUndefOrPoison(Top))
      continue;
    auto *I = dyn_cast<Instruction>(Top);
    if (!I || Seen.size() > MaxVisited ||
        !(isa<PHINode>(I) || isa<BinaryOperator>(I) || isa<CastInst>(I)) ||
        canCreateUndefOrPoison(cast<Operator>(I)))
      return false;
    for (const Value *Operand : I->operands())
      if (Seen.insert(Operand).second)
        Work.push_back(Operand);
  }
  return true;
}

} // namespace unravel
