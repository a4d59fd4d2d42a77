//===- HloPartition.cpp - Which instructions are functions ----------------===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "frontend/plan/HloPartition.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/SmallPtrSet.h"

using namespace llvm;

namespace unravel {

std::optional<unsigned> operandPlace(const HloInstruction &I, size_t K) {
  size_t Half = I.operands().size() / 2;
  if (isElementwise(I.opcode()))
    return I.operand(K).shape().isScalar() && !I.shape().isScalar() ? 1 : 0;
  switch (I.opcode()) {
  case HloOpcode::GetTupleElement:
    return 0;
  case HloOpcode::BitcastConvert:
    // A wide element consists of several narrow ones.
    if (bitWidth(I.operand(0).shape().elementType()) <
        bitWidth(I.shape().elementType()))
      return std::nullopt;
    return 1;
  case HloOpcode::Reduce:
  case HloOpcode::ReduceWindow: // inputs, initial values
    return K < Half ? 1 : 2;
  case HloOpcode::DynamicSlice: // the operand, the starts
    return K < 1 ? 1 : 2;
  case HloOpcode::DynamicUpdateSlice:
    return K < 2 ? 1 + K : 3;
  case HloOpcode::Gather: // each component of an index vector
    if (K == 1)
      return std::nullopt;
    return 1;
  default:
    return 1 + K;
  }
}

/// Leaves are repeated at every use. A broadcast scalar constant is a leaf.
static bool isLeaf(const HloInstruction &I, HloPartition::IsInMemory IsLoaded) {
  if (I.opcode() == HloOpcode::Constant || I.opcode() == HloOpcode::Iota ||
      IsLoaded(I))
    return true;
  return I.opcode() == HloOpcode::Broadcast &&
         I.operand(0).shape().isScalar() &&
         I.operand(0).opcode() == HloOpcode::Constant;
}

namespace {
/// The index at which an instruction is needed: that of the function, or the
/// one that an instruction computes for an operand.
struct Wanted {
  const HloInstruction *Maker = nullptr;
  unsigned Number = 0;

  bool operator==(const Wanted &Other) const {
    return Maker == Other.Maker && Number == Other.Number;
  }
};
} // namespace

/// Emission recurses from user to operand; longer chains are split.
constexpr unsigned MaxInlineDepth = 200;

HloPartition::HloPartition(ArrayRef<const HloInstruction *> Roots,
                           ArrayRef<unsigned> Places, IsInMemory IsLoaded) {
  const HloComputation &C = Roots.front()->parent();
  struct State {
    bool IsNeeded = false, IsWantedTwice = false;
    Wanted At;
    unsigned Depth = 0;
  };
  std::vector<State> States(C.instructions().size());
  auto Want = [&](const HloInstruction &I, std::optional<Wanted> At,
                  unsigned Depth) {
    State &S = States[I.index()];
    S.IsWantedTwice |= !At || (S.IsNeeded && !(S.At == *At));
    S.IsNeeded = true;
    S.At = At.value_or(Wanted());
    S.Depth = std::max(S.Depth, Depth);
  };
  for (auto [Root, Place] : zip_equal(Roots, Places))
    Want(*Root, Wanted{nullptr, Place}, 0);

  // Users come after their operands, so all uses of an instruction are known
  // when the loop reaches it.
  for (size_t Index = C.instructions().size(); Index-- > 0;) {
    const HloInstruction &I = C.instructions()[Index];
    State &S = States[Index];
    if (!S.IsNeeded)
      continue;
    Needed.push_back(&I);
    if (IsLoaded(I))
      continue;
    // The parts of a tuple are computed together, as one function or none.
    bool IsPart = I.opcode() == HloOpcode::GetTupleElement;
    if (!isLeaf(I, IsLoaded) && !IsPart &&
        (S.IsWantedTwice || S.Depth > MaxInlineDepth)) {
      Functions.push_back(&I);
      S.At = Wanted{&I, 0};
      S.Depth = 0;
    } else if (IsPart && S.IsWantedTwice) {
      Want(I.operand(0), std::nullopt, S.Depth + 1);
      continue;
    }
    for (size_t K = 0; K < I.operands().size(); ++K) {
      std::optional<unsigned> Place = operandPlace(I, K);
      std::optional<Wanted> At;
      if (Place)
        At = *Place == 0 ? S.At : Wanted{&I, *Place};
      Want(I.operand(K), At, S.Depth + 1);
    }
  }
  std::reverse(Functions.begin(), Functions.end());
  std::reverse(Needed.begin(), Needed.end());
  for (const HloInstruction *Function : Functions)
    BuffersOf[Function]; // so that isFunction() knows all of them
  for (const HloInstruction *Function : Functions)
    BuffersOf[Function] = collectBuffers(*Function, IsLoaded);
}

HloPartition::Buffers
HloPartition::collectBuffers(const HloInstruction &Function,
                             IsInMemory IsLoaded) const {
  SetVector<const HloInstruction *> Found;
  SmallVector<const HloInstruction *, 16> Worklist(Function.operands());
  SmallPtrSet<const HloInstruction *, 32> Seen;
  while (!Worklist.empty()) {
    const HloInstruction *I = Worklist.pop_back_val();
    if (!Seen.insert(I).second)
      continue;
    if (IsLoaded(*I))
      Found.insert(I);
    else if (isFunction(*I))
      Found.insert_range(buffersOf(*I));
    else
      Worklist.append(I->operands().begin(), I->operands().end());
  }
  return Buffers(Found.begin(), Found.end());
}

} // namespace unravel
