//===- ValueEncoder.h - Values of a kernel as integers ----------*- C++ -*-===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Translates the values of a function, as they are when an instruction is
// executed, and what is known there: dominating branches, assumptions, ranges
// of arguments and special registers, the iterations of loops. It reads the IR
// by itself, with LLVM's dominators, scalar evolution and constant ranges. The
// facts and forms of the pass play no part, apart from CUDA's limits for
// special registers.
//
//===----------------------------------------------------------------------===//

#ifndef UNRAVEL_TRANSFORMS_CERTIFY_VALUEENCODER_H
#define UNRAVEL_TRANSFORMS_CERTIFY_VALUEENCODER_H

#include "transforms/certify/WordEncoder.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/IR/Instructions.h"

namespace llvm {
class AssumptionCache;
class DominatorTree;
class GEPOperator;
class IntrinsicInst;
class Loop;
class LoopInfo;
class SCEV;
class ScalarEvolution;
class WithOverflowInst;
} // namespace llvm

namespace unravel {

using ValueSet = llvm::SmallPtrSet<const llvm::Value *, 4>;

/// LLVM's view of the function.
struct FunctionView {
  llvm::Function &F;
  llvm::DominatorTree &DT;
  llvm::LoopInfo &LI;
  llvm::ScalarEvolution &SE;
  llvm::AssumptionCache &AC;
  /// The answers of questions about it.
  ProofMemo *Memo = nullptr;
  /// Values about which their parts, which may be undef, say nothing.
  ValueSet Opaque = {};
  /// Values whose computation is not looked into: any value in their range.
  ValueSet Cuts = {};
};

/// What values that are computed from nothing can be, as signed or unsigned
/// numbers.
struct LeafRange {
  bool IsSigned;
  IntegerRange Range;
};
using LeafRanges = llvm::DenseMap<const llvm::Value *, LeafRange>;

class ValueEncoder {
public:
  /// Of the values at \p At. \p Known is what was found out there before.
  ValueEncoder(const FunctionView &View, Case &C, const llvm::Instruction *At,
               const LeafRanges &Known)
      : View(View), C(C), Words(C), At(At), Known(Known) {}

  /// What follows from all facts at \p At. Said in advance, it makes signed and
  /// unsigned numbers the same, and the rest easy.
  static LeafRanges rangesAt(const FunctionView &View,
                             const llvm::Instruction *At);

  /// \p Believed: \p V is not poison. Otherwise that has to be proved.
  Word valueOf(const llvm::Value *V, Trust T);
  /// A `freeze V` of new code. What old code sees of V, where it may be undef,
  /// can be the same.
  Word frozenValueOf(const llvm::Value *V);
  /// Takes in what holds at the instruction, as far as it can be said without
  /// splitting the case.
  void learn();
  /// The divisors among the values so far that were divided by on the way to
  /// the instruction are not 0.
  void learnDivisors();
  /// Takes in the divisors that are divided by at the instruction, or behind it
  /// without anything that could keep the program from coming there. If \p
  /// IsSigned, the least number is not divided by -1.
  void learnDivisionsToCome(bool IsSigned);
  /// The edge over which \p BB was entered. Blocks that begin with a loop have
  /// none.
  const llvm::BasicBlock *entryOf(const llvm::BasicBlock *BB);

  WordEncoder &words() { return Words; }
  /// Offsets from \p Base, in bytes, of places in one object: those that the
  /// computation of the pointer \p V goes through, all of them `inbounds`.
  /// Empty where it is not.
  std::vector<Polynomial> offsetsInObject(const llvm::Value *V,
                                          const llvm::Value *Base);

private:
  struct Fact {
    const llvm::Value *Condition;
    bool Holds;
  };
  unsigned widthOf(const llvm::Value *V) const;
  Word compute(const llvm::Instruction &I, Trust T);
  Word computeCall(const llvm::IntrinsicInst &Call, Trust T);
  Word computeAddress(const llvm::GEPOperator &GEP, Trust T);
  Word computeFreeze(const llvm::FreezeInst &Freeze);
  std::optional<Word> valueUnlessPoison(const llvm::Value *V);
  Word computePhi(const llvm::PHINode &Phi, Trust T);
  Word computeRecurrence(const llvm::PHINode &Phi, Trust T);
  void learnRepetition(const llvm::PHINode &Phi, const Word &W);
  Word leaf(const llvm::Value *V, Trust T);
  Word opaqueValue(const llvm::Value *V, unsigned Level = 0);
  Word unknownWord(const llvm::Value *V, bool HasFacts);
  Word registerValue(unsigned ID, const llvm::Value *V);
  std::optional<Word> invariantValue(const llvm::SCEV *S);
  Polynomial iterationOf(const llvm::Loop *L);
  void collectFacts(const llvm::BasicBlock *From, const llvm::BasicBlock *End,
                    std::vector<Fact> &Facts) const;
  void learn(const Fact &Known, unsigned Level = 0);
  void forgetFrom(size_t Number);
  void withoutSplits(llvm::function_ref<void()> Learn);
  void readSizeOf(unsigned Index);
  void relateRegisters(unsigned ID);
  bool isNeverPoison(const llvm::Value *V) const;
  bool isDividedBy(const llvm::Instruction &Division) const;
  /// Whether whoever comes to the instruction comes to \p Later in its block.
  bool isReached(const llvm::Instruction &Later) const;

  FunctionView View;
  Case &C;
  WordEncoder Words;
  const llvm::Instruction *At;
  const LeafRanges &Known;
  llvm::DenseMap<const llvm::Value *, Word> Values, Frozen;
  /// The values that are computed from nothing.
  std::vector<const llvm::Value *> Leaves;
  /// The keys of Values, in the order in which they came.
  std::vector<const llvm::Value *> Order;
  llvm::DenseMap<unsigned, Word> Registers;
  llvm::DenseMap<const llvm::Loop *, Polynomial> Iterations;
  llvm::DenseMap<const llvm::BasicBlock *, const llvm::BasicBlock *> Entries;
  unsigned Depth = 0;
  /// Whether the facts at the instruction are known.
  bool HasLearned = false;
};

/// The operation with overflow whose result (0) or overflow (1) \p V is, if it
/// is one.
std::pair<const llvm::WithOverflowInst *, unsigned>
overflowOf(const llvm::Value *V);

/// The values by which \p V may be undef.
ValueSet sourcesOfUndef(const llvm::Value *V);

} // namespace unravel

#endif // UNRAVEL_TRANSFORMS_CERTIFY_VALUEENCODER_H
