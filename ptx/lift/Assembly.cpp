//===- Assembly.cpp - One piece of inline assembly ------------------------===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ptx/lift/Assembly.h"
#include "ptx/text/PtxWords.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/IR/InlineAsm.h"

using namespace llvm;
using namespace unravel;
using namespace unravel::ptx;

char unravel::ptx::constraintOf(llvm::Type *Ty) {
  if (Ty->isFloatTy())
    return 'f';
  if (Ty->isDoubleTy())
    return 'd';
  if (Ty->isPointerTy())
    return 'l';
  switch (Ty->getIntegerBitWidth()) {
  case 1:
    return 'b';
  case 16:
    return 'h';
  case 32:
    return 'r';
  case 64:
    return 'l';
  case 128:
    return 'q';
  }
  return 0;
}

//===----------------------------------------------------------------------===//
// Operands
//===----------------------------------------------------------------------===//

void Assembly::addResult(StringRef Name, llvm::Type *Ty, StringRef Mark) {
  Numbers[Name] = ResultTypes.size();
  Results.push_back(Name);
  ResultTypes.push_back(Ty);
  Constraints.push_back((Mark + Twine(constraintOf(Ty))).str());
}

unsigned Assembly::addArgument(Value *V, const Twine &Constraint) {
  Constraints.push_back(Constraint.str());
  Arguments.push_back(V);
  return ResultTypes.size() + Arguments.size() - 1;
}

unsigned Assembly::addArgument(Value *V) {
  return addArgument(V, Twine(constraintOf(V->getType())));
}

void Assembly::addTied(unsigned Result, Value *V) {
  addArgument(V, Twine(Result));
}

void Assembly::addNamed(StringRef Name, Value *V, bool IsAddress) {
  (IsAddress ? AddressNumbers : Numbers)[Name] = addArgument(V);
}

bool Assembly::hasName(StringRef Name, bool IsAddress) const {
  return (IsAddress ? AddressNumbers : Numbers).contains(Name);
}

std::string Assembly::renamed(StringRef Name, bool IsAddress) const {
  const StringMap<unsigned> &From = IsAddress ? AddressNumbers : Numbers;
  auto It = From.find(Name);
  return It == From.end() ? escaped(Name) : "$" + utostr(It->second);
}

CallInst *Assembly::create(IRBuilder<> &B, StringRef Text,
                           const TextEffects &Effects) const {
  llvm::Type *ResultType = ResultTypes.empty() ? llvm::Type::getVoidTy(Context)
                           : ResultTypes.size() == 1
                               ? ResultTypes.front()
                               : StructType::get(Context, ResultTypes);
  SmallVector<llvm::Type *, 8> Types;
  for (Value *V : Arguments)
    Types.push_back(V->getType());
  SmallVector<std::string, 8> All(Constraints);
  // For the backend, which does not look at the attributes of the call, what
  // reads memory has to clobber it: two loads are not one.
  if (Effects.ReadsMemory || Effects.WritesMemory)
    All.push_back("~{memory}");
  CallInst *Call =
      B.CreateCall(InlineAsm::get(FunctionType::get(ResultType, Types, false),
                                  Text, join(All, ","), Effects.HasSideEffects),
                   Arguments);
  Call->addFnAttr(Attribute::NoUnwind);
  if (!ResultType->isVoidTy())
    Call->addRetAttr(Attribute::NoUndef);
  if (Effects.IsConvergent)
    Call->addFnAttr(Attribute::Convergent);
  if (!Effects.HasSideEffects) {
    if (Effects.ReadsMemory)
      Call->setOnlyReadsMemory();
    else
      Call->setDoesNotAccessMemory();
  }
  return Call;
}

//===----------------------------------------------------------------------===//
// Text
//===----------------------------------------------------------------------===//

std::string unravel::ptx::escaped(StringRef Text) {
  std::string Result;
  for (char C : Text)
    Result += C == '$' ? std::string("$$") : std::string(1, C);
  return Result;
}

void unravel::ptx::printText(
    const ptx::Instruction &I,
    function_ref<std::string(const Operand &In, StringRef Name)> Rename,
    raw_ostream &OS) {
  OS << escaped(I.Opcode);
  for (const Operand &O : I.Operands) {
    auto Renamed = [&](StringRef Name) { return Rename(O, Name); };
    OS << (&O == I.Operands.begin() ? " " : ", ");
    if (isUnparsed(O))
      OS << replaceWords(O.Text, Renamed);
    else
      print(O, Renamed, OS);
  }
  OS << ';';
}
