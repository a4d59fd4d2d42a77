//===- AddressControl.cpp - Joins, loops and guards of addresses ----------===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "analysis/warps/AddressBuilder.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;

namespace unravel {

//===----------------------------------------------------------------------===//
// Loops
//===----------------------------------------------------------------------===//

unsigned AddressBuilder::loopNumber(const Loop &L) {
  auto [It, IsNew] = LoopNumbers.try_emplace(&L, Program.Loops.size());
  unsigned Number = It->second;
  if (IsNew) {
    Program.Loops.push_back({L.getHeader()->getName().str(), std::nullopt});
    const SCEV *Last = With.SE.getBackedgeTakenCount(&L);
    // Pushed first: what computes it may ask for loops around this one.
    if (!isa<SCEVCouldNotCompute>(Last))
      Program.Loops[Number].Last = ofSCEV(Last, L.getHeader());
  }
  return Number;
}

unsigned AddressBuilder::iteration(const Loop &L, unsigned Width) {
  unsigned Number = loopNumber(L);
  return emit(AddressOperation::Kind::Iteration, Width, "", Number);
}

/// Start + step * n in the iteration n, or a number to choose.
unsigned AddressBuilder::loopPhi(const PHINode &Phi, const Loop &L) {
  const BasicBlock *Entry = L.getLoopPredecessor();
  const BasicBlock *Header = Phi.getParent();
  if (!Entry)
    return input(&Phi, "its loop has several entries", /*MayDiffer=*/true);
  unsigned Width = widthOf(Phi.getType());
  if (With.SE.isSCEVable(Phi.getType())) {
    auto *Counting =
        dyn_cast<SCEVAddRecExpr>(With.SE.getSCEV(const_cast<PHINode *>(&Phi)));
    std::optional<unsigned> Step;
    if (Counting && Counting->getLoop() == &L && Counting->isAffine())
      Step = ofSCEV(Counting->getStepRecurrence(With.SE), Header);
    if (Step && widthOf(*Step) == Width) {
      unsigned Start = valueAt(Phi.getIncomingValueForBlock(Entry), Header);
      unsigned Moved = operation("mul", Width, {*Step, iteration(L, Width)});
      return operation("add", Width, {Start, Moved});
    }
  }
  // The same in all lanes if what it begins with is, and stays so.
  unsigned Result = input(&Phi, "it changes in a loop", /*MayDiffer=*/false);
  unsigned Number = Program.Operations[Result].Number;
  Values[&Phi] = Result;
  std::vector<unsigned> DecidedBy;
  for (const Value *V : Phi.incoming_values())
    DecidedBy.push_back(valueAt(V, Header));
  Deciding[Number] = std::move(DecidedBy);
  return Result;
}

std::optional<unsigned> AddressBuilder::ofSCEV(const SCEV *S,
                                               const BasicBlock *Place,
                                               unsigned Nested) {
  static constexpr unsigned MaxNested = 32;
  if (Nested > MaxNested || isa<SCEVCouldNotCompute>(S))
    return std::nullopt;
  unsigned Width = widthOf(S->getType());
  auto Of = [&](const SCEV *Operand) {
    return ofSCEV(Operand, Place, Nested + 1);
  };
  auto Folded = [&](StringRef Name) -> std::optional<unsigned> {
    std::optional<unsigned> Result;
    for (const SCEV *Operand : S->operands()) {
      std::optional<unsigned> Next = Of(Operand);
      if (!Next)
        return std::nullopt;
      // A pointer plus a number.
      if (widthOf(*Next) != Width)
        return std::nullopt;
      Result = Result ? operation(Name, Width, {*Result, *Next}) : *Next;
    }
    return Result;
  };
  switch (S->getSCEVType()) {
  case scConstant:
    return constant(cast<SCEVConstant>(S)->getAPInt());
  case scUnknown: {
    const Value *V = cast<SCEVUnknown>(S)->getValue();
    auto *I = dyn_cast<Instruction>(V);
    const Loop *Inner = I ? With.LI.getLoopFor(I->getParent()) : nullptr;
    if (Inner && !Inner->contains(Place))
      return std::nullopt;
    return valueOf(V);
  }
  case scTruncate:
  case scZeroExtend:
  case scSignExtend:
  case scPtrToInt: {
    std::optional<unsigned> From = Of(cast<SCEVCastExpr>(S)->getOperand());
    if (!From)
      return std::nullopt;
    bool IsSigned = isa<SCEVSignExtendExpr>(S);
    return conversion(IsSigned ? Instruction::SExt : Instruction::ZExt, *From,
                      Width);
  }
  case scAddExpr:
    return Folded("add");
  case scMulExpr:
    return Folded("mul");
  case scUDivExpr:
    return Folded("udiv");
  case scUMaxExpr:
    return Folded("umax");
  case scSMaxExpr:
    return Folded("smax");
  case scUMinExpr:
    return Folded("umin");
  case scSMinExpr:
    return Folded("smin");
  case scAddRecExpr: {
    auto *Counting = cast<SCEVAddRecExpr>(S);
    if (!Counting->isAffine() || !Counting->getLoop()->contains(Place))
      return std::nullopt;
    std::optional<unsigned> Start = Of(Counting->getStart());
    std::optional<unsigned> Step = Of(Counting->getOperand(1));
    if (!Start || !Step || widthOf(*Start) != Width || widthOf(*Step) != Width)
      return std::nullopt;
    unsigned Moved = operation("mul", Width,
                               {*Step, iteration(*Counting->getLoop(), Width)});
    return operation("add", Width, {*Start, Moved});
  }
  default:
    return std::nullopt;
  }
}

//===----------------------------------------------------------------------===//
// Paths
//===----------------------------------------------------------------------===//

AddressBuilder::PathValue AddressBuilder::choose(unsigned Condition,
                                                 const PathValue &IfTrue,
                                                 const PathValue &IfFalse) {
  if (!IfTrue.IsKnown || !IfFalse.IsKnown)
    return {false, std::nullopt};
  if (!IfTrue.Operation || IfTrue.Operation == IfFalse.Operation)
    return IfFalse;
  if (!IfFalse.Operation)
    return IfTrue;
  return {true, operation("select", widthOf(*IfTrue.Operation),
                          {Condition, *IfTrue.Operation, *IfFalse.Operation})};
}

AddressBuilder::PathValue AddressBuilder::behindEdge(const BasicBlock *From,
                                                     const BasicBlock *To,
                                                     Walk &W) {
  static constexpr unsigned MaxBlocks = 24;
  if (To == W.To)
    return {true, W.AtEnd(From)};
  // What From does not dominate leads to To only through From, another time.
  if (To == W.From || !With.DT.dominates(W.From, To))
    return {true, W.Elsewhere};
  if (auto It = W.Known.find(To); It != W.Known.end())
    return It->second;
  if (W.Known.size() == MaxBlocks)
    return {false, std::nullopt};
  // For a cycle that is no loop.
  W.Known[To] = {false, std::nullopt};
  PathValue Result = behindBlock(To, W);
  W.Known[To] = Result;
  return Result;
}

AddressBuilder::PathValue AddressBuilder::behindBlock(const BasicBlock *BB,
                                                      Walk &W) {
  // A loop on the way ends.
  const Loop *L = With.LI.getLoopFor(BB);
  while (L && L->getParentLoop() && !L->getParentLoop()->contains(W.To))
    L = L->getParentLoop();
  if (L && !L->contains(W.To)) {
    SmallVector<Loop::Edge, 4> Exits;
    L->getExitEdges(Exits);
    bool IsOneWay = Exits.size() == 1 ||
                    (W.Elsewhere && L->getUniqueExitBlock() != nullptr);
    if (!IsOneWay)
      return {false, std::nullopt};
    return behindEdge(Exits[0].first, Exits[0].second, W);
  }
  const Instruction *End = BB->getTerminator();
  if (auto *Branch = dyn_cast<BranchInst>(End)) {
    if (!Branch->isConditional())
      return behindEdge(BB, Branch->getSuccessor(0), W);
    PathValue IfTrue = behindEdge(BB, Branch->getSuccessor(0), W);
    PathValue IfFalse = behindEdge(BB, Branch->getSuccessor(1), W);
    return choose(valueAt(Branch->getCondition(), BB), IfTrue, IfFalse);
  }
  if (auto *Switch = dyn_cast<SwitchInst>(End)) {
    unsigned Condition = valueAt(Switch->getCondition(), BB);
    PathValue Result = behindEdge(BB, Switch->getDefaultDest(), W);
    for (const auto &Case : Switch->cases()) {
      unsigned Is = operation(
          "icmp eq", 1, {Condition, constant(Case.getCaseValue()->getValue())});
      Result = choose(Is, behindEdge(BB, Case.getCaseSuccessor(), W), Result);
    }
    return Result;
  }
  bool Ends = isa<ReturnInst>(End) || isa<UnreachableInst>(End);
  return {Ends, W.Elsewhere};
}

/// The value of \p AtEnd on the paths from the end of \p From to \p To, which
/// it dominates.
AddressBuilder::PathValue
AddressBuilder::walk(const BasicBlock *From, const BasicBlock *To,
                     std::optional<unsigned> Elsewhere, ValueAtEdge AtEnd) {
  Walk W(From, To, AtEnd, Elsewhere);
  return behindBlock(From, W);
}

unsigned AddressBuilder::join(const PHINode &Phi) {
  const BasicBlock *BB = Phi.getParent();
  const Loop *L = With.LI.getLoopFor(BB);
  if (L && L->getHeader() == BB)
    return loopPhi(Phi, *L);
  const Value *First = Phi.getIncomingValue(0);
  if (all_of(Phi.incoming_values(),
             [&](const Use &U) { return U.get() == First; }))
    return valueAt(First, BB);
  const DomTreeNode *Node = With.DT.getNode(BB);
  PathValue Result{false, std::nullopt};
  if (Node && Node->getIDom())
    Result = walk(Node->getIDom()->getBlock(), BB, /*Elsewhere=*/std::nullopt,
                  [&](const BasicBlock *From) {
                    return valueAt(Phi.getIncomingValueForBlock(From), BB);
                  });
  if (Result.IsKnown && Result.Operation)
    return *Result.Operation;
  return input(&Phi, "it is joined from several ways", /*MayDiffer=*/true);
}

//===----------------------------------------------------------------------===//
// Guards
//===----------------------------------------------------------------------===//

/// What a lane has to pass to come to \p BB, in a loop for the first time.
AddressBuilder::Activity AddressBuilder::activityBefore(const BasicBlock *BB,
                                                        unsigned Nested) {
  static constexpr unsigned MaxGuards = 256;
  const DomTreeNode *Node = With.DT.getNode(BB);
  const DomTreeNode *Above = Node ? Node->getIDom() : nullptr;
  if (!Above)
    return {};
  if (Nested == MaxGuards)
    return {{}, {"it is behind too many conditions"}};
  const BasicBlock *From = Above->getBlock();
  const Loop *Left = With.LI.getLoopFor(From);
  while (Left && Left->getParentLoop() && !Left->getParentLoop()->contains(BB))
    Left = Left->getParentLoop();
  // Behind a loop it matters only who came to the loop.
  bool IsBehindLoop = Left && !Left->contains(BB);
  Activity A = IsBehindLoop ? activityBefore(Left->getHeader(), Nested + 1)
                            : activityOf(From, Nested + 1);
  unsigned Yes = constant(APInt(1, 1));
  PathValue Comes = walk(From, BB, constant(APInt(1, 0)),
                         [&](const BasicBlock *) { return Yes; });
  if (!Comes.IsKnown)
    A.Unknown.push_back("the ways to it have no rule");
  else if (*Comes.Operation != Yes)
    A.Guards.push_back(*Comes.Operation);
  return A;
}

const AddressBuilder::Activity &AddressBuilder::activityOf(const BasicBlock *BB,
                                                           unsigned Nested) {
  if (auto It = Activities.find(BB); It != Activities.end())
    return It->second;
  Activity A = activityBefore(BB, Nested);
  const Loop *L = With.LI.getLoopFor(BB);
  if (L && L->getHeader() == BB)
    if (std::optional<unsigned> Last = Program.Loops[loopNumber(*L)].Last)
      A.Guards.push_back(
          operation("icmp ule", 1, {iteration(*L, widthOf(*Last)), *Last}));
  return Activities[BB] = std::move(A);
}

} // namespace unravel
