//===- IndexVectors.cpp - Vectors of indices become scalars ---------------===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Every operation here acts on each lane by itself, and its flags make only the
// lane poison that breaks them. So the same operation on the lanes gives the
// lanes of the result. A division is undefined if it is in one lane; the
// scalar divisions are executed at the same place, or go where no one uses
// them, which defines more.
//
// Operations that are connected go together or not at all: taking one of two
// apart would only add moves between them.
//
//===----------------------------------------------------------------------===//

#include "transforms/simplify/IndexVectors.h"
#include "llvm/ADT/EquivalenceClasses.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/PostOrderIterator.h"
#include "llvm/Analysis/VectorUtils.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/Transforms/Utils/Local.h"
#include "llvm/Transforms/Utils/LoopUtils.h"

using namespace llvm;

namespace unravel {

/// Vectors of at most this many lanes; SLP makes none longer of addresses.
static constexpr unsigned MaxLanes = 16;

/// Whether \p Ty may be a vector of indices, of digits or of conditions.
static bool isIndexVector(Type *Ty) {
  auto *Vector = dyn_cast<FixedVectorType>(Ty);
  if (!Vector || Vector->getNumElements() > MaxLanes)
    return false;
  Type *Element = Vector->getElementType();
  return any_of(ArrayRef{1, 8, 16, 32, 64},
                [&](unsigned Bits) { return Element->isIntegerTy(Bits); });
}

/// LLVM computes small digits of an index in 8 or 16 bits. Without a wider
/// vector beside them such numbers are data: for pairs of 16 bits there are
/// instructions.
static bool isDigitVector(Type *Ty) {
  return is_contained({8, 16}, Ty->getScalarSizeInBits());
}

static unsigned countLanes(const Value *V) {
  return cast<FixedVectorType>(V->getType())->getNumElements();
}

/// The lane that \p Index selects in \p Vector, if that is a constant.
static std::optional<unsigned> laneOf(const Value *Index, const Value *Vector) {
  auto *C = dyn_cast<ConstantInt>(Index);
  if (!C || C->getValue().uge(countLanes(Vector)))
    return std::nullopt;
  return C->getZExtValue();
}

/// Whether \p I is an intrinsic such as abs or smax, which acts on each lane.
static bool isLaneByLane(const Instruction &I) {
  auto *Call = dyn_cast<IntrinsicInst>(&I);
  return Call && isTriviallyVectorizable(Call->getIntrinsicID());
}

/// Whether \p U adds up the lanes of a vector of numbers, or combines them by
/// another operation that may be done in any order.
static bool combinesLanes(const User *U) {
  auto *Call = dyn_cast<IntrinsicInst>(U);
  if (!Call)
    return false;
  switch (Call->getIntrinsicID()) {
  case Intrinsic::vector_reduce_add:
  case Intrinsic::vector_reduce_mul:
  case Intrinsic::vector_reduce_and:
  case Intrinsic::vector_reduce_or:
  case Intrinsic::vector_reduce_xor:
  case Intrinsic::vector_reduce_smin:
  case Intrinsic::vector_reduce_smax:
  case Intrinsic::vector_reduce_umin:
  case Intrinsic::vector_reduce_umax:
    return true;
  default:
    return false;
  }
}

static Value *combine(Intrinsic::ID Reduction, ArrayRef<WeakTrackingVH> Lanes,
                      IRBuilderBase &B) {
  Value *Result = Lanes.front();
  unsigned Opcode = getArithmeticReductionInstruction(Reduction);
  bool IsMinMax = Opcode == Instruction::ICmp;
  for (Value *Lane : drop_begin(Lanes))
    Result = IsMinMax
                 ? B.CreateBinaryIntrinsic(
                       getMinMaxReductionIntrinsicOp(Reduction), Result, Lane)
                 : B.CreateBinOp(Instruction::BinaryOps(Opcode), Result, Lane);
  return Result;
}

/// Whether \p I makes a vector of indices lane by lane.
static bool makesIndexVector(const Instruction &I) {
  if (!isIndexVector(I.getType()))
    return false;
  if (auto *Insert = dyn_cast<InsertElementInst>(&I))
    return laneOf(Insert->getOperand(2), Insert).has_value();
  return isa<BinaryOperator, TruncInst, SExtInst, ZExtInst, ICmpInst,
             SelectInst, ShuffleVectorInst, PHINode, FreezeInst>(I) ||
         isLaneByLane(I);
}

/// Whether the lanes of \p C are known.
static bool hasLanes(const Constant &C) {
  for (unsigned Lane = 0, E = countLanes(&C); Lane != E; ++Lane)
    if (!C.getAggregateElement(Lane))
      return false;
  return true;
}

namespace {
class VectorSplitter {
public:
  VectorSplitter(Function &F, const DominatorTree &DT,
                 const BasicBlock *Region);
  bool run();

private:
  void connect();
  Value *lane(Value *V, unsigned Lane);
  Value *splitLane(Instruction &I, unsigned Lane, IRBuilderBase &B);
  void split(Instruction &I);
  void replaceUses(Instruction &I);

