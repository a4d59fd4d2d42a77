//===- AlignedCompares.cpp - Guards of neighbours are one -----------------===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Let the low k bits of a and b be known, r and s, and A = a - r and B = b - s
// be the rest: no bit borrows, so A and B are in the order of their upper bits,
// signed or unsigned as a and b are. Then
//
//   a < b  is  A < B  if r >= s, else A <= B
//   a <= b is  A <= B if r <= s, else A < B
//
// With a constant b there is a choice of B. Let t be the least number from b on
// that ends in r. No number that ends in r is in [b, t), so that a < b is a <
// t, and that is A < t - r. Of a > b, which is !(a < b + 1), the same t is
// taken, so that tests of both directions meet.
//
//===----------------------------------------------------------------------===//

#include "transforms/simplify/AlignedCompares.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DepthFirstIterator.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/PatternMatch.h"
#include "llvm/Support/DebugCounter.h"
#include "llvm/Support/KnownBits.h"
#include "llvm/Transforms/Utils/Local.h"

using namespace llvm;
using namespace llvm::PatternMatch;

DEBUG_COUNTER(AlignedCounter, "index-simplify-aligned-compares",
              "Controls which comparisons index-simplify aligns");

namespace unravel {

namespace {

/// Low < High, or the opposite. `a <= b` is the opposite of `b < a`; of a
/// variable and a constant, Low is the variable.
struct Order {
  Value *Low, *High;
  bool IsSigned, IsNegated;

  bool operator==(const Order &Other) const {
    return Low == Other.Low && High == Other.High &&
           IsSigned == Other.IsSigned && IsNegated == Other.IsNegated;
  }
};

/// Comparisons are aligned in the order of the dominator tree.
class Alignment {
public:
  Alignment(Function &F, const DominatorTree &DT) : F(F), DT(DT) {}
  bool align(ICmpInst &Compare);
  /// Removes what only the old comparisons used.
  void clean();

private:
  /// A comparison of two values.
  struct Test {
    ICmpInst *Compare;
    bool IsSigned, IsNegated;
  };

  std::optional<Order> aligned(const Order &O, ICmpInst &Compare) const;
  SmallVector<Test, 2> &testsAhead(const Order &O, const ICmpInst &At);
  bool replaceByKnown(ICmpInst &Compare, const Order &O);

