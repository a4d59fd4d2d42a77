//===- HloErrorsContraction.cpp - How far sums move -----------------------===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Reduce, reduce-window, dot, convolution and scatters.
//
//===----------------------------------------------------------------------===//

#include "frontend/evaluate/HloBounder.h"
#include "llvm/ADT/STLExtras.h"
#include <cmath>

using namespace llvm;

namespace unravel {

static Expected<HloElements> sumOf(ArrayRef<HloElement> Terms) {
  return HloElements{
      HloElement::number(ElementType::F64, Terms[0].Number + Terms[1].Number)};
}

static Expected<HloElements> largestOf(ArrayRef<HloElement> Terms) {
  return HloElements{Terms[0].real() < Terms[1].real() ? Terms[1] : Terms[0]};
}

/// The operation that is all \p C does with components \p K of its two
/// arguments to give component \p K of its result; call if it does more.
static HloOpcode onlyOperation(const HloComputation &C, size_t K) {
  const HloInstruction *Value = &C.root();
  if (Value->shape().isTuple()) {
    if (Value->opcode() != HloOpcode::Tuple)
      return HloOpcode::Call;
    Value = &Value->operand(K);
  }
  size_t Components = C.parameters().size() / 2;
  auto IsComponent = [&](const HloInstruction *I) {
    return I->opcode() == HloOpcode::Parameter &&
           I->attributes<HloParameter>().Number % Components == K;
  };
  if (Value->operands().size() != 2 ||
      &Value->operand(0) == &Value->operand(1) ||
      !all_of(Value->operands(), IsComponent))
    return HloOpcode::Call;
  return Value->opcode();
}

static bool isReductionByNumbers(HloOpcode Operation) {
  return Operation == HloOpcode::Maximum || Operation == HloOpcode::Minimum ||
         Operation == HloOpcode::Add || Operation == HloOpcode::Multiply;
}

std::optional<HloLiteral> Bounder::reduction() const {
  size_t Components = Inputs.size() / 2;
  std::vector<HloLiteral> Bounds;
  for (size_t K = 0; K < Components; ++K) {
    HloOpcode Operation = onlyOperation(*I.callee(), K);
    if (!isReductionByNumbers(Operation))
      return areExact() && I.opcode() == HloOpcode::Reduce
                 ? reductionInAnyOrder()
                 : unlessExact();
    Bounds.push_back(reductionBy(Operation, K));
  }
  if (I.shape().isArray())
    return std::move(Bounds.front());
  return cantFail(HloLiteral::tuple(std::move(Bounds)));
}

/// Of component \p K, which depends on no other one.
HloLiteral Bounder::reductionBy(HloOpcode Operation, size_t K) const {
  size_t OfInitial = Inputs.size() / 2 + K;
  bool IsArray = I.shape().isArray();
  const HloShape &Shape = IsArray ? I.shape() : I.shape().elements()[K];
  const HloLiteral &Found = IsArray ? Result : Result.elements()[K];
  const HloLiteral &Input = *Inputs[K], &Initial = *Inputs[OfInitial];
  double Unit = unitOf(Shape.elementType());
  HloInstruction Same = forNumbers(I, Shape);
  auto Reduced = [&](const HloLiteral &Input, const HloLiteral &Initial,
                     HloScalarFunction F) {
    return cantFail(evaluateContraction(Same, {&Input, &Initial}, F));
  };
  HloLiteral Bounds(boundsShape(Shape));
  bool IsSelection =
      Operation == HloOpcode::Maximum || Operation == HloOpcode::Minimum;
  if (isExact(K) && isExact(OfInitial) && (Unit == 0 || IsSelection))
    return Bounds;
  if (IsSelection)
    return Reduced(errors(K), errors(OfInitial), largestOf);

  HloLiteral Terms =
      Reduced(filled(Input.shape(), 1), filled(Initial.shape(), 1), sumOf);
  if (Operation == HloOpcode::Add) {
    HloLiteral Sums = Reduced(magnitudes(Input), magnitudes(Initial), sumOf);
    HloLiteral Moves = Reduced(errors(K), errors(OfInitial), sumOf);
    for (int64_t At = 0; At < Shape.elementCount(); ++At)
      setNumber(Bounds, At,
                numberAt(Terms, At) * Unit * numberAt(Sums, At) +
                    numberAt(Moves, At));
    return Bounds;
  }
  // Relative errors of factors add up.
  auto Relative = [&](size_t Operand) {
    HloLiteral Of = errors(Operand);
    for (int64_t At = 0; At < Of.shape().elementCount(); ++At)
      if (double Move = numberAt(Of, At); Move != 0)
        setNumber(Of, At, Move / magnitude(Inputs[Operand]->atOffset(At)));
    return Of;
  };
  HloLiteral Moves = Reduced(Relative(K), Relative(OfInitial), sumOf);
  for (int64_t At = 0; At < Shape.elementCount(); ++At) {
    double Bound = magnitude(Found.atOffset(At)) *
                   (numberAt(Terms, At) * Unit + numberAt(Moves, At));
    setNumber(Bounds, At, std::isnan(Bound) ? Unbounded : Bound);
  }
  return Bounds;
}

/// Of exact values by a function whose result may depend on the order: which of
/// several largest elements is found, say. The opposite order finds the other
/// end of what may be found.
std::optional<HloLiteral> Bounder::reductionInAnyOrder() const {
  std::vector<HloLiteral> Reversed;
  std::vector<const HloLiteral *> Operands;
  size_t Components = Inputs.size() / 2;
  Reversed.reserve(Components);
  for (const HloErrors::Value &Input : Inputs.take_front(Components)) {
    HloInstruction Reverse("reversed", HloOpcode::Reverse, Input->shape());
    Reverse.setAttributes(HloDimensions{I.dimensions().vec()});
    Operands.push_back(
        &Reversed.emplace_back(evaluateIndexTransform(Reverse, Input.get())));
  }
  for (const HloErrors::Value &Initial : Inputs.drop_front(Components))
    Operands.push_back(Initial.get());
  auto Apply = [&](ArrayRef<HloElement> Arguments) -> Expected<HloElements> {
    if (auto Found = applyToScalars(*I.callee(), Arguments))
      return std::move(*Found);
    return createStringError("not a few operations on scalars");
  };
  Expected<HloLiteral> Other = evaluateContraction(I, Operands, Apply);
  if (!Other) {
    consumeError(Other.takeError());
    return std::nullopt;
  }
  std::vector<HloLiteral> Bounds;
  for (auto [Here, There] : zip(arraysOf(Result), arraysOf(*Other))) {
    HloLiteral &Of = Bounds.emplace_back(boundsShape(Here->shape()));
    for (int64_t At = 0; At < Here->shape().elementCount(); ++At)
      setNumber(Of, At, distance(Here->atOffset(At), There->atOffset(At)));
  }
  if (I.shape().isArray())
    return std::move(Bounds.front());
  return cantFail(HloLiteral::tuple(std::move(Bounds)));
}

/// Dot and convolution.
std::optional<HloLiteral> Bounder::products() const {
  ElementType Type = I.shape().elementType();
  if (areExact() && unitOf(Type) == 0)
    return std::nullopt;
  HloInstruction Same = forNumbers(I, I.shape());
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
  if (Inputs.size() != 3 || onlyOperation(Function, 0) != HloOpcode::Add ||
      !isExact(Chooser))
    return unlessExact();
  HloInstruction Same = forNumbers(I, I.shape());
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

} // namespace unravel
