//===- Floats.cpp - Arithmetic of floats ----------------------------------===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Exact operations are those of APFloat, with any rounding. Approximations are
// the host's functions in double precision, rounded: not the bits of a GPU, but
// the same bits for the same text.
//
//===----------------------------------------------------------------------===//

#include "tools/ptx-fuzz/interpreter/FloatFormat.h"
#include "llvm/ADT/STLExtras.h"
#include <cmath>

using namespace llvm;

namespace unravel::ptx {

std::optional<FloatFormat> floatFormat(StringRef TypeWord) {
  unsigned Lanes = TypeWord.consume_back("x2") ? 2 : 1;
  if (TypeWord == "f16")
    return FloatFormat{&APFloat::IEEEhalf(), 16, Lanes};
  if (TypeWord == "bf16")
    return FloatFormat{&APFloat::BFloat(), 16, Lanes};
  if (TypeWord == "f32")
    return FloatFormat{&APFloat::IEEEsingle(), 32, Lanes};
  if (TypeWord == "f64")
    return FloatFormat{&APFloat::IEEEdouble(), 64, Lanes};
  return std::nullopt;
}

std::optional<RoundingMode> roundingMode(StringRef Word) {
  Word.consume_back("i");
  if (Word == "rn")
    return RoundingMode::NearestTiesToEven;
  if (Word == "rz")
    return RoundingMode::TowardZero;
  if (Word == "rm")
    return RoundingMode::TowardNegative;
  if (Word == "rp")
    return RoundingMode::TowardPositive;
  return std::nullopt;
}

APFloat FloatFormat::read(uint64_t Bits, bool FlushesDenormals) const {
  APFloat F(*Semantics, APInt(Width, Bits & maskOf(Width)));
  if (FlushesDenormals && F.isDenormal())
    return APFloat::getZero(*Semantics, F.isNegative());
  return F;
}

uint64_t FloatFormat::write(APFloat Value, bool FlushesDenormals) const {
  if (Value.isNaN())
    return Width == 64 ? 0xfff8000000000000 : maskOf(Width - 1);
  if (FlushesDenormals && Value.isDenormal())
    Value = APFloat::getZero(*Semantics, Value.isNegative());
  return Value.bitcastToAPInt().getZExtValue();
}

//===----------------------------------------------------------------------===//
// What is computed of a lane
//===----------------------------------------------------------------------===//

using Floats = ArrayRef<APFloat>;
using LaneFunction = std::function<APFloat(Floats)>;

static double asDouble(APFloat F) {
  bool LosesInfo;
  F.convert(APFloat::IEEEdouble(), RoundingMode::NearestTiesToEven, &LosesInfo);
  return F.convertToDouble();
}

static APFloat fromDouble(double Value, const fltSemantics &Semantics) {
  APFloat F(Value);
  bool LosesInfo;
  F.convert(Semantics, RoundingMode::NearestTiesToEven, &LosesInfo);
  return F;
}

/// Of double precision for single: rounding the quotient or root of two floats
/// twice is exact there.
static LaneFunction hostFunction(StringRef Base) {
  double (*Run)(double) = nullptr;
  if (Base == "sqrt")
    Run = [](double X) { return std::sqrt(X); };
  else if (Base == "rsqrt")
    Run = [](double X) { return 1 / std::sqrt(X); };
  else if (Base == "ex2")
    Run = [](double X) { return std::exp2(X); };
  else if (Base == "lg2")
    Run = [](double X) { return std::log2(X); };
  else if (Base == "sin")
    Run = [](double X) { return std::sin(X); };
  else if (Base == "cos")
    Run = [](double X) { return std::cos(X); };
  else if (Base == "tanh")
    Run = [](double X) { return std::tanh(X); };
  if (!Run)
    return nullptr;
  return [Run](Floats F) {
    return fromDouble(Run(asDouble(F[0])), F[0].getSemantics());
  };
}

/// One NaN loses against a number, unless `.NaN` is there; -0.0 < +0.0.
static APFloat extreme(Floats F, bool IsMax, bool KeepsNaN) {
  if (KeepsNaN && (F[0].isNaN() || F[1].isNaN()))
    return F[0].isNaN() ? F[0] : F[1];
  return IsMax ? maximumnum(F[0], F[1]) : minimumnum(F[0], F[1]);
}

static LaneFunction arithmeticFunction(StringRef Base, RoundingMode Mode) {
  if (Base == "add")
    return [=](Floats F) {
      APFloat R = F[0];
      R.add(F[1], Mode);
      return R;
    };
  if (Base == "sub")
    return [=](Floats F) {
      APFloat R = F[0];
      R.subtract(F[1], Mode);
      return R;
    };
  if (Base == "mul")
    return [=](Floats F) {
      APFloat R = F[0];
      R.multiply(F[1], Mode);
      return R;
    };
  if (Base == "fma" || Base == "mad")
    return [=](Floats F) {
      APFloat R = F[0];
      R.fusedMultiplyAdd(F[1], F[2], Mode);
      return R;
    };
  if (Base == "div")
    return [=](Floats F) {
      APFloat R = F[0];
      R.divide(F[1], Mode);
      return R;
    };
  if (Base == "rcp")
    return [=](Floats F) {
      APFloat R(F[0].getSemantics(), 1);
      R.divide(F[0], Mode);
      return R;
    };
  return nullptr;
}

/// [0, 1]; NaN becomes +0.0.
static APFloat saturateFloat(APFloat F) {
  if (F.isNaN() || F.isNegative())
    return APFloat::getZero(F.getSemantics());
  APFloat One(F.getSemantics(), 1);
  return F > One ? One : F;
}

std::optional<Operation> floatOperation(const Instruction &I) {
  OpcodeReader R(I);
  StringRef TypeWord, Base = R.base();
  if (!R.takeType(&TypeWord))
    return std::nullopt;
  std::optional<FloatFormat> Format = floatFormat(TypeWord);
  if (!Format)
    return std::nullopt;
  bool Flushes = R.take("ftz"), IsSat = R.take("sat"), IsRelu = R.take("relu");
  StringRef ModeWord = R.takeOneOf({"rn", "rz", "rm", "rp"});
  bool IsApproximate = R.take("approx") || R.take("full");
  RoundingMode Mode =
      roundingMode(ModeWord).value_or(RoundingMode::NearestTiesToEven);

  LaneFunction Run = arithmeticFunction(Base, Mode);
  unsigned NumOperands = Base == "fma" || Base == "mad" ? 3 : 2;
  if (Base == "rcp")
    NumOperands = 1;
  if (!Run && (Base == "min" || Base == "max")) {
    bool IsMax = Base == "max", KeepsNaN = R.take("NaN");
    Run = [=](Floats F) { return extreme(F, IsMax, KeepsNaN); };
  } else if (!Run && (Base == "neg" || Base == "abs")) {
    NumOperands = 1;
    bool IsAbs = Base == "abs";
    Run = [=](Floats F) { return IsAbs ? abs(F[0]) : neg(F[0]); };
  } else if (!Run) {
    // The host rounds square roots of doubles to nearest only.
    bool IsRounded = !ModeWord.empty() && ModeWord != "rn";
    NumOperands = 1;
    Run = hostFunction(Base);
    if (IsRounded || (!IsApproximate && Base != "sqrt"))
      return std::nullopt;
  }
  if (!Run || !R.isDone())
    return std::nullopt;

  unsigned Width = Format->Width * Format->Lanes;
  return uniformOperation(Width, NumOperands, [=](Values V) {
    uint64_t Result = 0;
    for (unsigned Lane = 0; Lane != Format->Lanes; ++Lane) {
      unsigned Shift = Lane * Format->Width;
      SmallVector<APFloat, 3> Inputs;
      for (uint64_t Value : V)
        Inputs.push_back(Format->read(Value >> Shift, Flushes));
      APFloat F = Run(Inputs);
      if (IsSat)
        F = saturateFloat(F);
      if (IsRelu && !F.isNaN() && F.isNegative())
        F = APFloat::getZero(*Format->Semantics);
      Result |= Format->write(F, Flushes) << Shift;
    }
    return Result;
  });
}

} // namespace unravel::ptx
