//===- HloErrors.cpp - How far rounding moves values --------------------===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "frontend/evaluate/HloErrors.h"
#include "frontend/evaluate/HloEvaluatorOps.h"
#include "llvm/ADT/STLExtras.h"
#include <cmath>
#include <limits>

using namespace llvm;

namespace unravel {

constexpr double Unbounded = std::numeric_limits<double>::infinity();

//===----------------------------------------------------------------------===//
// Arrays of f64
//===----------------------------------------------------------------------===//

/// The recursion is as deep as the shape.
static HloShape boundsShape(const HloShape &Shape) {
  // Literals are in memory, so eight times as many bytes are no overflow.
  if (Shape.isArray())
    return cantFail(Shape.withElementType(ElementType::F64));
  std::vector<HloShape> Elements;
  for (const HloShape &Element : Shape.elements())
    Elements.push_back(boundsShape(Element));
  return cantFail(HloShape::tuple(std::move(Elements)));
}

static double numberAt(const HloLiteral &Array, int64_t Offset) {
  return Array.atOffset(Offset).real();
}

static void setNumber(HloLiteral &Array, int64_t Offset, double Number) {
  Array.setAtOffset(Offset, HloElement::number(ElementType::F64, Number));
}

static HloLiteral filled(const HloShape &Shape, double Number) {
  HloLiteral Array(boundsShape(Shape));
  for (int64_t K = 0; K < Shape.elementCount(); ++K)
    setNumber(Array, K, Number);
  return Array;
}

static double magnitude(const HloElement &E) {
  if (isFloat(E.Type) || isComplex(E.Type))
    return std::abs(E.Number);
  return isSigned(E.Type) ? E.Integer.abs().roundToDouble()
                          : E.Integer.roundToDouble();
}

static HloLiteral magnitudes(const HloLiteral &Array) {
  HloLiteral Result(boundsShape(Array.shape()));
  for (int64_t K = 0; K < Array.shape().elementCount(); ++K)
    setNumber(Result, K, magnitude(Array.atOffset(K)));
  return Result;
}

/// \p I for arrays of f64.
static HloInstruction forNumbers(const HloInstruction &I) {
  HloInstruction Copy(I.name().str(), I.opcode(), boundsShape(I.shape()));
  Copy.setAttributes(I.attributes());
  Copy.setCallees(I.callees());
  return Copy;
}

/// A unit in the last place of 1; 0 of integers.
static double unitOf(ElementType Type) {
  ElementType Part = isComplex(Type) ? componentOf(Type) : Type;
  if (!isFloat(Part))
    return 0;
  return std::ldexp(1.0,
                    1 - int(APFloat::semanticsPrecision(semanticsOf(Part))));
}

/// Of the type in which kernels add up.
static double unitOfSums(ElementType Type) {
  return std::min(unitOf(Type), unitOf(ElementType::F32));
}

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

static double distance(const HloElement &X, const HloElement &Y) {
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
    return std::isnan(Distance) ? Unbounded : Distance;
  };
  return OfParts(X.Number.real(), Y.Number.real()) +
         OfParts(X.Number.imag(), Y.Number.imag());
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

namespace {
/// The bounds of one instruction.
class Bounder {
public:
  Bounder(const HloInstruction &I, ArrayRef<HloErrors::Value> Inputs,
          ArrayRef<const HloLiteral *> Errors, const HloLiteral &Result)
      : I(I), Inputs(Inputs), Errors(Errors), Result(Result) {}

  /// nullopt: exact.
  std::optional<HloLiteral> bounds();

private:
  bool isExact(size_t K) const { return !Errors[K]; }
  bool areExact() const {
    return all_of(Errors, [](const HloLiteral *E) { return !E; });
  }
  HloLiteral errors(size_t K) const {
    return isExact(K) ? HloLiteral(boundsShape(Inputs[K]->shape()))
                      : *Errors[K];
  }
  /// There is no bound if an operand is not exact.
  std::optional<HloLiteral> unlessExact() const;

