//===- WordEncoder.cpp - Machine words as integers ------------------------===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "transforms/certify/WordEncoder.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/Instruction.h"

using namespace llvm;

namespace unravel {

/// Splits for the bounds of a factor.
static constexpr unsigned SplitsForBounds = 1;
/// Factors of a product; beyond it the proof would be lost anyway.
static constexpr unsigned MaxDegree = 8;

DynamicAPInt WordEncoder::powerOfTwo(unsigned Exponent) {
  return DynamicAPInt(APInt::getOneBitSet(Exponent + 2, Exponent));
}

DynamicAPInt WordEncoder::lowest(unsigned Width, bool IsSigned) {
  return IsSigned ? -powerOfTwo(Width - 1) : DynamicAPInt(0);
}

DynamicAPInt WordEncoder::highest(unsigned Width, bool IsSigned) {
  return powerOfTwo(Width - IsSigned) - 1;
}

//===----------------------------------------------------------------------===//
// Words and numbers
//===----------------------------------------------------------------------===//

Word WordEncoder::constant(const APInt &Value) {
  Word W;
  W.Width = Value.getBitWidth();
  W.Signed = Polynomial(DynamicAPInt(Value));
  W.Unsigned = Polynomial(DynamicAPInt(Value.zext(W.Width + 1)));
  W.Bits = *W.Signed;
  return W;
}

Word WordEncoder::truth(bool Value) { return constant(APInt(1, Value)); }

Word WordEncoder::unknown(unsigned Width, const DynamicAPInt &Low,
                          const DynamicAPInt &High, bool IsSigned) {
  if (Low == High)
    return exactWord(Width, Polynomial(Low), IsSigned);
  return exactWord(Width, Polynomial::variable(C.Proofs.addVariable(Low, High)),
                   IsSigned);
}

/// The word whose reading is \p Number, which is in its range.
Word WordEncoder::exactWord(unsigned Width, const Polynomial &Number,
                            bool IsSigned) {
  Word W;
  W.Width = Width;
  W.Bits = Number;
  (IsSigned ? W.Signed : W.Unsigned) = Number;
  return W;
}

bool WordEncoder::isTrue(const Word &W) {
  return C.isNotNegative(unsignedOf(W) - 1);
}

void WordEncoder::require(const Polynomial &P, Trust T, StringRef Otherwise) {
  if (T == Trust::Believed)
    C.learn(P);
  else if (!C.Proofs.proves(P, SplitsForClaim))
    C.giveUp(Otherwise);
}

void WordEncoder::requireRange(const Polynomial &Number, unsigned Width,
                               bool IsSigned, Trust T) {
  StringRef Otherwise = "a flag of the new code may be wrong";
  require(Number - Polynomial(lowest(Width, IsSigned)), T, Otherwise);
  require(Polynomial(highest(Width, IsSigned)) - Number, T, Otherwise);
}

//===----------------------------------------------------------------------===//
// Arithmetic
//===----------------------------------------------------------------------===//

/// Whether \p W is a constant; sets \p Value.
static bool isConstant(const Word &W, APInt &Value) {
  if (!W.Bits.isConstant())
    return false;
  DynamicAPInt Number =
      mod(W.Bits.constant(), WordEncoder::powerOfTwo(W.Width));
  // By halves: conversions from DynamicAPInt are of 64 bits.
  DynamicAPInt Half = WordEncoder::powerOfTwo(32);
  Value = APInt(W.Width + 64, uint64_t(int64_t(Number / Half))) << 32;
  Value |= APInt(W.Width + 64, uint64_t(int64_t(Number % Half)));
  Value = Value.trunc(W.Width);
  return true;
}

/// A number that is known to be of 32 bits is, where its parts could be more.
IntegerRange WordEncoder::boundsOf(const Polynomial &P) {
  IntegerRange Range = C.Proofs.rangeOf(P);
  DynamicAPInt High = highest(32, true), Low = lowest(32, true);
  if (Range.High > High &&
      C.Proofs.proves(Polynomial(High) - P, SplitsForBounds))
    Range.High = High;
  if (Range.Low < 0 && C.Proofs.proves(P, SplitsForBounds))
    Range.Low = DynamicAPInt(0);
  else if (Range.Low < Low &&
           C.Proofs.proves(P - Polynomial(Low), SplitsForBounds))
    Range.Low = Low;
  return Range;
}

/// The bounds of a product by those of its factors: its terms, one by one, can
/// be much larger.
void WordEncoder::learnProduct(const Polynomial &X, const Polynomial &Y,
                               const Polynomial &Product) {
  if (X.terms().size() < 2 && Y.terms().size() < 2)
    return;
  IntegerRange A = boundsOf(X), B = boundsOf(Y);
  DynamicAPInt Corners[] = {A.Low * B.Low, A.Low * B.High, A.High * B.Low,
                            A.High * B.High};
  IntegerRange Parts = C.Proofs.rangeOf(Product);
  DynamicAPInt Low = *std::min_element(std::begin(Corners), std::end(Corners)),
               High = *std::max_element(std::begin(Corners), std::end(Corners));
  if (A.Low > A.High || B.Low > B.High)
    return; // of code that is never executed
  if (Low > Parts.Low)
    C.assume(Product - Polynomial(Low));
  if (High < Parts.High)
    C.assume(Polynomial(High) - Product);
}

/// The words with as many bits as \p W form a ring: sums, differences and
/// products of polynomials are theirs.
Word WordEncoder::ring(const Word &A, const Word &B, unsigned Opcode,
                       PoisonFlags Flags, Trust T) {
  auto Combine = [&](const Polynomial &X, const Polynomial &Y) {
    return Opcode == Instruction::Add   ? X + Y
           : Opcode == Instruction::Sub ? X - Y
                                        : unnamed(X, true) * unnamed(Y, true);
  };
  if (Opcode == Instruction::Mul &&
      unnamed(bitsOf(A), true).degree() + unnamed(bitsOf(B), true).degree() >
          MaxDegree) {
    C.giveUp("a product of too many variables");
    return A;
  }
  Word W;
  W.Width = A.Width;
  auto Exact = [&](bool IsSigned) {
    Polynomial X = IsSigned ? signedOf(A) : unsignedOf(A),
               Y = IsSigned ? signedOf(B) : unsignedOf(B);
    Polynomial Number = Combine(X, Y);
    if (Opcode == Instruction::Mul && T == Trust::Proved)
      learnProduct(X, Y, Number);
    requireRange(Number, W.Width, IsSigned, T);
    return C.reason().empty() ? settled(Number, W.Width, IsSigned) : Number;
  };
  if (Flags.NoUnsignedWrap)
    W.Bits = *(W.Unsigned = Exact(false));
  if (Flags.NoSignedWrap && Flags.NoUnsignedWrap &&
      Combine(signedOf(A), signedOf(B)) ==
          Combine(unsignedOf(A), unsignedOf(B))) {
    requireRange(W.Bits, W.Width, true, T);
    W.Signed = W.Unsigned;
  } else if (Flags.NoSignedWrap) {
    W.Bits = *(W.Signed = Exact(true));
  }
  if (!W.Unsigned && !W.Signed)
    W.Bits = Combine(bitsOf(A), bitsOf(B));
  return W;
}

/// \p A times 2^Amount; other than the factor, 2^(w-1) is positive here.
Word WordEncoder::shiftLeft(const Word &A, unsigned Amount, PoisonFlags Flags,
                            Trust T) {
  Word Factor;
  Factor.Width = A.Width;
  Factor.Bits = Polynomial(powerOfTwo(Amount));
  Factor.Signed = Factor.Unsigned = Factor.Bits;
  return ring(A, Factor, Instruction::Mul, Flags, T);
}

/// N / D rounded towards 0, for D that is not 0. A dividend that is 0 may count
/// as negative: remainders of what is negative are 0 or below.
Polynomial WordEncoder::truncatedQuotient(const Polynomial &N,
                                          const Polynomial &D) {
  bool Above = !C.isNotPositive(N) && C.isNotNegative(N),
       Positive = C.isNotNegative(D);
  Polynomial Q = floorOfQuotient(Above ? N : -N, Positive ? D : -D);
  return Above == Positive ? Q : -Q;
}

void WordEncoder::assumeNotZero(const Word &W, bool IsSigned) {
  Polynomial N = IsSigned ? signedOf(W) : unsignedOf(W);
  bool IsPositive = !IsSigned || C.isNotNegative(N);
  if (IsPositive)
    C.assume(N - 1);
  C.Proofs.addFactor(IsPositive ? N - 1 : -N - 1);
}

void WordEncoder::learnNotZero(const Word &W, bool IsSigned) {
  Polynomial N = IsSigned ? signedOf(W) : unsignedOf(W);
  IntegerRange Range = C.Proofs.rangeOf(N);
  if (Range.Low > 0)
    return C.Proofs.addFactor(N - 1);
  if (Range.High < 0)
    return;
  if (C.Proofs.proves(N, 0))
    N = N - 1;
  else if (C.Proofs.proves(-N, 0))
    N = -N - 1;
  else
    N = N * N - 1;
  C.assume(N);
  C.Proofs.addFactor(N);
}

Word WordEncoder::quotient(unsigned Opcode, const Word &A, const Word &B,
                           PoisonFlags Flags, Trust T) {
  bool IsSigned = Opcode == Instruction::SDiv || Opcode == Instruction::SRem;
  bool IsRemainder = Opcode == Instruction::URem || Opcode == Instruction::SRem;
  // Code that is executed divides by what may be divided by; for new code the
  // caller has made sure.
  assumeNotZero(B, IsSigned);
  Polynomial N = IsSigned ? signedOf(A) : unsignedOf(A);
  Polynomial D = IsSigned ? signedOf(B) : unsignedOf(B);
  if (D.degree() + N.degree() > MaxDegree) {
    C.giveUp("a quotient of products of too many variables");
    return A;
  }
  Polynomial Q = IsSigned ? truncatedQuotient(N, D) : floorOfQuotient(N, D);
  Polynomial R = N - D * Q;
  if (Flags.Exact) {
    require(R, T, "a flag of the new code may be wrong");
    require(-R, T, "a flag of the new code may be wrong");
  }
  Word W;
  W.Width = A.Width;
  W.Bits = IsRemainder ? R : Q;
  // A quotient of the least number by -1 is no signed word: undefined where it
  // is believed, numberOf() looks where it is not.
  if (!IsSigned)
    W.Unsigned = W.Bits;
  else if (IsRemainder || T == Trust::Believed)
    W.Signed = W.Bits;
  if (IsSigned && !IsRemainder && T == Trust::Believed)
    requireRange(W.Bits, W.Width, true, T);
  return W;
}

//===----------------------------------------------------------------------===//
// Bits
//===----------------------------------------------------------------------===//

/// The bits of \p A that \p Mask has, up to multiples of 2^w: each run of ones
/// from bit l up to bit h is floor(a / 2^l) - 2^(h-l) * floor(a / 2^h), for any
/// a that equals the word modulo 2^w; the upper part of a run that ends with
/// the word is such a multiple.
Polynomial WordEncoder::maskedBits(const Word &A, const APInt &Mask) {
  Polynomial N = A.Unsigned ? *A.Unsigned : bitsOf(A);
  Polynomial Sum;
  unsigned From = 0;
  while (From < A.Width) {
    if (!Mask[From]) {
      ++From;
      continue;
    }
    unsigned To = From;
    while (To < A.Width && Mask[To])
      ++To;
    Polynomial Run =
        floorOfQuotient(N, Polynomial(powerOfTwo(From))) * powerOfTwo(From);
    if (To < A.Width)
      Run =
          Run - floorOfQuotient(N, Polynomial(powerOfTwo(To))) * powerOfTwo(To);
    Sum = Sum + Run;
    From = To;
  }
  return Sum;
}

/// The greatest power of two, below 2^63, that \p P is a multiple of.
static DynamicAPInt powerOfTwoIn(const Polynomial &P) {
  DynamicAPInt Common = gcd(P.gcdOfCoefficients(), abs(P.constant())), Step(1);
  for (unsigned I = 0; I < 62 && Common % (Step * 2) == 0; ++I)
    Step = Step * 2;
  return Step;
}

/// The word `A & B`: between 0 and either.
Polynomial WordEncoder::commonBits(const Word &A, const Word &B) {
  APInt Mask;
  if (isConstant(B, Mask))
    return maskedBits(A, Mask);
  if (isConstant(A, Mask))
    return maskedBits(B, Mask);
  Polynomial X = unsignedOf(A), Y = unsignedOf(B);
  if (X == Y)
    return X;
  auto [It, IsNew] = Masks.try_emplace(std::minmax(X, Y), Polynomial());
  if (IsNew) {
    // Low bits that one word has not, both have not.
    DynamicAPInt Step = std::max(powerOfTwoIn(X), powerOfTwoIn(Y)),
                 Most = floorDiv(highest(A.Width, false), Step);
    Polynomial V =
        Polynomial::variable(C.Proofs.addVariable(DynamicAPInt(0), Most)) *
        Step;
    C.assume(X - V);
    C.assume(Y - V);
    // a | b = a + b - (a & b) has no bit that neither may have.
    unsigned Bits = A.Width, Least = 0;
    while (Least < Bits) {
      unsigned Middle = (Least + Bits) / 2;
      Polynomial High(highest(Middle, false));
      if (C.Proofs.proves(High - X, 0) && C.Proofs.proves(High - Y, 0))
        Bits = Middle;
      else
        Least = Middle + 1;
    }
    C.assume(V - X - Y + Polynomial(highest(Bits, false)));
    It->second = V;
  }
  return It->second;
}

Word WordEncoder::bitwise(unsigned Opcode, const Word &A, const Word &B,
                          PoisonFlags Flags, Trust T) {
  Word W;
  W.Width = A.Width;
  if (A.Width == 1) {
    if (Flags.Disjoint && isTrue(A) && isTrue(B)) {
      if (T == Trust::Believed)
        C.assume(Polynomial(-1)); // this case is none
      else
        C.giveUp("a flag of the new code may be wrong");
    }
    // Truth: one side may decide.
    bool IsAnd = Opcode == Instruction::And;
    bool Left = isTrue(A);
    if (Opcode == Instruction::Xor)
      return truth(Left != isTrue(B));
    return truth(Left == IsAnd ? isTrue(B) : Left);
  }
  if (Opcode == Instruction::Or && Flags.Disjoint && T == Trust::Believed) {
    // No bit of one is a bit of the other: nothing is carried.
    W.Unsigned = unsignedOf(A) + unsignedOf(B);
    W.Bits = *W.Unsigned;
    requireRange(W.Bits, W.Width, false, T);
    return W;
  }
  if (Flags.Disjoint && T == Trust::Proved && !isZero(commonBits(A, B)))
    C.giveUp("a flag of the new code may be wrong");
  // a | b = a + b - (a & b), a ^ b = a + b - 2*(a & b).
  Polynomial Both = commonBits(A, B);
  W.Bits = Opcode == Instruction::And  ? Both
           : Opcode == Instruction::Or ? bitsOf(A) + bitsOf(B) - Both
                                       : bitsOf(A) + bitsOf(B) - Both - Both;
  return W;
}

//===----------------------------------------------------------------------===//
// Operations
//===----------------------------------------------------------------------===//

Word WordEncoder::binary(unsigned Opcode, const Word &A, const Word &B,
                         PoisonFlags Flags, Trust T) {
  APInt Amount;
  switch (Opcode) {
  case Instruction::Add:
  case Instruction::Sub:
  case Instruction::Mul:
    return ring(A, B, Opcode, Flags, T);
  case Instruction::UDiv:
  case Instruction::SDiv:
  case Instruction::URem:
  case Instruction::SRem:
    return quotient(Opcode, A, B, Flags, T);
  case Instruction::And:
  case Instruction::Or:
  case Instruction::Xor:
    return bitwise(Opcode, A, B, Flags, T);
  default:
    break;
  }
  if (!isConstant(B, Amount) || Amount.uge(A.Width)) {
    C.giveUp("a shift by a number of run time");
    return A;
  }
  if (Opcode == Instruction::Shl)
    return shiftLeft(A, Amount.getZExtValue(), Flags, T);
  bool IsSigned = Opcode == Instruction::AShr;
  Polynomial N = IsSigned ? signedOf(A) : unsignedOf(A);
  Polynomial D(powerOfTwo(Amount.getZExtValue()));
  Polynomial Q = floorOfQuotient(N, D);
  if (Flags.Exact)
    require(D * Q - N, T, "a flag of the new code may be wrong");
  return exactWord(A.Width, Q, IsSigned);
}

Word WordEncoder::zeroExtended(const Word &A, unsigned Width) {
  Word W = exactWord(Width, unsignedOf(A), false);
  W.Signed = W.Unsigned; // there is room for the sign
  return W;
}

Word WordEncoder::signExtended(const Word &A, unsigned Width) {
  return exactWord(Width, signedOf(A), true);
}

Word WordEncoder::truncated(const Word &A, unsigned Width, PoisonFlags Flags,
                            Trust T) {
  Word W;
  W.Width = Width;
  W.Bits = A.Bits;
  if (Flags.NoUnsignedWrap) {
    W.Bits = *(W.Unsigned = unsignedOf(A));
    requireRange(W.Bits, Width, false, T);
  }
  if (Flags.NoSignedWrap) {
    W.Bits = *(W.Signed = signedOf(A));
    requireRange(W.Bits, Width, true, T);
  }
  return W;
}

Word WordEncoder::lesser(const Word &A, const Word &B, bool IsSigned) {
  return extreme(A, B, IsSigned, /*IsGreater=*/false);
}

Word WordEncoder::greater(const Word &A, const Word &B, bool IsSigned) {
  return extreme(A, B, IsSigned, /*IsGreater=*/true);
}

bool WordEncoder::isOrdered(const Word &A, const Word &B, bool IsSigned) {
  return C
      .signUnlessSplit(IsSigned ? signedOf(A) - signedOf(B)
                                : unsignedOf(A) - unsignedOf(B))
      .has_value();
}

/// One of the two words. Where the case may not be split for it, a number that
/// is beyond both, and one of them.
Word WordEncoder::extreme(const Word &A, const Word &B, bool IsSigned,
                          bool IsGreater) {
  Polynomial X = IsSigned ? signedOf(A) : unsignedOf(A),
             Y = IsSigned ? signedOf(B) : unsignedOf(B);
  if (!IsGreater) {
    X = -X;
    Y = -Y;
  }
  if (C.isDoubtful())
    return A;
  if (std::optional<bool> IsFirst = C.signUnlessSplit(X - Y))
    return *IsFirst ? A : B;
  auto [It, IsNew] = Extremes.try_emplace({X, Y}, Polynomial());
  Polynomial &V = It->second;
  if (IsNew) {
    IntegerRange OfX = C.Proofs.rangeOf(X), OfY = C.Proofs.rangeOf(Y);
    V = Polynomial::variable(C.Proofs.addGreater(
        X, Y, std::max(OfX.Low, OfY.Low), std::max(OfX.High, OfY.High)));
    C.assume(V - X);
    C.assume(V - Y);
    assumeZero((V - X) * (V - Y));
  }
  return exactWord(A.Width, IsGreater ? V : -V, IsSigned);
}

Word WordEncoder::differenceOrZero(const Word &A, const Word &B) {
  return exactWord(
      A.Width, unsignedOf(greater(A, B, /*IsSigned=*/false)) - unsignedOf(B),
      /*IsSigned=*/false);
}

Word WordEncoder::absolute(const Word &A, bool LeastIsPoison, Trust T) {
  Polynomial N = signedOf(A);
  if (LeastIsPoison)
    require(N + Polynomial(highest(A.Width, true)), T,
            "a flag of the new code may be wrong");
  // The magnitude of the least number is a word as well: read as unsigned.
  return exactWord(A.Width, C.isNotNegative(N) ? N : -N, false);
}

Word WordEncoder::upperProduct(const Word &A, const Word &B) {
  Polynomial Product = unsignedOf(A) * unsignedOf(B);
  return exactWord(A.Width,
                   floorOfQuotient(Product, Polynomial(powerOfTwo(A.Width))),
                   false);
}

} // namespace unravel
