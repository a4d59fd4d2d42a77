//===- FactMarkers.h - Facts that survive the optimizer ---------*- C++ -*-===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// LLVM 22 drops assumptions about values that nothing else uses before the
// vectorizers run, and until then an assumption that it understands changes
// what other passes do. A marker does neither:
//
//   %h = call ptr (...) @unravel.exact.signed(i8 42, i32 %a, i32 %b)
//   %c = icmp eq ptr %h, @unravel.exact.signed
//   call void @llvm.assume(i1 %c)
//
// The function does not access memory and has no body: what it returns is only
// defined by what is assumed of it. All three instructions are ephemeral, which
// means that the cost models of unrolling and inlining leave them out; and an
// assumption about a global is never dropped.
//
// The arguments are an expression in prefix order: a constant of type i8 is an
// operation (42 is '*'), anything else a value.
//
//===----------------------------------------------------------------------===//

#ifndef UNRAVEL_TRANSFORMS_FACTS_FACTMARKERS_H
#define UNRAVEL_TRANSFORMS_FACTS_FACTMARKERS_H

#include "transforms/facts/ProductFlags.h"
#include "llvm/IR/IntrinsicInst.h"

namespace llvm {
class AssumptionCache;
} // namespace llvm

namespace unravel {

enum class FactKind {
  ExactSigned,   ///< no operation of the expression wraps as a signed one
  ExactUnsigned, ///< none wraps as an unsigned one
  Holds          ///< a comparison: its predicate and two expressions
};

struct RecordedFact {
  FactKind Kind;
  llvm::SmallVector<llvm::Value *, 8> Tokens;
};

/// \p V, an operation that does not wrap unless it is poison (nsw if \p Signed,
/// else nuw), in values that are the same for all threads. False if it is
/// anything else.
bool encodeExact(llvm::Value *V, bool Signed, RecordedFact &Fact);

/// Whether there is a product in it.
bool hasProduct(const RecordedFact &Fact);

/// A comparison of integer expressions over arguments and special registers.
bool encodeCondition(llvm::Value *Condition, RecordedFact &Fact);

/// Whether both say the same: the operands of sums and products may be
/// exchanged.
bool isSameFact(const RecordedFact &A, const RecordedFact &B);

/// Puts a marker in front of \p Place. Returns its assumption.
llvm::AssumeInst *insertMarker(const RecordedFact &Fact,
                               llvm::Instruction *Place,
                               llvm::AssumptionCache &AC);

/// The fact that an assumption marks, or nullopt.
std::optional<RecordedFact> markedFact(const llvm::AssumeInst &Assume);

/// States a fact in front of \p Place, as assumptions that every analysis
/// understands. Wrapping is excluded by computing with twice the width:
///
///   %w = mul nsw i64 (sext %a), (sext %b)
///   assume(%w <= 2147483647), assume(%w >= -2147483648)
///
/// and for words of 64 bits by the overflow bit of llvm.smul.with.overflow.
void stateFact(const RecordedFact &Fact, llvm::Instruction *Place,
               llvm::AssumptionCache &AC);

/// The products in an exact expression that are made of values only.
void collectProducts(const RecordedFact &Fact, llvm::Instruction *Place,
                     llvm::SmallVectorImpl<KnownProduct> &Products);

/// Assumes \p Condition in front of \p Place, for as long as index-simplify
/// runs: forgetFacts removes it.
void stateCondition(llvm::Value *Condition, llvm::Instruction *Place,
                    llvm::AssumptionCache &AC);

/// Removes an assumption and what only it uses.
void removeAssumption(llvm::AssumeInst &Assume, llvm::AssumptionCache &AC);

/// Removes markers and what was stated. True if there was any.
bool forgetFacts(llvm::Function &F, llvm::AssumptionCache &AC);

} // namespace unravel

#endif // UNRAVEL_TRANSFORMS_FACTS_FACTMARKERS_H
