//===- BypassedDivisions.cpp - Short cuts for divisions -------------------===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ptx/lower/BypassedDivisions.h"
#include "llvm/Transforms/Utils/BypassSlowDivision.h"

using namespace llvm;

void unravel::ptx::bypassDivisions(llvm::Function &F) {
  // In 64 bits, those of 32.
  const DenseMap<unsigned, unsigned> Widths = {{64, 32}};
  // The rest of a block that is split comes next, and was looked at.
  for (BasicBlock *Block = &F.front(); Block;) {
    BasicBlock *Next = Block->getNextNode();
    bypassSlowDivision(Block, Widths);
    Block = Next;
  }
}
