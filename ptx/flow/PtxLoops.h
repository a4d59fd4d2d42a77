//===- PtxLoops.h - The loops of a PTX function -----------------*- C++ -*-===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The control flow of a function, from its labels and branches (bra, brx.idx,
// ret, exit, trap), and the loops in it:
//
// * A loop is a cycle of the control flow that execution can reach: a maximal
//   set of blocks that reach each other. Its headers are the blocks by which
//   control enters it. Without the edges to its headers, the cycles that are
//   left inside are the loops nested in it.
// * Where every loop has one header, these are the natural loops of LLVM's
//   LoopInfo; several branches back to one header are one loop. An irreducible
//   cycle, which has several headers, is one loop too.
// * A callee is a function of its own: it is in no loop of its callers.
// * Code that execution cannot reach is in no loop.
//
//===----------------------------------------------------------------------===//

#ifndef UNRAVEL_PTX_FLOW_PTXLOOPS_H
#define UNRAVEL_PTX_FLOW_PTXLOOPS_H

#include "ptx/text/PtxSyntax.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringRef.h"
#include <optional>
#include <vector>

namespace unravel {

/// One instruction, in pieces of the text that it was read from.
struct PtxInst {
  llvm::StringRef Opcode;   ///< With all modifiers: "bra.uni".
  llvm::StringRef Operands; ///< All that is behind the opcode.
  bool IsPredicated = false;
};

/// Instructions that are executed one after the other, by their numbers.
struct PtxBlock {
  unsigned Begin, End;
  llvm::SmallVector<unsigned, 2> Next; ///< The blocks that may follow.
};

/// The place of an instruction among the loops.
struct LoopPlace {
  unsigned Depth = 0;
  /// It is in a loop, which has no other loop in it.
  bool IsInnermost = false;
};

struct LoopNest {
  std::vector<LoopPlace> Places; ///< One an instruction.
  unsigned NumLoops = 0;
};

/// The body of a function as it is read, from its first to its last statement.
class PtxBody {
public:
  /// Labels are local to their block `{ }`, as those of inline assembly.
  void openScope();
  void closeScope();
  void addLabel(llvm::StringRef Name);
  /// The labels that `brx.idx` names by \p Table.
  void addBranchTargets(llvm::StringRef Table, llvm::StringRef Labels);
  void addInst(const PtxInst &Inst);

  llvm::ArrayRef<PtxInst> insts() const { return Insts; }
  /// In the order of their instructions.
  std::vector<PtxBlock> blocks() const;
  LoopNest findLoops() const;
  /// The instructions that can be executed after one, by their numbers; the
  /// number of instructions is the end of the body.
  llvm::SmallVector<unsigned, 2> after(unsigned InstNumber) const;
  /// For each instruction, whether control can get there from the instruction
  /// \p First, which counts as well.
  std::vector<bool> reachableFrom(unsigned First) const;

private:
  struct Scope {
    std::optional<unsigned> Parent;
    llvm::StringMap<unsigned> Labels; ///< The number of the next instruction.
    llvm::StringMap<llvm::StringRef> Tables;
  };
  /// Where control can go after an instruction; the number of instructions is
  /// the end of the body.
  struct Successors {
    std::vector<unsigned> Targets;
    bool FallsThrough = true;
  };

  template <typename T>
  std::optional<T> find(unsigned InstNumber, llvm::StringRef Name,
                        llvm::StringMap<T> Scope::*Names) const;
  void addTarget(unsigned InstNumber, llvm::StringRef Label,
                 Successors &To) const;
  Successors successorsOf(unsigned InstNumber) const;

  std::vector<PtxInst> Insts;
  std::vector<unsigned> ScopeOfInst;
  std::vector<Scope> Scopes = std::vector<Scope>(1);
  unsigned Current = 0; ///< The scope.
};

/// The body of a function that has one. Instructions have the order of \p F.
PtxBody bodyOf(const ptx::Function &F);

} // namespace unravel

#endif // UNRAVEL_PTX_FLOW_PTXLOOPS_H
