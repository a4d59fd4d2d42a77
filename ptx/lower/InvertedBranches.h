//===- InvertedBranches.h - Branches that fall through ----------*- C++ -*-===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// LLVM's NVPTX backend cannot invert the condition of a branch, and prints
//
//     @%p bra A;             @!%p bra B;
//     bra.uni B;        for
//   A:                      A:
//
// also at the end of loops, where ptxas takes it for a loop of two blocks: code
// of such a kernel was twice as long. For the same reason the branch that goes
// back is the one with the predicate:
//
//     @%p bra Exit;          @!%p bra Head;
//     bra.uni Head;     for  bra.uni Exit;
//
//===----------------------------------------------------------------------===//

#ifndef UNRAVEL_PTX_LOWER_INVERTEDBRANCHES_H
#define UNRAVEL_PTX_LOWER_INVERTEDBRANCHES_H

#include "ptx/text/PtxSyntax.h"

namespace unravel::ptx {

/// \p Body without jumps over nothing and without back jumps behind the exit of
/// their loop. Statements that are new have no text.
std::vector<Statement> invertBranches(llvm::ArrayRef<Statement> Body);

} // namespace unravel::ptx

#endif // UNRAVEL_PTX_LOWER_INVERTEDBRANCHES_H
