//===- PackedHalves.cpp - Two halves in one instruction -------------------===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ptx/forms/PackedHalves.h"
#include "ptx/forms/PureText.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/PatternMatch.h"
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

/// The lower half of \p Word, and the upper one.
static std::pair<Value *, Value *> halvesOf(Value *Word, IRBuilder<> &B) {
  if (Word->getType()->isIntegerTy(64)) {
    llvm::Type *Half = B.getInt32Ty();
    Value *Halves = pureText(B, "mov.b64", StructType::get(Half, Half), {Word},
                             "{$0, $1}, $2");
    return {B.CreateExtractValue(Halves, 0), B.CreateExtractValue(Halves, 1)};
  }
  Value *Halves =
      B.CreateBitCast(Word, FixedVectorType::get(B.getInt16Ty(), 2));
  return {B.CreateExtractElement(Halves, uint64_t(0)),
          B.CreateExtractElement(Halves, uint64_t(1))};
}

/// Takes both halves out of a word at once, where both are used beside it. The
/// backend converts it for the lower one.
static void unpackHalves(llvm::Function &F) {
  SmallVector<WeakTrackingVH, 8> Dead;
  for (llvm::Instruction &Word : make_early_inc_range(instructions(F))) {
    if (!Word.getType()->isIntegerTy(32) && !Word.getType()->isIntegerTy(64))
      continue;
    unsigned Width = Word.getType()->getIntegerBitWidth() / 2;
    auto IsNarrow = [&](User *U) {
      return isa<TruncInst>(U) && U->getType()->isIntegerTy(Width);
    };
    SmallVector<llvm::Instruction *, 2> Lower, Upper;
    for (User *U : Word.users()) {
      if (IsNarrow(U))
        Lower.push_back(cast<llvm::Instruction>(U));
      else if (match(U, m_LShr(m_Specific(&Word), m_SpecificInt(Width))))
        for (User *Narrow : U->users())
          if (IsNarrow(Narrow))
            Upper.push_back(cast<llvm::Instruction>(Narrow));
    }
    std::optional<BasicBlock::iterator> Place =
        Word.getInsertionPointAfterDef();
    if (Lower.empty() || Upper.empty() || !Place)
      continue;
    IRBuilder<> B(&**Place);
    auto [Low, High] = halvesOf(&Word, B);
    for (llvm::Instruction *I : Lower)
      I->replaceAllUsesWith(Low);
    for (llvm::Instruction *I : Upper)
      I->replaceAllUsesWith(High);
    Dead.append(Lower.begin(), Lower.end());
    Dead.append(Upper.begin(), Upper.end());
  }
  RecursivelyDeleteTriviallyDeadInstructions(Dead);
}

/// Operations between halves and the word that they make.
static constexpr unsigned MaxDepth = 4;

namespace {

/// The lower or the upper half of a word, as a number of as many bits, where
/// the other half is 0.
class Half {
public:
  Half(unsigned Width, bool IsUpper) : Width(Width), IsUpper(IsUpper) {}

  bool isIn(Value *Word) const { return isIn(Word, /*IsChosen=*/false, 0); }
  /// By more than a mask or a shift, which are as good.
  bool isComputedIn(llvm::Instruction &Word) const {
    Value *Narrow;
    return matchesNarrow(&Word, Narrow) ||
           (Word.isBinaryOp() && !isMasked(&Word) && !isShifted(&Word) &&
            isIn(&Word));
  }
  /// Of a word that has one.
  Value *of(Value *Word, IRBuilder<> &B) const;

private:
  /// \p IsChosen: a selection has it. A selection of halves is one of narrow
  /// numbers, which has to be made of them anyway. \p Depth operations lie
  /// between \p Word and the half.
  bool isIn(Value *Word, bool IsChosen, unsigned Depth) const;
  APInt bits() const {
    return IsUpper ? APInt::getHighBitsSet(2 * Width, Width)
                   : APInt::getLowBitsSet(2 * Width, Width);
  }
  /// The half of another word in the same place, or bits of it.
  bool isMasked(Value *Word) const {
    const APInt *Mask;
    return match(Word, m_And(m_Value(), m_APInt(Mask))) &&
           (*Mask == bits() || (Width == 32 && Mask->isSubsetOf(bits())));
  }
  /// The other half of another word, or bits of it.
  bool isShifted(Value *Word) const {
    const APInt *By;
    bool IsShift = IsUpper ? match(Word, m_Shl(m_Value(), m_APInt(By)))
                           : match(Word, m_LShr(m_Value(), m_APInt(By)));
    return IsShift &&
           (*By == Width || (Width == 32 && By->ugt(32) && By->ult(64)));
  }
  /// Whether the half of the result needs no more than the halves of the
  /// operands, whose others are 0: of 0 + 0 there is no carry, and from 0 - 0
  /// nothing is borrowed.
  bool isSeparate(const BinaryOperator &I) const {
    return I.isBitwiseLogicOp() ||
           (IsUpper && (I.getOpcode() == llvm::Instruction::Add ||
                        I.getOpcode() == llvm::Instruction::Sub));
  }
  /// Matches the narrow number of a half.
  bool matchesNarrow(Value *Word, Value *&Narrow) const {
    bool Matches =
        IsUpper
            ? match(Word, m_Shl(m_ZExt(m_Value(Narrow)), m_SpecificInt(Width)))
            : match(Word, m_ZExt(m_Value(Narrow)));
    return Matches && Narrow->getType()->isIntegerTy(Width);
  }

