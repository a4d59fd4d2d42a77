//===- PassFuzzer.cpp - Any valid IR as a kernel --------------------------===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The input is bitcode, mutated by LLVM's FuzzMutate so that it stays valid.
// Every function is simplified, twice, then combined by LLVM, and verified
// after each step; what is printed about it goes nowhere, but has to end.
//
//===----------------------------------------------------------------------===//

#include "analysis/printers/AccessMaps.h"
#include "analysis/printers/RangeFactsPrinter.h"
#include "ptx/backend/AnalysisManagers.h"
#include "transforms/facts/IndexFacts.h"
#include "transforms/simplify/IndexSimplify.h"
#include "llvm/FuzzMutate/IRMutator.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/Verifier.h"
#include "llvm/Support/ErrorHandling.h"
#include "llvm/TargetParser/Triple.h"
#include "llvm/Transforms/InstCombine/InstCombine.h"
#include <sanitizer/lsan_interface.h>

using namespace llvm;
using namespace unravel;

/// Widths and address spaces beyond those that C has.
static std::unique_ptr<IRMutator> createMutator() {
  std::vector<TypeGetter> Types{
      Type::getInt1Ty,
      Type::getInt8Ty,
      Type::getInt16Ty,
      Type::getInt32Ty,
      Type::getInt64Ty,
      Type::getInt128Ty,
      Type::getFloatTy,
      [](LLVMContext &C) { return Type::getIntNTy(C, 33); },
      [](LLVMContext &C) -> Type * { return PointerType::get(C, 0); },
      [](LLVMContext &C) -> Type * { return PointerType::get(C, 3); },
      [](LLVMContext &C) -> Type * {
        return FixedVectorType::get(Type::getInt32Ty(C), 4);
      }};
  std::vector<std::unique_ptr<IRMutationStrategy>> Strategies;
  Strategies.push_back(std::make_unique<InjectorIRStrategy>(
      InjectorIRStrategy::getDefaultOps()));
  Strategies.push_back(std::make_unique<InstDeleterIRStrategy>());
  Strategies.push_back(std::make_unique<InstModificationIRStrategy>());
  Strategies.push_back(std::make_unique<InsertCFGStrategy>());
  Strategies.push_back(std::make_unique<InsertPHIStrategy>());
  Strategies.push_back(std::make_unique<SinkInstructionStrategy>());
  Strategies.push_back(std::make_unique<ShuffleBlockStrategy>());
  return std::make_unique<IRMutator>(std::move(Types), std::move(Strategies));
}

/// LLVM's reader leaks what it read so far of bitcode that it refuses, which
/// is no leak of the passes.
static std::unique_ptr<Module> parse(const uint8_t *Data, size_t Size,
                                     LLVMContext &Context) {
  __lsan::ScopedDisabler OfTheReader;
  return parseAndVerify(Data, Size, Context);
}

extern "C" size_t LLVMFuzzerCustomMutator(uint8_t *Data, size_t Size,
                                          size_t MaxSize, unsigned Seed) {
  static std::unique_ptr<IRMutator> Mutator = createMutator();
  LLVMContext Context;
  std::unique_ptr<Module> M = parse(Data, Size, Context);
  if (!M)
    return 0;
  // The size here is a number of instructions, blocks and functions.
  static constexpr size_t MaxObjects = 500;
  Mutator->mutateModule(*M, static_cast<int>(Seed), MaxObjects);
  return writeModule(*M, Data, MaxSize);
}

template <typename Pass> static void run(Pass P, Function &F, StringRef What) {
  PassBuilder PB;
  AnalysisManagers Managers(PB);
  P.run(F, Managers.Functions);
  if (verifyFunction(F, &errs()))
    report_fatal_error(Twine("broken by ") + What);
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *Data, size_t Size) {
  LLVMContext Context;
  if (Size <= 1)
    return 0;
  std::unique_ptr<Module> M = parse(Data, Size, Context);
  if (!M)
    return 0;
  M->setTargetTriple(Triple("nvptx64-nvidia-cuda"));
  for (Function &F : *M) {
    if (F.isDeclaration())
      continue;
    run(RangeFactsPrinterPass(nulls()), F, "print<range-facts>");
    run(AccessMapsPrinterPass(nulls()), F, "print<indexing-maps>");
    auto Facts = std::make_shared<IndexFactsState>();
    IndexFactsOptions Options;
    run(IndexFactsPass(Options, Facts), F, "index-facts");
    Options.Mode = IndexFactsOptions::Mode::State;
    run(IndexFactsPass(Options, Facts), F, "index-facts<state>");
    run(IndexSimplifyPass(), F, "index-simplify");
    Options.Mode = IndexFactsOptions::Mode::Forget;
    run(IndexFactsPass(Options, Facts), F, "index-facts<forget>");
    run(IndexSimplifyPass(), F, "a second index-simplify");
    run(InstCombinePass(), F, "instcombine behind index-simplify");
  }
  return 0;
}
