//===- AccessReport.h - What each access of a kernel costs ------*- C++ -*-===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// For each access the best and the worst request over all warps of a block and
// over all residue classes of what is not known: block indices, arguments,
// iterations, and the alignment of bases. No block is enumerated.
//
// Where an address is not known, but bounded in each lane, the least and the
// most of any request within these bounds.
//
// Addresses of lanes that differ by a multiple of something unknown (a row of n
// elements) are taken to be far from each other: no sector and no word is
// shared. This is reported as an assumption.
//
//===----------------------------------------------------------------------===//

#ifndef UNRAVEL_ANALYSIS_WARPS_ACCESSREPORT_H
#define UNRAVEL_ANALYSIS_WARPS_ACCESSREPORT_H

#include "analysis/warps/KernelAccesses.h"
#include "analysis/warps/LanePattern.h"
#include "analysis/warps/WarpEvaluator.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace unravel {

/// One request, to global or to shared memory; the rest is zero.
struct RequestCost {
  unsigned ActiveLanes = 0;
  unsigned Bytes = 0, Sectors = 0, Lines = 0, IdealSectors = 0;
  unsigned Wavefronts = 0, Conflicts = 0;
  /// Of global memory, the bytes asked for per byte moved; of shared memory,
  /// the wavefronts without conflicts per wavefront.
  double efficiency() const {
    if (Wavefronts)
      return double(Wavefronts - Conflicts) / Wavefronts;
    return Sectors ? double(Bytes) / (double(Sectors) * BytesPerSector) : 1;
  }
};

struct AccessReport {
  MemoryAccess Access;
  /// Why there are no numbers; empty if there are.
  std::string NotUnderstood;
  /// The lanes in words; two patterns, or the first one, if they depend on the
  /// warp or the class. Empty if not understood.
  std::string Pattern;
  /// The address in the first warp, `%in + 1024 * ctaid.x + 4 * lane`; empty if
  /// it is not of this form in all classes.
  std::string Address;
  /// Global and shared memory only: the requests of which most and of which
  /// least of what is moved would have to be moved in any order.
  bool HasCost = false;
  RequestCost Best, Worst;
  /// Of all requests. A request of few lanes may be good and yet move a sector
  /// for a byte.
  double LowestEfficiency = 1, HighestEfficiency = 1;
  /// The least and the most of each number, over all requests: the best one may
  /// have more sectors than the worst, for more lanes.
  RequestCost Least, Most;
  std::vector<std::string> Assumptions;
  /// What one instruction could move for a lane, with the accesses beside it
  /// (VectorWidths.h); as much as the access moves where nothing is beside it.
  uint64_t VectorBytes = 0;
  /// That, and what stands in the way of more; empty if nothing is beside it.
  std::string VectorNote;
  /// How to do better, if a way follows from the addresses.
  std::string Hint;

  /// Bytes between neighbouring lanes, if they all have this distance.
  std::optional<int64_t> Stride;
  /// The bytes by which an iteration of some loop moves the address, the least
  /// if there are several loops; 0 if none moves it upwards by a number.
  int64_t LoopStep = 0;

  /// In some class the lanes differ in an unknown way: the numbers are bounds,
  /// which no request need have.
  bool IsBounded = false;
  /// These, because lanes load their addresses from memory: any that the types
  /// allow may occur.
  bool IsGather = false;

  /// A better order of the data would save sectors or wavefronts, always.
  bool canImprove() const {
    return HasCost && (Best.Sectors > Best.IdealSectors || Best.Conflicts > 0);
  }
};

/// The request of one warp in one class: what a report is made of.
struct RequestForm {
  unsigned Warp;
  LaneAddressForm Lanes;
  RequestCost Best, Worst;
  /// Only the active lanes of Lanes mean something.
  bool IsBounded = false;
};
/// Gets the requests of one access, in all warps and classes. None if they are
/// not understood.
using RequestVisitor =
    llvm::function_ref<void(const AccessReport &, llvm::ArrayRef<RequestForm>)>;

/// Removes stack slots and repeated loads, which are registers in the end: only
/// what is in memory is an access. Branches stay as they are.
void keepValuesInRegisters(llvm::Function &F,
                           llvm::FunctionAnalysisManager &AM);

/// All accesses of \p F, in the order of the IR. \p Visit may be null.
std::vector<AccessReport> reportAccesses(llvm::Function &F,
                                         llvm::FunctionAnalysisManager &AM,
                                         const BlockShape &Block,
                                         RequestVisitor Visit = nullptr);

/// What the kernel says of the number of its threads, by nvvm.reqntid or
/// nvvm.maxntid (read as x, y and z).
struct KnownBlock {
  BlockShape Shape;
  bool IsExact = false; ///< required, not only a bound
};
std::optional<KnownBlock> blockOf(const llvm::Function &F);

} // namespace unravel

#endif // UNRAVEL_ANALYSIS_WARPS_ACCESSREPORT_H
