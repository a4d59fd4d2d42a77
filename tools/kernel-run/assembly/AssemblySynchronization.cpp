//===- AssemblySynchronization.cpp - Barriers and what lanes share --------===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tools/kernel-run/assembly/AssemblyExpander.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/IR/IntrinsicsNVPTX.h"

using namespace llvm;
using namespace unravel;
using ptx::Operand;

/// Barriers, shuffles, votes and the like, without a guard: a thread that does
/// not take part is another program.
bool AssemblyExpander::expandSynchronization(const Instruction &I) {
  return !Guard &&
         all_of(ArrayRef(I.Operands).drop_front(!I.Operands.empty()),
                [&](const Operand &O) { return canRead(O); }) &&
         (expandBarrier(I) || expandWarpOperation(I));
}

bool AssemblyExpander::expandBarrier(const Instruction &I) {
  auto Read = [&](unsigned N) { return read(I.Operands[N], B.getInt32Ty()); };
  if ((I.Opcode == "bar.sync" || I.Opcode == "barrier.sync" ||
       I.Opcode == "barrier.sync.aligned" || I.Opcode == "barrier.cta.sync") &&
      (I.Operands.size() == 1 || I.Operands.size() == 2) &&
      canRead(I.Operands[0])) {
    if (I.Operands.size() == 1)
      callIntrinsic(Intrinsic::nvvm_barrier_cta_sync_aligned_all, {Read(0)});
    else
      callIntrinsic(Intrinsic::nvvm_barrier_cta_sync_aligned_count,
                    {Read(0), Read(1)});
    return true;
  }
  if (I.Opcode == "bar.warp.sync" && I.Operands.size() == 1 &&
      canRead(I.Operands[0])) {
    callIntrinsic(Intrinsic::nvvm_bar_warp_sync, {Read(0)});
    return true;
  }
  return false;
}

void AssemblyExpander::writePair(const Operand &O, Value *Both) {
  bool IsPair = O.K == Operand::Kind::Pair;
  write(IsPair ? O.Parts[0] : O, B.CreateExtractValue(Both, 0));
  if (IsPair)
    write(O.Parts[1], B.CreateExtractValue(Both, 1));
}

namespace {
/// How the operands of the instruction, whose first one is the result, become
/// those of the intrinsic.
enum class Form {
  Shuffle,
  Vote,
  Match32,
  Match64,
  MatchAll32,
  MatchAll64,
  Redux,
  Elect,
  Active
};

struct WarpInstruction {
  Form Of;
  Intrinsic::ID ID;
  unsigned Operands;
};
} // namespace

static std::optional<WarpInstruction> warpInstruction(StringRef Opcode) {
  using W = WarpInstruction;
  // clang-format off
  return StringSwitch<std::optional<W>>(Opcode)
      .Case("shfl.sync.up.b32", W{Form::Shuffle, Intrinsic::nvvm_shfl_sync_up_i32p, 5})
      .Case("shfl.sync.down.b32", W{Form::Shuffle, Intrinsic::nvvm_shfl_sync_down_i32p, 5})
      .Case("shfl.sync.bfly.b32", W{Form::Shuffle, Intrinsic::nvvm_shfl_sync_bfly_i32p, 5})
      .Case("shfl.sync.idx.b32", W{Form::Shuffle, Intrinsic::nvvm_shfl_sync_idx_i32p, 5})
      .Case("vote.sync.all.pred", W{Form::Vote, Intrinsic::nvvm_vote_all_sync, 3})
      .Case("vote.sync.any.pred", W{Form::Vote, Intrinsic::nvvm_vote_any_sync, 3})
      .Case("vote.sync.uni.pred", W{Form::Vote, Intrinsic::nvvm_vote_uni_sync, 3})
      .Case("vote.sync.ballot.b32", W{Form::Vote, Intrinsic::nvvm_vote_ballot_sync, 3})
      .Case("match.any.sync.b32", W{Form::Match32, Intrinsic::nvvm_match_any_sync_i32, 3})
      .Case("match.any.sync.b64", W{Form::Match64, Intrinsic::nvvm_match_any_sync_i64, 3})
      .Case("match.all.sync.b32", W{Form::MatchAll32, Intrinsic::nvvm_match_all_sync_i32p, 3})
      .Case("match.all.sync.b64", W{Form::MatchAll64, Intrinsic::nvvm_match_all_sync_i64p, 3})
      .Cases({"redux.sync.add.s32", "redux.sync.add.u32"}, W{Form::Redux, Intrinsic::nvvm_redux_sync_add, 3})
      .Case("redux.sync.min.s32", W{Form::Redux, Intrinsic::nvvm_redux_sync_min, 3})
      .Case("redux.sync.max.s32", W{Form::Redux, Intrinsic::nvvm_redux_sync_max, 3})
      .Case("redux.sync.min.u32", W{Form::Redux, Intrinsic::nvvm_redux_sync_umin, 3})
      .Case("redux.sync.max.u32", W{Form::Redux, Intrinsic::nvvm_redux_sync_umax, 3})
      .Case("redux.sync.and.b32", W{Form::Redux, Intrinsic::nvvm_redux_sync_and, 3})
      .Case("redux.sync.or.b32", W{Form::Redux, Intrinsic::nvvm_redux_sync_or, 3})
      .Case("redux.sync.xor.b32", W{Form::Redux, Intrinsic::nvvm_redux_sync_xor, 3})
      .Case("elect.sync", W{Form::Elect, Intrinsic::nvvm_elect_sync, 2})
      .Case("activemask.b32", W{Form::Active, Intrinsic::nvvm_activemask, 1})
      .Default(std::nullopt);
  // clang-format on
}

bool AssemblyExpander::expandWarpOperation(const Instruction &I) {
  std::optional<WarpInstruction> W = warpInstruction(I.Opcode);
  if (!W || I.Operands.size() != W->Operands)
    return false;
  auto Read = [&](unsigned N, unsigned Width = 32) {
    return read(I.Operands[N], B.getIntNTy(Width));
  };
  const Operand &To = I.Operands[0];
  switch (W->Of) {
  case Form::Shuffle:
    writePair(To, callIntrinsic(W->ID, {Read(4), Read(1), Read(2), Read(3)}));
    return true;
  case Form::Vote:
    write(To, callIntrinsic(W->ID, {Read(2), readPredicate(I.Operands[1])}));
    return true;
  case Form::Match32:
    write(To, callIntrinsic(W->ID, {Read(2), Read(1)}));
    return true;
  case Form::Match64:
    write(To, callIntrinsic(W->ID, {Read(2), Read(1, 64)}));
    return true;
  case Form::MatchAll32:
    writePair(To, callIntrinsic(W->ID, {Read(2), Read(1)}));
    return true;
  case Form::MatchAll64:
    writePair(To, callIntrinsic(W->ID, {Read(2), Read(1, 64)}));
    return true;
  case Form::Redux:
    write(To, callIntrinsic(W->ID, {Read(1), Read(2)}));
    return true;
  case Form::Elect:
    writePair(To, callIntrinsic(W->ID, {Read(1)}));
    return true;
  case Form::Active:
    write(To, callIntrinsic(W->ID, {}));
    return true;
  }
  llvm_unreachable("covered switch");
}
