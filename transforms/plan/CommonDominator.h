//===- CommonDominator.h - A place that two places share --------*- C++ -*-===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef UNRAVEL_TRANSFORMS_PLAN_COMMONDOMINATOR_H
#define UNRAVEL_TRANSFORMS_PLAN_COMMONDOMINATOR_H

namespace llvm {
class DominatorTree;
class Instruction;
} // namespace llvm

namespace unravel {

/// The later of two places' common dominator: the last point from which both
/// instructions are reached.
llvm::Instruction *commonDominator(llvm::Instruction *A, llvm::Instruction *B,
                                   llvm::DominatorTree &DT);

} // namespace unravel

#endif // UNRAVEL_TRANSFORMS_PLAN_COMMONDOMINATOR_H
