//===- PtxLoops.cpp - The loops of a PTX function -------------------------===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ptx/flow/PtxLoops.h"
#include "llvm/ADT/SCCIterator.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include <utility>

using namespace llvm;
using namespace unravel;

//===----------------------------------------------------------------------===//
// Where control goes
//===----------------------------------------------------------------------===//

void PtxBody::openScope() {
  Scopes.emplace_back();
  Scopes.back().Parent = Current;
  Current = Scopes.size() - 1;
}

void PtxBody::closeScope() { Current = Scopes[Current].Parent.value_or(0); }

void PtxBody::addLabel(StringRef Name) {
  Scopes[Current].Labels[Name] = Insts.size();
}

void PtxBody::addBranchTargets(StringRef Table, StringRef Labels) {
  Scopes[Current].Tables[Table] = Labels;
}

void PtxBody::addInst(const PtxInst &Inst) {
  Insts.push_back(Inst);
  ScopeOfInst.push_back(Current);
}

/// What a name means to an instruction: the innermost scope that has it wins.
template <typename T>
std::optional<T> PtxBody::find(unsigned InstNumber, StringRef Name,
                               StringMap<T> Scope::*Names) const {
  std::optional<unsigned> At = ScopeOfInst[InstNumber];
  for (; At; At = Scopes[*At].Parent)
    if (auto It = (Scopes[*At].*Names).find(Name);
        It != (Scopes[*At].*Names).end())
      return It->second;
  return std::nullopt;
}

void PtxBody::addTarget(unsigned InstNumber, StringRef Label,
                        Successors &To) const {
  if (auto Target = find(InstNumber, Label.trim(), &Scope::Labels))
    To.Targets.push_back(*Target);
}

PtxBody::Successors PtxBody::successorsOf(unsigned InstNumber) const {
  const PtxInst &Inst = Insts[InstNumber];
  StringRef Base = Inst.Opcode.split('.').first;
  Successors To;
  if (!is_contained({"bra", "brx", "ret", "exit", "trap"}, Base))
    return To;
  To.FallsThrough = Inst.IsPredicated;
  if (Base == "bra")
    addTarget(InstNumber, Inst.Operands, To);
  if (Base == "brx") { // brx.idx %r1, table;
    StringRef Table = Inst.Operands.split(',').second.trim();
    SmallVector<StringRef, 8> Labels;
    find(InstNumber, Table, &Scope::Tables).value_or("").split(Labels, ',');
    for (StringRef Label : Labels)
      addTarget(InstNumber, Label, To);
  }
  return To;
}

SmallVector<unsigned, 2> PtxBody::after(unsigned InstNumber) const {
  Successors To = successorsOf(InstNumber);
  SmallVector<unsigned, 2> Next(To.Targets.begin(), To.Targets.end());
  if (To.FallsThrough)
    Next.push_back(InstNumber + 1);
  return Next;
}

std::vector<bool> PtxBody::reachableFrom(unsigned First) const {
  std::vector<bool> Reached(Insts.size());
  SmallVector<unsigned, 16> Work = {First};
  while (!Work.empty()) {
    unsigned Number = Work.pop_back_val();
    if (Number >= Insts.size() || Reached[Number])
      continue;
    Reached[Number] = true;
    Work.append(after(Number));
  }
  return Reached;
}

std::vector<PtxBlock> PtxBody::blocks() const {
  // A block begins at each target, and behind each branch.
  std::vector<Successors> To;
  std::vector<bool> Begins(Insts.size() + 1);
  for (unsigned I = 0; I < Insts.size(); ++I) {
    To.push_back(successorsOf(I));
    for (unsigned Target : To.back().Targets)
      Begins[Target] = Begins[I + 1] = true;
    if (!To.back().FallsThrough)
      Begins[I + 1] = true;
  }
  std::vector<PtxBlock> Blocks;
  std::vector<unsigned> BlockOf;
  for (unsigned I = 0; I < Insts.size(); ++I) {
    if (I == 0 || Begins[I])
      Blocks.push_back({I, I, {}});
    BlockOf.push_back(Blocks.size() - 1);
    Blocks.back().End = I + 1;
  }
  for (PtxBlock &B : Blocks) {
    const Successors &Last = To[B.End - 1];
    for (unsigned Target : Last.Targets)
      if (Target < Insts.size())
        B.Next.push_back(BlockOf[Target]);
    if (Last.FallsThrough && B.End < Insts.size())
      B.Next.push_back(BlockOf[B.End]);
  }
  return Blocks;
}

