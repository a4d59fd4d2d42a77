//===- ReductionKernel.cpp - Threads that share reductions ----------------===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A kernel from a ReductionPlan:
//
//   1. each thread reduces its share, in a loop without a test for the steps
//      that all threads have, and with a test for the last step,
//   2. the threads of a warp combine their results by shuffles,
//   3. the warps of a group combine theirs in shared memory,
//   4. the first thread of each result combines it with the initial value,
//      computes the outputs and writes them.
//
// The initial value is combined once; the reducer need not have a neutral
// element. HLO leaves the order of the elements open, and so does this kernel:
// sums of floats are rounded differently, and a reducer that takes the first of
// equal elements may take another one.
//
//===----------------------------------------------------------------------===//

#include "frontend/kernels/KernelCode.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/IntrinsicsNVPTX.h"
#include "llvm/Support/MathExtras.h"

using namespace llvm;

namespace unravel {

constexpr int64_t WarpSize = ReductionPlan::WarpSize;

namespace {
class ReductionEmitter {
public:
  ReductionEmitter(KernelCode &Code, const ReductionKernel &Reduction)
      : Code(Code), Reduction(Reduction), Plan(Reduction.Plan), B(Code.B),
        Indices(Code.Indices) {}

  void emit();

private:
  ElementIndex numbers(ArrayRef<int64_t> Sizes, Value *Number);
  void place(const DimensionGroup &Group, Value *Number, ElementIndex &Index);
  Value *isGroup();
  Value *isColumn(Value *Column);
  ElementIndex inputIndex(Value *Kept, Value *Column);
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
  void writeOutputs(const ElementIndex &Index, const ElementValues &Sum);

  KernelCode &Code;
  const ReductionKernel &Reduction;
  const ReductionPlan &Plan;
  IRBuilder<> &B;
  IndexEmitter &Indices;
  /// The place of the thread, see ReductionPlan.h.
  Value *Group = nullptr, *Y = nullptr, *X = nullptr;
};
} // namespace

//===----------------------------------------------------------------------===//
// Indices
//===----------------------------------------------------------------------===//

/// The index in an array of these sizes that \p Number stands for.
ElementIndex ReductionEmitter::numbers(ArrayRef<int64_t> Sizes, Value *Number) {
  return Indices.fromOffset(B, indexShape(Sizes), Number);
}

void ReductionEmitter::place(const DimensionGroup &Of, Value *Number,
                             ElementIndex &Index) {
  for (auto [D, V] :
       zip_equal(Of.Dimensions, Indices.fromOffset(B, Of.Shape, Number)))
    Index[D] = V;
}

/// Whether the group exists; null if all do.
Value *ReductionEmitter::isGroup() {
  if (Plan.groups() % Plan.groupsOfBlock() == 0)
    return nullptr;
  return B.CreateICmpULT(Group, Indices.constant(Plan.groups()));
}

/// The same of a column.
Value *ReductionEmitter::isColumn(Value *Column) {
  if (Plan.Columns.size() % Plan.Width == 0)
    return nullptr;
  return B.CreateICmpULT(Column, Indices.constant(Plan.Columns.size()));
}

/// Without what is reduced.
ElementIndex ReductionEmitter::inputIndex(Value *Kept, Value *Column) {
  ElementIndex Index(Reduction.input().rank());
  place(Plan.Kept, Kept, Index);
  place(Plan.Columns, Column, Index);
  return Index;
}

/// Of a group that exists. The column may be one that does not.
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
  for (const HloInstruction *Input : Reduction.Inputs)
    Values.push_back(Code.Elements.zero(Input->shape().elementType()));
  return Values;
}

