//===- RewriteCertifier.cpp - Decides rewrites ----------------------------===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "transforms/simplify/RewriteCertifier.h"
#include "analysis/facts/SourcePlaces.h"
#include "transforms/simplify/RemarkSink.h"
#include "llvm/ADT/PostOrderIterator.h"
#include "llvm/Analysis/CFG.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/OptimizationRemarkEmitter.h"

using namespace llvm;

#define DEBUG_TYPE "index-simplify"

namespace unravel {

/// Cases of one rewrite, and entries of linear programs that they look at.
static constexpr unsigned MaxCases = 64;
static constexpr int64_t MaxWork = 4'000'000;
/// Operations that a value is computed with, to look for another one in.
static constexpr unsigned MaxParts = 256;
/// Splits, for a case that may contradict itself.
static constexpr unsigned SplitsForContradiction = 48;

/// Proves one case. What is missing is in the case.
static void proveCase(const IndexRoot &Root, const FunctionView &View,
                      const LeafRanges &Ranges, PlanNodeSet *Unflagged,
                      Case &C) {
  ValueEncoder Values(View, C, Root.At, Ranges);
  Values.learn();
  Values.words().fixMultiples();
  Word Old = Values.valueOf(Root.Old, Trust::Believed);
  // The decisions that were missing have been made.
  Values.learn();
  if (!C.reason().empty())
    return;
  PlanEncoder Plan(View, C, Values, Root.Old, Unflagged);
  Word New = Root.Constant ? Values.words().truth(*Root.Constant)
                           : Plan.valueOf(Root.New);
  Values.words().fixQuotients();
  if (C.reason().empty() && !Values.words().areEqual(Old, New))
    C.giveUp("a proof that the new value is the old one");
}

static RewriteProof proveIn(const IndexRoot &Root, const FunctionView &View,
                            bool MayDropFlags, DivisionProofs &Divisions) {
  RewriteProof Result;
  PlanNodeSet *Unflagged = MayDropFlags ? &Result.Unflagged : nullptr;
  LeafRanges Ranges = ValueEncoder::rangesAt(View, Root.At);
  if (Root.New) {
    Case Anywhere({}, View.Memo);
    ValueEncoder Values(View, Anywhere, Root.At, Ranges);
    PlanEncoder(View, Anywhere, Values, Root.Old, Unflagged)
        .checkDivisions(Root.New, Divisions);
    Result.Missing = Anywhere.reason().str();
    if (!Result.Missing.empty())
      return Result;
  }
  Case::Script Script;
  int64_t Work = 0;
  do {
    if (++Result.Cases > MaxCases || Work > MaxWork) {
      Result.Missing = "too many cases";
      return Result;
    }
    Case C(Script, View.Memo);
    proveCase(Root, View, Ranges, Unflagged, C);
    // What cannot happen needs no proof.
    if (!C.reason().empty() && !C.Proofs.isImpossible(SplitsForContradiction))
      Result.Missing = C.reason().str();
    if (!C.followsScript())
      Result.Missing = "cases that fit together";
    Result.Certificates += C.Proofs.effort().Proofs;
    Result.Nodes += C.Proofs.effort().Nodes;
    Work += C.Proofs.effort().Work;
    if (C.Proofs.effort().CheckFailed)
      Result.Missing =
          "a certificate is wrong; this is a bug, please report it";
    if (!Result.Missing.empty())
      return Result;
    Script = C.nextScript();
  } while (!Script.empty());
  return Result;
}

/// What the plan reads and the kernel computes from something, but not from
/// another value that the plan reads.
static ValueSet computedLeaves(const PlanNode *Plan) {
  ValueSet Leaves;
  DenseSet<const PlanNode *> Seen;
  forEachNode(Plan, Seen, [&](const PlanNode *Node) {
    if (Node->usesLeaf())
      Leaves.insert(Node->Leaf);
  });
  auto IsComputed = [](const Value *V) {
    return isa<BinaryOperator, CastInst, SelectInst, PHINode>(V);
  };
  ValueSet Cuts;
  for (const Value *Leaf : Leaves) {
    if (!IsComputed(Leaf))
      continue;
    SmallVector<const Value *, 16> Work{Leaf};
    SmallPtrSet<const Value *, 32> Parts{Leaf};
    bool ReadsLeaf = false;
    while (!Work.empty() && !ReadsLeaf && Parts.size() < MaxParts)
      for (const Value *Operand : cast<User>(Work.pop_back_val())->operands()) {
        ReadsLeaf |= Operand != Leaf && Leaves.contains(Operand);
        if (Parts.insert(Operand).second && IsComputed(Operand))
          Work.push_back(Operand);
      }
    if (!ReadsLeaf && Work.empty())
      Cuts.insert(Leaf);
  }
  return Cuts;
}

RewriteProof proveRewrite(const IndexRoot &Root, const FunctionView &Function,
                          DivisionProofs &Divisions) {
  if (!Root.New)
    return proveIn(Root, Function, /*MayDropFlags=*/false, Divisions);
  FunctionView View = Function;
  std::optional<ValueSet> Opaque = opaqueValues(Root.New);
  if (!Opaque) {
    RewriteProof Result;
    Result.Missing = "a value that may be undef is used twice";
    return Result;
  }
  View.Opaque = *Opaque;
  // Mostly it does not matter how the values come about that the new code
  // reads. Where it does, they are looked into.
  View.Cuts = computedLeaves(Root.New);
  RewriteProof Short;
  if (!View.Cuts.empty()) {
    Short = proveIn(Root, View, /*MayDropFlags=*/true, Divisions);
    if (Short.Missing.empty() && Short.Unflagged.empty())
      return Short;
    View.Cuts.clear();
  }
  bool IsProved = Short.Cases > 0 && Short.Missing.empty();
  RewriteProof Long =
      proveIn(Root, View, /*MayDropFlags=*/!IsProved, Divisions);
  return Long.Missing.empty() || !IsProved ? std::move(Long) : std::move(Short);
}

/// Of what the new code is, whichever round planned it.
static size_t hashOf(const PlanNode *Plan) {
  DenseMap<const PlanNode *, hash_code> Hashes;
  DenseSet<const PlanNode *> Seen;
  SmallVector<const PlanNode *, 16> Nodes;
  forEachNode(Plan, Seen, [&](const PlanNode *Node) { Nodes.push_back(Node); });
  llvm::sort(Nodes, [](const PlanNode *A, const PlanNode *B) {
    return A->Id < B->Id; // operands first
  });
  for (const PlanNode *Node : Nodes)
    Hashes[Node] = hash_combine(
        unsigned(Node->Op), Node->Width, Node->Imm, Node->Leaf, Node->Anchor,
        Node->NoSignedWrap, Node->NoUnsignedWrap, Node->InBounds,
        Node->A ? Hashes.lookup(Node->A) : hash_code(0),
        Node->B ? Hashes.lookup(Node->B) : hash_code(0));
  return Hashes.lookup(Plan);
}

static size_t hashOf(const IndexRoot &Root) {
  return Root.New ? hashOf(Root.New) : size_t(*Root.Constant);
}

bool RefusedRewrites::contains(const IndexRoot &Root) const {
  return any_of(All, [&](const auto &Refused) {
    return Refused.first == Root.Old && Refused.second == hashOf(Root);
  });
}

void RefusedRewrites::add(const IndexRoot &Root) {
  All.emplace_back(Root.Old, hashOf(Root));
}

void refuseUndecidedRewrites(std::vector<IndexRoot *> &Chosen,
                             const FunctionView &View, RefusedRewrites &Refused,
                             RemarkSink &Remarks,
                             OptimizationRemarkEmitter &ORE) {
  erase_if(Chosen,
           [&](const IndexRoot *Root) { return Refused.contains(*Root); });
  if (Chosen.empty())
    return;
  using NV = OptimizationRemarkMissed::Argument;
  ReversePostOrderTraversal<const Function *> Order(&View.F);
  bool HasStrangeCycles =
      containsIrreducibleCFG<const BasicBlock *>(Order, View.LI);
  RewriteProof Sum;
  DivisionProofs Divisions;
  std::vector<IndexRoot *> Proved;
  for (IndexRoot *Root : Chosen) {
    RewriteProof Proof;
    if (HasStrangeCycles)
      Proof.Missing = "a cycle that is no natural loop";
    else
      Proof = proveRewrite(*Root, View, Divisions);
    Sum.Cases += Proof.Cases;
    Sum.Certificates += Proof.Certificates;
    Sum.Nodes += Proof.Nodes;
    if (Proof.Missing.empty()) {
      for (const PlanNode *Node : Proof.Unflagged)
        IndexPlan::dropFlagsOf(Node);
      Proved.push_back(Root);
      continue;
    }
    Refused.add(*Root);
    Remarks.emit(ORE, [&] {
      return OptimizationRemarkMissed(DEBUG_TYPE, "Undecided",
                                      remarkPlace(*Root->Old),
                                      Root->Old->getParent())
             << "not rewritten, for want of a proof: "
             << NV("Missing", Proof.Missing);
    });
  }
  Remarks.emit(ORE, [&] {
    return OptimizationRemarkAnalysis(DEBUG_TYPE, "Certified",
                                      View.F.getSubprogram(),
                                      &View.F.getEntryBlock())
           << NV("Proved", unsigned(Proved.size())) << " of "
           << NV("Rewrites", unsigned(Chosen.size())) << " rewrites proved, in "
           << NV("Cases", Sum.Cases) << " cases with "
           << NV("Certificates", Sum.Certificates) << " certificates of "
           << NV("Nodes", Sum.Nodes) << " nodes";
  });
  Chosen = std::move(Proved);
}

} // namespace unravel
