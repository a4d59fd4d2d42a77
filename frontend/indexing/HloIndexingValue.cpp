//===- HloIndexingValue.cpp - Elements as index expressions ---------------===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// An index is a mathematical integer, an element one of a machine type. So
// every value on the way, that of an iota included, is shown to fit its type;
// if it does, nothing has wrapped.
//
// All of it is built on the bounds of the map alone: its constraints may be
// about the very variable whose value this is.
//
//===----------------------------------------------------------------------===//

#include "frontend/indexing/HloIndexingValue.h"
#include "analysis/maps/IndexingMapOps.h"
#include "frontend/hlo/HloLiteral.h"
#include "frontend/indexing/HloIndexingOps.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace unravel {

HloElementValue::HloElementValue(const IndexingMap &Map,
                                 const HloInstruction &Source,
                                 ArrayRef<IndexExpr> Place)
    : Context(Map.context()),
      Box(IndexingMap(Context, Map.variables(), {}).domain()), Basis(Box),
      Source(&Source), Place(Place) {
  this->Source = moveThrough(this->Source, this->Place);
}

/// The operand that has the elements of \p From, one for one, with \p Place
/// changed to the place there, and so on.
const HloInstruction *
HloElementValue::moveThrough(const HloInstruction *From,
                             std::vector<IndexExpr> &Place) {
  while (true) {
    switch (From->opcode()) {
    case HloOpcode::Bitcast:
      if (From->shape().elementType() != From->operand(0).shape().elementType())
        return From;
      break;
    case HloOpcode::Broadcast:
    case HloOpcode::Copy:
    case HloOpcode::Reshape:
    case HloOpcode::Reverse:
    case HloOpcode::Slice:
    case HloOpcode::Transpose:
      break;
    case HloOpcode::GetTupleElement:
      if (From->operand(0).opcode() != HloOpcode::Tuple)
        return From;
      From = &From->operand(0).operand(From->attributes<HloTupleIndex>().Index);
      continue;
    default:
      return From;
    }
    OperandIndexing Indexing =
        operationOutputToInput(*From, 0, Context).front();
    if (!Indexing.isKnown() || Indexing.Maps.size() != 1 ||
        !Indexing.Maps[0].Map.constraints().empty())
      return From;
    DenseMap<const IndexAtom *, IndexExpr> With;
    for (auto [D, Value] : enumerate(Place))
      With[IndexingMap::variableOf(Context, VariableKind::Dimension, D)] =
          Value;
    std::vector<IndexExpr> Next;
    for (IndexExpr Result : Indexing.Maps[0].Map.results()) {
      Next.push_back(substitute(Box, Result, With));
      if (!Next.back())
        return From;
    }
    Place = std::move(Next);
    From = &From->operand(0);
  }
}

/// The values of an integer type.
static Interval rangeOf(ElementType Type) {
  unsigned Bits = bitWidth(Type);
  if (isSigned(Type))
    return Bits == 64 ? Interval()
                      : Interval(-(int64_t(1) << (Bits - 1)),
                                 (int64_t(1) << (Bits - 1)) - 1);
  return Bits == 64 ? Interval::atLeast(0)
                    : Interval(0, (int64_t(1) << Bits) - 1);
}

IndexExpr HloElementValue::ifItFits(const HloShape &Shape, IndexExpr Value) {
  if (!Value || !isInteger(Shape.elementType()))
    return IndexExpr();
  Interval Range = Box.range(Value);
  // Infinite bounds stand for values that may have left 64 bits.
  return Range.isBounded() && rangeOf(Shape.elementType()).contains(Range)
             ? Value
             : IndexExpr();
}

/// The element of a constant, if the place is constant or all are equal.
static std::optional<int64_t> elementOf(const HloLiteral &Literal,
                                        ArrayRef<IndexExpr> Place) {
  if (Literal.shape().elementCount() == 0)
    return std::nullopt;
  std::vector<int64_t> Index;
  for (IndexExpr E : Place)
    if (E.isConstant())
      Index.push_back(E.constant());
  int64_t Offset = 0;
  if (Index.size() == Place.size()) {
    for (auto [D, Value] : enumerate(Index))
      if (Value < 0 || Value >= Literal.shape().dimension(D))
        return std::nullopt;
    Offset = Literal.offsetOf(Index);
  } else {
    for (int64_t I = 1; I < Literal.shape().elementCount(); ++I)
      if (Literal.bitsAtOffset(I) != Literal.bitsAtOffset(0))
        return std::nullopt;
  }
  HloElement Element = Literal.atOffset(Offset);
  if (isUnsigned(Element.Type) && Element.Integer.getActiveBits() > 63)
    return std::nullopt;
  return Element.asInt64();
}

IndexExpr HloElementValue::combined(const HloInstruction &I, IndexExpr A,
                                    IndexExpr B) {
  switch (I.opcode()) {
  case HloOpcode::Add:
    return Context.add(A, B);
  case HloOpcode::Subtract:
    return Context.sub(A, B);
  case HloOpcode::Multiply:
    return Context.multiply(A, B);
  case HloOpcode::Maximum:
    return Basis.max(A, B);
  default:
    return Basis.min(A, B);
  }
}

IndexExpr HloElementValue::valueOf(const HloInstruction &Start,
                                   std::vector<IndexExpr> Place,
                                   unsigned Depth) {
  const HloInstruction &From = *moveThrough(&Start, Place);
  if (Depth == 0 || From.shape().isTuple() ||
      !isInteger(From.shape().elementType()))
    return IndexExpr();
  IndexExpr Value;
  switch (From.opcode()) {
  case HloOpcode::Constant:
    if (std::optional<int64_t> Element =
            elementOf(*From.attributes<HloConstant>().Literal, Place))
      return Context.constant(*Element);
    return IndexExpr();
  case HloOpcode::Iota:
    Value = Place[From.attributes<HloIota>().Dimension];
    break;
  case HloOpcode::Convert:
    Value = valueOf(From.operand(0), Place, Depth - 1);
    break;
  case HloOpcode::Negate:
    if ((Value = valueOf(From.operand(0), Place, Depth - 1)))
      Value = Context.negate(Value);
    break;
  case HloOpcode::Add:
  case HloOpcode::Subtract:
  case HloOpcode::Multiply:
  case HloOpcode::Maximum:
  case HloOpcode::Minimum: {
    IndexExpr A = valueOf(From.operand(0), Place, Depth - 1);
    IndexExpr B = A ? valueOf(From.operand(1), Place, Depth - 1) : A;
    Value = B ? combined(From, A, B) : B;
    break;
  }
  default:
    return IndexExpr();
  }
  return ifItFits(From.shape(), Value);
}

} // namespace unravel
