//===- Conversions.cpp - cvt, cvt.pack, mov of one register ---------------===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tools/ptx-fuzz/interpreter/FloatFormat.h"
#include "llvm/ADT/APSInt.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace unravel::ptx {

static uint64_t clampToType(__int128 Value, const Type &To) {
  __int128 Low = To.isSigned() ? -((__int128)1 << (To.Width - 1)) : 0;
  __int128 High =
      To.isSigned() ? ((__int128)1 << (To.Width - 1)) - 1 : maskOf(To.Width);
  return uint64_t(std::clamp(Value, Low, High));
}

static uint64_t integerToInteger(uint64_t Value, const Type &To,
                                 const Type &From, bool IsSat) {
  __int128 Number =
      From.isSigned() ? (__int128)signedOf(Value, From.Width) : (__int128)Value;
  return IsSat ? clampToType(Number, To) : uint64_t(Number);
}

/// Floats outside of the integer type become its nearest number. NaN becomes 0,
/// or with 64 bits on one side the highest bit.
static uint64_t floatToInteger(uint64_t Value, const Type &To,
                               const FloatFormat &From, RoundingMode Mode,
                               bool Flushes) {
  APFloat F = From.read(Value, Flushes);
  if (F.isNaN())
    return From.Width == 64 || To.Width == 64 ? uint64_t(1) << (To.Width - 1)
                                              : 0;
  APSInt Result(To.Width, !To.isSigned());
  bool IsExact;
  F.convertToInteger(Result, Mode, &IsExact); // saturates
  return Result.getZExtValue();
}

static uint64_t integerToFloat(uint64_t Value, const FloatFormat &To,
                               const Type &From, RoundingMode Mode,
                               bool IsSat) {
  APFloat F(*To.Semantics);
  F.convertFromAPInt(APInt(From.Width, Value), From.isSigned(), Mode);
  if (IsSat && F.isNegative())
    return 0;
  APFloat One(*To.Semantics, 1);
  return To.write(IsSat && F > One ? One : F, false);
}

namespace {
struct FloatModes {
  RoundingMode Mode;
  bool ToIntegral, Flushes, IsSat, IsRelu;
};
} // namespace

static uint64_t floatToFloat(uint64_t Value, const FloatFormat &To,
                             const FloatFormat &From, const FloatModes &M) {
  APFloat F = From.read(Value, M.Flushes);
  bool LosesInfo;
  if (M.ToIntegral)
    F.roundToIntegral(M.Mode);
  else
    F.convert(*To.Semantics, M.Mode, &LosesInfo);
  APFloat Zero = APFloat::getZero(*To.Semantics), One(*To.Semantics, 1);
  if (M.IsSat && (F.isNaN() || F.isNegative()))
    F = Zero;
  if (M.IsSat && F > One)
    F = One;
  if (M.IsRelu && !F.isNaN() && F.isNegative())
    F = Zero;
  return To.write(F, M.Flushes);
}

/// cvt.rn.f16x2.f32 d, a, b: a is the high half.
static std::optional<Operation>
packingOf(const FloatFormat &To, const FloatFormat &From, const FloatModes &M) {
  if (To.Lanes != 2 || From.Width != 32 || From.Lanes != 1 || M.ToIntegral)
    return std::nullopt;
  FloatFormat Half{To.Semantics, 16, 1};
  return uniformOperation(32, 2, [=](Values V) {
    return floatToFloat(V[0], Half, From, M) << 16 |
           floatToFloat(V[1], Half, From, M);
  });
}

