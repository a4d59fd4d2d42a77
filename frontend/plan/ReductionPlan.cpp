//===- ReductionPlan.cpp - How threads share a reduction ------------------===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "frontend/plan/ReductionPlan.h"
#include "frontend/indexing/HloIndexingOps.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/bit.h"
#include "llvm/Support/MathExtras.h"
#include <map>

using namespace llvm;

namespace unravel {

//===----------------------------------------------------------------------===//
// Rules
//===----------------------------------------------------------------------===//

constexpr int64_t WarpSize = ReductionPlan::WarpSize;
/// The least that memory transfers: neighbouring threads should read as much.
constexpr int64_t SectorBytes = 32;
/// Enough threads for a large GPU: half of those that it can hold.
constexpr int64_t ThreadsOfGPU = int64_t(1) << 17;

/// One thread reads a row of at most so many elements or bytes. The rows of all
/// 2048 threads of a multiprocessor stay in its cache while they are read, and
/// the index takes a tenth of the instructions that a group needs.
constexpr int64_t RowOfThread = 16, RowBytesOfThread = 64;
/// And a column of at most so many elements: all are loaded at once.
constexpr int64_t ColumnOfThread = 32;

/// A thread of a group reads at least so many vectors and elements of a row:
/// with fewer, most of its work is the index and combining.
constexpr int64_t VectorsOfRow = 4, ElementsOfRow = 8;
/// A step in a column is one element.
constexpr int64_t ElementsOfColumn = 16;
/// A thread may read at most so many vectors of a reduction whose elements are
/// in several pieces, if that saves a division for each.
constexpr int64_t MostWithoutDivision = 32;

static int64_t powerOf2Above(int64_t N) { return bit_ceil(uint64_t(N)); }
static int64_t powerOf2Below(int64_t N) { return bit_floor(uint64_t(N)); }

static DimensionGroup groupOf(const HloShape &Input,
                              function_ref<bool(int64_t)> IsMember) {
  DimensionGroup Group;
  SmallVector<int64_t, 4> Sizes, Order;
  for (int64_t D = 0; D < int64_t(Input.rank()); ++D) {
    if (!IsMember(D))
      continue;
    Group.Dimensions.push_back(D);
    Sizes.push_back(Input.dimension(D));
  }
  for (int64_t D : Input.minorToMajor())
    if (IsMember(D))
      Order.push_back(find(Group.Dimensions, D) - Group.Dimensions.begin());
  // A part of a valid shape is valid.
  Group.Shape = cantFail(
      HloShape::array(Input.elementType(), Sizes, ArrayRef<int64_t>(Order)));
  return Group;
}

/// Chooses vectors for rows. Returns how many threads should share a row of \p
/// Count elements, in pieces.
static int64_t heightOfRows(ReductionPlan &Plan, int64_t Count,
                            int64_t PieceSize, int64_t Bytes,
                            const LaunchLimits &Limits) {
  Plan.Vector = Limits.MaxVector;
  while (Plan.Vector > 1 && (PieceSize % Plan.Vector != 0 ||
                             Plan.Vector * Bytes > Limits.MaxVectorBytes))
    Plan.Vector /= 2;
  int64_t Vectors = Count / Plan.Vector;
  int64_t OfThread = std::max(VectorsOfRow, ElementsOfRow / Plan.Vector);
  int64_t OfSector = divideCeil(SectorBytes, Plan.Vector * Bytes);
  int64_t Height = std::max(powerOf2Above(divideCeil(Vectors, OfThread)),
                            powerOf2Above(OfSector));
  return std::min({Height, powerOf2Below(Vectors), Plan.BlockSize});
}

/// Chooses the width for columns. Returns how many threads should share one.
static int64_t heightOfColumns(ReductionPlan &Plan, int64_t Count,
                               int64_t Bytes) {
  auto HeightFor = [&](int64_t Width) {
    return std::min(powerOf2Below(Count / ElementsOfColumn),
                    Plan.BlockSize / Width);
  };
  Plan.Width = std::min(WarpSize, powerOf2Above(Plan.Columns.size()));
  // Narrow groups of whole sectors, while there are few threads.
  if (Plan.Columns.size() * Bytes % SectorBytes == 0)
    while (Plan.Width * Bytes > SectorBytes &&
           HeightFor(Plan.Width / 2) > HeightFor(Plan.Width) &&
           Plan.groups() * Plan.Width * HeightFor(Plan.Width) < ThreadsOfGPU)
      Plan.Width /= 2;
  return HeightFor(Plan.Width);
}

std::optional<ReductionPlan> planReduction(const HloShape &Input,
                                           ArrayRef<int64_t> Reduced,
                                           int64_t Bytes,
                                           const LaunchLimits &Limits) {
  ReductionPlan Plan;
  Plan.BlockSize = powerOf2Below(Limits.ThreadsPerBlock);
  if (Plan.BlockSize < WarpSize || Input.elementCount() == 0)
    return std::nullopt;
  // The columns, and the minor reduced dimensions: a piece of memory, or a
  // piece in each row of columns.
  SmallVector<int64_t, 4> Columns, Piece;
  auto IsReduced = [&](int64_t D) { return is_contained(Reduced, D); };
  auto IsColumn = [&](int64_t D) { return is_contained(Columns, D); };
  auto IsInPiece = [&](int64_t D) { return is_contained(Piece, D); };
  for (int64_t D : Input.minorToMajor()) {
    if (Input.dimension(D) == 1)
      continue;
    if (IsReduced(D))
      Piece.push_back(D);
    else if (Piece.empty())
      Columns.push_back(D);
    else
      break;
  }
  Plan.Columns = groupOf(Input, IsColumn);
  Plan.Kept =
      groupOf(Input, [&](int64_t D) { return !IsReduced(D) && !IsColumn(D); });
  int64_t Count = groupOf(Input, IsReduced).size();
  int64_t PieceSize = groupOf(Input, IsInPiece).size();
  auto IsShortRow = [&](int64_t Size) {
    return Size <= RowOfThread || Size * Bytes <= RowBytesOfThread;
  };
  if (Plan.isRow() ? IsShortRow(Count) : Count <= ColumnOfThread)
    return std::nullopt;
  // Threads with a result each suffice, and neighbours read neighbours.
  if (Plan.Kept.size() * Plan.Columns.size() >= ThreadsOfGPU &&
      (!Plan.isRow() || IsShortRow(PieceSize)))
    return std::nullopt;
  int64_t Wanted = Plan.isRow()
                       ? heightOfRows(Plan, Count, PieceSize, Bytes, Limits)
                       : heightOfColumns(Plan, Count, Bytes);
  if (Wanted == 1)
    return std::nullopt;

  // Threads share one piece after the other, or all pieces together.
  int64_t Vectors = PieceSize / Plan.Vector;
  Plan.Height = std::min(Wanted, powerOf2Below(Vectors));
  int64_t OfThread =
      (Count / PieceSize) * int64_t(divideCeil(Vectors, Plan.Height));
  bool IsOneByOne =
      Plan.Height == Wanted || (Plan.Height > 1 && Plan.Height >= Wanted / 4 &&
                                OfThread <= MostWithoutDivision);
  if (!IsOneByOne)
    Plan.Height = Wanted;
  auto IsShared = [&](int64_t D) { return !IsOneByOne || IsInPiece(D); };
  Plan.Shared =
      groupOf(Input, [&](int64_t D) { return IsReduced(D) && IsShared(D); });
  Plan.Outer =
      groupOf(Input, [&](int64_t D) { return IsReduced(D) && !IsShared(D); });
  assert(Plan.Height <= Plan.vectors() && "every thread has one");
  return Plan;
}

//===----------------------------------------------------------------------===//
// Maps
//===----------------------------------------------------------------------===//

namespace {
/// Builds a map from threads.
class PlanMap {
public:
  PlanMap(const ReductionPlan &Plan, IndexContext &Context)
      : Plan(Plan), Context(Context), Domain(Context), Basis(Domain),
        Launch(Context, Plan.BlockSize, Plan.blocks(), /*BlocksY=*/1) {
    Domain.constrain(Launch.Thread, Interval(0, Plan.BlockSize - 1));
    Domain.constrain(Launch.BlockX, Interval(0, Plan.blocks() - 1));
  }

