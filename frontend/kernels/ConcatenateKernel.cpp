//===- ConcatenateKernel.cpp - A thread for an index of every operand -----===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In a loop kernel each element of a concatenation asks which operand it comes
// from. Here a thread has an index and computes the element at this index of
// every operand that has one, each for its own place in the result, and what
// follows from it there. Nothing is asked but whether an operand that is
// shorter than the longest one has the index.
//
//===----------------------------------------------------------------------===//

#include "frontend/indexing/ThreadMaps.h"
#include "frontend/kernels/ModuleEmitter.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Support/MathExtras.h"
#include <numeric>

using namespace llvm;

namespace unravel {

//===----------------------------------------------------------------------===//
// Whether there is one concatenation, wanted at the index of the outputs only
//===----------------------------------------------------------------------===//

/// The concatenation that \p Frame computes element by element from; null if
/// there is none, or several, or it is wanted at other indices as well.
static const HloInstruction *concatenationOf(const ModuleEmitter &M,
                                             const KernelFrame &Frame) {
  HloPartition Partition = M.partition(Frame);
  SmallPtrSet<const HloInstruction *, 32> AtOwnIndex, Elsewhere;
  AtOwnIndex.insert(Frame.Roots.begin(), Frame.Roots.end());
  const HloInstruction *Found = nullptr;
  // Users come behind their operands.
  for (const HloInstruction *I : reverse(Partition.instructions())) {
    if (M.isInMemory(*I))
      continue;
    bool IsOwn = AtOwnIndex.contains(I), IsElsewhere = Elsewhere.contains(I);
    if (IsOwn && I->opcode() == HloOpcode::Concatenate) {
      if (Found || IsElsewhere)
        return nullptr;
      Found = I;
    }
    for (size_t K = 0; K < I->operands().size(); ++K) {
      bool StaysOwn = operandPlace(*I, K) == 0u;
      if (IsOwn && StaysOwn)
        AtOwnIndex.insert(&I->operand(K));
      if (IsElsewhere || !StaysOwn)
        Elsewhere.insert(&I->operand(K));
    }
  }
  return Found;
}

//===----------------------------------------------------------------------===//
// What a thread does
//===----------------------------------------------------------------------===//

namespace {
/// The operands of a concatenation, laid out as the output.
struct Pieces {
  const HloInstruction &Concatenation;
  size_t Along; ///< the dimension
  HloShape Longest;
  /// Neighbours that no end of an operand, and no end of a row of operands,
  /// ever divides.
  int64_t Together = 0;
  uint64_t Threads = 0;
  int64_t Vector = 1;

