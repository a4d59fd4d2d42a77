//===- ScatterPlan.h - How updates change elements --------------*- C++ -*-===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A scatter combines each update, of one or several arrays, with the elements
// at its place in those arrays. Unless the module says that indices are unique,
// several threads may do so at one place, in any order, and the result has to
// be that of some order for all arrays together. No atomic operation changes
// several arrays, so a scatter is supported if
//
// * only one array changes: each update is one atomic operation, and the order
//   of these is the order, or
// * each array is combined on its own by a function like a sum or a maximum:
//   then all orders give the same result, except for the rounding of floats.
//
//===----------------------------------------------------------------------===//

#ifndef UNRAVEL_FRONTEND_PLAN_SCATTERPLAN_H
#define UNRAVEL_FRONTEND_PLAN_SCATTERPLAN_H

#include "frontend/plan/HloFlatten.h"

namespace unravel {

enum class ScatterMethod {
  Nothing, ///< elements stay as they are
  Store,   ///< no other thread writes there, or any of them may win
  Atomic,  ///< an operation that atomicrmw has
  Loop     ///< compare and exchange, until no other thread interferes
};

struct ScatterPlan {
  struct OfArray {
    ScatterMethod Method = ScatterMethod::Nothing;
    /// If atomic: the operation, and the number of the update that is its
    /// operand.
    HloOpcode Operation = HloOpcode::Add;
    size_t Update = 0;
  };
  std::vector<OfArray> Arrays;
};

/// \p Callee is the computation that the scatter \p I of \p Module calls.
/// Errors: why the scatter is not supported, and what to do.
llvm::Expected<ScatterPlan> planScatter(const HloModule &Module,
                                        const HloInstruction &I,
                                        const FlatComputation &Callee);

} // namespace unravel

#endif // UNRAVEL_FRONTEND_PLAN_SCATTERPLAN_H
