//===- Estimates.cpp - What bounds the reported kernels -------------------===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tools/access-report/Estimates.h"
#include "ptx/text/PtxParser.h"
#include "tools/compilers/Compilers.h"
#include "tools/files/InputFile.h"
#include "tools/files/OutputFile.h"
#include "tools/files/Subprocess.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace unravel {

/// The modules of \p Input are one, if they are no PTX.
static Expected<std::string> lower(StringRef Path, const KernelInput &Input,
                                   StringRef Arch) {
  Expected<std::string> Llc = findLLVMTool("llc");
  if (!Llc)
    return Llc.takeError();
  Expected<std::unique_ptr<TemporaryFile>> IR =
      TemporaryFile::create("access-report", "ll");
  if (!IR)
    return IR.takeError();
  Expected<std::unique_ptr<TemporaryFile>> Ptx =
      TemporaryFile::create("access-report", "ptx");
  if (!Ptx)
    return Ptx.takeError();
  std::string ModuleText;
  raw_string_ostream(ModuleText) << *Input.Modules.front();
  if (Error E = writeFile((*IR)->path(), ModuleText))
    return E;
  std::string Cpu = ("-mcpu=" + Arch).str();
  Expected<std::string> Log =
      runTool({*Llc, "-O3", Cpu, (*IR)->path(), "-o", (*Ptx)->path()}, Path,
              "no estimate, llc fails");
  if (!Log)
    return Log.takeError();
  return readFile((*Ptx)->path());
}

Expected<Estimator> Estimator::create(StringRef Path, const KernelInput &Input,
                                      StringRef Arch) {
  Estimator Result;
  if (Input.Kernels.front().IsPtx) {
    Result.Text = std::make_unique<std::string>(Input.text());
  } else {
    Expected<std::string> Lowered = lower(Path, Input, Arch);
    if (!Lowered)
      return Lowered.takeError();
    Result.Text = std::make_unique<std::string>(std::move(*Lowered));
  }
  Expected<ptx::Module> M = ptx::parseModule(*Result.Text, Path);
  if (!M)
    return M.takeError();
  Result.M = std::move(*M);
  return Result;
}

KernelEstimate Estimator::estimate(StringRef Kernel, const BlockShape &Block,
                                   FactsSource AddFacts) const {
  const ptx::Function *F = M.find(Kernel);
  if (!F) {
    KernelEstimate None;
    None.NotEstimated = "the PTX has it under another name";
    return None;
  }
  return estimateKernel(M, *F, Block, AddFacts);
}

} // namespace unravel
