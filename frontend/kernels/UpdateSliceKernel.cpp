//===- UpdateSliceKernel.cpp - A thread for each element of an update -----===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "frontend/kernels/KernelCode.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace unravel {

void emitBody(KernelCode &Code, const UpdateSliceKernel &Slices) {
  IRBuilder<> &B = Code.B;
  Value *Thread = Code.enterThread();
  ElementPlace Place(Code.Indices.fromOffset(B, Slices.Order, Thread));
  // Load everything before storing anything: it may be the same memory.
  SmallVector<std::pair<Value *, Value *>, 2> ToWrite;
  for (const HloInstruction *I : Slices.Updates) {
    Value *New = Code.Emitter.element(I->operand(1), Place);
    Value *Offset = Code.Indices.toOffset(
        B, I->shape(), Code.Emitter.updatePlace(*I, Place.Index));
    ToWrite.push_back({Offset, New});
  }
  for (auto [K, Write] : enumerate(ToWrite))
    Code.store(K, Write.first, Write.second);
}

} // namespace unravel
