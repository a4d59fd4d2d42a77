//===- BuildFloors.cpp - Floors of dividends of either sign ---------------===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tools/kernel-fuzz/generator/KernelBuilder.h"

using namespace llvm;

namespace unravel {

/// A number, a size that is positive, or anything.
Value *KernelBuilder::floorDivisor(Type *Ty) {
  if (R.chance(35)) {
    ConstantInt *D = number(Ty, uint64_t(radix()));
    return D->isZero() ? number(Ty, 3) : D;
  }
  Value *V = variable(Ty);
  return sizeFrom(V, (R.below(4) + 1) / 2);
}

/// Whether C's quotient of \p X is one too high, and so the remainder \p Rest
/// negative; wrong now and then.
Value *KernelBuilder::needsCorrection(Value *X, Value *D, Value *Rest) {
  Type *Ty = X->getType();
  Constant *Zero = number(Ty, R.chance(6) ? R.below(3) - 1 : 0);
  Value *IsInexact = B.CreateICmpNE(Rest, Zero, "inexact");
  switch (R.below(4)) {
  case 0:
    return B.CreateAnd(IsInexact, B.CreateICmpSLT(X, Zero), "corrected");
  case 1:
    return B.CreateLogicalAnd(
        IsInexact, B.CreateICmpSLT(B.CreateXor(X, D), Zero), "corrected");
  default:
    return B.CreateICmpSLT(Rest, Zero, "corrected");
  }
}

/// x < 0 ? ~(~x / d) : x / d, with a branch.
Value *KernelBuilder::branchedFloor(Value *X, Value *D) {
  Value *Q = divide(X, D, /*Remainder=*/false, /*Signed=*/true);
  Value *IsBelow = B.CreateICmpSLT(X, number(X->getType(), 0), "below");
  BasicBlock *From = B.GetInsertBlock();
  BasicBlock *Below = block("below"), *Join = block("floor");
  if (R.chance(20))
    B.CreateCondBr(IsBelow, Join, Below);
  else
    B.CreateCondBr(IsBelow, Below, Join);
  B.SetInsertPoint(Below);
  Value *Mirrored = B.CreateNot(
      divide(B.CreateNot(X), D, /*Remainder=*/false, R.chance(50)), "mirrored");
  B.CreateBr(Join);
  B.SetInsertPoint(Join);
  PHINode *Floor = B.CreatePHI(X->getType(), 2, "floor");
  Floor->addIncoming(Q, From);
  Floor->addIncoming(Mirrored, Below);
  return Floor;
}

Value *KernelBuilder::floorQuotient(Value *X, Value *D, Value *Rest) {
  Type *Ty = X->getType();
  auto Truncated = [&](Value *Dividend) {
    return divide(Dividend, D, /*Remainder=*/false, /*Signed=*/true);
  };
  auto Sign = [&](Value *V) {
    return B.CreateAShr(V, Ty->getIntegerBitWidth() - 1, "sign");
  };
  switch (R.below(6)) {
  case 0:
    return branchedFloor(X, D);
  case 1: {
    Value *Q = Truncated(X);
    return B.CreateAdd(Q, Sign(Rest), "floor");
  }
  case 2: {
    Value *S = Sign(X);
    return B.CreateXor(divide(B.CreateXor(X, S), D, /*Remainder=*/false,
                              /*Signed=*/R.chance(50)),
                       S, "floor");
  }
  case 3: {
    Value *Lowered = B.CreateAdd(B.CreateSub(X, D), number(Ty, 1), "lowered");
    Value *IsBelow = B.CreateICmpSLT(X, number(Ty, 0), "below");
    return Truncated(B.CreateSelect(IsBelow, Lowered, X));
  }
  default: {
    Value *Corrected = needsCorrection(X, D, Rest), *Q = Truncated(X);
    return R.chance(50)
               ? B.CreateAdd(Q, B.CreateSExt(Corrected, Ty), "floor")
               : B.CreateSelect(Corrected, B.CreateAdd(Q, number(Ty, -1)), Q,
                                "floor");
  }
  }
}

Value *KernelBuilder::floorRemainder(Value *X, Value *D, Value *Rest) {
  Type *Ty = X->getType();
  if (R.chance(30))
    return divide(B.CreateAdd(Rest, D, "lifted"), D, /*Remainder=*/true,
                  /*Signed=*/true);
  Value *Corrected = needsCorrection(X, D, Rest);
  Value *By = R.chance(92) ? D : floorDivisor(Ty);
  if (R.chance(30))
    return B.CreateAdd(
        Rest, B.CreateSelect(Corrected, By, number(Ty, 0), "correction"),
        "modulo");
  return B.CreateSelect(Corrected, B.CreateAdd(Rest, By), Rest, "modulo");
}

/// Both digits of a dividend of either sign, and put together again.
void KernelBuilder::floorDigits() {
  Type *Ty = R.chance(30) ? B.getInt64Ty() : B.getInt32Ty();
  Value *X = variable(Ty);
  if (R.chance(50))
    X = B.CreateSub(X, number(Ty, uint64_t(radix())), "moved");
  Value *D = floorDivisor(Ty);
  Value *Rest =
      R.chance(50)
          ? divide(X, D, /*Remainder=*/true, /*Signed=*/true)
          : B.CreateSub(X, B.CreateMul(divide(X, D, false, /*Signed=*/true), D),
                        "rest");
  Value *Q = keep(floorQuotient(X, D, Rest));
  Value *Modulo = keep(floorRemainder(X, D, Rest));
  if (R.chance(15))
    D = floorDivisor(Ty); // the wrong one
  keep(B.CreateAdd(B.CreateMul(Q, D, "term"), Modulo, "linear"));
}

} // namespace unravel
