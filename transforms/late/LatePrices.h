//===- LatePrices.h - What code costs behind later passes -------*- C++ -*-===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Between these passes and the selection of instructions, NVPTX rewrites
// addresses again: straight-line and loop strength reduction turn the sums and
// products of affine indices into steps from one access to the next. What they
// make of an index depends on its shape, not on its price. So where
// alternatives differ in affine arithmetic, they are compared behind those
// passes.
//
// Over 131 kernels with loops (cuda_samples, before and after the pass, cost
// weighted by loop depth) the logarithm of the ratio differs from that of the
// PTX by 0.07 in the root of the mean square. Prices of the IR as it is differ
// by 0.24. Global value numbering and reassociation, which NVPTX runs as well,
// change nothing about that.
//
//===----------------------------------------------------------------------===//

#ifndef UNRAVEL_TRANSFORMS_LATE_LATEPRICES_H
#define UNRAVEL_TRANSFORMS_LATE_LATEPRICES_H

#include "llvm/IR/PassManager.h"
#include <optional>

namespace llvm {
class BasicBlock;
class Instruction;
} // namespace llvm

namespace unravel {

/// By the price list, in SASS instructions.
struct LatePrice {
  uint64_t Weighted = 0; ///< by loop depth
  uint64_t Plain = 0;
  /// Addresses that are computed as a base and an offset of 64 bits. They count
  /// as two above, like the step of a pointer, but are three instructions of
  /// PTX; where ptxas unrolls the loop, steps cost next to nothing.
  uint64_t WeightedAddresses = 0, PlainAddresses = 0;
  bool operator<(const LatePrice &Other) const {
    return Weighted != Other.Weighted ? Weighted < Other.Weighted
                                      : Plain < Other.Plain;
  }
  void add(const llvm::Instruction &I, unsigned LoopDepth);
};

/// Prices the code of \p F as it is, without what only states a fact.
LatePrice priceNow(llvm::Function &F, llvm::FunctionAnalysisManager &AM);

/// Whether an integer or address of \p F comes from so many operations in a
/// row that scalar evolution takes long to take it apart.
bool hasLongChain(const llvm::Function &F);

/// Whether so many integers or addresses of \p F are made of one value that
/// comparing each with all others takes long.
bool hasManySiblings(const llvm::Function &F);

/// Whether the passes of the back end are tried on \p F. They are not if it is
/// very long: straight-line strength reduction takes time in the square of the
/// length, and of chains of operations in the cube. Nor if it has scalable
/// vectors, which that pass stops at, and no GPU has.
bool canTry(const llvm::Function &F);

/// Whether the backend reduces the strength of loops: not if -disable-lsr was
/// given or, as in ptx-simplify, set.
bool reducesLoops();

/// Prices \p F as the passes of the back end leave it, if they can be tried. \p
/// F itself does not change: they work on a copy, which takes about as long as
/// they will take on \p F. With \p Body, a block that the entry chooses, the
/// copy has no other one; the test in front of it counts.
LatePrice priceBehindLaterPasses(llvm::Function &F,
                                 llvm::FunctionAnalysisManager &AM,
                                 const llvm::BasicBlock *Body = nullptr);

/// The same with \p First in front of the passes; nothing if \p First leaves
/// the code as it is.
std::optional<LatePrice> priceBehindLaterPasses(
    llvm::Function &F, llvm::FunctionAnalysisManager &AM,
    const llvm::BasicBlock *Body,
    llvm::function_ref<llvm::PreservedAnalyses(llvm::Function &,
                                               llvm::FunctionAnalysisManager &)>
        First);

} // namespace unravel

#endif // UNRAVEL_TRANSFORMS_LATE_LATEPRICES_H
