//===- Obligations.cpp - What has to be the same --------------------------===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Refinement.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;
using z3::expr;

namespace unravel::refinement {

static std::string text(const Instruction &I) {
  std::string Text;
  raw_string_ostream(Text) << I;
  return StringRef(Text).trim().str();
}

/// What an access or a result is promised to be, beyond its operands.
static bool promisesMore(const Instruction &Old, const Instruction &New) {
  auto *OldLoad = dyn_cast<LoadInst>(&Old), *NewLoad = dyn_cast<LoadInst>(&New);
  if (OldLoad && NewLoad && NewLoad->getAlign() > OldLoad->getAlign())
    return true;
  auto *OldStore = dyn_cast<StoreInst>(&Old);
  auto *NewStore = dyn_cast<StoreInst>(&New);
  if (OldStore && NewStore && NewStore->getAlign() > OldStore->getAlign())
    return true;
  for (unsigned Kind : {LLVMContext::MD_range, LLVMContext::MD_noundef,
                        LLVMContext::MD_align, LLVMContext::MD_nonnull})
    if (Old.getMetadata(Kind) != New.getMetadata(Kind))
      return true;
  return false;
}

/// The value behind an operand of an Event.
static const Value *operandOf(const Instruction &I, unsigned Index) {
  if (auto *Branch = dyn_cast<BranchInst>(&I))
    return Branch->getCondition();
  return I.getOperand(Index); // the condition of a switch is the first one
}

static bool needsDefined(const Instruction &I, unsigned Index) {
  return isa<BranchInst>(I) || isa<SwitchInst>(I) ||
         getLoadStorePointerOperand(&I) == operandOf(I, Index);
}

std::vector<Obligation> obligations(const FunctionEncoder &Before,
                                    const FunctionEncoder &After) {
  z3::context &C = Before.world().context();
  std::vector<Obligation> Result;
  auto Owe = [&](const Twine &What, unsigned Time, const expr &Reached,
                 const expr &Violated, const SymbolicValue &Old = {},
                 const SymbolicValue &New = {}, const Value *OldRoot = nullptr,
                 const Value *NewRoot = nullptr, bool NeedsDefined = false) {
    if (!Violated.is_false() && !Reached.is_false())
      Result.push_back({What.str(), Time, Reached, Violated, Old, New, OldRoot,
                        NewRoot, NeedsDefined});
  };
  // 1. The same accesses, calls, branches and results.
  std::map<const Instruction *, const Event *> EventOf;
  for (const Event &E : Before.Events)
    EventOf[E.Where] = &E;
  for (const Event &New : After.Events) {
    const Event &Old = *EventOf.at(After.pair().partnerOf(*New.Where));
    for (size_t I = 0; I < New.Operands.size(); ++I)
      Owe("operand " + Twine(I + 1) + " of `" + text(*Old.Where) + "`",
          Old.Time, Old.Reached, isWrong(Old.Operands[I], New.Operands[I], C),
          Old.Operands[I], New.Operands[I], operandOf(*Old.Where, I),
          operandOf(*New.Where, I), needsDefined(*Old.Where, I));
  }
  // 2. No undefined behaviour that was not there.
  for (const Hazard &New : After.Hazards) {
    const Instruction *Old = After.pair().partnerOf(*New.Where);
    if (Old && isEvent(*Old) && !promisesMore(*Old, *New.Where))
      continue; // what it depends on is the same, as proved above
    bool WasThere = any_of(Before.Hazards, [&](const Hazard &H) {
      return isSameTerm(H.When, New.When) && H.Time <= New.Time;
    });
    if (!WasThere)
      Owe("undefined behaviour of `" + text(*New.Where) + "`", New.Time,
          C.bool_val(true), New.When);
  }
  // 3. The same values for the next iteration of a loop.
  for (const Incoming &New : After.Incomings)
    for (const Incoming &Old : Before.Incomings)
      if (After.pair().partnerOf(*New.Phi) == Old.Phi && New.Time == Old.Time)
        Owe("`" + text(*Old.Phi) + "` in the next iteration", Old.Time,
            Old.Taken, isWrong(Old.Value, New.Value, C), Old.Value, New.Value,
            Old.From, New.From);
  llvm::stable_sort(Result, [](const Obligation &A, const Obligation &B) {
    return A.Time < B.Time;
  });
  return Result;
}

std::vector<expr> factsAt(const FunctionEncoder &Before, unsigned Time,
                          ArrayRef<Invariant> Invariants) {
  unsigned End = ~0u;
  for (unsigned Stop : Before.MayStopAt)
    if (Stop > Time)
      End = std::min(End, Stop);
  std::vector<expr> Facts = Before.world().Axioms;
  for (const Hazard &H : Before.Hazards)
    if (H.Time < End)
      Facts.push_back(negate(H.When));
  // Not those of later loops: there is no iteration of them yet.
  for (const Invariant &I : Invariants)
    if (I.Time <= Time)
      Facts.push_back(either(negate(Before.reached(I.Header)), I.Holds));
  return Facts;
}

} // namespace unravel::refinement
