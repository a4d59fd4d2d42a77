//===- WideProducts.cpp - Products that extend their words ----------------===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "transforms/late/WideProducts.h"
#include "analysis/facts/WordProduct.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DepthFirstIterator.h"
#include "llvm/Analysis/AssumptionCache.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/PatternMatch.h"
#include "llvm/Transforms/Utils/Local.h"

using namespace llvm;
using namespace llvm::PatternMatch;

namespace unravel {

/// A special register is the same number wherever it is read.
static Value *identity(Value *Word) {
  auto *Register = dyn_cast<IntrinsicInst>(Word);
  bool IsSame =
      Register && Register->arg_empty() && Register->doesNotAccessMemory();
  return IsSame ? Register->getCalledFunction() : Word;
}

namespace {

/// A word that is extended to 64 bits.
struct Factor {
  CastInst *Extension;
  bool IsNonNegative; ///< as far as that is known

  Value *word() const { return Extension->getOperand(0); }
  bool isSigned() const { return IsNonNegative || isa<SExtInst>(Extension); }
  bool isUnsigned() const { return IsNonNegative || isa<ZExtInst>(Extension); }
};

/// A product of words that are both read as signed numbers or both as unsigned.
struct Words {
  BinaryOperator *Product;
  Factor A, B;

  bool areSigned() const { return A.isSigned() && B.isSigned(); }
  bool areUnsigned() const { return A.isUnsigned() && B.isUnsigned(); }

  /// Both, in one order for both ways to multiply them.
  std::pair<Value *, Value *> words() const {
    return std::minmax(identity(A.word()), identity(B.word()));
  }

  /// Whether the code generator sees in the block of the product, which it
  /// selects alone, that both are words of one sign. It extends a word that is
  /// not negative with zeros, and one from memory as it loads it.
  bool areSeen() const {
    for (const Factor &F : {A, B})
      if (F.Extension->getParent() != Product->getParent() ||
          isa<LoadInst>(F.word()))
        return false;
    return areUnsigned() || (!A.IsNonNegative && !B.IsNonNegative);
  }
};

/// The products of one word with words that differ by constants, such as the
/// rows of an unrolled loop. Straight-line strength reduction adds from one to
/// the next.
class Rows {
public:
  void add(const Words &Factors) {
    auto [A, B] = Factors.words();
    add(A, B);
    add(B, A);
  }
  bool contain(const Words &Factors) const {
    auto [A, B] = Factors.words();
    return !FactorOf.lookup({A, baseOf(B)}) || !FactorOf.lookup({B, baseOf(A)});
  }

private:
  static Value *baseOf(Value *Word) {
    Value *Base;
    return match(Word, m_AddLike(m_Value(Base), m_ConstantInt()))
               ? identity(Base)
               : Word;
  }
  void add(Value *Stride, Value *Word) {
    auto [It, IsNew] = FactorOf.try_emplace({Stride, baseOf(Word)}, Word);
    if (!IsNew && It->second != Word)
      It->second = nullptr;
  }

  /// Of a stride and a base, the only factor; null if there are several.
  DenseMap<std::pair<Value *, Value *>, Value *> FactorOf;
};

} // namespace

static std::optional<Factor> factor(Value *V, const SimplifyQuery &Query) {
  auto *Cast = dyn_cast<CastInst>(V);
  if (!Cast || !isa<SExtInst, ZExtInst>(Cast) ||
      !Cast->getSrcTy()->isIntegerTy(32))
    return std::nullopt;
  return Factor{Cast, match(Cast, m_NNegZExt(m_Value())) ||
                          isKnownNonNegative(Cast->getOperand(0),
                                             Query.getWithInstruction(Cast))};
}

/// \p I as a product of words; nothing if it is none.
static std::optional<Words> wordsOf(Instruction &I,
                                    const SimplifyQuery &Query) {
  if (I.getOpcode() != Instruction::Mul || !I.getType()->isIntegerTy(64))
    return std::nullopt;
  std::optional<Factor> A = factor(I.getOperand(0), Query);
  std::optional<Factor> B = factor(I.getOperand(1), Query);
  if (!A || !B)
    return std::nullopt;
  Words Factors{cast<BinaryOperator>(&I), *A, *B};
  if (!Factors.areSigned() && !Factors.areUnsigned())
    return std::nullopt;
  return Factors;
}

/// Whether the loop around \p Product steps it from one iteration to the next,
/// or does not change it.
static bool isStepped(BinaryOperator &Product, const LoopInfo &LI,
                      ScalarEvolution &SE) {
  Loop *L = LI.getLoopFor(Product.getParent());
  return L && SE.getLoopDisposition(SE.getSCEV(&Product), L) !=
                  ScalarEvolution::LoopVariant;
}

PreservedAnalyses WideProductsPass::run(Function &F,
                                        FunctionAnalysisManager &AM) {
  if (!F.getParent()->getTargetTriple().isNVPTX())
    return PreservedAnalyses::all();
  SimplifyQuery Query(F.getDataLayout(),
                      &AM.getResult<DominatorTreeAnalysis>(F),
                      &AM.getResult<AssumptionAnalysis>(F));
  // What a product dominates follows it at once.
  std::vector<Words> Products;
  Rows Stepped;
  for (const DomTreeNode *Node : depth_first(Query.DT->getRootNode()))
    for (Instruction &I : *Node->getBlock())
      if (std::optional<Words> Factors = wordsOf(I, Query)) {
        Products.push_back(*Factors);
        Stepped.add(*Factors);
      }
  if (Products.empty())
    return PreservedAnalyses::all();
  auto &LI = AM.getResult<LoopAnalysis>(F);
  auto &SE = AM.getResult<ScalarEvolutionAnalysis>(F);
  // The code generator makes one of equal products, where it computes them. The
  // last one that was kept is enough: what it does not dominate comes after all
  // that it dominates.
  DenseMap<std::pair<Value *, Value *>, BinaryOperator *> Kept;
  SmallVector<WeakTrackingVH, 16> Replaced;
  for (const Words &Factors : Products) {
    BinaryOperator *Product = Factors.Product;
    BinaryOperator *&Equal = Kept[Factors.words()];
    if (Equal && Query.DT->dominates(Equal, Product))
      continue;
    if (Factors.areSeen() || Stepped.contain(Factors) ||
        isStepped(*Product, LI, SE)) {
      Equal = Product;
      continue;
    }
    IRBuilder<> B(Product);
    Value *New = createWordProduct(
        B, {Factors.A.word(), Factors.B.word(), !Factors.areUnsigned()});
    New->takeName(Product);
    Product->replaceAllUsesWith(New);
    Replaced.push_back(Product);
  }
  if (Replaced.empty())
    return PreservedAnalyses::all();
  RecursivelyDeleteTriviallyDeadInstructions(Replaced);
  PreservedAnalyses PA;
  PA.preserveSet<CFGAnalyses>();
  return PA;
}

} // namespace unravel
