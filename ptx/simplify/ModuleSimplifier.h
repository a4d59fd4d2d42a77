//===- ModuleSimplifier.h - Simplify the kernels of a PTX module *- C++ -*-===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// PTX in, PTX out. A kernel that is not understood, or does not get cheaper,
// stays byte for byte as it was, and so does everything around the kernels.
//
//===----------------------------------------------------------------------===//

#ifndef UNRAVEL_PTX_SIMPLIFY_MODULESIMPLIFIER_H
#define UNRAVEL_PTX_SIMPLIFY_MODULESIMPLIFIER_H

#include "ptx/lift/KernelLifter.h"
#include "ptx/price/PtxCounts.h"
#include "transforms/AddIndexSimplifyPasses.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/Error.h"
#include <functional>

namespace unravel::ptx {

struct KernelReport {
  enum class Outcome {
    Simplified,
    NotCheaper,    ///< the new code costs as much, or more
    Worse,         ///< the judge found the new machine code worse
    NothingToGain, ///< recognised before it was lifted
    NotUnderstood, ///< Reason says which instruction
  };
  std::string Name;
  Outcome Result = Outcome::NotUnderstood;
  std::string Reason;
  PtxCounts Old;
  /// Of the code that was made, even if it was not taken. Where there is a
  /// second body for ordinary launches: of the one for all others.
  std::optional<PtxCounts> New;
  /// Of the second body, with the test that chooses it.
  std::optional<PtxCounts> Fast;
  bool HasSecondBody = false; ///< It was taken.
};

struct SimplifiedModule {
  std::string Text;
  std::string Target;                ///< "sm_90"
  std::vector<KernelReport> Kernels; ///< in the order of the module
  /// The functions that are no kernels; they stay as they are.
  std::vector<std::string> OtherFunctions;
};

/// Compares the module before, its text, with the one after, and says of which
/// kernels the new code is worse; fails if it cannot.
using Judge = std::function<llvm::Expected<llvm::StringSet<>>(
    llvm::StringRef Before, const SimplifiedModule &After)>;

struct SimplifierOptions {
  IndexSimplifyPasses Passes;
  BadDivision Division = BadDivision::Defined;
  /// Take what comes out even where it is not cheaper: for tests and
  /// measurements.
  bool TakeAll = false;
  /// Kernels that it finds worse stay as they were.
  Judge IsWorse;
};

/// Fails, with line and column, on text that is not PTX.
llvm::Expected<SimplifiedModule>
simplifyModule(llvm::StringRef Text, llvm::StringRef BufferName,
               const SimplifierOptions &Options);

} // namespace unravel::ptx

#endif // UNRAVEL_PTX_SIMPLIFY_MODULESIMPLIFIER_H
