//===- Campaign.cpp - Many random modules ---------------------------------===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tools/ptx-fuzz/Campaign.h"
#include "tools/files/OutputFile.h"
#include "tools/files/TemporaryFolder.h"
#include "tools/ptx-fuzz/Subject.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Signals.h"
#include "llvm/Support/raw_ostream.h"
#include <chrono>
#include <csignal>

using namespace llvm;

namespace unravel::ptx {

/// How to see a finding again.
static std::string reportOf(const Finding &F, uint64_t Seed) {
  std::string Text = F.Kind + " in kernel " + F.Kernel + " of the module of " +
                     "ptx-fuzz --generate " + std::to_string(Seed) + "\n" +
                     F.Text + "\n";
  if (F.On)
    Text += "ptx-fuzz --compare before.ptx after.ptx --inputs 1 --kernel " +
            F.Kernel + " --buffer-bytes " + std::to_string(F.On->BufferBytes) +
            " " + F.On->str() + "\n";
  return Text;
}

static Error save(const Finding &F, const CampaignOptions &Options,
                  uint64_t Seed) {
  std::string Folder = Options.Output + "/" + F.Kind + "-" +
                       std::to_string(Seed) +
                       (F.Kernel.empty() ? "" : "-" + F.Kernel);
  if (std::error_code EC = sys::fs::create_directories(Folder))
    return makeError(Folder, "cannot make the folder: " + EC.message() +
                                 "; name another one with --output");
  outs() << "finding: " << F.Kind << ": " << F.Text << " (" << Folder << ")\n";
  outs().flush();
  if (Error E = writeFile(Folder + "/report.txt", reportOf(F, Seed)))
    return E;
  if (Error E = writeFile(Folder + "/before.ptx", F.Before))
    return E;
  return writeFile(Folder + "/after.ptx", F.After);
}

static volatile std::sig_atomic_t IsInterrupted = 0;

Expected<uint64_t> runCampaign(const CampaignOptions &Options) {
  Expected<TemporaryFolder> Folder = TemporaryFolder::create("ptx-fuzz");
  if (!Folder)
    return Folder.takeError();
  Rewriter R(Options.Program, Options.Arguments, Options.Assembler,
             Folder->path().str());
  // Ctrl-C ends the run with its summary.
  sys::SetInterruptFunction([] { IsInterrupted = 1; });
  ExaminationCounts Counts;
  uint64_t NumFindings = 0;
  using Clock = std::chrono::steady_clock;
  Clock::time_point Begin = Clock::now();
  for (uint64_t N = 0; N != Options.NumModules; ++N) {
    if (IsInterrupted ||
        (Options.Seconds &&
         Clock::now() - Begin > std::chrono::seconds(Options.Seconds)))
      break;
    uint64_t Seed = Options.Seed + N;
    std::string Text =
        generateModule(Seed, Options.KernelsPerModule, Options.Profile);
    auto Found = examine(
        R, Text, {Seed, Options.NumInputs, Options.KeepsZeroDivisors}, Counts);
    // What it ran was interrupted as well: that is no finding.
    if (IsInterrupted) {
      consumeError(Found.takeError());
      break;
    }
    if (!Found)
      return Found.takeError();
    for (Finding &F : *Found) {
      // That is a lack of the interpreter, not of the rewriter.
      NumFindings += F.Kind != "not-modelled";
      if (Options.Reduces && F.Kind == "value") {
        Expected<Finding> Small = reduce(R, F);
        if (!Small)
          return Small.takeError();
        F = std::move(*Small);
      }
      if (Error E = save(F, Options, Seed))
        return E;
    }
  }
  outs() << "kernels=" << Counts.Kernels << " changed=" << Counts.Changed
         << " runs=" << Counts.Runs << " same=" << Counts.SameRuns
         << " skipped=" << Counts.Skipped
         << " not-modelled=" << Counts.NotModelled
         << " findings=" << NumFindings << '\n';
  return NumFindings;
}

} // namespace unravel::ptx
