//===- HloVerifier.cpp - Whether a module makes sense ---------------------===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "frontend/verify/HloVerifier.h"
#include "frontend/shapes/HloShapeInference.h"
#include "frontend/text/HloAliases.h"

using namespace llvm;

namespace unravel {

/// \p Shape for a message; long ones end in dots.
static std::string shown(const HloShape &Shape) {
  constexpr size_t MaxLength = 200;
  std::string Text = Shape.str(/*WithLayout=*/false);
  if (Text.size() > MaxLength)
    Text.replace(MaxLength, std::string::npos, "...");
  return Text;
}

Error verifyHlo(const HloModule &Module) {
  for (const HloComputation &C : Module.computations()) {
    for (const HloInstruction &I : C.instructions()) {
      Expected<HloShape> Inferred = inferShape(I);
      if (!Inferred)
        return Module.error(I, toString(Inferred.takeError()));
      if (!Inferred->isCompatible(I.shape()))
        return Module.error(I, "the shape is written " + shown(I.shape()) +
                                   ", but operands and attributes make it " +
                                   shown(*Inferred) + "; correct either");
    }
  }
  return verifyAliases(Module);
}

} // namespace unravel
