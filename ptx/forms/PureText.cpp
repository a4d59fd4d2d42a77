//===- PureText.cpp - Instructions that LLVM has no name for --------------===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ptx/forms/PureText.h"
#include "ptx/lift/Assembly.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/IR/InlineAsm.h"

using namespace llvm;

Value *unravel::ptx::pureText(IRBuilder<> &B, StringRef Opcode, llvm::Type *Ty,
                              ArrayRef<Value *> Operands, StringRef Form) {
  std::string Places = "$0", Constraints;
  ListSeparator Comma(",");
  for (llvm::Type *Result :
       Ty->isStructTy() ? Ty->subtypes() : ArrayRef<llvm::Type *>(Ty)) {
    Constraints += StringRef(Comma);
    Constraints += {'=', constraintOf(Result)};
  }
  SmallVector<llvm::Type *, 2> Types;
  for (auto [Number, Operand] : enumerate(Operands)) {
    Places += (", $" + Twine(Number + 1)).str();
    Constraints += std::string(",") + constraintOf(Operand->getType());
    Types.push_back(Operand->getType());
  }
  std::string Text =
      (Opcode + " " + (Form.empty() ? Places : Form.str()) + ";").str();
  CallInst *Call = B.CreateCall(
      InlineAsm::get(FunctionType::get(Ty, Types, /*isVarArg=*/false), Text,
                     Constraints, /*hasSideEffects=*/false),
      Operands);
  Call->setDoesNotAccessMemory();
  Call->setDoesNotThrow();
  return Call;
}

StringRef unravel::ptx::opcodeOf(const CallInst &Text) {
  StringRef Code = cast<InlineAsm>(Text.getCalledOperand())->getAsmString();
  Code = Code.ltrim();
  if (Code.starts_with("@")) // a guard
    Code = Code.split(' ').second.ltrim();
  return Code.take_until([](char C) { return isSpace(C); });
}
