//===- KernelMaps.cpp - What the threads of a kernel access ---------------===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A kernel has phases, with a barrier or a shuffle between them. In each phase
// threads are at indices of some roots (a map), and need what these are
// computed from, up to what is in memory or what another phase has supplied.
//
//===----------------------------------------------------------------------===//

#include "frontend/plan/KernelMaps.h"
#include "frontend/hlo/HloSliceDimensions.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace unravel {

StringRef nameOf(ThreadAction Kind) {
  switch (Kind) {
  case ThreadAction::Load:
    return "load";
  case ThreadAction::Store:
    return "store";
  case ThreadAction::Update:
    return "update";
  }
  llvm_unreachable("all kinds are above");
}

StringRef nameOf(const KernelKind &Kind) {
  constexpr StringLiteral Names[] = {"loop",      "update",      "reduction",
                                     "transpose", "concatenate", "scatter",
                                     "sort"};
  static_assert(std::variant_size_v<KernelKind> == std::size(Names));
  return Names[Kind.index()];
}

namespace {
class AccessCollector {
public:
  AccessCollector(const KernelPlan &Plan, const PlannedKernel &Kernel,
                  HloIndexingAnalysis &Analysis)
      : Plan(Plan), Kernel(Kernel), Analysis(Analysis),
        Context(Analysis.context()),
        Starts(Plan.Flat.Body->instructions().size()),
        Loads(Kernel.Loaded.size()) {}

  void collect(const LoopKernel &Loop);
  void collect(const UpdateSliceKernel &Slices);
  void collect(const ReductionKernel &Reduction);
  void collect(const TransposeKernel &Transpose);
  void collect(const ConcatenateKernel &Concatenate);
  void collect(const ScatterKernel &Scatter);
  void collect(const SortKernel &Sort);
  std::vector<BufferAccess> take();

private:
  using Threads = std::optional<IndexingMap>;

  OperandIndexing indexing(const Threads &Map) const;
  void startAt(const HloInstruction &I, const Threads &Map);
  void startAtScalar(const HloInstruction &I, const Threads &Map);
  void startAt(const HloInstruction &I, const OperandIndexing &Maps);
  void endPhase(bool HasGiven);
  void store(size_t K, OperandIndexing Maps,
             ThreadAction Kind = ThreadAction::Store);
  const HloShape &shapeOfWritten(size_t K) const {
    return Plan.Memory.Buffers[Kernel.Written[K]].Shape;
  }
  Threads oneByOne(const HloShape &Order) const;
  OperandIndexing throughOperand(const Threads &Map, const HloInstruction &I,
                                 size_t Operand) const;
  OperandIndexing indexVectors(const Threads &Map,
                               const HloInstruction &Scatter) const;

  const KernelPlan &Plan;
  const PlannedKernel &Kernel;
  HloIndexingAnalysis &Analysis;
  IndexContext &Context;
  /// Of the phase, by instruction.
  std::vector<OperandIndexing> Starts;
  /// One for each of Kernel.Loaded.
  std::vector<OperandIndexing> Loads;
  std::vector<BufferAccess> Stores;
};
} // namespace

//===----------------------------------------------------------------------===//
// Phases
//===----------------------------------------------------------------------===//

static void unite(OperandIndexing &To, const OperandIndexing &From) {
  if (!From.isKnown())
    To = From;
  if (To.isKnown())
    for (const OperandMap &Map : From.Maps)
      addMap(To, Map);
}

OperandIndexing AccessCollector::indexing(const Threads &Map) const {
  if (!Map)
    return OperandIndexing::unknown("the numbers of the threads leave 64 bits "
                                    "or need a third dimension of the grid");
  OperandIndexing Result;
  addMap(Result, {*Map, {}});
  return Result;
}

void AccessCollector::startAt(const HloInstruction &I,
                              const OperandIndexing &Maps) {
  unite(Starts[I.index()], Maps);
}

void AccessCollector::startAt(const HloInstruction &I, const Threads &Map) {
  startAt(I, indexing(Map));
}

/// The threads of \p Map need a scalar.
void AccessCollector::startAtScalar(const HloInstruction &I,
                                    const Threads &Map) {
  if (!Map || Map->isKnownEmpty())
    return startAt(I, Map);
  startAt(I, indexing(IndexingMap(Context, Map->variables(), {},
                                  Map->constraints().vec())));
}

