//===- AtomicSteps.cpp - atom and red -------------------------------------===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tools/ptx-fuzz/interpreter/Decoder.h"
#include "tools/ptx-fuzz/interpreter/FloatFormat.h"
#include "llvm/ADT/STLExtras.h"
#include <cstring>

using namespace llvm;

namespace unravel::ptx {

/// The new value of memory, of the old one and the operands.
using Update = std::function<uint64_t(uint64_t Old, Values Operands)>;

static Update integerUpdate(StringRef Name, const Type &T) {
  unsigned Width = T.Width;
  bool IsSigned = T.isSigned();
  auto IsLess = [=](uint64_t A, uint64_t B) {
    return IsSigned ? signedOf(A, Width) < signedOf(B, Width) : A < B;
  };
  if (Name == "add")
    return [](uint64_t Old, Values V) { return Old + V[0]; };
  if (Name == "and")
    return [](uint64_t Old, Values V) { return Old & V[0]; };
  if (Name == "or")
    return [](uint64_t Old, Values V) { return Old | V[0]; };
  if (Name == "xor")
    return [](uint64_t Old, Values V) { return Old ^ V[0]; };
  if (Name == "exch")
    return [](uint64_t, Values V) { return V[0]; };
  if (Name == "cas")
    return [](uint64_t Old, Values V) { return Old == V[0] ? V[1] : Old; };
  if (Name == "min")
    return
        [=](uint64_t Old, Values V) { return IsLess(Old, V[0]) ? Old : V[0]; };
  if (Name == "max")
    return
        [=](uint64_t Old, Values V) { return IsLess(Old, V[0]) ? V[0] : Old; };
  if (Name == "inc")
    return [](uint64_t Old, Values V) { return Old >= V[0] ? 0 : Old + 1; };
  if (Name == "dec")
    return [](uint64_t Old, Values V) {
      return Old == 0 || Old > V[0] ? V[0] : Old - 1;
    };
  return nullptr;
}

static bool isUpdateWord(StringRef Word) {
  return is_contained(
      {"add", "and", "or", "xor", "exch", "cas", "min", "max", "inc", "dec"},
      Word);
}

static bool isAtomicHint(StringRef Word) {
  return Word.starts_with("L2") ||
         is_contained({"relaxed", "acquire", "release", "acq_rel", "cta",
                       "cluster", "gpu", "sys", "noftz"},
                      Word);
}

Decoder::Run Decoder::decodeAtomic(const Instruction &I) {
  OpcodeReader R(I);
  bool IsAtom = R.base() == "atom";
  if (!IsAtom && R.base() != "red")
    return nullptr;
  StringRef TypeWord, Name;
  std::optional<Type> T = R.takeType(&TypeWord);
  Space In = Space::Generic;
  R.takeIf([&](StringRef Word) {
    if (isUpdateWord(Word))
      Name = Word;
    else if (std::optional<Space> S = spaceOf(Word))
      In = *S;
    else
      return isAtomicHint(Word);
    return true;
  });
  if (!T || !R.isDone() || T->Width > 64 || T->Width < 16)
    return nullptr;

  Update New;
  if (T->isInteger()) {
    New = integerUpdate(Name, *T);
  } else if (Name == "add" && floatFormat(TypeWord)) {
    // The operation of that name, with its rounding to nearest.
    Instruction Sum;
    Sum.Words = {"add", "rn", TypeWord};
    std::optional<Operation> O = findOperation(Sum);
    if (O)
      New = [Compute = O->Run](uint64_t Old, Values V) {
        ThreadFlags Flags;
        return Compute({Old, V[0]}, Flags).First;
      };
  }
  if (!New)
    return nullptr;
  size_t NumOperands = Name == "cas" ? 2 : 1, Skipped = IsAtom ? 1 : 0;
  if (I.Operands.size() < Skipped + 1 + NumOperands)
    return failMalformed("it needs " + Twine(Skipped + 1 + NumOperands) +
                         " operands");
  Target Old;
  if (IsAtom)
    Old = target(I.Operands[0], T->Width);
  Address At = address(I.Operands[Skipped], In);
  SmallVector<Source, 2> Sources;
  for (size_t K = 0; K != NumOperands; ++K)
    Sources.push_back(source(I.Operands[Skipped + 1 + K], T->Width));
  unsigned Size = T->Width / 8;
  return [=](Machine &M, Thread &T) {
    uint8_t *Bytes = M.memory(T, At.In, valueOf(M, T, At), Size, true);
    if (!Bytes)
      return;
    uint64_t Before = 0;
    std::memcpy(&Before, Bytes, Size);
    SmallVector<uint64_t, 2> Operands;
    for (const Source &S : Sources)
      Operands.push_back(M.read(T, S));
    uint64_t After = New(Before, Operands);
    std::memcpy(Bytes, &After, Size);
    M.write(T, Old, Before);
  };
}

} // namespace unravel::ptx
