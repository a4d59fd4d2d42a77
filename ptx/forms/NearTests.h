//===- NearTests.h - Comparisons at their branches --------------*- C++ -*-===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// LLVM compares once: a loop of guarded accesses, or the stores behind a
// barrier whose loads were guarded, keep the results of all their tests.
//
//     setp.lt.s32 %p1, %r1, %n;  ...  setp.lt.s32 %p16, %r16, %n;
//     LOOP: @%p1 bra ...         ...  @%p16 bra ...
//
// A multiprocessor has seven predicates for each thread. ptxas puts the others
// into registers and tests those, and it makes branches, with their bookkeeping
// of divergence, where it makes predicates of a comparison beside the branch.
// So where more are kept, they are repeated.
//
//===----------------------------------------------------------------------===//

#ifndef UNRAVEL_PTX_FORMS_NEARTESTS_H
#define UNRAVEL_PTX_FORMS_NEARTESTS_H

#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/Instructions.h"

namespace unravel::ptx {

/// In the last IR before the backend: the branches that should repeat their
/// comparisons.
llvm::SmallVector<llvm::BranchInst *, 16> crowdedBranches(llvm::Function &F);

/// Repeats the comparisons of \p Branches.
void repeatTests(llvm::ArrayRef<llvm::BranchInst *> Branches);

} // namespace unravel::ptx

#endif // UNRAVEL_PTX_FORMS_NEARTESTS_H
