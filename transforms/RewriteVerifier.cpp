//===- RewriteVerifier.cpp - Checks rewrites at points --------------------===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "transforms/RewriteVerifier.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Analysis/OptimizationRemarkEmitter.h"
#include "llvm/IR/DiagnosticInfo.h"
#include "llvm/IR/Dominators.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

#define DEBUG_TYPE "index-simplify"

namespace unravel {

RewriteVerifier::RewriteVerifier(IndexRecovery &Recovery, unsigned Points)
    : Recovery(Recovery), Points(Points), Sampler(Recovery.facts()) {}

//===----------------------------------------------------------------------===//
// Is the program ever at this point?
//===----------------------------------------------------------------------===//

/// Whether everything that the analysis takes for granted in \p BB, because of
/// branches and assumptions, is so.
bool RewriteVerifier::holdsAt(PointEvaluator &Evaluator, const BasicBlock *BB) {
  const RangeFacts &Facts = Recovery.facts();
  const DomTreeNode *Node = Recovery.dominatorTree().getNode(BB);
  for (; Node; Node = Node->getIDom()) {
    const BasicBlock *Dominator = Node->getBlock();
    for (const KnownCondition &Known : Facts.conditionsAt(Dominator)) {
      PointValue P = Evaluator.valueOf(Known.Condition);
      if (!P.integer() || P.integer()->isOne() != Known.Holds)
        return false;
    }
    if (std::optional<KnownCase> Known = Facts.caseAt(Dominator))
      if (Evaluator.valueOf(Known->Value).integer() != Known->Case)
        return false;
  }
  return true;
}

/// Whether control goes from \p From to \p To once it is at the end of From.
bool RewriteVerifier::isTaken(PointEvaluator &Evaluator, const BasicBlock *From,
                              const BasicBlock *To) {
  const Instruction *End = From->getTerminator();
  if (auto *Branch = dyn_cast<BranchInst>(End)) {
    if (Branch->isUnconditional())
      return true;
    const ConstantInt *C = Evaluator.valueOf(Branch->getCondition()).integer();
    return C && Branch->getSuccessor(C->isOne() ? 0 : 1) == To;
  }
  if (auto *Switch = dyn_cast<SwitchInst>(End)) {
    const ConstantInt *C = Evaluator.valueOf(Switch->getCondition()).integer();
    return C && Switch->findCaseValue(C)->getCaseSuccessor() == To;
  }
  return false;
}

bool RewriteVerifier::isReached(PointEvaluator &Evaluator,
                                const IndexRoot &Root) {
  if (!holdsAt(Evaluator, Root.At->getParent()))
    return false;
  // Each look at a condition may add edges.
  for (size_t I = 0; I < Evaluator.takenEdges().size(); ++I) {
    auto [From, To] = Evaluator.takenEdges()[I];
    if (!holdsAt(Evaluator, From) || !isTaken(Evaluator, From, To))
      return false;
  }
  return true;
}

/// Whether the loop-carried variables in the forms of \p Root have values that
/// the analysis thinks they can have.
bool RewriteVerifier::respectsLoopFacts(PointEvaluator &Evaluator,
                                        const IndexRoot &Root) {
  const IndexDomain &Domain = Recovery.scopeOf(Root.At->getParent()).Domain;
  bool Respects = true;
  auto Check = [&](const IndexAtom *Atom) {
    if (Atom->kind() != IndexAtom::Kind::Variable)
      return;
    auto [V, R] = Recovery.valueOf(Atom);
    PointValue P = Evaluator.valueOf(V);
    const ConstantInt *Number = P.integer();
    if (!P.IsLoopCarried || !Number)
      return;
    // An unsigned number beyond 63 bits is what no finite bound allows.
    const APInt &Bits = Number->getValue();
    int64_t Value = R == Reading::Signed
                        ? Bits.getSExtValue()
                        : int64_t(Bits.getLimitedValue(Interval::PlusInfinity));
    Respects &= Domain.boundsOf(Atom).contains(Value) &&
                Domain.congruenceOf(Atom).contains(Value);
  };
  for (IndexExpr E : {Root.Form, Root.Limit,
                      Root.Pointer ? Root.Pointer->Offset : IndexExpr()})
    if (E)
      forEachAtom(E, Check);
  return Respects;
}

//===----------------------------------------------------------------------===//
// Old against new
//===----------------------------------------------------------------------===//

static std::string asText(const Constant *C) {
  std::string Text;
  raw_string_ostream OS(Text);
  C->printAsOperand(OS, /*PrintType=*/false);
  return Text;
}

RewriteVerifier::Outcome RewriteVerifier::compareAt(const IndexRoot &Root,
                                                    std::string &Difference) {
  auto Leaves = [&](const Value *Leaf, IntegerType *Ty) {
    return Sampler.valueOf(Leaf, Ty);
  };
  auto Edges = [&](const BasicBlock *Block) { return Sampler.entryOf(Block); };
  PointEvaluator Evaluator(Recovery.function(), Recovery.loopInfo(), Leaves,
                           Edges);
  // Where the old value is poison, the new one may be anything.
  const ConstantInt *Old = Evaluator.valueOf(Root.Old).integer();
  if (!Old || !isReached(Evaluator, Root) ||
      !respectsLoopFacts(Evaluator, Root))
    return Outcome::Impossible;
  const Constant *New =
      Root.Constant
          ? ConstantInt::getBool(Root.Old->getContext(), *Root.Constant)
          : Evaluator.valueOf(Root.New).Value;
  // What the plan looks at on top of the old code must be reached as well.
  if (!New || !isReached(Evaluator, Root))
    return Outcome::Impossible;
  if (New == Old)
    return Outcome::Equal;
  Difference = "at " + Sampler.describe() + " it is " + asText(Old) +
               ", the rewrite gives " + asText(New);
  return Outcome::Different;
}

RewriteVerifier::Verdict RewriteVerifier::verify(const IndexRoot &Root) {
  static constexpr unsigned MaxAttemptsPerPoint = 32;
  Verdict Result;
  for (unsigned Attempt = 0;
       Attempt < Points * MaxAttemptsPerPoint && Result.PointsCompared < Points;
       ++Attempt) {
    Sampler.startPoint(Attempt);
    Outcome What = compareAt(Root, Result.Difference);
    if (What == Outcome::Impossible)
      continue;
    ++Result.PointsCompared;
    if (What == Outcome::Different)
      break;
  }
  return Result;
}

void refuseWrongRewrites(std::vector<IndexRoot *> &Chosen,
                         IndexRecovery &Recovery, unsigned Points,
                         OptimizationRemarkEmitter &ORE) {
  if (Chosen.empty())
    return;
  Function &F = Recovery.function();
  RewriteVerifier Verifier(Recovery, Points);
  unsigned Compared = 0, Unreached = 0;
  size_t Rewrites = Chosen.size();
  erase_if(Chosen, [&](const IndexRoot *Root) {
    RewriteVerifier::Verdict V = Verifier.verify(*Root);
    Compared += V.PointsCompared;
    Unreached += V.PointsCompared == 0;
    if (V.Difference.empty())
      return false;
    std::string Name;
    raw_string_ostream OS(Name);
    Root->Old->printAsOperand(OS, /*PrintType=*/false);
    F.getContext().diagnose(DiagnosticInfoGenericWithLoc(
        "index-simplify: a rewrite of " + Name + " in " + F.getName() +
            " is wrong and was refused: " + V.Difference +
            "; this is a bug of the pass, please report it",
        F, Root->Old->getDebugLoc(), DS_Warning));
    return true;
  });
  ORE.emit([&] {
    using NV = OptimizationRemarkAnalysis::Argument;
    OptimizationRemarkAnalysis Remark(DEBUG_TYPE, "Verified", F.getSubprogram(),
                                      &F.getEntryBlock());
    Remark << NV("Rewrites", Rewrites) << " rewrites compared with the old code"
           << " at " << NV("Points", Compared) << " points";
    if (Unreached > 0)
      Remark << "; " << NV("Unreached", Unreached)
             << " not compared, for want of a point that gets there";
    return Remark;
  });
}

} // namespace unravel