/// Loads what the starts need. \p HasGiven: an earlier phase supplies it.
void AccessCollector::endPhase(bool HasGiven) {
  auto IsEnd = [&](const HloInstruction &I) {
    return is_contained(Kernel.Loaded, &I) ||
           (HasGiven && is_contained(Kernel.Given, &I));
  };
  std::vector<OperandIndexing> Reached(Starts.size());
  std::swap(Reached, Starts);
  Reached = Analysis.alongOperands(*Plan.Flat.Body, std::move(Reached), IsEnd);
  for (auto [I, Load] : zip_equal(Kernel.Loaded, Loads))
    if (!HasGiven || !is_contained(Kernel.Given, I))
      unite(Load, Reached[I->index()]);
}

void AccessCollector::store(size_t K, OperandIndexing Maps, ThreadAction Kind) {
  Stores.push_back(
      {Kind, Kernel.Written[K], shapeOfWritten(K), std::move(Maps)});
}

std::vector<BufferAccess> AccessCollector::take() {
  std::vector<BufferAccess> Accesses;
  for (auto [I, Load] : zip_equal(Kernel.Loaded, Loads))
    if (!Load.isKnown() || !Load.Maps.empty())
      Accesses.push_back({ThreadAction::Load, Plan.Memory.BufferOf.lookup(I),
                          I->shape(), std::move(Load)});
  append_range(Accesses, std::move(Stores));
  return Accesses;
}

//===----------------------------------------------------------------------===//
// Kernel kinds
//===----------------------------------------------------------------------===//

void AccessCollector::collect(const LoopKernel &Loop) {
  for (auto [Root, Place] : zip_equal(Kernel.Roots, Kernel.Places))
    startAt(*Root, threadMap(Loop.Shapes[Place], Loop.Launch, Context));
  endPhase(/*HasGiven=*/false);
  for (size_t K = 0; K < Kernel.Written.size(); ++K)
    store(K, indexing(threadMap(shapeOfWritten(K), Loop.Launch, Context)));
}

void AccessCollector::collect(const ConcatenateKernel &Concatenate) {
  Threads Whole = threadMap(Concatenate.Longest, Concatenate.Launch, Context);
  for (const HloInstruction *Operand : Concatenate.Concatenation->operands()) {
    if (!Whole || Concatenate.sizeOf(*Operand) == 0)
      continue;
    std::vector<MapConstraint> Constraints = Whole->constraints().vec();
    Constraints.push_back({Whole->result(Concatenate.Along),
                           Interval(0, Concatenate.sizeOf(*Operand) - 1)});
    startAt(*Operand,
            IndexingMap(Context, Whole->variables(), Whole->results().vec(),
                        std::move(Constraints)));
  }
  endPhase(/*HasGiven=*/false);
  auto Sizes = ConcatenatedSizes::of(*Concatenate.Concatenation);
  for (size_t K = 0; K < Kernel.Written.size(); ++K) {
    Threads Map = threadMapOfConcatenation(Sizes, shapeOfWritten(K),
                                           Concatenate.Launch, Context);
    startAt(*Kernel.Roots[K], Map);
    store(K, indexing(Map));
  }
  endPhase(/*HasGiven=*/true);
}

void AccessCollector::collect(const ReductionKernel &Reduction) {
  for (const HloInstruction *Input : Reduction.Inputs)
    startAt(*Input, reductionInputMap(Reduction.Plan, Context));
  endPhase(/*HasGiven=*/false);
  Threads Map = reductionResultMap(Reduction.Plan, Context);
  for (const HloInstruction *I : Reduction.Initial)
    startAtScalar(*I, Map);
  for (size_t K = 0; K < Kernel.Written.size(); ++K) {
    startAt(*Kernel.Roots[K], Map);
    store(K, indexing(Map));
  }
  endPhase(/*HasGiven=*/true);
}

