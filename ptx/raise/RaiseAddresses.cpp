//===- RaiseAddresses.cpp - Sums of numbers become addresses --------------===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A number is an address of space A if it is ptrtoint of a pointer of A, or a
// sum of which one side is an address of A, or a phi or selection of addresses
// of A. Sums of which both sides are addresses are none: which of the two
// objects it is in is unknown. The set is what is left of all candidates when
// those that contradict these rules are taken out, again and again; a cycle of
// phis that no pointer enters is taken out at last.
//
// A pointer made from the number has all objects as provenance, one made from
// another pointer only that pointer's: the accesses of valid PTX are in the
// object that their address was derived from, as its memory model demands.
//
//===----------------------------------------------------------------------===//

#include "ptx/raise/RaiseAddresses.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/PostOrderIterator.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/PatternMatch.h"
#include "llvm/Support/NVPTXAddrSpace.h"
#include "llvm/Transforms/Utils/Local.h"

using namespace llvm;
using namespace llvm::PatternMatch;
using namespace unravel::ptx;

namespace {

/// What addresses are made of.
enum class Bases {
  Pointers, ///< what the program says is an address
  Arguments ///< arguments of the kernel: in a sum of one and other numbers, it
            ///< is the address
};

class AddressRaiser {
public:
  AddressRaiser(Function &F, unsigned Space, Bases From)
      : F(F), Ptr(PointerType::get(F.getContext(), Space)),
        Width(F.getDataLayout().getPointerSizeInBits(Space)), From(From) {}

  bool run();

private:
  void collect(Value *V);
  bool isRoot(const Value *V) const;
  bool isCandidate(Value *V) const { return Candidates.contains(V); }
  bool isConsistent(Value *V) const;
  void keepReached();
  void remove(SmallVector<Value *, 16> Work);
  void keepConsistent();
  void makePointers();
  Value *pointerOf(Value *V) const;

  Function &F;
  PointerType *Ptr;
  unsigned Width;
  Bases From;
  SetVector<Value *> Candidates;
  DenseMap<Value *, Value *> Pointers;
};

} // namespace

bool AddressRaiser::isRoot(const Value *V) const {
  if (From == Bases::Arguments)
    return isa<Argument>(V) && V->getType()->isIntegerTy(Width);
  auto *Cast = dyn_cast<PtrToIntOperator>(V);
  return Cast && Cast->getPointerOperand()->getType() == Ptr &&
         Cast->getType()->isIntegerTy(Width);
}

static bool isSum(const Value *V) {
  if (!isa<Instruction>(V))
    return false;
  return match(V, m_Add(m_Value(), m_Value())) ||
         match(V, m_DisjointOr(m_Value(), m_Value()));
}

/// Everything that may be an address and that \p Start is made of.
void AddressRaiser::collect(Value *Start) {
  SmallVector<Value *, 16> Work{Start};
  while (!Work.empty()) {
    Value *V = Work.pop_back_val();
    bool Passes = isSum(V) || isa<PHINode>(V) || isa<SelectInst>(V);
    if ((!Passes && !isRoot(V)) || !Candidates.insert(V) || !Passes)
      continue;
    auto *I = cast<Instruction>(V);
    for (Value *Operand : I->operands())
      if (Operand->getType() == V->getType())
        Work.push_back(Operand);
  }
}

bool AddressRaiser::isConsistent(Value *V) const {
  if (isRoot(V))
    return true;
  auto *I = cast<Instruction>(V);
  if (auto *Phi = dyn_cast<PHINode>(I))
    return all_of(Phi->incoming_values(),
                  [&](Value *In) { return isCandidate(In); });
  if (auto *Select = dyn_cast<SelectInst>(I))
    return isCandidate(Select->getTrueValue()) &&
           isCandidate(Select->getFalseValue());
  return isCandidate(I->getOperand(0)) != isCandidate(I->getOperand(1));
}

/// Takes out what no root reaches: cycles of phis.
void AddressRaiser::keepReached() {
  SmallVector<Value *, 16> Work;
  DenseSet<Value *> Reached;
  for (Value *V : Candidates)
    if (isRoot(V)) {
      Reached.insert(V);
      Work.push_back(V);
    }
  while (!Work.empty())
    for (User *U : Work.pop_back_val()->users())
      if (isCandidate(U) && Reached.insert(U).second)
        Work.push_back(U);
  Candidates.remove_if([&](Value *V) { return !Reached.contains(V); });
}

/// Takes out \p Work, and all that contradicts the rules without it.
void AddressRaiser::remove(SmallVector<Value *, 16> Work) {
  DenseSet<Value *> Removed;
  auto IsIn = [&](Value *V) { return isCandidate(V) && !Removed.contains(V); };
  while (!Work.empty()) {
    Value *V = Work.pop_back_val();
    if (!IsIn(V))
      continue;
    Removed.insert(V);
    for (User *U : V->users()) {
      // A sum of two addresses gets better.
      bool IsGood =
          isSum(U) && (IsIn(U->getOperand(0)) || IsIn(U->getOperand(1)));
      if (IsIn(U) && !IsGood)
        Work.push_back(U);
    }
  }
  Candidates.remove_if([&](Value *V) { return Removed.contains(V); });
}

