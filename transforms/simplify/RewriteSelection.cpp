//===- RewriteSelection.cpp - Which planned rewrites pay ------------------===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "transforms/simplify/RewriteSelection.h"
#include "transforms/plan/NVPTXCostModel.h"
#include "transforms/plan/PlanPrices.h"
#include "llvm/ADT/EquivalenceClasses.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/Analysis/AssumptionCache.h"
#include "llvm/Analysis/CodeMetrics.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Transforms/Utils/Local.h"
#include <map>

using namespace llvm;

namespace unravel {

namespace {
/// Instructions counted plainly, and weighted by the depth of their loop; those
/// that are not affine (see isAffine) once more.
struct Price {
  int64_t Plain = 0, Weighted = 0, NotAffine = 0;
  void add(unsigned Cost, unsigned Depth, bool IsAffine) {
    int64_t InLoops = static_cast<int64_t>(Cost) * loopWeight(Depth);
    Plain += Cost;
    Weighted += InLoops;
    NotAffine += IsAffine ? 0 : InLoops;
  }
  /// Never worse in either count, and better in one.
  bool isCheaperThan(const Price &Other) const {
    return Plain <= Other.Plain && Weighted <= Other.Weighted &&
           (Plain < Other.Plain || Weighted < Other.Weighted);
  }
};

class Selection {
public:
  Selection(Function &F, PlanPrices &Plans, LoopInfo &LI, AssumptionCache &AC,
            unsigned MaxGroup)
      : Plans(Plans), LI(LI), MaxGroup(MaxGroup) {
    CodeMetrics::collectEphemeralValues(&F, &AC, Ephemeral);
  }

  /// \p Group without what its other roots gain more without.
  std::vector<IndexRoot *> withoutLosers(std::vector<IndexRoot *> Group);
  /// The same for large groups, in a time that grows with their code.
  std::vector<IndexRoot *> withoutLosersAtOnce(std::vector<IndexRoot *> Group);
  /// The part of \p Group that pays.
  std::vector<IndexRoot *> paying(ArrayRef<IndexRoot *> Group, bool Carefully);
  int64_t gain(ArrayRef<IndexRoot *> Roots) {
    const Prices &P = pricesOf(Roots);
    return P.OfDead.Weighted - P.OfNew.Weighted;
  }

private:
  struct Prices {
    Price OfNew, OfDead;
  };
  /// At all depths; remembered.
  const Prices &pricesOf(ArrayRef<IndexRoot *> Roots);
  Price priceOfNew(ArrayRef<IndexRoot *> Roots, unsigned MinDepth = 0);
  Price priceOfDead(ArrayRef<IndexRoot *> Roots, unsigned MinDepth = 0);
  /// What no code needs any more once the uses of all \p Roots, \p Replaced,
  /// are replaced.
  std::vector<Instruction *>
  deadWithout(ArrayRef<IndexRoot *> Roots,
              SmallPtrSetImpl<const Use *> &Replaced);
  /// For each root of \p Group the price of the new code that no other needs.
  DenseMap<const IndexRoot *, Price> spared(ArrayRef<IndexRoot *> Group);
  /// The old code of \p Root among what is dead; if it is more than \p Most,
  /// some number above that.
  int64_t lost(const IndexRoot &Root, int64_t Most,
               const SmallPtrSetImpl<Instruction *> &Dead,
               const SmallPtrSetImpl<const Use *> &Uses);
  std::vector<IndexRoot *> winnersOf(ArrayRef<IndexRoot *> Group, bool MayTie);
  unsigned numUses(const Value *V);
  bool pays(ArrayRef<IndexRoot *> Roots, bool Carefully);

