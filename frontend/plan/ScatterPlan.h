//===- ScatterPlan.h - How updates change elements --------------*- C++ -*-===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A scatter combines each update, of one or several arrays, with what is at its
// place in those arrays. Unless indices are said to be unique, several threads
// may do so at one place, in any order, and the result has to be that of some
// order for all of the arrays together. There is no atomic operation on several
// arrays, so that is done if
//
// * only one of them changes: there is one atomic operation for each update,
//   whose order is the order, or
// * each is combined for itself by a function like a sum or a maximum: then
//   all orders give the same, but for the rounding of floats.
//
//===----------------------------------------------------------------------===//

#ifndef UNRAVEL_FRONTEND_PLAN_SCATTERPLAN_H
#define UNRAVEL_FRONTEND_PLAN_SCATTERPLAN_H

#include "frontend/plan/HloFlatten.h"

namespace unravel {

enum class ScatterMethod {
  Nothing, ///< elements stay as they are
  Store,   ///< of the result: nobody else writes there, or anybody may win
  Atomic,  ///< by an operation that atomicrmw has
  Loop     ///< until nobody else has changed the element
};

struct ScatterPlan {
  struct OfArray {
    ScatterMethod Method = ScatterMethod::Nothing;
    /// If atomic: the operation, and which of the updates is its operand.
    HloOpcode Operation = HloOpcode::Add;
    size_t Update = 0;
  };
  std::vector<OfArray> Arrays;
  /// Why there is no code, and what to do; empty if there is.
  std::string Problem;
};

/// \p Callee is that of the scatter \p I.
ScatterPlan planScatter(const HloInstruction &I, const FlatComputation &Callee);

} // namespace unravel

#endif // UNRAVEL_FRONTEND_PLAN_SCATTERPLAN_H
