//===- TextAddresses.cpp - Offsets inside of addresses --------------------===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ptx/forms/TextAddresses.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Operator.h"
#include "llvm/IR/PatternMatch.h"
#include "llvm/Transforms/Utils/Local.h"

using namespace llvm;
using namespace llvm::PatternMatch;

namespace {

/// An address, or its number: a base, what else is added (or null), and a
/// constant.
struct Sum {
  Value *Base, *Rest;
  int64_t Offset;
};

/// `[$3 + 8]` in a text.
struct TextAddress {
  size_t Begin, End;
  int64_t Offset;
};

} // namespace

/// A sum with a constant, which may be one itself where it is of a variable.
static const APInt *addend(Value *V) {
  auto *Op = dyn_cast<Operator>(V);
  const APInt *C;
  bool IsSum = Op && (Op->getOpcode() == llvm::Instruction::Add ||
                      match(Op, m_DisjointOr(m_Value(), m_Value())));
  return IsSum && match(Op->getOperand(1), m_APInt(C)) && C->isSignedIntN(32)
             ? C
             : nullptr;
}

static std::optional<Sum> sumOf(Value *Address, const DataLayout &DL) {
  if (const APInt *C = addend(Address))
    return Sum{cast<Operator>(Address)->getOperand(0), nullptr,
               C->getSExtValue()};
  // LLVM adds constants first: x + (tile + 64).
  if (Value *Base, *Rest; match(Address, m_Add(m_Value(Base), m_Value(Rest))))
    if (const APInt *C = addend(Rest); C && isa<Constant>(Rest))
      return Sum{Base, cast<Operator>(Rest)->getOperand(0), C->getSExtValue()};
  // As a pointer, or the number of one.
  if (auto *Number = dyn_cast<PtrToIntOperator>(Address))
    Address = Number->getPointerOperand();
  auto *Gep = dyn_cast<GEPOperator>(Address);
  if (!Gep)
    return std::nullopt;
  APInt Offset(DL.getIndexTypeSizeInBits(Gep->getType()), 0);
  if (!Gep->accumulateConstantOffset(DL, Offset) || !Offset.isSignedIntN(32))
    return std::nullopt;
  return Sum{Gep->getPointerOperand(), nullptr, Offset.getSExtValue()};
}

/// Where \p Text has operand \p Number, if that is the base of an address, and
/// the only place.
static std::optional<TextAddress> addressIn(StringRef Text, unsigned Number) {
  std::string Name = "$" + utostr(Number);
  std::optional<TextAddress> Found;
  for (size_t At = 0; (At = Text.find(Name, At)) != StringRef::npos;) {
    size_t Begin = At;
    At += Name.size();
    StringRef Rest = Text.drop_front(At);
    if (!Rest.empty() && isDigit(Rest.front()))
      continue; // another operand
    int64_t Offset = 0;
    Rest = Rest.ltrim();
    if (Rest.consume_front("+")) {
      Rest = Rest.ltrim();
      if (Rest.consumeInteger(0, Offset))
        return std::nullopt;
      Rest = Rest.ltrim();
    }
    if (Found || !Text.take_front(Begin).rtrim().ends_with("[") ||
        !Rest.starts_with("]"))
      return std::nullopt;
    Found = TextAddress{Begin, Text.size() - Rest.size(), Offset};
  }
  return Found;
}

/// Puts what is added to the base of an address into the text. Returns the new
/// call, or null.
static CallInst *foldOffset(CallInst &Call, unsigned Argument) {
  auto *Asm = cast<InlineAsm>(Call.getCalledOperand());
  std::optional<Sum> Address =
      sumOf(Call.getArgOperand(Argument), Call.getDataLayout());
  if (!Address)
    return nullptr;
  // Results are the first operands of the text.
  llvm::Type *Ty = Call.getType();
  unsigned Results = Ty->isVoidTy()     ? 0
                     : Ty->isStructTy() ? Ty->getStructNumElements()
                                        : 1;
  StringRef Text = Asm->getAsmString();
  std::optional<TextAddress> Place = addressIn(Text, Results + Argument);
  int64_t Offset = Place ? Place->Offset + Address->Offset : 0;
  if (!Place || !isInt<32>(Offset))
    return nullptr;
  std::string New =
      (Text.take_front(Place->Begin) + "$" + Twine(Results + Argument) +
       (Offset ? "+" + Twine(Offset) : "") + Text.drop_front(Place->End))
          .str();
  auto *Copy = cast<CallInst>(Call.clone());
  Copy->setCalledOperand(InlineAsm::get(
      Asm->getFunctionType(), New, Asm->getConstraintString(),
      Asm->hasSideEffects(), Asm->isAlignStack(), Asm->getDialect()));
  // In front of a loop where the old sum is: loops that wait have nothing else.
  Value *Old = Call.getArgOperand(Argument);
  IRBuilder<> B(isa<llvm::Instruction>(Old) ? cast<llvm::Instruction>(Old)
                                            : &Call);
  llvm::Type *Passed = Old->getType();
  Value *Base = Address->Base;
  if (Passed->isIntegerTy() && Base->getType()->isPointerTy())
    Base = B.CreatePtrToInt(Base, Passed);
  if (Address->Rest)
    Base = B.CreateAdd(Base, Address->Rest);
  Copy->setArgOperand(Argument, Base);
  Copy->insertBefore(Call.getIterator());
  Call.replaceAllUsesWith(Copy);
  return Copy;
}

void unravel::ptx::foldTextOffsets(llvm::Function &F) {
  SmallVector<WeakTrackingVH, 8> Dead;
  for (llvm::Instruction &I : make_early_inc_range(instructions(F))) {
    auto *Call = dyn_cast<CallInst>(&I);
    if (!Call || !Call->isInlineAsm())
      continue;
    for (unsigned Argument = 0; Argument < Call->arg_size();) {
      Value *Old = Call->getArgOperand(Argument);
      CallInst *New = foldOffset(*Call, Argument);
      if (!New) {
        ++Argument;
        continue;
      }
      Call->eraseFromParent();
      Call = New;
      Dead.push_back(Old);
    }
  }
  RecursivelyDeleteTriviallyDeadInstructionsPermissive(Dead);
}
