//===- SharedEdges.cpp - Copies for the edge that is taken ----------------===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ptx/forms/SharedEdges.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InlineAsm.h"
#include <map>

using namespace llvm;

/// Fewer copies cost less than another jump: ptxas selects instead.
static constexpr unsigned LeastCopies = 3;

/// With one edge to each successor.
static bool endsWithBranch(const BasicBlock &From) {
  auto *Branch = dyn_cast<BranchInst>(From.getTerminator());
  return Branch && (Branch->isUnconditional() ||
                    Branch->getSuccessor(0) != Branch->getSuccessor(1));
}

/// A block with the copies for \p Edges, which all bring the same values to
/// \p To.
static void share(ArrayRef<BasicBlock *> Edges, BasicBlock &To) {
  LLVMContext &Context = To.getContext();
  BasicBlock *Shared =
      BasicBlock::Create(Context, "shared", To.getParent(), &To);
  IRBuilder<> B(Shared);
  // The backend removes empty blocks.
  B.CreateCall(InlineAsm::get(FunctionType::get(B.getVoidTy(), false), "", "",
                              /*hasSideEffects=*/true));
  B.CreateBr(&To);
  for (PHINode &Phi : To.phis()) {
    Phi.addIncoming(Phi.getIncomingValueForBlock(Edges.front()), Shared);
    for (BasicBlock *From : Edges)
      Phi.removeIncomingValue(From, /*DeletePHIIfEmpty=*/false);
  }
  for (BasicBlock *From : Edges)
    From->getTerminator()->replaceSuccessorWith(&To, Shared);
}

void unravel::ptx::shareEdges(llvm::Function &F) {
  DominatorTree DT(F);
  for (BasicBlock &To : make_early_inc_range(F)) {
    if (!DT.isReachableFromEntry(&To) ||
        !hasNItemsOrMore(To.phis(), LeastCopies))
      continue;
    // What a loop carries is copied where it goes back, however often.
    if (any_of(predecessors(&To),
               [&](BasicBlock *From) { return DT.dominates(&To, From); }))
      continue;
    using Values = SmallVector<Value *, 8>;
    MapVector<Values, SmallVector<BasicBlock *, 4>, std::map<Values, unsigned>>
        Groups;
    for (BasicBlock *From : predecessors(&To)) {
      if (!endsWithBranch(*From))
        continue;
      Values Brought;
      for (PHINode &Phi : To.phis())
        Brought.push_back(Phi.getIncomingValueForBlock(From));
      Groups[Brought].push_back(From);
    }
    for (const auto &[Brought, Group] : Groups)
      if (Group.size() > 1 &&
          any_of(Group, [](BasicBlock *From) { return succ_size(From) > 1; }))
        share(Group, To);
  }
}
