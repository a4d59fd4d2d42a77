//===- HostLoops.cpp - Counts iterations in host code ---------------------===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tools/kernel-run/host/HostLoops.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/Dominators.h"

using namespace llvm;

namespace unravel {

void addIterationCounters(Function &Copy, Function &Source,
                          const ValueToValueMapTy &Map, HostCode &Code,
                          bool CountsCalls) {
  DominatorTree DT(Source);
  LoopInfo LI(DT);
  auto NewCounter = [&](const BasicBlock *Header) {
    Code.Counters.push_back({&Source, Header});
    return uint32_t(Code.Counters.size() - 1);
  };
  for (const Loop *L : LI.getLoopsInPreorder()) {
    BasicBlock *Header = L->getHeader();
    auto *Place = cast<BasicBlock>(Map.lookup(Header));
    IRBuilder<> B(Place, Place->begin());
    PHINode *Starts = B.CreatePHI(B.getInt32Ty(), 2);
    for (const BasicBlock *From : predecessors(Header))
      Starts->addIncoming(B.getInt32(!L->contains(From)),
                          cast<BasicBlock>(Map.lookup(From)));
    B.SetInsertPoint(Place, Place->getFirstInsertionPt());
    Code.call(B, runtime::count, {B.getInt32(NewCounter(Header)), Starts});
  }
  if (CountsCalls) {
    IRBuilder<> B(&Copy.getEntryBlock(), Copy.getEntryBlock().begin());
    Code.call(B, runtime::count,
              {B.getInt32(NewCounter(nullptr)), B.getInt32(false)});
  }
}

} // namespace unravel
