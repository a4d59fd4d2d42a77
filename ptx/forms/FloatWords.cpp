//===- FloatWords.cpp - Words that are floating-point numbers -------------===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ptx/forms/FloatWords.h"
#include "ptx/forms/PureText.h"
#include "ptx/lift/KernelLifter.h"
#include "ptx/text/PtxSyntax.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/PatternMatch.h"
#include "llvm/Support/FormatVariadic.h"

using namespace llvm;
using namespace llvm::PatternMatch;
using namespace unravel;
using namespace unravel::ptx;

namespace {

/// The words of a function that floating-point text takes or returns, and what
/// they are chosen from.
class FloatWords {
public:
  explicit FloatWords(llvm::Function &F);
  ArrayRef<Value *> all() const { return Words.getArrayRef(); }

private:
  void noteText(CallInst &Text);
  void note(Value *V, unsigned Width) {
    if (V->getType()->isIntegerTy(Width) && !isa<Constant>(V))
      Words.insert(V);
  }
  void follow(Value *V);

  SetVector<Value *> Words;
};

} // namespace

/// By the types of the opcode, as in `cvt.rn.f32.s32 $0, $1;`: the first one is
/// that of the result, the last one that of the operands.
void FloatWords::noteText(CallInst &Text) {
  SmallVector<StringRef, 8> Modifiers;
  opcodeOf(Text).split(Modifiers, '.');
  SmallVector<ptx::Type, 2> Types;
  for (StringRef Modifier : Modifiers)
    if (std::optional<ptx::Type> Type = ptx::parseType(Modifier))
      Types.push_back(*Type);
  if (Types.empty())
    return;
  if (Types.front().isFloat())
    note(&Text, Types.front().Width);
  if (Types.back().isFloat())
    for (Value *Operand : Text.args())
      note(Operand, Types.back().Width);
}

/// Through selections and phis, which have numbers of one kind.
void FloatWords::follow(Value *V) {
  unsigned Width = V->getType()->getIntegerBitWidth();
  auto NoteParts = [&](Value *Whole) {
    if (auto *Select = dyn_cast<SelectInst>(Whole)) {
      note(Select->getTrueValue(), Width);
      note(Select->getFalseValue(), Width);
    } else if (auto *Phi = dyn_cast<PHINode>(Whole)) {
      for (Value *In : Phi->incoming_values())
        note(In, Width);
    }
  };
  NoteParts(V);
  for (User *U : V->users())
    if (isa<SelectInst, PHINode>(U))
      note(U, Width);
}

FloatWords::FloatWords(llvm::Function &F) {
  for (llvm::Instruction &I : instructions(F)) {
    Value *Word;
    if (auto *Call = dyn_cast<CallInst>(&I); Call && Call->isInlineAsm())
      noteText(*Call);
    // LLVM may have narrowed it.
    else if (isa<SelectInst>(I) && I.hasMetadata(ChoosesFloats))
      note(&I, I.getType()->isIntegerTy(64) ? 64 : 32);
    else if (match(&I, m_BitCast(m_Value(Word))) &&
             I.getType()->isFloatingPointTy())
      note(Word, I.getType()->getPrimitiveSizeInBits());
  }
  for (size_t N = 0; N < Words.size(); ++N)
    follow(Words[N]);
}

/// As text: of a selection of numbers with its sign bit masked the backend
/// would make an absolute value, which changes NaNs.
static void restoreSelection(SelectInst &Select) {
  IRBuilder<> B(&Select);
  Select.replaceAllUsesWith(pureText(
      B, Select.getType()->isIntegerTy(64) ? "selp.f64" : "selp.f32",
      Select.getType(),
      {Select.getTrueValue(), Select.getFalseValue(), Select.getCondition()}));
  Select.eraseFromParent();
}

/// `Word & all but the sign == 0`: of 0.0 and -0.0, and nothing else. Not of 64
/// bits, which many GPUs compare as integers far faster.
static void restoreZeroTests(Value &Word) {
  if (!Word.getType()->isIntegerTy(32))
    return;
  APInt Magnitude = APInt::getSignedMaxValue(32);
  for (User *Masked : Word.users()) {
    if (!match(Masked, m_And(m_Specific(&Word), m_SpecificInt(Magnitude))))
      continue;
    for (User *U : make_early_inc_range(Masked->users())) {
      auto *Test = dyn_cast<ICmpInst>(U);
      if (!Test || !Test->isEquality() || !match(Test->getOperand(1), m_Zero()))
        continue;
      IRBuilder<> B(Test);
      llvm::Type *Float = B.getFloatTy();
      Test->replaceAllUsesWith(B.CreateFCmp(
          Test->getPredicate() == CmpInst::ICMP_EQ ? CmpInst::FCMP_OEQ
                                                   : CmpInst::FCMP_UNE,
          B.CreateBitCast(&Word, Float), ConstantFP::getZero(Float)));
      Test->eraseFromParent();
    }
  }
}

/// An operation of words that flips, clears or sets the sign of a number stays
/// one. The backend would make it `neg` or `abs` where the number is no word in
/// the IR; these may change the bits of a NaN, and take the slow pipe for 64
/// bits.
static void keepSignOperations(llvm::Function &F) {
  for (llvm::Instruction &I : make_early_inc_range(instructions(F))) {
    Value *Number;
    const APInt *Mask;
    if (!I.isBitwiseLogicOp() ||
        !match(I.getOperand(0), m_BitCast(m_Value(Number))) ||
        !Number->getType()->isFloatingPointTy() ||
        !match(I.getOperand(1), m_APInt(Mask)) ||
        !(Mask->isSignMask() || Mask->isMaxSignedValue()))
      continue;
    IRBuilder<> B(&I);
    std::string Opcode =
        formatv("{0}.b{1}", I.getOpcodeName(), Mask->getBitWidth());
    I.replaceAllUsesWith(
        pureText(B, Opcode, I.getType(), {I.getOperand(0)},
                 formatv("$0, $1, {0:x}", Mask->getZExtValue()).str()));
    I.eraseFromParent();
  }
}

void unravel::ptx::restoreFloats(llvm::Function &F) {
  const FloatWords Words(F);
  for (Value *V : Words.all())
    restoreZeroTests(*V);
  for (Value *V : Words.all())
    if (auto *Select = dyn_cast<SelectInst>(V))
      restoreSelection(*Select);
  keepSignOperations(F);
}
