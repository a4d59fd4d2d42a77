//===- KnownAlignments.cpp - Of accesses, for vectors ---------------------===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Of each integer and pointer: how many of its low bits are certainly zero.
// What wraps keeps its low bits, so no flags are needed. Where a value is
// poison, the access is undefined, and whatever is said of it is right.
//
//===----------------------------------------------------------------------===//

#include "transforms/late/KnownAlignments.h"
#include "llvm/ADT/PostOrderIterator.h"
#include "llvm/Analysis/AssumptionCache.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/GetElementPtrTypeIterator.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;

namespace unravel {

namespace {
class LowZeros {
public:
  LowZeros(Function &F, AssumptionCache &AC, const DominatorTree &DT);

  unsigned of(const Value *V) const;

private:
  unsigned bitsOf(const Value *V) const {
    return DL.getTypeSizeInBits(V->getType()).getFixedValue();
  }
  unsigned least(const User &I) const;
  unsigned ofGep(const GEPOperator &Gep) const;
  unsigned ofOperator(const Instruction &I) const;
  unsigned asLlvmKnows(const Instruction &I) const {
    return computeKnownBits(&I, SimplifyQuery(DL, &DT, &AC, &I))
        .countMinTrailingZeros();
  }

  const DataLayout &DL;
  AssumptionCache &AC;
  const DominatorTree &DT;
  DenseMap<const Value *, unsigned> Known;
};
} // namespace

static bool isNumber(const Value *V) {
  return V->getType()->isIntegerTy() || V->getType()->isPointerTy();
}

/// Values stand in front of their users, but for phis of loops.
LowZeros::LowZeros(Function &F, AssumptionCache &AC, const DominatorTree &DT)
    : DL(F.getDataLayout()), AC(AC), DT(DT) {
  for (BasicBlock *Block : ReversePostOrderTraversal<Function *>(&F))
    for (const Instruction &I : *Block)
      if (isNumber(&I))
        Known[&I] = ofOperator(I);
}

/// What was not seen yet may be any number.
unsigned LowZeros::of(const Value *V) const {
  if (const auto *C = dyn_cast<ConstantInt>(V))
    return C->getValue().countr_zero();
  if (isa<Instruction>(V) || !V->getType()->isPointerTy())
    return Known.lookup(V);
  return Log2(V->getPointerAlignment(DL));
}

/// Of the operands that are numbers, the least.
unsigned LowZeros::least(const User &I) const {
  unsigned Least = bitsOf(&I);
  for (const Value *Operand : I.operand_values())
    Least = std::min(Least, of(Operand));
  return Least;
}

unsigned LowZeros::ofGep(const GEPOperator &Gep) const {
  unsigned Least = of(Gep.getPointerOperand());
  for (auto Step = gep_type_begin(Gep); Step != gep_type_end(Gep); ++Step) {
    uint64_t Offset, Zeros = 0;
    if (StructType *Struct = Step.getStructTypeOrNull()) {
      unsigned Field = cast<ConstantInt>(Step.getOperand())->getZExtValue();
      Offset = DL.getStructLayout(Struct)->getElementOffset(Field);
    } else {
      TypeSize Stride = Step.getSequentialElementStride(DL);
      if (Stride.isScalable())
        return 0;
      Offset = Stride;
      Zeros = of(Step.getOperand());
    }
    if (Offset != 0)
      Least = std::min<uint64_t>(Least, Zeros + countr_zero(Offset));
  }
  return Least;
}

unsigned LowZeros::ofOperator(const Instruction &I) const {
  auto Shifted = [&](auto Move) -> unsigned {
    const auto *Amount = dyn_cast<ConstantInt>(I.getOperand(1));
    if (!Amount || Amount->getValue().uge(bitsOf(&I)))
      return 0;
    return Move(int64_t(of(I.getOperand(0))), Amount->getSExtValue());
  };
  switch (I.getOpcode()) {
  case Instruction::Add:
  case Instruction::Sub:
  case Instruction::Or:
  case Instruction::Xor:
    return least(I);
  case Instruction::And:
    return std::max(of(I.getOperand(0)), of(I.getOperand(1)));
  case Instruction::Mul:
    return std::min(bitsOf(&I), of(I.getOperand(0)) + of(I.getOperand(1)));
  case Instruction::Shl:
    return std::min<unsigned>(
        bitsOf(&I),
        Shifted([](int64_t Zeros, int64_t By) { return Zeros + By; }));
  case Instruction::LShr:
  case Instruction::AShr:
    return Shifted([](int64_t Zeros, int64_t By) {
      return std::max<int64_t>(Zeros - By, 0);
    });
  case Instruction::SExt:
  case Instruction::Trunc:
  case Instruction::ZExt:
    return std::min(bitsOf(&I), of(I.getOperand(0)));
  case Instruction::GetElementPtr:
    return ofGep(cast<GEPOperator>(I));
  case Instruction::Select:
    return std::min(of(I.getOperand(1)), of(I.getOperand(2)));
  case Instruction::PHI:
    return std::max(least(I), asLlvmKnows(I));
  default:
    if (isa<MinMaxIntrinsic>(I))
      return std::min(of(I.getOperand(0)), of(I.getOperand(1)));
    return asLlvmKnows(I);
  }
}

PreservedAnalyses KnownAlignmentsPass::run(Function &F,
                                           FunctionAnalysisManager &AM) {
  if (!F.getParent()->getTargetTriple().isNVPTX())
    return PreservedAnalyses::all();
  LowZeros Zeros(F, AM.getResult<AssumptionAnalysis>(F),
                 AM.getResult<DominatorTreeAnalysis>(F));
  constexpr unsigned LargestVector = 4; // 16 bytes
  for (Instruction &I : instructions(F))
    if (const Value *Address = getLoadStorePointerOperand(&I)) {
      Align Known(uint64_t(1) << std::min(Zeros.of(Address), LargestVector));
      if (Known > getLoadStoreAlignment(&I))
        setLoadStoreAlignment(&I, Known);
    }
  return PreservedAnalyses::all(); // nothing looks at these
}

} // namespace unravel
