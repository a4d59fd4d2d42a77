//===- BuildShapes.cpp - Indices taken apart and put together -------------===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tools/kernel-fuzz/generator/KernelBuilder.h"
#include "tools/kernel-fuzz/interpreter/Scalar.h"
#include "llvm/Support/MathExtras.h"

using namespace llvm;

namespace unravel {

Value *KernelBuilder::quotient(Value *X, int64_t D, bool Signed) {
  Type *Ty = X->getType();
  if (isPowerOf2_64(uint64_t(D)) && R.chance(60)) {
    ConstantInt *Amount = number(Ty, Log2_64(uint64_t(D)));
    return Signed ? B.CreateAShr(X, Amount, "q") : B.CreateLShr(X, Amount, "q");
  }
  return divide(X, number(Ty, uint64_t(D)), /*Remainder=*/false, Signed);
}

KernelBuilder::Digits KernelBuilder::delinearize(Value *X) {
  enum { Remainder, Subtract, AddNegative, Mask, NumStyles };
  Type *Ty = X->getType();
  unsigned Width = Ty->getIntegerBitWidth();
  // Positive in the word, and not so large that the mask of a digit is -1.
  int64_t MaxRadix = Width >= 32 ? INT32_MAX : (int64_t(1) << (Width - 2));
  bool Signed = R.chance(25);
  uint64_t Style = R.below(NumStyles);
  Digits D;
  for (uint64_t K = 1 + R.below(3); K > 0; --K) {
    int64_t Radix = R.chance(30) ? int64_t(1) << R.below(7) : radix();
    if (Radix > MaxRadix)
      Radix = 3;
    ConstantInt *RadixBits = number(Ty, uint64_t(Radix));
    Value *Q = quotient(X, Radix, Signed);
    Value *Digit;
    if (Style == Subtract)
      Digit = B.CreateSub(X, B.CreateMul(Q, RadixBits, "whole"), "digit");
    else if (Style == AddNegative)
      Digit = B.CreateAdd(
          X, B.CreateMul(Q, number(Ty, uint64_t(-Radix)), "whole"), "digit");
    else if (Style == Mask && isPowerOf2_64(uint64_t(Radix)))
      Digit = B.CreateAnd(X, number(Ty, uint64_t(Radix) - 1), "digit");
    else
      Digit = divide(X, RadixBits, /*Remainder=*/true, Signed);
    D.Parts.push_back(keep(Digit));
    D.Radices.push_back(Radix);
    X = keep(Q);
  }
  int64_t Last = radix();
  if (R.chance(30) && Last <= MaxRadix)
    X = keep(divide(X, number(Ty, uint64_t(Last)), /*Remainder=*/true, Signed));
  D.Parts.push_back(X);
  D.Radices.push_back(0);
  return D;
}

Value *KernelBuilder::term(Value *Digit, uint64_t Stride) {
  Type *Ty = Digit->getType();
  if (lowBits(Stride, Ty->getIntegerBitWidth()) == 1)
    return Digit;
  if (isPowerOf2_64(Stride) && Log2_64(Stride) < Ty->getIntegerBitWidth() &&
      R.chance(70))
    return B.CreateShl(Digit, number(Ty, Log2_64(Stride)), "term");
  return B.CreateMul(Digit, number(Ty, Stride), "term");
}

/// A sum of products, mostly with the strides that undo the taking apart; now
/// and then digits are swapped, shifted or have other strides.
Value *KernelBuilder::linearize(Digits D) {
  Type *Ty = D.Parts[0]->getType();
  for (Value *&Digit : D.Parts)
    Digit = convert(Digit, Ty);
  if (R.chance(25)) {
    size_t From = R.below(D.Parts.size());
    size_t To = R.below(D.Parts.size());
    std::swap(D.Parts[From], D.Parts[To]);
  }
  std::vector<uint64_t> Strides;
  uint64_t Stride = R.chance(60) ? 1 : uint64_t(radix());
  for (int64_t Radix : D.Radices) {
    Strides.push_back(Stride);
    Stride *= uint64_t(R.chance(80) ? Radix : radix());
    if (R.chance(10))
      Stride += R.below(7) - 3;
  }
  if (Ty->getIntegerBitWidth() < 64 && R.chance(15))
    Ty = B.getInt64Ty();
  Value *Sum = nullptr;
  for (size_t K = D.Parts.size(); K-- > 0;) {
    Value *Digit = convert(D.Parts[K], Ty);
    if (R.chance(12))
      Digit = B.CreateAdd(Digit, number(Ty, R.below(7) - 3), "shifted");
    Value *T = term(Digit, Strides[K]);
    if (!Sum)
      Sum = T;
    else if (R.chance(12))
      Sum = B.CreateOr(Sum, T, "linear");
    else if (R.chance(8))
      Sum = B.CreateSub(Sum, T, "linear");
    else
      Sum = B.CreateAdd(Sum, T, "linear");
  }
  if (R.chance(20)) {
    int64_t Offset = radix();
    Sum = B.CreateAdd(
        Sum, number(Ty, uint64_t(R.chance(50) ? Offset : -Offset)), "offset");
  }
  return keep(Sum);
}

/// [A, B, C] -> [D, E]: what one shape puts together the next takes apart.
void KernelBuilder::reshape() {
  Value *Linear = linearize(delinearize(variable(indexType())));
  Digits D = delinearize(Linear);
  if (R.chance(40))
    linearize(std::move(D));
}

/// A size made from \p V: positive in two ways, or anything.
Value *KernelBuilder::sizeFrom(Value *V, uint64_t Way) {
  Type *Ty = V->getType();
  switch (Way) {
  case 0:
    return call(Intrinsic::smax, {Ty}, {V, number(Ty, 1)}, "size");
  case 1:
    return B.CreateAdd(B.CreateAnd(V, number(Ty, 1023), "size.low"),
                       number(Ty, 1), "size");
  default: // nothing is known: zero is undefined behavior
    return V;
  }
}

/// x / (W*H), (x / W) % H, x % W for sizes that are known at run time only, and
/// together again.
void KernelBuilder::runtimeShape() {
  Type *Ty =
      Kind == Profile::Wide || R.chance(25) ? B.getInt64Ty() : B.getInt32Ty();
  bool Signed = R.chance(40);
  auto Size = [&]() -> Value * {
    if (R.chance(25))
      return number(Ty, uint64_t(radix()));
    Value *V = operand(Ty);
    return sizeFrom(V, R.below(3));
  };
  Value *X = variable(Ty);
  Value *W = Size();
  if (auto *Constant = dyn_cast<llvm::Constant>(W);
      Constant && Constant->isNullValue())
    W = number(Ty, 5);
  Value *Row = keep(divide(X, W, /*Remainder=*/false, Signed));
  Value *Column = R.chance(40)
                      ? B.CreateSub(X, B.CreateMul(Row, W, "whole"), "column")
                      : divide(X, W, /*Remainder=*/true, Signed);
  keep(Column);
  Value *Linear;
  if (R.chance(50)) {
    Value *H = Size();
    if (auto *Constant = dyn_cast<llvm::Constant>(H);
        Constant && Constant->isNullValue())
      H = number(Ty, 7);
    Value *Plane = R.chance(50) ? divide(Row, H, /*Remainder=*/false, Signed)
                                : divide(X, B.CreateMul(W, H, "area"),
                                         /*Remainder=*/false, Signed);
    keep(Plane);
    Value *Line = keep(divide(Row, H, /*Remainder=*/true, Signed));
    Value *Lines = B.CreateAdd(B.CreateMul(Plane, H, "plane"), Line, "lines");
    Linear = B.CreateAdd(B.CreateMul(Lines, W, "row"), Column, "linear");
  } else {
    Linear = B.CreateAdd(B.CreateMul(Row, W, "row"), Column, "linear");
  }
  keep(Linear);
  if (R.chance(30))
    keep(divide(Linear, W, R.chance(50), Signed));
}

} // namespace unravel
