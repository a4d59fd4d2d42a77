//===- AddressProgram.h - How a kernel computes its addresses ---*- C++ -*-===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The integer operations behind the addresses of a kernel, and behind the
// conditions under which its lanes access them, as data: whoever has the
// program computes the addresses of any warp, block and iteration, without
// LLVM.
//
// A value is a number of bits. Operations have the names and the meaning of
// LLVM's, modulo 2^Width; flags such as nsw say nothing, and a division by zero
// has no value. What has no rule is an input with a reason: a number to choose.
//
// Lanes are taken to be in the same iteration of a loop, as in WarpEvaluator.
//
//===----------------------------------------------------------------------===//

#ifndef UNRAVEL_ANALYSIS_WARPS_ADDRESSPROGRAM_H
#define UNRAVEL_ANALYSIS_WARPS_ADDRESSPROGRAM_H

#include "analysis/warps/KernelAccesses.h"
#include "analysis/warps/WarpEvaluator.h"
#include "llvm/ADT/APInt.h"

namespace unravel {

struct AddressOperation {
  enum class Kind {
    Constant,  ///< Constant
    Input,     ///< Number of the input
    Register,  ///< Name: "tid.x", "ctaid.y", "laneid", ...
    Iteration, ///< Number of the loop: 0 in the first iteration
    Compute    ///< Name of the operation: "add", "icmp ult", "select", "umin"
  };
  Kind What = Kind::Constant;
  unsigned Width = 0; ///< in bits
  std::string Name;
  llvm::APInt Constant;
  unsigned Number = 0;
  /// Operations in front of this one.
  llvm::SmallVector<unsigned, 3> Operands;
};

/// What the program does not compute; the same number in all lanes.
struct AddressInput {
  std::string Name; ///< "%n"
  unsigned Width;
  /// A pointer to memory of its own, aligned for all that is asked of it.
  bool IsBase = false;
  /// Why it is not computed; empty for arguments and for bases.
  std::string Why;
  /// The lanes of a warp may have different numbers here.
  bool MayDiffer = false;
  /// What is known of it.
  Interval Range;
  Congruence Lattice;
};

struct AddressLoop {
  std::string Name; ///< of the header, or empty
  /// The operation for its last iteration, which lanes may differ in.
  std::optional<unsigned> Last;
};

struct AccessProgram {
  /// Nothing for an access without a pointer.
  std::optional<unsigned> Address;
  /// A lane takes part if all of these are true.
  std::vector<unsigned> Guards;
  /// Why further conditions are taken to hold.
  std::vector<std::string> UnknownGuards;
};

/// All accesses of a kernel share operations and inputs.
struct KernelProgram {
  std::vector<AddressOperation> Operations;
  std::vector<AddressInput> Inputs;
  std::vector<AddressLoop> Loops;
  std::vector<AccessProgram> Accesses; ///< one for each that was given
};

/// The program of \p Accesses, which are of \p F. Those that nothing reaches
/// have no address.
KernelProgram programOf(llvm::ArrayRef<MemoryAccess> Accesses,
                        llvm::Function &F, llvm::FunctionAnalysisManager &AM,
                        const BlockShape &Block);

} // namespace unravel

#endif // UNRAVEL_ANALYSIS_WARPS_ADDRESSPROGRAM_H
