//===- LaunchMemory.cpp - The memory of one kernel run --------------------===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "LaunchMemory.h"
#include "llvm/ADT/APFloat.h"
#include "llvm/ADT/APInt.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/Twine.h"
#include "llvm/Support/FormatVariadic.h"
#include <algorithm>
#include <cmath>
#include <cstring>
#include <new>
#include <random>

using namespace llvm;
using namespace unravel;

namespace {
constexpr uint64_t GuardBytes = 64 << 10;
constexpr uint8_t FillPattern = 0xA5;
constexpr uint64_t Seed = 0x756e726176656cULL;

/// The random values of one buffer.
class ValueSource {
public:
  ValueSource(const KernelArgument &Argument, unsigned Number)
      : Argument(Argument), Engine(Seed + Number) {}

  /// Writes the bytes of one element to \p To.
  void write(uint8_t *To) {
    switch (Argument.Type) {
    case ElementType::F16: {
      bool Inexact;
      APFloat Half(real());
      Half.convert(APFloat::IEEEhalf(), APFloat::rmNearestTiesToEven, &Inexact);
      return copy<uint16_t>(To, Half.bitcastToAPInt().getZExtValue());
    }
    case ElementType::F32:
      return copy<float>(To, real());
    case ElementType::F64:
      return copy<double>(To, real());
    default: {
      uint64_t Bits = integer();
      std::memcpy(To, &Bits, elementSize(Argument.Type));
    }
    }
  }

private:
  template <typename T> static void copy(uint8_t *To, T Value) {
    std::memcpy(To, &Value, sizeof(T));
  }

  /// Spelled out, as the distributions of <random> differ between libraries.
  double real() {
    double Low = Argument.Min.value_or(-4), High = Argument.Max.value_or(4);
    return Low + (High - Low) * (double(Engine() >> 11) * 0x1p-53);
  }

  uint64_t integer() {
    if (!Argument.Min)
      return Engine();
    double Low = std::ceil(*Argument.Min), High = std::floor(*Argument.Max);
    double Span = std::max(0.0, High - Low) + 1;
    uint64_t Step = Span >= 0x1p63 ? Engine() : Engine() % uint64_t(Span);
    return (Low < 0 ? uint64_t(int64_t(std::max(Low, -0x1p63)))
                    : uint64_t(std::min(Low, 0x1p63))) +
           Step;
  }

  const KernelArgument &Argument;
  std::mt19937_64 Engine;
};

const fltSemantics &semantics(ElementType Type) {
  switch (Type) {
  case ElementType::F16:
    return APFloat::IEEEhalf();
  case ElementType::F32:
    return APFloat::IEEEsingle();
  default:
    return APFloat::IEEEdouble();
  }
}

uint64_t readBits(const uint8_t *From, ElementType Type) {
  uint64_t Bits = 0;
  std::memcpy(&Bits, From, elementSize(Type));
  return Bits;
}

APInt readElement(const uint8_t *From, ElementType Type) {
  return APInt(8 * elementSize(Type), readBits(From, Type));
}

bool isNaN(const uint8_t *From, ElementType Type) {
  return APFloat(semantics(Type), readElement(From, Type)).isNaN();
}

std::string elementText(const uint8_t *From, ElementType Type) {
  APInt Bits = readElement(From, Type);
  SmallString<32> Text;
  if (isFloat(Type)) {
    APFloat(semantics(Type), Bits).toString(Text);
    return formatv("{0} ({1:x})", Text, Bits.getZExtValue());
  }
  Bits.toString(Text, 10, /*Signed=*/elementName(Type).starts_with("i"));
  return std::string(Text);
}

/// The first byte in [Begin, End) that is not the fill pattern.
const uint8_t *firstTouched(const uint8_t *Begin, const uint8_t *End) {
  return std::find_if(Begin, End, [](uint8_t B) { return B != FillPattern; });
}

/// The initial bytes of the elements of \p Argument, one by one in order.
template <typename Callback>
void forEachInitialElement(const KernelArgument &Argument, unsigned Number,
                           Callback Visit) {
  uint8_t Element[8];
  std::fill(std::begin(Element), std::end(Element), FillPattern);
  ValueSource Source(Argument, Number);
  for (uint64_t I = 0; I != Argument.Count; ++I) {
    if (Argument.Kind != KernelArgument::Out)
      Source.write(Element);
    Visit(I, Element);
  }
}
} // namespace

