//===- SpecialRegisters.cpp - Indices and sizes of blocks and grids -------===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "analysis/facts/SpecialRegisters.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/IntrinsicsNVPTX.h"

using namespace llvm;

namespace unravel {

Intrinsic::ID boundingRegister(Intrinsic::ID ID) {
  switch (ID) {
  case Intrinsic::nvvm_read_ptx_sreg_tid_x:
    return Intrinsic::nvvm_read_ptx_sreg_ntid_x;
  case Intrinsic::nvvm_read_ptx_sreg_tid_y:
    return Intrinsic::nvvm_read_ptx_sreg_ntid_y;
  case Intrinsic::nvvm_read_ptx_sreg_tid_z:
    return Intrinsic::nvvm_read_ptx_sreg_ntid_z;
  case Intrinsic::nvvm_read_ptx_sreg_ctaid_x:
    return Intrinsic::nvvm_read_ptx_sreg_nctaid_x;
  case Intrinsic::nvvm_read_ptx_sreg_ctaid_y:
    return Intrinsic::nvvm_read_ptx_sreg_nctaid_y;
  case Intrinsic::nvvm_read_ptx_sreg_ctaid_z:
    return Intrinsic::nvvm_read_ptx_sreg_nctaid_z;
  default:
    return Intrinsic::not_intrinsic;
  }
}

namespace {
enum class Register { ThreadIndex, BlockSize, BlockIndex, GridSize, Other };
} // namespace

/// Which family a special register belongs to; sets \p Dimension to 0, 1, 2.
static Register classify(Intrinsic::ID ID, unsigned &Dimension) {
  static const struct {
    Intrinsic::ID First, Second, Third;
    Register Family;
  } Families[] = {{Intrinsic::nvvm_read_ptx_sreg_tid_x,
                   Intrinsic::nvvm_read_ptx_sreg_tid_y,
                   Intrinsic::nvvm_read_ptx_sreg_tid_z, Register::ThreadIndex},
                  {Intrinsic::nvvm_read_ptx_sreg_ntid_x,
                   Intrinsic::nvvm_read_ptx_sreg_ntid_y,
                   Intrinsic::nvvm_read_ptx_sreg_ntid_z, Register::BlockSize},
                  {Intrinsic::nvvm_read_ptx_sreg_ctaid_x,
                   Intrinsic::nvvm_read_ptx_sreg_ctaid_y,
                   Intrinsic::nvvm_read_ptx_sreg_ctaid_z, Register::BlockIndex},
                  {Intrinsic::nvvm_read_ptx_sreg_nctaid_x,
                   Intrinsic::nvvm_read_ptx_sreg_nctaid_y,
                   Intrinsic::nvvm_read_ptx_sreg_nctaid_z, Register::GridSize}};
  for (const auto &Family : Families) {
    Dimension = ID == Family.Second ? 1 : ID == Family.Third ? 2 : 0;
    if (ID == Family.First || Dimension != 0)
      return Family.Family;
  }
  return Register::Other;
}

bool isGridOrBlockSize(const IntrinsicInst &Call) {
  unsigned Dimension;
  Register Family = classify(Call.getIntrinsicID(), Dimension);
  return Family == Register::BlockSize || Family == Register::GridSize;
}

/// The comma-separated numbers of a launch-bound attribute such as
/// "nvvm.reqntid"="128,1,1"; empty if it is absent or malformed.
static SmallVector<int64_t, 3> launchAttribute(const Function &F,
                                               StringRef Name) {
  SmallVector<int64_t, 3> Numbers;
  SmallVector<StringRef, 3> Parts;
  F.getFnAttribute(Name).getValueAsString().split(Parts, ',', -1,
                                                  /*KeepEmpty=*/false);
  for (StringRef Part : Parts) {
    int64_t N;
    if (Part.trim().getAsInteger(10, N) || N < 1 || N > INT32_MAX)
      return {};
    Numbers.push_back(N);
  }
  return Numbers;
}

std::optional<Interval> launchRange(const Value *V) {
  auto *Call = dyn_cast<IntrinsicInst>(V);
  unsigned Dimension;
  if (!Call)
    return std::nullopt;
  const Function &F = *Call->getFunction();
  // Limits of the programming model (CUDA C++ Programming Guide, table of
  // compute capabilities): blocks of at most 1024 threads, 64 deep.
  static constexpr int64_t MaxBlock[] = {1024, 1024, 64};
  static constexpr int64_t MaxGrid[] = {INT32_MAX, 65535, 65535};
  switch (classify(Call->getIntrinsicID(), Dimension)) {
  case Register::ThreadIndex:
  case Register::BlockSize: {
    bool IsSize =
        classify(Call->getIntrinsicID(), Dimension) == Register::BlockSize;
    int64_t Size = MaxBlock[Dimension], Least = 1;
    SmallVector<int64_t, 3> Required = launchAttribute(F, "nvvm.reqntid");
    SmallVector<int64_t, 3> Most = launchAttribute(F, "nvvm.maxntid");
    if (!Required.empty()) {
      // The launch fails unless every dimension is exactly this.
      Size = Least = Dimension < Required.size() ? Required[Dimension] : 1;
    } else if (!Most.empty()) {
      int64_t Threads = 1;
      for (int64_t N : Most)
        Threads = std::min<int64_t>(Threads * N, INT32_MAX);
      Size = std::min(Size, Threads);
    }
    return IsSize ? Interval(Least, Size) : Interval(0, Size - 1);
  }
  case Register::BlockIndex:
    return Interval(0, MaxGrid[Dimension] - 1);
  case Register::GridSize:
    return Interval(1, MaxGrid[Dimension]);
  case Register::Other:
    return std::nullopt;
  }
  llvm_unreachable("covered switch");
}

} // namespace unravel
