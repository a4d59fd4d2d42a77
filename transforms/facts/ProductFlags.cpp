//===- ProductFlags.cpp - Flags of products, restored ---------------------===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "transforms/facts/ProductFlags.h"
#include "transforms/facts/FactExpressions.h"
#include "llvm/ADT/PostOrderIterator.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/InstrTypes.h"

using namespace llvm;

namespace unravel {

static bool hasFlag(const Instruction &Product, bool Signed) {
  return Signed ? Product.hasNoSignedWrap() : Product.hasNoUnsignedWrap();
}

ProductFactor productFactor(Value *V) {
  auto *Cast = dyn_cast<CastInst>(V);
  if (!Cast || !isa<SExtInst, ZExtInst>(Cast))
    return {V, false};
  return {Cast->getOperand(0), !extendsSign(*Cast)};
}

/// The factors of a product: those of an operand that is an exact product
/// itself in its place. Empty if there are many.
static SmallVector<ProductFactor, 4> factorsOf(Instruction &Product,
                                               bool Signed) {
  // A shape has a handful of dimensions.
  static constexpr size_t MaxFactors = 8;
  SmallVector<ProductFactor, 4> Factors;
  SmallVector<Value *, 4> Work(Product.operands());
  while (!Work.empty()) {
    Value *V = Work.pop_back_val();
    auto *Inner = dyn_cast<Instruction>(V);
    if (Inner && Inner->getOpcode() == Instruction::Mul &&
        hasFlag(*Inner, Signed)) {
      Work.append(Inner->op_begin(), Inner->op_end());
    } else {
      Factors.push_back(productFactor(V));
    }
    if (Factors.size() + Work.size() > MaxFactors)
      return {};
  }
  sort(Factors);
  return Factors;
}

// If an inner product wraps it is poison, and so is the outer one. Otherwise
// the outer one is the product of the factors as numbers, which fits.
void restoreFlags(Function &F, ArrayRef<KnownProduct> Products,
                  const DominatorTree &DT) {
  if (Products.empty())
    return;
  SmallVector<KnownProduct, 8> Sorted(Products);
  for (KnownProduct &P : Sorted)
    sort(P.Factors);
  // Operands before their users: inner products come first.
  for (BasicBlock *BB : ReversePostOrderTraversal<Function *>(&F))
    for (Instruction &I : *BB) {
      if (I.getOpcode() != Instruction::Mul)
        continue;
      for (bool Signed : {true, false}) {
        if (hasFlag(I, Signed))
          continue;
        SmallVector<ProductFactor, 4> Factors = factorsOf(I, Signed);
        if (none_of(Sorted, [&](const KnownProduct &P) {
              return P.Signed == Signed && P.Factors == Factors &&
                     I.getType()->isIntegerTy(P.Width) &&
                     DT.dominates(P.Place, &I);
            }))
          continue;
        if (Signed)
          I.setHasNoSignedWrap();
        else
          I.setHasNoUnsignedWrap();
      }
    }
}

} // namespace unravel
