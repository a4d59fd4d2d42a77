//===- Subject.h - What is examined, and how --------------------*- C++ -*-===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef UNRAVEL_TOOLS_PTX_FUZZ_SUBJECT_H
#define UNRAVEL_TOOLS_PTX_FUZZ_SUBJECT_H

#include "tools/ptx-fuzz/Comparison.h"

namespace unravel::ptx {

/// The program that rewrites PTX: `PROGRAM in.ptx -o out.ptx`.
class Rewriter {
public:
  /// \p Assembler is ptxas, or empty. Works in files of \p Folder, which
  /// exists.
  Rewriter(std::string Program, std::vector<std::string> Arguments,
           std::string Assembler, std::string Folder)
      : Program(std::move(Program)), Arguments(std::move(Arguments)),
        Assembler(std::move(Assembler)), Folder(std::move(Folder)) {}

  struct Result {
    std::string Text;
    std::string Problem; ///< Why there is none, or a bad one.
  };
  llvm::Expected<Result> rewrite(llvm::StringRef Text) const;

private:
  std::string Program;
  std::vector<std::string> Arguments;
  std::string Assembler, Folder;
};

struct Finding {
  std::string Kind; ///< "value", "crash"
  std::string Kernel;
  std::string Text;
  std::optional<Input> On;
  std::string Before, After; ///< The modules.
};

struct ExaminationCounts {
  uint64_t Kernels = 0, Changed = 0, Runs = 0, SameRuns = 0, Skipped = 0,
           NotModelled = 0;
};

struct InputOptions {
  uint64_t Seed;
  unsigned Count;
  bool KeepsZeroDivisors;
};

/// What is wrong with the rewriting of the module \p Text: at most one finding
/// for each kernel.
llvm::Expected<std::vector<Finding>> examine(const Rewriter &R,
                                             llvm::StringRef Text,
                                             const InputOptions &Inputs,
                                             ExaminationCounts &Counts);

/// Whether \p Text, a module of one kernel, still shows \p F.
llvm::Expected<std::optional<Finding>>
examineOn(const Rewriter &R, llvm::StringRef Text, const Finding &F);

/// \p F with as few lines as show it.
llvm::Expected<Finding> reduce(const Rewriter &R, const Finding &F);

} // namespace unravel::ptx

#endif // UNRAVEL_TOOLS_PTX_FUZZ_SUBJECT_H
