//===- EmitterTestHelper.h - Emitted kernels in tests -----------*- C++ -*-===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef UNRAVEL_TEST_UNIT_EMITTERTESTHELPER_H
#define UNRAVEL_TEST_UNIT_EMITTERTESTHELPER_H

#include "frontend/evaluate/HloEvaluator.h"
#include "frontend/kernels/KernelEmitter.h"
#include "test/unit/HloTestHelper.h"
#include "tools/fusion-emit/FusionRunner.h"
#include "tools/fusion-emit/FusionValues.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/FormatVariadic.h"

namespace unravel {

/// A module of \p Rest whose results may (or must) lie over parameters.
inline std::string aliased(llvm::StringRef Aliases, llvm::StringRef Rest) {
  return llvm::formatv("HloModule m, input_output_alias={{ {0} }\n{1}", Aliases,
                       Rest);
}

/// The result may lie over the first parameter.
inline const char *const May = "{}: (0, {}, may-alias)";

/// The module of \p Text, which is emitted into \p Context.
inline EmittedModule emitted(llvm::StringRef Text, llvm::LLVMContext &Context) {
  auto Module = parseModule(Text);
  if (llvm::Error E = verifyHlo(*Module))
    ADD_FAILURE() << llvm::toString(std::move(E));
  return llvm::cantFail(emitKernels(*Module, Module->entry(), Context, {}));
}

/// Why there is no code for \p Text; empty if there is.
inline std::string problemOf(llvm::StringRef Text) {
  auto Module = parseModule(Text);
  if (llvm::Error E = verifyHlo(*Module))
    return llvm::toString(std::move(E));
  llvm::LLVMContext Context;
  auto Emitted = emitKernels(*Module, Module->entry(), Context, {});
  return Emitted ? "" : llvm::toString(Emitted.takeError());
}

/// Where what the kernels of \p Text compute from \p Inputs is not what the
/// evaluator computes; empty if it is the same.
inline std::string differenceOf(llvm::StringRef Text,
                                llvm::ArrayRef<HloLiteral> Inputs,
                                const KernelEmitterOptions &Options) {
  auto Module = parseModule(Text);
  if (llvm::Error E = verifyHlo(*Module))
    return llvm::toString(std::move(E));
  llvm::LLVMContext Context;
  auto Emitted = emitKernels(*Module, Module->entry(), Context, Options);
  if (!Emitted)
    return llvm::toString(Emitted.takeError());
  auto Outputs = runKernels(*Emitted, *Emitted->IR, "test", Inputs);
  if (!Outputs)
    return llvm::toString(Outputs.takeError());
  auto Expected = evaluateHlo(*Module, Inputs);
  if (!Expected)
    return llvm::toString(Expected.takeError());
  std::vector<const HloLiteral *> Arrays = arraysOf(*Expected);
  if (Arrays.size() != Outputs->size())
    return "another number of outputs";
  for (auto [K, Output] : llvm::enumerate(*Outputs)) {
    std::string Where = difference(Output, *Arrays[K]);
    if (Where.empty())
      continue;
    const HloInstruction &Root = Module->entry().root();
    bool IsFlat = Root.opcode() == HloOpcode::Tuple &&
                  Root.operands().size() == Arrays.size();
    return toString(IsFlat ? Root.operand(K) : Root) + " " + std::to_string(K) +
           " " + Where;
  }
  return "";
}

/// The same wherever indices come from.
inline std::string differenceOf(llvm::StringRef Text,
                                llvm::ArrayRef<HloLiteral> Inputs) {
  KernelEmitterOptions Options;
  std::string Naive = differenceOf(Text, Inputs, Options);
  Options.Indices = IndexSource::Maps;
  return Naive.empty() ? differenceOf(Text, Inputs, Options) : Naive;
}

/// The same for random inputs.
inline std::string differenceOf(llvm::StringRef Text, uint64_t Seed = 1) {
  return differenceOf(
      Text, llvm::cantFail(randomInputs(parseModule(Text)->entry(), Seed)));
}

} // namespace unravel

#endif // UNRAVEL_TEST_UNIT_EMITTERTESTHELPER_H