PtxBody unravel::bodyOf(const ptx::Function &F) {
  PtxBody Body;
  StringRef LastLabel;
  for (const ptx::Statement &S : F.Body) {
    if (auto *I = S.as<ptx::Instruction>()) {
      PtxInst Inst;
      Inst.Opcode = I->Opcode;
      Inst.Operands = I->Operands.empty()
                          ? StringRef()
                          : StringRef(I->Operands.front().Text.begin(),
                                      I->Operands.back().Text.end() -
                                          I->Operands.front().Text.begin());
      Inst.IsPredicated = !I->Predicate.empty();
      Body.addInst(Inst);
    } else if (auto *L = S.as<ptx::Label>()) {
      LastLabel = L->Name;
      Body.addLabel(L->Name);
    } else if (auto *Braces = S.as<ptx::Scope>()) {
      if (Braces->Begins)
        Body.openScope();
      else
        Body.closeScope();
    } else if (auto *D = S.as<ptx::Directive>();
               D && D->Name == "branchtargets") {
      Body.addBranchTargets(LastLabel, D->Rest);
    }
  }
  return Body;
}

//===----------------------------------------------------------------------===//
// Loops
//===----------------------------------------------------------------------===//

namespace {
/// A basic block. The search for loops takes edges away from it.
struct Block {
  SmallVector<Block *, 2> Successors;
  std::optional<unsigned> Loop; ///< The innermost one that is known by now.
  unsigned Depth = 0;
  bool IsReached = false;
  bool IsHeader = false;
};
} // namespace

template <> struct llvm::GraphTraits<Block *> {
  using NodeRef = Block *;
  using ChildIteratorType = SmallVector<Block *, 2>::iterator;
  static NodeRef getEntryNode(Block *Entry) { return Entry; }
  static ChildIteratorType child_begin(Block *B) {
    return B->Successors.begin();
  }
  static ChildIteratorType child_end(Block *B) { return B->Successors.end(); }
};

static SmallVector<Block *, 0> findReached(Block &Entry) {
  SmallVector<Block *, 0> Reached = {&Entry};
  Entry.IsReached = true;
  for (size_t I = 0; I < Reached.size(); ++I)
    for (Block *To : Reached[I]->Successors)
      if (!std::exchange(To->IsReached, true))
        Reached.push_back(To);
  return Reached;
}

/// The sets of blocks that reach each other, of blocks with only the edges that
/// are left.
static std::vector<std::vector<Block *>>
findCycles(const SmallVector<Block *, 0> &Blocks) {
  Block Root; // Leads everywhere.
  Root.Successors.append(Blocks.begin(), Blocks.end());
  std::vector<std::vector<Block *>> Cycles;
  for (auto It = scc_begin(&Root); !It.isAtEnd(); ++It)
    if (It.hasCycle())
      Cycles.push_back(*It);
  return Cycles;
}

/// Gives each block its innermost loop and its depth. Returns for every loop
/// whether another is in it.
static std::vector<bool> nestLoops(Block &Entry) {
  std::vector<bool> HasInner;
  SmallVector<Block *, 0> Blocks = findReached(Entry);
  Entry.IsHeader = true;    // Control enters it, from outside.
  while (!Blocks.empty()) { // Each time, one level of loops.
    SmallVector<Block *, 0> InLoops;
    for (const std::vector<Block *> &Cycle : findCycles(Blocks)) {
      for (Block *B : Cycle) {
        if (B->Loop)
          HasInner[*B->Loop] = true;
        B->Loop = HasInner.size();
        ++B->Depth;
        InLoops.push_back(B);
      }
      HasInner.push_back(false);
    }
    // Edges between loops and to headers are in no loop of the next level. An
    // edge from outside the blocks of this level would have made its target a
    // header of the loop around.
    for (Block *B : Blocks)
      for (Block *To : B->Successors)
        To->IsHeader |= To->Loop != B->Loop;
    for (Block *B : Blocks)
      erase_if(B->Successors, [](const Block *To) { return To->IsHeader; });
    Blocks = std::move(InLoops);
  }
  return HasInner;
}

LoopNest PtxBody::findLoops() const {
  LoopNest Nest;
  Nest.Places.resize(Insts.size());
  if (Insts.empty())
    return Nest;

  std::vector<PtxBlock> InOrder = blocks();
  std::vector<Block> Blocks(InOrder.size());
  for (auto [B, From] : zip_equal(Blocks, InOrder))
    for (unsigned To : From.Next)
      B.Successors.push_back(&Blocks[To]);

  std::vector<bool> HasInner = nestLoops(Blocks.front());
  for (auto [B, Of] : zip_equal(Blocks, InOrder))
    for (unsigned I = Of.Begin; I < Of.End; ++I) {
      Nest.Places[I].Depth = B.Depth;
      Nest.Places[I].IsInnermost = B.Loop && !HasInner[*B.Loop];
    }
  Nest.NumLoops = HasInner.size();
  return Nest;
}
