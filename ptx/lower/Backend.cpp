//===- Backend.cpp - LLVM's NVPTX backend for a module of PTX -------------===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "analysis/llvm/LLVMChanges.h"
#include "ptx/backend/NvptxTarget.h"
#include "ptx/lower/KernelLowering.h"
#include "llvm/Support/CommandLine.h"

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
    StringRef Name = nameOf(Feature);
    unsigned Number;
    if (Name.consume_front("ptx") && !Name.getAsInteger(10, Number) &&
        Number <= Version)
      Best = std::max(Best, Number);
  }
  return Best ? ("+ptx" + Twine(Best)).str() : "";
}

Expected<Backend> Backend::create(const ptx::Module &M) {
  Expected<NvptxTarget> Target = NvptxTarget::create();
  if (!Target)
    return Target.takeError();
  std::string CPU = cpuFor(M.Target, Target->info());
  std::string Features = featureFor(10 * M.Major + M.Minor, Target->info());
  // The only way to say how wide addresses in shared memory are.
  auto *ShortPointers = static_cast<cl::opt<bool> *>(
      cl::getRegisteredOptions().lookup("nvptx-short-ptr"));
  if (!ShortPointers)
    return createStringError("this LLVM has no option -nvptx-short-ptr");
  Backend Result;
  for (bool IsShort : {false, true}) {
    ShortPointers->setValue(IsShort);
    (IsShort ? Result.Short : Result.Long) =
        Target->createMachine(CPU, Features);
  }
  ShortPointers->setValue(false);
  return Result;
}
