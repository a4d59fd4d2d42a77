//===- SortKernel.cpp - Rows in order, by compare-exchange --------------===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Batcher's merge exchange (Knuth, volume 3, 5.2.2, algorithm M), which sorts
// any number of elements N. A round compares, and exchanges if they are not in
// order, elements i and i + d of a row, for all i < N - d with (i & p) == r:
//
//   p = top; q = top; r = 0; d = p         top = 2^(ceil(log2 N) - 1)
//   repeat
//     the round; wait for all threads of the block
//     if q != p:  d = q - p; q = q / 2; r = p
//     otherwise:  p = p / 2; q = top; r = 0; d = p
//   until p = 0
//
// No element takes part in two pairs of a round: d is an odd multiple of p, so
// (i & p) == r and (i + d) & p != r. So threads may take the pairs of a round
// in any order. Only exchanges move elements: whatever the function computes,
// all of them stay there.
//
// An element is in front of another one if the function says so, or if it does
// not say the opposite and the element's number, the last array of the sort, is
// smaller. That is a total order, so the sort is stable.
//
//===----------------------------------------------------------------------===//

#include "frontend/kernels/KernelCode.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace unravel {

namespace {
class SortEmitter {
public:
  SortEmitter(KernelCode &Code, const SortKernel &Sort)
      : I(*Sort.Sort), Along(Sort.along()), Length(Sort.rowLength()),
        Code(Code), B(Code.B), Elements(Code.Elements) {}

  void emit();

private:
  BasicBlock *block(const char *Name) {
    return BasicBlock::Create(B.getContext(), Name, &Code.F, Code.Exit);
  }
  ElementType typeOf(size_t K) const {
    return I.operand(K).shape().elementType();
  }
  SmallVector<Value *, 4> pointersAt(Value *Place);
  SmallVector<Value *, 4> stored(ArrayRef<Value *> Pointers);
  Value *isBefore(ArrayRef<Value *> X, ArrayRef<Value *> Y);
  void exchange(Value *First, Value *Second);
  void emitRound(Value *P, Value *R, Value *Distance);

  const HloInstruction &I;
  size_t Along;
  int64_t Length;
  KernelCode &Code;
  IRBuilder<> &B;
  ElementEmitter &Elements;
  /// Of the row; its component along the dimension is open.
  ElementIndex Index;
};
} // namespace

/// Where the elements of all arrays are that are at \p Place of the row.
SmallVector<Value *, 4> SortEmitter::pointersAt(Value *Place) {
  Index[Along] = Place;
  SmallVector<Value *, 4> Pointers;
  for (size_t K = 0; K < Code.Written.size(); ++K) {
    Value *Offset = Code.Indices.toOffset(B, Code.shapeOfWritten(K), Index);
    Pointers.push_back(
        Elements.addressOf(B, typeOf(K), Code.Written[K], Offset));
  }
  return Pointers;
}

/// What is there, as it is in memory.
SmallVector<Value *, 4> SortEmitter::stored(ArrayRef<Value *> Pointers) {
  SmallVector<Value *, 4> Found;
  for (auto [K, Pointer] : enumerate(Pointers))
    Found.push_back(B.CreateAlignedLoad(Elements.memoryType(typeOf(K)), Pointer,
                                        Align(byteWidth(typeOf(K)))));
  return Found;
}

/// Whether the function says that elements \p X are in front of \p Y.
Value *SortEmitter::isBefore(ArrayRef<Value *> X, ArrayRef<Value *> Y) {
  SmallVector<Value *, 8> Arguments;
  for (auto [K, Pair] : enumerate(zip_equal(X.drop_back(), Y.drop_back())))
    for (Value *Element : {std::get<0>(Pair), std::get<1>(Pair)})
      Arguments.push_back(Elements.fromMemory(B, typeOf(K), Element));
  return Code.Emitter.apply(*I.callee(), Arguments).front();
}

