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
// A line of the tile has 33 elements. In the second part, lanes read elements
// that are a line apart, and so they access different banks of shared memory.
//
//===----------------------------------------------------------------------===//

#include "frontend/kernels/KernelCode.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace unravel {

static constexpr int64_t Edge = TransposeTiling::Edge;

namespace {
class TransposeEmitter {
public:
  TransposeEmitter(KernelCode &Code, const TransposeKernel &Transpose)
      : Code(Code), B(Code.B), Indices(Code.Indices), Transpose(Transpose),
        Plan(Transpose.Plan), Tiling(Plan.Tiling),
        Together(Code.Kernel.BlockSize / Edge) {}

  void emit();

private:
  void emitPhase(bool IsFilling);
  void emitPlace(bool IsFilling, Value *InTile, Value *Row, Value *Column);
  void guarded(Value *Index, int64_t Size, function_ref<void()> Body);
  void forEachLine(function_ref<void(Value *)> Body);

  KernelCode &Code;
  IRBuilder<> &B;
  IndexEmitter &Indices;
  const TransposeKernel &Transpose;
  const TransposePlan &Plan;
  const TransposeTiling &Tiling;
  /// Lines of threads in a block.
  const int64_t Together;

  std::vector<GlobalVariable *> Tiles;
  /// The index of the block in the batch, of its tile, and of the thread.
  ElementIndex Batch;
  Value *FirstRow = nullptr, *FirstColumn = nullptr;
  Value *Lane = nullptr, *Line = nullptr;
};
} // namespace

/// Runs \p Body where \p Index is inside. There is no test if the size is a
/// multiple of the edge of a tile.
void TransposeEmitter::guarded(Value *Index, int64_t Size,
                               function_ref<void()> Body) {
  if (Size % Edge == 0)
    return Body();
  Code.onlyIf(B.CreateICmpULT(Index, Indices.constant(Size)), "inside",
              "behind", Body);
}

/// The lines of the tile that the thread's line processes.
void TransposeEmitter::forEachLine(function_ref<void(Value *)> Body) {
  if (Transpose.IsUnrolled) {
    for (int64_t First = 0; First < Edge; First += Together)
      Body(Code.plus(Line, First));
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
  Value *Next = Code.plus(Current, Together);
  Current->addIncoming(Next, B.GetInsertBlock());
  B.CreateCondBr(B.CreateICmpULT(Next, Indices.constant(Edge)), Loop, Done);
  B.SetInsertPoint(Done);
}

/// The work of the thread at one place of the tile, which is in the array.
void TransposeEmitter::emitPlace(bool IsFilling, Value *InTile, Value *Row,
                                 Value *Column) {
  ElementIndex Index(Tiling.sizes().size());
  for (auto [D, Part] : zip_equal(Tiling.batch(), Batch))
    Index[D] = Part;
  auto TakeApart = [&](ArrayRef<unsigned> Dimensions, Value *Number) {
    HloShape Shape = indexShape(Tiling.sizesOf(Dimensions));
    for (auto [D, Part] :
         zip_equal(Dimensions, Indices.fromOffset(B, Shape, Number)))
      Index[D] = Part;
  };
  TakeApart(Tiling.rows(), Row);
  TakeApart(Tiling.columns(), Column);

  // The same place in the arrays.
  std::vector<Value *> Offsets(Transpose.Spaces.size());
  std::vector<ElementPlace> At(Transpose.Spaces.size());
  for (auto [K, S] : enumerate(Transpose.Spaces)) {
    if (S.Filling.has_value() != IsFilling)
      continue;
    SmallVector<int64_t, 6> Minors;
    for (size_t D = Index.size(); D-- > 0;)
      Minors.push_back(IsFilling ? Tiling.inputOrder(*S.Filling)[D] : D);
    Offsets[K] = Indices.toOffset(
        B, indexShape(Tiling.sizes(), ArrayRef<int64_t>(Minors)), Index);
    At[K].Index = Indices.fromOffset(B, S.Shape, Offsets[K]);
  }

  // The roots are the outputs, then the sources of the heroes.
  const PlannedKernel &Kernel = Code.Kernel;
  size_t NumOutputs = Code.Written.size();
  for (auto [K, Hero] : enumerate(Plan.Heroes)) {
    ElementType T = Hero.Value->shape().elementType();
    if (IsFilling)
      Code.Elements.store(B, T, Tiles[K], InTile,
                          Code.Emitter.element(
                              *Hero.Source, At[Kernel.Places[NumOutputs + K]]));
    else
      Code.Emitter.setElements(*Hero.Value,
                               {Code.Elements.load(B, T, Tiles[K], InTile)});
  }
  for (size_t K = 0; K < NumOutputs; ++K) {
    unsigned Place = Kernel.Places[K];
    if (Plan.FilledWith[K].has_value() == IsFilling)
      Code.store(K, Offsets[Place],
                 Code.Emitter.element(*Kernel.Roots[K], At[Place]));
  }
}

/// Lanes run along the rows while tiles are filled, then along the columns.
void TransposeEmitter::emitPhase(bool IsFilling) {
  auto Plus = [&](Value *X, Value *Y) {
    return B.CreateAdd(X, Y, "", true, true);
  };
  int64_t Rows = Tiling.rowCount(), Columns = Tiling.columnCount();
  Value *OfLane = Plus(IsFilling ? FirstRow : FirstColumn, Lane);
  guarded(OfLane, IsFilling ? Rows : Columns, [&] {
    forEachLine([&](Value *Current) {
      Value *OfLine = Plus(IsFilling ? FirstColumn : FirstRow, Current);
      guarded(OfLine, IsFilling ? Columns : Rows, [&] {
        ElementIndex InTile = {Current, Lane};
        if (!IsFilling)
          std::swap(InTile[0], InTile[1]);
        HloShape Tile = indexShape({Edge, TransposeKernel::TileLine});
        emitPlace(IsFilling, Indices.toOffset(B, Tile, InTile),
                  IsFilling ? OfLane : OfLine, IsFilling ? OfLine : OfLane);
      });
    });
  });
}

void TransposeEmitter::emit() {
  for (const TransposeHero &Hero : Plan.Heroes)
    Tiles.push_back(Code.sharedArray(Hero.Value->shape().elementType(),
                                     Edge * TransposeKernel::TileLine,
                                     "tile_" + Hero.Value->name()));
  // All threads of a block leave, or none.
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

  emitPhase(/*IsFilling=*/true);
  Code.barrier();
  emitPhase(/*IsFilling=*/false);
}

void emitBody(KernelCode &Code, const TransposeKernel &Transpose) {
  TransposeEmitter(Code, Transpose).emit();
}

} // namespace unravel