  /// Places the kept dimensions.
  void addThread();
  /// Places the reduced ones.
  void addSteps();
  void addConstraint(IndexExpr E, int64_t Last) {
    Constraints.push_back({E, Interval(0, Last)});
  }
  IndexExpr y() const { return Y; }
  /// Has a result for each placed dimension.
  std::optional<IndexingMap> build();

private:
  IndexExpr range(int64_t Size, const char *Name);
  void place(const DimensionGroup &Group, IndexExpr Number);

  const ReductionPlan &Plan;
  IndexContext &Context;
  IndexDomain Domain;
  FloorBasis Basis;
  LaunchVariables Launch;
  std::vector<MapConstraint> Constraints;
  std::map<int64_t, IndexExpr> Index; ///< by dimension of the input
  IndexExpr Y;
};
} // namespace

IndexExpr PlanMap::range(int64_t Size, const char *Name) {
  IndexExpr E = Launch.addRange(Size, Name);
  Domain.constrain(E, Interval(0, Size - 1));
  return E;
}

/// On the domain of the map, the number is inside the group.
void PlanMap::place(const DimensionGroup &Group, IndexExpr Number) {
  std::vector<IndexExpr> Physical = reshapedIndex(
      Basis, {Number}, {Group.size()}, physicalSizesOf(Group.Shape));
  for (auto [D, E] :
       zip_equal(Group.Dimensions, logicalIndex(Group.Shape, Physical)))
    Index[D] = E;
}

void PlanMap::addThread() {
  IndexExpr Thread = Launch.Thread, Block = Launch.BlockX;
  int64_t GroupSize = Plan.Height * Plan.Width;
  Y = Basis.floorMod(Basis.floorDiv(Thread, Plan.Width), Plan.Height);
  IndexExpr X = Basis.floorMod(Thread, Plan.Width);
  IndexExpr Group = Context.add(Context.scale(Block, Plan.groupsOfBlock()),
                                Basis.floorDiv(Thread, GroupSize));
  addConstraint(Group, Plan.groups() - 1);
  place(Plan.Kept, Basis.floorDiv(Group, Plan.groupsAcross()));
  IndexExpr Column = Context.add(
      Context.scale(Basis.floorMod(Group, Plan.groupsAcross()), Plan.Width), X);
  addConstraint(Column, Plan.Columns.size() - 1);
  place(Plan.Columns, Column);
}

void PlanMap::addSteps() {
  int64_t Steps = divideCeil(Plan.vectors(), Plan.Height);
  place(Plan.Outer, range(Plan.Outer.size(), "outer"));
  IndexExpr Step = range(Steps, "step");
  IndexExpr Place = range(Plan.Vector, "place");
  IndexExpr Vector = Context.add(Context.scale(Step, Plan.Height), Y);
  addConstraint(Vector, Plan.vectors() - 1);
  place(Plan.Shared, Context.add(Context.scale(Vector, Plan.Vector), Place));
}

std::optional<IndexingMap> PlanMap::build() {
  std::vector<IndexExpr> Results;
  for (const auto &[D, E] : Index)
    Results.push_back(E);
  auto IsNull = [](IndexExpr E) { return !E; };
  if (any_of(Results, IsNull) ||
      any_of(Constraints, [](const MapConstraint &C) { return !C.Expr; }))
    return std::nullopt;
  return IndexingMap(Context, Launch.Vars, Results, Constraints).simplified();
}

std::optional<IndexingMap> reductionResultMap(const ReductionPlan &Plan,
                                              IndexContext &Context) {
  if (Plan.blocks() > INT32_MAX)
    return std::nullopt;
  PlanMap Map(Plan, Context);
  Map.addThread();
  Map.addConstraint(Map.y(), 0);
  return Map.build();
}

std::optional<IndexingMap> reductionInputMap(const ReductionPlan &Plan,
                                             IndexContext &Context) {
  if (Plan.blocks() > INT32_MAX)
    return std::nullopt;
  PlanMap Map(Plan, Context);
  Map.addThread();
  Map.addSteps();
  return Map.build();
}

} // namespace unravel
