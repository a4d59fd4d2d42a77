//===- Variables.cpp - Where variables lie and what they hold -------------===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tools/ptx-fuzz/interpreter/Variables.h"
#include "ptx/text/PtxLexer.h"
#include "tools/ptx-fuzz/interpreter/GlobalMemory.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MathExtras.h"

using namespace llvm;

namespace unravel::ptx {

/// Shared, local and constant memory are kept as they are.
static constexpr uint64_t MaxBytes = 1 << 20;

std::optional<Space> spaceOf(StringRef Word) {
  Word = Word.split("::").first;
  if (Word == "global")
    return Space::Global;
  if (Word == "shared")
    return Space::Shared;
  if (Word == "local")
    return Space::Local;
  if (Word == "const")
    return Space::Constant;
  if (Word == "param")
    return Space::Param;
  return std::nullopt;
}

//===----------------------------------------------------------------------===//
// Initialisers
//===----------------------------------------------------------------------===//

namespace {

class InitialiserReader {
public:
  InitialiserReader(const Variable &V, StringRef Text, const Names &N)
      : V(V), L(Text, "initialiser"), N(N), Bytes(V.Size) {}

  Expected<std::vector<uint8_t>> read() {
    while (!L.atEnd() && !L.isAt(V.Name))
      L.next();
    L.next();
    while (L.consumeIf("[")) {
      uint64_t Count = 0;
      if (!L.isAt("]") && L.next().Text.getAsInteger(0, Count))
        return L.error("not modelled: this size");
      Sizes.push_back(Count);
      L.next();
    }
    if (Error E = L.expect("=", "behind the name"))
      return E;
    uint64_t Elements = 1;
    for (uint64_t Size : Sizes)
      Elements *= std::max<uint64_t>(Size, 1);
    ElementSize = V.Size / std::max<uint64_t>(Elements, 1);
    if (Error E = readLevel(0, 0))
      return E;
    return std::move(Bytes);
  }

private:
  /// The part from \p Offset on, inside of \p Depth braces.
  Error readLevel(unsigned Depth, uint64_t Offset) {
    if (!L.consumeIf("{"))
      return readElement(Offset);
    uint64_t Stride = ElementSize;
    for (unsigned I = Depth + 1; I < Sizes.size(); ++I)
      Stride *= Sizes[I];
    // The lanes of a vector have braces of their own.
    if (Depth >= Sizes.size())
      Stride = V.Of.Width / 8;
    for (; !L.isAt("}"); Offset += Stride) {
      if (Error E = readLevel(Depth + 1, Offset))
        return E;
      if (!L.consumeIf(","))
        break;
    }
    return L.expect("}", "behind values");
  }

  /// The address of the variable \p Word, `+ N` behind it included; nothing if
  /// \p Word is no variable.
  Expected<std::optional<uint64_t>> readAddress(StringRef Word) {
    const Symbol *S = N.find(Word);
    if (!S || S->IsRegister)
      return std::nullopt;
    if (!S->NotModelled.empty())
      return createStringError(S->NotModelled);
    if (S->In != Space::Global)
      return L.error("not modelled: the address of a variable that is not "
                     "global");
    uint64_t Plus = 0;
    if (L.consumeIf("+") && L.next().Text.getAsInteger(0, Plus))
      return L.error("not modelled: this value");
    return S->Address + Plus;
  }

  /// A number, `name + 4`, `generic(name)`, or `0xFF00(name)`: the bits of the
  /// address that the mask has, moved to the end.
  Expected<uint64_t> readValue() {
    StringRef Word = L.next().Text, Digits = Word;
    Digits.consume_back("U");
    uint64_t Mask = ~uint64_t(0), Value = 0;
    bool IsMask = !Digits.getAsInteger(0, Value);
    if ((IsMask || Word == "generic") && L.consumeIf("(")) {
      if (IsMask)
        Mask = Value;
      Expected<std::optional<uint64_t>> Address = readAddress(L.next().Text);
      if (!Address)
        return Address.takeError();
      if (!*Address || Mask == 0)
        return L.error("not modelled: this value");
      if (Error E = L.expect(")", "behind the name"))
        return E;
      return (**Address & Mask) >> countr_zero(Mask);
    }
    if (IsMask)
      return Value;
    if (Word.starts_with_insensitive("0f") ||
        Word.starts_with_insensitive("0d")) {
      if (Word.drop_front(2).getAsInteger(16, Value))
        return L.error("not modelled: this value");
      return Value;
    }
    Expected<std::optional<uint64_t>> Address = readAddress(Word);
    if (!Address)
      return Address.takeError();
    return *Address ? Expected<uint64_t>(**Address)
                    : L.error("not modelled: this value");
  }

