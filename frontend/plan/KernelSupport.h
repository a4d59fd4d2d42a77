//===- KernelSupport.h - Is there code for it? ------------------*- C++ -*-===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Asked before anything is emitted, so that emitters need not fail.
//
//===----------------------------------------------------------------------===//

#ifndef UNRAVEL_FRONTEND_PLAN_KERNELSUPPORT_H
#define UNRAVEL_FRONTEND_PLAN_KERNELSUPPORT_H

#include "frontend/plan/HloFlatten.h"
#include "llvm/ADT/DenseMap.h"

namespace unravel {

/// The functions of scalars that reduce, map and scatter call.
using FlatCallees = llvm::DenseMap<const HloComputation *, FlatComputation>;

/// Checks everything in \p C, and in what it calls, which is added to
/// \p Callees.
llvm::Error checkSupported(const HloModule &Module, const FlatComputation &C,
                           FlatCallees &Callees);

} // namespace unravel

#endif // UNRAVEL_FRONTEND_PLAN_KERNELSUPPORT_H
