//===- SpecialRegisters.cpp - Indices and sizes of blocks and grids -------===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "analysis/facts/SpecialRegisters.h"
#include "analysis/facts/LaunchLimits.h"
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
enum class Register {
  ThreadIndex,
  BlockSize,
  BlockIndex,
  GridSize,
  IndexInCluster,
  ClusterSize,
  ClusterIndex,
  NumClusters,
  RankInCluster,
  ClusterVolume,
  Other
};
} // namespace

/// Which family a special register belongs to; sets \p Dimension to 0, 1, 2.
static Register classify(Intrinsic::ID ID, unsigned &Dimension) {
  static const struct {
    Intrinsic::ID First, Second, Third;
    Register Family;
  } Families[] = {
      {Intrinsic::nvvm_read_ptx_sreg_tid_x, Intrinsic::nvvm_read_ptx_sreg_tid_y,
       Intrinsic::nvvm_read_ptx_sreg_tid_z, Register::ThreadIndex},
      {Intrinsic::nvvm_read_ptx_sreg_ntid_x,
       Intrinsic::nvvm_read_ptx_sreg_ntid_y,
       Intrinsic::nvvm_read_ptx_sreg_ntid_z, Register::BlockSize},
      {Intrinsic::nvvm_read_ptx_sreg_ctaid_x,
       Intrinsic::nvvm_read_ptx_sreg_ctaid_y,
       Intrinsic::nvvm_read_ptx_sreg_ctaid_z, Register::BlockIndex},
      {Intrinsic::nvvm_read_ptx_sreg_nctaid_x,
       Intrinsic::nvvm_read_ptx_sreg_nctaid_y,
       Intrinsic::nvvm_read_ptx_sreg_nctaid_z, Register::GridSize},
      {Intrinsic::nvvm_read_ptx_sreg_cluster_ctaid_x,
       Intrinsic::nvvm_read_ptx_sreg_cluster_ctaid_y,
       Intrinsic::nvvm_read_ptx_sreg_cluster_ctaid_z, Register::IndexInCluster},
      {Intrinsic::nvvm_read_ptx_sreg_cluster_nctaid_x,
       Intrinsic::nvvm_read_ptx_sreg_cluster_nctaid_y,
       Intrinsic::nvvm_read_ptx_sreg_cluster_nctaid_z, Register::ClusterSize},
      {Intrinsic::nvvm_read_ptx_sreg_clusterid_x,
       Intrinsic::nvvm_read_ptx_sreg_clusterid_y,
       Intrinsic::nvvm_read_ptx_sreg_clusterid_z, Register::ClusterIndex},
      {Intrinsic::nvvm_read_ptx_sreg_nclusterid_x,
       Intrinsic::nvvm_read_ptx_sreg_nclusterid_y,
       Intrinsic::nvvm_read_ptx_sreg_nclusterid_z, Register::NumClusters}};
  Dimension = 0;
  if (ID == Intrinsic::nvvm_read_ptx_sreg_cluster_ctarank)
    return Register::RankInCluster;
  if (ID == Intrinsic::nvvm_read_ptx_sreg_cluster_nctarank)
    return Register::ClusterVolume;
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

/// That of the numbers for a dimension; those that are left out are 1.
static int64_t inDimension(ArrayRef<int64_t> Numbers, unsigned Dimension) {
  return Dimension < Numbers.size() ? Numbers[Dimension] : 1;
}

static int64_t productOf(ArrayRef<int64_t> Numbers) {
  int64_t Product = 1;
  for (int64_t N : Numbers)
    Product = std::min<int64_t>(Product * N, INT32_MAX);
  return Product;
}

namespace {
/// What is known of the blocks in a cluster.
struct Cluster {
  /// In one dimension, and in all.
  Interval Size, Volume;
};
} // namespace

/// Without a possible attribute a cluster is anything up to the grid.
static Cluster clusterOf(const Function &F, unsigned Dimension) {
  SmallVector<int64_t, 3> Sizes = launchAttribute(F, "nvvm.cluster_dim");
  int64_t Size = inDimension(Sizes, Dimension);
  if (Sizes.empty() || Size > MaxGrid[Dimension])
    return {Interval(1, MaxGrid[Dimension]), Interval(1, INT32_MAX)};
  return {Interval::point(Size), Interval::point(productOf(Sizes))};
}

/// The sizes of a block in one dimension.
static Interval blockSizes(const Function &F, unsigned Dimension) {
  SmallVector<int64_t, 3> Required = launchAttribute(F, "nvvm.reqntid");
  SmallVector<int64_t, 3> Most = launchAttribute(F, "nvvm.maxntid");
  // The launch fails unless every dimension is exactly this.
  if (!Required.empty())
    return Interval::point(inDimension(Required, Dimension));
  int64_t Threads = Most.empty() ? MaxBlock[Dimension] : productOf(Most);
  return Interval(1, std::min(MaxBlock[Dimension], Threads));
}

std::optional<Interval> launchRange(const Function &F, Intrinsic::ID Read) {
  unsigned Dimension;
  Register R = classify(Read, Dimension);
  if (R == Register::Other)
    return std::nullopt;
  Cluster C = clusterOf(F, Dimension);
  int64_t MostClusters = MaxGrid[Dimension] / C.Size.lo();
  auto Below = [](int64_t Size) { return Interval(0, Size - 1); };
  switch (R) {
  case Register::ThreadIndex:
    return Below(blockSizes(F, Dimension).hi());
  case Register::BlockSize:
    return blockSizes(F, Dimension);
  case Register::BlockIndex:
    return Below(MostClusters * C.Size.lo());
  case Register::GridSize:
    return Interval(C.Size.lo(), MostClusters * C.Size.lo());
  case Register::IndexInCluster:
    return Below(C.Size.hi());
  case Register::ClusterSize:
    return C.Size;
  case Register::ClusterIndex:
    return Below(MostClusters);
  case Register::NumClusters:
    return Interval(1, MostClusters);
  case Register::RankInCluster:
    return Below(C.Volume.hi());
  case Register::ClusterVolume:
    return C.Volume;
  case Register::Other:
    break;
  }
  llvm_unreachable("covered switch");
}

std::optional<Interval> launchRange(const Value *V) {
  auto *Call = dyn_cast<IntrinsicInst>(V);
  return Call ? launchRange(*Call->getFunction(), Call->getIntrinsicID())
              : std::nullopt;
}

Congruence launchLattice(const Value *V) {
  auto *Call = dyn_cast<IntrinsicInst>(V);
  unsigned Dimension;
  if (!Call ||
      classify(Call->getIntrinsicID(), Dimension) != Register::GridSize)
    return Congruence();
  Interval Size = clusterOf(*Call->getFunction(), Dimension).Size;
  return Size.isPoint() ? Congruence::of(Size.lo(), 0) : Congruence();
}

} // namespace unravel
