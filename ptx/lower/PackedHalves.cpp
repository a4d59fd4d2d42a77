//===- PackedHalves.cpp - Two halves in one instruction -------------------===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ptx/lower/PackedHalves.h"
#include "ptx/lower/PureText.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/PatternMatch.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Transforms/Utils/Local.h"

using namespace llvm;
using namespace llvm::PatternMatch;
using namespace unravel::ptx;

/// Two halves of 16 bits.
static Value *packInWord(Value *Low, Value *High, IRBuilder<> &B) {
  Value *Halves = PoisonValue::get(FixedVectorType::get(B.getInt16Ty(), 2));
  Halves = B.CreateInsertElement(Halves, Low, uint64_t(0));
  Halves = B.CreateInsertElement(Halves, High, uint64_t(1));
  return B.CreateBitCast(Halves, B.getInt32Ty());
}

/// Takes the halves of a word of 32 bits out of it at once, where both are used
/// beside it. The backend converts it for the lower one.
static void unpack(llvm::Instruction &Word, ArrayRef<llvm::Instruction *> Lower,
                   ArrayRef<llvm::Instruction *> Upper) {
  std::optional<BasicBlock::iterator> Place = Word.getInsertionPointAfterDef();
  if (!Place)
    return;
  IRBuilder<> B(&**Place);
  Value *Halves =
      B.CreateBitCast(&Word, FixedVectorType::get(B.getInt16Ty(), 2));
  auto Replace = [&](ArrayRef<llvm::Instruction *> Old, uint64_t Index) {
    Value *Half = B.CreateExtractElement(Halves, Index);
    for (llvm::Instruction *I : Old)
      I->replaceAllUsesWith(Half);
  };
  Replace(Lower, 0);
  Replace(Upper, 1);
}

static void unpackHalves(llvm::Function &F) {
  SmallVector<WeakTrackingVH, 8> Dead;
  for (llvm::Instruction &Word : instructions(F)) {
    if (!Word.getType()->isIntegerTy(32))
      continue;
    SmallVector<llvm::Instruction *, 2> Lower, Upper;
    for (User *U : Word.users()) {
      auto *I = cast<llvm::Instruction>(U);
      if (isa<TruncInst>(I) && I->getType()->isIntegerTy(16))
        Lower.push_back(I);
      else if (match(I, m_LShr(m_Specific(&Word), m_SpecificInt(16))))
        for (User *Narrow : I->users())
          if (isa<TruncInst>(Narrow) && Narrow->getType()->isIntegerTy(16))
            Upper.push_back(cast<llvm::Instruction>(Narrow));
    }
    if (Lower.empty() || Upper.empty())
      continue;
    unpack(Word, Lower, Upper);
    Dead.append(Lower.begin(), Lower.end());
    Dead.append(Upper.begin(), Upper.end());
  }
  RecursivelyDeleteTriviallyDeadInstructions(Dead);
}

void unravel::ptx::packHalves(llvm::Function &F) {
  unpackHalves(F);
  SmallVector<WeakTrackingVH, 8> Dead;
  for (llvm::Instruction &I : make_early_inc_range(instructions(F))) {
    if (!I.getType()->isIntegerTy(32) && !I.getType()->isIntegerTy(64))
      continue;
    unsigned Width = I.getType()->getIntegerBitWidth() / 2;
    Value *Low = nullptr, *High, *Whole = nullptr;
    auto LowHalf =
        m_CombineOr(m_ZExt(m_Value(Low)),
                    m_And(m_Value(Whole),
                          m_SpecificInt(maskTrailingOnes<uint64_t>(Width))));
    auto HighHalf = m_Shl(m_ZExt(m_Value(High)), m_SpecificInt(Width));
    // No bit is in both, so a sum is the same.
    if (!match(&I, m_CombineOr(m_c_Or(LowHalf, HighHalf),
                               m_c_Add(LowHalf, HighHalf))) ||
        !High->getType()->isIntegerTy(Width))
      continue;
    IRBuilder<> B(&I);
    if (Whole)
      Low = B.CreateTrunc(Whole, B.getIntNTy(Width));
    else if (!Low->getType()->isIntegerTy(Width))
      continue;
    // Vectors of two words are no type of the backend.
    I.replaceAllUsesWith(Width == 16 ? packInWord(Low, High, B)
                                     : pureText(B, "mov.b64", I.getType(),
                                                {Low, High}, "$0, {$1, $2}"));
    Dead.push_back(&I);
  }
  RecursivelyDeleteTriviallyDeadInstructions(Dead);
}
