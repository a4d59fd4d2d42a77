//===- ClonedBody.cpp - The blocks of a function, once more ---------------===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "transforms/late/ClonedBody.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/Function.h"
#include "llvm/Transforms/Utils/Cloning.h"

using namespace llvm;

namespace unravel {

SmallVector<BasicBlock *, 16> cloneBody(Function &F, Function &Into,
                                        ValueToValueMapTy &Copies) {
  for (auto [Old, New] : zip(F.args(), Into.args()))
    Copies[&Old] = &New;
  SmallVector<BasicBlock *, 16> Blocks;
  for (BasicBlock &BB : F) {
    Blocks.push_back(CloneBasicBlock(&BB, Copies, "", &Into));
    Copies[&BB] = Blocks.back();
  }
  return Blocks;
}

} // namespace unravel
