//===- LoopInvariants.cpp - What holds in every iteration -----------------===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Guesses conditions on the phis of a loop's header and drops what an edge into
// the header breaks, assuming the rest, until nothing is dropped: what is left
// holds by induction over the steps of a run. A guess costs time, never
// soundness.
//
//===----------------------------------------------------------------------===//

#include "Refinement.h"
#include "llvm/IR/Constants.h"

using namespace llvm;
using z3::expr;

namespace unravel::refinement {

namespace {

/// x = phi [Start, outside], [x + Step, inside].
struct Counter {
  const PHINode *Phi;
  expr Bits, Start;
  APInt Step;
};

class InvariantFinder {
public:
  InvariantFinder(FunctionEncoder &Before, Prover &P)
      : Before(Before), P(P), C(Before.world().context()) {}

  std::vector<Invariant> find() {
    for (unsigned Header : Before.pair().Headers)
      guess(Header);
    while (dropBroken())
      ;
    return Candidates;
  }

private:
  void guess(unsigned Header);
  void guessBounds(unsigned Header, const PHINode &Phi, const expr &Bits,
                   const APInt *Step);
  void guessRelations(unsigned Header, const std::vector<Counter> &Counters);
  void add(unsigned Header, const expr &Holds) {
    if (!Holds.is_true() && Candidates.size() < 64)
      Candidates.push_back({Header, Before.timeOf(Header), Holds});
  }
  bool isOutside(const Value *V, const BasicBlock *Header) const;
  bool dropBroken();
  bool isBroken(const Invariant &G);

