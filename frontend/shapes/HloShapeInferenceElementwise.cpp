//===- HloShapeInferenceElementwise.cpp - One index for all ---------------===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Elementwise operations: which element types they accept and yield.
//
//===----------------------------------------------------------------------===//

#include "frontend/shapes/HloShapeInference.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;

namespace unravel {

/// Kinds of element types, as a set.
enum : unsigned {
  P = 1u << unsigned(TypeKind::Pred),
  I = (1u << unsigned(TypeKind::Signed)) | (1u << unsigned(TypeKind::Unsigned)),
  F = 1u << unsigned(TypeKind::Float),
  C = 1u << unsigned(TypeKind::Complex),
};

static unsigned acceptedKinds(HloOpcode Opcode) {
  switch (Opcode) {
  case HloOpcode::Convert:
  case HloOpcode::Copy:
    return P | I | F | C;
  case HloOpcode::Abs:
  case HloOpcode::Negate:
  case HloOpcode::Sign:
    return I | F | C;
  case HloOpcode::Cbrt:
  case HloOpcode::Cosh:
  case HloOpcode::Cosine:
  case HloOpcode::Exponential:
  case HloOpcode::ExponentialMinusOne:
  case HloOpcode::Imag:
  case HloOpcode::Log:
  case HloOpcode::LogPlusOne:
  case HloOpcode::Logistic:
  case HloOpcode::Real:
  case HloOpcode::Rsqrt:
  case HloOpcode::Sine:
  case HloOpcode::Sinh:
  case HloOpcode::Sqrt:
  case HloOpcode::Tan:
  case HloOpcode::Tanh:
    return F | C;
  case HloOpcode::Acos:
  case HloOpcode::Acosh:
  case HloOpcode::Asin:
  case HloOpcode::Asinh:
  case HloOpcode::Atanh:
  case HloOpcode::Ceil:
  case HloOpcode::Erf:
  case HloOpcode::Floor:
  case HloOpcode::IsFinite:
  case HloOpcode::ReducePrecision:
  case HloOpcode::RoundNearestAfz:
  case HloOpcode::RoundNearestEven:
  case HloOpcode::Atan2:
  case HloOpcode::Complex:
    return F;
  case HloOpcode::CountLeadingZeros:
  case HloOpcode::PopulationCount:
  case HloOpcode::ShiftLeft:
  case HloOpcode::ShiftRightArithmetic:
  case HloOpcode::ShiftRightLogical:
    return I;
  case HloOpcode::Not:
  case HloOpcode::And:
  case HloOpcode::Or:
  case HloOpcode::Xor:
    return P | I;
  case HloOpcode::Add:
  case HloOpcode::Multiply:
  case HloOpcode::Compare:
    return P | I | F | C;
  case HloOpcode::Subtract:
  case HloOpcode::Divide:
  case HloOpcode::Power:
    return I | F | C;
  case HloOpcode::Maximum:
  case HloOpcode::Minimum:
    return P | I | F;
  case HloOpcode::Remainder:
  case HloOpcode::Clamp:
    return I | F;
  default:
    return P | I | F | C;
  }
}

static Error checkKind(const HloInstruction &Op, ElementType Type) {
  if (acceptedKinds(Op.opcode()) & (1u << unsigned(kindOf(Type))))
    return Error::success();
  std::vector<StringRef> Names;
  for (auto [Kind, Name] : {std::pair(unsigned(P), "pred"),
                            {unsigned(I), "integers"},
                            {unsigned(F), "floats"},
                            {unsigned(C), "complex numbers"}})
    if (acceptedKinds(Op.opcode()) & Kind)
      Names.push_back(Name);
  return createStringError(nameOf(Op.opcode()) + " is not defined for " +
                           nameOf(Type) + ", only for " + join(Names, ", ") +
                           "; convert the operand");
}

static Error mustBeAlike(const HloInstruction &A, const HloInstruction &B) {
  if (A.shape().isCompatible(B.shape()))
    return Error::success();
  return createStringError("the operands '" + A.name() + "' " +
                           A.shape().str(false) + " and '" + B.name() + "' " +
                           B.shape().str(false) +
                           " have different shapes; broadcast or convert one "
                           "of them");
}

//===----------------------------------------------------------------------===//
// One operand
//===----------------------------------------------------------------------===//

static Expected<HloShape> inferConvert(const HloInstruction &Op) {
  if (Op.shape().isTuple())
    return createStringError("the result has to be an array");
  ElementType From = Op.operand(0).shape().elementType();
  ElementType To = Op.shape().elementType();
  if (isComplex(From) && !isComplex(To))
    return createStringError("a complex number does not convert to " +
                             nameOf(To) + "; take real or imag");
  return Op.operand(0).shape().withElementType(To);
}

/// Between types of different widths, the last dimension appears or vanishes.
static Expected<HloShape> inferBitcastConvert(const HloInstruction &Op) {
  if (Op.shape().isTuple())
    return createStringError("the result has to be an array");
  const HloShape &Operand = Op.operand(0).shape();
  ElementType From = Operand.elementType(), To = Op.shape().elementType();
  if (isPred(From) != isPred(To) || isComplex(From) != isComplex(To))
    return createStringError("a bitcast-convert is not defined from " +
                             nameOf(From) + " to " + nameOf(To));
  std::vector<int64_t> Dimensions = Operand.dimensions().vec();
  int64_t FromBits = bitWidth(From), ToBits = bitWidth(To);
  if (FromBits > ToBits) {
    Dimensions.push_back(FromBits / ToBits);
  } else if (FromBits < ToBits) {
    if (Dimensions.empty() || Dimensions.back() != ToBits / FromBits)
      return createStringError("the last dimension of the operand has to be " +
                               Twine(ToBits / FromBits) + ", as many " +
                               nameOf(From) + " as one " + nameOf(To) + " has");
    Dimensions.pop_back();
  }
  return HloShape::array(To, Dimensions);
}

static Expected<HloShape> inferUnary(const HloInstruction &Op) {
  const HloShape &Operand = Op.operand(0).shape();
  ElementType Type = Operand.elementType();
  switch (Op.opcode()) {
  case HloOpcode::Convert:
    return inferConvert(Op);
  case HloOpcode::IsFinite:
    return Operand.withElementType(ElementType::Pred);
  case HloOpcode::Abs:
  case HloOpcode::Real:
  case HloOpcode::Imag:
    return Operand.withElementType(isComplex(Type) ? componentOf(Type) : Type);
  case HloOpcode::ReducePrecision: {
    const auto &A = Op.attributes<HloReducePrecision>();
    if (A.ExponentBits < 1 || A.MantissaBits < 0)
      return createStringError("exponent_bits has to be 1 or more, "
                               "mantissa_bits 0 or more");
    if (!APFloat::semanticsHasInf(semanticsOf(Type)))
      return createStringError(nameOf(Type) + " has no infinity to which an "
                                              "overflow could go; convert the "
                                              "operand");
    return Operand;
  }
  default:
    return Operand;
  }
}

//===----------------------------------------------------------------------===//
// Two operands
//===----------------------------------------------------------------------===//

static Error checkCompare(const HloInstruction &Op, ElementType Type) {
  const auto &A = Op.attributes<HloCompare>();
  if (isComplex(Type) && A.Direction != HloDirection::EQ &&
      A.Direction != HloDirection::NE)
    return createStringError("complex numbers have no order; only EQ and NE "
                             "are defined for them");
  if (!A.Type)
    return Error::success();
  bool IsOfFloats =
      *A.Type == HloCompareType::Float || *A.Type == HloCompareType::TotalOrder;
  bool Fits = isSigned(Type)    ? *A.Type == HloCompareType::Signed
              : isComplex(Type) ? *A.Type == HloCompareType::Float
              : isFloat(Type)   ? IsOfFloats
                                : *A.Type == HloCompareType::Unsigned;
  if (!Fits)
    return createStringError("type=" + nameOf(*A.Type) +
                             " does not fit operands of type " + nameOf(Type) +
                             "; leave it out");
  return Error::success();
}

static Expected<HloShape> inferBinary(const HloInstruction &Op) {
  if (Error E = mustBeAlike(Op.operand(0), Op.operand(1)))
    return E;
  const HloShape &Operand = Op.operand(0).shape();
  ElementType Type = Operand.elementType();
  if (Op.opcode() == HloOpcode::Compare) {
    if (Error E = checkCompare(Op, Type))
      return E;
    return Operand.withElementType(ElementType::Pred);
  }
  if (Op.opcode() == HloOpcode::Complex) {
    if (Type != ElementType::F32 && Type != ElementType::F64)
      return createStringError("the parts of a complex number are f32 or f64, "
                               "not " +
                               nameOf(Type));
    return Operand.withElementType(
        Type == ElementType::F32 ? ElementType::C64 : ElementType::C128);
  }
  return Operand;
}

//===----------------------------------------------------------------------===//
// More operands
//===----------------------------------------------------------------------===//

/// min, operand, max
static Expected<HloShape> inferClamp(const HloInstruction &Op) {
  const HloShape &Operand = Op.operand(1).shape();
  for (size_t K : {0, 2}) {
    const HloShape &Bound = Op.operand(K).shape();
    if (!Bound.isCompatible(Operand) &&
        !Bound.isCompatible(HloShape::scalar(Operand.elementType())))
      return createStringError("the bound '" + Op.operand(K).name() + "' is " +
                               Bound.str(false) + "; it has to be a scalar " +
                               nameOf(Operand.elementType()) + " or " +
                               Operand.str(false));
  }
  return Operand;
}

/// predicate, on true, on false
static Expected<HloShape> inferSelect(const HloInstruction &Op) {
  if (Error E = mustBeAlike(Op.operand(1), Op.operand(2)))
    return E;
  const HloShape &Operand = Op.operand(1).shape();
  const HloShape &Predicate = Op.operand(0).shape();
  if (!isPred(Predicate.elementType()) ||
      (!Predicate.isScalar() && Predicate.dimensions() != Operand.dimensions()))
    return createStringError("the predicate '" + Op.operand(0).name() +
                             "' is " + Predicate.str(false) +
                             "; it has to be a scalar pred or one with the "
                             "dimensions of " +
                             Operand.str(false));
  return Operand;
}

static Expected<HloShape> inferMap(const HloInstruction &Op) {
  if (Op.operands().empty())
    return createStringError("map takes one operand or more");
  const HloShape &First = Op.operand(0).shape();
  std::vector<ElementType> Types;
  for (const HloInstruction *Operand : Op.operands()) {
    if (Operand->shape().dimensions() != First.dimensions())
      return createStringError("the operands '" + Op.operand(0).name() +
                               "' and '" + Operand->name() +
                               "' have different dimensions; broadcast one of "
                               "them");
    Types.push_back(Operand->shape().elementType());
  }
  ArrayRef<int64_t> Dimensions = Op.dimensions();
  for (size_t D = 0; D < Dimensions.size(); ++D)
    if (Dimensions.size() != First.rank() || Dimensions[D] != int64_t(D))
      return createStringError("dimensions= of map has to be all the "
                               "dimensions in order");
  const HloShape &Result = Op.callee()->root().shape();
  if (!Result.isScalar())
    return createStringError("'" + Op.callee()->name() + "' yields " +
                             Result.str(false) + ", but has to yield a scalar");
  if (Error E = checkScalarCallee(*Op.callee(), Types, Result.elementType()))
    return E;
  return First.withElementType(Result.elementType());
}

Expected<HloShape> inferElementwise(const HloInstruction &Op) {
  if (Error E = checkOperandsAreArrays(Op))
    return E;
  if (Op.opcode() != HloOpcode::Select && Op.opcode() != HloOpcode::Map)
    for (const HloInstruction *Operand : Op.operands())
      if (Error E = checkKind(Op, Operand->shape().elementType()))
        return E;
  switch (Op.opcode()) {
  case HloOpcode::BitcastConvert:
    return inferBitcastConvert(Op);
  case HloOpcode::Clamp:
    return inferClamp(Op);
  case HloOpcode::Select:
    return inferSelect(Op);
  case HloOpcode::Map:
    return inferMap(Op);
  default:
    return classOf(Op.opcode()) == HloOpClass::ElementwiseUnary
               ? inferUnary(Op)
               : inferBinary(Op);
  }
}

} // namespace unravel
