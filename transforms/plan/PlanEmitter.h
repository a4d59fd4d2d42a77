//===- PlanEmitter.h - Writes planned arithmetic into the IR ----*- C++ -*-===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Each node is emitted once, at the lowest place that dominates all its uses,
// moved out of the loops that none of its operands change in. Planned
// arithmetic has no side effects, so executing it earlier is safe, except for a
// division by a value of run time: that stays behind its anchor
// (ExpandRuntimeDivision.cpp).
//
//===----------------------------------------------------------------------===//

#ifndef UNRAVEL_TRANSFORMS_PLAN_PLANEMITTER_H
#define UNRAVEL_TRANSFORMS_PLAN_PLANEMITTER_H

#include "transforms/plan/PlanInstruction.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/IR/DebugLoc.h"
#include "llvm/IR/IRBuilder.h"
#include <map>

namespace llvm {
class DominatorTree;
class Loop;
class LoopInfo;
} // namespace llvm

namespace unravel {

class PlanEmitter {
public:
  PlanEmitter(llvm::DominatorTree &DT, llvm::LoopInfo &LI);

  /// Asks for \p Node in front of \p At, on behalf of code at \p Loc. All
  /// requests come before emit().
  void request(const PlanNode *Node, llvm::Instruction *At, llvm::DebugLoc Loc);
  /// Emits everything that was requested.
  void emit();
  /// The IR value of a requested node, after emit().
  llvm::Value *valueOf(const PlanNode *Node);
  /// All new instructions, operands before users.
  llvm::ArrayRef<llvm::Instruction *> emitted() const { return Emitted; }

private:
  struct Placement {
    llvm::Instruction *Before = nullptr;
    llvm::DebugLoc Loc;
    bool HasLoc = false;
  };
  void place(const PlanNode *Node, llvm::Instruction *Before,
             llvm::DebugLoc Loc);
  llvm::Instruction *hoist(const PlanNode *Node, llvm::Instruction *Before);
  bool isInvariantIn(const PlanNode *Node, const llvm::Loop *L,
                     llvm::BasicBlock *Preheader);
  ScaledIndex indexOf(const PlanNode &PtrAdd, llvm::Instruction *Before);
  llvm::Value *create(const PlanNode *Node);
  llvm::Value *leafValue(const PlanNode *Node, llvm::DebugLoc Loc);

  llvm::DominatorTree &DT;
  llvm::LoopInfo &LI;
  llvm::SmallVector<llvm::Instruction *, 16> Emitted;
  llvm::IRBuilder<llvm::ConstantFolder, llvm::IRBuilderCallbackInserter>
      Builder;
  /// By node id, so that users come before operands when read backwards.
  std::map<unsigned, std::pair<const PlanNode *, Placement>> Nodes;
  llvm::DenseMap<const PlanNode *, llvm::Value *> Values;
  llvm::DenseMap<llvm::Value *, llvm::Value *> Frozen;
  llvm::DenseMap<std::pair<const PlanNode *, const llvm::Loop *>, bool>
      Invariant;
};

} // namespace unravel

#endif // UNRAVEL_TRANSFORMS_PLAN_PLANEMITTER_H
