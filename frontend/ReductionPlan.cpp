//===- ReductionPlan.cpp - How threads share a reduction ------------------===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "frontend/ReductionPlan.h"
#include "frontend/HloIndexingOps.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/bit.h"
#include "llvm/Support/MathExtras.h"
#include <map>

using namespace llvm;

namespace unravel {

//===----------------------------------------------------------------------===//
// Rules
//===----------------------------------------------------------------------===//

constexpr int64_t WarpSize = 32;
/// A thread alone has so few elements loaded at once, as vectors where they are
/// neighbours, and needs a tenth of the instructions of a group.
constexpr int64_t MostForOneThread = 16;
/// Vectors for each thread of a group: fewer, and most of the work is to find
/// the place and to combine; more, and there are too few threads.
constexpr int64_t VectorsOfThread = 4;
/// A thread may have so many of a reduction in two places in memory, if that
/// spares it a division for each.
constexpr int64_t MostWithoutDivision = 32;
/// So many threads are enough for a large GPU, half of what it can have at a
/// time.
constexpr int64_t ThreadsOfGPU = int64_t(1) << 17;
/// What memory transfers at least: threads that read less side by side waste
/// the rest.
constexpr int64_t SectorBytes = 32;

static int64_t powerOf2Above(int64_t N) { return bit_ceil(uint64_t(N)); }
static int64_t powerOf2Below(int64_t N) { return bit_floor(uint64_t(N)); }

static DimensionGroup groupOf(const HloShape &Input,
                              function_ref<bool(int64_t)> IsMember) {
  DimensionGroup Group;
  SmallVector<int64_t, 4> Sizes, Order;
  SmallVector<int64_t, 6> NumberOf(Input.rank());
  for (int64_t D = 0; D < int64_t(Input.rank()); ++D) {
    if (!IsMember(D))
      continue;
    NumberOf[D] = Sizes.size();
    Group.Dimensions.push_back(D);
    Sizes.push_back(Input.dimension(D));
  }
  for (int64_t D : Input.minorToMajor())
    if (IsMember(D))
      Order.push_back(NumberOf[D]);
  // A part of a shape is a shape.
  Group.Shape = cantFail(
      HloShape::array(Input.elementType(), Sizes, ArrayRef<int64_t>(Order)));
  return Group;
}

std::optional<ReductionPlan> planReduction(const HloShape &Input,
                                           ArrayRef<int64_t> Reduced,
                                           int64_t Bytes,
                                           const ReductionLimits &Limits) {
  auto IsReduced = [&](int64_t D) { return is_contained(Reduced, D); };
  auto IsKept = [&](int64_t D) { return !IsReduced(D); };
  auto Nothing = [](int64_t) { return false; };
  ReductionPlan Plan;
  Plan.BlockSize = powerOf2Below(Limits.ThreadsPerBlock);
  if (Plan.BlockSize < WarpSize || Input.elementCount() == 0)
    return std::nullopt;
  // What is reduced, and the part of it that is in one piece, or one piece for
  // each row of neighbouring columns.
  int64_t Count = groupOf(Input, IsReduced).size();
  if (Count <= MostForOneThread)
    return std::nullopt;
  SmallVector<int64_t, 4> Columns, Piece;
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
  auto IsColumn = [&](int64_t D) { return is_contained(Columns, D); };
  auto IsInPiece = [&](int64_t D) { return is_contained(Piece, D); };
  Plan.Columns = groupOf(Input, IsColumn);
  Plan.Kept =
      groupOf(Input, [&](int64_t D) { return IsKept(D) && !IsColumn(D); });
  int64_t PieceSize = groupOf(Input, IsInPiece).size();
  // Then threads with a result each read side by side as well.
  bool IsSideBySide = !Plan.isRow() || PieceSize <= MostForOneThread;
  if (IsSideBySide && Plan.Kept.size() * Plan.Columns.size() >= ThreadsOfGPU)
    return std::nullopt;
  int64_t Wanted;
  if (Plan.isRow()) {
    Plan.Vector = Limits.MaxVector;
    while (Plan.Vector > 1 && (PieceSize % Plan.Vector != 0 ||
                               Plan.Vector * Bytes > Limits.MaxVectorBytes))
      Plan.Vector /= 2;
    Wanted = powerOf2Above(divideCeil(Count / Plan.Vector, VectorsOfThread));
    Wanted = std::min(Wanted, Plan.BlockSize);
  } else {
    auto HeightFor = [&](int64_t Width) {
      return std::min(powerOf2Below(Count / VectorsOfThread),
                      Plan.BlockSize / Width);
    };
    Plan.Width = std::min(WarpSize, powerOf2Above(Plan.Columns.size()));
    // Narrow groups, while there are few threads and sectors are used.
    while (Plan.Width * Bytes > SectorBytes &&
           HeightFor(Plan.Width / 2) > HeightFor(Plan.Width) &&
           Plan.groups() * Plan.Width * HeightFor(Plan.Width) < ThreadsOfGPU)
      Plan.Width /= 2;
    Wanted = HeightFor(Plan.Width);
  }
  // The other pieces one after the other, or all of them shared, which takes a
  // division for each vector.
  int64_t Vectors = PieceSize / Plan.Vector;
  Plan.Height = std::min(Wanted, powerOf2Below(Vectors));
  int64_t OfThread =
      (Count / PieceSize) * int64_t(divideCeil(Vectors, Plan.Height));
  bool HasOuter =
      Plan.Height == Wanted || (Plan.Height > 1 && Plan.Height >= Wanted / 4 &&
                                OfThread <= MostWithoutDivision);
  if (!HasOuter)
    Plan.Height = Wanted;
  Plan.Shared = groupOf(Input, [&](int64_t D) {
    return IsReduced(D) && (!HasOuter || IsInPiece(D));
  });
  Plan.Outer =
      HasOuter
          ? groupOf(Input,
                    [&](int64_t D) { return IsReduced(D) && !IsInPiece(D); })
          : groupOf(Input, Nothing);
  assert(Plan.Height <= Plan.vectors());
  if (Plan.Height == 1)
    return std::nullopt;
  return Plan;
}

//===----------------------------------------------------------------------===//
// Maps
//===----------------------------------------------------------------------===//

namespace {
/// A map from threads that is being built.
class PlanMap {
public:
  PlanMap(const ReductionPlan &Plan, IndexContext &Context)
      : Plan(Plan), Context(Context), Domain(Context), Basis(Domain) {}