  PlanPrices &Plans;
  LoopInfo &LI;
  unsigned MaxGroup;
  std::map<std::vector<IndexRoot *>, Prices> PricesOf;
  /// What only states facts is no code, and no use.
  SmallPtrSet<const Value *, 32> Ephemeral;
  /// LLVM counts them one by one.
  DenseMap<const Value *, unsigned> NumUses;
};
} // namespace

/// Sums, multiples and extensions. Behind the pass, straight-line and loop
/// strength reduction and the folding of constants into accesses make more of
/// these than their price says, if they find them as they were.
static bool isAffine(const Instruction &I) {
  switch (I.getOpcode()) {
  case Instruction::Add:
  case Instruction::Sub:
  case Instruction::Mul:
  case Instruction::Shl:
  case Instruction::Or: // disjoint
  case Instruction::ZExt:
  case Instruction::SExt:
  case Instruction::Trunc:
  case Instruction::GetElementPtr:
    return true;
  default:
    return false;
  }
}

static bool isAffine(const PlanNode &Node) {
  switch (Node.Op) {
  case PlanOp::Add:
  case PlanOp::Sub:
  case PlanOp::Mul:
  case PlanOp::MulBy:
  case PlanOp::ZExt:
  case PlanOp::SExt:
  case PlanOp::Trunc:
  case PlanOp::PtrAdd:
    return true;
  default:
    return false;
  }
}

/// The plan of a root; null for one that has become a constant.
static const PlanNode *planOf(const IndexRoot &Root) {
  return Root.Constant ? nullptr : Root.New;
}

Price Selection::priceOfNew(ArrayRef<IndexRoot *> Roots, unsigned MinDepth) {
  DenseSet<const PlanNode *> Seen;
  DenseMap<const PlanNode *, unsigned> NumUsers;
  for (IndexRoot *Root : Roots) {
    ++NumUsers[planOf(*Root)];
    forEachNode(planOf(*Root), Seen, [&](const PlanNode *Node) {
      ++NumUsers[Node->A];
      ++NumUsers[Node->B];
    });
  }
  // Selection does not merge a product into one of several sums.
  auto IsShared = [&](const PlanNode *Node) { return NumUsers[Node] > 1; };
  Price Total;
  for (const PlanNode *Node : Seen)
    if (unsigned Depth = Plans.loopDepthOf(Node); Depth >= MinDepth)
      Total.add(costOf(Node, IsShared), Depth, isAffine(*Node));
  return Total;
}

unsigned Selection::numUses(const Value *V) {
  auto [It, IsNew] = NumUses.try_emplace(V, 0);
  if (IsNew)
    It->second = count_if(
        V->users(), [&](const User *U) { return !Ephemeral.contains(U); });
  return It->second;
}

std::vector<Instruction *>
Selection::deadWithout(ArrayRef<IndexRoot *> Roots,
                       SmallPtrSetImpl<const Use *> &Replaced) {
  SmallPtrSet<const Value *, 16> Kept;
  DenseSet<const PlanNode *> Seen;
  /// The uses that are left of what loses some.
  DenseMap<const Instruction *, unsigned> UsesLeft;
  SmallVector<Instruction *, 32> Unused;
  auto LoseUses = [&](Instruction *I, unsigned Count) {
    unsigned &Left = UsesLeft.try_emplace(I, numUses(I)).first->second;
    Left -= Count;
    if (Left == 0)
      Unused.push_back(I);
  };
  for (IndexRoot *Root : Roots) {
    Replaced.insert(Root->Uses.begin(), Root->Uses.end());
    LoseUses(Root->Old, Root->Uses.size());
    forEachNode(planOf(*Root), Seen, [&](const PlanNode *Node) {
      if (Node->usesLeaf())
        Kept.insert(Node->Leaf);
    });
  }
  std::vector<Instruction *> Dead;
  while (!Unused.empty()) {
    Instruction *I = Unused.pop_back_val();
    if (Kept.contains(I) || !wouldInstructionBeTriviallyDead(I))
      continue;
    Dead.push_back(I);
    for (const Use &Operand : I->operands())
      if (auto *Op = dyn_cast<Instruction>(Operand);
          Op && !Replaced.contains(&Operand))
        LoseUses(Op, 1);
  }
  return Dead;
}

Price Selection::priceOfDead(ArrayRef<IndexRoot *> Roots, unsigned MinDepth) {
  SmallPtrSet<const Use *, 16> Replaced;
  Price Total;
  for (Instruction *I : deadWithout(Roots, Replaced))
    if (unsigned Depth = LI.getLoopDepth(I->getParent()); Depth >= MinDepth)
      Total.add(costOf(*I), Depth, isAffine(*I));
  return Total;
}

const Selection::Prices &Selection::pricesOf(ArrayRef<IndexRoot *> Roots) {
  auto [It, IsNew] = PricesOf.try_emplace(Roots.vec());
  if (IsNew)
    It->second = {priceOfNew(Roots), priceOfDead(Roots)};
  return It->second;
}

/// Affine addresses are left to the passes behind: it has to be operations of
/// other kinds that are saved, in the innermost of the loops.
bool Selection::pays(ArrayRef<IndexRoot *> Roots, bool Carefully) {
  const Prices &P = pricesOf(Roots);
  if (!P.OfNew.isCheaperThan(P.OfDead))
    return false;
  if (!Carefully)
    return true;
  bool HasAddress = false;
  unsigned Depth = 0;
  for (const IndexRoot *Root : Roots)
    if (Root->Kind == RootKind::Address) {
      HasAddress = true;
      Depth = std::max(Depth, LI.getLoopDepth(Root->At->getParent()));
    }
  return !HasAddress || priceOfNew(Roots, Depth).NotAffine <
                            priceOfDead(Roots, Depth).NotAffine;
}

/// The nodes of the plans of \p Group, each in front of its operands.
static SmallVector<const PlanNode *, 64>
nodesFromTop(ArrayRef<IndexRoot *> Group) {
  SmallVector<const PlanNode *, 64> Nodes;
  DenseSet<const PlanNode *> Seen;
  for (const IndexRoot *Root : Group)
    forEachNode(planOf(*Root), Seen,
                [&](const PlanNode *Node) { Nodes.push_back(Node); });
  sort(Nodes,
       [](const PlanNode *A, const PlanNode *B) { return A->Id > B->Id; });
  return Nodes;
}

DenseMap<const IndexRoot *, Price>
Selection::spared(ArrayRef<IndexRoot *> Group) {
  // The one root that needs a node; null for several.
  DenseMap<const PlanNode *, const IndexRoot *> NeededBy;
  auto Need = [&](const PlanNode *Node, const IndexRoot *Root) {
    auto [It, IsNew] = NeededBy.try_emplace(Node, Root);
    if (!IsNew && It->second != Root)
      It->second = nullptr;
  };
  DenseMap<const IndexRoot *, Price> Spared;
  for (const IndexRoot *Root : Group)
    Need(planOf(*Root), Root);
  for (const PlanNode *Node : nodesFromTop(Group)) {
    const IndexRoot *Root = NeededBy.lookup(Node);
    Need(Node->A, Root);
    Need(Node->B, Root);
    if (Root)
      Spared[Root].add(costOf(Node, [](const PlanNode *) { return false; }),
                       Plans.loopDepthOf(Node), isAffine(*Node));
  }
  return Spared;
}

int64_t Selection::lost(const IndexRoot &Root, int64_t Most,
                        const SmallPtrSetImpl<Instruction *> &Dead,
                        const SmallPtrSetImpl<const Use *> &Uses) {
  Price Total;
  SmallPtrSet<Instruction *, 16> Visited;
  SmallVector<Instruction *, 16> Work{Root.Old};
  while (!Work.empty() && Total.Weighted <= Most) {
    Instruction *I = Work.pop_back_val();
    if (!Dead.contains(I) || !Visited.insert(I).second)
      continue;
    Total.add(costOf(*I), LI.getLoopDepth(I->getParent()), isAffine(*I));
    for (const Use &Operand : I->operands())
      if (auto *Op = dyn_cast<Instruction>(Operand);
          Op && !Uses.contains(&Operand))
        Work.push_back(Op);
  }
  return Total.Weighted;
}

/// What leaving out one root spares is the new code that no other root needs,
/// and what it loses is the old code below it, which would be needed again. Of
/// several that are left out together, more new code is spared, and old code
/// that they share is lost once: the gain is at least the sum.
std::vector<IndexRoot *> Selection::winnersOf(ArrayRef<IndexRoot *> Group,
                                              bool MayTie) {
  DenseMap<const IndexRoot *, Price> Spared = spared(Group);
  SmallPtrSet<const Use *, 16> Replaced;
  std::vector<Instruction *> AllDead = deadWithout(Group, Replaced);
  SmallPtrSet<Instruction *, 32> Dead(AllDead.begin(), AllDead.end());
  std::vector<IndexRoot *> Winners;
  for (IndexRoot *Root : Group) {
    int64_t New = Spared.lookup(Root).Weighted;
    int64_t Gain = New - lost(*Root, New, Dead, Replaced);
    if (Gain < 0 || (Gain == 0 && !MayTie))
      Winners.push_back(Root);
  }
  return Winners;
}

/// The part of a group that has to lose for another round.
static constexpr size_t LeastLosers = 16;

std::vector<IndexRoot *>
Selection::withoutLosersAtOnce(std::vector<IndexRoot *> Group) {
  for (bool MayTie : {false, true})
    for (bool IsWorthIt = true; IsWorthIt && Group.size() > 1;) {
      std::vector<IndexRoot *> Winners = winnersOf(Group, MayTie);
      if (Winners.empty() || Winners.size() == Group.size() ||
          gain(Winners) < gain(Group))
        break;
      // So all rounds together take as long as a few of the first.
      size_t NumLosers = Group.size() - Winners.size();
      IsWorthIt = NumLosers >= Group.size() / LeastLosers;
      Group = std::move(Winners);
    }
  return Group;
}

/// Leaves out roots, last first, as long as the others gain by it: first those
/// that cost more than they save; then, with the gain of what is left known,
/// those that neither cost nor save.
std::vector<IndexRoot *>
Selection::withoutLosers(std::vector<IndexRoot *> Group) {
  if (Group.size() > MaxGroup)
    return withoutLosersAtOnce(std::move(Group));
  auto Without = [&](IndexRoot *Root) { // prices of groups are remembered
    std::vector<IndexRoot *> Others = Group;
    llvm::erase(Others, Root);
    return Others;
  };
  for (bool MayTie : {false, true}) {
    // The worst first, else the last: a good root that makes a bad one useless
    // looks as bad as long as that is there.
    SmallVector<std::pair<int64_t, IndexRoot *>, 16> Order;
    for (IndexRoot *Root : reverse(Group))
      Order.push_back({gain(Without(Root)), Root});
    llvm::stable_sort(
        Order, [](const auto &A, const auto &B) { return A.first > B.first; });
    for (IndexRoot *Root : make_second_range(Order)) {
      if (Group.size() == 1)
        return Group;
      std::vector<IndexRoot *> Others = Without(Root);
      int64_t Change = gain(Others) - gain(Group);
      if (Change > 0 || (Change == 0 && MayTie))
        Group = std::move(Others);
    }
  }
  return Group;
}

std::vector<IndexRoot *> Selection::paying(ArrayRef<IndexRoot *> Group,
                                           bool Carefully) {
  if (pays(Group, Carefully))
    return Group;
  // Together they do not pay; perhaps some do alone.
  std::vector<IndexRoot *> Alone;
  for (IndexRoot *Root : Group)
    if (pays(Root, Carefully))
      Alone.push_back(Root);
  if (!Alone.empty() && pays(Alone, Carefully))
    return Alone;
  return {};
}

SelectedRewrites selectRewrites(std::vector<IndexRoot> &Roots,
                                PlanPrices &Prices, LoopInfo &LI,
                                AssumptionCache &AC, unsigned MaxGroup) {
  // Roots that share an instruction, old or new, are in one group.
  EquivalenceClasses<const void *> Shared;
  DenseSet<const PlanNode *> Nodes;
  for (IndexRoot &Root : Roots) {
    if (!Root.hasPlan())
      continue;
    Shared.insert(&Root);
    auto Share = [&](const void *User, const PlanNode *Node) {
      if (Node && !Node->isFree())
        Shared.unionSets(User, Node);
    };
    Share(&Root, planOf(Root));
    forEachNode(planOf(Root), Nodes, [&](const PlanNode *Node) {
      Share(Node, Node->A);
      Share(Node, Node->B);
    });
    SmallVector<Instruction *, 16> Work{Root.Old};
    while (!Work.empty()) {
      Instruction *I = Work.pop_back_val();
      bool Visited = Shared.contains(I);
      Shared.unionSets(&Root, I);
      if (Visited)
        continue; // what is below it is in the class already
      for (Value *Operand : I->operands())
        if (auto *Op = dyn_cast<Instruction>(Operand))
          if (IndexRecovery::isIndexOperation(Op) || isa<GetElementPtrInst>(Op))
            Work.push_back(Op);
    }
  }
  MapVector<const void *, std::vector<IndexRoot *>> Groups;
  for (IndexRoot &Root : Roots)
    if (Root.hasPlan())
      Groups[Shared.getLeaderValue(&Root)].push_back(&Root);
  Selection Select(*Roots.front().At->getFunction(), Prices, LI, AC, MaxGroup);
  SelectedRewrites Result;
  for (auto &[Leader, Group] : Groups) {
    std::vector<IndexRoot *> Candidates = Select.withoutLosers(Group);
    std::vector<IndexRoot *> ByPrice =
        Select.paying(Candidates, /*Carefully=*/false);
    std::vector<IndexRoot *> Careful =
        Select.paying(Candidates, /*Carefully=*/true);
    Result.GainByPrice += Select.gain(ByPrice);
    Result.GainOfCareful += Select.gain(Careful);
    append_range(Result.ByPrice, ByPrice);
    append_range(Result.Careful, Careful);
  }
  // They lie in a vector, in the order of the IR.
  sort(Result.ByPrice);
  sort(Result.Careful);
  return Result;
}

} // namespace unravel