  Function &F;
  const DominatorTree &DT;
  DenseMap<std::pair<Value *, Value *>, SmallVector<Test, 2>> Known;
  SmallVector<WeakTrackingVH, 16> Unused;
};

} // namespace

static ICmpInst::Predicate lessThan(bool IsSigned) {
  return IsSigned ? ICmpInst::ICMP_SLT : ICmpInst::ICMP_ULT;
}

/// The order that \p Compare tests; none if it is always true or false.
static std::optional<Order> orderOf(const ICmpInst &Compare) {
  Value *A = Compare.getOperand(0), *B = Compare.getOperand(1);
  bool IsSigned = Compare.isSigned();
  Order O{A, B, IsSigned, !Compare.isStrictPredicate()};
  // a > b is b < a, and a <= b is !(b < a).
  if (ICmpInst::isGT(Compare.getPredicate()) ||
      ICmpInst::isLE(Compare.getPredicate()))
    std::swap(O.Low, O.High);
  const APInt *C;
  if (!match(O.Low, m_APInt(C)))
    return O;
  // c < b is !(b < c + 1).
  if (IsSigned ? C->isMaxSignedValue() : C->isMaxValue())
    return std::nullopt;
  return Order{O.High, ConstantInt::get(A->getType(), *C + 1), IsSigned,
               !O.IsNegated};
}

/// How many low bits are known.
static unsigned numLowBits(const KnownBits &Bits) {
  return (Bits.Zero | Bits.One).countr_one();
}

/// What is left of \p V without its low bits, which are \p Low, if it is there.
static Value *withoutLowBits(Value *V, const APInt &Low) {
  Value *Rest;
  if (Low.isZero())
    return V;
  if (match(V, m_AddLike(m_Value(Rest), m_SpecificInt(Low))))
    return Rest;
  return nullptr;
}

/// \p O, where the high side is the constant \p Bound and the low one has
/// \p Bits.
static std::optional<Order> alignedToConstant(Order O, const APInt &Bound,
                                              const KnownBits &Bits) {
  unsigned Width = Bound.getBitWidth();
  APInt Mask = APInt::getLowBitsSet(Width, numLowBits(Bits));
  APInt Low = Bits.One & Mask;
  // The least number from the bound on that the low side can be.
  APInt Step = (Low - Bound) & Mask;
  bool Overflows;
  APInt Threshold = O.IsSigned ? Bound.sadd_ov(Step, Overflows)
                               : Bound.uadd_ov(Step, Overflows);
  if (Value *Rest = withoutLowBits(O.Low, Low)) {
    O.Low = Rest;
    Threshold -= Low;
  }
  // Always true or false: LLVM's work.
  if (Overflows ||
      (O.IsSigned ? Threshold.isMinSignedValue() : Threshold.isZero()))
    return std::nullopt;
  O.High = ConstantInt::get(O.High->getType(), Threshold);
  return O;
}

/// Without the low bits of both sides that are known.
static std::optional<Order> alignedToOther(Order O, const KnownBits &Low,
                                           const KnownBits &High) {
  APInt Mask = APInt::getLowBitsSet(
      Low.getBitWidth(), std::min(numLowBits(Low), numLowBits(High)));
  APInt LowBits = Low.One & Mask, HighBits = High.One & Mask;
  O.Low = withoutLowBits(O.Low, LowBits);
  O.High = withoutLowBits(O.High, HighBits);
  if (!O.Low || !O.High)
    return std::nullopt;
  if (LowBits.ult(HighBits)) { // A <= B, the opposite of B < A
    std::swap(O.Low, O.High);
    O.IsNegated = !O.IsNegated;
  }
  return O;
}

std::optional<Order> Alignment::aligned(const Order &O,
                                        ICmpInst &Compare) const {
  SimplifyQuery SQ(F.getDataLayout(), &DT, nullptr, &Compare);
  KnownBits Low = computeKnownBits(O.Low, SQ);
  if (Low.hasConflict() || Low.isConstant() || numLowBits(Low) == 0)
    return std::nullopt;
  const APInt *Bound;
  if (match(O.High, m_APInt(Bound)))
    return alignedToConstant(O, *Bound, Low);
  KnownBits High = computeKnownBits(O.High, SQ);
  return High.hasConflict() ? std::nullopt : alignedToOther(O, Low, High);
}

/// Whether \p Compare may as well be the negation of another value: branches
/// and selections turn round for it.
static bool canBeNegated(const ICmpInst &Compare) {
  return all_of(Compare.uses(), [](const Use &U) {
    return isa<BranchInst>(U.getUser()) ||
           (isa<SelectInst>(U.getUser()) && U.getOperandNo() == 0);
  });
}

/// The comparisons so far of \p O's values that dominate \p At. Those that do
/// not dominate nothing that comes later, so that each is taken out once.
SmallVector<Alignment::Test, 2> &Alignment::testsAhead(const Order &O,
                                                       const ICmpInst &At) {
  SmallVector<Test, 2> &Tests = Known[{O.Low, O.High}];
  while (!Tests.empty() && !DT.dominates(Tests.back().Compare, &At))
    Tests.pop_back();
  return Tests;
}

/// Puts a comparison so far in the place of \p Compare, which tests \p O.
bool Alignment::replaceByKnown(ICmpInst &Compare, const Order &O) {
  for (const Test &T : testsAhead(O, Compare)) {
    bool IsOpposite = T.IsNegated != O.IsNegated;
    if (T.IsSigned != O.IsSigned || (IsOpposite && !canBeNegated(Compare)))
      continue;
    // The other one's promises may not hold where this one stands.
    T.Compare->dropPoisonGeneratingFlags();
    Compare.replaceAllUsesWith(
        IsOpposite ? IRBuilder<>(&Compare).CreateNot(T.Compare) : T.Compare);
    Compare.eraseFromParent();
    return true;
  }
  return false;
}

/// Writes \p O into \p Compare.
static void write(const Order &O, ICmpInst &Compare) {
  const APInt *Threshold;
  ICmpInst::Predicate Less = lessThan(O.IsSigned);
  Compare.dropPoisonGeneratingFlags();
  Compare.setOperand(0, O.Low);
  Compare.setOperand(1, O.High);
  if (!O.IsNegated) {
    Compare.setPredicate(Less);
  } else if (match(O.High, m_APInt(Threshold))) { // as LLVM writes a >= t
    Compare.setPredicate(ICmpInst::getSwappedPredicate(Less));
    Compare.setOperand(1, ConstantInt::get(O.High->getType(), *Threshold - 1));
  } else {
    Compare.setPredicate(ICmpInst::getInversePredicate(Less));
  }
}

bool Alignment::align(ICmpInst &Compare) {
  std::optional<Order> Old = orderOf(Compare);
  if (!Old)
    return false;
  Order O = aligned(*Old, Compare).value_or(*Old);
  bool Changes = !(O == *Old) && DebugCounter::shouldExecute(AlignedCounter);
  if (Changes) {
    append_range(Unused, Compare.operands());
    if (replaceByKnown(Compare, O))
      return true;
    write(O, Compare);
  } else {
    O = *Old;
  }
  testsAhead(O, Compare).push_back({&Compare, O.IsSigned, O.IsNegated});
  return Changes;
}

void Alignment::clean() {
  for (WeakTrackingVH &V : Unused)
    if (V)
      RecursivelyDeleteTriviallyDeadInstructions(V);
}

bool alignCompares(Function &F, FunctionAnalysisManager &AM,
                   const BasicBlock *Region) {
  auto &DT = AM.getResult<DominatorTreeAnalysis>(F);
  SmallVector<ICmpInst *, 16> Compares;
  for (const DomTreeNode *Node :
       depth_first(Region ? DT.getNode(Region) : DT.getRootNode()))
    for (Instruction &I : *Node->getBlock())
      if (auto *Compare = dyn_cast<ICmpInst>(&I);
          Compare && Compare->isRelational() &&
          Compare->getOperand(0)->getType()->isIntegerTy())
        Compares.push_back(Compare);
  Alignment A(F, DT);
  bool Changed = false;
  for (ICmpInst *Compare : Compares)
    Changed |= A.align(*Compare);
  A.clean();
  return Changed;
}

} // namespace unravel
