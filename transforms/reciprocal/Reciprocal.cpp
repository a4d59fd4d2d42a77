//===- Reciprocal.cpp - Division by multiplying with a reciprocal ---------===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// 1. Dividing. Let 0 < d < 2^32, 0 <= x < 2^32, M = floor((2^32 - 1) / d) and
//    q0 = floor(x * M / 2^32). Then q0 is floor(x / d) or one less: 2^32 - M*d
//    is in [1, d], so x/d - x*M/2^32 = x * (2^32 - M*d) / (d * 2^32) is in
//    [0, x / 2^32], which is below 1.
//    So r0 = x - q0*d is r or r + d, where r = x mod d; neither exceeds x, so
//    it is a word. If r0 >= d the quotient is q0 + 1. The remainder is
//    min(r0, r0 - d) of unsigned words: if r0 < d the difference wraps to
//    r0 + (2^32 - d), which is greater than r0.
//
// 2. The reciprocal M. One float reciprocal and one step of Newton's method in
//    integers, as ptxas expands a division, then a correction that is done once
//    instead of in every division. Let y = 2^32 / d.
//    a) f is d rounded up: d <= f <= d * (1 + 2^-23). rcp.approx.ftz.f32 errs
//    by
//       at most 1 ulp (PTX ISA), and 2 ulps are subtracted while the exponent
//       is raised by 32 (0x10000000 - 2). So the float is below y, and above
//       y * (1 - 2^-21): one part of 2^-23 for f, one for the reciprocal and
//       two for what is subtracted. Cut off to an integer, it is r0 = y - D
//       with 0 < D < 1 + y * 2^-21.
//    b) -r0*d modulo 2^32 is 2^32 - r0*d = D*d, and r1 = r0 +
//       floor(r0*D*d / 2^32). Since r0*D*d / 2^32 = (y - D) * D / y =
//       D - D*D/y, r1 <= y - D*D/y < y, so r1 <= M, the greatest integer below
//       y. And r1 > y - D*D/y - 1, so M - r1 < 1 + D*D/y.
//    c) M - r1 is 0 or 1. If r0 = 0 then y = D < 1.0001, M = 1 and r1 = 0.
//       Otherwise D*D/y <= 1: for y >= 1.0001, D*D < (1 + y * 2^-21)^2 < y;
//       for a smaller y, r0 = 1 and D = y - 1 < 0.0001.
//    d) -r1*d - 1 modulo 2^32 is 2^32 - 1 - r1*d, the rest of the division that
//       defines M. If it is not below d, r1 is 1 short.
//    test/unit/transforms/reciprocal/ReciprocalTest.cpp tries every error that
//    the float may have.
//
//    With d = 0 the reciprocal is infinite and the integer whatever the
//    conversion makes of it; none of these operations traps.
//
//===----------------------------------------------------------------------===//

#include "transforms/reciprocal/Reciprocal.h"
#include "llvm/IR/IntrinsicsNVPTX.h"

using namespace llvm;

namespace unravel {

static Value *emitMultiplyHigh(IRBuilderBase &B, Value *X, Value *Y,
                               const Twine &Name = "") {
  return B.CreateIntrinsic(Intrinsic::nvvm_mulhi_ui, {X, Y}, nullptr, Name);
}

Reciprocal emitReciprocal(IRBuilderBase &B, Value *Divisor) {
  // 2^32 in the exponent, less 2 ulps.
  constexpr uint32_t Scale = (32u << 23) - 2;
  Type *Float = B.getFloatTy(), *Word = B.getInt32Ty();
  Value *Rounded = B.CreateIntrinsic(Intrinsic::nvvm_ui2f_rp, {Divisor});
  Value *Inverse =
      B.CreateIntrinsic(Intrinsic::nvvm_rcp_approx_ftz_f, {Rounded});
  Value *Bits = B.CreateAdd(B.CreateBitCast(Inverse, Word), B.getInt32(Scale));
  Value *Estimate = B.CreateIntrinsic(Intrinsic::nvvm_f2ui_rz,
                                      {B.CreateBitCast(Bits, Float)});

  Value *Negated = B.CreateNeg(Divisor, "neg.divisor");
  Value *Error = B.CreateMul(Estimate, Negated);
  Value *Refined = B.CreateAdd(Estimate, emitMultiplyHigh(B, Estimate, Error));

  Value *Rest = B.CreateAdd(B.CreateMul(Refined, Negated),
                            ConstantInt::getAllOnesValue(Word));
  Value *Short = B.CreateICmpUGE(Rest, Divisor);
  Value *Next = B.CreateAdd(Refined, B.getInt32(1));
  Value *Multiplier = B.CreateSelect(Short, Next, Refined, "reciprocal");
  return {Divisor, Multiplier, Negated};
}

QuotientEstimate emitEstimate(IRBuilderBase &B, const Reciprocal &R,
                              Value *Dividend) {
  Value *Quotient = emitMultiplyHigh(B, Dividend, R.Multiplier);
  return {Quotient, B.CreateAdd(B.CreateMul(Quotient, R.Negated), Dividend)};
}

Value *emitQuotient(IRBuilderBase &B, const Reciprocal &R,
                    const QuotientEstimate &E) {
  Value *Short = B.CreateICmpUGE(E.Remainder, R.Divisor);
  Value *Next = B.CreateAdd(E.Quotient, B.getInt32(1));
  return B.CreateSelect(Short, Next, E.Quotient);
}

Value *emitRemainder(IRBuilderBase &B, const Reciprocal &R,
                     const QuotientEstimate &E) {
  return B.CreateBinaryIntrinsic(Intrinsic::umin, E.Remainder,
                                 B.CreateSub(E.Remainder, R.Divisor));
}

} // namespace unravel
