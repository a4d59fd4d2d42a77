//===- TransposeKernel.cpp - Transposes through shared memory ------------===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A block has a tile (TransposeTiling.h) of each hero (TransposeHeroes.h) in
// shared memory. Its threads are lines of 32 lanes:
//
//     fill   lanes along the rows: neighbours read neighbours of the input
//     barrier
//     write  lanes along the columns: neighbours write neighbours of the output
//
// A line of the tile has 33 elements. So the lanes of the second part, which
// read elements that are a line apart, hit different banks of shared memory.
//
//===----------------------------------------------------------------------===//

#include "frontend/kernels/ModuleEmitter.h"
#include "frontend/plan/TransposeHeroes.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/IntrinsicsNVPTX.h"
#include "llvm/Support/MathExtras.h"

using namespace llvm;

namespace unravel {

static constexpr int64_t Edge = TransposeTiling::Edge;
static constexpr int64_t TileLine = Edge + 1;
/// What every GPU has without asking for more.
static constexpr uint64_t MaxSharedBytes = 48 * 1024;

/// The type does not matter; nobody has an element of it.
static HloShape indexShape(ArrayRef<int64_t> Sizes,
                           std::optional<ArrayRef<int64_t>> MinorToMajor = {}) {
  return cantFail(HloShape::array(ElementType::S8, Sizes, MinorToMajor));
}

namespace {
/// Where elements are at one place of a tile: at the same offset of all arrays
/// of this shape that are read or written together.
struct Space {
  HloShape Shape;
  /// The hero, while tiles are filled; nullopt behind the barrier.
  std::optional<size_t> Filling;
};

class TransposeEmitter {
public:
  TransposeEmitter(ModuleEmitter &M, ArrayRef<KernelOutput> Outputs,
                   const TransposePlan &Plan);

  /// False: that is no kernel of this kind after all.
  bool run();

private:
  unsigned spaceFor(const HloShape &Shape, std::optional<size_t> Filling);
  void emitBody(KernelCode &Code);
  void emitPhase(KernelCode &Code, bool IsFilling);
  void emitPlace(KernelCode &Code, bool IsFilling, Value *InTile, Value *Row,
                 Value *Column);
  void guarded(KernelCode &Code, Value *Index, int64_t Size,
               function_ref<void()> Body);
  void forEachLine(KernelCode &Code, function_ref<void(Value *)> Body);
  HloShape shapeOf(ArrayRef<unsigned> Dimensions) const;

  ModuleEmitter &M;
  ArrayRef<KernelOutput> Outputs;
  const TransposePlan &Plan;
  const TransposeTiling &Tiling;
  KernelFrame Frame;
  std::vector<Space> Spaces;
  /// Lines of threads in a block.
  int64_t Together = 1;
  bool IsUnrolled = false;

