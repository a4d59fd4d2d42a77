//===- Contradictions.cpp - Assumptions that leave no execution -----------===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "transforms/facts/Contradictions.h"
#include "analysis/facts/DeviceCode.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Demangle/Demangle.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Intrinsics.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace unravel {

static constexpr StringLiteral Mark = "unravel-has-assumptions";

/// Whether \p BB ends where no execution comes, not behind a call that stops
/// the kernel, as a failed assertion does.
static bool endsUndefined(const BasicBlock &BB) {
  if (!isa<UnreachableInst>(BB.getTerminator()))
    return false;
  return none_of(BB, [](const Instruction &I) {
    auto *Call = dyn_cast<CallBase>(&I);
    return Call && (Call->doesNotReturn() || Call->isInlineAsm() ||
                    Call->getIntrinsicID() == Intrinsic::trap);
  });
}

PreservedAnalyses NoteAssumptionsPass::run(Module &M, ModuleAnalysisManager &) {
  Function *Assume = M.getFunction("llvm.assume");
  if (!Assume ||
      any_of(M, [](const Function &F) { return any_of(F, endsUndefined); }))
    return PreservedAnalyses::all();
  for (User *U : Assume->users())
    if (auto *Call = dyn_cast<AssumeInst>(U))
      if (Function &F = *Call->getFunction(); isKernel(F) && isDeviceCode(F))
        F.addFnAttr(Mark);
  return PreservedAnalyses::all();
}

void expectContradiction(Function &F) { F.removeFnAttr(Mark); }

bool reportContradiction(Function &F, FactErrors &Errors) {
  if (!F.hasFnAttribute(Mark))
    return false;
  F.removeFnAttr(Mark);
  bool HasEnd = false;
  for (const BasicBlock &BB : F)
    if (succ_empty(&BB)) {
      HasEnd = true;
      if (!endsUndefined(BB))
        return true;
    }
  if (HasEnd)
    Errors.report(F.getContext(),
                  demangle(F.getName()) +
                      ": the assumptions of the source contradict "
                      "each other, or this kernel is undefined for "
                      "another reason, such as a division by 0: no "
                      "thread could execute it, and LLVM deleted its "
                      "code; compare the facts that it states");
  return true;
}

} // namespace unravel
