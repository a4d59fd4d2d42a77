//===- AddressBuilder.h - Makes the program of a kernel ---------*- C++ -*-===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef UNRAVEL_ANALYSIS_WARPS_ADDRESSBUILDER_H
#define UNRAVEL_ANALYSIS_WARPS_ADDRESSBUILDER_H

#include "analysis/warps/AddressProgram.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include <map>

namespace unravel {

/// Numbers of operations stand for values.
class AddressBuilder {
public:
  AddressBuilder(KernelAnalyses &Analyses, const BlockShape &Block);
  void add(const MemoryAccess &Access);
  /// Without operations that no access needs.
  KernelProgram finish();

private:
  /// What has to be true for a lane to execute a block, and why more is not
  /// known.
  struct Activity {
    std::vector<unsigned> Guards;
    std::vector<std::string> Unknown;
  };
  /// What paths lead to; no operation if that is of no interest.
  struct PathValue {
    bool IsKnown = true;
    std::optional<unsigned> Operation;
  };
  using ValueAtEdge = llvm::function_ref<unsigned(const llvm::BasicBlock *)>;
  struct Walk {
    Walk(const llvm::BasicBlock *From, const llvm::BasicBlock *To,
         ValueAtEdge AtEnd, std::optional<unsigned> Elsewhere)
        : From(From), To(To), AtEnd(AtEnd), Elsewhere(Elsewhere) {}
    const llvm::BasicBlock *From, *To;
    /// Of the edge from this block to To.
    ValueAtEdge AtEnd;
    /// The value where a path does not come to To; then AtEnd is the same at
    /// all edges. Nothing if it is of no interest.
    std::optional<unsigned> Elsewhere;
    llvm::DenseMap<const llvm::BasicBlock *, PathValue> Known;
  };

  // AddressProgram.cpp: values

  unsigned valueOf(const llvm::Value *V);
  /// \p V where \p Place uses it: behind a loop, what its last iteration left.
  unsigned valueAt(const llvm::Value *V, const llvm::BasicBlock *Place);
  unsigned compute(const llvm::Value *V);
  unsigned computeInstruction(const llvm::Instruction &I);
  unsigned call(const llvm::IntrinsicInst &Call);
  unsigned address(const llvm::GEPOperator &GEP);
  unsigned conversion(unsigned Opcode, unsigned From, unsigned Width);
  /// An input for \p V, which is the same in all lanes if \p Deciding are.
  unsigned input(const llvm::Value *V, const llvm::Twine &Why, bool MayDiffer,
                 llvm::ArrayRef<unsigned> Deciding = {});
  unsigned constant(const llvm::APInt &Value);
  unsigned operation(llvm::StringRef Name, unsigned Width,
                     llvm::ArrayRef<unsigned> Operands);
  unsigned emit(AddressOperation::Kind What, unsigned Width,
                llvm::StringRef Name = "", unsigned Number = 0);
  unsigned widthOf(const llvm::Type *Ty) const;
  unsigned widthOf(unsigned Operation) const {
    return Program.Operations[Operation].Width;
  }

  // AddressControl.cpp: joins, loops, guards

  unsigned join(const llvm::PHINode &Phi);
  unsigned loopPhi(const llvm::PHINode &Phi, const llvm::Loop &L);
  unsigned loopNumber(const llvm::Loop &L);
  unsigned iteration(const llvm::Loop &L, unsigned Width);
  /// \p S where \p Place uses it; nullopt if it has no rule.
  std::optional<unsigned> ofSCEV(const llvm::SCEV *S,
                                 const llvm::BasicBlock *Place,
                                 unsigned Depth = 0);
  PathValue walk(const llvm::BasicBlock *From, const llvm::BasicBlock *To,
                 std::optional<unsigned> Elsewhere, ValueAtEdge AtEnd);
  PathValue behindEdge(const llvm::BasicBlock *From, const llvm::BasicBlock *To,
                       Walk &W);
  PathValue behindBlock(const llvm::BasicBlock *BB, Walk &W);
  PathValue choose(unsigned Condition, const PathValue &IfTrue,
                   const PathValue &IfFalse);
  const Activity &activityOf(const llvm::BasicBlock *BB, unsigned Nested = 0);
  Activity activityBefore(const llvm::BasicBlock *BB, unsigned Nested);

  // Behind all accesses

  void findDifferences();
  std::optional<unsigned> differingInput(unsigned Operation) const;
  void prune();

  KernelAnalyses &With;
  BlockShape Block;
  const llvm::DataLayout &Layout;
  KernelProgram Program;
  /// While a value is computed it has no operation.
  llvm::DenseMap<const llvm::Value *, std::optional<unsigned>> Values;
  llvm::DenseMap<const llvm::Loop *, unsigned> LoopNumbers;
  std::map<const llvm::BasicBlock *, Activity> Activities;
  std::map<std::pair<unsigned, std::string>, unsigned> Constants;
  /// Of inputs: operations that decide whether it is the same in all lanes.
  std::vector<std::vector<unsigned>> Deciding;
  /// Of operations: lanes may differ.
  std::vector<bool> Differs;
  unsigned Depth = 0;
};

} // namespace unravel

#endif // UNRAVEL_ANALYSIS_WARPS_ADDRESSBUILDER_H
