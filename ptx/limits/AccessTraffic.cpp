//===- AccessTraffic.cpp - What the accesses of a kernel move -------------===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ptx/limits/AccessTraffic.h"
#include "ptx/limits/AddressSources.h"
#include "transforms/prices/PtxPrices.h"
#include "llvm/ADT/MapVector.h"
#include <algorithm>
#include <cmath>

using namespace llvm;

namespace unravel {

namespace {
/// Of one request.
struct Traffic {
  WorkRange Wavefronts, DramBytes;
};
} // namespace

static double wavefrontsOf(double Bytes) {
  return std::max(1.0, std::ceil(Bytes / BytesPerLine));
}

static bool isCounted(const MemoryAccess &A) {
  return A.Space != AccessSpace::Constant && A.Space != AccessSpace::Parameter;
}

/// Of an access of which the bytes are all that is known.
static Traffic unknownTraffic(const MemoryAccess &A) {
  constexpr uint64_t Widest = 16;
  double Least = LanesPerWarp * double(A.Bytes ? A.Bytes : 1);
  if (A.Kind == AccessKind::Other) // perhaps it moves nothing
    Least = 0;
  double Most = A.Bytes ? A.Bytes : Widest;
  Traffic T;
  // A sector of its own for each lane, and one more if it is not aligned.
  double Sectors =
      LanesPerWarp * (std::ceil(Most / BytesPerSector) + (A.Alignment < Most));
  T.Wavefronts = {Least > 0 ? wavefrontsOf(Least) : 0,
                  std::max(Sectors, LanesPerWarp * Most / BytesPerWord)};
  if (A.Space == AccessSpace::Shared)
    return T;
  T.DramBytes = {Least, Sectors * BytesPerSector};
  return T;
}

static Traffic trafficOf(const AccessReport &R) {
  const MemoryAccess &A = R.Access;
  Traffic T;
  if (!R.NotUnderstood.empty())
    return unknownTraffic(A);
  if (A.Space == AccessSpace::Local) { // interleaved by lane
    double Bytes = LanesPerWarp * double(A.Bytes);
    T.Wavefronts = {wavefrontsOf(Bytes), wavefrontsOf(Bytes)};
    T.DramBytes = {0, Bytes};
    return T;
  }
  if (!R.HasCost) // no lane
    return T;
  if (A.Space == AccessSpace::Shared) {
    T.Wavefronts = {double(R.Least.Wavefronts), double(R.Most.Wavefronts)};
    return T;
  }
  double Sectors = double(R.Most.Sectors) * BytesPerSector;
  T.Wavefronts = {wavefrontsOf(R.Least.Bytes),
                  std::max(wavefrontsOf(Sectors), double(R.Most.Lines))};
  T.DramBytes = {double(R.Least.Bytes), Sectors};
  return T;
}

/// How much of an access has to come from DRAM at least, weighted by loops.
static double leastWeight(const MemoryAccess &A, const Dimensions &GridIndices,
                          const BlockShape &Block, const CycleInfo &Cycles) {
  if (A.Kind == AccessKind::Atomic || A.Space == AccessSpace::Generic ||
      A.Space == AccessSpace::Local || !A.Pointer)
    return 0;
  AddressSources Sources = sourcesOf(A.Pointer);
  unsigned Sharing = 1, Sizes[3] = {Block.X, Block.Y, Block.Z};
  for (unsigned D = 0; D < 3; ++D) {
    if (GridIndices[D] && !Sources.Block[D])
      return 0;
    if (!Sources.Thread[D])
      Sharing *= Sizes[D];
  }
  unsigned Depth = Sources.depthOf(A.Instruction->getParent(), Cycles);
  return double(loopWeight(Depth)) / std::min(Sharing, Block.warps());
}

void addTraffic(ArrayRef<AccessReport> Accesses, const Function &F,
                const BlockShape &Block, const CycleInfo &Cycles,
                WarpWork &Work) {
  Dimensions GridIndices = blockIndicesOf(F);
  // Loads of one array may all look at the same bytes.
  MapVector<const Value *, double> LeastOfArray;
  for (const AccessReport &R : Accesses) {
    const MemoryAccess &A = R.Access;
    if (!isCounted(A))
      continue;
    Traffic T = trafficOf(R);
    Work.NotUnderstood += !R.NotUnderstood.empty();
    const BasicBlock *BB = A.Instruction->getParent();
    double Weight = loopWeight(Cycles.getCycleDepth(BB));
    Work.Wavefronts.add(T.Wavefronts, Weight);
    Work.DramBytes.High += T.DramBytes.High * Weight;
    double Least = T.DramBytes.Low * leastWeight(A, GridIndices, Block, Cycles);
    if (A.Kind == AccessKind::Load && A.Pointer) {
      double &OfArray = LeastOfArray[objectOf(A.Pointer)];
      OfArray = std::max(OfArray, Least);
    } else {
      Work.DramBytes.Low += Least;
    }
  }
  for (const auto &[Array, Least] : LeastOfArray)
    Work.DramBytes.Low += Least;
}

} // namespace unravel
