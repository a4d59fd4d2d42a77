//===- Replacement.cpp - Puts planned code in place of old ----------------===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "transforms/simplify/Replacement.h"
#include "llvm/Analysis/AssumptionCache.h"
#include "llvm/IR/Dominators.h"
#include "llvm/Transforms/Utils/Local.h"

using namespace llvm;

namespace unravel {

/// A cleaner address shows alignment that the old one hid: with an aligned
/// base, 16*x is what LoadStoreVectorizer needs to know.
static void raiseAlignment(const IndexRoot &Root, AssumptionCache &AC,
                           DominatorTree &DT) {
  for (Use *U : Root.Uses) {
    auto *I = cast<Instruction>(U->getUser());
    if (getLoadStorePointerOperand(I) != U->get())
      continue;
    Align Known = getKnownAlignment(U->get(), I->getDataLayout(), I, &AC, &DT);
    if (Known > getLoadStoreAlignment(I))
      setLoadStoreAlignment(I, Known);
  }
}

Replacement::Replacement(ArrayRef<IndexRoot *> Roots, DominatorTree &DT,
                         LoopInfo &LI)
    : Roots(Roots), DT(DT), Emitter(DT, LI) {
  for (IndexRoot *Root : Roots)
    if (Root->New && !Root->Constant)
      Emitter.request(Root->New, Root->At, Root->Old->getDebugLoc());
  Emitter.emit();
  for (IndexRoot *Root : Roots) {
    Value *New = Root->Constant ? ConstantInt::getBool(Root->Old->getType(),
                                                       *Root->Constant)
                                : Emitter.valueOf(Root->New);
    for (Use *U : Root->Uses)
      U->set(New);
  }
}

void Replacement::undo() {
  for (IndexRoot *Root : Roots)
    for (Use *U : Root->Uses)
      U->set(Root->Old);
  // Users come behind operands.
  for (Instruction *New : reverse(Emitter.emitted())) {
    auto *Call = dyn_cast<CallInst>(New);
    Function *Intrinsic = Call ? Call->getCalledFunction() : nullptr;
    New->eraseFromParent();
    if (Intrinsic && Intrinsic->use_empty())
      Intrinsic->eraseFromParent();
  }
}

void Replacement::finish(AssumptionCache &AC) {
  SmallVector<WeakTrackingVH, 16> Dead;
  for (IndexRoot *Root : Roots) {
    Value *New = Root->Uses.front()->get();
    if (isa<GetElementPtrInst>(New))
      New->takeName(Root->Old);
    if (Root->Kind == RootKind::Address)
      raiseAlignment(*Root, AC, DT);
    Dead.push_back(Root->Old);
  }
  RecursivelyDeleteTriviallyDeadInstructionsPermissive(Dead);
}

} // namespace unravel
