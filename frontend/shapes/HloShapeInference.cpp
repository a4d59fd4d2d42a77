//===- HloShapeInference.cpp - Shapes that operations give ----------------===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The choice among the families, the opcodes that make structure, and checks
// that several families need.
//
//===----------------------------------------------------------------------===//

#include "frontend/shapes/HloShapeInference.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace unravel {

//===----------------------------------------------------------------------===//
// Checks
//===----------------------------------------------------------------------===//

Error checkDimensions(ArrayRef<int64_t> Dimensions, size_t Rank,
                      StringRef Name) {
  std::vector<bool> Seen(Rank);
  for (int64_t D : Dimensions) {
    if (D < 0 || size_t(D) >= Rank)
      return createStringError(Name + " has " + Twine(D) + ", but there are " +
                               Twine(Rank) + " dimensions, numbered from 0 on");
    if (Seen[D])
      return createStringError(Name + " has " + Twine(D) +
                               " twice; write each dimension once");
    Seen[D] = true;
  }
  return Error::success();
}

Error checkAscending(ArrayRef<int64_t> Dimensions, size_t Rank,
                     StringRef Name) {
  if (Error E = checkDimensions(Dimensions, Rank, Name))
    return E;
  if (!is_sorted(Dimensions))
    return createStringError(Name + " is not in ascending order; sort it");
  return Error::success();
}

Error checkOperandsAreArrays(const HloInstruction &I) {
  for (const HloInstruction *Operand : I.operands())
    if (Operand->shape().isTuple())
      return createStringError("the operand '" + Operand->name() +
                               "' is a tuple; take an element of it with "
                               "get-tuple-element");
  return Error::success();
}

Expected<HloShape> oneOrTuple(std::vector<HloShape> Shapes) {
  if (Shapes.size() == 1)
    return Shapes.front();
  return HloShape::tuple(std::move(Shapes));
}

Error checkScalarCallee(const HloComputation &Callee,
                        ArrayRef<ElementType> Parameters,
                        ArrayRef<ElementType> Results) {
  if (Callee.parameters().size() != Parameters.size())
    return createStringError(
        "'" + Callee.name() + "' has " + Twine(Callee.parameters().size()) +
        " parameters, but gets " + Twine(Parameters.size()));
  for (size_t K = 0; K < Parameters.size(); ++K) {
    HloShape Wanted = HloShape::scalar(Parameters[K]);
    const HloShape &Found = Callee.parameter(K).shape();
    if (!Found.isCompatible(Wanted))
      return createStringError("parameter " + Twine(K) + " of '" +
                               Callee.name() + "' is " + Found.str(false) +
                               ", but gets " + Wanted.str());
  }
  std::vector<HloShape> Shapes;
  for (ElementType Type : Results)
    Shapes.push_back(HloShape::scalar(Type));
  Expected<HloShape> Wanted = oneOrTuple(std::move(Shapes));
  if (!Wanted)
    return Wanted.takeError();
  const HloShape &Found = Callee.root().shape();
  if (!Found.isCompatible(*Wanted))
    return createStringError("'" + Callee.name() + "' yields " +
                             Found.str(false) + ", but has to yield " +
                             Wanted->str());
  return Error::success();
}

//===----------------------------------------------------------------------===//
// Structure
//===----------------------------------------------------------------------===//

/// Call and fusion.
static Expected<HloShape> inferCall(const HloInstruction &I) {
  const HloComputation &Callee = *I.callee();
  if (Callee.parameters().size() != I.operands().size())
    return createStringError(
        "'" + Callee.name() + "' has " + Twine(Callee.parameters().size()) +
        " parameters, but gets " + Twine(I.operands().size()) + " operands");
  for (size_t K = 0; K < I.operands().size(); ++K)
    if (!Callee.parameter(K).shape().isCompatible(I.operand(K).shape()))
      return createStringError(
          "parameter " + Twine(K) + " of '" + Callee.name() + "' is " +
          Callee.parameter(K).shape().str(false) + ", but the operand '" +
          I.operand(K).name() + "' is " + I.operand(K).shape().str(false));
  return Callee.root().shape();
}

static Expected<HloShape> inferTuple(const HloInstruction &I) {
  std::vector<HloShape> Elements;
  for (const HloInstruction *Operand : I.operands())
    Elements.push_back(Operand->shape());
  return HloShape::tuple(std::move(Elements));
}

static Expected<HloShape> inferTupleElement(const HloInstruction &I) {
  const HloShape &Tuple = I.operand(0).shape();
  int64_t Index = I.attributes<HloTupleIndex>().Index;
  if (!Tuple.isTuple())
    return createStringError("the operand '" + I.operand(0).name() +
                             "' is no tuple");
  if (Index < 0 || size_t(Index) >= Tuple.elements().size())
    return createStringError("index=" + Twine(Index) + " of a tuple with " +
                             Twine(Tuple.elements().size()) + " elements");
  return Tuple.elements()[Index];
}

static Expected<HloShape> inferIota(const HloInstruction &I) {
  const HloShape &Shape = I.shape();
  int64_t Dimension = I.attributes<HloIota>().Dimension;
  if (Shape.isTuple() || isPred(Shape.elementType()))
    return createStringError("an iota is an array of numbers");
  if (Error E = checkDimensions(Dimension, Shape.rank(), "iota_dimension"))
    return E;
  return Shape;
}

bool isShapeDetermined(HloOpcode Opcode) {
  switch (Opcode) {
  case HloOpcode::Bitcast:
  case HloOpcode::BitcastConvert:
  case HloOpcode::Broadcast:
  case HloOpcode::Convert:
  case HloOpcode::CustomCall:
  case HloOpcode::Reshape:
    return false;
  default:
    return classOf(Opcode) != HloOpClass::Source;
  }
}

Expected<HloShape> inferShape(const HloInstruction &I) {
  switch (classOf(I.opcode())) {
  case HloOpClass::ElementwiseUnary:
  case HloOpClass::ElementwiseBinary:
  case HloOpClass::ElementwiseTernary:
  case HloOpClass::ElementwiseCall:
  case HloOpClass::Other:
    return inferElementwise(I);
  case HloOpClass::IndexTransform:
    return inferIndexTransform(I);
  case HloOpClass::DynamicIndex:
    return inferDynamicIndex(I);
  case HloOpClass::Contraction:
    return inferContraction(I);
  case HloOpClass::Order:
    return inferOrder(I);
  case HloOpClass::Host:
    return inferHost(I);
  case HloOpClass::Source: // what it is, is written
    return I.opcode() == HloOpcode::Iota ? inferIota(I)
                                         : Expected<HloShape>(I.shape());
  case HloOpClass::Structure:
    break;
  }
  switch (I.opcode()) {
  case HloOpcode::Tuple:
    return inferTuple(I);
  case HloOpcode::GetTupleElement:
    return inferTupleElement(I);
  case HloOpcode::OptimizationBarrier:
    return I.operand(0).shape();
  default:
    return inferCall(I);
  }
}

} // namespace unravel
