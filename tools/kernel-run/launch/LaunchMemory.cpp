//===- LaunchMemory.cpp - The memory of one kernel run --------------------===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tools/kernel-run/launch/LaunchMemory.h"
#include "tools/files/InputFile.h"
#include "llvm/ADT/APFloat.h"
#include "llvm/ADT/APInt.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/Twine.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MemoryBuffer.h"
#include <algorithm>
#include <cmath>
#include <cstring>
#include <random>

using namespace llvm;
using namespace unravel;

namespace {

/// The random values of one buffer.
class ValueSource {
public:
  ValueSource(const KernelArgument &Argument, uint64_t Seed)
      : Argument(Argument), Engine(Seed) {}

  /// Writes the bytes of element \p I to \p To.
  void write(uint64_t I, uint8_t *To) {
    bool Given = !Argument.Values.empty();
    if (isFloat(Argument.Type))
      return copyReal(To, Given ? Argument.Values[I] : real());
    uint64_t Bits = Given ? uint64_t(int64_t(Argument.Values[I])) : integer();
    std::memcpy(To, &Bits, elementSize(Argument.Type));
  }

private:
  template <typename T> static void copy(uint8_t *To, T Value) {
    std::memcpy(To, &Value, sizeof(T));
  }

  void copyReal(uint8_t *To, double Value) const {
    if (Argument.Type == ArgumentType::F64)
      return copy<double>(To, Value);
    if (Argument.Type == ArgumentType::F32)
      return copy<float>(To, Value);
    bool Inexact;
    APFloat Half(Value);
    Half.convert(APFloat::IEEEhalf(), APFloat::rmNearestTiesToEven, &Inexact);
    copy<uint16_t>(To, Half.bitcastToAPInt().getZExtValue());
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

const fltSemantics &semantics(ArgumentType Type) {
  switch (Type) {
  case ArgumentType::F16:
    return APFloat::IEEEhalf();
  case ArgumentType::F32:
    return APFloat::IEEEsingle();
  default:
    return APFloat::IEEEdouble();
  }
}

uint64_t readBits(const uint8_t *From, ArgumentType Type) {
  uint64_t Bits = 0;
  std::memcpy(&Bits, From, elementSize(Type));
  return Bits;
}

APInt readElement(const uint8_t *From, ArgumentType Type) {
  return APInt(8 * elementSize(Type), readBits(From, Type));
}

bool isNaN(const uint8_t *From, ArgumentType Type) {
  return APFloat(semantics(Type), readElement(From, Type)).isNaN();
}

std::string elementText(const uint8_t *From, ArgumentType Type) {
  APInt Bits = readElement(From, Type);
  SmallString<32> Text;
  if (isFloat(Type)) {
    APFloat(semantics(Type), Bits).toString(Text);
    return formatv("{0} ({1:x})", Text, Bits.getZExtValue());
  }
  Bits.toString(Text, 10, /*Signed=*/elementName(Type).starts_with("i"));
  return std::string(Text);
}

/// Calls \p Visit(I, Bytes) for each element that \p B starts with.
template <typename Callback>
void forEachInitialElement(const LaunchMemory::Buffer &B, uint64_t Seed,
                           Callback Visit) {
  const KernelArgument &Argument = *B.Argument;
  uint64_t Width = elementSize(Argument.Type);
  uint8_t Element[8];
  std::fill(std::begin(Element), std::end(Element), FillPattern);
  ValueSource Source(Argument, Seed + B.Number);
  for (uint64_t I = 0; I != Argument.Count; ++I) {
    if (!B.Contents.empty())
      std::memcpy(Element, B.Contents.data() + I * Width, Width);
    else if (Argument.Kind != KernelArgument::Out)
      Source.write(I, Element);
    Visit(I, Element);
  }
}
} // namespace

// 1. Buffers.

static Expected<std::vector<uint8_t>> readContents(const KernelArgument &A) {
  std::vector<uint8_t> Contents = A.Bytes;
  if (A.File.empty())
    return Contents;
  // A device has no end: it is not read before its size is known.
  Expected<uint64_t> Size = sizeOfRegularFile(A.File);
  if (!Size)
    return Size.takeError();
  auto Check = [&](uint64_t Size) {
    return Size == A.sizeInBytes()
               ? Error::success()
               : createStringError(A.File + " has " + Twine(Size) +
                                   " bytes, the buffer needs " +
                                   Twine(A.sizeInBytes()));
  };
  if (Error E = Check(*Size))
    return E;
  ErrorOr<std::unique_ptr<MemoryBuffer>> File =
      MemoryBuffer::getFile(A.File, /*IsText=*/false,
                            /*RequiresNullTerminator=*/false);
  if (!File)
    return makeError(A.File, "cannot read: " + File.getError().message());
  StringRef Bytes = (*File)->getBuffer();
  if (Error E = Check(Bytes.size())) // it may have changed since
    return E;
  Contents.assign(Bytes.bytes_begin(), Bytes.bytes_end());
  return Contents;
}

std::string LaunchMemory::Buffer::name() const {
  static constexpr StringLiteral Directions[] = {"in", "out", "inout"};
  return formatv("argument {0} ({1})", Number, Directions[Argument->Kind]);
}

uint64_t LaunchMemory::Buffer::changedBytes(uint64_t Seed) const {
  uint64_t Changed = 0, Width = elementSize(Argument->Type);
  forEachInitialElement(*this, Seed, [&](uint64_t I, const uint8_t *Element) {
    for (uint64_t K = 0; K != Width; ++K)
      Changed += Begin[I * Width + K] != Element[K];
  });
  return Changed;
}

Expected<LaunchMemory> LaunchMemory::create(const KernelLaunch &Launch,
                                            uint64_t Seed) {
  LaunchMemory Memory;
  Memory.Seed = Seed;
  for (const auto &[Number, Argument] : enumerate(Launch.Arguments)) {
    auto Value = std::make_unique<uint64_t>(0);
    if (Argument.isBuffer()) {
      Expected<std::vector<uint8_t>> Contents = readContents(Argument);
      if (!Contents)
        return Contents.takeError();
      Expected<Pages> Storage =
          Pages::create(Argument.sizeInBytes() + 3 * Argument.Align, true);
      if (!Storage)
        return Storage.takeError();
      *Value = alignExactly(reinterpret_cast<uintptr_t>(Storage->begin()),
                            Argument.Align);
      Memory.Buffers.push_back({&Argument, unsigned(Number),
                                std::move(*Contents), std::move(*Storage),
                                reinterpret_cast<uint8_t *>(*Value)});
    } else if (Argument.Type == ArgumentType::F32) {
      float Narrow = Argument.FloatValue;
      std::memcpy(Value.get(), &Narrow, sizeof(Narrow));
    } else if (Argument.Type == ArgumentType::F64) {
      std::memcpy(Value.get(), &Argument.FloatValue, sizeof(double));
    } else {
      *Value = Argument.IntegerValue;
    }
    Memory.ArgumentSlots.push_back(Value.get());
    Memory.Values.push_back(std::move(Value));
  }
  return Memory;
}

void LaunchMemory::reset() {
  for (Buffer &B : Buffers) {
    uint64_t Width = elementSize(B.Argument->Type);
    forEachInitialElement(B, Seed, [&](uint64_t I, const uint8_t *Element) {
      std::memcpy(B.Begin + I * Width, Element, Width);
    });
  }
}

uint64_t LaunchMemory::sizeInBytes() const {
  uint64_t Size = 0;
  for (const Buffer &B : Buffers)
    Size += B.size();
  return Size;
}

uint64_t LaunchMemory::changedBytes() const {
  uint64_t Changed = 0;
  for (const Buffer &B : Buffers)
    Changed += B.changedBytes(Seed);
  return Changed;
}

// 2. What a run leaves.

MemoryImage LaunchMemory::image(const HostKernel &Kernel) const {
  MemoryImage Image;
  for (const Buffer &B : Buffers)
    Image.push_back({B.name(),
                     B.Argument->Type,
                     reinterpret_cast<uintptr_t>(B.Begin),
                     {B.Begin, B.Begin + B.size()}});
  for (const ModuleVariable &V : Kernel.variables()) {
    const MemoryRegion &R = V.Region;
    if (V.IsConstant || R.Space == MemorySpace::Shared)
      continue;
    auto *Begin = reinterpret_cast<const uint8_t *>(R.Begin);
    Image.push_back({R.Name,
                     R.Size % 4 ? ArgumentType::U8 : ArgumentType::U32,
                     R.Begin,
                     {Begin, Begin + R.Size}});
  }
  return Image;
}

static std::optional<MemoryDifference>
differenceInPart(const MemoryPart &Left, const MemoryPart &Right) {
  ArgumentType Type = Left.Type;
  uint64_t Width = elementSize(Type);
  for (uint64_t I = 0; I != Left.Bytes.size() / Width; ++I) {
    const uint8_t *L = &Left.Bytes[I * Width], *R = &Right.Bytes[I * Width];
    if (readBits(L, Type) == readBits(R, Type) ||
        (isFloat(Type) && isNaN(L, Type) && isNaN(R, Type)))
      continue;
    uint64_t Byte = I * Width + (std::mismatch(L, L + Width, R).first - L);
    return MemoryDifference{Left.Name,
                            Type,
                            I,
                            Byte,
                            Left.Address + Byte,
                            elementText(L, Type),
                            elementText(R, Type)};
  }
  return std::nullopt;
}

std::optional<MemoryDifference>
unravel::firstDifference(const MemoryImage &Left, const MemoryImage &Right) {
  for (const MemoryPart &L : Left)
    // A variable that only one of them uses is no result of both.
    for (const MemoryPart &R : Right)
      if (L.Address == R.Address && L.Bytes != R.Bytes)
        if (std::optional<MemoryDifference> D = differenceInPart(L, R))
          return D;
  return std::nullopt;
}
