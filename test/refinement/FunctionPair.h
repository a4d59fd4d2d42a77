//===- FunctionPair.h - Which instruction became which ----------*- C++ -*-===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Two versions of a function with the same control flow: pairs their blocks by
// position, and in each block the instructions that touch more than values,
// phis and freezes. Only loads and functions without effects may have gone.
//
//===----------------------------------------------------------------------===//

#ifndef UNRAVEL_TEST_REFINEMENT_FUNCTIONPAIR_H
#define UNRAVEL_TEST_REFINEMENT_FUNCTIONPAIR_H

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/Instructions.h"
#include "llvm/Support/Error.h"
#include <set>

namespace unravel::refinement {

/// Memory accesses, calls with effects and terminators: what the later version
/// has to do exactly as the earlier one.
bool isEvent(const llvm::Instruction &I);
/// Something after which the program may not go on.
bool mayStop(const llvm::Instruction &I);

struct FunctionPair {
  const llvm::Function *Before, *After;
  /// Blocks in an order in which only the edges back to a loop's header point
  /// upwards. The same positions are the same blocks.
  llvm::SmallVector<const llvm::BasicBlock *, 8> BeforeBlocks, AfterBlocks;
  llvm::DenseMap<const llvm::BasicBlock *, unsigned> Position; // of both
  /// Positions of blocks that an edge points back to.
  std::set<unsigned> Headers;
  /// Instruction of After -> instruction of Before.
  llvm::DenseMap<const llvm::Instruction *, const llvm::Instruction *> Partner;

  const llvm::Instruction *partnerOf(const llvm::Instruction &I) const {
    return I.getFunction() == Before ? &I : Partner.lookup(&I);
  }
  bool isBackEdge(const llvm::BasicBlock *From,
                  const llvm::BasicBlock *To) const {
    return Position.lookup(To) <= Position.lookup(From);
  }
};

/// The error says what is different in a way that this prover does not follow.
llvm::Expected<FunctionPair> pairFunctions(const llvm::Function &Before,
                                           const llvm::Function &After);

} // namespace unravel::refinement

#endif // UNRAVEL_TEST_REFINEMENT_FUNCTIONPAIR_H
