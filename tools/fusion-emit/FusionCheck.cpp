//===- FusionCheck.cpp - Kernels against the evaluator ------------------===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tools/fusion-emit/FusionCheck.h"
#include "frontend/evaluate/HloErrors.h"
#include "tools/fusion-emit/FusionPasses.h"
#include "tools/fusion-emit/FusionRunner.h"
#include "tools/fusion-emit/FusionValues.h"
#include "tools/fusion-emit/LibraryCalls.h"
#include "tools/kernel-run/launch/KernelFinding.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Transforms/Utils/Cloning.h"

using namespace llvm;

namespace unravel {

namespace {
class Checker {
public:
  Checker(const HloModule &Module, const EmittedModule &Emitted,
          TargetMachine &Target, ArrayRef<HloLiteral> Inputs)
      : Module(Module), Emitted(Emitted), Target(Target), Inputs(Inputs) {}

  Expected<std::string> run();

private:
  Error compare(const llvm::Module &IR, StringRef Label);
  Error check(FusionPasses Version, StringRef Label);
  Error boundErrors();

  const HloModule &Module;
  const EmittedModule &Emitted;
  TargetMachine &Target;
  ArrayRef<HloLiteral> Inputs;
  LibraryCalls Calls;
  HloLiteral Value;
  bool AreErrorsBound = false;
  HloErrors Errors;
};
} // namespace

/// Evaluates once more. That takes longer than without bounds, and most modules
/// need none.
Error Checker::boundErrors() {
  AreErrorsBound = true;
  Calls.restart();
  Expected<HloLiteral> Again = evaluateHlo(
      Module, Inputs, {},
      [&](const HloInstruction &I, ArrayRef<const HloLiteral *> Operands)
          -> Expected<HloLiteral> { return Calls.repeat(I, Operands, Errors); },
      [&](const HloInstruction &I, ArrayRef<HloErrors::Value> Operands,
          const HloErrors::Value &Result) {
        Errors.observe(I, Operands, Result);
      });
  return Again.takeError();
}

Error Checker::compare(const llvm::Module &IR, StringRef Label) {
  Calls.restart();
  Expected<std::vector<HloLiteral>> Outputs =
      runKernels(Emitted, IR, (Module.BufferName + ": " + Label).str(), Inputs,
                 [&](const EmittedStep &Call, ArrayRef<HloLiteral> Operands) {
                   return Calls.run(Call, Operands);
                 });
  if (!Outputs)
    return Outputs.takeError();
  if (Error E = Calls.checkEffects())
    return E;
  std::vector<const HloLiteral *> Wanted = arraysOf(Value), Bounds;
  if (const HloLiteral *OfRoot = Errors.of(Module.entry().root()))
    Bounds = arraysOf(*OfRoot);
  Bounds.resize(Wanted.size());
  for (auto [K, Output] : enumerate(*Outputs))
    if (std::string Where = difference(Output, *Wanted[K], Bounds[K]);
        !Where.empty())
      return make_error<KernelFinding>(Module.BufferName + ": " + Label +
                                       ": output " + Twine(K) + " is wrong " +
                                       Where);
  return Error::success();
}

Error Checker::check(FusionPasses Version, StringRef Label) {
  std::unique_ptr<llvm::Module> IR = CloneModule(*Emitted.IR);
  runPasses(*IR, Version, Target);
  Error Found = compare(*IR, Label);
  if (!Found.isA<KernelFinding>() || AreErrorsBound)
    return Found;
  consumeError(std::move(Found));
  if (Error E = boundErrors())
    return E;
  return compare(*IR, Label);
}

Expected<std::string> Checker::run() {
  Expected<HloLiteral> Evaluated = evaluateHlo(
      Module, Inputs, {},
      [&](const HloInstruction &I, ArrayRef<const HloLiteral *> Operands)
          -> Expected<HloLiteral> { return Calls.evaluate(I, Operands); });
  if (!Evaluated)
    return Evaluated.takeError();
  Value = std::move(*Evaluated);
  std::pair<FusionPasses, StringLiteral> Versions[] = {
      {FusionPasses::None, "as emitted"},
      {FusionPasses::Alone, "after index-simplify"},
      {FusionPasses::Optimize, "after -O3"},
      {FusionPasses::Simplify, "after -O3 with index-simplify"}};
  for (auto [Version, Label] : Versions)
    if (Error E = check(Version, Label))
      return E;
  int64_t Elements = 0;
  for (const HloLiteral *Output : arraysOf(Value))
    Elements += Output->shape().elementCount();
  std::string Report;
  raw_string_ostream OS(Report);
  OS << Module.BufferName << ": " << Emitted.kernelCount() << " kernels, "
     << Elements << " elements, all as expected in " << std::size(Versions)
     << " versions";
  if (Calls.callCount() != 0)
    OS << "; " << Calls.callCount() << " calls of libraries had random results";
  if (AreErrorsBound)
    OS << "; some differ by rounding or the order of reductions";
  OS << '\n';
  return Report;
}

Expected<std::string> checkKernels(const HloModule &Module,
                                   const EmittedModule &Emitted,
                                   TargetMachine &Target,
                                   ArrayRef<HloLiteral> Inputs) {
  return Checker(Module, Emitted, Target, Inputs).run();
}

} // namespace unravel
