//===- HloShapeInferenceOrder.cpp - Sorted elements ---------------------===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "frontend/shapes/HloShapeInference.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace unravel {

/// Arrays of one size; the callee compares two elements of each.
static Expected<HloShape> inferSort(const HloInstruction &I) {
  if (I.operands().empty())
    return createStringError("takes at least one operand");
  const HloShape &First = I.operand(0).shape();
  std::vector<HloShape> Shapes;
  std::vector<ElementType> Compared;
  for (const HloInstruction *Operand : I.operands()) {
    const HloShape &Shape = Operand->shape();
    if (Shape.dimensions() != First.dimensions())
      return createStringError("the operands '" + I.operand(0).name() +
                               "' and '" + Operand->name() +
                               "' have different dimensions");
    Compared.insert(Compared.end(), 2, Shape.elementType());
    Shapes.push_back(Shape);
  }
  const HloNumbers &Dimensions = I.attributes<HloSort>().Dimensions;
  if (Dimensions.size() != 1)
    return createStringError("dimensions= has " + Twine(Dimensions.size()) +
                             " numbers; write the one dimension to sort along");
  if (Error E = checkDimensions(Dimensions, First.rank(), "dimensions="))
    return E;
  if (Error E = checkScalarCallee(*I.callee(), Compared, ElementType::Pred))
    return E;
  return oneOrTuple(std::move(Shapes));
}

/// The elements, and their indices.
static Expected<HloShape> inferTopK(const HloInstruction &I) {
  const HloShape &Operand = I.operand(0).shape();
  int64_t K = I.attributes<HloTopK>().K;
  if (Operand.rank() == 0 || isComplex(Operand.elementType()))
    return createStringError("takes an array of numbers that have an order, "
                             "with at least one dimension");
  std::vector<int64_t> Sizes = Operand.dimensions().vec();
  if (K < 0 || K > Sizes.back())
    return createStringError("k=" + Twine(K) + " of a dimension with " +
                             Twine(Sizes.back()) + " elements");
  if (Sizes.back() > INT32_MAX)
    return createStringError("the last dimension has " + Twine(Sizes.back()) +
                             " elements, more than indices of type s32 count");
  Sizes.back() = K;
  Expected<HloShape> Values = HloShape::array(Operand.elementType(), Sizes);
  if (!Values)
    return Values;
  Expected<HloShape> Indices = HloShape::array(ElementType::S32, Sizes);
  if (!Indices)
    return Indices;
  return HloShape::tuple({*Values, *Indices});
}

Expected<HloShape> inferOrder(const HloInstruction &I) {
  if (Error E = checkOperandsAreArrays(I))
    return E;
  return I.opcode() == HloOpcode::Sort ? inferSort(I) : inferTopK(I);
}

} // namespace unravel
