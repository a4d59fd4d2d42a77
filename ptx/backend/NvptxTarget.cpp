//===- NvptxTarget.cpp - LLVM's NVPTX backend -----------------------------===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ptx/backend/NvptxTarget.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/IR/LegacyPassManager.h"

// One target and not all that LLVM has (TargetSelect.h), so that a program can
// link the one.
extern "C" void LLVMInitializeNVPTXTargetInfo();
extern "C" void LLVMInitializeNVPTXTarget();
extern "C" void LLVMInitializeNVPTXTargetMC();
extern "C" void LLVMInitializeNVPTXAsmPrinter();

using namespace llvm;
using namespace unravel;

Expected<NvptxTarget> NvptxTarget::create() {
  LLVMInitializeNVPTXTargetInfo();
  LLVMInitializeNVPTXTarget();
  LLVMInitializeNVPTXTargetMC();
  LLVMInitializeNVPTXAsmPrinter();
  NvptxTarget Result;
  std::string Message;
  Result.T = TargetRegistry::lookupTarget(Result.GPU, Message);
  if (!Result.T)
    return createStringError("this LLVM has no NVPTX target: " + Message);
  Result.Info.reset(Result.T->createMCSubtargetInfo(Result.GPU, "", ""));
  return Result;
}

std::unique_ptr<TargetMachine>
NvptxTarget::createMachine(StringRef Cpu, StringRef Features,
                           CodeGenOptLevel Level) const {
  return std::unique_ptr<TargetMachine>(T->createTargetMachine(
      GPU, Cpu, Features, TargetOptions(), std::nullopt, std::nullopt, Level));
}

std::string unravel::printPtx(Module &M, TargetMachine &Machine) {
  SmallString<0> Text;
  raw_svector_ostream Stream(Text);
  legacy::PassManager PM;
  bool Failed = Machine.addPassesToEmitFile(PM, Stream, nullptr,
                                            CodeGenFileType::AssemblyFile);
  assert(!Failed && "NVPTX emits text");
  (void)Failed;
  PM.run(M);
  return std::string(Text);
}
