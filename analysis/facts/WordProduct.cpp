//===- WordProduct.cpp - Products of words, as text -----------------------===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "analysis/facts/WordProduct.h"
#include "llvm/IR/InlineAsm.h"

using namespace llvm;

namespace unravel {

static InlineAsm *textOf(LLVMContext &Context, bool IsSigned) {
  Type *Word = Type::getInt32Ty(Context);
  auto *Ty = FunctionType::get(Type::getInt64Ty(Context), {Word, Word},
                               /*isVarArg=*/false);
  return InlineAsm::get(
      Ty, IsSigned ? "mul.wide.s32 $0, $1, $2;" : "mul.wide.u32 $0, $1, $2;",
      "=l,r,r", /*hasSideEffects=*/false);
}

CallInst *createWordProduct(IRBuilderBase &B, const WordProduct &Product) {
  CallInst *Call = B.CreateCall(textOf(B.getContext(), Product.IsSigned),
                                {Product.A, Product.B});
  Call->setDoesNotAccessMemory();
  Call->setDoesNotThrow();
  return Call;
}

std::optional<WordProduct> asWordProduct(const CallBase &Call) {
  if (!Call.isInlineAsm())
    return std::nullopt;
  // A context has each text once.
  for (bool IsSigned : {true, false})
    if (Call.getCalledOperand() == textOf(Call.getContext(), IsSigned))
      return WordProduct{Call.getArgOperand(0), Call.getArgOperand(1),
                         IsSigned};
  return std::nullopt;
}

} // namespace unravel
