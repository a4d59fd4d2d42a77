//===- HloIndexingElementwise.cpp - One element for one element -----------===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The builder of maps, and the operations of which element i of the output
// reads element i of the operands, or a scalar.
//
//===----------------------------------------------------------------------===//

#include "frontend/indexing/HloIndexingOps.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace unravel {

//===----------------------------------------------------------------------===//
// OperandMapBuilder
//===----------------------------------------------------------------------===//

void OperandMapBuilder::declare(VariableKind Kind, std::vector<MapVariable> &Of,
                                const Interval &Bounds) {
  // A domain wants to know of every variable some value that it can have. If
  // there is none, the map is empty, whatever its results are.
  if (!Bounds.isEmpty())
    Box.declare(IndexingMap::variableOf(Context, Kind, Of.size()), Bounds);
  Of.push_back({Bounds, ""});
}

OperandMapBuilder::OperandMapBuilder(IndexContext &Context,
                                     ArrayRef<Interval> Bounds)
    : Context(Context), Box(Context), Basis(Box) {
  for (const Interval &B : Bounds)
    declare(VariableKind::Dimension, Vars.Dimensions, B);
}

static std::vector<Interval> boundsOf(ArrayRef<int64_t> Sizes) {
  std::vector<Interval> Bounds;
  for (int64_t Size : Sizes)
    Bounds.push_back({0, Size - 1});
  return Bounds;
}

OperandMapBuilder::OperandMapBuilder(IndexContext &Context,
                                     ArrayRef<int64_t> Sizes)
    : OperandMapBuilder(Context, boundsOf(Sizes)) {}

std::vector<IndexExpr> OperandMapBuilder::dims() {
  std::vector<IndexExpr> Dims;
  for (unsigned D = 0; D < Vars.Dimensions.size(); ++D)
    Dims.push_back(dim(D));
  return Dims;
}

IndexExpr OperandMapBuilder::addRange(int64_t Size) {
  declare(VariableKind::Range, Vars.Ranges, {0, Size - 1});
  return IndexingMap::exprOf(Context, VariableKind::Range,
                             Vars.Ranges.size() - 1);
}

IndexExpr OperandMapBuilder::addRuntime(const HloInstruction &Source,
                                        std::vector<IndexExpr> Place,
                                        const Interval &Bounds,
                                        bool IsClamped) {
  declare(VariableKind::Runtime, Vars.Runtimes, Bounds);
  Reads.push_back({&Source, std::move(Place),
                   IsClamped ? std::optional(Bounds) : std::nullopt});
  return IndexingMap::exprOf(Context, VariableKind::Runtime,
                             Vars.Runtimes.size() - 1);
}

void OperandMapBuilder::constrain(IndexExpr E, const Interval &Range) {
  if (E) {
    // Infinite bounds stand for values that may have left 64 bits.
    Interval Known = Box.range(E);
    if (Known.isBounded() && Range.contains(Known))
      return;
  }
  Constraints.push_back({E, Range});
}

OperandIndexing OperandMapBuilder::build() {
  auto IsNull = [](IndexExpr E) { return !E; };
  if (any_of(Results, IsNull) ||
      any_of(Constraints, [](const MapConstraint &C) { return !C.Expr; }) ||
      any_of(Reads, [&](const Read &R) { return any_of(R.Place, IsNull); }))
    return OperandIndexing::unknown(
        "an index leaves 64 bits, or is too large an expression");
  OperandMap Map = {IndexingMap(Context, Vars, Results, Constraints), {}};
  for (Read &R : Reads)
    Map.Runtimes.push_back({R.Source,
                            {},
                            IndexingMap(Context, Vars, R.Place, Constraints),
                            R.Clamp});
  return {{std::move(Map)}, ""};
}

//===----------------------------------------------------------------------===//
// Elementwise operations
//===----------------------------------------------------------------------===//

OperandIndexing identityIndexing(IndexContext &Context, const HloShape &Array) {
  return {{{IndexingMap::identity(Context, Array.dimensions()), {}}}, ""};
}

OperandIndexing scalarIndexing(IndexContext &Context, const HloShape &Array) {
  return OperandMapBuilder(Context, Array.dimensions()).build();
}

/// Between types of different widths, the last dimension of the array with the
/// narrow elements runs over the parts of a wide one.
static OperandIndexing bitcastConvert(const HloShape &From, const HloShape &To,
                                      IndexContext &Context) {
  OperandMapBuilder B(Context, From.dimensions());
  std::vector<IndexExpr> Index = B.dims();
  if (From.rank() > To.rank())
    Index.pop_back();
  else if (From.rank() < To.rank())
    Index.push_back(B.addRange(To.dimensions().back()));
  B.addResults(Index);
  return B.build();
}

std::vector<OperandIndexing> elementwiseOutputToInput(const HloInstruction &I,
                                                      IndexContext &Context) {
  std::vector<OperandIndexing> Result;
  for (const HloInstruction *Operand : I.operands()) {
    const HloShape &Shape = Operand->shape();
    if (I.opcode() == HloOpcode::BitcastConvert)
      Result.push_back(bitcastConvert(I.shape(), Shape, Context));
    else if (Shape.rank() != I.shape().rank()) // of select and clamp
      Result.push_back(scalarIndexing(Context, I.shape()));
    else
      Result.push_back(identityIndexing(Context, Shape));
  }
  return Result;
}

OperandIndexing elementwiseInputToOutput(const HloInstruction &I,
                                         size_t Operand,
                                         IndexContext &Context) {
  const HloShape &Shape = I.operand(Operand).shape();
  if (I.opcode() == HloOpcode::BitcastConvert)
    return bitcastConvert(Shape, I.shape(), Context);
  if (Shape.rank() == I.shape().rank())
    return identityIndexing(Context, Shape);
  OperandMapBuilder B(Context, ArrayRef<int64_t>());
  for (int64_t Size : I.shape().dimensions())
    B.addResult(B.addRange(Size));
  return B.build();
}

} // namespace unravel
