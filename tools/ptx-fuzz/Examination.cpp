//===- Examination.cpp - One module before and after ----------------------===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ptx/text/PtxParser.h"
#include "tools/ptx-fuzz/Subject.h"
#include "tools/ptx-fuzz/generator/PtxGenerator.h"

using namespace llvm;

namespace unravel::ptx {

/// An input that generated kernels are made for.
static Input generatedInput(const Function &Kernel, const InputOptions &Inputs,
                            unsigned N) {
  Input In = inputFor(Kernel, Inputs.Seed, N);
  In.KeepsZeroDivisors = Inputs.KeepsZeroDivisors;
  uint32_t Threads = In.Block[0] * In.Block[1] * In.Block[2];
  // Only some kernels number the threads of all dimensions.
  if (Kernel.BodyText.contains("%tid.z") &&
      Kernel.limit("reqntid") == nullptr && Threads % 8 == 0 && N % 3 == 1)
    In.Block = {2, Threads / 8, 4};
  else
    In.Block = {Threads, 1, 1};
  // Threads of larger launches leave the buffers that kernels are made for.
  bool IsLarge = In.Grid[0] > MaxThreads;
  In.Grid = {IsLarge ? In.Grid[0] : std::min(In.Grid[0], MaxThreads / Threads),
             1, 1};
  // Buffers that end show accesses that the kernel does not make.
  if (!IsLarge && N % 2 == 0)
    In.BufferBytes = BufferBytes;
  In.MaxSteps = 2'000'000;
  return In;
}

namespace {
/// A module and what the rewriter made of it.
struct Rewritten {
  std::string NewText;
  Module Old, New;
  std::string Problem;
};
} // namespace

static Expected<std::unique_ptr<Rewritten>> rewriteModule(const Rewriter &R,
                                                          StringRef Text) {
  auto Result = std::make_unique<Rewritten>();
  Expected<Module> Old = parseModule(Text, "before.ptx");
  if (!Old)
    return Old.takeError();
  Result->Old = std::move(*Old);
  Expected<Rewriter::Result> Made = R.rewrite(Text);
  if (!Made)
    return Made.takeError();
  Result->NewText = std::move(Made->Text);
  Result->Problem = std::move(Made->Problem);
  if (Result->NewText.empty())
    return Result;
  Expected<Module> New = parseModule(Result->NewText, "after.ptx");
  if (New)
    Result->New = std::move(*New);
  else
    Result->Problem = toString(New.takeError());
  return Result;
}

Expected<std::vector<Finding>> examine(const Rewriter &R, StringRef Text,
                                       const InputOptions &Inputs,
                                       ExaminationCounts &Counts) {
  auto Both = rewriteModule(R, Text);
  if (!Both)
    return Both.takeError();
  const Rewritten &M = **Both;
  std::vector<Finding> Found;
  if (!M.Problem.empty()) {
    Found.push_back(
        {"crash", "", M.Problem, std::nullopt, Text.str(), M.NewText});
    return Found;
  }
  for (const Item &I : M.Old.Items) {
    const auto *F = I.as<Function>();
    if (!F || !F->IsKernel || !F->HasBody)
      continue;
    ++Counts.Kernels;
    const Function *After = M.New.find(F->Name);
    if (After && After->BodyText == F->BodyText)
      continue;
    ++Counts.Changed;
    auto Report = [&](StringRef Kind, std::string Why,
                      std::optional<Input> On = std::nullopt) {
      Found.push_back({Kind.str(), F->Name.str(), std::move(Why), On,
                       Text.str(), M.NewText});
    };
    Expected<KernelPair> Pair = KernelPair::create(M.Old, M.New, F->Name);
    if (!Pair) {
      Report("malformed", toString(Pair.takeError()));
      continue;
    }
    for (unsigned N = 0; N != Inputs.Count; ++N) {
      Input In = generatedInput(*F, Inputs, N);
      Verdict V = Pair->compareOn(In);
      ++Counts.Runs;
      Counts.SameRuns += V.K == Verdict::Kind::Same;
      Counts.Skipped += V.K == Verdict::Kind::Skipped;
      if (V.K == Verdict::Kind::NotModelled) {
        ++Counts.NotModelled;
        Report("not-modelled", V.Text, In);
        break;
      }
      if (V.K == Verdict::Kind::Different) {
        Report("value", V.Text, In);
        break;
      }
    }
  }
  return Found;
}

Expected<std::optional<Finding>> examineOn(const Rewriter &R, StringRef Text,
                                           const Finding &F) {
  auto Both = rewriteModule(R, Text);
  if (!Both)
    return Both.takeError();
  const Rewritten &M = **Both;
  Finding Same = F;
  Same.Before = Text.str();
  Same.After = M.NewText;
  if (!M.Problem.empty()) {
    Same.Text = M.Problem;
    return F.Kind == "crash" ? std::optional(Same) : std::nullopt;
  }
  if (F.Kind != "value")
    return std::nullopt;
  Expected<KernelPair> Pair = KernelPair::create(M.Old, M.New, F.Kernel);
  if (!Pair) {
    consumeError(Pair.takeError());
    return std::nullopt;
  }
  Verdict V = Pair->compareOn(*F.On);
  if (V.K != Verdict::Kind::Different)
    return std::nullopt;
  Same.Text = V.Text;
  return Same;
}

} // namespace unravel::ptx
