//===- RewriteVerifier.cpp - Checks rewrites at points --------------------===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "transforms/simplify/RewriteVerifier.h"
#include "transforms/verify/PointEvaluator.h"
#include "transforms/verify/PointSampler.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Analysis/OptimizationRemarkEmitter.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/DiagnosticInfo.h"
#include "llvm/Support/raw_ostream.h"
#include <functional>

using namespace llvm;

#define DEBUG_TYPE "index-simplify"

namespace unravel {

namespace {
/// One point of the rewrites of a function.
class Walk {
public:
  Walk(IndexRecovery &Recovery, PointSampler &Sampler)
      : Recovery(Recovery), Sampler(Sampler),
        Leaves([this](const Value *Leaf, IntegerType *Ty) {
          return this->Sampler.valueOf(Leaf, Ty);
        }),
        Edges(
            [this](const BasicBlock *Block) { return Entries.lookup(Block); }),
        Evaluator(Recovery.function(), Recovery.loopInfo(), Leaves, Edges) {}

  /// Calls \p Visit for the blocks on the way, up to the end of the function or
  /// of the first iteration of a loop.
  void run(function_ref<void(const BasicBlock *)> Visit);

  enum class Outcome { Impossible, Equal, Different };
  /// To be called in the block in which \p Root is needed.
  Outcome compare(const IndexRoot &Root, std::string &Difference);

private:
  bool holdsIn(const BasicBlock *BB);
  bool dividesIn(const BasicBlock *BB);
  bool accessesPoison(const IndexRoot &Root);
  const BasicBlock *successorOf(const BasicBlock *BB);
  bool respectsLoopFacts(const IndexRoot &Root);

