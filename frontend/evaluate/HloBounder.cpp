//===- HloBounder.cpp - Arrays of bounds ----------------------------------===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "frontend/evaluate/HloBounder.h"
#include <cmath>

using namespace llvm;

namespace unravel {

/// The recursion is as deep as the shape.
HloShape boundsShape(const HloShape &Shape) {
  // Literals are in memory, so eight times as many bytes are no overflow.
  if (Shape.isArray())
    return cantFail(Shape.withElementType(ElementType::F64));
  std::vector<HloShape> Elements;
  for (const HloShape &Element : Shape.elements())
    Elements.push_back(boundsShape(Element));
  return cantFail(HloShape::tuple(std::move(Elements)));
}

double numberAt(const HloLiteral &Array, int64_t Offset) {
  return Array.atOffset(Offset).real();
}

void setNumber(HloLiteral &Array, int64_t Offset, double Number) {
  Array.setAtOffset(Offset, HloElement::number(ElementType::F64, Number));
}

HloLiteral filled(const HloShape &Shape, double Number) {
  HloLiteral Array(boundsShape(Shape));
  for (int64_t K = 0; K < Shape.elementCount(); ++K)
    setNumber(Array, K, Number);
  return Array;
}

double magnitude(const HloElement &E) {
  if (isFloat(E.Type) || isComplex(E.Type))
    return std::abs(E.Number);
  return isSigned(E.Type) ? E.Integer.abs().roundToDouble()
                          : E.Integer.roundToDouble();
}

HloLiteral magnitudes(const HloLiteral &Array) {
  HloLiteral Result(boundsShape(Array.shape()));
  for (int64_t K = 0; K < Array.shape().elementCount(); ++K)
    setNumber(Result, K, magnitude(Array.atOffset(K)));
  return Result;
}

HloInstruction forNumbers(const HloInstruction &I, const HloShape &Shape) {
  HloInstruction Copy(I.name().str(), I.opcode(), boundsShape(Shape));
  Copy.setAttributes(I.attributes());
  Copy.setCallees(I.callees());
  return Copy;
}

double unitOf(ElementType Type) {
  ElementType Part = isComplex(Type) ? componentOf(Type) : Type;
  if (!isFloat(Part))
    return 0;
  return std::ldexp(1.0,
                    1 - int(APFloat::semanticsPrecision(semanticsOf(Part))));
}

double unitOfSums(ElementType Type) {
  return std::min(unitOf(Type), unitOf(ElementType::F32));
}

double distance(const HloElement &X, const HloElement &Y) {
  if (!isFloat(X.Type) && !isComplex(X.Type)) {
    bool HasSign = isSigned(X.Type);
    APInt Wide = HasSign ? X.Integer.sext(128) - Y.Integer.sext(128)
                         : X.Integer.zext(128) - Y.Integer.zext(128);
    return Wide.abs().roundToDouble();
  }
  auto OfParts = [](double A, double B) {
    if (A == B || (std::isnan(A) && std::isnan(B)))
      return 0.0;
    double Distance = std::fabs(A - B);
    return std::isnan(Distance) ? Bounder::Unbounded : Distance;
  };
  return OfParts(X.Number.real(), Y.Number.real()) +
         OfParts(X.Number.imag(), Y.Number.imag());
}

} // namespace unravel
