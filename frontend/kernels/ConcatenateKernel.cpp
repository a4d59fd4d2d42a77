//===- ConcatenateKernel.cpp - A thread for an index of every operand -----===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "frontend/kernels/KernelCode.h"

using namespace llvm;

namespace unravel {

/// The outputs for the elements at \p Places of an operand that begins at
/// \p Begin in the result.
static void emitOperand(KernelCode &Code, const ConcatenateKernel &Concatenate,
                        const HloInstruction &Operand,
                        ArrayRef<ElementIndex> Places, int64_t Begin) {
  for (const ElementIndex &Index : Places) {
    ElementPlace In(Index);
    Code.Emitter.setElements(*Concatenate.Concatenation,
                             {Code.Emitter.element(Operand, In)});
    ElementPlace Out(Index);
    Value *&Along = Out.Index[Concatenate.Along];
    Along = Code.plus(Along, Begin);
    Code.storeOutputs(Out);
  }
}

void emitBody(KernelCode &Code, const ConcatenateKernel &Concatenate) {
  IRBuilder<> &B = Code.B;
  Value *First =
      Code.firstOfVector(Code.enterThread(), Concatenate.Launch.Vector);
  SmallVector<ElementIndex, 4> Places;
  for (int64_t Next = 0; Next < Concatenate.Launch.Vector; ++Next)
    Places.push_back(Code.Indices.fromOffset(B, Concatenate.Longest,
                                             Code.plus(First, Next)));
  int64_t Begin = 0;
  for (const HloInstruction *Operand : Concatenate.Concatenation->operands()) {
    int64_t Size = Concatenate.sizeOf(*Operand);
    if (Size == 0)
      continue;
    auto Emit = [&] {
      emitOperand(Code, Concatenate, *Operand, Places, Begin);
    };
    // A vector is inside as a whole, or outside.
    Value *Place = Places[0][Concatenate.Along];
    if (Concatenate.isShorter(*Operand))
      Code.onlyIf(B.CreateICmpULT(Place, Code.Indices.constant(Size)), "piece",
                  "next", Emit);
    else
      Emit();
    Begin += Size;
  }
}

} // namespace unravel
