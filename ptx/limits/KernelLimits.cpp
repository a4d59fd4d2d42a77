//===- KernelLimits.cpp - What bounds a kernel of PTX ---------------------===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ptx/limits/KernelLimits.h"
#include "analysis/warps/AccessReport.h"
#include "ptx/backend/AnalysisManagers.h"
#include "ptx/lift/KernelLifter.h"
#include "ptx/limits/AccessTraffic.h"
#include "ptx/limits/PtxPipes.h"
#include "ptx/price/PtxCounts.h"
#include "ptx/raise/RaiseAddresses.h"
#include "ptx/raise/RaiseDivisions.h"
#include "llvm/Analysis/CycleAnalysis.h"

using namespace llvm;

namespace unravel {

/// Adds the instructions of \p F; returns the one that is not modelled.
static StringRef addInstructions(const ptx::Function &F, WarpWork &Work) {
  PtxBody Body = bodyOf(F);
  LoopNest Nest = Body.findLoops();
  for (const auto &[Inst, Place] : zip_equal(Body.insts(), Nest.Places)) {
    std::optional<PtxPipes> Pipes = pipesOf(Inst.Opcode);
    if (!Pipes)
      return Inst.Opcode;
    double Weight = loopWeight(Place.Depth);
    (Pipes->IsIndex ? Work.Index : Work.Rest).add(Pipes->Counts, Weight);
    double Wavefronts = Pipes->Wavefronts;
    Work.Wavefronts.add({Wavefronts, Wavefronts}, Weight);
  }
  return "";
}

static void addAccesses(Function &F, std::optional<BlockShape> Given,
                        FactsSource AddFacts, WarpWork &Work) {
  PassBuilder PB;
  AnalysisManagers With(PB);
  FunctionAnalysisManager &AM = With.Functions;
  ptx::raiseAddresses(F);
  AddFacts(F, AM);
  keepValuesInRegisters(F, AM);
  if (ptx::raiseDivisions(F, AM))
    AM.invalidate(F, PreservedAnalyses::none());
  BlockShape Block;
  if (Given)
    Block = *Given;
  else if (std::optional<KnownBlock> Known = blockOf(F))
    Block = Known->Shape;
  addTraffic(reportAccesses(F, AM, Block), F, Block,
             AM.getResult<CycleAnalysis>(F), Work);
}

KernelEstimate estimateKernel(const ptx::Module &M, const ptx::Function &Kernel,
                              std::optional<BlockShape> Block,
                              FactsSource AddFacts) {
  WarpWork Work;
  KernelEstimate Result;
  if (StringRef Opcode = addInstructions(Kernel, Work); !Opcode.empty()) {
    Result.NotEstimated =
        ("it has " + Opcode + ", which is not modelled").str();
    return Result;
  }
  LLVMContext Context;
  Expected<ptx::LiftedKernel> Lifted = ptx::liftKernel(M, Kernel, Context);
  if (!Lifted) {
    Result.NotEstimated =
        "its PTX is not understood: " + toString(Lifted.takeError());
    return Result;
  }
  addAccesses(*Lifted->Kernel, Block, AddFacts, Work);
  return limitsOf(Work);
}

} // namespace unravel
