//===- BuildIdioms.cpp - Index code as compilers and people write it ------===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tools/kernel-fuzz/generator/KernelBuilder.h"
#include "llvm/IR/IntrinsicsNVPTX.h"

using namespace llvm;

namespace unravel {

/// A division by a constant that an earlier compiler has expanded.
Value *KernelBuilder::magicDivision() {
  Value *X = variable(B.getInt32Ty());
  uint64_t D = uint64_t(radix());
  uint64_t Shift = R.below(10);
  uint64_t Magic = ((uint64_t(1) << (32 + Shift)) + D - 1) / D;
  if (R.chance(15))
    Magic += R.below(3) - 1;
  Magic = uint32_t(Magic);
  if (R.chance(60)) {
    Value *High = call(Intrinsic::nvvm_mulhi_ui, {},
                       {X, B.getInt32(uint32_t(Magic))}, "high");
    return Shift ? B.CreateLShr(High, Shift, "magic") : High;
  }
  Value *Product = B.CreateMul(B.CreateZExt(X, B.getInt64Ty()),
                               B.getInt64(Magic), "product");
  return B.CreateTrunc(B.CreateLShr(Product, 32 + Shift), B.getInt32Ty(),
                       "magic");
}

/// LLVM narrows a division whose operands are known to be small.
Value *KernelBuilder::narrowDivision() {
  Value *X = variable(B.getInt32Ty());
  Type *Narrow = R.chance(50) ? B.getInt8Ty() : B.getInt16Ty();
  if (R.chance(60))
    X = B.CreateAnd(X, number(X->getType(), R.chance(50) ? 127 : 255), "small");
  uint64_t D = uint64_t(radix()) % 100 + 2;
  Value *Low = B.CreateTrunc(X, Narrow, "narrow");
  bool Remainder = R.chance(50);
  Value *Q = divide(Low, number(Narrow, D), Remainder, /*Signed=*/false);
  return B.CreateZExt(Q, B.getInt32Ty(), "wide");
}

/// min(max(x, 0), n - 1), as a pooling window at the border has it.
Value *KernelBuilder::clampedIndex() {
  Type *Ty = indexType();
  Value *X = variable(Ty);
  X = B.CreateAdd(X, number(Ty, R.below(9) - 4), "moved");
  Value *AtLeast = call(Intrinsic::smax, {Ty}, {X, number(Ty, 0)}, "lower");
  uint64_t Size = uint64_t(radix());
  return call(Intrinsic::smin, {Ty}, {AtLeast, number(Ty, Size - 1)}, "upper");
}

/// (x + d - 1) / d * d, and how far it is away.
Value *KernelBuilder::roundUp() {
  Type *Ty = indexType();
  Value *X = variable(Ty);
  uint64_t D = uint64_t(radix());
  Value *Up = B.CreateAdd(X, number(Ty, D - 1), "up");
  ConstantInt *Divisor = number(Ty, D);
  if (Divisor->isZero())
    return Up;
  bool Signed = R.chance(30);
  Value *Q = divide(Up, Divisor, /*Remainder=*/false, Signed);
  if (R.chance(40))
    return Q;
  Value *Rounded = B.CreateMul(Q, Divisor, "rounded");
  return R.chance(50) ? Rounded : B.CreateSub(Rounded, X, "padding");
}

/// (n - 1 - x) / d, a dimension that runs backwards.
Value *KernelBuilder::mirroredQuotient() {
  Type *Ty = indexType();
  Value *X = variable(Ty);
  uint64_t D = uint64_t(radix());
  uint64_t N = D * (R.below(30) + 1);
  if (number(Ty, D)->isZero())
    D = 3;
  if (R.chance(60) && !number(Ty, N)->isZero())
    X = divide(X, number(Ty, N), /*Remainder=*/true, /*Signed=*/false);
  Value *Back = B.CreateSub(number(Ty, N - 1), X, "back");
  bool Remainder = R.chance(50);
  bool Signed = R.chance(30);
  return divide(Back, number(Ty, D), Remainder, Signed);
}

/// What div-rem-pairs makes of a quotient and a remainder.
Value *KernelBuilder::frozenRemainder() {
  Type *Ty = indexType();
  Value *X = B.CreateFreeze(variable(Ty), "frozen");
  bool Signed = R.chance(40);
  Value *D = divisor(Ty, Signed);
  Value *Q = keep(divide(X, D, /*Remainder=*/false, Signed));
  return B.CreateSub(X, B.CreateMul(Q, D, "whole"), "rest");
}

/// 40*x - 2999*(x/75): 40*(x mod 75) + x/75 after reassociation.
Value *KernelBuilder::mergedCoefficients() {
  Type *Ty = indexType();
  Value *X = variable(Ty);
  uint64_t D = uint64_t(radix());
  if (number(Ty, D)->isZero())
    D = 5;
  uint64_t Stride = uint64_t(radix()) % 100;
  uint64_t Other = R.below(5);
  Value *Q = divide(X, number(Ty, D), /*Remainder=*/false, R.chance(30));
  Value *Whole = B.CreateMul(X, number(Ty, Stride), "scaled");
  return B.CreateAdd(Whole, B.CreateMul(Q, number(Ty, Other - Stride * D)),
                     "merged");
}

/// Rows of a tile in shared memory, turned so that banks do not collide.
Value *KernelBuilder::swizzle() {
  Type *Ty = indexType();
  uint64_t Log = R.below(4) + 2, Mask = (uint64_t(1) << Log) - 1;
  Value *X = variable(Ty);
  Value *Column = B.CreateAnd(X, number(Ty, Mask), "column");
  Value *Row = B.CreateLShr(X, Log, "row");
  Value *Turned =
      R.chance(50)
          ? B.CreateXor(Column, number(Ty, Mask), "turned")
          : B.CreateXor(Column, B.CreateAnd(Row, number(Ty, Mask)), "turned");
  return B.CreateOr(B.CreateShl(Row, Log, "row.start"), Turned, "swizzled");
}

/// A condition as a number: x - n if x >= n else x, and its relatives.
Value *KernelBuilder::boundaryIndex() {
  Type *Ty = indexType();
  Value *X = variable(Ty);
  ConstantInt *N = number(Ty, uint64_t(radix()));
  Value *Over = R.chance(50) ? B.CreateICmpSGE(X, N, "over")
                             : B.CreateICmpUGE(X, N, "over");
  if (auto *Cmp = dyn_cast<ICmpInst>(Over))
    Conditions.Guards.push_back(Cmp);
  switch (R.below(3)) {
  case 0:
    return B.CreateSelect(Over, B.CreateSub(X, N, "wrapped"), X, "index");
  case 1:
    return B.CreateSub(X, B.CreateMul(B.CreateZExt(Over, Ty), N), "index");
  default:
    return B.CreateAdd(X, B.CreateAnd(B.CreateSExt(Over, Ty), N), "index");
  }
}

/// The first or last of two tiles: min(x / d, y / d + k).
Value *KernelBuilder::boundedQuotient() {
  static constexpr Intrinsic::ID IDs[] = {Intrinsic::smin, Intrinsic::smax,
                                          Intrinsic::umin, Intrinsic::umax};
  Type *Ty = indexType();
  ConstantInt *D = number(Ty, uint64_t(radix()));
  if (D->isZero())
    D = number(Ty, 3);
  bool Signed = R.chance(40), Negated = R.chance(30);
  Value *Quotients[2];
  for (Value *&Q : Quotients) {
    Q = divide(variable(Ty), D, /*Remainder=*/false, Signed);
    if (R.chance(40))
      Q = B.CreateAdd(Q, number(Ty, R.below(7) - 3), "tile");
    if (Negated)
      Q = B.CreateNeg(Q, "mirrored");
  }
  return call(R.pick(IDs), {Ty}, {Quotients[0], Quotients[1]}, "bounded");
}

/// x % (n*d) / d, the middle digit.
Value *KernelBuilder::quotientOfRemainder() {
  Type *Ty = indexType();
  Value *X = variable(Ty);
  uint64_t D = uint64_t(radix()), N = uint64_t(radix());
  if (number(Ty, D)->isZero() || number(Ty, N * D)->isZero())
    D = N = 3;
  bool Signed = R.chance(60);
  Value *Rest = divide(X, number(Ty, N * D), /*Remainder=*/true, Signed);
  return divide(Rest, number(Ty, D), /*Remainder=*/false, Signed);
}

/// Poison half of the time, and a freeze that must not be looked through.
Value *KernelBuilder::frozenPoison() {
  Type *Ty = indexType();
  unsigned Width = Ty->getIntegerBitWidth();
  Value *Amount = B.CreateAnd(variable(Ty), number(Ty, 2 * Width - 1), "far");
  Value *V = B.CreateLShr(variable(Ty), Amount, "shifted");
  if (R.chance(60)) {
    Value *Scaled = B.CreateMul(V, number(Ty, uint64_t(radix())), "scaled");
    V = B.CreateAdd(Scaled, variable(Ty), "sum");
  }
  V = keep(B.CreateFreeze(V, "frozen"));
  return R.chance(60) ? linearize(delinearize(V)) : V;
}

/// A window that hangs over the edge: (unsigned)(x - pad) < n.
void KernelBuilder::paddedAccess() {
  Type *Ty = indexType();
  Value *X = variable(Ty);
  Value *Moved = B.CreateSub(X, number(Ty, R.below(6)), "moved");
  Value *Inside =
      B.CreateICmpULT(Moved, number(Ty, uint64_t(radix())), "inside");
  if (isa<Constant>(Inside))
    return;
  if (R.chance(50)) {
    Value *Other = condition(/*Depth=*/1);
    Inside = R.chance(50) ? B.CreateAnd(Inside, Other, "window")
                          : B.CreateLogicalAnd(Inside, Other, "window");
  }
  BasicBlock *Access = block("access"), *Outside = block("outside");
  B.CreateCondBr(Inside, Access, Outside);
  B.SetInsertPoint(Access);
  Frame Old = enter();
  keep(Moved);
  if (R.chance(60))
    delinearize(Moved);
  use();
  leave(Old);
  B.CreateBr(Outside);
  B.SetInsertPoint(Outside);
  keep(Moved);
}

void KernelBuilder::idiom() {
  switch (R.below(15)) {
  case 0:
  case 1:
    keep(magicDivision());
    return;
  case 2:
    keep(narrowDivision());
    return;
  case 3:
    keep(clampedIndex());
    return;
  case 4:
    keep(roundUp());
    return;
  case 5:
    keep(mirroredQuotient());
    return;
  case 6:
    keep(frozenRemainder());
    return;
  case 7:
    keep(mergedCoefficients());
    return;
  case 8:
    keep(swizzle());
    return;
  case 9:
    keep(boundaryIndex());
    return;
  case 10:
    keep(boundedQuotient());
    return;
  case 11:
    keep(quotientOfRemainder());
    return;
  case 12:
    keep(frozenPoison());
    return;
  default:
    paddedAccess();
    return;
  }
}

} // namespace unravel
