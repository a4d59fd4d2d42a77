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
//   %h = call ptr addrspace(1) asm "// unravel.exact.signed 42 $1 $2",
//                                  "=l,r,r"(i32 %a, i32 %b)
//   %c = icmp ne ptr addrspace(1) %h, @unravel.facts
//   call void @llvm.assume(i1 %c)
//
// No pass knows what inline assembly yields, and an assumption about a
// global is never dropped. All three instructions are ephemeral, which means
// that the cost models of unrolling and inlining leave them out. The assembly
// has no side effects, and the global is in a section that no backend writes.
// So where a marker is left behind, since a later pass was bisected away or IR
// was saved in between and compiled without the plugin, it is at most a comment
// in the PTX.
//
// The text is that of the fact's tokens: a number is an operation (42 is '*'),
// and $1 the first operand.
//
//===----------------------------------------------------------------------===//

#ifndef UNRAVEL_TRANSFORMS_FACTS_FACTMARKERS_H
#define UNRAVEL_TRANSFORMS_FACTS_FACTMARKERS_H

#include "transforms/facts/FactExpressions.h"
#include "transforms/facts/ProductFlags.h"
#include "llvm/IR/IntrinsicInst.h"

namespace llvm {
class AssumptionCache;
} // namespace llvm

namespace unravel {

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

/// The products in an exact expression that are made of values and extended
/// ones only.
void collectProducts(const RecordedFact &Fact, llvm::Instruction *Place,
                     llvm::SmallVectorImpl<KnownProduct> &Products);

/// Assumes \p Condition in front of \p Place, for as long as index-simplify
/// runs: forgetFacts removes it.
void stateCondition(llvm::Value *Condition, llvm::Instruction *Place,
                    llvm::AssumptionCache &AC);

/// Whether anything is stated in \p F.
bool hasStatedFacts(const llvm::Function &F);

/// Removes an assumption and what only it uses.
void removeAssumption(llvm::AssumeInst &Assume, llvm::AssumptionCache &AC);

/// Removes what was stated, and no markers. True if there was any.
bool withdrawFacts(llvm::Function &F, llvm::AssumptionCache &AC);

/// Removes markers and what was stated. True if there was any.
bool forgetFacts(llvm::Function &F, llvm::AssumptionCache &AC);

} // namespace unravel

#endif // UNRAVEL_TRANSFORMS_FACTS_FACTMARKERS_H
