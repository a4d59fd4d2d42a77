//===- TracedAccess.cpp - The accesses that a trace tells apart ----------===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tools/kernel-run/trace/TracedAccess.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Dominators.h"

using namespace llvm;

namespace unravel {

std::string TracedAccess::place() const {
  const DILocation *At = sourcePlace(*Access.Instruction);
  return At ? (At->getFilename() + ":" + Twine(At->getLine())).str() : "";
}

static std::string whyNotTraced(const MemoryAccess &A) {
  switch (A.Space) {
  case AccessSpace::Local:
    return "each lane has its own memory";
  case AccessSpace::Parameter:
    return "the arguments of the kernel";
  case AccessSpace::Constant:
    return "constant memory";
  default:
    return A.NotUnderstood.empty() ? A.whyNoRequest() : A.NotUnderstood;
  }
}

namespace {
/// The counters of one function.
struct FunctionCounters {
  FunctionCounters(const Function &F, ArrayRef<IterationCounter> Counters)
      : DT(const_cast<Function &>(F)), LI(DT) {
    for (auto [Number, C] : enumerate(Counters))
      if (C.In == &F)
        Of[C.Header] = Number;
  }

  void fill(TracedAccess &Access) const {
    const BasicBlock *BB = Access.Access.Instruction->getParent();
    for (const Loop *L = LI.getLoopFor(BB); L; L = L->getParentLoop())
      Access.Counters.push_back(Of.lookup(L->getHeader()));
    if (auto Calls = Of.find(nullptr); Calls != Of.end()) {
      Access.Counters.push_back(Calls->second);
      Access.IsCalled = true;
    }
    std::reverse(Access.Counters.begin(), Access.Counters.end());
  }

  DominatorTree DT;
  LoopInfo LI;
  DenseMap<const BasicBlock *, uint32_t> Of;
};
} // namespace

TracedAccesses::TracedAccesses(const Function &Kernel,
                               ArrayRef<CheckedInstruction> Instructions,
                               ArrayRef<IterationCounter> IterationCounters)
    : Counters(IterationCounters.size()) {
  // An instruction with two accesses is checked twice, in the same order. What
  // else is checked in its name comes later: the copies of arguments.
  MapVector<const Function *, SmallVector<uint32_t, 0>> Checked;
  Checked[&Kernel];
  for (auto [Number, I] : enumerate(Instructions))
    if (I.IsAccess)
      Checked[I.Source->getFunction()].push_back(Number);
  NumberOf.assign(Instructions.size(), -1);
  for (const auto &[F, Numbers] : Checked) {
    DenseMap<const Instruction *, SmallVector<int, 2>> Indices;
    FunctionCounters Of(*F, IterationCounters);
    for (MemoryAccess &A : accessesOf(*F)) {
      Indices[A.Instruction].push_back(List.size());
      TracedAccess &T = List.emplace_back();
      T.Access = std::move(A);
      T.NotTraced = whyNotTraced(T.Access);
      Of.fill(T);
    }
    DenseMap<const Instruction *, size_t> Seen;
    for (uint32_t Number : Numbers) {
      const Instruction *Source = Instructions[Number].Source;
      size_t Index = Seen[Source]++;
      ArrayRef<int> Known = Indices[Source];
      if (Index < Known.size())
        NumberOf[Number] = Known[Index];
    }
  }
}

} // namespace unravel
