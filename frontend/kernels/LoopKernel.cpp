//===- LoopKernel.cpp - One element after the other ----------------------===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "frontend/kernels/KernelCode.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace unravel {

void emitBody(KernelCode &Code, const LoopKernel &Loop) {
  const PlannedKernel &Kernel = Code.Kernel;
  Value *First = Code.firstOfVector(Code.enterThread(), Loop.Launch.Vector);
  // Load everything before storing anything: it may be the same memory. And
  // where elements are loaded under conditions, stores between the conditions
  // would keep them apart, and the accesses from becoming those of a vector.
  SmallVector<std::pair<Value *, SmallVector<Value *, 4>>, 4> Computed;
  for (int64_t Next = 0; Next < Loop.Launch.Vector; ++Next) {
    Value *Offset = Code.plus(First, Next);
    std::vector<ElementPlace> At(Loop.Shapes.size());
    for (auto [Shape, Place] : zip_equal(Loop.Shapes, At))
      Place.Index = Code.Indices.fromOffset(Code.B, Shape, Offset);
    auto &Elements = Computed.emplace_back(Offset, 0).second;
    for (auto [Root, Place] : zip_equal(Kernel.Roots, Kernel.Places))
      Elements.push_back(Code.Emitter.element(*Root, At[Place]));
  }
  for (const auto &[Offset, Elements] : Computed)
    for (auto [K, Element] : enumerate(Elements))
      Code.store(K, Offset, Element);
}

} // namespace unravel
