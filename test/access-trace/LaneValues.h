//===- LaneValues.h - What a value was in a thread of a trace ---*- C++ -*-===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Computes integers of a kernel in one thread, from its indices, the arguments
// of the launch and the iterations of the loops around. What was loaded from
// memory, and what a loop leaves behind, is not known.
//
//===----------------------------------------------------------------------===//

#ifndef UNRAVEL_TEST_ACCESS_TRACE_LANEVALUES_H
#define UNRAVEL_TEST_ACCESS_TRACE_LANEVALUES_H

#include "llvm/ADT/APInt.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IntrinsicInst.h"
#include <array>
#include <optional>

namespace unravel {

struct TracedLaunch {
  std::array<uint32_t, 3> Grid, Block;
  /// By parameter; nullopt for buffers and floating-point numbers.
  std::vector<std::optional<int64_t>> Arguments;
};

class LaneValues {
public:
  LaneValues(const TracedLaunch &Launch, const llvm::DominatorTree &DT,
             const llvm::LoopInfo &LI)
      : Launch(Launch), DT(DT), LI(LI) {}

  /// Looks at another thread, in these iterations.
  void start(std::array<uint32_t, 3> OfBlock, unsigned OfThread,
             llvm::DenseMap<const llvm::Loop *, uint32_t> InIterations);

  std::optional<llvm::APInt> valueOf(const llvm::Value *V, unsigned Depth = 0);

private:
  std::optional<llvm::APInt> compute(const llvm::Instruction &I,
                                     unsigned Depth);
  std::optional<llvm::APInt> phi(const llvm::PHINode &Phi, unsigned Depth);
  std::optional<llvm::APInt> call(const llvm::IntrinsicInst &Call,
                                  unsigned Depth);

  const TracedLaunch &Launch;
  const llvm::DominatorTree &DT;
  const llvm::LoopInfo &LI;
  std::array<uint32_t, 3> Block = {};
  unsigned Thread = 0;
  llvm::DenseMap<const llvm::Loop *, uint32_t> Iterations;
  llvm::DenseMap<const llvm::Value *, std::optional<llvm::APInt>> Known;
};

} // namespace unravel

#endif // UNRAVEL_TEST_ACCESS_TRACE_LANEVALUES_H
