//===- BuildVectors.cpp - Vectors of indices ------------------------------===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What LLVM's SLP vectorizer makes of the indices of neighbouring elements.
// Some lanes are poison or undef; which ones is known here, so that most of the
// lanes that are used are neither.
//
//===----------------------------------------------------------------------===//

#include "tools/kernel-fuzz/generator/KernelBuilder.h"

using namespace llvm;

namespace unravel {

static unsigned lanesOf(const Value *V) {
  return cast<FixedVectorType>(V->getType())->getNumElements();
}

static FixedVectorType *typeOf(const Value *V) {
  return cast<FixedVectorType>(V->getType());
}

FixedVectorType *KernelBuilder::vectorType() {
  static constexpr unsigned Lanes[] = {2, 2, 2, 2, 2, 2, 2, 2, 2,  2,
                                       4, 4, 4, 4, 4, 3, 8, 1, 16, 17};
  static constexpr unsigned Widths[] = {32, 32, 32, 32, 32, 32, 32, 32,
                                        32, 32, 64, 64, 64, 64, 64, 8,
                                        8,  16, 16, 16, 16, 24};
  unsigned Width = R.pick(Widths);
  return FixedVectorType::get(B.getIntNTy(Width), R.pick(Lanes));
}

KernelBuilder::VectorValue KernelBuilder::keepVector(VectorValue X) {
  if (!isa<Constant>(X.V))
    Vectors.push_back(X);
  return X;
}

//===----------------------------------------------------------------------===//
// Vectors of scalars
//===----------------------------------------------------------------------===//

/// Lanes x, x + c, x + 2*c, ..., or unrelated ones; some are left out.
KernelBuilder::VectorValue KernelBuilder::neighbours(FixedVectorType *Ty) {
  Type *Element = Ty->getElementType();
  enum { Added, Disjoint, Unrelated, NumStyles };
  uint64_t Style = R.below(NumStyles);
  Value *First = variable(Element);
  uint64_t Step = R.chance(50) ? 1 : uint64_t(radix());
  if (Style == Disjoint)
    First = B.CreateShl(First, number(Element, 3), "first");
  bool HasConstants = R.chance(20), LeavesOut = R.chance(15);
  VectorValue X;
  X.V = PoisonValue::get(Ty);
  X.Poison = (uint64_t(1) << Ty->getNumElements()) - 1;
  if (HasConstants)
    X = laneConstants(Ty);
  else if (R.chance(12))
    X.V = UndefValue::get(Ty);
  for (unsigned Lane = 0; Lane < Ty->getNumElements(); ++Lane) {
    if ((LeavesOut || HasConstants) && R.chance(30))
      continue;
    Value *V;
    if (Style == Unrelated)
      V = operand(Element);
    else if (Lane == 0)
      V = First;
    else if (Style == Disjoint)
      V = B.CreateOr(First, number(Element, Lane % 8), "next");
    else
      V = B.CreateAdd(First, number(Element, Lane * Step), "next");
    X.V = B.CreateInsertElement(X.V, V, uint64_t(Lane), "v");
    X.Poison &= ~(uint64_t(1) << Lane);
  }
  return X;
}

KernelBuilder::VectorValue KernelBuilder::splat(FixedVectorType *Ty) {
  Value *V = variable(Ty->getElementType());
  return {B.CreateVectorSplat(Ty->getNumElements(), V, "splat"), 0};
}

/// Such vectors are data to the pass, and what is computed from them as well.
KernelBuilder::VectorValue KernelBuilder::loadVector(FixedVectorType *Ty) {
  Value *Index = operand(B.getInt64Ty());
  if (R.chance(70)) // they must lie within an object
    Index = B.CreateAnd(Index, B.getInt64(127), "small");
  Value *Pointer = B.CreateGEP(Ty, Readable, Index, "elements");
  return {B.CreateAlignedLoad(Ty, Pointer, Align(1), "loaded"), 0};
}

KernelBuilder::VectorValue KernelBuilder::newVector(FixedVectorType *Ty) {
  bool MayBeData = mixBits(Seed) % 3 == 0; // in all of the kernel
  if (MayBeData && R.chance(20))
    return loadVector(Ty);
  return R.chance(20) ? splat(Ty) : neighbours(Ty);
}

KernelBuilder::VectorValue KernelBuilder::anyVector() {
  if (Vectors.empty() || R.chance(25))
    return keepVector(newVector(vectorType()));
  size_t Recent = std::min<size_t>(Vectors.size(), 4);
  return Vectors[Vectors.size() - 1 - R.below(Recent)];
}

KernelBuilder::VectorValue KernelBuilder::castLanes(VectorValue X,
                                                    Type *Element) {
  auto *Ty = FixedVectorType::get(Element, lanesOf(X.V));
  unsigned From = X.V->getType()->getScalarSizeInBits();
  unsigned To = Element->getIntegerBitWidth();
  if (From > To)
    X.V = B.CreateTrunc(X.V, Ty, "vtr");
  else if (From < To)
    X.V = R.chance(60) ? B.CreateZExt(X.V, Ty, "vzx")
                       : B.CreateSExt(X.V, Ty, "vsx");
  return X;
}

/// A vector with as many lanes may have others of another type.
KernelBuilder::VectorValue KernelBuilder::vectorOf(FixedVectorType *Ty) {
  for (unsigned Attempt = 0; Attempt < 4 && !Vectors.empty(); ++Attempt) {
    VectorValue X = R.pick(Vectors);
    if (lanesOf(X.V) == Ty->getNumElements())
      return castLanes(X, Ty->getElementType());
  }
  return keepVector(newVector(Ty));
}

KernelBuilder::VectorValue KernelBuilder::laneConstants(FixedVectorType *Ty) {
  Type *Element = Ty->getElementType();
  bool IsSplat = R.chance(50);
  bool HasHoles = !IsSplat && R.chance(15);
  Constant *Same = interestingConstant(Element);
  SmallVector<Constant *, 8> Lanes;
  uint64_t Poison = 0;
  for (unsigned Lane = 0; Lane < Ty->getNumElements(); ++Lane) {
    Constant *C = IsSplat ? Same : interestingConstant(Element);
    if (HasHoles && R.chance(30)) {
      C = R.chance(70) ? PoisonValue::get(Element) : UndefValue::get(Element);
      Poison |= uint64_t(1) << Lane;
    }
    Lanes.push_back(C);
  }
  return {ConstantVector::get(Lanes), Poison};
}

KernelBuilder::VectorValue KernelBuilder::vectorOperand(FixedVectorType *Ty) {
  return R.chance(55) ? laneConstants(Ty) : vectorOf(Ty);
}

//===----------------------------------------------------------------------===//
// Operations
//===----------------------------------------------------------------------===//

/// None of them 0.
Constant *KernelBuilder::laneDivisors(FixedVectorType *Ty) {
  Type *Element = Ty->getElementType();
  bool IsSplat = R.chance(70);
  SmallVector<Constant *, 8> Lanes;
  for (unsigned Lane = 0; Lane < Ty->getNumElements(); ++Lane) {
    ConstantInt *D = number(Element, uint64_t(radix()));
    if (D->isZero())
      D = number(Element, 3);
    Lanes.push_back(IsSplat && Lane > 0 ? Lanes[0] : D);
  }
  return ConstantVector::get(Lanes);
}

KernelBuilder::VectorValue KernelBuilder::vectorArithmetic(VectorValue X) {
  VectorValue Y = vectorOperand(typeOf(X.V));
  uint64_t Poison = X.Poison | Y.Poison;
  switch (R.below(5)) {
  case 0:
  case 1:
    return {B.CreateAdd(X.V, Y.V, "vadd"), Poison};
  case 2:
    return {B.CreateSub(X.V, Y.V, "vsub"), Poison};
  case 3:
    return {B.CreateSub(Y.V, X.V, "vback"), Poison};
  default:
    return {B.CreateMul(X.V, Y.V, "vmul"), Poison};
  }
}

KernelBuilder::VectorValue KernelBuilder::vectorDivision(VectorValue X) {
  FixedVectorType *Ty = typeOf(X.V);
  bool Remainder = R.chance(50);
  bool Signed = R.chance(40);
  Value *D = laneDivisors(Ty);
  if (R.chance(12)) {
    VectorValue Y = vectorOf(Ty);
    if (Y.Poison == 0) // else a lane would be undefined in every thread
      D = B.CreateOr(Y.V, ConstantInt::get(Ty, 1), "vnonzero");
  }
  X.V = divide(X.V, D, Remainder, Signed);
  return X;
}

/// Quotients and remainders, those of negative numbers rounded down, and put
/// together again.
KernelBuilder::VectorValue KernelBuilder::vectorDigits(VectorValue X) {
  FixedVectorType *Ty = typeOf(X.V);
  Constant *D = laneDivisors(Ty);
  bool Signed = R.chance(40);
  bool RoundsDown = Signed && R.chance(60);
  Value *Q = divide(X.V, D, /*Remainder=*/false, Signed);
  Value *Rest = R.chance(50)
                    ? divide(X.V, D, /*Remainder=*/true, Signed)
                    : B.CreateSub(X.V, B.CreateMul(Q, D, "vwhole"), "vdigit");
  if (RoundsDown) {
    Value *IsNegative =
        B.CreateICmpSLT(Rest, Constant::getNullValue(Ty), "vnegative");
    Rest = B.CreateSelect(IsNegative, B.CreateAdd(Rest, D, "vfixed"), Rest,
                          "vrest");
    Q = B.CreateSelect(
        IsNegative, B.CreateAdd(Q, Constant::getAllOnesValue(Ty)), Q, "vfloor");
  }
  keepVector({Q, X.Poison});
  keepVector({Rest, X.Poison});
  if (R.chance(35))
    return {R.chance(50) ? Q : Rest, X.Poison};
  if (R.chance(25))
    D = laneDivisors(Ty); // the wrong one
  return {B.CreateAdd(B.CreateMul(Q, D, "vterm"), Rest, "vlinear"), X.Poison};
}

KernelBuilder::VectorValue KernelBuilder::vectorBits(VectorValue X) {
  FixedVectorType *Ty = typeOf(X.V);
  unsigned Width = Ty->getScalarSizeInBits();
  SmallVector<Constant *, 8> Amounts;
  bool IsSplat = R.chance(60);
  for (unsigned Lane = 0; Lane < Ty->getNumElements(); ++Lane) {
    Constant *Amount = number(Ty->getElementType(), R.below(Width));
    Amounts.push_back(IsSplat && Lane > 0 ? Amounts[0] : Amount);
  }
  Constant *Amount = ConstantVector::get(Amounts);
  switch (R.below(7)) {
  case 0:
    return {B.CreateShl(X.V, Amount, "vshl"), X.Poison};
  case 1:
    return {B.CreateLShr(X.V, Amount, "vlshr"), X.Poison};
  case 2:
    return {B.CreateAShr(X.V, Amount, "vashr"), X.Poison};
  case 3:
    return {B.CreateAnd(X.V,
                        B.CreateLShr(Constant::getAllOnesValue(Ty), Amount),
                        "vlow"),
            X.Poison};
  case 4: {
    VectorValue Y = vectorOperand(Ty);
    return {B.CreateXor(X.V, Y.V, "vxor"), X.Poison | Y.Poison};
  }
  case 5: {
    VectorValue Y = vectorOperand(Ty);
    return {B.CreateAnd(X.V, Y.V, "vand"), X.Poison | Y.Poison};
  }
  default: {
    VectorValue Y = vectorOperand(Ty);
    return {B.CreateOr(X.V, Y.V, "vor"), X.Poison | Y.Poison};
  }
  }
}

KernelBuilder::VectorValue KernelBuilder::vectorMinMax(VectorValue X) {
  static constexpr Intrinsic::ID IDs[] = {
      Intrinsic::smin, Intrinsic::smax,     Intrinsic::umin, Intrinsic::umax,
      Intrinsic::abs,  Intrinsic::usub_sat, Intrinsic::ctpop};
  Type *Ty = X.V->getType();
  Intrinsic::ID ID = R.pick(IDs);
  if (ID == Intrinsic::ctpop)
    return {call(ID, {Ty}, {X.V}, "vbits"), X.Poison};
  if (ID == Intrinsic::abs)
    return {call(ID, {Ty}, {X.V, B.getInt1(R.chance(40))}, "vabs"), X.Poison};
  VectorValue Y = vectorOperand(typeOf(X.V));
  return {call(ID, {Ty}, {X.V, Y.V}, "vclamp"), X.Poison | Y.Poison};
}

/// A vector of conditions.
KernelBuilder::VectorValue KernelBuilder::vectorCompare(VectorValue X) {
  VectorValue Y = vectorOperand(typeOf(X.V));
  CmpInst::Predicate P = predicate();
  return {B.CreateICmp(P, X.V, Y.V, "vcmp"), X.Poison | Y.Poison};
}

KernelBuilder::VectorValue KernelBuilder::vectorSelect(VectorValue X) {
  FixedVectorType *Ty = typeOf(X.V);
  VectorValue Y = vectorOperand(Ty);
  if (R.chance(25)) { // of the whole vector
    Value *If = condition(/*Depth=*/2);
    return {B.CreateSelect(If, X.V, Y.V, "vsel"), X.Poison | Y.Poison};
  }
  VectorValue Left = R.chance(50) ? X : vectorOf(Ty);
  VectorValue If = vectorCompare(Left);
  if (R.chance(15)) {
    VectorValue Other = vectorCompare(X);
    If = {B.CreateAnd(If.V, Other.V, "vboth"), If.Poison | Other.Poison};
  }
  if (R.chance(25)) // a condition as a number
    return {B.CreateZExt(If.V, Ty, "vbool"), If.Poison};
  return {B.CreateSelect(If.V, X.V, Y.V, "vsel"),
          If.Poison | X.Poison | Y.Poison};
}

/// Lanes of one or two vectors, in any order, some of them twice or not at all.
KernelBuilder::VectorValue KernelBuilder::shuffle(VectorValue X) {
  FixedVectorType *Ty = typeOf(X.V);
  VectorValue Y{PoisonValue::get(Ty), UINT64_MAX};
  if (R.chance(60))
    Y = vectorOf(Ty);
  unsigned Count = Ty->getNumElements();
  static constexpr unsigned Counts[] = {2, 2, 4, 4, 3, 8};
  unsigned NewCount = R.chance(50) ? Count : R.pick(Counts);
  bool HasHoles = R.chance(15);
  SmallVector<int, 8> Mask;
  uint64_t Poison = 0;
  for (unsigned Lane = 0; Lane < NewCount; ++Lane) {
    bool OfSecond = Y.Poison == 0 && R.chance(50);
    int From = int(R.below(Count));
    uint64_t IsPoison = (OfSecond ? Y : X).Poison >> From & 1;
    if (HasHoles && R.chance(30)) {
      From = -1;
      IsPoison = 1;
    } else if (OfSecond) {
      From += int(Count);
    }
    Mask.push_back(From);
    Poison |= IsPoison << Lane;
  }
  return {B.CreateShuffleVector(X.V, Y.V, Mask, "vshuffle"), Poison};
}

/// A lane of it becomes a scalar: it may be one that is not known here, or
/// none, which is poison.
KernelBuilder::VectorValue KernelBuilder::insertLane(VectorValue X) {
  FixedVectorType *Ty = typeOf(X.V);
  unsigned Count = Ty->getNumElements();
  Value *V = operand(Ty->getElementType());
  if (R.chance(85)) {
    uint64_t Lane = R.below(Count);
    return {B.CreateInsertElement(X.V, V, Lane, "vinsert"),
            X.Poison & ~(uint64_t(1) << Lane)};
  }
  Value *Index = variable(B.getInt32Ty());
  uint64_t Bound = R.chance(80) ? Count : Count + 1;
  Index = B.CreateURem(Index, number(Index->getType(), Bound), "lane");
  X.V = B.CreateInsertElement(X.V, V, Index, "vinsert");
  return X;
}

KernelBuilder::VectorValue KernelBuilder::vectorOperation(VectorValue X) {
  switch (R.below(20)) {
  case 0:
  case 1:
  case 2:
  case 3:
    return vectorArithmetic(X);
  case 4:
  case 5:
  case 6:
    return vectorDivision(X);
  case 7:
  case 8:
  case 9:
    return vectorDigits(X);
  case 10:
  case 11:
    return vectorBits(X);
  case 12:
  case 13:
    return vectorMinMax(X);
  case 14:
  case 15:
    return vectorSelect(X);
  case 16:
    return castLanes(X, vectorType()->getElementType());
  case 17:
    return shuffle(X);
  case 18:
    if (X.Poison == 0 || R.chance(20))
      return {B.CreateFreeze(X.V, "vfreeze"), 0};
    return shuffle(X);
  default:
    return insertLane(X);
  }
}

} // namespace unravel
