//===- HloEvaluatorElementwise.cpp - Functions of elements ----------------===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "frontend/evaluate/HloEvaluatorOps.h"
#include "llvm/ADT/APSInt.h"
#include "llvm/ADT/bit.h"
#include <cmath>

using namespace llvm;

namespace unravel {

using Complex = std::complex<double>;

//===----------------------------------------------------------------------===//
// One operand
//===----------------------------------------------------------------------===//

static HloElement convertInteger(ElementType To, const HloElement &From) {
  unsigned Width = bitWidth(To);
  bool Signed = isSigned(From.Type);
  if (isPred(To))
    return HloElement::pred(!From.Integer.isZero());
  if (isInteger(To))
    return HloElement::integer(To, Signed ? From.Integer.sextOrTrunc(Width)
                                          : From.Integer.zextOrTrunc(Width));
  // By way of a double, an integer of 64 bits would be rounded twice.
  ElementType Part = isComplex(To) ? componentOf(To) : To;
  if (From.Integer.isZero() || Part == ElementType::F8E8M0FNU)
    return HloElement::number(
        To, Signed ? APIntOps::RoundSignedAPIntToDouble(From.Integer)
                   : APIntOps::RoundAPIntToDouble(From.Integer));
  APFloat Float(semanticsOf(Part));
  Float.convertFromAPInt(From.Integer, Signed, APFloat::rmNearestTiesToEven);
  return HloElement::number(
      To, HloElement::fromBits(Part, Float.bitcastToAPInt()).real());
}

static HloElement convert(ElementType To, const HloElement &From) {
  if (!isFloat(From.Type) && !isComplex(From.Type))
    return convertInteger(To, From);
  if (isFloat(To) || isComplex(To))
    return HloElement::number(To, From.Number);
  if (isPred(To))
    return HloElement::pred(From.real() != 0);
  // Truncates; a number that is too large gives the largest, a NaN gives 0.
  APSInt Integer(bitWidth(To), /*isUnsigned=*/!isSigned(To));
  bool IsExact;
  APFloat(From.real())
      .convertToInteger(Integer, APFloat::rmTowardZero, &IsExact);
  return HloElement::integer(To, Integer);
}

/// Rounds the mantissa to fewer bits, then makes infinities and zeros of what a
/// smaller exponent cannot express. Works on the bits of the format, whose
/// mantissa and exponent are as those of IEEE.
static HloElement reducePrecision(const HloReducePrecision &To,
                                  const HloElement &From) {
  if (std::isnan(From.real()))
    return From;
  const fltSemantics &Semantics = semanticsOf(From.Type);
  int64_t Mantissa = APFloat::semanticsPrecision(Semantics) - 1;
  int64_t Exponent = bitWidth(From.Type) - 1 - Mantissa;
  uint64_t Bits = From.bits().getZExtValue();
  uint64_t Sign = Bits & (uint64_t(1) << (bitWidth(From.Type) - 1));
  Bits ^= Sign;
  if (To.MantissaBits < Mantissa) {
    int64_t Dropped = Mantissa - To.MantissaBits;
    uint64_t Last = (Bits >> Dropped) & 1; // ties go to even
    Bits += (uint64_t(1) << (Dropped - 1)) - 1 + Last;
    Bits = Bits >> Dropped << Dropped;
  }
  if (To.ExponentBits < Exponent) {
    int64_t Bias = (int64_t(1) << (Exponent - 1)) - 1;
    int64_t ToBias = (int64_t(1) << (To.ExponentBits - 1)) - 1;
    int64_t Biased = Bits >> Mantissa;
    if (Biased > Bias + ToBias)
      Bits = APFloat::getInf(Semantics).bitcastToAPInt().getZExtValue();
    else if (Biased <= Bias - ToBias)
      Bits = 0;
  }
  return HloElement::fromBits(From.Type,
                              APInt(bitWidth(From.Type), Bits | Sign));
}

static HloElement unaryOfInteger(HloOpcode Opcode, const HloElement &X) {
  bool Signed = isSigned(X.Type);
  auto Make = [&](const APInt &Value) {
    return HloElement::integer(X.Type, Value);
  };
  auto MakeSmall = [&](int64_t Value) {
    return HloElement::integer(X.Type, Value);
  };
  switch (Opcode) {
  case HloOpcode::Abs:
    return Make(Signed ? X.Integer.abs() : X.Integer);
  case HloOpcode::CountLeadingZeros:
    return MakeSmall(X.Integer.countl_zero());
  case HloOpcode::Negate:
    return Make(-X.Integer);
  case HloOpcode::Not:
    return Make(~X.Integer);
  case HloOpcode::PopulationCount:
    return MakeSmall(X.Integer.popcount());
  case HloOpcode::Sign:
    return MakeSmall(X.Integer.isZero()                 ? 0
                     : Signed && X.Integer.isNegative() ? -1
                                                        : 1);
  default:
    llvm_unreachable("not an operation of integers");
  }
}

static double unaryOfReal(HloOpcode Opcode, double X) {
  switch (Opcode) {
  case HloOpcode::Abs:
    return std::fabs(X);
  case HloOpcode::Acos:
    return std::acos(X);
  case HloOpcode::Acosh:
    return std::acosh(X);
  case HloOpcode::Asin:
    return std::asin(X);
  case HloOpcode::Asinh:
    return std::asinh(X);
  case HloOpcode::Atanh:
    return std::atanh(X);
  case HloOpcode::Cbrt:
    return std::cbrt(X);
  case HloOpcode::Ceil:
    return std::ceil(X);
  case HloOpcode::Cosh:
    return std::cosh(X);
  case HloOpcode::Cosine:
    return std::cos(X);
  case HloOpcode::Erf:
    return std::erf(X);
  case HloOpcode::Exponential:
    return std::exp(X);
  case HloOpcode::ExponentialMinusOne:
    return std::expm1(X);
  case HloOpcode::Floor:
    return std::floor(X);
  case HloOpcode::Imag:
    return 0;
  case HloOpcode::Log:
    return std::log(X);
  case HloOpcode::LogPlusOne:
    return std::log1p(X);
  case HloOpcode::Logistic:
    return 1 / (1 + std::exp(-X));
  case HloOpcode::Negate:
    return -X;
  case HloOpcode::Real:
    return X;
  case HloOpcode::RoundNearestAfz:
    return std::round(X);
  case HloOpcode::RoundNearestEven:
    return std::nearbyint(X);
  case HloOpcode::Rsqrt:
    return 1 / std::sqrt(X);
  case HloOpcode::Sign:
    return X > 0 ? 1 : X < 0 ? -1 : X; // zeros and NaN as they are
  case HloOpcode::Sine:
    return std::sin(X);
  case HloOpcode::Sinh:
    return std::sinh(X);
  case HloOpcode::Sqrt:
    return std::sqrt(X);
  case HloOpcode::Tan:
    return std::tan(X);
  case HloOpcode::Tanh:
    return std::tanh(X);
  default:
    llvm_unreachable("not an operation of floats");
  }
}

/// std::polar() is not defined for a NaN.
static Complex polar(double Radius, double Angle) {
  return {Radius * std::cos(Angle), Radius * std::sin(Angle)};
}

/// The root with the angle in [-pi / 3, pi / 3]. |x| is formed of what is eight
/// times as large or small, which makes twice or half the root.
static Complex cubeRoot(Complex X) {
  bool IsLarge = std::max(std::fabs(X.real()), std::fabs(X.imag())) > 1;
  double Scaled = std::abs(X * (IsLarge ? 0.125 : 8));
  return polar((IsLarge ? 2 : 0.5) * std::cbrt(Scaled), std::arg(X) / 3);
}

/// e^x (cos y + i sin y) - 1, in which cos y is 1 - 2 sin^2(y / 2).
static Complex exponentialMinusOne(Complex X) {
  double Exponential = std::exp(X.real()), Sine = std::sin(X.imag() / 2);
  if (std::isinf(Exponential)) // but the product with a small number may be not
    return std::exp(X);
  return {std::expm1(X.real()) - 2 * Exponential * Sine * Sine,
          Exponential * std::sin(X.imag())};
}

/// log |1 + x| and the angle. |1 + x|^2 is 1 + re (2 + re) + im^2.
static Complex logPlusOne(Complex X) {
  Complex Log = std::log(1.0 + X);
  if (std::abs(X) < 0.5)
    Log.real(std::log1p(X.real() * (2 + X.real()) + X.imag() * X.imag()) / 2);
  return Log;
}

/// 1 / (1 + e^-x), by way of the function that is right at the poles; and e^x
/// times that of -x, where it is small.
static Complex logistic(Complex X) {
  if (X.real() < 0)
    return std::exp(X) * logistic(-X);
  return (1.0 + std::tanh(X / 2.0)) / 2.0;
}

static Complex sign(Complex X) {
  if (X == 0.0)
    return X;
  Complex Y = X / std::max(std::fabs(X.real()), std::fabs(X.imag()));
  return Y / std::abs(Y);
}

static Complex unaryOfComplex(HloOpcode Opcode, Complex X) {
  switch (Opcode) {
  case HloOpcode::Abs:
    return std::abs(X);
  case HloOpcode::Cbrt:
    return cubeRoot(X);
  case HloOpcode::Cosh:
    return std::cosh(X);
  case HloOpcode::Cosine:
    return std::cos(X);
  case HloOpcode::Exponential:
    return std::exp(X);
  case HloOpcode::ExponentialMinusOne:
    return exponentialMinusOne(X);
  case HloOpcode::Imag:
    return X.imag();
  case HloOpcode::Log:
    return std::log(X);
  case HloOpcode::LogPlusOne:
    return logPlusOne(X);
  case HloOpcode::Logistic:
    return logistic(X);
  case HloOpcode::Negate:
    return -X;
  case HloOpcode::Real:
    return X.real();
  case HloOpcode::Rsqrt:
    return 1.0 / std::sqrt(X);
  case HloOpcode::Sign:
    return sign(X);
  case HloOpcode::Sine:
    return std::sin(X);
  case HloOpcode::Sinh:
    return std::sinh(X);
  case HloOpcode::Sqrt:
    return std::sqrt(X);
  case HloOpcode::Tan:
    return std::tan(X);
  case HloOpcode::Tanh:
    return std::tanh(X);
  default:
    llvm_unreachable("not an operation of complex numbers");
  }
}

static HloElement evaluateUnary(const HloInstruction &I, const HloElement &X) {
  ElementType Result = I.shape().elementType();
  switch (I.opcode()) {
  case HloOpcode::Convert:
    return convert(Result, X);
  case HloOpcode::IsFinite:
    return HloElement::pred(std::isfinite(X.real()));
  case HloOpcode::ReducePrecision:
    return reducePrecision(I.attributes<HloReducePrecision>(), X);
  default:
    break;
  }
  if (isFloat(X.Type))
    return HloElement::number(Result, unaryOfReal(I.opcode(), X.real()));
  if (isComplex(X.Type))
    return HloElement::number(Result, unaryOfComplex(I.opcode(), X.Number));
  return unaryOfInteger(I.opcode(), X);
}

//===----------------------------------------------------------------------===//
// Two operands
//===----------------------------------------------------------------------===//

/// Modulo 2^width, by repeated squaring; 1 / x^n is 0 unless x is 1 or -1.
static APInt powerOfIntegers(const HloElement &X, const HloElement &Y) {
  unsigned Width = X.Integer.getBitWidth();
  APInt Base = X.Integer, One(Width, 1), Result = One;
  if (isSigned(X.Type) && Y.Integer.isNegative()) {
    if (Base.isOne())
      return One;
    if (Base.isAllOnes())
      return Y.Integer[0] ? Base : One;
    return APInt(Width, 0);
  }
  for (APInt Exponent = Y.Integer; !Exponent.isZero();
       Exponent.lshrInPlace(1)) {
    if (Exponent[0])
      Result *= Base;
    Base *= Base;
  }
  return Result;
}

/// X shifted by \p Shift, or \p Far if that is the width or more.
template <typename F>
static APInt shifted(const APInt &X, const APInt &By, const APInt &Far,
                     F Shift) {
  if (By.uge(X.getBitWidth()))
    return Far;
  return Shift(unsigned(By.getZExtValue()));
}

static APInt binaryOfIntegers(HloOpcode Opcode, const HloElement &A,
                              const HloElement &B) {
  const APInt &X = A.Integer, &Y = B.Integer;
  unsigned Width = X.getBitWidth();
  bool Signed = isSigned(A.Type);
  APInt Zero(Width, 0);
  switch (Opcode) {
  case HloOpcode::Add:
    return isPred(A.Type) ? X | Y : X + Y;
  case HloOpcode::And:
    return X & Y;
  case HloOpcode::Divide:
    if (Y.isZero())
      return APInt::getAllOnes(Width);
    if (Signed && Y.isAllOnes())
      return -X; // of MIN as well
    return Signed ? X.sdiv(Y) : X.udiv(Y);
  case HloOpcode::Maximum:
    return Signed ? APIntOps::smax(X, Y) : APIntOps::umax(X, Y);
  case HloOpcode::Minimum:
    return Signed ? APIntOps::smin(X, Y) : APIntOps::umin(X, Y);
  case HloOpcode::Multiply:
    return X * Y;
  case HloOpcode::Or:
    return X | Y;
  case HloOpcode::Power:
    return powerOfIntegers(A, B);
  case HloOpcode::Remainder:
    if (Y.isZero())
      return X;
    if (Signed && Y.isAllOnes())
      return Zero;
    return Signed ? X.srem(Y) : X.urem(Y);
  case HloOpcode::ShiftLeft:
    return shifted(X, Y, Zero, [&](unsigned N) { return X.shl(N); });
  case HloOpcode::ShiftRightArithmetic:
    return shifted(X, Y, X.isNegative() ? APInt::getAllOnes(Width) : Zero,
                   [&](unsigned N) { return X.ashr(N); });
  case HloOpcode::ShiftRightLogical:
    return shifted(X, Y, Zero, [&](unsigned N) { return X.lshr(N); });
  case HloOpcode::Subtract:
    return X - Y;
  case HloOpcode::Xor:
    return X ^ Y;
  default:
    llvm_unreachable("not an operation of integers");
  }
}

/// NaN if one of them is; a positive zero is larger than a negative one.
static double maximum(double X, double Y) {
  if (std::isnan(X) || std::isnan(Y))
    return std::isnan(X) ? X : Y;
  if (X == Y)
    return std::signbit(X) ? Y : X;
  return X > Y ? X : Y;
}
static double minimum(double X, double Y) { return -maximum(-X, -Y); }

static double binaryOfReals(HloOpcode Opcode, double X, double Y) {
  switch (Opcode) {
  case HloOpcode::Add:
    return X + Y;
  case HloOpcode::Atan2:
    return std::atan2(X, Y);
  case HloOpcode::Divide:
    return X / Y;
  case HloOpcode::Maximum:
    return maximum(X, Y);
  case HloOpcode::Minimum:
    return minimum(X, Y);
  case HloOpcode::Multiply:
    return X * Y;
  case HloOpcode::Power:
    return std::pow(X, Y);
  case HloOpcode::Remainder:
    return std::fmod(X, Y);
  case HloOpcode::Subtract:
    return X - Y;
  default:
    llvm_unreachable("not an operation of floats");
  }
}

static Complex binaryOfComplex(HloOpcode Opcode, Complex X, Complex Y) {
  switch (Opcode) {
  case HloOpcode::Add:
    return X + Y;
  case HloOpcode::Divide:
    return X / Y;
  case HloOpcode::Multiply:
    return X * Y;
  case HloOpcode::Power:
    return Y == 0.0 ? 1.0 : std::pow(X, Y); // of 0 as well, as for floats
  case HloOpcode::Subtract:
    return X - Y;
  default:
    llvm_unreachable("not an operation of complex numbers");
  }
}

/// Whether \p Direction holds between two values of which it is known whether
/// one is less, or both are equal; of NaN neither is true.
static bool holds(HloDirection Direction, bool IsLess, bool IsEqual,
                  bool IsGreater) {
  switch (Direction) {
  case HloDirection::EQ:
    return IsEqual;
  case HloDirection::NE:
    return !IsEqual;
  case HloDirection::GE:
    return IsGreater || IsEqual;
  case HloDirection::GT:
    return IsGreater;
  case HloDirection::LE:
    return IsLess || IsEqual;
  case HloDirection::LT:
    return IsLess;
  }
  llvm_unreachable("every direction is above");
}

/// Numbers in the total order of IEEE: -NaN, -inf, ..., -0, 0, ..., inf, NaN.
static int64_t totalOrder(double X) {
  int64_t Bits = bit_cast<int64_t>(X);
  int64_t Magnitude = Bits & std::numeric_limits<int64_t>::max();
  return Bits < 0 ? -1 - Magnitude : Magnitude;
}

static bool compare(const HloCompare &C, const HloElement &X,
                    const HloElement &Y) {
  auto Holds = [&](const auto &A, const auto &B) {
    return holds(C.Direction, A<B, A == B, A> B);
  };
  if (isComplex(X.Type))
    return holds(C.Direction, false, X.Number == Y.Number, false);
  if (isFloat(X.Type))
    return C.Type == HloCompareType::TotalOrder
               ? Holds(totalOrder(X.real()), totalOrder(Y.real()))
               : Holds(X.real(), Y.real());
  return Holds(APSInt(X.Integer, !isSigned(X.Type)),
               APSInt(Y.Integer, !isSigned(Y.Type)));
}

static HloElement evaluateBinary(HloOpcode Opcode, const HloElement &X,
                                 const HloElement &Y) {
  if (isFloat(X.Type))
    return HloElement::number(X.Type,
                              binaryOfReals(Opcode, X.real(), Y.real()));
  if (isComplex(X.Type))
    return HloElement::number(X.Type,
                              binaryOfComplex(Opcode, X.Number, Y.Number));
  return HloElement::integer(X.Type, binaryOfIntegers(Opcode, X, Y));
}

HloElement evaluateElement(const HloInstruction &I,
                           ArrayRef<HloElement> Operands) {
  switch (I.opcode()) {
  case HloOpcode::Copy:
    return Operands[0];
  case HloOpcode::Select:
    return Operands[0].isTrue() ? Operands[1] : Operands[2];
  case HloOpcode::Clamp: // min(max(low, x), high)
    return evaluateBinary(
        HloOpcode::Minimum,
        evaluateBinary(HloOpcode::Maximum, Operands[0], Operands[1]),
        Operands[2]);
  case HloOpcode::Compare:
    return HloElement::pred(
        compare(I.attributes<HloCompare>(), Operands[0], Operands[1]));
  case HloOpcode::Complex:
    return HloElement::number(I.shape().elementType(),
                              {Operands[0].real(), Operands[1].real()});
  default:
    return classOf(I.opcode()) == HloOpClass::ElementwiseUnary
               ? evaluateUnary(I, Operands[0])
               : evaluateBinary(I.opcode(), Operands[0], Operands[1]);
  }
}

} // namespace unravel