  double elementError(ArrayRef<HloElement> Operands, ArrayRef<double> Moves,
                      const HloElement &Y) const;
  std::optional<HloElement> apply(ArrayRef<HloElement> Operands) const;
  std::optional<HloLiteral> elementwise() const;
  std::optional<HloLiteral> transform() const;
  std::optional<HloLiteral> dynamic() const;
  std::optional<HloLiteral> reduction() const;
  std::optional<HloLiteral> products() const;
  std::optional<HloLiteral> scatter() const;
  std::optional<HloLiteral> sort() const;

  const HloInstruction &I;
  ArrayRef<HloErrors::Value> Inputs;
  ArrayRef<const HloLiteral *> Errors;
  const HloLiteral &Result;
};
} // namespace

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
  return evaluateIndexTransform(forNumbers(I), Pointers);
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
  return cantFail(evaluateDynamicIndex(forNumbers(I), Pointers, noFunction));
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
// Sums
//===----------------------------------------------------------------------===//

static Expected<HloElements> sumOf(ArrayRef<HloElement> Terms) {
  return HloElements{
      HloElement::number(ElementType::F64, Terms[0].Number + Terms[1].Number)};
}

static Expected<HloElements> largestOf(ArrayRef<HloElement> Terms) {
  return HloElements{Terms[0].real() < Terms[1].real() ? Terms[1] : Terms[0]};
}

/// The operation that is all a function of two scalars does; call if it does
/// more.
static HloOpcode onlyOperation(const HloComputation &C) {
  const HloInstruction &Root = C.root();
  auto IsParameter = [](const HloInstruction *I) {
    return I->opcode() == HloOpcode::Parameter;
  };
  if (Root.operands().size() != 2 || &Root.operand(0) == &Root.operand(1) ||
      !all_of(Root.operands(), IsParameter))
    return HloOpcode::Call;
  return Root.opcode();
}

std::optional<HloLiteral> Bounder::reduction() const {
  HloOpcode Operation =
      Inputs.size() == 2 ? onlyOperation(*I.callee()) : HloOpcode::Call;
  double Unit = I.shape().isArray() ? unitOf(I.shape().elementType()) : 0;
  if (areExact() && Unit == 0)
    return std::nullopt;
  HloInstruction Same = forNumbers(I);
  auto Reduced = [&](const HloLiteral &Input, const HloLiteral &Initial,
                     HloScalarFunction F) {
    return cantFail(evaluateContraction(Same, {&Input, &Initial}, F));
  };
  if (Operation == HloOpcode::Maximum || Operation == HloOpcode::Minimum)
    return areExact() ? std::optional<HloLiteral>()
                      : Reduced(errors(0), errors(1), largestOf);
  if (Operation != HloOpcode::Add && Operation != HloOpcode::Multiply)
    return unlessExact();

  const HloLiteral &Input = *Inputs[0], &Initial = *Inputs[1];
  HloLiteral Terms =
      Reduced(filled(Input.shape(), 1), filled(Initial.shape(), 1), sumOf);
  HloLiteral Bounds(boundsShape(I.shape()));
  if (Operation == HloOpcode::Add) {
    HloLiteral Sums = Reduced(magnitudes(Input), magnitudes(Initial), sumOf);
    HloLiteral Moves = Reduced(errors(0), errors(1), sumOf);
    for (int64_t K = 0; K < I.shape().elementCount(); ++K)
      setNumber(Bounds, K,
                numberAt(Terms, K) * Unit * numberAt(Sums, K) +
                    numberAt(Moves, K));
    return Bounds;
  }
  // Relative errors of factors add up.
  auto Relative = [&](size_t K) {
    HloLiteral Of = errors(K);
    for (int64_t Offset = 0; Offset < Of.shape().elementCount(); ++Offset)
      if (double Move = numberAt(Of, Offset); Move != 0)
        setNumber(Of, Offset, Move / magnitude(Inputs[K]->atOffset(Offset)));
    return Of;
  };
  HloLiteral Moves = Reduced(Relative(0), Relative(1), sumOf);
  for (int64_t K = 0; K < I.shape().elementCount(); ++K) {
    double Bound = magnitude(Result.atOffset(K)) *
                   (numberAt(Terms, K) * Unit + numberAt(Moves, K));
    setNumber(Bounds, K, std::isnan(Bound) ? Unbounded : Bound);
  }
  return Bounds;
}

/// Dot and convolution.
std::optional<HloLiteral> Bounder::products() const {
  ElementType Type = I.shape().elementType();
  if (areExact() && unitOf(Type) == 0)
    return std::nullopt;
  HloInstruction Same = forNumbers(I);
  auto Product = [&](const HloLiteral &X, const HloLiteral &Y) {
    return cantFail(evaluateContraction(Same, {&X, &Y}, noFunction));
  };
  HloLiteral Lhs = magnitudes(*Inputs[0]), Rhs = magnitudes(*Inputs[1]);
  HloLiteral Sums = Product(Lhs, Rhs);
  HloLiteral Terms = Product(filled(Lhs.shape(), 1), filled(Rhs.shape(), 1));
  HloLiteral Bounds(boundsShape(I.shape()));
  for (int64_t K = 0; K < I.shape().elementCount(); ++K)
    setNumber(Bounds, K,
              numberAt(Terms, K) * unitOfSums(Type) * numberAt(Sums, K) +
                  unitOf(Type) * magnitude(Result.atOffset(K)));
  auto Add = [&](const HloLiteral &More) {
    for (int64_t K = 0; K < I.shape().elementCount(); ++K)
      setNumber(Bounds, K, numberAt(Bounds, K) + numberAt(More, K));
  };
  if (!isExact(0))
    Add(Product(*Errors[0], Rhs));
  if (!isExact(1))
    Add(Product(Lhs, *Errors[1]));
  if (!isExact(0) && !isExact(1))
    Add(Product(*Errors[0], *Errors[1]));
  return Bounds;
}

/// Scatter and select-and-scatter, whose updates threads add in any order.
std::optional<HloLiteral> Bounder::scatter() const {
  bool IsSelect = I.opcode() == HloOpcode::SelectAndScatter;
  const HloComputation &Function = *I.callees().back();
  double Unit = I.shape().isArray() ? unitOf(I.shape().elementType()) : 0;
  if (areExact() && Unit == 0)
    return std::nullopt;
  // What chooses where the updates go.
  size_t Chooser = IsSelect ? 0 : 1;
  if (Inputs.size() != 3 || onlyOperation(Function) != HloOpcode::Add ||
      !isExact(Chooser))
    return unlessExact();
  HloInstruction Same = forNumbers(I);
  size_t Base = IsSelect ? 2 : 0, Updates = IsSelect ? 1 : 2;
  auto Scattered = [&](const HloLiteral &Old, const HloLiteral &New) {
    if (!IsSelect)
      return cantFail(
          evaluateDynamicIndex(Same, {&Old, Inputs[1].get(), &New}, sumOf));
    auto Apply = [&](const HloComputation &C,
                     ArrayRef<HloElement> Arguments) -> Expected<HloElements> {
      if (&C == &Function)
        return sumOf(Arguments);
      return applyToScalars(C, Arguments)
          .value_or(HloElements{HloElement::pred(false)});
    };
    return cantFail(
        evaluateSelectAndScatter(Same, {Inputs[0].get(), &New, &Old}, Apply));
  };
  auto Of = [&](size_t K, double Number) {
    return filled(Inputs[K]->shape(), Number);
  };
  HloLiteral Terms = Scattered(Of(Base, 1), Of(Updates, 1));
  HloLiteral Sums =
      Scattered(magnitudes(*Inputs[Base]), magnitudes(*Inputs[Updates]));
  HloLiteral Bounds = Scattered(errors(Base), errors(Updates));
  for (int64_t K = 0; K < I.shape().elementCount(); ++K)
    setNumber(Bounds, K,
              numberAt(Bounds, K) +
                  numberAt(Terms, K) * Unit * numberAt(Sums, K));
  return Bounds;
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

void HloErrors::observe(const HloInstruction &I, ArrayRef<Value> Inputs,
                        const Value &Result) {
  std::vector<const HloLiteral *> OfInputs;
  for (const Value &Input : Inputs)
    OfInputs.push_back(of(*Input));
  Value Bounds;
  if (auto Found = Bounder(I, Inputs, OfInputs, *Result).bounds())
    Bounds = std::make_shared<const HloLiteral>(std::move(*Found));
  Errors[Result.get()] = {Result, Bounds};
  OfInstruction[&I] = Bounds;
}

} // namespace unravel
