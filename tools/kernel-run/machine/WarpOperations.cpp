//===- WarpOperations.cpp - What the lanes of a warp tell each other ------===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tools/kernel-run/machine/WarpOperations.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/ADT/bit.h"
#include <algorithm>

using namespace llvm;
using namespace unravel;

std::optional<WarpOperation> unravel::warpOperationNamed(StringRef Name) {
  using Op = WarpOperation;
  return StringSwitch<std::optional<Op>>(Name)
      .Case("bar.warp.sync", Op::Sync)
      .Case("shfl.sync.up", Op::ShuffleUp)
      .Case("shfl.sync.down", Op::ShuffleDown)
      .Case("shfl.sync.bfly", Op::ShuffleButterfly)
      .Case("shfl.sync.idx", Op::ShuffleIndex)
      .Case("vote.all.sync", Op::VoteAll)
      .Case("vote.any.sync", Op::VoteAny)
      .Case("vote.uni.sync", Op::VoteUniform)
      .Case("vote.ballot.sync", Op::VoteBallot)
      .Case("match.any.sync", Op::MatchAny)
      .Case("match.all.sync", Op::MatchAll)
      .Case("redux.sync.add", Op::ReduceAdd)
      .Case("redux.sync.and", Op::ReduceAnd)
      .Case("redux.sync.or", Op::ReduceOr)
      .Case("redux.sync.xor", Op::ReduceXor)
      .Case("redux.sync.min", Op::ReduceMin)
      .Case("redux.sync.max", Op::ReduceMax)
      .Case("redux.sync.umin", Op::ReduceUnsignedMin)
      .Case("redux.sync.umax", Op::ReduceUnsignedMax)
      .Case("elect.sync", Op::Elect)
      .Case("activemask", Op::ActiveMask)
      .Default(std::nullopt);
}

/// PTX's shfl: which lane is read, and whether it is in the segment.
static std::pair<int, bool> shuffleSource(WarpOperation Operation, int Lane,
                                          const WarpOperand &Operand) {
  int Distance = Operand.Lane & 31, Clamp = Operand.Clamp & 31;
  int Segment = Operand.Clamp >> 8 & 31;
  int Last = (Lane & Segment) | (Clamp & ~Segment);
  int From;
  bool Inside;
  switch (Operation) {
  case WarpOperation::ShuffleUp:
    From = Lane - Distance;
    Inside = From >= Last;
    break;
  case WarpOperation::ShuffleDown:
    From = Lane + Distance;
    Inside = From <= Last;
    break;
  case WarpOperation::ShuffleButterfly:
    From = Lane ^ Distance;
    Inside = From <= Last;
    break;
  default:
    From = (Lane & Segment) | (Distance & ~Segment);
    Inside = From <= Last;
    break;
  }
  return {Inside ? From : Lane, Inside};
}

static uint32_t reduce(WarpOperation Operation, uint32_t L, uint32_t R) {
  switch (Operation) {
  case WarpOperation::ReduceAdd:
    return L + R;
  case WarpOperation::ReduceAnd:
    return L & R;
  case WarpOperation::ReduceOr:
    return L | R;
  case WarpOperation::ReduceXor:
    return L ^ R;
  case WarpOperation::ReduceMin:
    return std::min<int32_t>(L, R);
  case WarpOperation::ReduceMax:
    return std::max<int32_t>(L, R);
  case WarpOperation::ReduceUnsignedMin:
    return std::min(L, R);
  default:
    return std::max(L, R);
  }
}

uint64_t unravel::warpResult(WarpOperation Operation, uint32_t Present,
                             const std::array<WarpOperand, WarpSize> &Operands,
                             unsigned Lane) {
  switch (Operation) { // most often, and of two lanes alone
  case WarpOperation::Sync:
    return 0;
  case WarpOperation::ActiveMask:
    return Present;
  case WarpOperation::ShuffleUp:
  case WarpOperation::ShuffleDown:
  case WarpOperation::ShuffleButterfly:
  case WarpOperation::ShuffleIndex: {
    auto [From, Inside] = shuffleSource(Operation, Lane, Operands[Lane]);
    bool IsThere = Present >> From & 1;
    uint32_t Value = IsThere ? Operands[From].Value : 0xA5A5A5A5;
    return Value | (Inside ? WarpPredicate : 0);
  }
  default:
    break;
  }
  // Lanes with the same value as this one, and those with a true predicate.
  uint32_t Same = 0, True = 0;
  for (unsigned L = 0; L != WarpSize; ++L) {
    if (!(Present >> L & 1))
      continue;
    Same |= uint32_t(Operands[L].Value == Operands[Lane].Value) << L;
    True |= uint32_t(Operands[L].Value != 0) << L;
  }
  switch (Operation) {
  case WarpOperation::VoteAll:
    return True == Present;
  case WarpOperation::VoteAny:
    return True != 0;
  case WarpOperation::VoteUniform:
    return True == Present || True == 0;
  case WarpOperation::VoteBallot:
    return True;
  case WarpOperation::MatchAny:
    return Same;
  case WarpOperation::MatchAll:
    return Same == Present ? Present | WarpPredicate : 0;
  case WarpOperation::Elect: {
    unsigned Leader = countr_zero(Present);
    return Leader | (Leader == Lane ? WarpPredicate : 0);
  }
  default: {
    uint32_t First = countr_zero(Present), Result = Operands[First].Value;
    for (unsigned L = First + 1; L < WarpSize; ++L)
      if (Present >> L & 1)
        Result = reduce(Operation, Result, Operands[L].Value);
    return Result;
  }
  }
}
