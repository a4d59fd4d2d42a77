//===- ReductionKernel.cpp - Threads that share reductions ----------------===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A kernel after a ReductionPlan:
//
//   1. each thread reduces its share, a loop without a test for the steps that
//      all threads have, and a test for the last one,
//   2. the threads of a warp combine theirs by shuffles,
//   3. the warps of a group by shared memory,
//   4. the first thread of each result combines it with the initial value,
//      computes the outputs and writes them.
//
// The initial value is combined once, and no neutral element is known. In what
// order a reducer is given the elements is left open, as HLO leaves it: sums of
// floats are rounded differently, and a reducer that decides between equals by
// which comes first may decide for another one.
//
//===----------------------------------------------------------------------===//

#include "frontend/kernels/ReductionFusion.h"
#include "frontend/plan/ReductionPlan.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/IntrinsicsNVPTX.h"
#include "llvm/Support/MathExtras.h"

using namespace llvm;

namespace unravel {

constexpr int64_t WarpSize = 32;
/// What every GPU has for arrays of a fixed size.
constexpr uint64_t MaxSharedBytes = 48 * 1024;
constexpr uint64_t TableAlignment = 16;

namespace {
class ReductionEmitter {
public:
  ReductionEmitter(KernelCode &Code, const ReductionFusion &Fusion,
                   const ReductionPlan &Plan)
      : Code(Code), Fusion(Fusion), Plan(Plan), B(Code.B),
        Indices(Code.Indices) {
    for (const HloInstruction *I : Fusion.Reductions)
      for (size_t K = 0; K < I->operands().size() / 2; ++K)
        Types.push_back(I->operand(K).shape().elementType());
  }

  void emit(const ModuleEmitter &M);

private:
  ElementIndex numbers(ArrayRef<int64_t> Sizes, Value *Number);
  void place(const DimensionGroup &Group, Value *Number, ElementIndex &Index);
  Value *isGroup();
  std::pair<Value *, Value *> keptAndColumn();
  ElementValues zeros() const;
  ElementValues combine(const ElementValues &Left, const ElementValues &Right);

  ElementValues elements(const ElementIndex &Index);
  ElementValues vector(ElementIndex Index, Value *Number);
  ElementValues piece(const ElementIndex &Index);
  ElementValues share(ElementIndex Index);
  ElementValues shareIfAny();

  Value *shuffleDown(ElementType Type, Value *V, int64_t Distance);
  ElementValues throughShuffles(ElementValues Sum);
  ElementValues throughSharedMemory(ElementValues Sum);
  void writeOutputs(const ModuleEmitter &M, const ElementIndex &Index,
                    const ElementValues &Sum);

