//===- Subjects.cpp - What a campaign examines ----------------------------===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tools/kernel-fuzz/Subjects.h"
#include "tools/kernel-fuzz/generator/KernelGenerator.h"
#include "llvm/IR/Verifier.h"
#include "llvm/IRReader/IRReader.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace unravel {

Subjects::~Subjects() = default;

SeedLine GeneratedKernels::line(uint64_t Index) const {
  SeedLine Line = SeedLine::number(From + Index);
  if (Only)
    Line.Kind = *Only;
  return Line;
}

std::unique_ptr<Module> GeneratedKernels::load(uint64_t Index,
                                               LLVMContext &Context,
                                               std::string &) const {
  return generateKernel(line(Index), Context, TM);
}

std::unique_ptr<Module>
ListedKernels::load(uint64_t Index, LLVMContext &Context, std::string &) const {
  return generateKernel(Lines[Index], Context, TM);
}

std::unique_ptr<Module> IRFiles::load(uint64_t Index, LLVMContext &Context,
                                      std::string &Why) const {
  SMDiagnostic Diagnostic;
  std::unique_ptr<Module> M = parseIRFile(Paths[Index], Diagnostic, Context);
  raw_string_ostream Reason(Why);
  if (!M) {
    Diagnostic.print("", Reason, /*ShowColors=*/false);
    return nullptr;
  }
  if (verifyModule(*M, &Reason))
    return nullptr;
  if (!M->getTargetTriple().isNVPTX()) {
    Reason << Paths[Index] << ": the target is not NVPTX";
    return nullptr;
  }
  return M;
}

} // namespace unravel
