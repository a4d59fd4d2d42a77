//===- Examination.h - A module before and after the pass -------*- C++ -*-===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef UNRAVEL_TOOLS_KERNELFUZZ_EXAMINATION_H
#define UNRAVEL_TOOLS_KERNELFUZZ_EXAMINATION_H

#include "tools/kernel-fuzz/PassRunner.h"
#include "tools/kernel-fuzz/RunComparison.h"

namespace unravel {

/// Where the pass meets a module.
enum class Form {
  Raw, ///< as it is
  O2,  ///< after LLVM's default<O2>
  O3   ///< at its extension point within default<O3>
};
llvm::StringRef nameOf(Form F);

struct ExaminationOptions {
  std::string Passes; ///< what the forms raw and o2 run
  RunLimits Runs;
  bool TestsIdempotence;
};

struct ExaminationResult {
  std::optional<Difference> Finding;
  /// The finding's modules. That before the pass has the form in it, unless the
  /// pass runs inside of it: what is left to do is Rerun.
  std::string Before, After;
  Form Rerun = Form::Raw;
  bool IsIdempotent = true;
  /// Why functions could not be run.
  std::vector<std::string> Unsupported;
};

/// Runs the pass on \p M in form \p F and compares every function of the module
/// before and after.
ExaminationResult examine(std::unique_ptr<llvm::Module> M, Form F,
                          const PassRunner &Runner,
                          const ExaminationOptions &Options,
                          FuzzCounters &Counters);

} // namespace unravel

#endif // UNRAVEL_TOOLS_KERNELFUZZ_EXAMINATION_H
