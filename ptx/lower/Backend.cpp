//===- Backend.cpp - LLVM's NVPTX backend for a module of PTX -------------===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "analysis/llvm/LLVMChanges.h"
#include "ptx/lower/KernelLowering.h"
#include "llvm/Support/CommandLine.h"

using namespace llvm;
using namespace unravel;
using namespace unravel::ptx;

/// The target of the module, or the newest one before it that LLVM knows.
static std::string cpuFor(const ptx::Module &M, const MCSubtargetInfo &Info) {
  if (Info.isCPUStringValid(M.Target))
    return M.Target.str();
  for (unsigned Number = M.architecture(); Number >= 30; --Number)
    if (std::string Name = ("sm_" + Twine(Number)).str();
        Info.isCPUStringValid(Name))
      return Name;
  return "sm_30";
}

/// The newest version of PTX up to \p Version that LLVM knows, as 78; 0 if
/// there is none.
static unsigned versionFor(unsigned Version, const MCSubtargetInfo &Info) {
  unsigned Best = 0;
  for (const SubtargetFeatureKV &Feature : Info.getAllProcessorFeatures()) {
    StringRef Name = nameOf(Feature);
    unsigned Number;
    if (Name.consume_front("ptx") && !Name.getAsInteger(10, Number) &&
        Number <= Version)
      Best = std::max(Best, Number);
  }
  return Best;
}

/// The first version of PTX that has \p CPU: LLVM prints it if it is told none.
static unsigned firstVersionOf(StringRef CPU, const NvptxTarget &Target) {
  std::unique_ptr<TargetMachine> Machine =
      Target.createMachine(CPU, "", CodeGenOptLevel::None);
  LLVMContext Context;
  llvm::Module Empty("", Context);
  Empty.setDataLayout(Machine->createDataLayout());
  Empty.setTargetTriple(Machine->getTargetTriple());
  std::string Printed = printPtx(Empty, *Machine);
  StringRef Text = Printed;
  unsigned Major = 0, Minor = 0;
  Text = Text.split(".version ").second;
  Text.consumeInteger(10, Major);
  Text.consume_front(".");
  Text.consumeInteger(10, Minor);
  return 10 * Major + Minor;
}

/// An option of LLVM's backend, which has no other way to say this.
static Expected<cl::opt<bool> *> optionOf(StringRef Name) {
  auto *Option =
      static_cast<cl::opt<bool> *>(cl::getRegisteredOptions().lookup(Name));
  if (!Option)
    return createStringError("this LLVM has no option -" + Name);
  return Option;
}

void Backend::Reset::operator()(Flag *Option) const { Option->setValue(false); }

Expected<Backend> Backend::create(const ptx::Module &M) {
  Expected<NvptxTarget> Target = NvptxTarget::create();
  if (!Target)
    return Target.takeError();
  std::string CPU = cpuFor(M, Target->info());
  // Nothing newer is printed. LLVM stops at a version without the target.
  unsigned Version = versionFor(M.version(), Target->info());
  unsigned First = firstVersionOf(CPU, *Target);
  if (Version != 0 && Version < First)
    return createStringError("PTX " + Twine(M.Major) + "." + Twine(M.Minor) +
                             " has no target " + M.Target + ", but PTX " +
                             Twine(First / 10) + "." + Twine(First % 10) +
                             " has: change .version");
  Backend Result;
  if (Version)
    Result.Features = ("+ptx" + Twine(Version)).str();
  Expected<Flag *> ShortPointers = optionOf("nvptx-short-ptr");
  if (!ShortPointers)
    return ShortPointers.takeError();
  Expected<Flag *> DisableLSR = optionOf("disable-lsr");
  if (!DisableLSR)
    return DisableLSR.takeError();
  if ((*DisableLSR)->getNumOccurrences() == 0) {
    (*DisableLSR)->setValue(true);
    Result.KeptCounters.reset(*DisableLSR);
  }
  Result.ShortPointers = *ShortPointers;
  Result.Target = std::move(*Target);
  Result.CPU = std::move(CPU);
  return Result;
}

TargetMachine &Backend::machine(bool HasShortPointers) const {
  std::unique_ptr<TargetMachine> &Machine = HasShortPointers ? Short : Long;
  if (!Machine) {
    ShortPointers->setValue(HasShortPointers);
    Machine = Target.createMachine(CPU, Features);
    ShortPointers->setValue(false);
  }
  return *Machine;
}