  // Of the body:
  std::vector<GlobalVariable *> Tiles;
  /// The index of the block in the batch, of its tile, and of the thread.
  ElementIndex Batch;
  Value *FirstRow = nullptr, *FirstColumn = nullptr;
  Value *Lane = nullptr, *Line = nullptr;
};
} // namespace

unsigned TransposeEmitter::spaceFor(const HloShape &Shape,
                                    std::optional<size_t> Filling) {
  auto Same = find_if(Spaces, [&](const Space &S) {
    return S.Filling == Filling && S.Shape.dimensions() == Shape.dimensions() &&
           S.Shape.minorToMajor() == Shape.minorToMajor();
  });
  if (Same == Spaces.end())
    Same = Spaces.insert(Same, {Shape, Filling});
  return Same - Spaces.begin();
}

/// The roots are the outputs, then the sources of the heroes.
TransposeEmitter::TransposeEmitter(ModuleEmitter &M,
                                   ArrayRef<KernelOutput> Outputs,
                                   const TransposePlan &Plan)
    : M(M), Outputs(Outputs), Plan(Plan), Tiling(Plan.Tiling) {
  Frame.Name = Outputs[0].Value->name().str();
  Together = bit_floor(std::max(1u, M.options().BlockSize / unsigned(Edge)));
  Frame.BlockSize = Together * Edge;
  Frame.Blocks = Tiling.blocks();
  Frame.Threads = Frame.Blocks * Frame.BlockSize;
  auto MapFor = [&](std::optional<size_t> Filling) {
    return [Tiling = Tiling, Filling, Threads = int64_t(Frame.BlockSize)](
               const HloShape &Array, IndexContext &Context) {
      return transposeThreadMap(Tiling, Array, Filling, Threads, Context);
    };
  };
  Frame.ThreadMap = MapFor(std::nullopt);
  for (auto [Output, Filling] : zip_equal(Outputs, Plan.FilledWith)) {
    Frame.Roots.push_back(Output.Value);
    Frame.Places.push_back(spaceFor(M.shapeOf(Output.Buffer), Filling));
    Frame.Written.push_back(Output.Buffer);
    if (Filling)
      Frame.OtherThreadMaps[Output.Buffer] = MapFor(Filling);
  }
  for (auto [K, Hero] : enumerate(Plan.Heroes)) {
    Frame.Roots.push_back(Hero.Source);
    Frame.Places.push_back(spaceFor(Hero.SourceInMemory, K));
    Frame.Given.push_back(Hero.Value);
  }
}

bool TransposeEmitter::run() {
  uint64_t Shared = 0;
  for (const TransposeHero &Hero : Plan.Heroes)
    Shared += Edge * TileLine * byteWidth(Hero.Value->shape().elementType());
  if (Shared > MaxSharedBytes)
    return false;
  // A function has its elements from parameters, not from a tile.
  HloPartition Partition = M.partition(Frame);
  for (const HloInstruction *Function : Partition.functions())
    for (const HloInstruction *Read : Partition.buffersOf(*Function))
      if (!M.isInMemory(*Read))
        return false;
  IsUnrolled = isCheapToRepeat(Partition);
  M.emitKernel(Frame, [&](KernelCode &Code) { emitBody(Code); });
  return true;
}

//===----------------------------------------------------------------------===//
// Code
//===----------------------------------------------------------------------===//

HloShape TransposeEmitter::shapeOf(ArrayRef<unsigned> Dimensions) const {
  SmallVector<int64_t, 4> Sizes;
  for (unsigned D : Dimensions)
    Sizes.push_back(Tiling.sizes()[D]);
  return indexShape(Sizes);
}

/// Runs \p Body where \p Index is inside, which nobody has to ask for if the
/// size is one of whole tiles.
void TransposeEmitter::guarded(KernelCode &Code, Value *Index, int64_t Size,
                               function_ref<void()> Body) {
  if (Size % Edge == 0)
    return Body();
  IRBuilder<> &B = Code.B;
  Value *IsInside = B.CreateICmpULT(Index, Code.Indices.constant(Size));
  BasicBlock *Inside =
      BasicBlock::Create(B.getContext(), "inside", &Code.F, Code.Exit);
  BasicBlock *Behind =
      BasicBlock::Create(B.getContext(), "behind", &Code.F, Code.Exit);
  B.CreateCondBr(IsInside, Inside, Behind);
  B.SetInsertPoint(Inside);
  Body();
  B.CreateBr(Behind);
  B.SetInsertPoint(Behind);
}

/// The lines of the tile that the thread's line has to do.
void TransposeEmitter::forEachLine(KernelCode &Code,
                                   function_ref<void(Value *)> Body) {
  IRBuilder<> &B = Code.B;
  auto Further = [&](Value *From, int64_t Lines) {
    return B.CreateAdd(From, Code.Indices.constant(Lines), "", true, true);
  };
  if (IsUnrolled) {
    for (int64_t First = 0; First < Edge; First += Together)
      Body(First == 0 ? Line : Further(Line, First));
    return;
  }
  BasicBlock *Before = B.GetInsertBlock();
  BasicBlock *Loop =
      BasicBlock::Create(B.getContext(), "lines", &Code.F, Code.Exit);
  BasicBlock *Done =
      BasicBlock::Create(B.getContext(), "done", &Code.F, Code.Exit);
  B.CreateBr(Loop);
  B.SetInsertPoint(Loop);
  PHINode *Current = B.CreatePHI(Line->getType(), 2);
  Current->addIncoming(Line, Before);
  Body(Current);
  Value *Next = Further(Current, Together);
  Current->addIncoming(Next, B.GetInsertBlock());
  B.CreateCondBr(B.CreateICmpULT(Next, Code.Indices.constant(Edge)), Loop,
                 Done);
  B.SetInsertPoint(Done);
}

/// What the thread does at one place of the tile, which is in the array.
void TransposeEmitter::emitPlace(KernelCode &Code, bool IsFilling,
                                 Value *InTile, Value *Row, Value *Column) {
  IRBuilder<> &B = Code.B;
  IndexEmitter &Indices = Code.Indices;
  ElementIndex Index(Tiling.sizes().size());
  auto Put = [&](ArrayRef<unsigned> Dimensions, const ElementIndex &Parts) {
    for (auto [D, Part] : zip_equal(Dimensions, Parts))
      Index[D] = Part;
  };
  Put(Tiling.batch(), Batch);
  Put(Tiling.rows(), Indices.fromOffset(B, shapeOf(Tiling.rows()), Row));
  Put(Tiling.columns(),
      Indices.fromOffset(B, shapeOf(Tiling.columns()), Column));

  // Where that is in the arrays.
  std::vector<Value *> Offsets(Spaces.size());
  std::vector<ElementPlace> At(Spaces.size());
  for (auto [K, S] : enumerate(Spaces)) {
    if (S.Filling.has_value() != IsFilling)
      continue;
    SmallVector<int64_t, 6> Minors;
    for (size_t D = Index.size(); D-- > 0;)
      Minors.push_back(IsFilling ? Tiling.inputOrder(*S.Filling)[D] : D);
    Offsets[K] = Indices.toOffset(
        B, indexShape(Tiling.sizes(), ArrayRef<int64_t>(Minors)), Index);
    At[K].Index = Indices.fromOffset(B, S.Shape, Offsets[K]);
  }

  for (auto [K, Hero] : enumerate(Plan.Heroes)) {
    ElementType T = Hero.Value->shape().elementType();
    if (IsFilling)
      Code.Elements.store(
          B, T, Tiles[K], InTile,
          Code.Emitter.element(*Hero.Source,
                               At[Frame.Places[Outputs.size() + K]]));
    else
      Code.Emitter.setElements(*Hero.Value,
                               {Code.Elements.load(B, T, Tiles[K], InTile)});
  }
  for (auto [K, Output] : enumerate(Outputs)) {
    unsigned Place = Frame.Places[K];
    if (Plan.FilledWith[K].has_value() != IsFilling)
      continue;
    Code.Elements.store(B, Output.Value->shape().elementType(), Code.Written[K],
                        Offsets[Place],
                        Code.Emitter.element(*Output.Value, At[Place]));
  }
}

/// Lanes go along the rows while tiles are filled, then along the columns.
void TransposeEmitter::emitPhase(KernelCode &Code, bool IsFilling) {
  IRBuilder<> &B = Code.B;
  auto Plus = [&](Value *X, Value *Y) {
    return B.CreateAdd(X, Y, "", true, true);
  };
  int64_t Rows = Tiling.rowCount(), Columns = Tiling.columnCount();
  Value *OfLane = Plus(IsFilling ? FirstRow : FirstColumn, Lane);
  guarded(Code, OfLane, IsFilling ? Rows : Columns, [&] {
    forEachLine(Code, [&](Value *Current) {
      Value *OfLine = Plus(IsFilling ? FirstColumn : FirstRow, Current);
      guarded(Code, OfLine, IsFilling ? Columns : Rows, [&] {
        ElementIndex InTile = {Current, Lane};
        if (!IsFilling)
          std::swap(InTile[0], InTile[1]);
        emitPlace(
            Code, IsFilling,
            Code.Indices.toOffset(B, indexShape({Edge, TileLine}), InTile),
            IsFilling ? OfLane : OfLine, IsFilling ? OfLine : OfLane);
      });
    });
  });
}

void TransposeEmitter::emitBody(KernelCode &Code) {
  IRBuilder<> &B = Code.B;
  IndexEmitter &Indices = Code.Indices;
  for (const TransposeHero &Hero : Plan.Heroes) {
    constexpr unsigned SharedMemory = 3;
    auto *Type = ArrayType::get(
        Code.Elements.memoryType(Hero.Value->shape().elementType()),
        Edge * TileLine);
    Tiles.push_back(new GlobalVariable(
        *Code.F.getParent(), Type, false, GlobalValue::InternalLinkage,
        UndefValue::get(Type), "tile_" + Hero.Value->name(), nullptr,
        GlobalValue::NotThreadLocal, SharedMemory));
    Tiles.back()->setAlignment(Align(16));
  }
  // A whole block leaves, or none of its threads.
  Code.exitUnless(
      B.CreateICmpULT(Code.Block, Indices.constant(Tiling.blocks())));
  Batch = Indices.fromOffset(B, indexShape(Tiling.grid()), Code.Block);
  auto FirstOf = [&](Value *Tile) {
    return B.CreateMul(Tile, Indices.constant(Edge), "", true, true);
  };
  FirstColumn = FirstOf(Batch.pop_back_val());
  FirstRow = FirstOf(Batch.pop_back_val());
  ElementIndex InBlock =
      Indices.fromOffset(B, indexShape({Together, Edge}), Code.Thread);
  Line = InBlock[0];
  Lane = InBlock[1];

  emitPhase(Code, /*IsFilling=*/true);
  B.CreateIntrinsic(Intrinsic::nvvm_barrier_cta_sync_aligned_all,
                    {B.getInt32(0)});
  emitPhase(Code, /*IsFilling=*/false);
}

bool emitTransposeKernel(ModuleEmitter &M, ArrayRef<KernelOutput> Outputs) {
  std::vector<const HloInstruction *> Roots;
  std::vector<HloShape> Shapes;
  for (const KernelOutput &Output : Outputs) {
    Roots.push_back(Output.Value);
    Shapes.push_back(M.shapeOf(Output.Buffer));
  }
  std::optional<TransposePlan> Plan = planTranspose(
      Roots, Shapes, [&](const HloInstruction &I) { return M.isInMemory(I); });
  return Plan && TransposeEmitter(M, Outputs, *Plan).run();
}

} // namespace unravel
