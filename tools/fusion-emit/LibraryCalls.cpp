//===- LibraryCalls.cpp - Calls whose meaning is not known --------------===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tools/fusion-emit/LibraryCalls.h"
#include "tools/fusion-emit/FusionValues.h"
#include "tools/kernel-run/launch/KernelFinding.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace unravel {

HloLiteral LibraryCalls::evaluate(const HloInstruction &Call,
                                  ArrayRef<const HloLiteral *> Operands) {
  Record New;
  for (const HloLiteral *Operand : Operands)
    for (const HloLiteral *Array : arraysOf(*Operand))
      New.Operands.push_back(*Array);
  New.Bounds.resize(New.Operands.size());
  New.Result = randomValue(Call.shape(), /*Seed=*/++Count);
  return Records[Call.name()].emplace_back(std::move(New)).Result;
}

const HloLiteral &LibraryCalls::repeat(const HloInstruction &Call,
                                       ArrayRef<const HloLiteral *> Operands,
                                       const HloErrors &Errors) {
  Record &R = Records[Call.name()][Again[Call.name()]++];
  R.Bounds.clear();
  for (const HloLiteral *Operand : Operands) {
    size_t Count = arraysOf(*Operand).size();
    if (const HloLiteral *Bounds = Errors.of(*Operand))
      for (const HloLiteral *Array : arraysOf(*Bounds))
        R.Bounds.push_back(std::make_shared<const HloLiteral>(*Array));
    else
      R.Bounds.resize(R.Bounds.size() + Count);
  }
  return R.Result;
}

Expected<std::vector<HloLiteral>>
LibraryCalls::run(const EmittedStep &Call, ArrayRef<HloLiteral> Operands) {
  size_t Number = Again[Call.Name]++;
  auto Known = Records.find(Call.Name);
  if (Known == Records.end() || Number >= Known->second.size())
    return make_error<KernelFinding>("'" + Call.Name +
                                     "' is called more often than by the "
                                     "evaluator");
  const Record &R = Known->second[Number];
  for (auto [K, Operand] : enumerate(Operands))
    if (std::string Where =
            difference(Operand, R.Operands[K], R.Bounds[K].get());
        !Where.empty())
      return make_error<KernelFinding>("operand " + Twine(K) +
                                       " of the call '" + Call.Name +
                                       "' is wrong " + Where);
  std::vector<HloLiteral> Results;
  for (const HloLiteral *Array : arraysOf(R.Result))
    Results.push_back(*Array);
  return Results;
}

} // namespace unravel