  int64_t sizeOf(const HloInstruction &Operand) const {
    return Operand.shape().dimension(Along);
  }
  bool isShorter(const HloInstruction &Operand) const {
    return sizeOf(Operand) < Longest.dimension(Along);
  }
};
} // namespace

static Pieces piecesOf(const HloInstruction &I, const HloShape &Output) {
  size_t Along = I.dimensions()[0];
  int64_t Stride = Output.strides()[Along];
  int64_t Together = 0;
  for (const HloInstruction *Operand : I.operands())
    Together = std::gcd(Together, Operand->shape().dimension(Along) * Stride);
  return {I, Along, ConcatenatedSizes::of(I).longest(Output), Together};
}

/// Rows of a few elements are written by parts of warps: each piece of a row
/// takes a transaction more than it has to where it does not begin and end with
/// one. That is an eighth more at most if the pieces are long, and nothing if
/// they are one piece each, from the first element of the array to the last.
static bool areCoalesced(const Pieces &P, const HloShape &Output) {
  constexpr int64_t Transaction = 32, LongEnough = 8 * Transaction;
  if (Output.minorToMajor().back() == int64_t(P.Along))
    return true;
  int64_t Stride = Output.strides()[P.Along] * byteWidth(Output.elementType());
  return all_of(P.Concatenation.operands(), [&](const HloInstruction *Operand) {
    int64_t Bytes = P.sizeOf(*Operand) * Stride;
    return Bytes >= LongEnough || Bytes % Transaction == 0;
  });
}

/// Instructions for an element of the output, in both kinds of kernels; vectors
/// of the loop kernel have \p InLoops elements. Counted from PTX after the
/// passes: the number of a thread and its guard, the digits of an index if
/// there are any, asking whether an operand has the element, finding it, and
/// storing. A loop kernel that splits its vectors between operands shares only
/// the number and the store. An eighth has to be saved, so that a difference
/// there is is no mistake of this estimate.
static bool isCheaper(const Pieces &P, const HloShape &Output,
                      int64_t InLoops) {
  constexpr double Thread = 4, Digits = 3, Question = 2, Access = 2, Store = 1;
  bool HasDigits = Output.minorToMajor().back() != int64_t(P.Along);
  double Number = Thread + (HasDigits ? Digits : 0);
  double Whole = Output.dimension(P.Along), Asked = 0;
  unsigned Guards = 0;
  ArrayRef<const HloInstruction *> Operands = P.Concatenation.operands();
  for (auto [K, Operand] : enumerate(Operands)) {
    size_t Questions = std::min(K + 1, Operands.size() - 1);
    Asked += Questions * (double(P.sizeOf(*Operand)) / Whole);
    Guards += P.isShorter(*Operand);
  }
  double Own = Question * Asked + Access;
  double Loops = P.Together % InLoops == 0 ? (Number + Own + Store) / InLoops
                                           : (Number + Store) / InLoops + Own +
                                                 (HasDigits ? Digits : 0);
  double Threads = double(P.Longest.dimension(P.Along)) / Whole;
  double Here =
      (Threads * (Number + Question * Guards) + Access + Store) / P.Vector;
  return Here * 8 < Loops * 7;
}

/// The code of every operand and, for each of them, of what follows is in the
/// kernel as often as a vector has elements.
static bool isSmall(const Pieces &P, const HloPartition &Whole) {
  constexpr size_t MaxOperands = 8, MaxInstructions = 256;
  size_t Operands = P.Concatenation.operands().size();
  return Operands <= MaxOperands &&
         Whole.instructions().size() * Operands * P.Vector <= MaxInstructions;
}

static void emitPieces(KernelCode &Code, const KernelFrame &Frame,
                       const Pieces &P, ArrayRef<HloShape> Shapes) {
  IRBuilder<> &B = Code.B;
  Value *Thread = Code.threadInGrid();
  Code.exitUnless(B.CreateICmpULT(Thread, Code.Indices.constant(P.Threads)));
  Value *First = Thread;
  if (P.Vector != 1)
    First = B.CreateMul(Thread, Code.Indices.constant(P.Vector), "",
                        /*HasNUW=*/true, /*HasNSW=*/true);
  SmallVector<ElementIndex, 4> Places;
  for (int64_t Next = 0; Next < P.Vector; ++Next) {
    Value *Offset = First;
    if (Next != 0)
      Offset = B.CreateAdd(First, Code.Indices.constant(Next), "", true, true);
    Places.push_back(Code.Indices.fromOffset(B, P.Longest, Offset));
  }
  int64_t Begin = 0;
  for (const HloInstruction *Operand : P.Concatenation.operands()) {
    int64_t Size = P.sizeOf(*Operand);
    if (Size == 0)
      continue;
    BasicBlock *Behind = nullptr;
    if (P.isShorter(*Operand)) {
      LLVMContext &C = B.getContext();
      BasicBlock *Piece = BasicBlock::Create(C, "piece", &Code.F, Code.Exit);
      Behind = BasicBlock::Create(C, "next", &Code.F, Code.Exit);
      // All of a vector is inside, or nothing.
      Value *Place = Places[0][P.Along];
      B.CreateCondBr(B.CreateICmpULT(Place, Code.Indices.constant(Size)), Piece,
                     Behind);
      B.SetInsertPoint(Piece);
    }
    for (const ElementIndex &Index : Places) {
      ElementPlace In(Index);
      Code.Emitter.setElements(P.Concatenation,
                               {Code.Emitter.element(*Operand, In)});
      ElementPlace Out(Index);
      if (Begin != 0)
        Out.Index[P.Along] = B.CreateAdd(
            Index[P.Along], Code.Indices.constant(Begin), "", true, true);
      SmallVector<Value *, 4> Values;
      for (size_t K = 0; K < Shapes.size(); ++K)
        Values.push_back(Code.Emitter.element(*Frame.Roots[K], Out));
      for (auto [K, Shape] : enumerate(Shapes))
        Code.Elements.store(B, Shape.elementType(), Code.Written[K],
                            Code.Indices.toOffset(B, Shape, Out.Index),
                            Values[K]);
    }
    Begin += Size;
    if (Behind) {
      B.CreateBr(Behind);
      B.SetInsertPoint(Behind);
    }
  }
}

bool emitConcatenateKernel(ModuleEmitter &M, ArrayRef<KernelOutput> Outputs) {
  KernelFrame Frame;
  Frame.Name = Outputs[0].Value->name().str();
  std::vector<HloShape> Shapes;
  for (const KernelOutput &Output : Outputs) {
    Shapes.push_back(M.shapeOf(Output.Buffer));
    if (Shapes.back().dimensions() != Shapes[0].dimensions() ||
        Shapes.back().minorToMajor() != Shapes[0].minorToMajor())
      return false;
    Frame.Roots.push_back(Output.Value);
    Frame.Places.push_back(0);
    Frame.Written.push_back(Output.Buffer);
  }
  const HloShape &Shape = Shapes[0];
  const HloInstruction *Concatenation = concatenationOf(M, Frame);
  if (!Concatenation || Shape.elementCount() == 0)
    return false;
  Pieces P = piecesOf(*Concatenation, Shape);
  if (!areCoalesced(P, Shape))
    return false;

  // Each operand is wanted at an index of its own.
  Frame.Given = {Concatenation};
  for (auto [K, Operand] : enumerate(Concatenation->operands())) {
    Frame.Roots.push_back(Operand);
    Frame.Places.push_back(1 + K);
  }
  HloPartition Partition = M.partition(Frame);
  for (const HloInstruction *Function : Partition.functions())
    if (is_contained(Partition.buffersOf(*Function), Concatenation))
      return false;
  LaunchLimits Limits;
  Limits.ThreadsPerBlock = M.options().BlockSize;
  Limits.MaxVector =
      isCheapToRepeat(Partition) ? M.options().MaxVector : int64_t(1);
  int64_t InLoops = launchFor(Shapes, Limits).Vector;
  while (P.Together % Limits.MaxVector != 0)
    Limits.MaxVector /= 2;
  std::vector<HloShape> Longest;
  for (const HloShape &Each : Shapes)
    Longest.push_back(cantFail(P.Longest.withElementType(Each.elementType())));
  LaunchDimensions Launch = launchFor(Longest, Limits);
  P.Vector = Launch.Vector;
  if (!isCheaper(P, Shape, InLoops) || !isSmall(P, Partition))
    return false;
  P.Threads = P.Longest.elementCount() / P.Vector;
  Frame.BlockSize = Launch.Threads;
  Frame.Blocks = divideCeil(P.Threads, uint64_t(Launch.Threads));
  Frame.Threads = P.Threads;
  Frame.ThreadMap = [Launch, Operands = ConcatenatedSizes::of(*Concatenation)](
                        const HloShape &Array, IndexContext &Context) {
    return threadMapOfConcatenation(Operands, Array, Launch, Context);
  };
  M.emitKernel(Frame,
               [&](KernelCode &Code) { emitPieces(Code, Frame, P, Shapes); });
  return true;
}

} // namespace unravel
