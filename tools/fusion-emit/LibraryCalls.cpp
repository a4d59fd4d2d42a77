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
#include "llvm/Support/xxhash.h"

using namespace llvm;

namespace unravel {

/// Without an effect the same operands give the same result, however often the
/// call is made.
static uint64_t seedOf(const HloInstruction &Call,
                       ArrayRef<HloLiteral> Operands) {
  std::string Text = Call.name().str();
  for (const HloLiteral &Operand : Operands)
    Text.append(Operand.bytes().begin(), Operand.bytes().end());
  return xxh3_64bits(Text);
}

HloLiteral LibraryCalls::evaluate(const HloInstruction &Call,
                                  ArrayRef<const HloLiteral *> Operands) {
  Record New;
  for (const HloLiteral *Operand : Operands)
    for (const HloLiteral *Array : arraysOf(*Operand))
      New.Operands.push_back(*Array);
  New.Bounds.resize(New.Operands.size());
  New.HasEffect = Effects.has(Call);
  ++Count;
  New.Result = randomValue(Call.shape(),
                           New.HasEffect ? Count : seedOf(Call, New.Operands));
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

/// Where the operands of a call are not those of \p R; empty if they are.
static std::string
differenceFrom(ArrayRef<HloLiteral> Wanted,
               ArrayRef<std::shared_ptr<const HloLiteral>> Bounds,
               ArrayRef<HloLiteral> Operands) {
  for (auto [K, Operand] : enumerate(Operands))
    if (std::string Where = difference(Operand, Wanted[K], Bounds[K].get());
        !Where.empty())
      return ("operand " + Twine(K) + " of it is wrong " + Where).str();
  return "";
}

Expected<std::vector<HloLiteral>>
LibraryCalls::run(const EmittedStep &Call, ArrayRef<HloLiteral> Operands) {
  ArrayRef<Record> Known = Records[Call.Name];
  size_t &Next = Again[Call.Name];
  std::string Problem = "it is called more often than by the evaluator";
  for (size_t K = 0; K < Known.size(); ++K) {
    size_t Number = (Next + K) % Known.size();
    const Record &R = Known[Number];
    if (R.Operands.size() != Operands.size()) // another one of this name
      continue;
    if (R.HasEffect && Number < Next)
      break;
    std::string Where = differenceFrom(R.Operands, R.Bounds, Operands);
    if (Where.empty()) {
      Next = Number + 1;
      std::vector<HloLiteral> Results;
      for (const HloLiteral *Array : arraysOf(R.Result))
        Results.push_back(*Array);
      return Results;
    }
    if (K == 0)
      Problem = Where;
    if (R.HasEffect) // in this order
      break;
  }
  return make_error<KernelFinding>("the call '" + Call.Name + "': " + Problem);
}

Error LibraryCalls::checkEffects() const {
  for (const auto &Known : Records) {
    size_t Made = Again.lookup(Known.getKey());
    for (const Record &R :
         drop_begin(Known.getValue(), std::min(Made, Known.getValue().size())))
      if (R.HasEffect)
        return make_error<KernelFinding>(
            "the call '" + Known.getKey() +
            "' has an effect, and is made less often than by the evaluator");
  }
  return Error::success();
}

} // namespace unravel