/// What is left contradicts nothing.
void AddressRaiser::keepConsistent() {
  for (size_t Before = Candidates.size() + 1; Candidates.size() < Before;) {
    Before = Candidates.size();
    keepReached();
    SmallVector<Value *, 16> Wrong, Double;
    for (Value *V : Candidates)
      if (!isConsistent(V)) {
        auto *I = cast<Instruction>(V);
        bool IsDouble = isSum(V) && isCandidate(I->getOperand(0)) &&
                        isCandidate(I->getOperand(1));
        (IsDouble ? Double : Wrong).push_back(V);
      }
    remove(Wrong.empty() ? Double : Wrong);
  }
}

Value *AddressRaiser::pointerOf(Value *V) const {
  if (auto *Cast = dyn_cast<PtrToIntOperator>(V))
    return Cast->getPointerOperand();
  return Pointers.lookup(V);
}

/// Makes the pointers of all candidates: arguments and phis first, as what they
/// are made of may be made of them, then everything in an order in which
/// operands come first.
void AddressRaiser::makePointers() {
  BasicBlock &Entry = F.getEntryBlock();
  IRBuilder<> AtEntry(&Entry, Entry.getFirstNonPHIOrDbgOrAlloca());
  for (Value *V : Candidates)
    if (isa<Argument>(V))
      Pointers[V] = AtEntry.CreateIntToPtr(V, Ptr);
  for (Value *V : Candidates)
    if (auto *Phi = dyn_cast<PHINode>(V)) {
      IRBuilder<> B(Phi);
      Pointers[V] = B.CreatePHI(Ptr, Phi->getNumIncomingValues());
    }
  for (BasicBlock *Block : ReversePostOrderTraversal<Function *>(&F))
    for (Instruction &I : make_early_inc_range(*Block)) {
      if (!isCandidate(&I) || isRoot(&I) || isa<PHINode>(I))
        continue;
      IRBuilder<> B(&I);
      if (auto *Select = dyn_cast<SelectInst>(&I)) {
        Pointers[&I] = B.CreateSelect(Select->getCondition(),
                                      pointerOf(Select->getTrueValue()),
                                      pointerOf(Select->getFalseValue()));
        continue;
      }
      unsigned Base = isCandidate(I.getOperand(0)) ? 0 : 1;
      Pointers[&I] =
          B.CreatePtrAdd(pointerOf(I.getOperand(Base)), I.getOperand(1 - Base));
    }
  for (Value *V : Candidates)
    if (auto *Phi = dyn_cast<PHINode>(V))
      for (auto [In, Block] : zip(Phi->incoming_values(), Phi->blocks()))
        cast<PHINode>(Pointers[V])->addIncoming(pointerOf(In), Block);
}

bool AddressRaiser::run() {
  SmallVector<IntToPtrInst *, 16> Casts;
  for (Instruction &I : instructions(F))
    if (auto *Cast = dyn_cast<IntToPtrInst>(&I);
        Cast && Cast->getType() == Ptr &&
        Cast->getOperand(0)->getType()->isIntegerTy(Width)) {
      Casts.push_back(Cast);
      collect(Cast->getOperand(0));
    }
  keepConsistent();
  if (Candidates.empty())
    return false;
  makePointers();
  for (IntToPtrInst *Cast : Casts)
    if (isCandidate(Cast->getOperand(0))) {
      Cast->replaceAllUsesWith(pointerOf(Cast->getOperand(0)));
      Cast->eraseFromParent();
    }
  return true;
}

bool unravel::ptx::raiseAddresses(Function &F) {
  bool Changed = false;
  for (unsigned Space :
       {NVPTXAS::ADDRESS_SPACE_GLOBAL, NVPTXAS::ADDRESS_SPACE_SHARED,
        NVPTXAS::ADDRESS_SPACE_LOCAL, NVPTXAS::ADDRESS_SPACE_CONST,
        NVPTXAS::ADDRESS_SPACE_GENERIC})
    Changed |= AddressRaiser(F, Space, Bases::Pointers).run();
  // Behind that: a sum of a pointer and an argument is no sum of two addresses.
  // Not generic ones: LLVM takes an argument that is a pointer for one to
  // global memory, and here it may be an offset in shared memory.
  Changed |=
      AddressRaiser(F, NVPTXAS::ADDRESS_SPACE_GLOBAL, Bases::Arguments).run();
  // Numbers that have no uses any more.
  for (BasicBlock &Block : F)
    for (Instruction &I : make_early_inc_range(reverse(Block)))
      if (isInstructionTriviallyDead(&I))
        I.eraseFromParent();
  return Changed;
}
