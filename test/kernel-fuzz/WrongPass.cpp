//===- WrongPass.cpp - Passes that kernel-fuzz has to notice --------------===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A check that has never failed proves nothing. Each of these passes is wrong
// in the way that a simplifier of index arithmetic may be wrong:
//
//   wrong-division     x / c becomes a shift: another value
//   wrong-flag         an addition gets nsw: poison
//   wrong-address      an element further: another address
//   wrong-speculation  a division leaves its guard: undefined behavior
//   wrong-freeze       looks through a freeze: poison in an address
//   wrong-lane         another lane of a vector: another address, or poison
//   wrong-undef        takes undef for poison
//   wrong-crash        ends the process
//
//===----------------------------------------------------------------------===//

#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/PatternMatch.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Plugins/PassPlugin.h"
#include <cstdlib>

using namespace llvm;
using namespace llvm::PatternMatch;

namespace {

bool shiftsInsteadOfDividing(Instruction &I) {
  const APInt *Divisor;
  if (!match(&I, m_UDiv(m_Value(), m_APInt(Divisor))) ||
      Divisor->isPowerOf2() || Divisor->ult(3))
    return false;
  IRBuilder<> B(&I);
  I.replaceAllUsesWith(
      B.CreateLShr(I.getOperand(0), Divisor->logBase2(), "wrong"));
  return true;
}

bool claimsNoWrap(Instruction &I) {
  if (I.getOpcode() != Instruction::Add || I.hasNoSignedWrap())
    return false;
  I.setHasNoSignedWrap(true);
  return true;
}

bool movesAddress(Instruction &I) {
  auto *Store = dyn_cast<StoreInst>(&I);
  if (!Store)
    return false;
  IRBuilder<> B(Store);
  Store->setOperand(
      1, B.CreateConstGEP1_64(B.getInt8Ty(), Store->getPointerOperand(), 4));
  return true;
}

/// To the front of the function, if the operands are there.
bool speculates(Instruction &I) {
  BasicBlock &Entry = I.getFunction()->getEntryBlock();
  bool IsMovable =
      I.isIntDivRem() && I.getParent() != &Entry &&
      isa<Argument>(I.getOperand(1)) &&
      (isa<Argument>(I.getOperand(0)) || isa<Constant>(I.getOperand(0)));
  if (IsMovable)
    I.moveBefore(Entry.getTerminator()->getIterator());
  return IsMovable;
}

bool dropsFreeze(Instruction &I) {
  if (!isa<FreezeInst>(I))
    return false;
  I.replaceAllUsesWith(I.getOperand(0));
  return true;
}

/// The next one; the last one becomes one that is none.
bool takesAnotherLane(Instruction &I) {
  auto *Extract = dyn_cast<ExtractElementInst>(&I);
  auto *Lane =
      Extract ? dyn_cast<ConstantInt>(Extract->getIndexOperand()) : nullptr;
  if (!Lane)
    return false;
  Extract->setOperand(1,
                      ConstantInt::get(Lane->getType(), Lane->getValue() + 1));
  return true;
}

bool poisonsUndef(Instruction &I) {
  for (Use &U : I.operands())
    if (isa<UndefValue>(U) && !isa<PoisonValue>(U)) {
      U.set(PoisonValue::get(U->getType()));
      return true;
    }
  return false;
}

bool crashes(Instruction &) { std::abort(); }

using Rewrite = bool (*)(Instruction &);

/// Does it once.
class WrongPass : public PassInfoMixin<WrongPass> {
public:
  explicit WrongPass(Rewrite Change) : Change(Change) {}
  PreservedAnalyses run(Function &F, FunctionAnalysisManager &) {
    for (Instruction &I : instructions(F))
      if (Change(I))
        return PreservedAnalyses::none();
    return PreservedAnalyses::all();
  }

private:
  Rewrite Change;
};

constexpr struct {
  StringRef Name;
  Rewrite Change;
} Passes[] = {{"wrong-division", shiftsInsteadOfDividing},
              {"wrong-flag", claimsNoWrap},
              {"wrong-address", movesAddress},
              {"wrong-speculation", speculates},
              {"wrong-freeze", dropsFreeze},
              {"wrong-lane", takesAnotherLane},
              {"wrong-undef", poisonsUndef},
              {"wrong-crash", crashes}};

bool parse(StringRef Name, FunctionPassManager &FPM,
           ArrayRef<PassBuilder::PipelineElement>) {
  for (const auto &Entry : Passes)
    if (Name == Entry.Name) {
      FPM.addPass(WrongPass(Entry.Change));
      return true;
    }
  return false;
}

void registerPasses(PassBuilder &PB) {
  PB.registerPipelineParsingCallback(parse);
}

} // namespace

extern "C" LLVM_ATTRIBUTE_VISIBILITY_DEFAULT
    LLVM_ATTRIBUTE_WEAK ::llvm::PassPluginLibraryInfo
    llvmGetPassPluginInfo() {
  return {LLVM_PLUGIN_API_VERSION, "WrongPass", "1", registerPasses, nullptr};
}
