//===- VectorWidths.cpp - Accesses that could be one ----------------------===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "analysis/warps/VectorWidths.h"
#include "analysis/access/RequestCost.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/IR/GlobalVariable.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include <map>

using namespace llvm;

namespace unravel {

namespace {
/// An access of a family.
struct Member {
  AccessReport *Report;
  /// Equal for two members if nothing between them keeps them apart.
  uint64_t Epoch;
};

/// Accesses of one kind and width whose addresses differ by numbers.
struct Family {
  /// By the number of bytes between them; of several at one place the first.
  std::map<int64_t, Member> ByOffset;
  /// What their common part is known to be a multiple of.
  uint64_t Alignment = 1;
  unsigned Seen = 0;
};

/// Counts what was read and written in a block, in each address space.
class MemoryCounter {
public:
  void visit(const Instruction &I) {
    // Says that it touches memory, so that nothing moves it.
    if (auto *Call = dyn_cast<IntrinsicInst>(&I);
        Call && Call->isAssumeLikeIntrinsic())
      return;
    const Value *Pointer = getLoadStorePointerOperand(&I);
    unsigned Space = Pointer ? Pointer->getType()->getPointerAddressSpace() : 0;
    Reads[Space] += I.mayReadFromMemory();
    Writes[Space] += I.mayWriteToMemory();
    TotalReads += I.mayReadFromMemory();
    TotalWrites += I.mayWriteToMemory();
  }
  /// Of memory that \p Space may be about: its own, and the generic one.
  uint64_t reads(unsigned Space) const {
    return Space == 0 ? TotalReads : Reads.lookup(Space) + Reads.lookup(0);
  }
  uint64_t writes(unsigned Space) const {
    return Space == 0 ? TotalWrites : Writes.lookup(Space) + Writes.lookup(0);
  }

private:
  DenseMap<unsigned, uint64_t> Reads, Writes;
  uint64_t TotalReads = 0, TotalWrites = 0;
};
} // namespace

/// \p S as a sum of something and a number.
static std::pair<const SCEV *, int64_t> splitConstant(ScalarEvolution &SE,
                                                      const SCEV *S) {
  const SCEV *First = S;
  while (auto *Recurrence = dyn_cast<SCEVAddRecExpr>(First))
    First = Recurrence->getStart();
  if (auto *Sum = dyn_cast<SCEVAddExpr>(First))
    First = Sum->getOperand(0);
  auto *Constant = dyn_cast<SCEVConstant>(First);
  if (!Constant || Constant->getAPInt().getSignificantBits() > 62)
    return {S, 0};
  return {SE.getMinusSCEV(S, Constant), Constant->getAPInt().getSExtValue()};
}

/// As WarpEvaluator takes them.
static uint64_t alignmentOfObject(const Value *Object, const DataLayout &DL) {
  auto *A = dyn_cast<Argument>(Object);
  bool IsAligned = A && (A->getType()->isPointerTy() || A->hasByValAttr());
  return IsAligned ? WidestAccess : Object->getPointerAlignment(DL).value();
}

/// The common part of the address of \p A, its alignment, and the number.
static std::tuple<const SCEV *, uint64_t, int64_t>
addressOf(const MemoryAccess &A, ScalarEvolution &SE) {
  const SCEV *Pointer = SE.getSCEV(const_cast<Value *>(A.Pointer));
  auto *Base = dyn_cast<SCEVUnknown>(SE.getPointerBase(Pointer));
  if (!Pointer->getType()->isPointerTy() || !Base)
    return {nullptr, 1, 0};
  auto [Rest, Number] = splitConstant(SE, SE.removePointerBase(Pointer));
  uint64_t Alignment = std::min<uint64_t>(
      alignmentOfObject(Base->getValue(), A.Instruction->getDataLayout()),
      uint64_t(1) << std::min(SE.getMinTrailingZeros(Rest), 4u));
  return {SE.getAddExpr(Base, Rest), Alignment, Number + int64_t(A.Offset)};
}

static bool isPlain(const AccessReport &R) {
  const MemoryAccess &A = R.Access;
  if (!R.NotUnderstood.empty() || !R.HasCost || A.Bytes >= WidestAccess)
    return false;
  auto *Load = dyn_cast<LoadInst>(A.Instruction);
  auto *Store = dyn_cast<StoreInst>(A.Instruction);
  return (Load && Load->isSimple()) || (Store && Store->isSimple());
}

namespace {
/// What a wider access would need besides the accesses of the family.
struct Wishes {
  bool NothingBetween = false;
  /// The place that would be a multiple of every width.
  std::optional<int64_t> AlignedPlace;
};
} // namespace

/// The widest instruction that contains the member at \p Offset, of those that
/// are made of the family and begin at a multiple of their width.
static uint64_t widestAt(const Family &F, int64_t Offset, uint64_t Bytes,
                         const Wishes &If) {
  uint64_t Epoch = F.ByOffset.at(Offset).Epoch;
  uint64_t Most = If.AlignedPlace ? WidestAccess : F.Alignment;
  uint64_t FromAligned =
      uint64_t(Offset) - uint64_t(If.AlignedPlace.value_or(0));
  uint64_t Widest = Bytes;
  for (uint64_t Wide = 2 * Bytes; Wide <= Most; Wide *= 2) {
    int64_t Begin = Offset - int64_t(FromAligned % Wide);
    for (int64_t At = Begin; At < Begin + int64_t(Wide); At += Bytes) {
      auto It = F.ByOffset.find(At);
      if (It == F.ByOffset.end() ||
          (!If.NothingBetween && It->second.Epoch != Epoch))
        return Widest;
    }
    Widest = Wide;
  }
  return Widest;
}

/// The accesses from \p First to that at \p Offset leave no gap.
static void describe(const Family &F, int64_t First, int64_t Offset) {
  AccessReport &R = *F.ByOffset.at(Offset).Report;
  uint64_t Bytes = R.Access.Bytes;
  R.VectorBytes = widestAt(F, Offset, Bytes, {});
  // Where the first address is known to be off, it is no place to align.
  std::optional<int64_t> Aligned;
  if (uint64_t(First) % F.Alignment == 0)
    Aligned = First;
  constexpr StringLiteral Between = "nothing between them touched this memory";
  auto Multiple = [&](uint64_t Wide) {
    return ("the first address were a multiple of " + Twine(Wide) +
            ", of which " + Twine(F.Alignment) + " is known")
        .str();
  };
  std::string Wider;
  auto Offer = [&](uint64_t Wide, const Twine &Condition) {
    if (Wider.empty() && Wide > R.VectorBytes)
      Wider = (Twine(Wide) + " if " + Condition).str();
  };
  Offer(widestAt(F, Offset, Bytes, {true, std::nullopt}), Between);
  uint64_t Wide = widestAt(F, Offset, Bytes, {false, Aligned});
  Offer(Wide, Multiple(Wide));
  Wide = widestAt(F, Offset, Bytes, {true, Aligned});
  Offer(Wide, Between + " and " + Multiple(Wide));
  if (R.VectorBytes > Bytes)
    R.VectorNote =
        (Twine(R.VectorBytes) + " bytes with the accesses beside it").str();
  else if (!Wider.empty())
    R.VectorNote = (Twine(Bytes) + " bytes").str();
  if (!Wider.empty())
    R.VectorNote += "; " + Wider;
}

static void describe(const Family &F) {
  int64_t First = 0;
  const int64_t *Last = nullptr;
  for (const auto &[Offset, M] : F.ByOffset) {
    if (!Last || uint64_t(Offset) != uint64_t(*Last) + M.Report->Access.Bytes)
      First = Offset;
    describe(F, First, Offset);
    Last = &Offset;
  }
}

void addVectorWidths(MutableArrayRef<AccessReport> Reports,
                     ScalarEvolution &SE) {
  using Place = std::pair<const BasicBlock *, const SCEV *>;
  using Kind = std::pair<unsigned, uint64_t>; // opcode and width
  MapVector<std::pair<Place, Kind>, Family> Families;
  MemoryCounter Counter;
  const Instruction *Next = nullptr; // the first one that was not counted
  for (AccessReport &R : Reports) {
    R.VectorBytes = R.Access.Bytes;
    if (!isPlain(R))
      continue;
    const Instruction *I = R.Access.Instruction;
    if (!Next || Next->getParent() != I->getParent())
      Next = &I->getParent()->front();
    for (; Next != I; Next = Next->getNextNode())
      Counter.visit(*Next);
    auto [Common, Alignment, Number] = addressOf(R.Access, SE);
    if (!Common)
      continue;
    Family &F =
        Families[{{I->getParent(), Common}, {I->getOpcode(), R.Access.Bytes}}];
    F.Alignment = Alignment;
    unsigned Space = R.Access.Pointer->getType()->getPointerAddressSpace();
    // What never changes is not kept apart.
    bool IsFixed = I->hasMetadata(LLVMContext::MD_invariant_load);
    uint64_t Epoch = IsFixed ? 0 : Counter.writes(Space);
    // Stores of the family itself keep nothing apart.
    if (isa<StoreInst>(I))
      Epoch += Counter.reads(Space) - F.Seen++;
    F.ByOffset.emplace(Number, Member{&R, Epoch});
  }
  for (auto &[Key, F] : Families)
    describe(F);
}

} // namespace unravel
