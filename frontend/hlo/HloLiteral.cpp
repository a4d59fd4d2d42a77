//===- HloLiteral.cpp - Values of HLO shapes ------------------------------===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "frontend/hlo/HloLiteral.h"
#include "llvm/ADT/bit.h"
#include "llvm/Support/MathExtras.h"
#include <cmath>
#include <limits>

using namespace llvm;

namespace unravel {

//===----------------------------------------------------------------------===//
// Elements
//===----------------------------------------------------------------------===//

HloElement HloElement::pred(bool Value) {
  HloElement E;
  E.Integer = APInt(1, Value);
  return E;
}

HloElement HloElement::integer(ElementType Type, int64_t Value) {
  return integer(Type, APInt(64, uint64_t(Value)));
}

HloElement HloElement::integer(ElementType Type, APInt Value) {
  assert(!isFloat(Type) && !isComplex(Type));
  HloElement E;
  E.Type = Type;
  E.Integer = Value.zextOrTrunc(bitWidth(Type));
  return E;
}

HloElement HloElement::number(ElementType Type, std::complex<double> Value) {
  assert(isFloat(Type) || isComplex(Type));
  HloElement E;
  E.Type = Type;
  if (isComplex(Type))
    E.Number = {roundTo(componentOf(Type), Value.real()),
                roundTo(componentOf(Type), Value.imag())};
  else
    E.Number = roundTo(Type, Value.real());
  return E;
}

HloElement HloElement::zero(ElementType Type) {
  if (isFloat(Type) || isComplex(Type))
    return number(Type, 0);
  return integer(Type, int64_t(0));
}

/// \p Value in the format \p Type, which need not have zeros or infinities.
static APFloat toFormat(ElementType Type, double Value) {
  const fltSemantics &Semantics = semanticsOf(Type);
  // f8e8m0fnu has powers of two and one NaN.
  if (Type == ElementType::F8E8M0FNU && Value < 0)
    return APFloat::getNaN(Semantics);
  APFloat Float(Value);
  bool LosesInfo;
  Float.convert(Semantics, APFloat::rmNearestTiesToEven, &LosesInfo);
  return Float;
}

/// Every format is part of double's, but a NaN without a significand would be
/// converted to an infinity.
static double toDouble(const APFloat &Float) {
  if (Float.isNaN())
    return std::copysign(std::numeric_limits<double>::quiet_NaN(),
                         Float.isNegative() ? -1.0 : 1.0);
  return Float.convertToDouble();
}

double roundTo(ElementType Type, double Value) {
  if (Type == ElementType::F64)
    return Value;
  if (Type == ElementType::F32)
    return float(Value);
  return toDouble(toFormat(Type, Value));
}

static APInt floatBits(ElementType Type, double Value) {
  if (Type == ElementType::F64)
    return APFloat(Value).bitcastToAPInt();
  if (Type == ElementType::F32)
    return APFloat(float(Value)).bitcastToAPInt();
  return toFormat(Type, Value).bitcastToAPInt();
}

APInt HloElement::bits() const {
  if (isComplex(Type)) {
    ElementType Part = componentOf(Type);
    return floatBits(Part, Number.imag())
        .concat(floatBits(Part, Number.real()));
  }
  return isFloat(Type) ? floatBits(Type, Number.real()) : Integer;
}

static double doubleFromBits(ElementType Type, const APInt &Bits) {
  if (Type == ElementType::F64)
    return bit_cast<double>(Bits.getZExtValue());
  if (Type == ElementType::F32)
    return bit_cast<float>(uint32_t(Bits.getZExtValue()));
  return toDouble(APFloat(semanticsOf(Type), Bits));
}

HloElement HloElement::fromBits(ElementType Type, const APInt &Bits) {
  HloElement E;
  E.Type = Type;
  if (isComplex(Type)) {
    ElementType Part = componentOf(Type);
    unsigned Width = bitWidth(Part);
    E.Number = {doubleFromBits(Part, Bits.trunc(Width)),
                doubleFromBits(Part, Bits.extractBits(Width, Width))};
  } else if (isFloat(Type)) {
    E.Number = doubleFromBits(Type, Bits);
  } else {
    E.Integer = Bits;
  }
  return E;
}

//===----------------------------------------------------------------------===//
// Literals
//===----------------------------------------------------------------------===//

HloLiteral::HloLiteral(HloShape S) : Shape(std::move(S)) {
  if (Shape.isTuple()) {
    for (const HloShape &Element : Shape.elements())
      Elements.emplace_back(Element);
    return;
  }
  Strides = Shape.strides();
  Bytes.resize(Shape.byteSize());
}

HloLiteral::HloLiteral(HloShape S, std::vector<uint8_t> B)
    : Shape(std::move(S)), Strides(Shape.strides()), Bytes(std::move(B)) {
  assert(Shape.isArray() && Bytes.size() == size_t(Shape.byteSize()));
}

HloLiteral HloLiteral::scalar(const HloElement &Element) {
  HloLiteral L(HloShape::scalar(Element.Type));
  L.setAtOffset(0, Element);
  return L;
}

Expected<HloLiteral> HloLiteral::tuple(std::vector<HloLiteral> Elements) {
  std::vector<HloShape> Shapes;
  for (const HloLiteral &Element : Elements)
    Shapes.push_back(Element.shape());
  Expected<HloShape> Shape = HloShape::tuple(std::move(Shapes));
  if (!Shape)
    return Shape.takeError();
  HloLiteral Tuple;
  Tuple.Bytes.clear();
  Tuple.Shape = std::move(*Shape);
  Tuple.Elements = std::move(Elements);
  return Tuple;
}

APInt HloLiteral::bitsAtOffset(int64_t Offset) const {
  unsigned Width = byteWidth(Shape.elementType());
  const uint8_t *Begin = Bytes.data() + Offset * Width;
  if (Width <= sizeof(uint64_t)) { // all but c128; evaluators spend time here
    uint64_t Word = 0;
    for (unsigned I = 0; I < Width; ++I)
      Word |= uint64_t(Begin[I]) << 8 * I;
    unsigned Used = bitWidth(Shape.elementType());
    return APInt(Used, Word & maskTrailingOnes<uint64_t>(Used));
  }
  APInt Bits(Width * 8, 0);
  for (unsigned I = 0; I < Width; ++I)
    Bits.insertBits(uint64_t(Begin[I]), I * 8, 8);
  return Bits.trunc(bitWidth(Shape.elementType()));
}

void HloLiteral::setBitsAtOffset(int64_t Offset, const APInt &Bits) {
  unsigned Width = byteWidth(Shape.elementType());
  if (Width <= sizeof(uint64_t)) {
    uint64_t Word = Bits.getZExtValue();
    for (unsigned I = 0; I < Width; ++I)
      Bytes[Offset * Width + I] = uint8_t(Word >> 8 * I);
    return;
  }
  APInt Padded = Bits.zext(Width * 8);
  for (unsigned I = 0; I < Width; ++I)
    Bytes[Offset * Width + I] =
        uint8_t(Padded.extractBitsAsZExtValue(8, I * 8));
}

void HloLiteral::copyAtOffset(int64_t Offset, const HloLiteral &From,
                              int64_t FromOffset) {
  unsigned Width = byteWidth(Shape.elementType());
  assert(Width == byteWidth(From.Shape.elementType()));
  std::copy_n(From.Bytes.begin() + FromOffset * Width, Width,
              Bytes.begin() + Offset * Width);
}

HloElement HloLiteral::atOffset(int64_t Offset) const {
  return HloElement::fromBits(Shape.elementType(), bitsAtOffset(Offset));
}

void HloLiteral::setAtOffset(int64_t Offset, const HloElement &Element) {
  assert(Element.Type == Shape.elementType());
  setBitsAtOffset(Offset, Element.bits());
}

int64_t HloLiteral::offsetOf(ArrayRef<int64_t> Index) const {
  assert(Index.size() == Strides.size());
  int64_t Offset = 0;
  for (size_t I = 0; I < Index.size(); ++I) {
    assert(Index[I] >= 0 && Index[I] < Shape.dimension(I));
    Offset += Index[I] * Strides[I];
  }
  return Offset;
}

HloLiteral HloLiteral::relaidOut(const HloShape &NewShape) const {
  assert(NewShape.isCompatible(Shape));
  if (NewShape == Shape)
    return *this;
  HloLiteral Result(NewShape);
  for (size_t I = 0; I < Elements.size(); ++I)
    Result.Elements[I] = Elements[I].relaidOut(NewShape.elements()[I]);
  if (Shape.isTuple() || Shape.elementCount() == 0)
    return Result;
  std::vector<int64_t> Index(Shape.rank());
  do
    Result.copyAtOffset(Result.offsetOf(Index), *this, offsetOf(Index));
  while (nextIndex(Index, Shape.dimensions()));
  return Result;
}

/// The recursion is as deep as the shape.
static void addArrays(ArrayRef<HloLiteral> Values,
                      std::vector<const HloLiteral *> &Arrays) {
  for (const HloLiteral &Value : Values)
    if (Value.shape().isTuple())
      addArrays(Value.elements(), Arrays);
    else
      Arrays.push_back(&Value);
}

std::vector<const HloLiteral *> arraysOf(ArrayRef<HloLiteral> Values) {
  std::vector<const HloLiteral *> Arrays;
  addArrays(Values, Arrays);
  return Arrays;
}

bool HloLiteral::operator==(const HloLiteral &Other) const {
  return Shape == Other.Shape && Bytes == Other.Bytes &&
         Elements == Other.Elements;
}

} // namespace unravel
