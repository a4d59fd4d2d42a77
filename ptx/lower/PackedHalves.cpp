//===- PackedHalves.cpp - Two halves in one instruction -------------------===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ptx/lower/PackedHalves.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/PatternMatch.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Transforms/Utils/Local.h"

using namespace llvm;
using namespace llvm::PatternMatch;

/// Two halves of 16 bits.
static Value *packWords(Value *Low, Value *High, IRBuilder<> &B) {
  Value *Halves = PoisonValue::get(FixedVectorType::get(B.getInt16Ty(), 2));
  Halves = B.CreateInsertElement(Halves, Low, uint64_t(0));
  Halves = B.CreateInsertElement(Halves, High, uint64_t(1));
  return B.CreateBitCast(Halves, B.getInt32Ty());
}

/// Two of 32 bits. Vectors of these are no type of the backend.
static Value *packDoubles(Value *Low, Value *High, IRBuilder<> &B) {
  auto *Ty = FunctionType::get(B.getInt64Ty(), {B.getInt32Ty(), B.getInt32Ty()},
                               /*isVarArg=*/false);
  CallInst *Call =
      B.CreateCall(InlineAsm::get(Ty, "mov.b64 $0, {$1, $2};", "=l,r,r",
                                  /*hasSideEffects=*/false),
                   {Low, High});
  Call->setDoesNotAccessMemory();
  Call->setDoesNotThrow();
  return Call;
}

void unravel::ptx::packHalves(llvm::Function &F) {
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
    I.replaceAllUsesWith(Width == 16 ? packWords(Low, High, B)
                                     : packDoubles(Low, High, B));
    Dead.push_back(&I);
  }
  RecursivelyDeleteTriviallyDeadInstructions(Dead);
}
