//===- Backend.cpp - LLVM's NVPTX backend for a module of PTX -------------===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ptx/lower/KernelLowering.h"
#include "llvm/MC/MCSubtargetInfo.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Support/CommandLine.h"

// One target and not all that LLVM has (TargetSelect.h), so that a program can
// link the one.
extern "C" void LLVMInitializeNVPTXTargetInfo();
extern "C" void LLVMInitializeNVPTXTarget();
extern "C" void LLVMInitializeNVPTXTargetMC();
extern "C" void LLVMInitializeNVPTXAsmPrinter();

using namespace llvm;
using namespace unravel;
using namespace unravel::ptx;

/// The target of the module, or the newest one before it that LLVM knows.
static std::string cpuFor(StringRef Target, const MCSubtargetInfo &Info) {
  if (Info.isCPUStringValid(Target))
    return Target.str();
  unsigned Number = 0;
  StringRef Rest = Target;
  Rest.consume_front("sm_");
  Rest.consumeInteger(10, Number);
  for (; Number >= 30; --Number)
    if (std::string Name = ("sm_" + Twine(Number)).str();
        Info.isCPUStringValid(Name))
      return Name;
  return "sm_30";
}

/// "+ptx78": the version of the module, so that nothing newer is printed.
static std::string featureFor(unsigned Version, const MCSubtargetInfo &Info) {
  unsigned Best = 0;
  for (const SubtargetFeatureKV &Feature : Info.getAllProcessorFeatures()) {
    StringRef Name = Feature.Key;
    unsigned Number;
    if (Name.consume_front("ptx") && !Name.getAsInteger(10, Number) &&
        Number <= Version)
      Best = std::max(Best, Number);
  }
  return Best ? ("+ptx" + Twine(Best)).str() : "";
}

Expected<Backend> Backend::create(const ptx::Module &M) {
  static const bool IsInitialized = [] {
    LLVMInitializeNVPTXTargetInfo();
    LLVMInitializeNVPTXTarget();
    LLVMInitializeNVPTXTargetMC();
    LLVMInitializeNVPTXAsmPrinter();
    return true;
  }();
  (void)IsInitialized;
  Triple GPU("nvptx64-nvidia-cuda");
  std::string Message;
  const Target *T = TargetRegistry::lookupTarget(GPU, Message);
  if (!T)
    return createStringError("this LLVM has no NVPTX target: " + Message);
  std::unique_ptr<MCSubtargetInfo> Info(T->createMCSubtargetInfo(GPU, "", ""));
  std::string CPU = cpuFor(M.Target, *Info);
  std::string Features = featureFor(10 * M.Major + M.Minor, *Info);
  // The only way to say how wide addresses in shared memory are.
  auto *ShortPointers = static_cast<cl::opt<bool> *>(
      cl::getRegisteredOptions().lookup("nvptx-short-ptr"));
  if (!ShortPointers)
    return createStringError("this LLVM has no option -nvptx-short-ptr");
  Backend Result;
  for (bool IsShort : {false, true}) {
    ShortPointers->setValue(IsShort);
    (IsShort ? Result.Short : Result.Long)
        .reset(T->createTargetMachine(GPU, CPU, Features, TargetOptions(),
                                      std::nullopt));
  }
  ShortPointers->setValue(false);
  return Result;
}
