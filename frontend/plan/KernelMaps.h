//===- KernelMaps.h - What the threads of a kernel access -------*- C++ -*-===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The maps from the threads of a kernel to the elements that they load and
// store. The thread that loads an element is often not the one that needs it:
// where threads exchange values through shared memory or shuffles, each kernel
// kind has its own order of loads.
//
//     loop, concatenate  a thread loads what its own results need
//     reduction          the threads of a group share what one result needs
//     transpose          lanes along the input load, lanes along the output
//                        store; both have steps
//     update, scatter    a place in the result that is read at run time
//
// Elements that a thread may need, whatever the values are, count as loaded:
// both arms of a select, the operand of a dynamic-update-slice inside of the
// updated region.
//
//===----------------------------------------------------------------------===//

#ifndef UNRAVEL_FRONTEND_PLAN_KERNELMAPS_H
#define UNRAVEL_FRONTEND_PLAN_KERNELMAPS_H

#include "frontend/plan/KernelPlan.h"

namespace unravel {

enum class ThreadAction : uint8_t {
  Load,
  Store,
  Update, ///< of a scatter: atomic, or a load and a store
};

/// "load", "store", "update".
llvm::StringRef nameOf(ThreadAction Kind);

/// All loads, or all stores, of one array.
struct BufferAccess {
  ThreadAction Kind;
  /// A number of BufferPlan::Buffers.
  unsigned Buffer;
  /// The array there; a temporary may hold several with different shapes.
  HloShape Array;
  /// From (th_x, th_y, th_z, bl_x, bl_y, bl_z)[...] to the elements of Array.
  OperandIndexing Maps;
};

/// Loads in the order of the arrays, then stores in the order of the outputs.
std::vector<BufferAccess> accessesOf(const KernelPlan &Plan,
                                     const PlannedKernel &Kernel,
                                     HloIndexingAnalysis &Analysis);

/// "loop", "update", "reduction", "transpose", "concatenate", "scatter".
llvm::StringRef nameOf(const KernelKind &Kind);

/// What an access is called in reports: the name of the buffer, or `root`,
/// `root#1` for an output. \p Root is the shape of all outputs together.
std::string accessedName(const BufferPlan &Memory, const BufferAccess &Access,
                         const HloShape &Root);

/// Prints for each kernel of \p Plan, which is that of \p C,
///
///     kernel NAME: transpose, 200 blocks of 128 threads
///     thread -> root as stored: MAP
///     thread -> p0 as loaded: MAP
///     thread -> p0 as needed: MAP
///
/// where the last line has the elements of a parameter that the results of the
/// thread are computed from, if these are others than it loads. Temporaries
/// have the names of their buffers.
void printKernelMaps(llvm::raw_ostream &OS, const HloComputation &C,
                     const KernelPlan &Plan, HloIndexingAnalysis &Analysis,
                     MapStyle Style = MapStyle::Cheapest);

} // namespace unravel

#endif // UNRAVEL_FRONTEND_PLAN_KERNELMAPS_H