  Error readElement(uint64_t Offset) {
    bool IsNegative = L.consumeIf("-");
    Expected<uint64_t> Read = readValue();
    if (!Read)
      return Read.takeError();
    uint64_t Value = IsNegative ? -*Read : *Read;
    unsigned Size = std::max(V.Of.Width / 8, 1u);
    if (Size > 8 || Offset > Bytes.size() || Bytes.size() - Offset < Size)
      return L.error("not modelled: a value outside of the array");
    for (unsigned I = 0; I != Size; ++I)
      Bytes[Offset + I] = Value >> (8 * I);
    return Error::success();
  }

  const Variable &V;
  Lexer L;
  const Names &N;
  std::vector<uint8_t> Bytes;
  SmallVector<uint64_t, 3> Sizes;
  uint64_t ElementSize = 0;
};

} // namespace

Expected<std::vector<uint8_t>> initialiserOf(const Variable &V, StringRef Text,
                                             const Names &N) {
  return InitialiserReader(V, Text, N).read();
}

//===----------------------------------------------------------------------===//
// Places
//===----------------------------------------------------------------------===//

static Expected<uint64_t> placeBehind(uint64_t &End, const Variable &V) {
  uint64_t Begin = alignTo(End, std::max(V.Align, 1u));
  if (V.Size > MaxBytes || Begin > MaxBytes - V.Size)
    return createStringError("not modelled: '" + V.Name + "' needs " +
                             Twine(V.Size) + " bytes of ." + V.Space);
  End = Begin + V.Size;
  return Begin;
}

Error VariablePlacer::placeOne(const Variable &V, StringRef Text) {
  std::optional<Space> In = spaceOf(V.Space);
  // For the call behind it, at which a thread stops anyway.
  if (In == Space::Param)
    return Error::success();
  if (!In)
    return createStringError("not modelled: variable '" + V.Name + "' of ." +
                             V.Space);
  std::vector<uint8_t> Contents;
  if (V.HasInitialiser) {
    if (V.Size > MaxBytes)
      return createStringError("not modelled: '" + V.Name + "' has " +
                               Twine(V.Size) + " bytes");
    Expected<std::vector<uint8_t>> Bytes = initialiserOf(V, Text, N);
    if (!Bytes)
      return Bytes.takeError();
    Contents = std::move(*Bytes);
  }
  Symbol S;
  S.In = *In;
  if (*In == Space::Global) {
    S.Address = GlobalMemory::addressOf(GlobalMemory::FirstVariableRoom +
                                        P.Globals.size());
    P.Globals.push_back({&V, std::move(Contents)});
  } else if (*In == Space::Shared && V.Size == 0) {
    S.Address = DynamicSharedBegin; // `extern .shared x[]`
  } else {
    uint64_t ConstantSize = P.Constants.size();
    uint64_t &End = *In == Space::Shared  ? P.SharedSize
                    : *In == Space::Local ? P.LocalSize
                                          : ConstantSize;
    Expected<uint64_t> Begin = placeBehind(End, V);
    if (!Begin)
      return Begin.takeError();
    S.Address = *Begin + (*In == Space::Shared  ? SharedBegin
                          : *In == Space::Local ? LocalBegin
                                                : 0);
    if (*In == Space::Constant) {
      P.Constants.resize(End);
      llvm::copy(Contents, P.Constants.begin() + *Begin);
    }
  }
  N.declare(V.Name, S);
  return Error::success();
}

Error VariablePlacer::place(const Variables &Declared, StringRef Text) {
  for (const Variable &V : Declared.All)
    if (Error E = placeOne(V, Text))
      return E;
  return Error::success();
}

void VariablePlacer::placeGlobals(const Variables &Declared, StringRef Text) {
  for (const Variable &V : Declared.All)
    if (Error E = placeOne(V, Text)) {
      Symbol S;
      // Without the picture of the line.
      S.NotModelled = StringRef(toString(std::move(E))).split('\n').first.str();
      N.declare(V.Name, S);
    }
}

Error VariablePlacer::placeParameters(const Function &Kernel) {
  for (const Variable &V : Kernel.Parameters) {
    Expected<uint64_t> Begin = placeBehind(P.ParamSize, V);
    if (!Begin)
      return Begin.takeError();
    P.ParamOffsets.push_back(*Begin);
    Symbol S;
    S.In = Space::Param;
    S.Address = *Begin;
    N.declare(V.Name, S);
  }
  return Error::success();
}

} // namespace unravel::ptx
