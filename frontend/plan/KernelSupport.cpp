//===- KernelSupport.cpp - Is there code for it? --------------------------===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "frontend/plan/KernelSupport.h"
#include "frontend/plan/ScatterPlan.h"

using namespace llvm;

namespace unravel {

/// Why \p I cannot be in a function of scalars.
static std::string problemInScalars(const HloInstruction &I) {
  if (!I.shape().isScalar())
    return "an array inside of a function of scalars; move it out of the "
           "function";
  switch (I.opcode()) {
  case HloOpcode::Parameter:
  case HloOpcode::Constant:
  case HloOpcode::Bitcast:
  case HloOpcode::BitcastConvert:
  case HloOpcode::Broadcast:
  case HloOpcode::Reshape:
  case HloOpcode::Transpose:
    return "";
  default:
    return isElementwise(I.opcode())
               ? ""
               : "no code for this operation inside of a function of scalars; "
                 "move it out of the function";
  }
}

Error checkSupported(const HloModule &Module, const FlatComputation &C,
                     FlatCallees &Callees) {
  // A list instead of a recursion; what it holds is not moved.
  SmallVector<std::pair<const HloInstruction *, const HloComputation *>, 8>
      Calls;
  auto Check = [&](const FlatComputation &Flat, bool IsOfScalars) -> Error {
    for (const HloInstruction &I : Flat.Body->instructions()) {
      std::string Problem = IsOfScalars ? problemInScalars(I) : "";
      if (!Problem.empty())
        return Module.error(I, Problem);
      if (I.callee())
        Calls.push_back({&I, I.callee()});
    }
    return Error::success();
  };
  if (Error E = Check(C, /*IsOfScalars=*/false))
    return E;
  while (!Calls.empty()) {
    auto [I, Callee] = Calls.pop_back_val();
    if (!Callees.contains(Callee)) {
      Expected<FlatComputation> Flat = flatten(Module, *Callee);
      if (!Flat)
        return Flat.takeError();
      if (Error E = Check(*Flat, /*IsOfScalars=*/true))
        return E;
      Callees[Callee] = std::move(*Flat);
    }
    if (I->opcode() == HloOpcode::Scatter)
      if (std::string Problem = planScatter(*I, Callees[Callee]).Problem;
          !Problem.empty())
        return Module.error(*I, Problem);
  }
  return Error::success();
}

} // namespace unravel
