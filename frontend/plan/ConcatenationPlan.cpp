//===- ConcatenationPlan.cpp - A thread for an index of every operand -----===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In a loop kernel each element of a concatenation asks which operand it comes
// from. In this kernel kind a thread has an index and computes the element at
// this index of every operand that has one, each for its own place in the
// result, and what follows from it there. The only test is whether an operand
// that is shorter than the longest one has the index.
//
//===----------------------------------------------------------------------===//

#include "frontend/plan/KernelPlanners.h"
#include "llvm/ADT/STLExtras.h"
#include <numeric>

using namespace llvm;

namespace unravel {

/// The concatenation from which \p Kernel computes its outputs element by
/// element; null if there is none, or several, or if other indices of it are
/// used as well.
static const HloInstruction *concatenationOf(const KernelScope &Scope,
                                             const PlannedKernel &Kernel) {
  SmallPtrSet<const HloInstruction *, 32> AtOwnIndex, Elsewhere;
  AtOwnIndex.insert(Kernel.Roots.begin(), Kernel.Roots.end());
  const HloInstruction *Found = nullptr;
  // Users come after their operands.
  for (const HloInstruction *I : reverse(Kernel.Partition.instructions())) {
    if (Scope.isInMemory(*I))
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

/// How many neighbours in \p Output no end of an operand, and no end of a row
/// of operands, ever divides.
static int64_t neighboursTogether(const ConcatenateKernel &C,
                                  const HloShape &Output) {
  int64_t Together = 0, Stride = Output.strides()[C.Along];
  for (const HloInstruction *Operand : C.Concatenation->operands())
    Together = std::gcd(Together, C.sizeOf(*Operand) * Stride);
  return Together;
}

/// Parts of warps write the rows of an operand if these have few elements. Each
/// piece of a row takes a transaction more than necessary where it does not
/// begin and end with one. For long pieces that is at most an eighth more. It
/// is nothing if each operand is one piece, from its first element to its last.
static bool areCoalesced(const ConcatenateKernel &C, const HloShape &Output) {
  constexpr int64_t Transaction = 32, LongEnough = 8 * Transaction;
  if (Output.minorToMajor().back() == int64_t(C.Along))
    return true;
  int64_t Stride = Output.strides()[C.Along] * byteWidth(Output.elementType());
  return all_of(C.Concatenation->operands(),
                [&](const HloInstruction *Operand) {
                  int64_t Bytes = C.sizeOf(*Operand) * Stride;
                  return Bytes >= LongEnough || Bytes % Transaction == 0;
                });
}

/// Compares the instructions for an element of the output in both kernel kinds;
/// vectors of the loop kernel have \p InLoops elements. The costs are counted
/// from PTX after the passes: the number of a thread and its guard, the digits
/// of an index if there are any, testing whether an operand has the element,
/// finding the element, and storing it. A loop kernel that splits its vectors
/// between operands shares only the number and the store. The estimate is
/// rough, so it has to save an eighth.
static bool isCheaper(const ConcatenateKernel &C, const HloShape &Output,
                      int64_t Together, int64_t InLoops) {
  constexpr double Thread = 4, Digits = 3, Test = 2, Access = 2, Store = 1;
  bool HasDigits = Output.minorToMajor().back() != int64_t(C.Along);
  double Number = Thread + (HasDigits ? Digits : 0);
  double Whole = Output.dimension(C.Along), Tested = 0;
  unsigned Guards = 0;
  ArrayRef<const HloInstruction *> Operands = C.Concatenation->operands();
  for (auto [K, Operand] : enumerate(Operands)) {
    size_t Tests = std::min(K + 1, Operands.size() - 1);
    Tested += Tests * (double(C.sizeOf(*Operand)) / Whole);
    Guards += C.isShorter(*Operand);
  }
  double Own = Test * Tested + Access;
  double Loops = Together % InLoops == 0 ? (Number + Own + Store) / InLoops
                                         : (Number + Store) / InLoops + Own +
                                               (HasDigits ? Digits : 0);
  double Threads = double(C.Longest.dimension(C.Along)) / Whole;
  double Here =
      (Threads * (Number + Test * Guards) + Access + Store) / C.Launch.Vector;
  return Here * 8 < Loops * 7;
}

/// The kernel repeats the code of every operand, and of what follows from it,
/// for each element of a vector.
static bool isSmall(const ConcatenateKernel &C, const HloPartition &Whole) {
  constexpr size_t MaxOperands = 8, MaxInstructions = 256;
  size_t Operands = C.Concatenation->operands().size();
  return Operands <= MaxOperands &&
         Whole.instructions().size() * Operands * C.Launch.Vector <=
             MaxInstructions;
}

KernelOrReason planConcatenation(const KernelScope &Scope,
                                 ArrayRef<KernelOutput> Outputs,
                                 const PlannedKernel &Loop) {
  std::vector<HloShape> Shapes = Scope.shapesOf(Outputs), Longest;
  const HloShape &Shape = Shapes[0];
  if (Shape.elementCount() == 0)
    return "no concatenation: the outputs are empty";
  if (any_of(Loop.Places, [](unsigned Place) { return Place != 0; }))
    return "no concatenation: the outputs have several shapes";
  const HloInstruction *I = concatenationOf(Scope, Loop);
  if (!I)
    return "no concatenation: none, or several, at the index of the outputs, "
           "or one at other indices as well";
  ConcatenateKernel C = {I,
                         size_t(I->dimensions()[0]),
                         ConcatenatedSizes::of(*I).longest(Shape),
                         {}};
  if (!areCoalesced(C, Shape))
    return "no concatenation: writes of short pieces would not be coalesced";

  // Each operand is computed at an index of its own.
  PlannedKernel Kernel(Outputs);
  Kernel.Roots = Loop.Roots;
  Kernel.Places = Loop.Places;
  Kernel.Given = {I};
  for (auto [K, Operand] : enumerate(I->operands()))
    Kernel.addRoot(*Operand, 1 + K);
  Scope.partition(Kernel);
  for (const HloInstruction *Function : Kernel.Partition.functions())
    if (is_contained(Kernel.Partition.buffersOf(*Function), I))
      return "no concatenation: a function reads it";
  LaunchLimits Limits = Scope.launchLimits(isCheapToRepeat(Kernel.Partition));
  int64_t InLoops = launchFor(Shapes, Limits).Vector;
  int64_t Together = neighboursTogether(C, Shape);
  while (Together % Limits.MaxVector != 0)
    Limits.MaxVector /= 2;
  for (const HloShape &Each : Shapes)
    Longest.push_back(cantFail(C.Longest.withElementType(Each.elementType())));
  C.Launch = launchFor(Longest, Limits);
  if (!isCheaper(C, Shape, Together, InLoops))
    return "no concatenation: a loop is estimated to cost as little";
  if (!isSmall(C, Kernel.Partition))
    return "no concatenation: too much code";
  Kernel.Threads = C.Longest.elementCount() / C.Launch.Vector;
  Kernel.BlockSize = C.Launch.Threads;
  Kernel.Kind = std::move(C);
  return Kernel;
}

} // namespace unravel
