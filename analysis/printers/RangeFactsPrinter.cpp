//===- RangeFactsPrinter.cpp - The facts of every block as text -----------===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "analysis/printers/RangeFactsPrinter.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/ModuleSlotTracker.h"

using namespace llvm;

namespace unravel {

/// Atoms of a text that is still read; in a form they may share operands, which
/// a text repeats.
static constexpr uint64_t MaxWrittenAtoms = 100;

/// The atoms in the text of \p Form, if these are at most MaxWrittenAtoms, else
/// some number above it.
static uint64_t writtenAtoms(IndexExpr Form) {
  DenseMap<const IndexAtom *, uint64_t> Sizes;
  auto SizeOf = [&](IndexExpr E) {
    uint64_t Size = 0;
    for (const IndexTerm &T : E ? E.terms() : ArrayRef<IndexTerm>())
      Size += Sizes.lookup(T.Atom);
    return Size;
  };
  forEachAtom(Form, [&](const IndexAtom *A) { // operands first
    uint64_t Size = 1;
    if (A->isProduct())
      for (const IndexAtom *Factor : A->factors())
        Size += Sizes.lookup(Factor);
    else if (!A->isVariable())
      Size += SizeOf(A->operand()) + SizeOf(A->divisor());
    Sizes[A] = std::min(Size, MaxWrittenAtoms + 1);
  });
  return SizeOf(Form);
}

/// "2*a + b in [0, 9]", without a range that only says what fits the type.
static void printForm(raw_ostream &OS, IndexRecovery &Recovery,
                      RecoveryScope &Scope, IndexExpr Form,
                      const Interval &OfType) {
  if (writtenAtoms(Form) > MaxWrittenAtoms)
    OS << "a form with " << countDivisions(Form) << " divisions";
  else
    print(OS, Recovery.context(), Form);
  if (Interval Range = Scope.Domain.range(Form); Range != OfType)
    OS << " in " << Range;
}

/// "%x = 2*a + b in [0, 9], = 1 (mod 4)".
static void printValue(raw_ostream &OS, Value &V, IndexRecovery &Recovery,
                       RecoveryScope &Scope, ModuleSlotTracker &Slots) {
  const RecoveredValue &R = Recovery.recover(&V, Scope);
  OS << "    ";
  V.printAsOperand(OS, /*PrintType=*/false, Slots);
  OS << " = ";
  bool IsInt = V.getType()->isIntegerTy(32);
  printForm(OS, Recovery, Scope, R.Signed,
            IsInt ? Interval(INT32_MIN, INT32_MAX) : Interval());
  if (R.Unsigned != R.Signed) {
    OS << ", unsigned ";
    printForm(OS, Recovery, Scope, R.Unsigned,
              IsInt ? Interval(0, UINT32_MAX) : Interval());
  }
  Congruence C = Scope.Domain.congruence(R.Signed);
  if (C.modulus() > 1)
    OS << ", = " << C.residue() << " (mod " << C.modulus() << ")";
  OS << '\n';
}

PreservedAnalyses RangeFactsPrinterPass::run(Function &F,
                                             FunctionAnalysisManager &AM) {
  DominatorTree &DT = AM.getResult<DominatorTreeAnalysis>(F);
  RangeFacts Facts(F, AM);
  IndexRecovery Recovery(Facts, DT, AM.getResult<LoopAnalysis>(F), Limits);
  ModuleSlotTracker Slots(F.getParent(), false);
  Slots.incorporateFunction(F);
  OS << "Range facts of " << F.getName() << ":\n";
  for (BasicBlock &BB : F) {
    if (!DT.isReachableFromEntry(&BB))
      continue;
    RecoveryScope &Scope = Recovery.scopeOf(&BB);
    OS << "  ";
    BB.printAsOperand(OS, /*PrintType=*/false, Slots);
    OS << (Scope.Domain.isKnownEmpty() ? ": never executed\n" : ":\n");
    for (const IndexConstraint &C : Scope.Domain.constraints()) {
      OS << "    known: ";
      print(OS, Recovery.context(), C.Expr);
      OS << " in " << C.Range << '\n';
    }
    for (Instruction &I : BB)
      if (IndexRecovery::isIndexValue(&I))
        printValue(OS, I, Recovery, Scope, Slots);
  }
  return PreservedAnalyses::all();
}

} // namespace unravel
