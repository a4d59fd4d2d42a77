//===- WideProducts.cpp - Products that extend their words ----------------===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "transforms/late/WideProducts.h"
#include "analysis/facts/WordProduct.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/PostOrderIterator.h"
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

/// The extension of a word to 64 bits that \p V is; null if it is none.
static CastInst *extension(Value *V) {
  auto *Cast = dyn_cast<CastInst>(V);
  bool Extends = Cast && isa<SExtInst, ZExtInst>(Cast) &&
                 Cast->getType()->isIntegerTy(64) &&
                 Cast->getSrcTy()->isIntegerTy(32);
  return Extends ? Cast : nullptr;
}

/// A special register is the same number wherever it is read.
static Value *identity(Value *Word) {
  auto *Register = dyn_cast<IntrinsicInst>(Word);
  bool IsSame =
      Register && Register->arg_empty() && Register->doesNotAccessMemory();
  return IsSame ? Register->getCalledFunction() : Word;
}

namespace {

/// The factors of a product of 64 bits, if both are words.
struct Words {
  BinaryOperator *Product;
  CastInst *A = nullptr, *B = nullptr; ///< null if one is no word
  /// Whether they are not negative, as far as that is known.
  bool IsNonNegativeA = false, IsNonNegativeB = false;

  Words(BinaryOperator &Product, const SimplifyQuery &Query)
      : Product(&Product) {
    if (Product.getOpcode() != Instruction::Mul)
      return;
    A = extension(Product.getOperand(0));
    B = extension(Product.getOperand(1));
    IsNonNegativeA = A && isNonNegative(*A, Query);
    IsNonNegativeB = B && isNonNegative(*B, Query);
  }

  bool areUnsigned() const {
    return A && B && (isa<ZExtInst>(A) || IsNonNegativeA) &&
           (isa<ZExtInst>(B) || IsNonNegativeB);
  }
  bool areSigned() const {
    return A && B && (isa<SExtInst>(A) || IsNonNegativeA) &&
           (isa<SExtInst>(B) || IsNonNegativeB);
  }

  /// Both, in one order for both ways to multiply them.
  std::pair<Value *, Value *> words() const {
    return std::minmax(identity(A->getOperand(0)), identity(B->getOperand(0)));
  }

  /// Whether the code generator sees in the block of the product, which it
  /// selects alone, that both are words of one sign. It extends a word that is
  /// not negative with zeros, and one from memory as it loads it.
  bool areSeen() const {
    for (const CastInst *Factor : {A, B})
      if (Factor->getParent() != Product->getParent() ||
          isa<LoadInst>(Factor->getOperand(0)))
        return false;
    return areUnsigned() || (!IsNonNegativeA && !IsNonNegativeB);
  }

private:
  static bool isNonNegative(CastInst &Extension, const SimplifyQuery &Query) {
    return (isa<ZExtInst>(Extension) && Extension.hasNonNeg()) ||
           isKnownNonNegative(Extension.getOperand(0),
                              Query.getWithInstruction(&Extension));
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
  auto &LI = AM.getResult<LoopAnalysis>(F);
  auto &SE = AM.getResult<ScalarEvolutionAnalysis>(F);
  // In the order in which they are computed.
  std::vector<Words> Products;
  Rows Stepped;
  for (BasicBlock *BB : ReversePostOrderTraversal<Function *>(&F))
    for (Instruction &I : *BB)
      if (auto *Product = dyn_cast<BinaryOperator>(&I)) {
        Words Factors(*Product, Query);
        if (!Factors.areUnsigned() && !Factors.areSigned())
          continue;
        Products.push_back(Factors);
        Stepped.add(Factors);
      }
  // The code generator makes one of equal products, where it computes them.
  DenseMap<std::pair<Value *, Value *>, SmallVector<Instruction *, 1>> Kept;
  SmallVector<WeakTrackingVH, 16> Replaced;
  for (const Words &Factors : Products) {
    BinaryOperator *Product = Factors.Product;
    SmallVectorImpl<Instruction *> &Equal = Kept[Factors.words()];
    auto IsAhead = [&](Instruction *Other) {
      return Query.DT->dominates(Other, Product);
    };
    if (Factors.areSeen() || Stepped.contain(Factors) ||
        isStepped(*Product, LI, SE) || any_of(Equal, IsAhead)) {
      Equal.push_back(Product);
      continue;
    }
    IRBuilder<> B(Product);
    Value *New = createWordProduct(B, {Factors.A->getOperand(0),
                                       Factors.B->getOperand(0),
                                       !Factors.areUnsigned()});
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
