//===- kernel-compare.cpp - Do two kernels write the same memory? ---------===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Runs a kernel as it was before a transformation and as it is after it, on
// equal memory over a whole grid, and compares every byte.
//
//   kernel-compare --launches launches.json --kernel pad before.ll after.ll
//   kernel-compare --grid 4 --grid 7,2 --block 128
//                  --args in:f32:1000,out:f32:1000,i32:5 --kernel k a.ll b.ll
//
// Exit status: 0 all memory is equal; 1 it differs, or only the transformed
// kernel crashes or leaves its buffers; 2 the comparison could not be made.
//
//===----------------------------------------------------------------------===//

#include "HostKernel.h"
#include "KernelLaunch.h"
#include "LaunchMemory.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;
using namespace unravel;

// 1. Options.

static cl::OptionCategory Category("kernel-compare options");
static cl::opt<std::string> BeforePath(cl::Positional, cl::Required,
                                       cl::desc("<before>"), cl::cat(Category));
static cl::opt<std::string> AfterPath(cl::Positional, cl::Required,
                                      cl::desc("<after>"), cl::cat(Category));
static cl::opt<std::string> KernelName("kernel", cl::Required,
                                       cl::value_desc("name"),
                                       cl::desc("The kernel to run"),
                                       cl::cat(Category));
static cl::opt<std::string>
    LaunchesPath("launches", cl::value_desc("file"),
                 cl::desc("JSON with the kernel's launch"), cl::cat(Category));
static cl::list<std::string>
    Grids("grid", cl::value_desc("x,y,z"),
          cl::desc("Blocks of the grid; given again, another run"),
          cl::cat(Category));
static cl::opt<std::string> Block("block", cl::value_desc("x,y,z"),
                                  cl::desc("Threads of a block"),
                                  cl::cat(Category));
static cl::opt<std::string> Arguments(
    "args", cl::value_desc("list"),
    cl::desc("Arguments: in|out|inout|buf:TYPE:COUNT[:align=N][:min=N][:max=N] "
             "or TYPE:VALUE, with commas between"),
    cl::cat(Category));
static cl::opt<std::string>
    AlsoKernel("also-kernel", cl::value_desc("name"),
               cl::desc("A kernel of the same modules that is to compute the "
                        "same"),
               cl::cat(Category));
static cl::opt<bool>
    Ideal("ideal",
          cl::desc("Run the launch's ideal twin as --also-kernel, if the "
                   "module has it"),
          cl::cat(Category));

// 2. Exit status: a difference is not a failure to compare.

namespace {
class Difference : public ErrorInfo<Difference> {
public:
  static char ID;
  explicit Difference(const Twine &Message) : Message(Message.str()) {}
  void log(raw_ostream &OS) const override { OS << Message; }
  std::error_code convertToErrorCode() const override {
    return inconvertibleErrorCode();
  }

private:
  std::string Message;
};
char Difference::ID = 0;
} // namespace

// 3. Launches.

static Expected<KernelLaunch> launchFromFile() {
  Expected<std::vector<KernelLaunch>> Launches = readLaunches(LaunchesPath);
  if (!Launches)
    return Launches.takeError();
  for (KernelLaunch &L : *Launches)
    if (L.Kernel == KernelName)
      return std::move(L);
  return createStringError(LaunchesPath + " has no launch of " + KernelName);
}

static Expected<KernelLaunch> launchFromOptions() {
  if (Grids.empty() || Block.empty() || Arguments.empty())
    return createStringError(
        "give --launches, or all of --grid, --block and --args");
  KernelLaunch Launch;
  Launch.Kernel = KernelName;
  Launch.Ideal = KernelName + "_ideal";
  return Launch;
}

/// One launch for each grid.
static Expected<std::vector<KernelLaunch>> launches() {
  Expected<KernelLaunch> First =
      LaunchesPath.empty() ? launchFromOptions() : launchFromFile();
  if (!First)
    return First.takeError();
  if (!Block.empty()) {
    Expected<std::array<uint32_t, 3>> Extent = parseExtent(Block);
    if (!Extent)
      return createStringError("--block: " + toString(Extent.takeError()));
    First->Shape.Block = *Extent;
  }
  if (!Arguments.empty()) {
    Expected<std::vector<KernelArgument>> Parsed = parseArguments(Arguments);
    if (!Parsed)
      return createStringError("--args: " + toString(Parsed.takeError()));
    First->Arguments = std::move(*Parsed);
  }
  if (Grids.empty())
    return std::vector<KernelLaunch>{std::move(*First)};
  std::vector<KernelLaunch> Result;
  for (const std::string &Grid : Grids) {
    Expected<std::array<uint32_t, 3>> Extent = parseExtent(Grid);
    if (!Extent)
      return createStringError("--grid: " + toString(Extent.takeError()));
    Result.push_back(*First);
    Result.back().Shape.Grid = *Extent;
  }
  return Result;
}

