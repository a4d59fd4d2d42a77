//===- HloErrors.cpp - How far rounding moves values --------------------===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "frontend/evaluate/HloBounder.h"
#include "llvm/ADT/STLExtras.h"
#include <cmath>

using namespace llvm;

namespace unravel {

//===----------------------------------------------------------------------===//
// Elementwise operations
//===----------------------------------------------------------------------===//

/// Units in the last place by which two computations of \p Opcode may differ.
static double unitsOf(HloOpcode Opcode) {
  switch (Opcode) {
  case HloOpcode::Add:
  case HloOpcode::Divide:
  case HloOpcode::Multiply:
  case HloOpcode::Subtract:
    return 1;
  case HloOpcode::Abs:
  case HloOpcode::Ceil:
  case HloOpcode::Clamp:
  case HloOpcode::Complex:
  case HloOpcode::Convert:
  case HloOpcode::Copy:
  case HloOpcode::Floor:
  case HloOpcode::Imag:
  case HloOpcode::Maximum:
  case HloOpcode::Minimum:
  case HloOpcode::Negate:
  case HloOpcode::Real:
  case HloOpcode::ReducePrecision:
  case HloOpcode::RoundNearestAfz:
  case HloOpcode::RoundNearestEven:
  case HloOpcode::Select:
  case HloOpcode::Sign:
    return 0;
  default:
    return 8;
  }
}

/// \p X moved as far as \p Error, each way. Floats are not rounded, which might
/// bring them nearer.
static SmallVector<HloElement, 4> moved(const HloElement &X, double Error) {
  if (isPred(X.Type))
    return {HloElement::pred(!X.isTrue())};
  if (isFloat(X.Type) || isComplex(X.Type)) {
    using Complex = std::complex<double>;
    SmallVector<Complex, 2> Ways = {Complex(Error, 0)};
    if (isComplex(X.Type))
      Ways.push_back(Complex(0, Error));
    SmallVector<HloElement, 4> All;
    for (Complex By : Ways)
      for (double Sign : {-1.0, 1.0})
        All.emplace_back(X).Number += Sign * By;
    return All;
  }
  APInt By(bitWidth(X.Type), 0);
  By = Error < std::ldexp(1.0, bitWidth(X.Type) - 1)
           ? APInt(bitWidth(X.Type), uint64_t(std::ceil(Error)))
           : APInt::getSignedMinValue(bitWidth(X.Type));
  return {HloElement::integer(X.Type, X.Integer - By),
          HloElement::integer(X.Type, X.Integer + By)};
}

std::optional<HloLiteral> Bounder::unlessExact() const {
  if (areExact())
    return std::nullopt;
  if (I.shape().isArray())
    return filled(I.shape(), Unbounded);
  std::vector<HloLiteral> Elements;
  for (const HloShape &Element : I.shape().elements())
    Elements.push_back(filled(Element, Unbounded));
  return cantFail(HloLiteral::tuple(std::move(Elements)));
}

std::optional<HloElement> Bounder::apply(ArrayRef<HloElement> Operands) const {
  if (I.opcode() != HloOpcode::Map)
    return evaluateElement(I, Operands);
  std::optional<HloElements> Mapped = applyToScalars(*I.callee(), Operands);
  return Mapped ? std::optional(Mapped->front()) : std::nullopt;
}

double Bounder::elementError(ArrayRef<HloElement> Operands,
                             ArrayRef<double> Moves,
                             const HloElement &Y) const {
  // Once more if an operand moves: the result there is rounded.
  double Units = unitsOf(I.opcode()) +
                 any_of(Moves, [](double Move) { return Move != 0; });
  double Sum = Units * unitOf(Y.Type) * magnitude(Y);
  if (std::isnan(Sum) || std::isinf(Sum))
    Sum = 0; // of NaN and infinity, which are no nearer to anything
  HloElements Changed(Operands);
  for (auto [K, Move] : enumerate(Moves)) {
    if (Move == 0)
      continue;
    double Farthest = 0;
    for (const HloElement &X : moved(Operands[K], Move)) {
      Changed[K] = X;
      std::optional<HloElement> There = apply(Changed);
      Farthest = std::max(Farthest, There ? distance(*There, Y) : Unbounded);
    }
    Changed[K] = Operands[K];
    Sum += Farthest;
  }
  return Sum;
}

std::optional<HloLiteral> Bounder::elementwise() const {
  ElementType Type = I.shape().elementType();
  bool IsRounded = unitOf(Type) != 0 && unitsOf(I.opcode()) != 0;
  if (areExact() && !IsRounded)
    return std::nullopt;
  // In the order of the result's elements.
  auto InOrder = [&](const HloLiteral &Array) {
    return Array.shape().isScalar()
               ? Array
               : Array.relaidOut(cantFail(
                     I.shape().withElementType(Array.shape().elementType())));
  };
  std::vector<HloLiteral> Operands, Moves;
  for (size_t K = 0; K < Inputs.size(); ++K) {
    Operands.push_back(InOrder(*Inputs[K]));
    Moves.push_back(isExact(K) ? HloLiteral() : InOrder(*Errors[K]));
  }
  HloLiteral Bounds(boundsShape(I.shape()));
  HloElements Elements(Inputs.size());
  SmallVector<double, 4> Distances(Inputs.size());
  for (int64_t Offset = 0; Offset < I.shape().elementCount(); ++Offset) {
    for (size_t K = 0; K < Inputs.size(); ++K) {
      int64_t Place = Operands[K].shape().isScalar() ? 0 : Offset;
      Elements[K] = Operands[K].atOffset(Place);
      Distances[K] = isExact(K) ? 0 : numberAt(Moves[K], Place);
    }
    setNumber(Bounds, Offset,
              elementError(Elements, Distances, Result.atOffset(Offset)));
  }
  return Bounds;
}

//===----------------------------------------------------------------------===//
// Elements that move
//===----------------------------------------------------------------------===//

std::optional<HloLiteral> Bounder::transform() const {
  if (areExact())
    return std::nullopt;
  if (I.opcode() == HloOpcode::BitcastConvert)
    return unlessExact();
  std::vector<HloLiteral> Arrays;
  for (size_t K = 0; K < Inputs.size(); ++K)
    Arrays.push_back(errors(K));
  std::vector<const HloLiteral *> Pointers;
  for (const HloLiteral &Array : Arrays)
    Pointers.push_back(&Array);
  return evaluateIndexTransform(forNumbers(I, I.shape()), Pointers);
}

static Expected<HloElements> noFunction(ArrayRef<HloElement>) {
  llvm_unreachable("this operation applies none");
}

/// Dynamic slices, their updates, and gather.
std::optional<HloLiteral> Bounder::dynamic() const {
  size_t Moved = I.opcode() == HloOpcode::DynamicUpdateSlice ? 2 : 1;
  if (areExact())
    return std::nullopt;
  for (size_t K = Moved; K < Inputs.size(); ++K)
    if (!isExact(K))
      return unlessExact();
  std::vector<HloLiteral> Arrays;
  for (size_t K = 0; K < Moved; ++K)
    Arrays.push_back(errors(K));
  std::vector<const HloLiteral *> Pointers;
  for (size_t K = 0; K < Inputs.size(); ++K)
    Pointers.push_back(K < Moved ? &Arrays[K] : Inputs[K].get());
  return cantFail(
      evaluateDynamicIndex(forNumbers(I, I.shape()), Pointers, noFunction));
}

std::optional<HloLiteral> Bounder::sort() const {
  if (areExact() || I.shape().isTuple())
    return unlessExact();
  // Sorting brings no element farther from its partner than the farthest is.
  HloLiteral Bounds = *Errors[0];
  double Largest = 0;
  for (int64_t K = 0; K < Bounds.shape().elementCount(); ++K)
    Largest = std::max(Largest, numberAt(Bounds, K));
  return filled(I.shape(), Largest);
}

//===----------------------------------------------------------------------===//
// All of them
//===----------------------------------------------------------------------===//

std::optional<HloLiteral> Bounder::bounds() {
  switch (I.opcode()) {
  case HloOpcode::Constant:
  case HloOpcode::CustomCall: // both sides have the same values
  case HloOpcode::Iota:
    return std::nullopt;
  case HloOpcode::Call:
  case HloOpcode::Conditional:
  case HloOpcode::Fusion:
  case HloOpcode::OptimizationBarrier:
  case HloOpcode::Parameter:
  case HloOpcode::While:
    if (areExact())
      return std::nullopt;
    return Errors[0]->relaidOut(boundsShape(I.shape()));
  case HloOpcode::GetTupleElement:
    if (areExact())
      return std::nullopt;
    return Errors[0]->elements()[I.attributes<HloTupleIndex>().Index].relaidOut(
        boundsShape(I.shape()));
  case HloOpcode::Tuple: {
    if (areExact())
      return std::nullopt;
    std::vector<HloLiteral> Elements;
    for (auto [K, Shape] : enumerate(I.shape().elements()))
      Elements.push_back(errors(K).relaidOut(boundsShape(Shape)));
    return cantFail(HloLiteral::tuple(std::move(Elements)));
  }
  case HloOpcode::BitcastConvert:
    return transform();
  case HloOpcode::Convolution:
  case HloOpcode::Dot:
    return products();
  case HloOpcode::Reduce:
  case HloOpcode::ReduceWindow:
    return reduction();
  case HloOpcode::Scatter:
  case HloOpcode::SelectAndScatter:
    return scatter();
  case HloOpcode::Sort:
  case HloOpcode::TopK:
    return sort();
  default:
    break;
  }
  switch (classOf(I.opcode())) {
  case HloOpClass::IndexTransform:
    return transform();
  case HloOpClass::DynamicIndex:
    return dynamic();
  default:
    return elementwise();
  }
}

static bool isZero(const HloLiteral &Bounds) {
  return all_of(arraysOf(Bounds), [](const HloLiteral *Array) {
    for (int64_t K = 0; K < Array->shape().elementCount(); ++K)
      if (numberAt(*Array, K) != 0)
        return false;
    return true;
  });
}

void HloErrors::observe(const HloInstruction &I, ArrayRef<Value> Inputs,
                        const Value &Result) {
  std::vector<const HloLiteral *> OfInputs;
  for (const Value &Input : Inputs)
    OfInputs.push_back(of(*Input));
  Value Bounds;
  if (auto Found = Bounder(I, Inputs, OfInputs, *Result).bounds();
      Found && !isZero(*Found))
    Bounds = std::make_shared<const HloLiteral>(std::move(*Found));
  Errors[Result.get()] = {Result, Bounds};
  OfInstruction[&I] = Bounds;
}

} // namespace unravel