Expected<LaunchMemory> LaunchMemory::create(const KernelLaunch &Launch) {
  LaunchMemory Memory;
  for (const auto &[Number, Argument] : enumerate(Launch.Arguments)) {
    auto Value = std::make_unique<uint64_t>(0);
    if (Argument.isBuffer()) {
      // Guards on both sides, and room to reach the alignment.
      uint64_t Size =
          2 * GuardBytes + 2 * Argument.Align + Argument.sizeInBytes();
      std::unique_ptr<uint8_t[]> Storage(new (std::nothrow) uint8_t[Size]);
      if (!Storage)
        return createStringError("no memory for a buffer of " +
                                 Twine(Argument.sizeInBytes()) + " bytes");
      std::fill_n(Storage.get(), Size, FillPattern);
      // An odd multiple of the alignment: code that claims more must show.
      uint64_t First = reinterpret_cast<uintptr_t>(Storage.get()) + GuardBytes;
      uint64_t Begin = alignTo(First, 2 * Argument.Align) + Argument.Align;
      if (Begin - First >= 2 * Argument.Align)
        Begin -= 2 * Argument.Align;
      uint64_t Offset = Begin - First + GuardBytes;
      Memory.Buffers.push_back(
          {&Argument, unsigned(Number), std::move(Storage), Size, Offset});
      uint8_t *Data = Memory.Buffers.back().begin();
      uint64_t Width = elementSize(Argument.Type);
      forEachInitialElement(Argument, Number,
                            [&](uint64_t I, const uint8_t *Element) {
                              std::memcpy(Data + I * Width, Element, Width);
                            });
      *Value = reinterpret_cast<uintptr_t>(Data);
    } else if (Argument.Type == ElementType::F32) {
      float Narrow = Argument.FloatValue;
      std::memcpy(Value.get(), &Narrow, sizeof(Narrow));
    } else if (Argument.Type == ElementType::F64) {
      std::memcpy(Value.get(), &Argument.FloatValue, sizeof(double));
    } else {
      *Value = Argument.IntegerValue;
    }
    Memory.ArgumentSlots.push_back(Value.get());
    Memory.Values.push_back(std::move(Value));
  }
  return Memory;
}

uint64_t LaunchMemory::sizeInBytes() const {
  uint64_t Size = 0;
  for (const Buffer &B : Buffers)
    Size += B.size();
  return Size;
}

uint64_t LaunchMemory::changedBytes() const {
  uint64_t Changed = 0;
  for (const Buffer &B : Buffers) {
    uint64_t Width = elementSize(B.Argument->Type);
    forEachInitialElement(*B.Argument, B.Number,
                          [&](uint64_t I, const uint8_t *Element) {
                            for (uint64_t K = 0; K != Width; ++K)
                              Changed += B.begin()[I * Width + K] != Element[K];
                          });
  }
  return Changed;
}

Error LaunchMemory::checkGuards() const {
  for (const Buffer &B : Buffers) {
    const uint8_t *Begin = B.Storage.get(), *Data = B.begin(),
                  *DataEnd = Data + B.size(), *End = Begin + B.StorageSize;
    if (const uint8_t *At = firstTouched(Begin, Data); At != Data)
      return createStringError(
          formatv("wrote outside argument {0}: {1} bytes before its first "
                  "element",
                  B.Number, Data - At));
    if (const uint8_t *At = firstTouched(DataEnd, End); At != End)
      return createStringError(
          formatv("wrote outside argument {0}: {1} bytes after its last of {2} "
                  "elements",
                  B.Number, At - DataEnd, B.Argument->Count));
  }
  return Error::success();
}

std::string LaunchMemory::firstDifference(const LaunchMemory &Other,
                                          StringRef Name,
                                          StringRef OtherName) const {
  for (const auto &[B, O] : zip_equal(Buffers, Other.Buffers)) {
    if (std::memcmp(B.begin(), O.begin(), B.size()) == 0)
      continue;
    ElementType Type = B.Argument->Type;
    uint64_t Width = elementSize(Type);
    for (uint64_t I = 0; I != B.Argument->Count; ++I) {
      const uint8_t *Left = B.begin() + I * Width;
      const uint8_t *Right = O.begin() + I * Width;
      if (readBits(Left, Type) == readBits(Right, Type) ||
          (isFloat(Type) && isNaN(Left, Type) && isNaN(Right, Type)))
        continue;
      return formatv("argument {0} ({1}) differs at element {2}: {3} in {4}, "
                     "{5} in {6}",
                     B.Number, elementName(Type), I, elementText(Left, Type),
                     Name, elementText(Right, Type), OtherName);
    }
  }
  return "";
}