  /// In an order in which operands come before their users, but for phis.
  SmallVector<Instruction *, 16> Members;
  SmallPtrSet<const Instruction *, 16> IsMember;
  /// Members that are connected by operands.
  EquivalenceClasses<const Instruction *> Connected;
  /// By leaders: groups from which code takes a lane, those with a vector of
  /// unknown origin, and those with more than digits.
  SmallPtrSet<const Instruction *, 4> Wanted, Opaque, Wide;
  /// Handles: a lane may be a lane of another vector, still to be replaced.
  DenseMap<const Value *, SmallVector<WeakTrackingVH, 4>> Lanes;
};
} // namespace

VectorSplitter::VectorSplitter(Function &F, const DominatorTree &DT,
                               const BasicBlock *Region) {
  for (BasicBlock *BB : ReversePostOrderTraversal<Function *>(&F))
    if (!Region || DT.dominates(Region, BB))
      for (Instruction &I : *BB)
        if (makesIndexVector(I)) {
          Members.push_back(&I);
          IsMember.insert(&I);
          Connected.insert(&I);
        }
  connect();
}

void VectorSplitter::connect() {
  SmallVector<const Instruction *, 8> HasOpaque;
  for (Instruction *I : Members)
    for (const Value *Op : I->operand_values()) {
      if (!Op->getType()->isVectorTy()) // such as the callee
        continue;
      if (auto *Other = dyn_cast<Instruction>(Op);
          Other && IsMember.contains(Other))
        Connected.unionSets(I, Other);
      else if (auto *C = dyn_cast<Constant>(Op);
               !C || !isIndexVector(C->getType()) || !hasLanes(*C))
        HasOpaque.push_back(I);
    }
  for (const Instruction *I : HasOpaque)
    Opaque.insert(Connected.getLeaderValue(I));
  for (const Instruction *I : Members) {
    if (!isDigitVector(I->getType()))
      Wide.insert(Connected.getLeaderValue(I));
    for (const User *U : I->users())
      if (auto *Extract = dyn_cast<ExtractElementInst>(U);
          combinesLanes(U) ||
          (Extract && laneOf(Extract->getIndexOperand(), I)))
        Wanted.insert(Connected.getLeaderValue(I));
  }
}

Value *VectorSplitter::lane(Value *V, unsigned Lane) {
  if (auto *C = dyn_cast<Constant>(V))
    return C->getAggregateElement(Lane);
  return Lanes.find(V)->second[Lane];
}

/// Lane \p Lane of \p I, of the lanes of its operands.
Value *VectorSplitter::splitLane(Instruction &I, unsigned Lane,
                                 IRBuilderBase &B) {
  Type *Ty = I.getType()->getScalarType();
  if (auto *Insert = dyn_cast<InsertElementInst>(&I))
    return laneOf(Insert->getOperand(2), Insert) == Lane
               ? Insert->getOperand(1)
               : lane(Insert->getOperand(0), Lane);
  if (auto *Shuffle = dyn_cast<ShuffleVectorInst>(&I)) {
    int From = Shuffle->getMaskValue(Lane);
    if (From < 0)
      return PoisonValue::get(Ty);
    int Count = countLanes(Shuffle->getOperand(0));
    return From < Count ? lane(Shuffle->getOperand(0), From)
                        : lane(Shuffle->getOperand(1), From - Count);
  }
  if (auto *Phi = dyn_cast<PHINode>(&I))
    return B.CreatePHI(Ty, Phi->getNumIncomingValues(), I.getName());
  // The same instruction with other operands and another type.
  SmallVector<Value *, 3> Operands;
  auto *Call = dyn_cast<CallBase>(&I);
  for (Value *Op : Call ? Call->args() : I.operands())
    Operands.push_back(Op->getType()->isVectorTy() ? lane(Op, Lane) : Op);
  Instruction *New;
  if (auto *Operation = dyn_cast<BinaryOperator>(&I))
    New = BinaryOperator::Create(Operation->getOpcode(), Operands[0],
                                 Operands[1]);
  else if (auto *Cast = dyn_cast<CastInst>(&I))
    New = CastInst::Create(Cast->getOpcode(), Operands[0], Ty);
  else if (auto *Cmp = dyn_cast<ICmpInst>(&I))
    New = new ICmpInst(Cmp->getPredicate(), Operands[0], Operands[1]);
  else if (isa<SelectInst>(I))
    New = SelectInst::Create(Operands[0], Operands[1], Operands[2]);
  else if (isa<FreezeInst>(I))
    New = new FreezeInst(Operands[0]);
  else
    return B.CreateIntrinsic(Ty, cast<IntrinsicInst>(I).getIntrinsicID(),
                             Operands, nullptr, I.getName());
  New->copyIRFlags(&I);
  return B.Insert(New, I.getName());
}

void VectorSplitter::split(Instruction &I) {
  IRBuilder<> B(&I);
  SmallVector<WeakTrackingVH, 4> New;
  for (unsigned Lane = 0, E = countLanes(&I); Lane != E; ++Lane)
    New.push_back(splitLane(I, Lane, B));
  Lanes[&I] = std::move(New);
}

/// Gives the users of \p I that stay the lanes of it: one, or a vector of all.
void VectorSplitter::replaceUses(Instruction &I) {
  SmallVector<Use *, 4> Whole;
  for (Use &U : make_early_inc_range(I.uses())) {
    auto *User = cast<Instruction>(U.getUser());
    if (Lanes.contains(User))
      continue;
    if (combinesLanes(User)) {
      IRBuilder<> B(User);
      User->replaceAllUsesWith(
          combine(cast<IntrinsicInst>(User)->getIntrinsicID(), Lanes[&I], B));
      User->eraseFromParent();
      continue;
    }
    auto *Extract = dyn_cast<ExtractElementInst>(User);
    std::optional<unsigned> Lane =
        Extract ? laneOf(Extract->getIndexOperand(), &I) : std::nullopt;
    if (!Lane) {
      Whole.push_back(&U);
      continue;
    }
    Extract->replaceAllUsesWith(Lanes[&I][*Lane]);
    Extract->eraseFromParent();
  }
  if (Whole.empty())
    return;
  std::optional<BasicBlock::iterator> After = I.getInsertionPointAfterDef();
  assert(After && "a phi among nothing but handlers");
  IRBuilder<> B(I.getParent(), *After);
  Value *Vector = PoisonValue::get(I.getType());
  for (auto [Lane, V] : enumerate(Lanes[&I]))
    Vector = B.CreateInsertElement(Vector, V, Lane, I.getName());
  for (Use *U : Whole)
    U->set(Vector);
}

bool VectorSplitter::run() {
  erase_if(Members, [&](const Instruction *I) {
    const Instruction *Leader = Connected.getLeaderValue(I);
    return !Wanted.contains(Leader) || !Wide.contains(Leader) ||
           Opaque.contains(Leader);
  });
  if (Members.empty())
    return false;
  for (Instruction *I : Members)
    split(*I);
  for (Instruction *I : Members)
    if (auto *Phi = dyn_cast<PHINode>(I))
      for (auto [Lane, New] : enumerate(Lanes[Phi]))
        for (auto [V, BB] : zip(Phi->incoming_values(), Phi->blocks()))
          cast<PHINode>(New)->addIncoming(lane(V, Lane), BB);
  for (Instruction *I : Members)
    replaceUses(*I);
  // Phis may use one another in a circle.
  for (Instruction *I : Members)
    I->replaceAllUsesWith(PoisonValue::get(I->getType()));
  SmallVector<WeakTrackingVH, 16> Dead;
  for (Instruction *I : Members) {
    append_range(Dead, Lanes[I]);
    I->eraseFromParent();
  }
  for (Value *V : Dead)
    if (auto *Phi = dyn_cast_or_null<PHINode>(V))
      RecursivelyDeleteDeadPHINode(Phi);
  RecursivelyDeleteTriviallyDeadInstructionsPermissive(Dead);
  return true;
}

bool splitIndexVectors(Function &F, FunctionAnalysisManager &AM,
                       const BasicBlock *Region) {
  return VectorSplitter(F, AM.getResult<DominatorTreeAnalysis>(F), Region)
      .run();
}

} // namespace unravel
