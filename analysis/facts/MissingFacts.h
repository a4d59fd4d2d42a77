//===- MissingFacts.h - What a kernel would have to know --------*- C++ -*-===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Most divisions of real kernels are signed and by values known at run time.
// What would make them cheap does not stand in the code: that sizes are
// positive, that products of sizes and the index of the last thread fit into 31
// bits. All of these are questions about values that are the same in every
// thread of the launch, so one test at kernel entry can answer them.
//
// This collects the questions of a kernel, and what follows from them. It
// never edits IR; transforms/launch/EntryCheck.h writes the test.
//
//===----------------------------------------------------------------------===//

#ifndef UNRAVEL_ANALYSIS_FACTS_MISSINGFACTS_H
#define UNRAVEL_ANALYSIS_FACTS_MISSINGFACTS_H

#include "analysis/algebra/Interval.h"
#include "analysis/facts/CountBound.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Intrinsics.h"
#include "llvm/IR/PassManager.h"

namespace unravel {

/// A number that every thread of a launch agrees on, and that can be had in
/// front of everything else in the kernel.
struct UniformSymbol {
  /// An argument, a load of memory that no kernel writes, or arithmetic on such
  /// values; null for a register.
  llvm::Value *Source = nullptr;
  /// blockDim or gridDim.
  llvm::Intrinsic::ID Register = llvm::Intrinsic::not_intrinsic;
  /// Whether the test asks for > 0; otherwise for >= 0.
  bool IsFactor = false;
  /// Whether a loop ends there: where it is negative, there is nothing to do.
  bool IsEnd = false;
  /// The signed values without any test.
  Interval Known;

  bool isKnownPositive() const { return IsFactor || Known.lo() >= 1; }
  /// Whether the sign has to be tested, or that it fits 31 bits.
  bool needsSignTest() const { return Known.lo() < (IsFactor ? 1 : 0); }
  bool needsSizeTest() const { return Known.hi() > INT32_MAX; }
};

/// x < d * n < 2^31, where x / d is computed, because x < Dividend.
struct BoundedQuotient {
  llvm::BinaryOperator *Quotient; ///< of natural numbers; never poison
  CountBound Dividend;            ///< in symbols, not constant
  unsigned DivisorSymbol;         ///< d
  unsigned LimitSymbol;           ///< n; its source dominates the quotient
};

/// The questions, and what holds if all are answered with yes.
struct MissingFacts {
  /// One more than what fits 31 bits: where exclusive bounds end.
  static constexpr uint64_t Limit = uint64_t(1) << 31;

  llvm::SmallVector<UniformSymbol, 8> Symbols;
  /// Each must not be above Limit.
  llvm::SmallVector<CountBound, 8> Bounds;
  /// Each has a test of its own.
  llvm::SmallVector<BoundedQuotient, 2> Periods;

  /// Additions, products and shifts that then wrap under neither reading.
  llvm::SetVector<llvm::Instruction *> Exact;
  /// Values that are then in [0, 2^31).
  llvm::SetVector<llvm::Value *> Small;

  unsigned numTests() const;
  bool isEmpty() const { return numTests() == 0; }
};

/// What the divisions of the kernel \p F are missing.
MissingFacts findMissingFacts(llvm::Function &F,
                              llvm::FunctionAnalysisManager &AM);
/// What one operand of a division is missing.
MissingFacts findMissingFacts(llvm::Function &F,
                              llvm::FunctionAnalysisManager &AM,
                              llvm::Value *Operand, bool IsDivisor);

} // namespace unravel

#endif // UNRAVEL_ANALYSIS_FACTS_MISSINGFACTS_H
