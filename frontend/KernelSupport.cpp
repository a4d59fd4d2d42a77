//===- KernelSupport.cpp - Is there code for it? --------------------------===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "frontend/KernelSupport.h"

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

static Error checkScatter(const HloModule &Module, const HloInstruction &I,
                          const FlatComputation &Callee) {
  if (I.operands().size() != 3)
    return Module.error(I, "no code for a scatter into several arrays; make it "
                           "one scatter for each of them");
  if (scatterMethod(I, Callee) == ScatterMethod::Loop &&
      byteWidth(I.shape().elementType()) > 8)
    return Module.error(I, "no atomic operation on elements of " +
                               Twine(byteWidth(I.shape().elementType())) +
                               " bytes; scatter real and imaginary parts, or "
                               "say unique_indices=true");
  return Error::success();
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
      if (Error E = checkScatter(Module, *I, Callees[Callee]))
        return E;
  }
  return Error::success();
}

ScatterMethod scatterMethod(const HloInstruction &I,
                            const FlatComputation &Callee) {
  const HloInstruction &Root = *Callee.Outputs.front();
  const HloComputation &Body = *Callee.Body;
  if (I.attributes<HloScatter>().UniqueIndices || &Root == &Body.parameter(1))
    return ScatterMethod::Store;
  auto IsParameter = [&](size_t K, size_t Number) {
    return &Root.operand(K) == &Body.parameter(Number);
  };
  if (Root.operands().size() != 2 ||
      !((IsParameter(0, 0) && IsParameter(1, 1)) ||
        (IsParameter(0, 1) && IsParameter(1, 0))))
    return ScatterMethod::Loop;
  ElementType Type = I.shape().elementType();
  if (Root.opcode() == HloOpcode::Add &&
      (Type == ElementType::F32 || Type == ElementType::F64))
    return ScatterMethod::Atomic;
  if (!isInteger(Type) || bitWidth(Type) < 32)
    return ScatterMethod::Loop;
  switch (Root.opcode()) {
  case HloOpcode::Add:
  case HloOpcode::And:
  case HloOpcode::Or:
  case HloOpcode::Xor:
  case HloOpcode::Maximum:
  case HloOpcode::Minimum:
    return ScatterMethod::Atomic;
  default:
    return ScatterMethod::Loop;
  }
}

} // namespace unravel
