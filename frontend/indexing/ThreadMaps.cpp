//===- ThreadMaps.cpp - Which thread computes which element ---------------===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "frontend/indexing/ThreadMaps.h"
#include "frontend/indexing/HloIndexingOps.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

using namespace llvm;

namespace unravel {

//===----------------------------------------------------------------------===//
// Launches
//===----------------------------------------------------------------------===//

/// The longest vector that fits the elements and still leaves work for a few
/// blocks.
static int64_t vectorFor(const HloShape &Array, const LaunchLimits &Limits) {
  constexpr int64_t LeastVectors = 512;
  int64_t Least = std::min(LeastVectors, 4 * Limits.ThreadsPerBlock);
  int64_t Bytes = byteWidth(Array.elementType());
  int64_t Vector = Limits.MaxVector;
  while (Vector > 1 && (Array.elementCount() % Vector != 0 ||
                        Vector * Bytes > Limits.MaxVectorBytes ||
                        Array.elementCount() / Vector < Least))
    Vector /= 2;
  return Vector;
}

static int64_t ceilDiv(int64_t A, int64_t B) {
  return int64_t(divideCeil(uint64_t(A), uint64_t(B)));
}

LaunchDimensions launchFor(const HloShape &Array, const LaunchLimits &Limits) {
  constexpr int64_t WarpSize = 32;
  LaunchDimensions Launch;
  Launch.Vector = vectorFor(Array, Limits);
  // A launch has a thread even if there is nothing to do.
  int64_t Vectors = std::max<int64_t>(Array.elementCount() / Launch.Vector, 1);
  Launch.Threads = Vectors < Limits.ThreadsPerBlock
                       ? std::min<int64_t>(alignTo(Vectors, WarpSize),
                                           Limits.ThreadsPerBlock)
                       : Limits.ThreadsPerBlock;
  int64_t Blocks = ceilDiv(Vectors, Launch.Threads);
  Launch.BlocksY =
      std::min(ceilDiv(Blocks, Limits.MaxBlocksX), Limits.MaxBlocksY);
  Launch.BlocksX = std::min(ceilDiv(Blocks, Launch.BlocksY), Limits.MaxBlocksX);
  Launch.Chunks = ceilDiv(Blocks, Launch.BlocksX * Launch.BlocksY);
  return Launch;
}

std::array<uint32_t, 3> gridOf(uint64_t Blocks) {
  const LaunchLimits Limits;
  uint64_t Y = divideCeil(Blocks, uint64_t(Limits.MaxBlocksX));
  uint64_t X = divideCeil(Blocks, Y);
  uint64_t Z = divideCeil(Y, uint64_t(Limits.MaxBlocksY));
  return {uint32_t(X), uint32_t(divideCeil(Y, Z)), uint32_t(Z)};
}

//===----------------------------------------------------------------------===//
// Maps
//===----------------------------------------------------------------------===//

LaunchVariables::LaunchVariables(IndexContext &Context, int64_t Threads,
                                 int64_t BlocksX, int64_t BlocksY)
    : Context(Context) {
  auto Dimension = [&](int64_t Size, const char *Name) {
    Vars.Dimensions.push_back({Interval(0, Size - 1), Name});
    return IndexingMap::exprOf(Context, VariableKind::Dimension,
                               Vars.Dimensions.size() - 1);
  };
  Thread = Dimension(Threads, "th_x");
  Dimension(1, "th_y");
  Dimension(1, "th_z");
  BlockX = Dimension(BlocksX, "bl_x");
  BlockY = Dimension(BlocksY, "bl_y");
  Dimension(1, "bl_z");
}

IndexExpr LaunchVariables::addRange(int64_t Size, const char *Name) {
  Vars.Ranges.push_back({Interval(0, Size - 1), Name});
  return IndexingMap::exprOf(Context, VariableKind::Range,
                             Vars.Ranges.size() - 1);
}

std::optional<IndexingMap> threadMap(const HloShape &Array,
                                     const LaunchDimensions &Launch,
                                     IndexContext &Context) {
  // A thread behind the end has a number, too, and compares it.
  if (Launch.capacity() > uint64_t(INT64_MAX))
    return std::nullopt;
  LaunchVariables V(Context, Launch.Threads, Launch.BlocksX, Launch.BlocksY);
  IndexExpr Chunk = V.addRange(Launch.Chunks, "chunk");
  IndexExpr Place = V.addRange(Launch.Vector, "vector");

  // Horner's scheme, from the slowest variable to the fastest.
  IndexExpr VectorNumber = Chunk;
  for (auto [Next, Size] : {std::pair(V.BlockY, Launch.BlocksY),
                            std::pair(V.BlockX, Launch.BlocksX),
                            std::pair(V.Thread, Launch.Threads)})
    VectorNumber = Context.add(Context.scale(VectorNumber, Size), Next);
  IndexExpr Number =
      Context.add(Context.scale(VectorNumber, Launch.Vector), Place);
  assert(Number && "no larger than the capacity");
  int64_t Count = Array.elementCount();
  if (Count == 0)
    return IndexingMap::empty(Context, std::move(V.Vars), Array.rank());
  // Where no vector is split, a thread needs one guard for all of a vector.
  MapConstraint Inside =
      Count % Launch.Vector == 0
          ? MapConstraint{VectorNumber, Interval(0, Count / Launch.Vector - 1)}
          : MapConstraint{Number, Interval(0, Count - 1)};

  // The number is an index of an array with one dimension; on the domain of
  // the map it is inside of it.
  IndexDomain Domain(Context);
  FloorBasis Basis(Domain);
  std::vector<IndexExpr> Physical =
      reshapedIndex(Basis, {Number}, {Count}, physicalSizesOf(Array));
  if (any_of(Physical, [](IndexExpr E) { return !E; }))
    return std::nullopt;
  return IndexingMap(Context, std::move(V.Vars), logicalIndex(Array, Physical),
                     {Inside})
      .simplified();
}

ConcatenatedSizes ConcatenatedSizes::of(const HloInstruction &Concatenation) {
  ConcatenatedSizes Operands;
  Operands.Along = Concatenation.dimensions()[0];
  for (const HloInstruction *Operand : Concatenation.operands())
    Operands.Sizes.push_back(Operand->shape().dimension(Operands.Along));
  return Operands;
}

HloShape ConcatenatedSizes::longest(const HloShape &Whole) const {
  std::vector<int64_t> Dimensions(Whole.dimensions().begin(),
                                  Whole.dimensions().end());
  Dimensions[Along] = *llvm::max_element(Sizes);
  // No larger than the whole.
  return cantFail(
      HloShape::array(Whole.elementType(), Dimensions, Whole.minorToMajor()));
}

std::optional<IndexingMap>
threadMapOfConcatenation(const ConcatenatedSizes &Operands,
                         const HloShape &Whole, const LaunchDimensions &Launch,
                         IndexContext &Context) {
  std::optional<IndexingMap> Map =
      threadMap(Operands.longest(Whole), Launch, Context);
  if (!Map || Map->isKnownEmpty())
    return Map;
  ArrayRef<int64_t> Sizes = Operands.Sizes;
  int64_t Count = Sizes.size();
  IndexingMap::Variables Vars = Map->variables();
  IndexExpr Operand =
      IndexingMap::exprOf(Context, VariableKind::Range, Vars.Ranges.size());
  Vars.Ranges.push_back({Interval(0, Count - 1), "operand"});

  // Where the operand begins, and how long it is: sums of what is added from
  // operand K on, times (operand + count - K) floordiv count, which is 1 from
  // there on and 0 before. All of it is in the range of an index.
  IndexDomain Domain(Context);
  FloorBasis Basis(Domain);
  IndexExpr Begin = Context.constant(0), Size = Context.constant(Sizes[0]);
  for (int64_t K = 1; K < Count; ++K) {
    IndexExpr IsFrom = Basis.floorDiv(
        Context.add(Operand, Context.constant(Count - K)), Count);
    if (!IsFrom)
      return std::nullopt;
    Begin = Context.add(Begin, Context.scale(IsFrom, Sizes[K - 1]));
    Size = Context.add(Size, Context.scale(IsFrom, Sizes[K] - Sizes[K - 1]));
  }
  size_t Along = Operands.Along;
  std::vector<IndexExpr> Index(Map->results().begin(), Map->results().end());
  std::vector<MapConstraint> Constraints(Map->constraints().begin(),
                                         Map->constraints().end());
  // index - size < 0
  Constraints.push_back({Context.add(Index[Along], Context.scale(Size, -1)),
                         Interval::atMost(-1)});
  Index[Along] = Context.add(Index[Along], Begin);
  return IndexingMap(Context, std::move(Vars), std::move(Index),
                     std::move(Constraints))
      .simplified();
}

OperandIndexing threadsToOperand(const IndexingMap &ThreadMap,
                                 const HloShape &Array,
                                 const OperandIndexing &Indexing) {
  OperandIndexing Result = {{}, Indexing.WhyUnknown};
  for (const OperandMap &Map : Indexing.Maps) {
    std::optional<OperandMap> Composed =
        compose(OperandMap{ThreadMap, {}}, Map, Array);
    if (!Composed)
      return OperandIndexing::unknown("an index leaves 64 bits, is too large "
                                      "an expression, or takes too many "
                                      "values of run time");
    addMap(Result, *Composed);
  }
  return Result;
}

} // namespace unravel
