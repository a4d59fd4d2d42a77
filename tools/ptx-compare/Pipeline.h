//===- Pipeline.h - From .cu or .ll to PTX, without and with --*- C++ -*-===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Runs clang++, opt, llc and ptxas as subprocesses. All members are const and
// may be called from several threads.
//
//===----------------------------------------------------------------------===//

#ifndef UNRAVEL_TOOLS_PTXCOMPARE_PIPELINE_H
#define UNRAVEL_TOOLS_PTXCOMPARE_PIPELINE_H

#include "tools/ptx-compare/Comparison.h"
#include "llvm/ADT/ArrayRef.h"
#include <string>
#include <vector>

namespace unravel {

struct PipelineOptions {
  std::string Arch;       ///< "sm_90"
  std::string CudaPath;   ///< --cuda-path, or empty: search.
  std::string Plugin;     ///< Path of Unravel.so.
  std::string Simplifier; ///< Path of ptx-simplify.
  std::string OptLevel;   ///< "3"
  std::string OptPasses;  ///< --pipeline for IR, or empty: pass and clean-up.
  /// Also ask what the pass says of kernels, and for the maps of accesses.
  bool ForPage = false;
  std::vector<std::string> PassOptions;  ///< For the version with the pass.
  std::vector<std::string> ClangOptions; ///< For both versions of a .cu.
};

/// The text of both versions.
struct PtxTexts {
  std::string Before;
  std::string After;
  /// What was said while the second was made: warnings of the source, of facts
  /// that no kernel has.
  std::string Messages;
  /// Of the pass, in the order of the functions; if they were asked for.
  std::vector<PassRemark> Remarks;
  /// Of the first; if they were asked for.
  std::vector<AccessLine> Accesses;
};

class Pipeline {
public:
  explicit Pipeline(PipelineOptions Options);

  /// Compiles a .cu, .ll or .bc file without and with the plugin. A .ptx file
  /// is compared with what ptx-simplify makes of it.
  llvm::Expected<PtxTexts> compile(llvm::StringRef File) const;

  bool hasPtxas() const { return !Ptxas.empty(); }

  /// Assembles PTX and returns what each function uses. Needs ptxas.
  llvm::Expected<UsageByName> assemble(llvm::StringRef Ptx,
                                       llvm::StringRef Target) const;

private:
  llvm::Expected<PtxTexts> compileCuda(llvm::StringRef File) const;
  llvm::Expected<PtxTexts> compileIR(llvm::StringRef File) const;
  llvm::Expected<PtxTexts> simplifyPtx(llvm::StringRef File) const;
  llvm::Error checkPlugin() const;

  /// Compiles a .cu once more, for remarks: with debug info, which the PTX
  /// would show.
  llvm::Expected<std::vector<PassRemark>>
  remarksOfCuda(llvm::ArrayRef<std::string> Command,
                llvm::StringRef File) const;

  /// Compiles a .cu once more, for the maps of its accesses: to IR with the
  /// lines of the source. \p Command is that without the plugin.
  llvm::Expected<std::vector<AccessLine>>
  accessesOfCuda(llvm::ArrayRef<std::string> Command,
                 llvm::StringRef File) const;

  /// The maps of the accesses of \p IR, a file, with the facts that
  /// PassOptions state.
  llvm::Expected<std::vector<AccessLine>>
  accessesIn(llvm::StringRef IR, llvm::StringRef File) const;

  /// opt with these passes, then llc. Errors name File. \p Messages is what
  /// opt said.
  llvm::Expected<std::string> lowerIR(llvm::StringRef File,
                                      llvm::StringRef VerifiedIR,
                                      llvm::StringRef Passes, bool WithPlugin,
                                      std::string &Messages,
                                      std::vector<PassRemark> &Remarks) const;

  PipelineOptions Options;
  std::string Ptxas; ///< Empty if there is none.
};

} // namespace unravel

#endif // UNRAVEL_TOOLS_PTXCOMPARE_PIPELINE_H