  KernelCode &Code;
  const ReductionFusion &Fusion;
  const ReductionPlan &Plan;
  IRBuilder<> &B;
  IndexEmitter &Indices;
  /// Of the values that are carried: all of the first reduction, of the second
  /// and so on.
  SmallVector<ElementType, 4> Types;
  /// Where the thread is, see ReductionPlan.h.
  Value *Group = nullptr, *Y = nullptr, *X = nullptr;
};
} // namespace

//===----------------------------------------------------------------------===//
// Indices
//===----------------------------------------------------------------------===//

/// \p Number, taken apart as the place in an array of these sizes.
ElementIndex ReductionEmitter::numbers(ArrayRef<int64_t> Sizes, Value *Number) {
  return Indices.fromOffset(
      B, cantFail(HloShape::array(ElementType::Pred, Sizes)), Number);
}

void ReductionEmitter::place(const DimensionGroup &Of, Value *Number,
                             ElementIndex &Index) {
  for (auto [D, V] :
       zip_equal(Of.Dimensions, Indices.fromOffset(B, Of.Shape, Number)))
    Index[D] = V;
}

/// Null if all groups are.
Value *ReductionEmitter::isGroup() {
  if (Plan.groups() % Plan.groupsOfBlock() == 0)
    return nullptr;
  return B.CreateICmpULT(Group, Indices.constant(Plan.groups()));
}

/// Of a group that is one. The column may be none.
std::pair<Value *, Value *> ReductionEmitter::keptAndColumn() {
  ElementIndex Place = numbers({Plan.Kept.size(), Plan.groupsAcross()}, Group);
  Value *First = B.CreateMul(Place[1], Indices.constant(Plan.Width), "",
                             /*HasNUW=*/true);
  return {Place[0], B.CreateAdd(First, X, "", /*HasNUW=*/true)};
}

//===----------------------------------------------------------------------===//
// Values
//===----------------------------------------------------------------------===//

ElementValues ReductionEmitter::zeros() const {
  ElementValues Values;
  for (ElementType Type : Types)
    Values.push_back(Code.Elements.zero(Type));
  return Values;
}

ElementValues ReductionEmitter::combine(const ElementValues &Left,
                                        const ElementValues &Right) {
  ElementValues Result;
  for (const HloInstruction *I : Fusion.Reductions) {
    size_t First = Result.size(), Count = I->operands().size() / 2;
    SmallVector<Value *, 4> Arguments;
    append_range(Arguments, ArrayRef(Left).slice(First, Count));
    append_range(Arguments, ArrayRef(Right).slice(First, Count));
    append_range(Result, Code.Emitter.apply(*I->callee(), Arguments));
  }
  return Result;
}

//===----------------------------------------------------------------------===//
// The share of a thread
//===----------------------------------------------------------------------===//

/// What is reduced, at \p Index of the inputs.
ElementValues ReductionEmitter::elements(const ElementIndex &Index) {
  ElementPlace Place(Index);
  ElementValues Values;
  for (const HloInstruction *I : Fusion.Reductions)
    for (size_t K = 0; K < I->operands().size() / 2; ++K)
      Values.push_back(Code.Emitter.element(I->operand(K), Place));
  return Values;
}

ElementValues ReductionEmitter::vector(ElementIndex Index, Value *Number) {
  ElementValues Sum;
  Value *First = Number;
  if (Plan.Vector != 1)
    First = B.CreateMul(Number, Indices.constant(Plan.Vector), "", true, true);
  for (int64_t Next = 0; Next < Plan.Vector; ++Next) {
    Value *Place = First;
    if (Next != 0)
      Place = B.CreateAdd(First, Indices.constant(Next), "", true, true);
    place(Plan.Shared, Place, Index);
    ElementValues Values = elements(Index);
    Sum = Next == 0 ? Values : combine(Sum, Values);
  }
  return Sum;
}

/// All vectors of the thread for one number in Outer. The first one is peeled,
/// so that the sum starts with it, and the last one, which not all threads
/// have: the loop in between has no test but its own.
ElementValues ReductionEmitter::piece(const ElementIndex &Index) {
  int64_t Steps = Plan.vectors() / Plan.Height;
  int64_t Rest = Plan.vectors() % Plan.Height;
  auto Number = [&](Value *Step) {
    Value *First =
        B.CreateMul(Step, Indices.constant(Plan.Height), "", true, true);
    return B.CreateAdd(First, Y, "", true, true);
  };
  ElementValues Sum = vector(Index, Y);
  if (Steps > 1)
    Sum = Code.Emitter.loopNest(
        {Steps - 1}, Sum,
        [&](const ElementIndex &Step, const ElementValues &Before) {
          Value *Next =
              B.CreateAdd(Step[0], Indices.constant(1), "", true, true);
          return combine(Before, vector(Index, Number(Next)));
        });
  if (Rest != 0)
    Sum = Code.Emitter.branch(
        B.CreateICmpULT(Y, Indices.constant(Rest)),
        [&] {
          return combine(Sum, vector(Index, Number(Indices.constant(Steps))));
        },
        [&] { return Sum; });
  return Sum;
}

ElementValues ReductionEmitter::share(ElementIndex Index) {
  if (Plan.Outer.size() == 1) {
    place(Plan.Outer, Indices.constant(0), Index);
    return piece(Index);
  }
  return Code.Emitter.loopNest(
      {Plan.Outer.size()}, zeros(),
      [&](const ElementIndex &Outer, const ElementValues &Before) {
        place(Plan.Outer, Outer[0], Index);
        ElementValues Own = piece(Index);
        Value *IsFirst = B.CreateIsNull(Outer[0]);
        ElementValues Sum = combine(Before, Own);
        for (auto [V, First] : zip_equal(Sum, Own))
          V = B.CreateSelect(IsFirst, First, V);
        return Sum;
      });
}

/// Zeros, which nobody writes, for threads behind the last group or column: all
/// threads meet in the steps behind this one.
ElementValues ReductionEmitter::shareIfAny() {
  auto OfGroup = [&] {
    Value *Kept, *Column;
    std::tie(Kept, Column) = keptAndColumn();
    ElementIndex Index(Fusion.input().rank());
    auto OfColumn = [&] {
      place(Plan.Kept, Kept, Index);
      place(Plan.Columns, Column, Index);
      return share(Index);
    };
    if (Plan.Columns.size() % Plan.Width == 0)
      return OfColumn();
    Value *IsColumn =
        B.CreateICmpULT(Column, Indices.constant(Plan.Columns.size()));
    return Code.Emitter.branch(IsColumn, OfColumn, [&] { return zeros(); });
  };
  Value *IsThere = isGroup();
  return IsThere
             ? Code.Emitter.branch(IsThere, OfGroup, [&] { return zeros(); })
             : OfGroup();
}

//===----------------------------------------------------------------------===//
// From thread to thread
//===----------------------------------------------------------------------===//

/// The value of the lane \p Distance further on, in pieces of 32 bits.
Value *ReductionEmitter::shuffleDown(ElementType Type, Value *V,
                                     int64_t Distance) {
  constexpr unsigned PieceBits = 32;
  constexpr int LastLane = 31;
  unsigned Bits = bitWidth(Type);
  unsigned Pieces = divideCeil(Bits, PieceBits);
  auto *Whole = B.getIntNTy(Pieces * PieceBits);
  Value *From = B.CreateZExt(Code.Elements.toBits(B, Type, V), Whole);
  Value *To = nullptr;
  for (unsigned K = 0; K < Pieces; ++K) {
    Value *Piece =
        B.CreateTrunc(B.CreateLShr(From, K * PieceBits), B.getInt32Ty());
    Piece = B.CreateIntrinsic(Intrinsic::nvvm_shfl_sync_down_i32,
                              ArrayRef<Value *>{B.getInt32(-1), Piece,
                                                B.getInt32(Distance),
                                                B.getInt32(LastLane)});
    Piece = B.CreateShl(B.CreateZExt(Piece, Whole), K * PieceBits);
    To = To ? B.CreateOr(To, Piece) : Piece;
  }
  return Code.Elements.fromBits(B, Type, B.CreateTrunc(To, B.getIntNTy(Bits)));
}

/// Threads of a result are Width lanes apart. Then the first of them that are
/// in a warp has the sum of these; the others have something.
///
/// In the step of distance d, the lanes with y * Width < d are given what those
/// with d <= y * Width < 2 * d have, which are lanes of the same group. So the
/// sum of the first lane is of 1, 2, 4 ... threads of its group. What a lane is
/// given from another group, or from behind the warp, stays above d.
ElementValues ReductionEmitter::throughShuffles(ElementValues Sum) {
  int64_t Lanes = std::min(WarpSize, Plan.Height * Plan.Width);
  for (int64_t Distance = Lanes / 2; Distance >= Plan.Width; Distance /= 2) {
    ElementValues Others;
    for (auto [Type, V] : zip_equal(Types, Sum))
      Others.push_back(shuffleDown(Type, V, Distance));
    Sum = combine(Sum, Others);
  }
  return Sum;
}

/// Each warp of a group writes Width sums, and the first thread of each result
/// combines them. Lanes write and read side by side, in banks of their own.
///
/// Behind the barrier are the threads with y = 0 of a group that there is.
ElementValues ReductionEmitter::throughSharedMemory(ElementValues Sum) {
  int64_t Warps = Plan.Height * Plan.Width / WarpSize;
  HloShape Table = cantFail(HloShape::array(
      ElementType::Pred, {Plan.BlockSize / WarpSize, Plan.Width}));
  LLVMContext &C = B.getContext();
  constexpr unsigned SharedMemory = 3;
  SmallVector<GlobalVariable *, 4> Tables;
  auto Address = [&](Value *Warp, Value *Column) {
    return Indices.toOffset(B, Table, {Warp, Column});
  };
  ElementIndex Own =
      numbers({Plan.BlockSize / WarpSize, WarpSize}, Code.Thread);
  BasicBlock *Write = BasicBlock::Create(C, "write", &Code.F, Code.Exit);
  BasicBlock *Written = BasicBlock::Create(C, "written", &Code.F, Code.Exit);
  B.CreateCondBr(B.CreateICmpULT(Own[1], Indices.constant(Plan.Width)), Write,
                 Written);
  B.SetInsertPoint(Write);
  Value *OwnAddress = Address(Own[0], Own[1]);
  for (auto [Type, V] : zip_equal(Types, Sum)) {
    auto *Stored =
        ArrayType::get(Code.Elements.memoryType(Type), Table.elementCount());
    auto *Global =
        new GlobalVariable(*Code.F.getParent(), Stored, /*isConstant=*/false,
                           GlobalValue::InternalLinkage,
                           UndefValue::get(Stored), Code.F.getName() + "_sums",
                           nullptr, GlobalValue::NotThreadLocal, SharedMemory);
    Global->setAlignment(Align(TableAlignment));
    Tables.push_back(Global);
    Code.Elements.store(B, Type, Global, OwnAddress, V);
  }
  B.CreateBr(Written);
  B.SetInsertPoint(Written);
  B.CreateIntrinsic(Intrinsic::nvvm_barrier_cta_sync_aligned_all,
                    {B.getInt32(0)});
  Code.exitUnless(B.CreateIsNull(Y));
  return Code.Emitter.loopNest(
      {Warps - 1}, Sum,
      [&](const ElementIndex &Step, const ElementValues &Before) {
        Value *Next = B.CreateAdd(Step[0], Indices.constant(1), "", true, true);
        Value *From = Address(B.CreateAdd(Own[0], Next, "", true, true), X);
        ElementValues Others;
        for (auto [Type, Global] : zip_equal(Types, Tables))
          Others.push_back(Code.Elements.load(B, Type, Global, From));
        return combine(Before, Others);
      });
}

//===----------------------------------------------------------------------===//
// The kernel
//===----------------------------------------------------------------------===//

void ReductionEmitter::writeOutputs(const ModuleEmitter &M,
                                    const ElementIndex &Index,
                                    const ElementValues &Sum) {
  ElementPlace Scalars;
  ElementValues Initial;
  for (const HloInstruction *I : Fusion.Reductions)
    for (size_t Count = I->operands().size() / 2, K = 0; K < Count; ++K)
      Initial.push_back(Code.Emitter.element(I->operand(Count + K), Scalars));
  ElementValues Results = combine(Initial, Sum);
  ArrayRef<Value *> Left = Results;
  for (const HloInstruction *I : Fusion.Reductions) {
    size_t Count = I->operands().size() / 2;
    Code.Emitter.setElements(*I,
                             ElementValues(Left.begin(), Left.begin() + Count));
    Left = Left.drop_front(Count);
  }
  ElementIndex Kept;
  for (auto [D, V] : enumerate(Index))
    if (!is_contained(Fusion.reduced(), int64_t(D)))
      Kept.push_back(V);
  ElementPlace Place(Kept);
  // All is read before anything is written: it may be the same memory.
  SmallVector<Value *, 4> Values;
  ArrayRef<const HloInstruction *> Roots = Fusion.outputs();
  for (const HloInstruction *Root : Roots)
    Values.push_back(Code.Emitter.element(*Root, Place));
  for (auto [K, Buffer] : enumerate(Fusion.Frame.Written))
    Code.Elements.store(B, Roots[K]->shape().elementType(), Code.Written[K],
                        Indices.toOffset(B, M.shapeOf(Buffer), Kept),
                        Values[K]);
}

void ReductionEmitter::emit(const ModuleEmitter &M) {
  ElementIndex Own =
      numbers({Plan.blocks() * Plan.groupsOfBlock(), Plan.Height, Plan.Width},
              Code.threadInGrid());
  Group = Own[0];
  Y = Own[1];
  X = Own[2];
  ElementValues Sum = throughShuffles(shareIfAny());
  if (Plan.Height * Plan.Width > WarpSize)
    Sum = throughSharedMemory(Sum);
  else
    Code.exitUnless(B.CreateIsNull(Y));
  if (Value *IsThere = isGroup())
    Code.exitUnless(IsThere);
  auto [Kept, Column] = keptAndColumn();
  if (Plan.Columns.size() % Plan.Width != 0)
    Code.exitUnless(
        B.CreateICmpULT(Column, Indices.constant(Plan.Columns.size())));
  ElementIndex Index(Fusion.input().rank());
  place(Plan.Kept, Kept, Index);
  place(Plan.Columns, Column, Index);
  writeOutputs(M, Index, Sum);
}

/// Of the tables of throughSharedMemory().
static uint64_t sharedBytes(const ReductionFusion &Fusion,
                            const ReductionPlan &Plan) {
  if (Plan.Height * Plan.Width <= WarpSize)
    return 0;
  uint64_t Sum = 0;
  for (const HloInstruction *I : Fusion.Reductions)
    for (size_t K = 0; K < I->operands().size() / 2; ++K)
      Sum += alignTo(Plan.BlockSize / WarpSize * Plan.Width *
                         byteWidth(I->operand(K).shape().elementType()),
                     TableAlignment);
  return Sum;
}

bool emitReductionKernel(ModuleEmitter &M, ArrayRef<KernelOutput> Outputs) {
  std::optional<ReductionFusion> Fusion = findReductions(M, Outputs);
  if (!Fusion)
    return false;
  ReductionLimits Limits;
  Limits.ThreadsPerBlock = M.options().BlockSize;
  Limits.MaxVector = Fusion->IsCheap ? M.options().MaxVector : 1;
  std::optional<ReductionPlan> Plan = planReduction(
      Fusion->input(), Fusion->reduced(), Fusion->bytes(), Limits);
  if (!Plan || sharedBytes(*Fusion, *Plan) > MaxSharedBytes)
    return false;
  Fusion->Frame.BlockSize = Plan->BlockSize;
  Fusion->Frame.Blocks = Plan->blocks();
  Fusion->Frame.Threads = Plan->groups() * Plan->Height * Plan->Width;
  Fusion->Frame.ThreadMap = [Plan](const HloShape &, IndexContext &Context) {
    return reductionResultMap(*Plan, Context);
  };
  M.emitKernel(Fusion->Frame, [&](KernelCode &Code) {
    ReductionEmitter(Code, *Fusion, *Plan).emit(M);
  });
  return true;
}

} // namespace unravel