ElementValues ReductionEmitter::combine(const ElementValues &Left,
                                        const ElementValues &Right) {
  ElementValues Result;
  for (const HloInstruction *I : Reduction.Reductions) {
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
  for (const HloInstruction *Input : Reduction.Inputs)
    Values.push_back(Code.Emitter.element(*Input, Place));
  return Values;
}

ElementValues ReductionEmitter::vector(ElementIndex Index, Value *Number) {
  ElementValues Sum;
  Value *First = Code.firstOfVector(Number, Plan.Vector);
  for (int64_t Next = 0; Next < Plan.Vector; ++Next) {
    place(Plan.Shared, Code.plus(First, Next), Index);
    ElementValues Values = elements(Index);
    Sum = Next == 0 ? Values : combine(Sum, Values);
  }
  return Sum;
}

/// All vectors of the thread for one number in Outer. The first one is peeled:
/// the sum starts with it. The last one is peeled as well, because not all
/// threads have it: the loop needs no other test than its own.
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
          return combine(Before, vector(Index, Number(Code.plus(Step[0], 1))));
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

/// Zeros, which are never written, for threads after the last group or column:
/// all threads take part in the steps that follow.
ElementValues ReductionEmitter::shareIfAny() {
  auto OrZeros = [&](Value *Exists, function_ref<ElementValues()> Share) {
    return Exists ? Code.Emitter.branch(Exists, Share, [&] { return zeros(); })
                  : Share();
  };
  return OrZeros(isGroup(), [&] {
    std::pair<Value *, Value *> Place = keptAndColumn();
    return OrZeros(isColumn(Place.second), [&] {
      return share(inputIndex(Place.first, Place.second));
    });
  });
}

//===----------------------------------------------------------------------===//
// From thread to thread
//===----------------------------------------------------------------------===//

/// The value of the lane with a number larger by \p Distance, in pieces of 32
/// bits.
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

/// Threads of a result are Width lanes apart. Afterwards the first of them in a
/// warp has their sum; the values of the others are not used.
///
/// In the step of distance d, the lanes with y * Width < d get the values of
/// those with d <= y * Width < 2 * d, which are lanes of the same group. So the
/// first lane has the sum of 1, 2, 4 ... threads of its group. Values from
/// another group, or from outside the warp, only reach lanes above d.
ElementValues ReductionEmitter::throughShuffles(ElementValues Sum) {
  int64_t Lanes = std::min(WarpSize, Plan.Height * Plan.Width);
  for (int64_t Distance = Lanes / 2; Distance >= Plan.Width; Distance /= 2) {
    ElementValues Others;
    for (auto [Input, V] : zip_equal(Reduction.Inputs, Sum))
      Others.push_back(shuffleDown(Input->shape().elementType(), V, Distance));
    Sum = combine(Sum, Others);
  }
  return Sum;
}

/// Each warp of a group writes Width sums, and the first thread of each result
/// combines them. Neighbouring lanes access neighbouring banks.
///
/// After the barrier only threads with y = 0 continue.
ElementValues ReductionEmitter::throughSharedMemory(ElementValues Sum) {
  int64_t Warps = Plan.Height * Plan.Width / WarpSize;
  HloShape Table = indexShape({Plan.warps(), Plan.Width});
  SmallVector<GlobalVariable *, 4> Tables;
  auto Address = [&](Value *Warp, Value *Column) {
    return Indices.toOffset(B, Table, {Warp, Column});
  };
  ElementIndex Own = numbers({Plan.warps(), WarpSize}, Code.Thread);
  Value *IsWriter = B.CreateICmpULT(Own[1], Indices.constant(Plan.Width));
  Code.onlyIf(IsWriter, "write", "written", [&] {
    Value *OwnAddress = Address(Own[0], Own[1]);
    for (auto [Input, V] : zip_equal(Reduction.Inputs, Sum)) {
      ElementType Type = Input->shape().elementType();
      Tables.push_back(Code.sharedArray(Type, Table.elementCount(),
                                        Code.F.getName() + "_sums"));
      Code.Elements.store(B, Type, Tables.back(), OwnAddress, V);
    }
  });
  Code.barrier();
  Code.exitUnless(B.CreateIsNull(Y));
  return Code.Emitter.loopNest(
      {Warps - 1}, Sum,
      [&](const ElementIndex &Step, const ElementValues &Before) {
        Value *Next = Code.plus(Step[0], 1);
        Value *From = Address(B.CreateAdd(Own[0], Next, "", true, true), X);
        ElementValues Others;
        for (auto [Input, Global] : zip_equal(Reduction.Inputs, Tables))
          Others.push_back(Code.Elements.load(B, Input->shape().elementType(),
                                              Global, From));
        return combine(Before, Others);
      });
}

//===----------------------------------------------------------------------===//
// The kernel
//===----------------------------------------------------------------------===//

void ReductionEmitter::writeOutputs(const ElementIndex &Index,
                                    const ElementValues &Sum) {
  ElementPlace Scalars;
  ElementValues Initial;
  for (const HloInstruction *I : Reduction.Initial)
    Initial.push_back(Code.Emitter.element(*I, Scalars));
  ElementValues Results = combine(Initial, Sum);
  ArrayRef<Value *> Left = Results;
  for (const HloInstruction *I : Reduction.Reductions) {
    size_t Count = I->operands().size() / 2;
    Code.Emitter.setElements(*I,
                             ElementValues(Left.begin(), Left.begin() + Count));
    Left = Left.drop_front(Count);
  }
  ElementIndex Kept;
  for (auto [D, V] : enumerate(Index))
    if (!is_contained(Reduction.reduced(), int64_t(D)))
      Kept.push_back(V);
  ElementPlace Place(Kept);
  Code.storeOutputs(Place);
}

void ReductionEmitter::emit() {
  ElementIndex Own =
      numbers({Plan.blocks() * Plan.groupsOfBlock(), Plan.Height, Plan.Width},
              Code.threadInGrid());
  Group = Own[0];
  Y = Own[1];
  X = Own[2];
  ElementValues Sum = throughShuffles(shareIfAny());
  if (Plan.isGroupInWarp())
    Code.exitUnless(B.CreateIsNull(Y));
  else
    Sum = throughSharedMemory(Sum);
  if (Value *Exists = isGroup())
    Code.exitUnless(Exists);
  auto [Kept, Column] = keptAndColumn();
  if (Value *Exists = isColumn(Column))
    Code.exitUnless(Exists);
  writeOutputs(inputIndex(Kept, Column), Sum);
}

void emitBody(KernelCode &Code, const ReductionKernel &Reduction) {
  ReductionEmitter(Code, Reduction).emit();
}

} // namespace unravel