  /// Places the kept dimensions.
  void addThread();
  /// Places the reduced ones.
  void addSteps();
  void addConstraint(IndexExpr E, int64_t Last) {
    Constraints.push_back({E, Interval(0, Last)});
  }
  IndexExpr y() const { return Y; }
  /// With a result for each dimension that has been placed.
  std::optional<IndexingMap> build();

private:
  IndexExpr variable(VariableKind Kind, int64_t Size, const char *Name);
  void place(const DimensionGroup &Group, IndexExpr Number);

  const ReductionPlan &Plan;
  IndexContext &Context;
  IndexDomain Domain;
  FloorBasis Basis;
  IndexingMap::Variables Vars;
  std::vector<MapConstraint> Constraints;
  std::map<int64_t, IndexExpr> Index; ///< by dimension of the input
  IndexExpr Y;
};
} // namespace

IndexExpr PlanMap::variable(VariableKind Kind, int64_t Size, const char *Name) {
  std::vector<MapVariable> &Of =
      Kind == VariableKind::Range ? Vars.Ranges : Vars.Dimensions;
  Of.push_back({Interval(0, Size - 1), Name});
  IndexExpr E = IndexingMap::exprOf(Context, Kind, Of.size() - 1);
  Domain.constrain(E, Interval(0, Size - 1));
  return E;
}

/// On the domain of the map the number is inside of the group.
void PlanMap::place(const DimensionGroup &Group, IndexExpr Number) {
  std::vector<IndexExpr> Physical = reshapedIndex(
      Basis, {Number}, {Group.size()}, physicalSizesOf(Group.Shape));
  for (auto [D, E] :
       zip_equal(Group.Dimensions, logicalIndex(Group.Shape, Physical)))
    Index[D] = E;
}

void PlanMap::addThread() {
  IndexExpr Thread = variable(VariableKind::Dimension, Plan.BlockSize, "th_x");
  variable(VariableKind::Dimension, 1, "th_y");
  variable(VariableKind::Dimension, 1, "th_z");
  IndexExpr Block = variable(VariableKind::Dimension, Plan.blocks(), "bl_x");
  variable(VariableKind::Dimension, 1, "bl_y");
  variable(VariableKind::Dimension, 1, "bl_z");
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
  place(Plan.Outer, variable(VariableKind::Range, Plan.Outer.size(), "outer"));
  IndexExpr Step = variable(VariableKind::Range, Steps, "step");
  IndexExpr Place = variable(VariableKind::Range, Plan.Vector, "place");
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
  return IndexingMap(Context, Vars, Results, Constraints).simplified();
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
