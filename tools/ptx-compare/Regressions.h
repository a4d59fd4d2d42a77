//===- Regressions.h - What makes a kernel worse ----------------*- C++ -*-===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What --fail-if-worse judges by.
//
//===----------------------------------------------------------------------===//

#ifndef UNRAVEL_TOOLS_PTXCOMPARE_REGRESSIONS_H
#define UNRAVEL_TOOLS_PTXCOMPARE_REGRESSIONS_H

#include "tools/ptx-compare/Comparison.h"
#include "llvm/ADT/ArrayRef.h"

namespace unravel {

enum class Rule {
  Cost,      ///< More loopcost or inner: KernelPair::isWorse.
  Registers, ///< More registers of a thread.
  Warps,     ///< Fewer warps that an SM holds.
  Spills,    ///< More bytes of spill stores and loads.
};

/// Whether \p Rules need what ptxas says.
bool needPtxas(llvm::ArrayRef<Rule> Rules);

/// Which of \p Rules make \p Pair worse, and how: "loopcost 4 -> 9, warps 64 ->
/// 48"; "gone" for a kernel that only the version before has. Empty if none
/// does. An error if a rule cannot be judged: ptxas did not say it of a kernel,
/// or the GPU is unknown.
llvm::Expected<std::string> regressionsOf(const KernelPair &Pair,
                                          llvm::ArrayRef<Rule> Rules);

} // namespace unravel

#endif // UNRAVEL_TOOLS_PTXCOMPARE_REGRESSIONS_H
