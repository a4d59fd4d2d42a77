//===- RecordLaunches.cpp - Launches of a file as facts -------------------===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "transforms/host/RecordLaunches.h"
#include "analysis/facts/LaunchLimits.h"
#include "transforms/host/HostLaunches.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Analysis/OptimizationRemarkEmitter.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/InstrTypes.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/JSON.h"

#define DEBUG_TYPE "record-launches"

using namespace llvm;

namespace unravel {

static bool isHost(const Module &M) { return !M.getTargetTriple().isGPU(); }

PreservedAnalyses KeepLaunchStubsPass::run(Module &M, ModuleAnalysisManager &) {
  if (!isHost(M))
    return PreservedAnalyses::all();
  for (Function &F : M) {
    if (!isLaunchStub(F))
      continue;
    F.addFnAttr(Attribute::NoInline);
    for (User *U : F.users())
      if (auto *Call = dyn_cast<CallBase>(U))
        Call->addFnAttr(Attribute::NoMerge);
  }
  return PreservedAnalyses::all();
}

//===----------------------------------------------------------------------===//
// Writing
//===----------------------------------------------------------------------===//

static void writeSizes(json::OStream &Out, StringRef Name,
                       const KernelLaunches::Sizes &Sizes,
                       ArrayRef<int64_t> Most) {
  bool IsExact = all_of(Sizes, [](auto &R) { return R.isSingleElement(); });
  std::array<int64_t, 3> Max;
  for (unsigned D = 0; D < 3; ++D) {
    int64_t Size = Sizes[D].getUnsignedMax().getZExtValue();
    Max[D] = std::clamp<int64_t>(Size, 1, Most[D]);
    if (IsExact && Size != Max[D])
      return; // no launch succeeds
  }
  if (ArrayRef(Max) == Most)
    return;
  auto WriteList = [&](StringRef Field) {
    Out.attributeArray(Field, [&] {
      for (int64_t M : Max)
        Out.value(M);
    });
  };
  if (!IsExact)
    Out.attributeObject(Name, [&] { WriteList("max"); });
  else if (Name != "block" || Max[0] * Max[1] * Max[2] <= MaxThreadsOfBlock)
    WriteList(Name);
}

static void writeArgument(json::OStream &Out, unsigned Number,
                          const LaunchArgument &A) {
  const ConstantRange &R = A.Range;
  if (R.isEmptySet())
    return; // no launch is executed
  bool HasMin = !R.getSignedMin().isMinSignedValue();
  bool HasMax = !R.getSignedMax().isMaxSignedValue();
  bool HasMultiple =
      A.TrailingZeros > 0 && A.TrailingZeros < R.getBitWidth() - 1;
  // The multiples in the range. Max is one, so Min rounded up is not above it.
  APInt Below =
      APInt::getLowBitsSet(R.getBitWidth(), HasMultiple ? A.TrailingZeros : 0);
  APInt Max = R.getSignedMax() & ~Below;
  APInt Min = R.getSignedMin();
  if (Min.sgt(Max))
    return; // no launch is executed
  Min = (Min + Below) & ~Below;
  if (!HasMin && !HasMax && !HasMultiple)
    return;
  Out.attributeObject(std::to_string(Number), [&] {
    if (Min == Max) {
      Out.attribute("value", Min.getSExtValue());
      return;
    }
    if (HasMin)
      Out.attribute("min", Min.getSExtValue());
    if (HasMax)
      Out.attribute("max", Max.getSExtValue());
    if (HasMultiple)
      Out.attribute("multiple_of", int64_t(1) << A.TrailingZeros);
  });
}

static void write(raw_ostream &OS, StringRef Source,
                  ArrayRef<KernelLaunches> Kernels) {
  json::OStream Out(OS, /*IndentSize=*/2);
  Out.object([&] {
    Out.attribute("source", json::fixUTF8(Source));
    Out.attributeObject("kernels", [&] {
      for (const KernelLaunches &K : Kernels)
        Out.attributeObject(json::fixUTF8(K.Kernel), [&] {
          writeSizes(Out, "grid", K.Grid, MaxGrid);
          writeSizes(Out, "block", K.Block, MaxBlock);
          Out.attributeObject("args", [&] {
            for (const auto &[Number, Argument] : K.Arguments)
              writeArgument(Out, Number, Argument);
          });
        });
    });
  });
  OS << '\n';
}

PreservedAnalyses RecordLaunchesPass::run(Module &M,
                                          ModuleAnalysisManager &AM) {
  if (!isHost(M))
    return PreservedAnalyses::all();
  auto &FAM = AM.getResult<FunctionAnalysisManagerModuleProxy>(M).getManager();
  HostLaunches Launches = findHostLaunches(M, FAM);
  for (const UnknownLaunches &U : Launches.Unknown) {
    OptimizationRemarkEmitter ORE(U.Stub);
    ORE.emit(OptimizationRemarkMissed(DEBUG_TYPE, "UnknownLaunches",
                                      U.Stub->getSubprogram(),
                                      &U.Stub->getEntryBlock())
             << "the launches of " << U.Kernel
             << " are not recorded: " << U.Reason);
  }
  Error E = WriteFile(M, [&](raw_ostream &OS) {
    write(OS, M.getSourceFileName(), Launches.Known);
    return Error::success();
  });
  if (E)
    M.getContext().emitError("cannot write the launches: " +
                             toString(std::move(E)));
  return PreservedAnalyses::all();
}

} // namespace unravel