// 4. Runs.

namespace {
/// A kernel that takes part in the comparison.
struct Contender {
  std::string Name;
  HostKernel Kernel;
};
} // namespace

/// Leaves in \p Memory what \p Kernel makes of it.
static Error runOn(LaunchMemory &Memory, const KernelLaunch &Launch,
                   const HostKernel &Kernel) {
  if (Error E = Kernel.run(Launch.Shape, Memory.arguments()))
    return E;
  return Memory.checkGuards();
}

/// Runs all contenders; the first is what the others must agree with.
static Error compare(const KernelLaunch &Launch,
                     ArrayRef<Contender> Contenders) {
  const Contender &Reference = Contenders.front();
  for (const Contender &C : Contenders)
    if (Error E = C.Kernel.checkLaunch(Launch))
      return createStringError(C.Name + ": " + toString(std::move(E)));
  Expected<LaunchMemory> Expected = LaunchMemory::create(Launch);
  if (!Expected)
    return Expected.takeError();
  if (Error E = runOn(*Expected, Launch, Reference.Kernel))
    return createStringError(Reference.Name + ": " + toString(std::move(E)));
  for (const Contender &C : Contenders.drop_front()) {
    llvm::Expected<LaunchMemory> Memory = LaunchMemory::create(Launch);
    if (!Memory)
      return Memory.takeError();
    if (Error E = runOn(*Memory, Launch, C.Kernel))
      return make_error<Difference>(C.Name + ": " + toString(std::move(E)));
    std::string Where =
        Expected->firstDifference(*Memory, Reference.Name, C.Name);
    if (!Where.empty())
      return make_error<Difference>(Where);
  }
  outs() << Launch.Kernel << ": " << Launch.Shape.threads() << " threads, "
         << Expected->sizeInBytes() << " bytes identical";
  if (Contenders.size() > 2)
    outs() << ", ideal too";
  outs() << " (" << Expected->changedBytes() << " written)\n";
  return Error::success();
}

static Error compareAll() {
  Expected<std::vector<KernelLaunch>> Launches = launches();
  if (!Launches)
    return Launches.takeError();
  Expected<KernelModule> Before = KernelModule::read(BeforePath);
  if (!Before)
    return Before.takeError();
  Expected<KernelModule> After = KernelModule::read(AfterPath);
  if (!After)
    return After.takeError();

  std::vector<std::string> Names = {KernelName};
  const std::string &Twin = Launches->front().Ideal;
  if (!AlsoKernel.empty())
    Names.push_back(AlsoKernel);
  else if (Ideal && !Twin.empty() && Before->hasKernel(Twin))
    Names.push_back(Twin);
  std::vector<Contender> Contenders;
  for (const std::string &Name : Names)
    for (const KernelModule *M : {&*Before, &*After}) {
      Expected<HostKernel> Kernel = M->compile(Name);
      if (!Kernel)
        return Kernel.takeError();
      std::string Label = M->path().str();
      if (Name != KernelName)
        Label = Name + " of " + Label;
      Contenders.push_back({std::move(Label), std::move(*Kernel)});
    }
  for (const KernelLaunch &Launch : *Launches)
    if (Error E = compare(Launch, Contenders))
      return E;
  return Error::success();
}

int main(int Argc, char **Argv) {
  InitLLVM Init(Argc, Argv);
  cl::HideUnrelatedOptions(Category);
  if (!cl::ParseCommandLineOptions(
          Argc, Argv, "Do two kernels write the same memory?\n", &errs()))
    return 2;
  int Status = 0;
  handleAllErrors(
      compareAll(),
      [&](const Difference &D) {
        outs() << KernelName << ": " << D.message() << "\n";
        Status = 1;
      },
      [&](const ErrorInfoBase &E) {
        errs() << "kernel-compare: " << E.message() << "\n";
        Status = 2;
      });
  return Status;
}
