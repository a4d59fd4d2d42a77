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

void AssemblyExpander::writeResults(const Operand &O, Value *V) {
  if (!V->getType()->isStructTy())
    return write(O, V);
  bool IsPair = O.K == Operand::Kind::Pair;
  write(IsPair ? O.Parts[0] : O, B.CreateExtractValue(V, 0));
  if (IsPair)
    write(O.Parts[1], B.CreateExtractValue(V, 1));
}

namespace {
/// The operands of the instruction, by number, that the intrinsic takes.
struct WarpInstruction {
  Intrinsic::ID ID;
  ArrayRef<unsigned> Arguments;
};
} // namespace

static std::optional<WarpInstruction> warpInstruction(StringRef Opcode) {
  using W = WarpInstruction;
  static constexpr unsigned Shuffle[] = {4, 1, 2, 3}, MaskFirst[] = {2, 1},
                            MaskLast[] = {1, 2}, Mask[] = {1};
  // clang-format off
  return StringSwitch<std::optional<W>>(Opcode)
      .Case("shfl.sync.up.b32", W{Intrinsic::nvvm_shfl_sync_up_i32p, Shuffle})
      .Case("shfl.sync.down.b32", W{Intrinsic::nvvm_shfl_sync_down_i32p, Shuffle})
      .Case("shfl.sync.bfly.b32", W{Intrinsic::nvvm_shfl_sync_bfly_i32p, Shuffle})
      .Case("shfl.sync.idx.b32", W{Intrinsic::nvvm_shfl_sync_idx_i32p, Shuffle})
      .Case("vote.sync.all.pred", W{Intrinsic::nvvm_vote_all_sync, MaskFirst})
      .Case("vote.sync.any.pred", W{Intrinsic::nvvm_vote_any_sync, MaskFirst})
      .Case("vote.sync.uni.pred", W{Intrinsic::nvvm_vote_uni_sync, MaskFirst})
      .Case("vote.sync.ballot.b32", W{Intrinsic::nvvm_vote_ballot_sync, MaskFirst})
      .Case("match.any.sync.b32", W{Intrinsic::nvvm_match_any_sync_i32, MaskFirst})
      .Case("match.any.sync.b64", W{Intrinsic::nvvm_match_any_sync_i64, MaskFirst})
      .Case("match.all.sync.b32", W{Intrinsic::nvvm_match_all_sync_i32p, MaskFirst})
      .Case("match.all.sync.b64", W{Intrinsic::nvvm_match_all_sync_i64p, MaskFirst})
      .Cases({"redux.sync.add.s32", "redux.sync.add.u32"}, W{Intrinsic::nvvm_redux_sync_add, MaskLast})
      .Case("redux.sync.min.s32", W{Intrinsic::nvvm_redux_sync_min, MaskLast})
      .Case("redux.sync.max.s32", W{Intrinsic::nvvm_redux_sync_max, MaskLast})
      .Case("redux.sync.min.u32", W{Intrinsic::nvvm_redux_sync_umin, MaskLast})
      .Case("redux.sync.max.u32", W{Intrinsic::nvvm_redux_sync_umax, MaskLast})
      .Case("redux.sync.and.b32", W{Intrinsic::nvvm_redux_sync_and, MaskLast})
      .Case("redux.sync.or.b32", W{Intrinsic::nvvm_redux_sync_or, MaskLast})
      .Case("redux.sync.xor.b32", W{Intrinsic::nvvm_redux_sync_xor, MaskLast})
      .Case("elect.sync", W{Intrinsic::nvvm_elect_sync, Mask})
      .Case("activemask.b32", W{Intrinsic::nvvm_activemask, {}})
      .Default(std::nullopt);
  // clang-format on
}

bool AssemblyExpander::expandWarpOperation(const Instruction &I) {
  std::optional<WarpInstruction> W = warpInstruction(I.Opcode);
  if (!W || I.Operands.size() != W->Arguments.size() + 1)
    return false;
  SmallVector<Value *, 4> Arguments;
  for (auto [Number, Ty] :
       zip_equal(W->Arguments, Intrinsic::getType(Context, W->ID)->params()))
    Arguments.push_back(Ty->isIntegerTy(1) ? readPredicate(I.Operands[Number])
                                           : read(I.Operands[Number], Ty));
  writeResults(I.Operands[0], callIntrinsic(W->ID, Arguments));
  return true;
}
