//===- ptx-simplify.cpp - Simplify the index arithmetic of PTX ------------===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   ptx-simplify kernel.ptx -o simpler.ptx
//   nvcc -ptx -o - kernel.cu | ptx-simplify - > simpler.ptx
//
// Exit status: 0 done, also where nothing changed; 1 an error, and no output.
//
//===----------------------------------------------------------------------===//

#include "tools/files/OutputFile.h"
#include "tools/ptx-simplify/PtxasJudge.h"
#include "tools/ptx-simplify/Report.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Program.h"
#include "llvm/Support/WithColor.h"

using namespace llvm;
using namespace unravel;

// In plugin/Plugin.cpp, for the options.
unravel::IndexSimplifyPasses passesOfCommandLine();

static cl::OptionCategory Category("ptx-simplify options");

static cl::opt<std::string> InputPath(cl::Positional, cl::init("-"),
                                      cl::value_desc("IN.ptx"),
                                      cl::desc("IN.ptx (- is stdin)"),
                                      cl::cat(Category));
static cl::opt<std::string> OutputPath("o", cl::init("-"),
                                       cl::value_desc("OUT.ptx"),
                                       cl::desc("Where to write (stdout)"),
                                       cl::cat(Category));
static cl::opt<std::string>
    ReportPath("report", cl::value_desc("FILE.json"),
               cl::desc("Write what became of each kernel (- is stdout)"),
               cl::cat(Category));
static cl::opt<VersioningMode> Versioning(
    "versioning", cl::init(VersioningMode::Auto), cl::cat(Category),
    cl::desc("Whether kernels get a second, faster body for launches in which "
             "sizes are positive and indices fit 31 bits:"),
    cl::values(clEnumValN(VersioningMode::Auto, "auto",
                          "where it pays (default)"),
               clEnumValN(VersioningMode::Off, "off", "never")));
static cl::opt<bool> NoDivisionByZero(
    "no-division-by-zero",
    cl::desc("You promise that no division by zero is executed, and no "
             "INT_MIN / -1: code that a compiler of CUDA C++ made, where both "
             "are undefined, keeps that promise as its source does"),
    cl::cat(Category));
static cl::opt<bool>
    TakeAll("take-all",
            cl::desc("Take new code that is not cheaper, too: for tests"),
            cl::cat(Category));
static cl::opt<std::string> JudgePath(
    "judge", cl::value_desc("ptxas"),
    cl::desc("Assemble old and new code with this program, and take a "
             "kernel only if it has no more SASS instructions and accesses "
             "to local memory, and registers for as many warps"),
    cl::cat(Category));
static cl::opt<bool> Verbose("v",
                             cl::desc("Say on stderr what became of each "
                                      "kernel"),
                             cl::cat(Category));

/// The kernels whose machine code got worse. Second bodies count once: what a
/// launch executes is one of the two, and which is longer says nothing.
static Expected<StringSet<>> judge(StringRef Before,
                                   const ptx::SimplifiedModule &After) {
  ErrorOr<std::string> Ptxas = sys::findProgramByName(JudgePath);
  if (!Ptxas || !sys::fs::can_execute(*Ptxas))
    return makeError("--judge: " + JudgePath, "no such program");
  auto Old = ptx::assemble(Before, After.Target, *Ptxas);
  if (!Old)
    return Old.takeError();
  auto New = ptx::assemble(After.Text, After.Target, *Ptxas);
  if (!New)
    return New.takeError();
  StringSet<> Worse;
  for (const ptx::KernelReport &K : After.Kernels) {
    const ptx::MachineCode &A = (*Old)[K.Name], &B = (*New)[K.Name];
    if (A.Registers == 0 || B.Registers == 0)
      return makeError(*Ptxas, "its cubin has no number of registers for '" +
                                   K.Name +
                                   "': leave out --judge, or name "
                                   "another ptxas");
    bool IsLonger = !K.HasSecondBody && (B.Instructions > A.Instructions ||
                                         B.LocalAccesses > A.LocalAccesses);
    if (IsLonger || B.warps() < A.warps())
      Worse.insert(K.Name);
  }
  return Worse;
}

static Error run() {
  if (InputPath != "-")
    if (Error E = checkInput(InputPath))
      return E;
  NamedFile Outputs[] = {{"-o", OutputPath}, {"--report", ReportPath}};
  if (Error E = checkOneStdout(Outputs))
    return E;
  if (Error E = checkOutputs(ArrayRef(Outputs, ReportPath.empty() ? 1 : 2),
                             {NamedFile{"", InputPath}}))
    return E;
  ErrorOr<std::unique_ptr<MemoryBuffer>> Buffer =
      MemoryBuffer::getFileOrSTDIN(InputPath);
  if (!Buffer)
    return makeError(InputPath, Buffer.getError().message());
  ptx::SimplifierOptions Options;
  Options.Passes = passesOfCommandLine();
  // -index-simplify-versioning says the same.
  if (Versioning.getNumOccurrences())
    Options.Passes.Simplify.Versioning = Versioning;
  Options.TakeAll = TakeAll;
  if (NoDivisionByZero)
    Options.Division = ptx::BadDivision::Undefined;
  if (!JudgePath.empty())
    Options.IsWorse = judge;
  StringRef Name = InputPath == "-" ? "<stdin>" : StringRef(InputPath);
  Expected<ptx::SimplifiedModule> M =
      ptx::simplifyModule((*Buffer)->getBuffer(), Name, Options);
  if (!M)
    return M.takeError();
  if (Verbose)
    ptx::printSummary(*M, errs());
  if (!ReportPath.empty())
    if (Error E = writeFile(ReportPath, ptx::reportAsJson(*M, Name)))
      return E;
  return writeFile(OutputPath, M->Text);
}

int main(int argc, char **argv) {
  InitLLVM Init(argc, argv);
  cl::HideUnrelatedOptions(Category);
  cl::ParseCommandLineOptions(
      argc, argv,
      "Simplifies the index arithmetic of the kernels in a PTX module\n\n"
      "A kernel that is not understood, or does not get cheaper, stays byte "
      "for byte as it is.\nThe options of the passes work, too, such as "
      "-index-simplify-facts=FILE\nand -pass-remarks=index-simplify "
      "(docs/options.md).\n\n"
      "Exit status: 0 done, also where nothing changed; 1 an error, and no "
      "output.\n");
  if (Error E = run()) {
    // The place comes first, as in all messages with a line and a column.
    errs() << "ptx-simplify: " << toString(std::move(E)) << "\n";
    return 1;
  }
  return 0;
}
