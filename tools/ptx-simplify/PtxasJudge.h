//===- PtxasJudge.h - What ptxas makes of old and new kernels ---*- C++ -*-===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef UNRAVEL_TOOLS_PTXSIMPLIFY_PTXASJUDGE_H
#define UNRAVEL_TOOLS_PTXSIMPLIFY_PTXASJUDGE_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <map>
#include <string>

namespace unravel::ptx {

/// Of one kernel in a cubin.
struct MachineCode {
  unsigned Instructions = 0; ///< without the padding behind the last one
  unsigned Registers = 0;    ///< of a thread; 0: the cubin does not say
  /// Loads from and stores to local memory: spills, and arrays.
  unsigned LocalAccesses = 0;

  /// Warps for which a multiprocessor has registers: 65,536 of them, handed out
  /// to a warp in units of 256.
  unsigned warps() const;
};

/// Assembles \p Text for \p Target ("sm_90") with the program \p Ptxas. Fails
/// with the first line that ptxas says.
llvm::Expected<std::map<std::string, MachineCode>>
assemble(llvm::StringRef Text, llvm::StringRef Target, llvm::StringRef Ptxas);

} // namespace unravel::ptx

#endif // UNRAVEL_TOOLS_PTXSIMPLIFY_PTXASJUDGE_H
