//===- Arithmetic.cpp - Sums, quotients, extremes of integers -------------===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tools/ptx-fuzz/interpreter/Operation.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace unravel::ptx {

static uint64_t saturate(int64_t Value, unsigned Width) {
  return std::clamp(Value, minIntN(Width), maxIntN(Width));
}

/// add, sub, addc, subc, with or without `.cc`. The carry of a subtraction is
/// its borrow.
static Operation sumOperation(unsigned Width, bool IsSub, bool ReadsCarry,
                              bool WritesCarry) {
  Operation O = uniformOperation(Width, 2, nullptr);
  O.Run = [=](Values V, ThreadFlags &Flags) {
    unsigned __int128 Wide = V[0];
    unsigned __int128 Other = V[1];
    Other += ReadsCarry && Flags.Carry;
    Wide = IsSub ? Wide - Other : Wide + Other;
    if (WritesCarry)
      Flags.Carry = (Wide >> Width) & 1;
    return Results{uint64_t(Wide), 0};
  };
  return O;
}

static std::optional<Operation> sumOf(OpcodeReader &R, const Type &T) {
  bool IsSub = R.base().starts_with("sub");
  bool ReadsCarry = R.base().ends_with("c");
  bool WritesCarry = R.take("cc");
  if ((ReadsCarry || WritesCarry) && (T.Width < 32 || !R.isDone()))
    return std::nullopt;
  if (!R.take("sat"))
    return sumOperation(T.Width, IsSub, ReadsCarry, WritesCarry);
  if (!T.isSigned() || T.Width != 32)
    return std::nullopt;
  return uniformOperation(32, 2, [IsSub](Values V) {
    int64_t A = signedOf(V[0], 32), B = signedOf(V[1], 32);
    return saturate(IsSub ? A - B : A + B, 32);
  });
}

/// Division by zero does not trap: the hardware gives all ones, and the
/// dividend as remainder. The smallest number by -1 wraps.
static Operation quotientOperation(const Type &T, bool IsRemainder) {
  unsigned Width = T.Width;
  bool IsSigned = T.isSigned();
  Operation O = uniformOperation(Width, 2, nullptr);
  O.Run = [=](Values V, ThreadFlags &Flags) -> Results {
    if (V[1] == 0) {
      Flags.DividedByZero = true;
      bool IsHardware = Flags.ZeroQuotient == ~uint64_t(0);
      return {IsRemainder && IsHardware ? V[0] : Flags.ZeroQuotient, 0};
    }
    if (!IsSigned)
      return {IsRemainder ? V[0] % V[1] : V[0] / V[1], 0};
    int64_t A = signedOf(V[0], Width), B = signedOf(V[1], Width);
    if (B == -1)
      return {IsRemainder ? 0 : -uint64_t(A), 0};
    return {uint64_t(IsRemainder ? A % B : A / B), 0};
  };
  return O;
}

static uint64_t extremeOf(uint64_t A, uint64_t B, unsigned Width, bool IsSigned,
                          bool IsMax, bool IsRelu) {
  bool IsLess = IsSigned ? signedOf(A, Width) < signedOf(B, Width) : A < B;
  uint64_t Value = IsLess != IsMax ? A : B;
  return IsRelu && signedOf(Value, Width) < 0 ? 0 : Value;
}

/// add, min, max, neg of the halves of 32 bits.
static std::optional<Operation> packedOf(OpcodeReader &R, StringRef TypeWord) {
  if (TypeWord != "u16x2" && TypeWord != "s16x2")
    return std::nullopt;
  bool IsSigned = TypeWord == "s16x2";
  bool IsAdd = R.base() == "add", IsMax = R.base() == "max";
  if (!IsAdd && !IsMax && R.base() != "min")
    return std::nullopt;
  bool IsRelu = !IsAdd && IsSigned && R.take("relu");
  if (!R.isDone())
    return std::nullopt;
  return uniformOperation(32, 2, [=](Values V) {
    uint64_t Result = 0;
    for (unsigned Shift : {0, 16}) {
      uint64_t A = V[0] >> Shift & 0xffff, B = V[1] >> Shift & 0xffff;
      uint64_t Half =
          IsAdd ? A + B : extremeOf(A, B, 16, IsSigned, IsMax, IsRelu);
      Result |= (Half & 0xffff) << Shift;
    }
    return Result;
  });
}

/// dp4a: four products of bytes; dp2a: two of a half and a byte.
static std::optional<Operation> dotProductOf(OpcodeReader &R) {
  bool IsFour = R.base() == "dp4a";
  bool IsHigh = R.take("hi");
  if (!IsFour && !IsHigh && !R.take("lo"))
    return std::nullopt;
  std::optional<Type> B = R.takeType(), A = R.takeType();
  if (!A || !B || !R.isDone() || A->Width != 32 || B->Width != 32)
    return std::nullopt;
  auto Part = [](uint64_t Value, unsigned At, unsigned Width, bool IsSigned) {
    uint64_t Cut = Value >> (At * Width) & maskOf(Width);
    return IsSigned ? uint64_t(signedOf(Cut, Width)) : Cut;
  };
  bool IsSignedA = A->isSigned(), IsSignedB = B->isSigned();
  return uniformOperation(32, 3, [=](Values V) {
    uint64_t Sum = V[2];
    for (unsigned I = 0, E = IsFour ? 4 : 2; I != E; ++I)
      Sum += Part(V[0], I, IsFour ? 8 : 16, IsSignedA) *
             Part(V[1], I + (IsHigh ? 2 : 0), 8, IsSignedB);
    return Sum;
  });
}

