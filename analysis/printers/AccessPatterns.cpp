//===- AccessPatterns.cpp - How warps access memory -----------------------===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "analysis/printers/AccessPatterns.h"
#include "analysis/facts/DeviceCode.h"
#include "analysis/warps/AccessText.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Analysis/OptimizationRemarkEmitter.h"
#include "llvm/IR/DiagnosticInfo.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/raw_ostream.h"

#define DEBUG_TYPE "access-patterns"

using namespace llvm;

namespace unravel {

/// The block of \p F, and where that is from.
static std::pair<BlockShape, StringRef> describedBlock(const Function &F) {
  std::optional<KnownBlock> Known = blockOf(F);
  if (!Known)
    return {BlockShape(), "assumed"};
  return {Known->Shape, Known->IsExact
                            ? "required by the kernel"
                            : "assumed: the launch bound of the kernel"};
}

PreservedAnalyses AccessPatternsPrinterPass::run(Function &F,
                                                 FunctionAnalysisManager &AM) {
  auto [Block, Source] = describedBlock(F);
  OS << "Access patterns of " << F.getName() << ", ";
  print(Block, Source, OS);
  OS << ":\n";
  for (const AccessReport &R : reportAccesses(F, AM, Block)) {
    std::string Place;
    if (const DILocation *L = sourcePlace(*R.Access.Instruction))
      Place = (L->getFilename() + ":" + Twine(L->getLine())).str();
    print(R, Place, OS << "  ");
  }
  return PreservedAnalyses::all();
}

PreservedAnalyses AccessRemarksPass::run(Function &F,
                                         FunctionAnalysisManager &AM) {
  if (F.getCallingConv() != CallingConv::PTX_Kernel || !isDeviceCode(F))
    return PreservedAnalyses::all();
  auto &ORE = AM.getResult<OptimizationRemarkEmitterAnalysis>(F);
  if (!ORE.allowExtraAnalysis(DEBUG_TYPE))
    return PreservedAnalyses::all();
  auto [Block, Source] = describedBlock(F);
  std::string OfBlock;
  raw_string_ostream OS(OfBlock);
  print(Block, Source, OS);
  for (const AccessReport &R : reportAccesses(F, AM, Block)) {
    if (!R.HasCost && R.NotUnderstood.empty())
      continue;
    const Instruction *I = R.Access.Instruction;
    OptimizationRemarkAnalysis Remark(
        DEBUG_TYPE, R.NotUnderstood.empty() ? "Access" : "NotUnderstood",
        DiagnosticLocation(sourcePlace(*I)), I->getParent());
    ORE.emit(Remark << join(linesOf(R), "; ") << "; " << OfBlock);
  }
  return PreservedAnalyses::all();
}

} // namespace unravel
