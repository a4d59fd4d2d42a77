//===- MaskedWords.cpp - Two constants in one instruction -----------------===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ptx/forms/MaskedWords.h"
#include "ptx/forms/PureText.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/PatternMatch.h"
#include "llvm/Transforms/Utils/Local.h"
#include <map>

using namespace llvm;
using namespace llvm::PatternMatch;
using namespace unravel::ptx;

namespace {

/// (word & Mask) ^ Flips, in place of \c Old.
struct MaskedWord {
  llvm::Instruction *Old;
  /// The operation on the word. It stays while others are replaced, but its
  /// operand may be one of these.
  BinaryOperator *Inner;
  uint32_t Mask, Flips;

  Value *word() const { return Inner->getOperand(0); }

  /// Whether one instruction with one constant does it.
  bool isPlain() const {
    return Flips == 0 || Mask == UINT32_MAX || Mask == ~Flips || Mask == 0;
  }
};

} // namespace

/// \p V as an operation on a word and a constant.
static std::optional<MaskedWord> maskedWord(Value *V) {
  auto *I = dyn_cast<BinaryOperator>(V);
  const APInt *C;
  if (!I || !I->isBitwiseLogicOp() || !I->getType()->isIntegerTy(32) ||
      !match(I->getOperand(1), m_APInt(C)))
    return std::nullopt;
  uint32_t Number = C->getZExtValue();
  switch (I->getOpcode()) {
  case BinaryOperator::And:
    return MaskedWord{I, I, Number, 0};
  case BinaryOperator::Or:
    return MaskedWord{I, I, ~Number, Number};
  default:
    return MaskedWord{I, I, UINT32_MAX, Number};
  }
}

/// Where ptxas has something to fuse the constants with.
static bool isLogic(const Value *V) {
  return match(V, m_OneUse(m_BitwiseLogic(m_Value(), m_Value())));
}

/// Two operations after each other, and no third that is one of the two: the
/// inner one is never replaced.
static std::optional<MaskedWord> twoOperations(llvm::Instruction &I) {
  std::optional<MaskedWord> Outer = maskedWord(&I);
  if (!Outer || !Outer->word()->hasOneUse())
    return std::nullopt;
  std::optional<MaskedWord> Inner = maskedWord(Outer->word());
  if (!Inner || isLogic(Inner->word()) ||
      (I.hasOneUse() && isa<BinaryOperator>(I.user_back()) &&
       cast<BinaryOperator>(I.user_back())->isBitwiseLogicOp()))
    return std::nullopt;
  MaskedWord Both{&I, Inner->Inner, Inner->Mask & Outer->Mask,
                  (Inner->Flips & Outer->Mask) ^ Outer->Flips};
  return Both.isPlain() ? std::nullopt : std::optional(Both);
}

void unravel::ptx::maskWords(llvm::Function &F) {
  SmallVector<MaskedWord, 8> Words;
  std::map<uint32_t, unsigned> UsesOfMask, UsesOfFlips;
  for (llvm::Instruction &I : instructions(F))
    if (std::optional<MaskedWord> W = twoOperations(I)) {
      Words.push_back(*W);
      ++UsesOfMask[W->Mask];
      ++UsesOfFlips[W->Flips];
    }
  SmallVector<WeakTrackingVH, 8> Dead;
  for (const MaskedWord &W : Words) {
    if (UsesOfMask[W.Mask] < 2 && UsesOfFlips[W.Flips] < 2)
      continue;
    IRBuilder<> B(W.Old);
    // The table of (a & b) ^ c is (0xf0 & 0xcc) ^ 0xaa.
    std::string Form = ("$0, $1, " + Twine(W.Mask) + ", " + Twine(W.Flips) +
                        ", " + Twine((0xf0 & 0xcc) ^ 0xaa))
                           .str();
    W.Old->replaceAllUsesWith(
        pureText(B, "lop3.b32", B.getInt32Ty(), {W.word()}, Form));
    Dead.push_back(W.Old);
  }
  RecursivelyDeleteTriviallyDeadInstructions(Dead);
}
