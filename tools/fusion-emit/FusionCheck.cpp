//===- FusionCheck.cpp - Kernels against the evaluator ------------------===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tools/fusion-emit/FusionCheck.h"
#include "frontend/evaluate/HloEvaluator.h"
#include "tools/fusion-emit/FusionPasses.h"
#include "tools/fusion-emit/FusionRunner.h"
#include "tools/fusion-emit/FusionValues.h"
#include "tools/fusion-emit/LibraryCalls.h"
#include "tools/kernel-run/launch/KernelFinding.h"
#include "llvm/Transforms/Utils/Cloning.h"

using namespace llvm;

namespace unravel {

Expected<std::string> checkKernels(const HloModule &Module,
                                   const EmittedModule &Emitted,
                                   TargetMachine &Target,
                                   ArrayRef<HloLiteral> Inputs) {
  LibraryCalls Calls;
  Expected<HloLiteral> Value = evaluateHlo(
      Module, Inputs, {},
      [&](const HloInstruction &I, ArrayRef<const HloLiteral *> Operands) {
        return Expected<HloLiteral>(Calls.evaluate(I, Operands));
      });
  if (!Value)
    return Value.takeError();
  std::vector<const HloLiteral *> Expected = arraysOf(*Value);
  std::pair<FusionPasses, StringLiteral> Versions[] = {
      {FusionPasses::None, "as emitted"},
      {FusionPasses::Alone, "after index-simplify"},
      {FusionPasses::Optimize, "after -O3"},
      {FusionPasses::Simplify, "after -O3 with index-simplify"}};
  for (auto [Version, Label] : Versions) {
    std::unique_ptr<llvm::Module> IR = CloneModule(*Emitted.IR);
    runPasses(*IR, Version, Target);
    Calls.restart();
    llvm::Expected<std::vector<HloLiteral>> Outputs = runKernels(
        Emitted, *IR, (Module.BufferName + ": " + Label).str(), Inputs,
        [&](const EmittedStep &Call, ArrayRef<HloLiteral> Operands) {
          return Calls.run(Call, Operands);
        });
    if (!Outputs)
      return Outputs.takeError();
    for (auto [K, Output] : enumerate(*Outputs))
      if (std::string Where = difference(Output, *Expected[K]); !Where.empty())
        return make_error<KernelFinding>(Module.BufferName + ": " + Label +
                                         ": output " + Twine(K) + " is wrong " +
                                         Where);
  }
  int64_t Elements = 0;
  for (const HloLiteral *Output : Expected)
    Elements += Output->shape().elementCount();
  std::string Report;
  raw_string_ostream OS(Report);
  OS << Module.BufferName << ": " << Emitted.kernelCount() << " kernels, "
     << Elements << " elements, all as expected in " << std::size(Versions)
     << " versions";
  if (Calls.callCount() != 0)
    OS << "; " << Calls.callCount()
       << " calls of libraries had random results";
  OS << '\n';
  return Report;
}

} // namespace unravel