std::optional<Operation> arithmeticOperation(const Instruction &I) {
  OpcodeReader R(I);
  StringRef Base = R.base(), TypeWord;
  if (Base == "dp4a" || Base == "dp2a")
    return dotProductOf(R);
  std::optional<Type> T = R.takeType(&TypeWord);
  if (!T)
    return std::nullopt;
  if (T->K == Type::Kind::Packed)
    return packedOf(R, TypeWord);
  if (!T->isInteger() || T->Width < 16 || T->Width > 64)
    return std::nullopt;
  unsigned Width = T->Width;
  bool IsSigned = T->isSigned();

  std::optional<Operation> O;
  if (Base == "add" || Base == "sub" || Base == "addc" || Base == "subc") {
    O = sumOf(R, *T);
  } else if (T->K == Type::Kind::Bits) {
    return std::nullopt;
  } else if (Base == "div" || Base == "rem") {
    O = quotientOperation(*T, Base == "rem");
  } else if ((Base == "neg" || Base == "abs") && IsSigned) {
    bool IsAbs = Base == "abs";
    O = uniformOperation(Width, 1, [=](Values V) {
      return IsAbs && signedOf(V[0], Width) >= 0 ? V[0] : -V[0];
    });
  } else if (Base == "min" || Base == "max") {
    bool IsMax = Base == "max", IsRelu = IsSigned && R.take("relu");
    O = uniformOperation(Width, 2, [=](Values V) {
      return extremeOf(V[0], V[1], Width, IsSigned, IsMax, IsRelu);
    });
  } else if (Base == "sad") {
    O = uniformOperation(Width, 3, [=](Values V) {
      uint64_t Low = extremeOf(V[0], V[1], Width, IsSigned, false, false);
      return V[2] + (Low == V[0] ? V[1] - V[0] : V[0] - V[1]);
    });
  }
  return O && R.isDone() ? O : std::nullopt;
}

//===----------------------------------------------------------------------===//
// Products
//===----------------------------------------------------------------------===//

/// All bits of a product, two's complement.
static unsigned __int128 product(uint64_t A, uint64_t B, unsigned Width,
                                 bool IsSigned) {
  if (IsSigned)
    return (unsigned __int128)((__int128)signedOf(A, Width) *
                               signedOf(B, Width));
  return (unsigned __int128)A * B;
}

/// mul24, mad24: the low or the high 32 of the 48 bits.
static std::optional<Operation> product24(OpcodeReader &R, const Type &T) {
  bool IsHigh = R.take("hi"), IsMad = R.base() == "mad24";
  if ((!IsHigh && !R.take("lo")) || T.Width != 32)
    return std::nullopt;
  bool IsSigned = T.isSigned(), IsSat = IsMad && IsHigh && R.take("sat");
  if (!R.isDone() || (IsSat && !IsSigned))
    return std::nullopt;
  return uniformOperation(32, IsMad ? 3 : 2, [=](Values V) -> uint64_t {
    uint64_t Full =
        uint64_t(product(V[0] & maskOf(24), V[1] & maskOf(24), 24, IsSigned));
    uint64_t Part = IsHigh ? Full >> 16 : Full;
    if (!IsMad)
      return Part;
    if (IsSat)
      return saturate(signedOf(Part & maskOf(32), 32) + signedOf(V[2], 32), 32);
    return Part + V[2];
  });
}

std::optional<Operation> productOperation(const Instruction &I) {
  OpcodeReader R(I);
  StringRef Base = R.base();
  bool IsMad = Base == "mad" || Base == "madc";
  if (!IsMad && Base != "mul" && Base != "mul24" && Base != "mad24")
    return std::nullopt;
  std::optional<Type> T = R.takeType();
  if (!T || (T->K != Type::Kind::Unsigned && T->K != Type::Kind::Signed) ||
      T->Width < 16 || T->Width > 64)
    return std::nullopt;
  if (Base.ends_with("24"))
    return product24(R, *T);
  StringRef Part = R.takeOneOf({"lo", "hi", "wide"});
  if (Part.empty())
    return std::nullopt;
  bool ReadsCarry = Base == "madc", WritesCarry = IsMad && R.take("cc");
  bool IsSat = IsMad && Part == "hi" && T->isSigned() && T->Width == 32 &&
               !ReadsCarry && !WritesCarry && R.take("sat");
  bool IsWide = Part == "wide", IsHigh = Part == "hi";
  bool UsesCarry = ReadsCarry || WritesCarry;
  if (!R.isDone() || (IsWide && (T->Width == 64 || UsesCarry)) ||
      (UsesCarry && T->Width == 16))
    return std::nullopt;

  unsigned Width = T->Width, ResultWidth = IsWide ? 2 * Width : Width;
  bool IsSigned = T->isSigned();
  Operation O = uniformOperation(Width, 2, nullptr);
  O.ResultWidth = ResultWidth;
  if (IsMad)
    O.OperandWidths.push_back(ResultWidth);
  O.Run = [=](Values V, ThreadFlags &Flags) -> Results {
    unsigned __int128 Full = product(V[0], V[1], Width, IsSigned);
    uint64_t Part = uint64_t(IsHigh ? Full >> Width : Full);
    if (!IsMad)
      return {Part, 0};
    if (IsSat)
      return {
          saturate(signedOf(Part & maskOf(32), 32) + signedOf(V[2], 32), 32),
          0};
    unsigned __int128 Sum = Part & maskOf(ResultWidth);
    Sum += V[2];
    Sum += ReadsCarry && Flags.Carry;
    if (WritesCarry)
      Flags.Carry = (Sum >> ResultWidth) & 1;
    return {uint64_t(Sum), 0};
  };
  return O;
}

} // namespace unravel::ptx
