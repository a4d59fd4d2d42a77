//===- ElementConversions.cpp - Code that changes the type of elements ----===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Floats of 8 bits have as many formats as makers, so both directions are table
// lookups, with tables that APFloat fills.
//
//===----------------------------------------------------------------------===//

#include "frontend/emit/ElementEmitter.h"
#include "llvm/IR/Constants.h"

using namespace llvm;

namespace unravel {

static bool isSmallFloat(ElementType Type) {
  return isFloat(Type) && bitWidth(Type) == 8;
}

//===----------------------------------------------------------------------===//
// Types, memory
//===----------------------------------------------------------------------===//

Type *ElementEmitter::valueType(ElementType T) const {
  if (isComplex(T))
    return FixedVectorType::get(valueType(componentOf(T)), 2);
  switch (T) {
  case ElementType::F16:
    return Type::getHalfTy(C);
  case ElementType::F32:
    return Type::getFloatTy(C);
  case ElementType::F64:
    return Type::getDoubleTy(C);
  default:
    return IntegerType::get(C, bitWidth(T));
  }
}

Type *ElementEmitter::memoryType(ElementType T) const {
  return bitWidth(T) < 8 ? IntegerType::get(C, 8) : valueType(T);
}

Type *ElementEmitter::computeType(ElementType T) const {
  bool IsDouble = T == ElementType::F64 || T == ElementType::C128;
  return IsDouble ? Type::getDoubleTy(C) : Type::getFloatTy(C);
}

Constant *ElementEmitter::constant(const HloElement &E) const {
  Type *T = valueType(E.Type);
  APInt Bits = E.bits();
  if (T->isIntegerTy())
    return ConstantInt::get(T, Bits);
  if (!isComplex(E.Type))
    return ConstantFP::get(C, APFloat(semanticsOf(E.Type), Bits));
  unsigned Width = Bits.getBitWidth() / 2;
  return ConstantVector::get(
      {ConstantFP::get(C, APFloat(semanticsOf(E.Type), Bits.trunc(Width))),
       ConstantFP::get(
           C, APFloat(semanticsOf(E.Type), Bits.extractBits(Width, Width)))});
}

Value *ElementEmitter::toMemory(IRBuilderBase &B, ElementType T,
                                Value *E) const {
  return bitWidth(T) < 8 ? B.CreateZExt(E, B.getInt8Ty()) : E;
}

Value *ElementEmitter::fromMemory(IRBuilderBase &B, ElementType T,
                                  Value *Stored) const {
  if (isPred(T)) // anything but 0 is true
    return B.CreateIsNotNull(Stored);
  return bitWidth(T) < 8 ? B.CreateTrunc(Stored, valueType(T)) : Stored;
}

Value *ElementEmitter::addressOf(IRBuilderBase &B, ElementType T,
                                 Value *Pointer, Value *Offset) const {
  return B.CreateInBoundsGEP(memoryType(T), Pointer, {Offset});
}

Value *ElementEmitter::load(IRBuilderBase &B, ElementType T, Value *Pointer,
                            Value *Offset) const {
  Value *Stored = B.CreateAlignedLoad(
      memoryType(T), addressOf(B, T, Pointer, Offset), Align(byteWidth(T)));
  return fromMemory(B, T, Stored);
}

void ElementEmitter::store(IRBuilderBase &B, ElementType T, Value *Pointer,
                           Value *Offset, Value *E) const {
  Value *Stored = toMemory(B, T, E);
  B.CreateAlignedStore(Stored, addressOf(B, T, Pointer, Offset),
                       Align(byteWidth(T)));
}

Value *ElementEmitter::toBits(IRBuilderBase &B, ElementType T, Value *E) const {
  return B.CreateBitCast(E, B.getIntNTy(bitWidth(T)));
}

Value *ElementEmitter::fromBits(IRBuilderBase &B, ElementType T,
                                Value *Bits) const {
  return B.CreateBitCast(Bits, valueType(T));
}

GlobalVariable *ElementEmitter::table(const Twine &Name, Constant *Data) {
  constexpr unsigned GlobalMemory = 1;
  auto *Table = new GlobalVariable(
      M, Data->getType(), /*isConstant=*/true, GlobalValue::PrivateLinkage,
      Data, Name, nullptr, GlobalValue::NotThreadLocal, GlobalMemory);
  Table->setUnnamedAddr(GlobalValue::UnnamedAddr::Global);
  Table->setAlignment(Align(16));
  return Table;
}

//===----------------------------------------------------------------------===//
// Floats of 8 bits
//===----------------------------------------------------------------------===//

/// The float that each of the 256 codes means.
GlobalVariable *ElementEmitter::wideningTable(ElementType T) {
  std::string Name = ("unravel." + nameOf(T) + ".values").str();
  if (GlobalVariable *Known = M.getGlobalVariable(Name, true))
    return Known;
  std::vector<float> Values;
  for (unsigned Code = 0; Code < 256; ++Code)
    Values.push_back(float(HloElement::fromBits(T, APInt(8, Code)).real()));
  return table(Name, ConstantDataArray::get(C, Values));
}

/// `i8 f(double)`. Codes grow with the magnitude of what they are the nearest
/// of, so they are found by the number of thresholds that a magnitude reaches:
/// by bisection, in the bits of the magnitude, which are ordered as it is.
Function *ElementEmitter::roundingFunction(ElementType T) {
  std::string Name = ("unravel.to." + nameOf(T)).str();
  if (Function *Known = M.getFunction(Name))
    return Known;

  auto CodeOf = [&](uint64_t Bits, bool IsNegative) {
    double Value =
        APFloat(APFloat::IEEEdouble(), APInt(64, Bits)).convertToDouble();
    return uint8_t(HloElement::number(T, IsNegative ? -Value : Value)
                       .bits()
                       .getZExtValue());
  };
  uint64_t Infinity =
      APFloat::getInf(APFloat::IEEEdouble()).bitcastToAPInt().getZExtValue();
  std::vector<uint64_t> Thresholds;
  std::vector<uint8_t> Positive = {CodeOf(0, false)};
  constexpr uint64_t Tiny = 1;
  std::vector<uint8_t> Negative = {CodeOf(Tiny, true)};
  while (Positive.back() != CodeOf(Infinity, false)) {
    uint64_t Low = Thresholds.empty() ? 0 : Thresholds.back();
    uint64_t High = Infinity; // has another code than Low has
    while (High - Low > 1) {
      uint64_t Middle = Low + (High - Low) / 2;
      (CodeOf(Middle, false) == Positive.back() ? Low : High) = Middle;
    }
    Thresholds.push_back(High);
    Positive.push_back(CodeOf(High, false));
    Negative.push_back(CodeOf(High, true));
  }
  assert(Positive.size() <= 256 && "more codes than there are");
  Thresholds.resize(255, ~uint64_t(0));
  Positive.resize(256);
  Negative.resize(256);

  auto *F = Function::Create(
      FunctionType::get(Type::getInt8Ty(C), {Type::getDoubleTy(C)}, false),
      GlobalValue::InternalLinkage, Name, M);
  F->addFnAttr(Attribute::NoUnwind);
  IRBuilder<> B(BasicBlock::Create(C, "entry", F));
  Value *X = F->getArg(0);
  Value *Bits = B.CreateBitCast(X, B.getInt64Ty());
  Value *Magnitude = B.CreateAnd(Bits, B.getInt64(INT64_MAX));
  GlobalVariable *Table =
      table(Name + ".thresholds", ConstantDataArray::get(C, Thresholds));
  Value *Reached = B.getInt32(0);
  for (unsigned Step = 128; Step > 0; Step /= 2) {
    Value *Place = B.CreateAdd(Reached, B.getInt32(Step - 1));
    Value *Threshold = B.CreateLoad(
        B.getInt64Ty(), B.CreateInBoundsGEP(B.getInt64Ty(), Table, {Place}));
    Value *IsReached = B.CreateICmpUGE(Magnitude, Threshold);
    Value *Further = B.CreateAdd(Reached, B.getInt32(Step));
    Reached = B.CreateSelect(IsReached, Further, Reached);
  }
  auto LookUp = [&](const Twine &Part, ArrayRef<uint8_t> Codes) {
    GlobalVariable *Table =
        table(Name + Part, ConstantDataArray::get(C, Codes));
    return B.CreateLoad(B.getInt8Ty(),
                        B.CreateInBoundsGEP(B.getInt8Ty(), Table, {Reached}));
  };
  // A format without zeros and signs takes -0 for 0, and nothing below it.
  Value *IsNegative =
      T == ElementType::F8E8M0FNU
          ? B.CreateFCmpOLT(X, Constant::getNullValue(X->getType()))
          : B.CreateICmpSLT(Bits, B.getInt64(0));
  Value *Below = LookUp(".negative", Negative);
  Value *Above = LookUp(".positive", Positive);
  Value *Code = B.CreateSelect(IsNegative, Below, Above);
  uint64_t NaN =
      APFloat::getNaN(semanticsOf(T)).bitcastToAPInt().getZExtValue();
  B.CreateRet(
      B.CreateSelect(B.CreateFCmpUNO(X, X), B.getInt8(uint8_t(NaN)), Code));
  return F;
}

//===----------------------------------------------------------------------===//
// Between a float type and what it is computed in
//===----------------------------------------------------------------------===//

Value *roundToOdd(IRBuilderBase &B, Value *X) {
  Value *Near = B.CreateFPTrunc(X, B.getFloatTy());
  Value *Back = B.CreateFPExt(Near, B.getDoubleTy());
  Value *Bits = B.CreateBitCast(Near, B.getInt32Ty());
  Value *IsEven = B.CreateIsNull(B.CreateAnd(Bits, B.getInt32(1)));
  Value *IsInexact = B.CreateFCmpONE(X, Back);
  Value *Reached = B.CreateUnaryIntrinsic(Intrinsic::fabs, Back);
  Value *Magnitude = B.CreateUnaryIntrinsic(Intrinsic::fabs, X);
  Value *IsLarger = B.CreateFCmpOGT(Reached, Magnitude);
  // Bits of a magnitude are ordered as it is; the sign bit stays.
  Value *Step = B.CreateSelect(IsLarger, B.getInt32(-1), B.getInt32(1));
  Value *Odd = B.CreateBitCast(B.CreateAdd(Bits, Step), B.getFloatTy());
  return B.CreateSelect(B.CreateAnd(IsInexact, IsEven), Odd, Near);
}

/// The upper half of a float, rounded to nearest, ties to even.
static Value *roundToBrain(IRBuilderBase &B, Value *X) {
  Value *Bits = B.CreateBitCast(X, B.getInt32Ty());
  Value *Last = B.CreateAnd(B.CreateLShr(Bits, 16), B.getInt32(1));
  Value *Rounded = B.CreateAdd(Bits, B.CreateAdd(Last, B.getInt32(0x7fff)));
  // Adding might make an infinity of a NaN.
  Value *Quiet = B.CreateOr(Bits, B.getInt32(0x400000));
  Value *Chosen = B.CreateSelect(B.CreateFCmpUNO(X, X), Quiet, Rounded);
  return B.CreateTrunc(B.CreateLShr(Chosen, 16), B.getInt16Ty());
}

Value *ElementEmitter::widen(IRBuilderBase &B, ElementType From, Value *X) {
  if (isSmallFloat(From)) {
    Value *Place = B.CreateZExt(X, B.getInt32Ty());
    return B.CreateLoad(
        B.getFloatTy(),
        B.CreateInBoundsGEP(B.getFloatTy(), wideningTable(From), {Place}));
  }
  if (From == ElementType::BF16)
    return B.CreateBitCast(
        B.CreateShl(B.CreateZExt(X, B.getInt32Ty()), B.getInt32(16)),
        B.getFloatTy());
  return From == ElementType::F16 ? B.CreateFPExt(X, B.getFloatTy()) : X;
}

/// Once: \p X is a float or a double.
Value *ElementEmitter::round(IRBuilderBase &B, ElementType To, Value *X) {
  if (isSmallFloat(To))
    return B.CreateCall(roundingFunction(To),
                        {B.CreateFPCast(X, B.getDoubleTy())});
  if (To != ElementType::BF16 && To != ElementType::F16)
    return B.CreateFPCast(X, valueType(To));
  if (X->getType()->isDoubleTy())
    X = roundToOdd(B, X);
  return To == ElementType::BF16 ? roundToBrain(B, X)
                                 : B.CreateFPTrunc(X, B.getHalfTy());
}

//===----------------------------------------------------------------------===//
// Convert
//===----------------------------------------------------------------------===//

Value *ElementEmitter::convertInteger(IRBuilderBase &B, ElementType To,
                                      ElementType From, Value *X) {
  bool Signed = isSigned(From);
  if (isPred(To))
    return B.CreateIsNotNull(X);
  if (isInteger(To))
    return Signed ? B.CreateSExtOrTrunc(X, valueType(To))
                  : B.CreateZExtOrTrunc(X, valueType(To));
  auto ToFloat = [&](Value *V, Type *T) {
    return Signed ? B.CreateSIToFP(V, T) : B.CreateUIToFP(V, T);
  };
  if (To == ElementType::F32 || To == ElementType::F64)
    return ToFloat(X, valueType(To));
  if (To != ElementType::F8E8M0FNU && bitWidth(From) == 64) {
    // Double has 53 bits. A larger magnitude loses its 11 lowest ones, the last
    // that is left says whether anything was lost.
    Value *Low = B.CreateAnd(X, B.getInt64(0x7ff));
    Value *Sticky =
        B.CreateSelect(B.CreateIsNull(Low), B.getInt64(0), B.getInt64(0x800));
    Value *High =
        B.CreateOr(B.CreateAnd(X, B.getInt64(~uint64_t(0x7ff))), Sticky);
    constexpr uint64_t Exact = uint64_t(1) << 53;
    Value *IsExact = Signed ? B.CreateICmpULE(B.CreateAdd(X, B.getInt64(Exact)),
                                              B.getInt64(2 * Exact))
                            : B.CreateICmpULE(X, B.getInt64(Exact));
    X = B.CreateSelect(IsExact, X, High);
  }
  return round(B, To, ToFloat(X, B.getDoubleTy()));
}

Value *ElementEmitter::convert(IRBuilderBase &B, ElementType To,
                               ElementType From, Value *X) {
  if (To == From)
    return X;
  if (isComplex(To)) {
    Value *Imaginary = zero(componentOf(To)), *Real;
    if (isComplex(From)) {
      Real = convert(B, componentOf(To), componentOf(From),
                     B.CreateExtractElement(X, uint64_t(0)));
      Imaginary = convert(B, componentOf(To), componentOf(From),
                          B.CreateExtractElement(X, uint64_t(1)));
    } else {
      Real = convert(B, componentOf(To), From, X);
    }
    Value *Pair = PoisonValue::get(valueType(To));
    Pair = B.CreateInsertElement(Pair, Real, uint64_t(0));
    return B.CreateInsertElement(Pair, Imaginary, uint64_t(1));
  }
  if (isComplex(From))
    return convert(B, To, componentOf(From),
                   B.CreateExtractElement(X, uint64_t(0)));
  if (!isFloat(From))
    return convertInteger(B, To, From, X);
  Value *Wide = widen(B, From, X);
  if (isFloat(To))
    return round(B, To, Wide);
  if (isPred(To)) // of a NaN as well
    return B.CreateFCmpUNE(Wide, Constant::getNullValue(Wide->getType()));
  return B.CreateIntrinsic(isSigned(To) ? Intrinsic::fptosi_sat
                                        : Intrinsic::fptoui_sat,
                           {valueType(To), Wide->getType()}, {Wide});
}

} // namespace unravel