void SortEmitter::exchange(Value *First, Value *Second) {
  SmallVector<Value *, 4> At = pointersAt(First), Behind = pointersAt(Second);
  SmallVector<Value *, 4> X = stored(At), Y = stored(Behind);
  Value *NumberIsSmaller = B.CreateICmpULT(Y.back(), X.back());
  Value *Swaps =
      B.CreateOr(isBefore(Y, X),
                 B.CreateAnd(B.CreateNot(isBefore(X, Y)), NumberIsSmaller));
  Code.onlyIf(Swaps, "exchange", "exchanged", [&] {
    for (size_t K = 0; K < At.size(); ++K) {
      Align Alignment(byteWidth(typeOf(K)));
      B.CreateAlignedStore(Y[K], At[K], Alignment);
      B.CreateAlignedStore(X[K], Behind[K], Alignment);
    }
  });
}

/// The pairs of one round, by all threads of the block.
void SortEmitter::emitRound(Value *P, Value *R, Value *Distance) {
  BasicBlock *Before = B.GetInsertBlock();
  BasicBlock *Header = block("pair"), *Body = block("inside_row"),
             *Done = block("round_done");
  Value *End = B.CreateSub(Code.Indices.constant(Length), Distance, "",
                           /*HasNUW=*/true, /*HasNSW=*/true);
  B.CreateBr(Header);
  B.SetInsertPoint(Header);
  PHINode *Place = B.CreatePHI(Code.Indices.type(), 2);
  Place->addIncoming(Code.Thread, Before);
  B.CreateCondBr(B.CreateICmpULT(Place, End), Body, Done);
  B.SetInsertPoint(Body);
  Code.onlyIf(B.CreateICmpEQ(B.CreateAnd(Place, P), R), "compare", "compared",
              [&] {
                exchange(Place, B.CreateAdd(Place, Distance, "",
                                            /*HasNUW=*/true, /*HasNSW=*/true));
              });
  // Below 2^31, or of 64 bits: rows are arrays, and blocks are small.
  Value *Next = B.CreateAdd(Place, Code.BlockSize, "", /*HasNUW=*/true);
  Place->addIncoming(Next, B.GetInsertBlock());
  B.CreateBr(Header);
  B.SetInsertPoint(Done);
}

void SortEmitter::emit() {
  // Rows are numbered by the other dimensions.
  std::vector<int64_t> Rows = I.operand(0).shape().dimensions().vec();
  Rows[Along] = 1;
  // All threads of a block leave, or none.
  int64_t Count = I.operand(0).shape().elementCount() / Length;
  Code.exitUnless(B.CreateICmpULT(Code.Block, Code.Indices.constant(Count)));
  Index = Code.Indices.fromOffset(B, indexShape(Rows), Code.Block);

  Value *Zero = Code.Indices.constant(0);
  Value *Top = Code.Indices.constant(PowerOf2Ceil(Length) / 2);
  BasicBlock *Before = B.GetInsertBlock(), *Round = block("round"),
             *Done = block("sorted");
  B.CreateBr(Round);
  B.SetInsertPoint(Round);
  auto Variable = [&](Value *First, const char *Name) {
    PHINode *Phi = B.CreatePHI(Code.Indices.type(), 2, Name);
    Phi->addIncoming(First, Before);
    return Phi;
  };
  PHINode *P = Variable(Top, "p"), *Q = Variable(Top, "q"),
          *R = Variable(Zero, "r"), *Distance = Variable(Top, "d");
  emitRound(P, R, Distance);
  Code.barrier();
  Value *IsSame = B.CreateICmpEQ(Q, P);
  Value *HalfOfP = B.CreateLShr(P, 1), *HalfOfQ = B.CreateLShr(Q, 1);
  Value *NextP = B.CreateSelect(IsSame, HalfOfP, P);
  BasicBlock *Latch = B.GetInsertBlock();
  P->addIncoming(NextP, Latch);
  Q->addIncoming(B.CreateSelect(IsSame, Top, HalfOfQ), Latch);
  R->addIncoming(B.CreateSelect(IsSame, Zero, P), Latch);
  Distance->addIncoming(B.CreateSelect(IsSame, HalfOfP, B.CreateSub(Q, P)),
                        Latch);
  B.CreateCondBr(B.CreateICmpNE(NextP, Zero), Round, Done);
  B.SetInsertPoint(Done);
}

void emitBody(KernelCode &Code, const SortKernel &Sort) {
  SortEmitter(Code, Sort).emit();
}

} // namespace unravel
