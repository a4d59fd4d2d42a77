//===- HloIndexingShape.cpp - Maps of operations that move elements -------===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Broadcast, transpose, reverse, reshape, bitcast, slice, concatenate, pad.
//
//===----------------------------------------------------------------------===//

#include "frontend/indexing/HloIndexingOps.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

using namespace llvm;

namespace unravel {

//===----------------------------------------------------------------------===//
// Reshapes
//===----------------------------------------------------------------------===//

/// The dimensions [FromBegin, FromEnd) become [ToBegin, ToEnd): both have the
/// same number of elements, and no shorter beginnings of them have. Dimensions
/// of one element are not looked at.
static void reshapeGroup(FloorBasis &Basis, ArrayRef<IndexExpr> Index,
                         ArrayRef<int64_t> From, ArrayRef<int64_t> To,
                         MutableArrayRef<IndexExpr> Result) {
  IndexExpr Linear = Basis.context().constant(0);
  for (size_t D = 0; D < From.size(); ++D)
    if (From[D] != 1)
      Linear = Basis.add(Basis.scale(Linear, From[D]), Index[D]);
  int64_t Stride = 1, Count = 1;
  for (int64_t Size : To)
    Count *= Size;
  for (size_t D = To.size(); D-- > 0;) {
    if (To[D] == 1)
      continue;
    IndexExpr Quotient = Basis.floorDiv(Linear, Stride);
    Stride *= To[D];
    // The major digit needs no remainder: the index is inside of the array.
    Result[D] = Stride == Count ? Quotient : Basis.floorMod(Quotient, To[D]);
  }
}

std::vector<IndexExpr> reshapedIndex(FloorBasis &Basis,
                                     ArrayRef<IndexExpr> Index,
                                     ArrayRef<int64_t> From,
                                     ArrayRef<int64_t> To) {
  std::vector<IndexExpr> Result(To.size(), Basis.context().constant(0));
  size_t F = 0, T = 0;
  while (F < From.size() && T < To.size()) {
    size_t FromBegin = F, ToBegin = T;
    int64_t FromCount = From[F++], ToCount = To[T++];
    while (FromCount != ToCount) {
      if (FromCount < ToCount)
        FromCount *= From[F++];
      else
        ToCount *= To[T++];
    }
    reshapeGroup(
        Basis, Index.slice(FromBegin, F - FromBegin),
        From.slice(FromBegin, F - FromBegin), To.slice(ToBegin, T - ToBegin),
        MutableArrayRef<IndexExpr>(Result).slice(ToBegin, T - ToBegin));
  }
  return Result; // what is left has one element
}

std::vector<int64_t> physicalSizesOf(const HloShape &Array) {
  std::vector<int64_t> Sizes;
  for (int64_t D : reverse(Array.minorToMajor()))
    Sizes.push_back(Array.dimension(D));
  return Sizes;
}

std::vector<IndexExpr> logicalIndex(const HloShape &Array,
                                    ArrayRef<IndexExpr> Physical) {
  std::vector<IndexExpr> Index(Array.rank());
  for (auto [Place, D] : enumerate(reverse(Array.minorToMajor())))
    Index[D] = Physical[Place];
  return Index;
}

/// From an element of \p From to the one of \p To at the same place in
/// row-major order, or in memory.
static OperandIndexing reshape(const HloShape &From, const HloShape &To,
                               bool InMemory, IndexContext &Context) {
  OperandMapBuilder B(Context, From.dimensions());
  if (From.elementCount() == 0) {
    // No products of sizes to compare, and nothing to find.
    B.addResults(std::vector<IndexExpr>(To.rank(), Context.constant(0)));
  } else if (InMemory) {
    std::vector<IndexExpr> Physical;
    for (int64_t D : reverse(From.minorToMajor()))
      Physical.push_back(B.dim(D));
    B.addResults(logicalIndex(To, reshapedIndex(B.basis(), Physical,
                                                physicalSizesOf(From),
                                                physicalSizesOf(To))));
  } else {
    B.addResults(
        reshapedIndex(B.basis(), B.dims(), From.dimensions(), To.dimensions()));
  }
  return B.build();
}

//===----------------------------------------------------------------------===//
// Broadcast, transpose, reverse
//===----------------------------------------------------------------------===//

/// Dimension \p Dimensions[K] of the array that is asked about is dimension K
/// of the other one: output to input of broadcast, input to output of
/// transpose.
static OperandIndexing selectDimensions(const HloShape &From,
                                        ArrayRef<int64_t> Dimensions,
                                        IndexContext &Context) {
  OperandMapBuilder B(Context, From.dimensions());
  for (int64_t D : Dimensions)
    B.addResult(B.dim(D));
  return B.build();
}

/// Dimension K of the array that is asked about is dimension \p Dimensions[K]
/// of the other one, which may have more of them.
static OperandIndexing placeDimensions(const HloShape &From, const HloShape &To,
                                       ArrayRef<int64_t> Dimensions,
                                       IndexContext &Context) {
  OperandMapBuilder B(Context, From.dimensions());
  std::vector<IndexExpr> Results(To.rank());
  for (auto [K, D] : enumerate(Dimensions))
    Results[D] = B.dim(K);
  for (auto [D, Result] : enumerate(Results))
    if (!Result)
      Result = B.addRange(To.dimension(D));
  B.addResults(Results);
  return B.build();
}

static OperandIndexing reverseDimensions(const HloInstruction &I,
                                         IndexContext &Context) {
  OperandMapBuilder B(Context, I.shape().dimensions());
  for (size_t D = 0; D < I.shape().rank(); ++D)
    B.addResult(is_contained(I.dimensions(), int64_t(D))
                    ? Context.sub(Context.constant(I.shape().dimension(D) - 1),
                                  B.dim(D))
                    : B.dim(D));
  return B.build();
}

//===----------------------------------------------------------------------===//
// Slice, pad, concatenate
//===----------------------------------------------------------------------===//

namespace {
/// Element x of a short array is element Start + x * Step of a long one.
struct Progression {
  int64_t Start, Step;
};
} // namespace

/// From an array to the places of its elements in a long one, those outside of
/// it left out.
static OperandIndexing toPlaces(const HloShape &Short, const HloShape &Long,
                                ArrayRef<Progression> Steps,
                                IndexContext &Context) {
  OperandMapBuilder B(Context, Short.dimensions());
  for (auto [D, P] : enumerate(Steps)) {
    IndexExpr Place = Context.scale(B.dim(D), P.Step);
    if (Place)
      Place = Context.add(Place, P.Start);
    B.addResult(Place);
    B.constrain(Place, {0, Long.dimension(D) - 1});
  }
  return B.build();
}

/// The other way round.
static OperandIndexing fromPlaces(const HloShape &Long, const HloShape &Short,
                                  ArrayRef<Progression> Steps,
                                  IndexContext &Context) {
  std::vector<Interval> Bounds;
  for (auto [D, P] : enumerate(Steps)) {
    // An end beyond 64 bits is no bound, and saturates to that.
    Interval Places =
        Interval(0, Short.dimension(D) - 1) * P.Step + Interval::point(P.Start);
    if (Short.dimension(D) == 0)
      Places = Interval::empty();
    Bounds.push_back(Places.intersect({0, Long.dimension(D) - 1}));
  }
  OperandMapBuilder B(Context, Bounds);
  for (auto [D, P] : enumerate(Steps)) {
    IndexExpr Distance = Context.sub(B.dim(D), Context.constant(P.Start));
    B.addResult(B.basis().floorDiv(Distance, P.Step));
    if (P.Step != 1)
      B.constrain(B.basis().floorMod(Distance, P.Step), Interval::point(0));
  }
  return B.build();
}

/// From the value of a pad to the elements that have it. The first dimension in
/// which an element is beside the operand is in front of it, behind it, or
/// between two of its elements: three maps, none of which shares an element
/// with another.
static OperandIndexing fromPadding(const HloInstruction &I,
                                   ArrayRef<Progression> Steps,
                                   IndexContext &Context) {
  const HloShape &Input = I.operand(0).shape(), &Output = I.shape();
  OperandIndexing All;
  auto Add = [&](size_t Beside, int64_t Begin, int64_t Count, int64_t Step,
                 int64_t Width) {
    if (Count <= 0 || Width <= 0)
      return;
    OperandMapBuilder B(Context, ArrayRef<int64_t>());
    auto AddPlace = [&](size_t D, int64_t Start, int64_t Number, int64_t Every,
                        int64_t Wide) {
      IndexExpr Place =
          Context.add(Context.constant(Start),
                      Context.add(B.addRange(Wide), B.addRange(Number), Every));
      B.addResult(Place);
      B.constrain(Place, {0, Output.dimension(D) - 1});
    };
    for (auto [D, P] : enumerate(Steps)) {
      if (D < Beside)
        AddPlace(D, P.Start, Input.dimension(D), P.Step, 1);
      else if (D == Beside)
        AddPlace(D, Begin, Count, Step, Width);
      else
        B.addResult(B.addRange(Output.dimension(D)));
    }
    OperandIndexing One = B.build();
    if (!One.isKnown())
      All = One;
    else if (All.isKnown())
      All.Maps.push_back(One.Maps[0]);
  };
  for (auto [D, P] : enumerate(Steps)) {
    int64_t Inner = Input.dimension(D), Size = Output.dimension(D), Last;
    if (Inner == 0) {
      Add(D, 0, 1, 1, Size);
      continue;
    }
    if (MulOverflow(Inner - 1, P.Step, Last) ||
        AddOverflow(Last, P.Start, Last))
      return OperandIndexing::unknown("an index leaves 64 bits");
    Add(D, 0, 1, 1, std::min(P.Start, Size));
    if (Last < Size - 1)
      Add(D, std::max<int64_t>(Last + 1, 0), 1, 1,
          Size - std::max<int64_t>(Last + 1, 0));
    if (P.Start < INT64_MAX)
      Add(D, P.Start + 1, Inner - 1, P.Step, P.Step - 1);
  }
  return All;
}

static SmallVector<Progression> progressionsOf(const HloInstruction &I) {
  SmallVector<Progression> Steps;
  if (I.opcode() == HloOpcode::Slice)
    for (const HloSliceDimension &D : I.attributes<HloSlice>().Dimensions)
      Steps.push_back({D.Start, D.Stride});
  else
    for (const HloPadDimension &D : I.attributes<HloPad>().Dimensions)
      Steps.push_back({D.Low, D.Interior + 1});
  return Steps;
}

/// Where operand \p Operand begins in the concatenation, as an operation on a
/// short and a long array.
static SmallVector<Progression> concatenated(const HloInstruction &I,
                                             size_t Operand) {
  SmallVector<Progression> Steps(I.shape().rank(), {0, 1});
  int64_t Along = I.dimensions()[0];
  for (size_t K = 0; K < Operand; ++K)
    Steps[Along].Start += I.operand(K).shape().dimension(Along);
  return Steps;
}

//===----------------------------------------------------------------------===//
// All of them
//===----------------------------------------------------------------------===//

std::vector<OperandIndexing> shapeOutputToInput(const HloInstruction &I,
                                                IndexContext &Context) {
  const HloShape &Output = I.shape();
  const HloShape &Input = I.operand(0).shape();
  switch (I.opcode()) {
  case HloOpcode::Bitcast:
    return {reshape(Output, Input, /*InMemory=*/true, Context)};
  case HloOpcode::Reshape:
    return {reshape(Output, Input, /*InMemory=*/false, Context)};
  case HloOpcode::Broadcast:
    return {selectDimensions(Output, I.dimensions(), Context)};
  case HloOpcode::Transpose:
    return {placeDimensions(Output, Input, I.dimensions(), Context)};
  case HloOpcode::Reverse:
    return {reverseDimensions(I, Context)};
  case HloOpcode::Slice:
    return {toPlaces(Output, Input, progressionsOf(I), Context)};
  case HloOpcode::Pad:
    return {fromPlaces(Output, Input, progressionsOf(I), Context),
            scalarIndexing(Context, Output)};
  default: {
    std::vector<OperandIndexing> Result;
    for (size_t K = 0; K < I.operands().size(); ++K)
      Result.push_back(fromPlaces(Output, I.operand(K).shape(),
                                  concatenated(I, K), Context));
    return Result;
  }
  }
}

OperandIndexing shapeInputToOutput(const HloInstruction &I, size_t Operand,
                                   IndexContext &Context) {
  const HloShape &Output = I.shape();
  const HloShape &Input = I.operand(Operand).shape();
  switch (I.opcode()) {
  case HloOpcode::Bitcast:
    return reshape(Input, Output, /*InMemory=*/true, Context);
  case HloOpcode::Reshape:
    return reshape(Input, Output, /*InMemory=*/false, Context);
  case HloOpcode::Broadcast:
    return placeDimensions(Input, Output, I.dimensions(), Context);
  case HloOpcode::Transpose:
    return selectDimensions(Input, I.dimensions(), Context);
  case HloOpcode::Reverse:
    return reverseDimensions(I, Context);
  case HloOpcode::Slice:
    return fromPlaces(Input, Output, progressionsOf(I), Context);
  case HloOpcode::Pad:
    if (Operand == 1)
      return fromPadding(I, progressionsOf(I), Context);
    return toPlaces(Input, Output, progressionsOf(I), Context);
  default:
    return toPlaces(Input, Output, concatenated(I, Operand), Context);
  }
}

} // namespace unravel
