//===- Estimates.cpp - What bounds the compared kernels -------------------===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tools/ptx-compare/Estimates.h"
#include "ptx/limits/KernelLimits.h"
#include "ptx/text/PtxParser.h"
#include "transforms/facts/KernelFacts.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Analysis/AssumptionCache.h"
#include "llvm/IR/DiagnosticInfo.h"
#include "llvm/IR/DiagnosticPrinter.h"
#include "llvm/IR/LLVMContext.h"

using namespace llvm;
using namespace unravel;

/// Keeps a message about a fact, without what comes before its text.
static void keepMessage(const DiagnosticInfo *Info, void *LeftOut) {
  auto &Messages = *static_cast<std::vector<std::string> *>(LeftOut);
  std::string Text;
  raw_string_ostream OS(Text);
  DiagnosticPrinterRawOStream Printer(OS);
  Info->print(Printer);
  if (!is_contained(Messages, Text))
    Messages.push_back(std::move(Text));
}

/// Makes known in a lifted kernel what \p Facts says of it. What has no place
/// there goes to \p LeftOut: the compilation has read the same file, but knows
/// the names of the source.
static void addFacts(const FactsFile &Facts, Function &F,
                     FunctionAnalysisManager &AM,
                     std::vector<std::string> &LeftOut) {
  F.getContext().setDiagnosticHandlerCallBack(keepMessage, &LeftOut);
  FactErrors Errors;
  Facts.applyTo(F, Errors);
  KernelFacts Stated = readKernelFacts(F, Errors);
  applyKernelFacts(F, Stated, AM.getResult<AssumptionAnalysis>(F), Errors);
}

static void addSide(std::vector<KernelPair> &Pairs, StringRef Text,
                    std::optional<Version> KernelPair::*Side,
                    const FactsFile *Facts) {
  ptx::Module M = cantFail(ptx::parseModule(Text, "")); // was read before
  for (KernelPair &Pair : Pairs) {
    auto Add = [&](Function &F, FunctionAnalysisManager &AM) {
      if (Facts)
        addFacts(*Facts, F, AM, Pair.FactsLeftOut);
    };
    if (Pair.IsKernel && Pair.*Side)
      (Pair.*Side)->Estimate =
          estimateKernel(M, *M.find(Pair.Name), std::nullopt, Add);
  }
}

void unravel::addEstimates(std::vector<KernelPair> &Pairs, StringRef Before,
                           StringRef After, const FactsFile *Facts) {
  addSide(Pairs, Before, &KernelPair::Before, Facts);
  addSide(Pairs, After, &KernelPair::After, Facts);
}

std::vector<std::string> unravel::estimateLines(const KernelPair &Pair) {
  if (!Pair.any().Estimate)
    return {};
  std::vector<std::string> Lines =
      Pair.isMatched() ? linesOf(*Pair.Before->Estimate, *Pair.After->Estimate)
                       : linesOf(*Pair.any().Estimate);
  for (const std::string &Fact : Pair.FactsLeftOut)
    Lines.push_back("estimate without a fact: " + Fact);
  return Lines;
}

bool unravel::haveEstimates(ArrayRef<FileComparison> Files) {
  bool Any = false;
  forEachPair(Files, [&](const FileComparison &, const KernelPair &Pair) {
    Any |= Pair.any().Estimate.has_value();
  });
  return Any;
}