static std::optional<Operation> conversionOf(OpcodeReader &R) {
  StringRef FromWord, ToWord;
  std::optional<Type> From = R.takeType(&FromWord), To = R.takeType(&ToWord);
  if (!From || !To)
    return std::nullopt;
  bool Flushes = R.take("ftz"), IsSat = R.take("sat"), IsRelu = R.take("relu");
  StringRef ModeWord =
      R.takeOneOf({"rn", "rz", "rm", "rp", "rni", "rzi", "rmi", "rpi"});
  if (!R.isDone())
    return std::nullopt;
  RoundingMode Mode =
      roundingMode(ModeWord).value_or(RoundingMode::NearestTiesToEven);
  std::optional<FloatFormat> FromFloat = floatFormat(FromWord),
                             ToFloat = floatFormat(ToWord);
  auto IsPlainInteger = [](const Type &T) {
    return (T.K == Type::Kind::Unsigned || T.K == Type::Kind::Signed) &&
           T.Width <= 64;
  };

  Type A = *From, D = *To;
  Operation O;
  if (IsPlainInteger(A) && IsPlainInteger(D) && ModeWord.empty()) {
    O = uniformOperation(A.Width, 1, [=](Values V) {
      return integerToInteger(V[0], D, A, IsSat);
    });
  } else if (FromFloat && FromFloat->Lanes == 1 && IsPlainInteger(D)) {
    O = uniformOperation(A.Width, 1, [=, F = *FromFloat](Values V) {
      return floatToInteger(V[0], D, F, Mode, Flushes);
    });
  } else if (IsPlainInteger(A) && ToFloat && ToFloat->Lanes == 1) {
    O = uniformOperation(A.Width, 1, [=, F = *ToFloat](Values V) {
      return integerToFloat(V[0], F, A, Mode, IsSat);
    });
  } else if (FromFloat && ToFloat) {
    FloatModes M{Mode, ModeWord.size() == 3, Flushes, IsSat, IsRelu};
    if (ToFloat->Lanes == 2)
      return packingOf(*ToFloat, *FromFloat, M);
    if (FromFloat->Lanes == 2 ||
        (M.ToIntegral && FromFloat->Semantics != ToFloat->Semantics))
      return std::nullopt;
    O = uniformOperation(A.Width, 1,
                         [=, F = *FromFloat, G = *ToFloat](Values V) {
                           return floatToFloat(V[0], G, F, M);
                         });
  } else {
    return std::nullopt;
  }
  O.ResultWidth = D.Width;
  O.IsConversion = true;
  O.IsResultSigned = D.isSigned();
  return O;
}

/// cvt.pack.sat.u8.s32.b32 d, a, b, c: a and b saturated are the low lanes, the
/// low part of c moves up.
static std::optional<Operation> saturatingPackOf(OpcodeReader &R) {
  if (!R.take("pack") || !R.take("sat"))
    return std::nullopt;
  bool HasRest = R.take("b32");
  std::optional<Type> From = R.takeType(), To = R.takeType();
  if (!From || !To || !R.isDone() || From->Width != 32 || !From->isSigned() ||
      To->K == Type::Kind::Bits || !To->isInteger() ||
      To->Width != (HasRest ? 8u : 16u))
    return std::nullopt;
  Type A = *From, D = *To;
  return uniformOperation(32, HasRest ? 3 : 2, [=](Values V) {
    uint64_t Low = integerToInteger(V[1], D, A, true) & maskOf(D.Width);
    uint64_t High = integerToInteger(V[0], D, A, true) & maskOf(D.Width);
    uint64_t Rest = HasRest ? V[2] << 16 : 0;
    return Rest | High << D.Width | Low;
  });
}

std::optional<Operation> conversionOperation(const Instruction &I) {
  OpcodeReader R(I);
  if (R.base() == "cvt")
    return I.has("pack") ? saturatingPackOf(R) : conversionOf(R);
  if (R.base() != "mov" || I.Operands.size() != 2 ||
      I.Operands[0].K == Operand::Kind::Vector ||
      I.Operands[1].K == Operand::Kind::Vector)
    return std::nullopt;
  std::optional<Type> T = R.takeType();
  if (!T || !R.isDone() || T->Width > 64)
    return std::nullopt;
  return uniformOperation(T->Width, 1, [](Values V) { return V[0]; });
}

} // namespace unravel::ptx