  unsigned Width;
  bool IsUpper;
};

} // namespace

bool Half::isIn(Value *Word, bool IsChosen, unsigned Depth) const {
  if (Depth > MaxDepth)
    return false;
  Value *Part, *Other;
  const APInt *C;
  if (match(Word, m_APInt(C)))
    return C->isSubsetOf(bits());
  if (matchesNarrow(Word, Part))
    return true;
  if (match(Word, m_OneUse(m_Select(m_Value(), m_Value(Part), m_Value(Other)))))
    return isIn(Part, true, Depth + 1) && isIn(Other, true, Depth + 1);
  // Of words of 64 bits, an operation on halves is one instruction.
  if (auto *I = dyn_cast<BinaryOperator>(Word);
      I && Width == 32 && I->hasOneUse() && !isMasked(Word) && isSeparate(*I))
    return all_of(I->operands(), [&](Value *Operand) {
      return isIn(Operand, IsChosen, Depth + 1);
    });
  // PRMT and LOP3 put halves of words of 32 bits together as they are.
  if (Width == 16 && !IsChosen && !(!IsUpper && isMasked(Word)))
    return false;
  return isMasked(Word) || isShifted(Word);
}

Value *Half::of(Value *Word, IRBuilder<> &B) const {
  llvm::Type *Narrow = B.getIntNTy(Width);
  Value *Part, *Other, *Condition;
  const APInt *C;
  if (match(Word, m_APInt(C)))
    return ConstantInt::get(Narrow, C->extractBits(Width, IsUpper * Width));
  if (matchesNarrow(Word, Part))
    return Part;
  if (match(Word, m_Select(m_Value(Condition), m_Value(Part), m_Value(Other))))
    return B.CreateSelect(Condition, of(Part, B), of(Other, B));
  auto *I = cast<BinaryOperator>(Word);
  if (isMasked(Word) || isShifted(Word)) {
    // The half of which word, and which one?
    bool WasUpper = IsUpper != isShifted(Word);
    Part = I->getOperand(0);
    Part = B.CreateTrunc(WasUpper ? B.CreateLShr(Part, Width) : Part, Narrow);
    const APInt &By = cast<ConstantInt>(I->getOperand(1))->getValue();
    if (isMasked(Word))
      return B.CreateAnd(Part, By.extractBits(Width, IsUpper * Width));
    APInt Rest = (By - Width).trunc(Width);
    return Rest.isZero() ? Part
                         : B.CreateBinOp(I->getOpcode(), Part,
                                         ConstantInt::get(Narrow, Rest));
  }
  return B.CreateBinOp(I->getOpcode(), of(I->getOperand(0), B),
                       of(I->getOperand(1), B));
}

/// Two halves of which none has a bit of the other's place, or the same one
/// twice.
static std::optional<std::pair<Value *, Value *>>
findHalves(llvm::Instruction &I, IRBuilder<> &B) {
  unsigned Width = I.getType()->getIntegerBitWidth() / 2;
  const Half Lower(Width, /*IsUpper=*/false), Upper(Width, /*IsUpper=*/true);
  if (I.getOpcode() == llvm::Instruction::Mul) {
    APInt Twice = APInt::getOneBitSet(2 * Width, Width) + 1;
    Value *Same = I.getOperand(0);
    if (!match(I.getOperand(1), m_SpecificInt(Twice)) || !Lower.isIn(Same))
      return std::nullopt;
    Same = Lower.of(Same, B);
    return std::pair(Same, Same);
  }
  // Nothing, and an upper half.
  if (Width == 32 && Upper.isComputedIn(I))
    return std::pair<Value *, Value *>(B.getInt32(0), Upper.of(&I, B));
  // A sum of them is the same.
  if (I.getOpcode() != llvm::Instruction::Or &&
      I.getOpcode() != llvm::Instruction::Add)
    return std::nullopt;
  for (unsigned Low : {0, 1})
    if (Value *LowWord = I.getOperand(Low), *HighWord = I.getOperand(1 - Low);
        Lower.isIn(LowWord) && Upper.isIn(HighWord))
      return std::pair(Lower.of(LowWord, B), Upper.of(HighWord, B));
  return std::nullopt;
}

void unravel::ptx::packHalves(llvm::Function &F) {
  SmallVector<WeakVH, 32> Words;
  for (llvm::Instruction &I : instructions(F))
    if (I.getType()->isIntegerTy(32) || I.getType()->isIntegerTy(64))
      Words.push_back(&I);
  // Whole words in front of their parts, which go with them.
  for (const WeakVH &Word : reverse(Words)) {
    auto *I = cast_or_null<llvm::Instruction>(Word);
    if (!I)
      continue;
    IRBuilder<> B(I);
    auto Halves = findHalves(*I, B);
    if (!Halves)
      continue;
    auto [Low, High] = *Halves;
    // Vectors of two words are no type of the backend.
    I->replaceAllUsesWith(I->getType()->isIntegerTy(32)
                              ? packInWord(Low, High, B)
                              : pureText(B, "mov.b64", I->getType(),
                                         {Low, High}, "$0, {$1, $2}"));
    RecursivelyDeleteTriviallyDeadInstructions(I);
  }
  unpackHalves(F);
}
