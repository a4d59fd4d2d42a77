//===- Divisions.cpp - Divisions as compilers write them ------------------===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The sequences of nvcc and of LLVM's NVPTX backend for constant divisors:
// Hacker's Delight, chapter 10.
//
//===----------------------------------------------------------------------===//

#include "tools/ptx-fuzz/generator/Divisions.h"
#include "llvm/ADT/APInt.h"
#include "llvm/Support/DivisionByConstantInfo.h"

using namespace llvm;

namespace unravel::ptx {

/// Numbers of 64 bits are negative in what compilers print, too.
static std::string number(const APInt &Value) {
  return std::to_string(Value.getSExtValue());
}

static std::string shifted(KernelText &K, StringRef Type, Class C,
                           const std::string &Value, unsigned Amount) {
  if (Amount == 0)
    return Value;
  return K.value(C, "shr." + Type, Value + ", " + std::to_string(Amount));
}

/// The high half of a product with a constant, which is then shifted: one
/// mul.hi, or a product of twice the width with one shift for both.
static std::string highOfProduct(KernelText &K, unsigned Width,
                                 const std::string &Value, const APInt &Magic,
                                 unsigned Shift) {
  Class C = classOfWidth(Width);
  std::string W = std::to_string(Width);
  if (Width == 64 || K.R.chance(50)) {
    std::string High = K.value(C, "mul.hi.u" + W, Value + ", " + number(Magic));
    return shifted(K, "u" + W, C, High, Shift);
  }
  Class Wide = classOfWidth(2 * Width);
  std::string Product =
      K.value(Wide, "mul.wide.u" + W, Value + ", " + number(Magic));
  std::string High =
      shifted(K, "u" + std::to_string(2 * Width), Wide, Product, Width + Shift);
  return K.value(C, "cvt.u" + W + ".u" + std::to_string(2 * Width), High);
}

static std::string divideUnsigned(KernelText &K, unsigned Width,
                                  const std::string &Dividend,
                                  const APInt &Divisor) {
  Class C = classOfWidth(Width);
  std::string U = "u" + std::to_string(Width);
  if (Divisor.isPowerOf2())
    return shifted(K, U, C, Dividend, Divisor.logBase2());
  // An odd part is divided by after the shift, or all of it at once.
  auto Info = UnsignedDivisionByConstantInfo::get(
      Divisor, 0, /*AllowEvenDivisorOptimization=*/K.R.chance(50));
  std::string Value = shifted(K, U, C, Dividend, Info.PreShift);
  if (!Info.IsAdd)
    return highOfProduct(K, Width, Value, Info.Magic, Info.PostShift);
  std::string High = highOfProduct(K, Width, Value, Info.Magic, 0);
  std::string S = "s" + std::to_string(Width);
  std::string Rest = K.value(C, "sub." + S, Value + ", " + High);
  std::string Half = shifted(K, U, C, Rest, 1);
  std::string Sum = K.value(C, "add." + S, Half + ", " + High);
  return shifted(K, U, C, Sum, Info.PostShift);
}

/// Towards zero: a negative dividend gets the divisor minus one added.
static std::string divideByPowerOf2(KernelText &K, unsigned Width,
                                    const std::string &Dividend,
                                    const APInt &Divisor) {
  Class C = classOfWidth(Width);
  std::string W = std::to_string(Width);
  unsigned Log = Divisor.abs().logBase2();
  std::string Q = Dividend;
  if (Log != 0) {
    std::string Sign = shifted(K, "s" + W, C, Dividend, Width - 1);
    std::string Bias = shifted(K, "u" + W, C, Sign, Width - Log);
    std::string Sum = K.value(C, "add.s" + W, Dividend + ", " + Bias);
    Q = shifted(K, "s" + W, C, Sum, Log);
  }
  return Divisor.isNegative() ? K.value(C, "neg.s" + W, Q) : Q;
}

static std::string divideSigned(KernelText &K, unsigned Width,
                                const std::string &Dividend,
                                const APInt &Divisor) {
  if (Divisor.abs().isPowerOf2())
    return divideByPowerOf2(K, Width, Dividend, Divisor);
  Class C = classOfWidth(Width);
  std::string W = std::to_string(Width);
  auto Info = SignedDivisionByConstantInfo::get(Divisor);
  std::string Q =
      K.value(C, "mul.hi.s" + W, Dividend + ", " + number(Info.Magic));
  if (Divisor.isStrictlyPositive() && Info.Magic.isNegative())
    Q = K.value(C, "add.s" + W, Q + ", " + Dividend);
  else if (Divisor.isNegative() && Info.Magic.isStrictlyPositive())
    Q = K.value(C, "sub.s" + W, Q + ", " + Dividend);
  // The sign of the quotient, before or after the shift.
  bool SignFirst = K.R.chance(50);
  std::string Sign;
  if (SignFirst)
    Sign = shifted(K, "u" + W, C, Q, Width - 1);
  Q = shifted(K, "s" + W, C, Q, Info.ShiftAmount);
  if (!SignFirst)
    Sign = shifted(K, "u" + W, C, Q, Width - 1);
  return K.value(C, "add.s" + W, Q + ", " + Sign);
}

std::string divideByConstant(KernelText &K, unsigned Width, bool IsSigned,
                             const std::string &Dividend, uint64_t Divisor) {
  APInt D(Width, Divisor, /*isSigned=*/false, /*implicitTrunc=*/true);
  if (D.isOne())
    return Dividend;
  return IsSigned ? divideSigned(K, Width, Dividend, D)
                  : divideUnsigned(K, Width, Dividend, D);
}

std::string remainderOf(KernelText &K, unsigned Width,
                        const std::string &Dividend,
                        const std::string &Quotient, uint64_t Divisor) {
  Class C = classOfWidth(Width);
  std::string S = "s" + std::to_string(Width);
  APInt D(Width, Divisor, /*isSigned=*/false, /*implicitTrunc=*/true);
  if (K.R.chance(30))
    return K.value(C, "mad.lo." + S,
                   Quotient + ", " + number(-D) + ", " + Dividend);
  std::string Product;
  if (D.isPowerOf2() && K.R.chance(50))
    Product = K.value(C, "shl.b" + std::to_string(Width),
                      Quotient + ", " + std::to_string(D.logBase2()));
  else
    Product = K.value(C, "mul.lo." + S, Quotient + ", " + number(D));
  return K.value(C, "sub." + S, Dividend + ", " + Product);
}

uint64_t constantDivisor(KernelText &K, unsigned Width, bool IsSigned) {
  static constexpr uint64_t Common[] = {3,  5,  6,  7,   9,   10,  11,  12, 13,
                                        14, 15, 24, 25,  28,  33,  40,  48, 49,
                                        56, 60, 75, 100, 112, 192, 196, 224};
  uint64_t D = K.R.pick(Common);
  if (K.R.chance(25))
    D = uint64_t(1) << K.R.below(Width - 1);
  else if (K.R.chance(25))
    D = (K.R.next() & maskTrailingOnes<uint64_t>(Width)) >> K.R.below(Width);
  if (IsSigned && Width == 16)
    D &= 0x7fff;
  if (IsSigned && K.R.chance(15))
    D = -D;
  D &= maskTrailingOnes<uint64_t>(Width);
  return D == 0 || D == 1 ? 3 : D;
}

void addConstantDivision(KernelText &K) {
  static constexpr unsigned Widths[] = {16, 32, 32, 32, 64};
  unsigned Width = K.R.pick(Widths);
  Class C = classOfWidth(Width);
  bool IsSigned = K.R.chance(50);
  std::string Dividend = K.reg(C);
  // A dividend that fits into fewer bits: compilers narrow the division.
  if (!IsSigned && K.R.chance(30))
    Dividend = K.value(C, "and.b" + Twine(Width), Dividend + ", 255");
  uint64_t D = constantDivisor(K, Width, IsSigned);
  std::string Q = divideByConstant(K, Width, IsSigned, Dividend, D);
  if (K.R.chance(60))
    remainderOf(K, Width, Dividend, Q, D);
}

} // namespace unravel::ptx
