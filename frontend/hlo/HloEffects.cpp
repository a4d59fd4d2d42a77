//===- HloEffects.cpp - What is done besides results ----------------------===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "frontend/hlo/HloEffects.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace unravel {

static bool hasCallEffect(const HloInstruction &Call) {
  const auto &Custom = Call.attributes<HloCustomCall>();
  if (!Custom.IsOperation)
    return any_of(Call.TextAttributes, [](const HloTextAttribute &A) {
      return A.Name == "custom_call_has_side_effect" && A.Value == "true";
    });
  static constexpr std::pair<StringLiteral, bool> Operations[] = {
#define HLO_LIBRARY(Name, HasEffect) {Name, HasEffect},
#include "frontend/hlo/HloOpcodes.def"
  };
  return any_of(Operations, [&](const auto &Operation) {
    return Operation.second && Operation.first == Custom.Target;
  });
}

bool HloEffects::has(const HloInstruction &I) {
  if (I.opcode() == HloOpcode::CustomCall)
    return hasCallEffect(I);
  return any_of(I.callees(), [&](const HloComputation *C) {
    if (auto Found = Known.find(C); Found != Known.end())
      return Found->second;
    bool Has = any_of(C->instructions(),
                      [&](const HloInstruction &Inner) { return has(Inner); });
    return Known[C] = Has;
  });
}

} // namespace unravel
