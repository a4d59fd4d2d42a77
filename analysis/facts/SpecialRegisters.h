//===- SpecialRegisters.h - Indices and sizes of blocks and grids *- C++
//-*-===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef UNRAVEL_ANALYSIS_FACTS_SPECIALREGISTERS_H
#define UNRAVEL_ANALYSIS_FACTS_SPECIALREGISTERS_H

#include "analysis/algebra/Interval.h"
#include "llvm/IR/Intrinsics.h"
#include <optional>

namespace llvm {
class Function;
class IntrinsicInst;
class Value;
} // namespace llvm

namespace unravel {

/// Special registers that are always smaller than another one:
/// tid.x < ntid.x, ctaid.x < nctaid.x and so on. Returns the intrinsic that
/// bounds \p ID from above, or not_intrinsic.
llvm::Intrinsic::ID boundingRegister(llvm::Intrinsic::ID ID);

/// Whether \p Call reads blockDim or gridDim.
bool isGridOrBlockSize(const llvm::IntrinsicInst &Call);

/// What the programming model and the launch bounds of the kernel \p F say
/// about the special register that the intrinsic \p Read reads, both ends
/// inclusive; nullopt for other intrinsics. `nvvm.maxntid` bounds the number of
/// threads in a block, so each dimension by their product; `nvvm.cluster_dim`
/// is the size of a cluster.
std::optional<Interval> launchRange(const llvm::Function &F,
                                    llvm::Intrinsic::ID Read);
/// The same of the register that \p V reads.
std::optional<Interval> launchRange(const llvm::Value *V);

/// The multiples that the special register that \p V reads takes: a grid is
/// made of whole clusters (`nvvm.cluster_dim`), or its launch fails.
Congruence launchLattice(const llvm::Value *V);

} // namespace unravel

#endif // UNRAVEL_ANALYSIS_FACTS_SPECIALREGISTERS_H
