//===- AsyncRegisters.h - Registers that are written later ------*- C++ -*-===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// `wgmma.mma_async` and `tcgen05.ld` begin to write registers; these have their
// values behind a later instruction, `wgmma.wait_group` or `tcgen05.wait::ld`.
// In between they are in flight: nothing else may touch them, and nothing may
// write the registers that such an instruction still reads. What it reads has
// to be written in front of a `wgmma.fence`.
//
// So no use of a register may move in front of the wait that completes it, and
// no definition behind the fence: the values pass through both.
//
// A wait for groups leaves the newest N of them: what is in flight is known by
// group, newest first. Where paths meet, a register is in a group if it is on
// one of the paths: what is said to be in flight may be too much, never too
// little.
//
// Source: "Parallel Thread Execution ISA" 9.0, sections 9.7.15 (asynchronous
// warpgroup instructions) and 9.7.16 (tcgen05).
//
//===----------------------------------------------------------------------===//

#ifndef UNRAVEL_PTX_FLOW_ASYNCREGISTERS_H
#define UNRAVEL_PTX_FLOW_ASYNCREGISTERS_H

#include "ptx/text/PtxSyntax.h"
#include "llvm/ADT/DenseMap.h"
#include <string>
#include <vector>

namespace unravel::ptx {

/// Whether \p I begins, groups or waits for such writes, or is a fence for
/// them.
bool isAsync(const Instruction &I);

/// Whether \p I adds to what the registers of its first operand have. Where its
/// last factor is 0 it does not; but ptxas allocates the accumulators of
/// several multiplications together, so that these should be the same
/// registers.
bool accumulates(const Instruction &I);

class AsyncRegisters {
public:
  /// Where \p F itself touches what a load writes before it waits, as the code
  /// does that Triton's compiler makes for Blackwell, loads count as complete
  /// at once: ptxas waits for each of their registers.
  explicit AsyncRegisters(const Function &F);
  AsyncRegisters(const Function &F, bool WaitsForLoads);

  bool waitsForLoads() const { return WaitsForLoads; }

  /// The registers whose values pass through \p I: behind a wait, those that
  /// it completes; behind a fence, those that multiplications read.
  llvm::ArrayRef<llvm::StringRef> passedBy(const Instruction &I) const;

  /// What \p F does that the manual forbids, or that is not followed: the first
  /// instruction that touches a register in flight, or is one of these under a
  /// guard.
  /// Empty if there is nothing.
  llvm::StringRef problem() const { return Problem; }

private:
  class Flow;

  llvm::DenseMap<const Instruction *, std::vector<llvm::StringRef>> Passed;
  std::string Problem;
  bool WaitsForLoads;
};

} // namespace unravel::ptx

#endif // UNRAVEL_PTX_FLOW_ASYNCREGISTERS_H
