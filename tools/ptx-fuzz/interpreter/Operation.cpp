//===- Operation.cpp - What an instruction computes -----------------------===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tools/ptx-fuzz/interpreter/Operation.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace unravel::ptx {

bool OpcodeReader::take(StringRef Word) {
  auto It = find(Rest, Word);
  if (It == Rest.end())
    return false;
  Rest.erase(It);
  return true;
}

StringRef OpcodeReader::takeOneOf(ArrayRef<StringRef> Words) {
  for (StringRef Word : Words)
    if (take(Word))
      return Word;
  return "";
}

std::optional<Type> OpcodeReader::takeType(StringRef *Word) {
  if (Rest.empty())
    return std::nullopt;
  std::optional<Type> T = parseType(Rest.back());
  if (!T)
    return std::nullopt;
  StringRef Text = Rest.pop_back_val();
  if (Word)
    *Word = Text;
  return T;
}

void OpcodeReader::takeIf(function_ref<bool(StringRef)> Matches) {
  erase_if(Rest, Matches);
}

Operation uniformOperation(unsigned Width, unsigned NumOperands,
                           std::function<uint64_t(Values)> Run) {
  Operation O;
  O.ResultWidth = Width;
  O.OperandWidths.assign(NumOperands, Width);
  O.Run = [Run = std::move(Run)](Values V, ThreadFlags &) {
    return Results{Run(V), 0};
  };
  return O;
}

std::optional<Operation> findOperation(const Instruction &I) {
  for (auto *Find :
       {arithmeticOperation, productOperation, bitOperation, fieldOperation,
        comparisonOperation, floatOperation, conversionOperation})
    if (std::optional<Operation> O = Find(I))
      return O;
  return std::nullopt;
}

} // namespace unravel::ptx