  IndexRecovery &Recovery;
  PointSampler &Sampler;
  std::function<Constant *(const Value *, IntegerType *)> Leaves;
  std::function<const BasicBlock *(const BasicBlock *)> Edges;
  PointEvaluator Evaluator;
  /// The blocks so far, and where each was entered from.
  DenseMap<const BasicBlock *, const BasicBlock *> Entries;
};
} // namespace

//===----------------------------------------------------------------------===//
// The way through the kernel
//===----------------------------------------------------------------------===//

void Walk::run(function_ref<void(const BasicBlock *)> Visit) {
  const BasicBlock *BB = &Recovery.function().getEntryBlock();
  Entries[BB] = nullptr;
  while (holdsIn(BB) && dividesIn(BB)) {
    Visit(BB);
    const BasicBlock *Next = successorOf(BB);
    if (!Next || !Entries.try_emplace(Next, BB).second)
      return;
    BB = Next;
  }
}

/// Whether what the analysis takes for granted in \p BB is so: branches are by
/// now, assumptions may be false.
bool Walk::holdsIn(const BasicBlock *BB) {
  auto Compares = [&](const KnownRelation &R) {
    const ConstantInt *A = Evaluator.valueOf(R.A).integer();
    const ConstantInt *B = Evaluator.valueOf(R.B).integer();
    return A && B &&
           ICmpInst::compare(A->getValue(), B->getValue(), R.Predicate);
  };
  return all_of(Recovery.facts().invariantsAt(BB), Compares) &&
         all_of(Recovery.facts().conditionsAt(BB),
                [&](const KnownCondition &Known) {
                  const ConstantInt *C =
                      Evaluator.valueOf(Known.Condition).integer();
                  return C && C->isOne() == Known.Holds;
                });
}

/// Whether the divisions of \p BB have a value: the rest of the kernel may rely
/// on it.
bool Walk::dividesIn(const BasicBlock *BB) {
  return all_of(*BB, [&](const Instruction &I) {
    if (!I.isIntDivRem() || isa<ConstantInt>(I.getOperand(1)))
      return true;
    return Evaluator.valueOf(&I).Value ||
           !Evaluator.valueOf(I.getOperand(0)).Value ||
           !Evaluator.valueOf(I.getOperand(1)).Value;
  });
}

/// Whether some access on the way to \p Root, or surely behind it, is at an
/// address that is poison. Asked only where a rewrite seems to be wrong.
bool Walk::accessesPoison(const IndexRoot &Root) {
  const BasicBlock *Here = Root.At->getParent();
  for (const BasicBlock &BB : Recovery.function()) {
    if (!Entries.count(&BB))
      continue;
    for (const Instruction &I : BB) {
      const Value *Address = getLoadStorePointerOperand(&I);
      if (Address && Evaluator.valueOf(Address).isPoison())
        return true;
      // What is behind a call in the block of the root may not be reached.
      if (&BB == Here && !isGuaranteedToTransferExecutionToSuccessor(&I) &&
          !I.comesBefore(Root.At))
        break;
    }
  }
  return false;
}

/// Null at an end, and where the way is not known.
const BasicBlock *Walk::successorOf(const BasicBlock *BB) {
  const Instruction *End = BB->getTerminator();
  if (const BasicBlock *Only = BB->getSingleSuccessor())
    return Only;
  if (auto *Branch = dyn_cast<BranchInst>(End)) {
    const ConstantInt *C = Evaluator.valueOf(Branch->getCondition()).integer();
    return C ? Branch->getSuccessor(C->isOne() ? 0 : 1) : nullptr;
  }
  if (auto *Switch = dyn_cast<SwitchInst>(End)) {
    const ConstantInt *C = Evaluator.valueOf(Switch->getCondition()).integer();
    return C ? Switch->findCaseValue(C)->getCaseSuccessor() : nullptr;
  }
  return nullptr;
}

/// Whether the loop-carried variables in the forms of \p Root have values that
/// the analysis thinks they can have.
bool Walk::respectsLoopFacts(const IndexRoot &Root) {
  const IndexDomain &Domain = Recovery.scopeOf(Root.At->getParent()).Domain;
  bool Respects = true;
  auto Check = [&](const IndexAtom *Atom) {
    if (!Atom->isVariable())
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
  for (IndexExpr E : Root.forms())
    forEachAtom(E, Check);
  return Respects;
}

//===----------------------------------------------------------------------===//
// Old against new
//===----------------------------------------------------------------------===//

static std::string asText(const Value *V) {
  std::string Text;
  raw_string_ostream OS(Text);
  V->printAsOperand(OS, /*PrintType=*/false);
  return Text;
}

Walk::Outcome Walk::compare(const IndexRoot &Root, std::string &Difference) {
  // Where the old value is poison, the new one may be anything.
  const ConstantInt *Old = Evaluator.valueOf(Root.Old).integer();
  if (!Old || !respectsLoopFacts(Root))
    return Outcome::Impossible;
  const Constant *New =
      Root.Constant
          ? ConstantInt::getBool(Root.Old->getContext(), *Root.Constant)
          : Evaluator.valueOf(Root.New);
  if (New == Old)
    return Outcome::Equal;
  if ((New || Evaluator.planIsUndefined()) && accessesPoison(Root))
    return Outcome::Impossible;
  if (!New && Evaluator.planIsUndefined()) {
    Difference = "at " + Sampler.describe() + " it is " + asText(Old) +
                 ", the rewrite divides by zero or overflows";
    return Outcome::Different;
  }
  if (!New)
    return Outcome::Impossible;
  Difference = "at " + Sampler.describe() + " it is " + asText(Old) +
               ", the rewrite gives " + asText(New);
  return Outcome::Different;
}

std::vector<RewriteVerdict> verifyRewrites(ArrayRef<IndexRoot *> Roots,
                                           IndexRecovery &Recovery,
                                           unsigned Points) {
  static constexpr unsigned MaxAttemptsPerPoint = 32;
  std::vector<RewriteVerdict> Verdicts(Roots.size());
  DenseMap<const BasicBlock *, SmallVector<size_t, 4>> RootsIn;
  for (auto [Number, Root] : enumerate(Roots))
    RootsIn[Root->At->getParent()].push_back(Number);

  PointSampler Sampler(Recovery.facts());
  size_t Unfinished = Points > 0 ? Roots.size() : 0;
  for (unsigned Attempt = 0;
       Attempt < Points * MaxAttemptsPerPoint && Unfinished > 0; ++Attempt) {
    Sampler.startPoint(Attempt);
    Walk TheWalk(Recovery, Sampler);
    TheWalk.run([&](const BasicBlock *BB) {
      auto Here = RootsIn.find(BB);
      if (Here == RootsIn.end())
        return;
      for (size_t Number : Here->second) {
        RewriteVerdict &V = Verdicts[Number];
        if (V.PointsCompared == Points || !V.Difference.empty())
          continue;
        Walk::Outcome What = TheWalk.compare(*Roots[Number], V.Difference);
        V.PointsCompared += What != Walk::Outcome::Impossible;
        if (V.PointsCompared == Points || !V.Difference.empty())
          --Unfinished;
      }
    });
  }
  return Verdicts;
}

void refuseWrongRewrites(std::vector<IndexRoot *> &Chosen,
                         IndexRecovery &Recovery, unsigned Points,
                         OptimizationRemarkEmitter &ORE) {
  if (Chosen.empty())
    return;
  Function &F = Recovery.function();
  std::vector<RewriteVerdict> Verdicts =
      verifyRewrites(Chosen, Recovery, Points);
  unsigned Compared = 0, Unreached = 0;
  std::vector<IndexRoot *> Right;
  for (auto [Root, Verdict] : zip(Chosen, Verdicts)) {
    Compared += Verdict.PointsCompared;
    Unreached += Verdict.PointsCompared == 0;
    if (Verdict.Difference.empty()) {
      Right.push_back(Root);
      continue;
    }
    F.getContext().diagnose(DiagnosticInfoGenericWithLoc(
        "index-simplify: a rewrite of " + asText(Root->Old) + " in " +
            F.getName() + " is wrong and was refused: " + Verdict.Difference +
            "; this is a bug of the pass, please report it",
        F, Root->Old->getDebugLoc(), DS_Warning));
  }
  size_t Rewrites = Chosen.size();
  // Whoever asks for it wants to know that it was done.
  errs() << "index-simplify: " << F.getName() << ": " << Right.size() << " of "
         << Rewrites << " rewrites agree with the old code, compared at "
         << Compared << " points\n";
  Chosen = std::move(Right);
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