void AccessCollector::collect(const TransposeKernel &Transpose) {
  auto MapOf = [&](const HloShape &Array, std::optional<size_t> Filling) {
    return transposeThreadMap(Transpose.Plan.Tiling, Array, Filling,
                              Kernel.BlockSize, Context);
  };
  for (bool IsFilling : {true, false}) {
    for (auto [Root, Place] : zip_equal(Kernel.Roots, Kernel.Places)) {
      const TransposeKernel::Space &S = Transpose.Spaces[Place];
      if (S.Filling.has_value() == IsFilling)
        startAt(*Root, MapOf(S.Shape, S.Filling));
    }
    endPhase(/*HasGiven=*/!IsFilling);
  }
  for (size_t K = 0; K < Kernel.Written.size(); ++K)
    store(K, indexing(MapOf(shapeOfWritten(K), Transpose.Plan.FilledWith[K])));
}

/// A thread for each element, in the order of \p Order.
AccessCollector::Threads
AccessCollector::oneByOne(const HloShape &Order) const {
  auto [X, Y, Z] = gridOf(Kernel.blocks());
  if (Z > 1)
    return std::nullopt;
  LaunchDimensions Launch;
  Launch.Threads = Kernel.BlockSize;
  Launch.BlocksX = X;
  Launch.BlocksY = Y;
  return threadMap(Order, Launch, Context);
}

/// Where the elements of an operand of \p I go that the threads have.
OperandIndexing AccessCollector::throughOperand(const Threads &Map,
                                                const HloInstruction &I,
                                                size_t Operand) const {
  return Map ? threadsToOperand(*Map, I.operand(Operand).shape(),
                                Analysis.inputToOutput(I, Operand))
             : indexing(Map);
}

void AccessCollector::collect(const UpdateSliceKernel &Slices) {
  Threads Map = oneByOne(Slices.Order);
  for (auto [K, I] : enumerate(Slices.Updates)) {
    startAt(I->operand(1), Map);
    for (const HloInstruction *Start : I->operands().drop_front(2))
      startAtScalar(*Start, Map);
    store(K, throughOperand(Map, *I, 1));
  }
  endPhase(/*HasGiven=*/false);
}

/// The index vectors of the updates that the threads have.
OperandIndexing
AccessCollector::indexVectors(const Threads &Map,
                              const HloInstruction &Scatter) const {
  if (!Map || Map->isKnownEmpty())
    return indexing(Map);
  HloSliceDimensions Dims = HloSliceDimensions::of(Scatter);
  IndexingMap::Variables Vars = Map->variables();
  IndexExpr Component =
      IndexingMap::exprOf(Context, VariableKind::Range, Vars.Ranges.size());
  Vars.Ranges.push_back(
      {Interval(0, int64_t(Dims.IndexMap.size()) - 1), "component"});
  return indexing(
      IndexingMap(Context, std::move(Vars),
                  Dims.place(Dims.batchOf(Map->results().vec()), Component),
                  Map->constraints().vec()));
}

void AccessCollector::collect(const ScatterKernel &Scatter) {
  const HloInstruction &I = *Scatter.Scatter;
  size_t Arrays = Scatter.Plan.Arrays.size();
  Threads Map = oneByOne(Kernel.Roots[0]->shape());
  for (size_t K = 0; K < Arrays; ++K)
    startAt(*Kernel.Roots[K], Map);
  OperandIndexing Place = throughOperand(Map, I, Arrays + 1);
  // All arrays of the output have the same maps.
  erase_if(Place.Maps, [](const OperandMap &M) { return M.Element != 0; });
  startAt(I.operand(Arrays), indexVectors(Map, I));
  endPhase(/*HasGiven=*/false);
  for (auto [K, Array] : enumerate(Scatter.Plan.Arrays))
    if (Array.Method != ScatterMethod::Nothing)
      store(K, Place, ThreadAction::Update);
}

void AccessCollector::collect(const SortKernel &) {
  for (size_t K = 0; K < Kernel.Written.size(); ++K)
    store(K,
          OperandIndexing::unknown("a sort moves elements to where their "
                                   "values belong"),
          ThreadAction::Update);
}

std::vector<BufferAccess> accessesOf(const KernelPlan &Plan,
                                     const PlannedKernel &Kernel,
                                     HloIndexingAnalysis &Analysis) {
  AccessCollector Collector(Plan, Kernel, Analysis);
  std::visit([&](const auto &Kind) { Collector.collect(Kind); }, Kernel.Kind);
  return Collector.take();
}

} // namespace unravel