  FunctionEncoder &Before;
  Prover &P;
  z3::context &C;
  std::vector<Invariant> Candidates;
};

} // namespace

/// Defined before the loop, or a constant.
bool InvariantFinder::isOutside(const Value *V,
                                const BasicBlock *Header) const {
  auto *I = dyn_cast<Instruction>(V);
  if (!I)
    return isa<Argument>(V) || isa<ConstantInt>(V);
  const auto &Position = Before.pair().Position;
  return Position.count(I->getParent()) &&
         Position.lookup(I->getParent()) < Position.lookup(Header);
}

/// The number that the phi's successor is ahead, or nothing.
static const APInt *stepOf(const PHINode &Phi, const Value *Next) {
  auto *Add = dyn_cast<BinaryOperator>(Next);
  if (!Add || Add->getOpcode() != Instruction::Add ||
      Add->getOperand(0) != &Phi)
    return nullptr;
  auto *Step = dyn_cast<ConstantInt>(Add->getOperand(1));
  return Step ? &Step->getValue() : nullptr;
}

void InvariantFinder::guess(unsigned Header) {
  const BasicBlock *BB = Before.pair().BeforeBlocks[Header];
  std::vector<Counter> Counters;
  for (const PHINode &Phi : BB->phis()) {
    const SymbolicValue V = Before.valueOf(&Phi);
    for (const Lane &L : V)
      add(Header, negate(L.Poison));
    if (V.size() != 1)
      continue;
    const Lane &L = V.front();
    for (const Incoming &In : Before.Incomings) {
      if (In.Phi != &Phi || In.IsBack)
        continue;
      const Lane &Start = In.Value.front();
      if (L.Memory && Start.Memory) {
        add(Header, both(equal(L.Memory->Id, Start.Memory->Id),
                         both(equal(L.Memory->Base, Start.Memory->Base),
                              equal(L.Memory->Size, Start.Memory->Size))));
        add(Header, z3::uge(L.Bits, Start.Bits));
      }
      if (!Phi.getType()->isIntegerTy())
        continue;
      add(Header, z3::uge(L.Bits, Start.Bits));
      add(Header, L.Bits >= Start.Bits);
      add(Header, z3::ule(L.Bits, Start.Bits));
      add(Header, L.Bits <= Start.Bits);
      const APInt *Step = nullptr;
      for (const Value *Next : Phi.incoming_values())
        if (const APInt *Found = stepOf(Phi, Next))
          Step = Found;
      guessBounds(Header, Phi, L.Bits, Step);
      if (!Step || Step->isZero())
        continue;
      Counters.push_back({&Phi, L.Bits, Start.Bits, *Step});
      APInt Stride = Step->abs();
      if (!Stride.isOne())
        add(Header, equal(z3::urem(L.Bits - Start.Bits, number(C, Stride)),
                          number(C, 0, widthOf(L.Bits))));
    }
  }
  guessRelations(Header, Counters);
}

/// Wherever the phi or its successor is compared with something that the loop
/// does not change.
void InvariantFinder::guessBounds(unsigned Header, const PHINode &Phi,
                                  const expr &Bits, const APInt *Step) {
  SmallVector<const Value *, 4> Limits;
  auto Look = [&](const Value *V) {
    for (const User *U : V->users())
      if (auto *Compare = dyn_cast<ICmpInst>(U))
        for (const Value *Other : Compare->operands())
          if (Other != V && isOutside(Other, Phi.getParent()) &&
              !is_contained(Limits, Other))
            Limits.push_back(Other);
  };
  Look(&Phi);
  for (const Value *Next : Phi.incoming_values())
    if (isa<Instruction>(Next))
      Look(Next);
  for (const Value *V : Limits) {
    expr Limit = Before.valueOf(V).front().Bits;
    add(Header, z3::ult(Bits, Limit));
    add(Header, z3::ule(Bits, Limit));
    add(Header, Bits < Limit);
    add(Header, Bits <= Limit);
    add(Header, z3::ugt(Bits, Limit));
    add(Header, Bits > Limit);
    auto Known = numberIn(Limit);
    if (!Known || !Step || Step->abs().isOne())
      continue;
    // The last value below the limit, counted from zero.
    add(Header, z3::ule(Bits, folded(Limit - number(C, *Step))));
  }
}

/// Counters that run side by side.
void InvariantFinder::guessRelations(unsigned Header,
                                     const std::vector<Counter> &Counters) {
  for (size_t I = 0; I < Counters.size(); ++I)
    for (size_t J = 0; J < I; ++J) {
      const Counter &X = Counters[I], &Y = Counters[J];
      if (widthOf(X.Bits) != widthOf(Y.Bits))
        continue;
      add(Header, equal((X.Bits - X.Start) * number(C, Y.Step),
                        (Y.Bits - Y.Start) * number(C, X.Step)));
    }
}

bool InvariantFinder::isBroken(const Invariant &G) {
  const BasicBlock *BB = Before.pair().BeforeBlocks[G.Header];
  std::set<unsigned> Times;
  for (const Incoming &In : Before.Incomings)
    if (In.Phi->getParent() == BB)
      Times.insert(In.Time);
  for (unsigned Time : Times) {
    // All phis change at once.
    z3::expr_vector From(C), To(C);
    std::vector<expr> Facts = factsAt(Before, Time, Candidates);
    for (const Incoming &In : Before.Incomings) {
      if (In.Phi->getParent() != BB || In.Time != Time)
        continue;
      const SymbolicValue Old = Before.valueOf(In.Phi);
      for (size_t L = 0; L < Old.size(); ++L) {
        auto Replace = [&](const expr &A, const expr &B) {
          From.push_back(A);
          To.push_back(B);
        };
        Replace(Old[L].Bits, In.Value[L].Bits);
        Replace(Old[L].Poison, In.Value[L].Poison);
        if (Old[L].Memory && In.Value[L].Memory) {
          Replace(Old[L].Memory->Id, In.Value[L].Memory->Id);
          Replace(Old[L].Memory->Base, In.Value[L].Memory->Base);
          Replace(Old[L].Memory->Size, In.Value[L].Memory->Size);
        }
      }
      Facts.push_back(In.Taken);
    }
    expr Holds = G.Holds;
    Facts.push_back(negate(Holds.substitute(From, To)));
    if (!P.isImpossible(Facts))
      return true;
  }
  return false;
}

bool InvariantFinder::dropBroken() {
  bool Dropped = false;
  for (size_t I = 0; I < Candidates.size();) {
    if (isBroken(Candidates[I])) {
      Candidates.erase(Candidates.begin() + I);
      Dropped = true;
    } else {
      ++I;
    }
  }
  return Dropped;
}

std::vector<Invariant> loopInvariants(FunctionEncoder &Before, Prover &P) {
  return InvariantFinder(Before, P).find();
}

} // namespace unravel::refinement
