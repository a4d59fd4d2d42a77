//===- Fields.cpp - Bit fields and bytes of registers ---------------------===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Written like the pseudo code of the manual, bit by bit where that is how it
// defines an instruction.
//
//===----------------------------------------------------------------------===//

#include "tools/ptx-fuzz/interpreter/Operation.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace unravel::ptx {

static bool bitOf(uint64_t Value, unsigned At) { return Value >> At & 1; }

static uint64_t extractField(Values V, unsigned Width, bool IsSigned) {
  unsigned Highest = Width - 1;
  unsigned Position = V[1] & 0xff, Length = V[2] & 0xff;
  bool Sign = IsSigned && Length != 0 &&
              bitOf(V[0], std::min(Position + Length - 1, Highest));
  uint64_t D = 0;
  for (unsigned I = 0; I != Width; ++I) {
    bool IsInside = I < Length && Position + I <= Highest;
    D |= uint64_t(IsInside ? bitOf(V[0], Position + I) : Sign) << I;
  }
  return D;
}

static uint64_t insertField(Values V, unsigned Width) {
  unsigned Position = V[2] & 0xff, Length = V[3] & 0xff;
  uint64_t F = V[1];
  for (unsigned I = 0; I < Length && Position + I < Width; ++I) {
    F &= ~(uint64_t(1) << (Position + I));
    F |= uint64_t(bitOf(V[0], I)) << (Position + I);
  }
  return F;
}

//===----------------------------------------------------------------------===//
// prmt
//===----------------------------------------------------------------------===//

/// The bytes that modes of prmt select, from the highest byte of the result to
/// the lowest, for the values 0 to 3 of the low two bits of `c`.
static const char *bytesOfMode(StringRef Mode, unsigned Selector) {
  static constexpr struct {
    const char *Mode;
    const char *Bytes[4];
  } Table[] = {
      {"f4e", {"3210", "4321", "5432", "6543"}},
      {"b4e", {"5670", "6701", "7012", "0123"}},
      {"rc8", {"0000", "1111", "2222", "3333"}},
      {"ecl", {"3210", "3211", "3222", "3333"}},
      {"ecr", {"0000", "1110", "2210", "3210"}},
      {"rc16", {"1010", "3232", "1010", "3232"}},
  };
  for (const auto &Row : Table)
    if (Mode == Row.Mode)
      return Row.Bytes[Selector & 3];
  return nullptr;
}

static uint64_t permute(Values V, StringRef Mode) {
  uint64_t Bytes = V[1] << 32 | V[0], D = 0;
  for (unsigned I = 0; I != 4; ++I) {
    unsigned Nibble = V[2] >> (4 * I) & 0xf;
    if (!Mode.empty())
      Nibble = bytesOfMode(Mode, V[2])[3 - I] - '0';
    uint64_t Byte = Bytes >> (8 * (Nibble & 7)) & 0xff;
    if (Nibble & 8)
      Byte = Byte & 0x80 ? 0xff : 0;
    D |= Byte << (8 * I);
  }
  return D;
}

//===----------------------------------------------------------------------===//
// szext, bmsk
//===----------------------------------------------------------------------===//

static uint64_t extendFrom(Values V, bool IsClamp, bool IsSigned) {
  uint32_t A = V[0], Width = V[1] & 31;
  bool IsTooLarge = V[1] >= 32 && IsClamp;
  uint32_t Mask = IsTooLarge ? 0 : ~uint32_t(0) << Width;
  bool Sign = Width != 0 && !IsTooLarge && IsSigned && bitOf(A, Width - 1);
  return (A & ~Mask) | (Sign ? Mask : 0);
}

static uint64_t bitMask(Values V, bool IsClamp) {
  unsigned Position = V[0] & 31, Width = V[1] & 31, Sum = Position + Width;
  uint32_t From = ~uint32_t(0) << Position;
  uint32_t Behind = Sum >= 32 ? 0 : ~uint32_t(0) << Sum;
  if (IsClamp && V[0] >= 32)
    From = 0;
  if (IsClamp && V[1] >= 32)
    Behind = 0;
  return From & ~Behind;
}

std::optional<Operation> fieldOperation(const Instruction &I) {
  OpcodeReader R(I);
  StringRef Base = R.base();
  if (Base == "prmt") {
    StringRef Mode = R.takeOneOf({"f4e", "b4e", "rc8", "ecl", "ecr", "rc16"});
    if (!R.take("b32") || !R.isDone())
      return std::nullopt;
    return uniformOperation(32, 3,
                            [Mode](Values V) { return permute(V, Mode); });
  }
  if (!is_contained({"bfe", "bfi", "szext", "bmsk"}, Base))
    return std::nullopt;
  std::optional<Type> T = R.takeType();
  if (!T || !T->isInteger() || (T->Width != 32 && T->Width != 64))
    return std::nullopt;
  unsigned Width = T->Width;
  bool IsSigned = T->isSigned(), IsBits = T->K == Type::Kind::Bits;
  if (Base == "bfe" && R.isDone() && !IsBits) {
    Operation O = uniformOperation(
        Width, 3, [=](Values V) { return extractField(V, Width, IsSigned); });
    O.OperandWidths = {Width, 32, 32};
    return O;
  }
  if (Base == "bfi" && R.isDone() && IsBits) {
    Operation O = uniformOperation(
        Width, 4, [=](Values V) { return insertField(V, Width); });
    O.OperandWidths = {Width, Width, 32, 32};
    return O;
  }
  bool IsClamp = R.take("clamp");
  if ((!IsClamp && !R.take("wrap")) || !R.isDone() || Width != 32)
    return std::nullopt;
  if (Base == "szext" && !IsBits)
    return uniformOperation(
        32, 2, [=](Values V) { return extendFrom(V, IsClamp, IsSigned); });
  if (Base == "bmsk" && IsBits)
    return uniformOperation(32, 2,
                            [=](Values V) { return bitMask(V, IsClamp); });
  return std::nullopt;
}

} // namespace unravel::ptx
