//===- EntryCheck.h - One uniform test at kernel entry ----------*- C++ -*-===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Writes the questions of MissingFacts as a conjunction of comparisons,
//
//     %c0 = icmp sgt i32 %W, 0
//     %c1 = icmp sgt i32 %H, 0
//     %w  = zext i32 %W to i64
//     %h  = zext i32 %H to i64
//     %p  = mul nuw i64 %w, %h
//     %c2 = icmp ule i64 %p, 2147483647
//     %c  = and i1 (and i1 %c0, %c1), %c2
//
// and the answers into the code behind it: flags on arithmetic that does not
// wrap, unsigned and 32-bit divisions. The test itself cannot overflow, divide
// or read memory that may not be read, whatever the arguments are.
//
//===----------------------------------------------------------------------===//

#ifndef UNRAVEL_TRANSFORMS_LAUNCH_ENTRYCHECK_H
#define UNRAVEL_TRANSFORMS_LAUNCH_ENTRYCHECK_H

#include "analysis/facts/MissingFacts.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/Transforms/Utils/ValueMapper.h"
#include <map>
#include <string>

namespace llvm {
class AssumptionCache;
class DominatorTree;
} // namespace llvm

namespace unravel {

class EntryCheck {
public:
  /// \p Copies maps the kernel that \p Facts was found in to the body that will
  /// have the facts.
  EntryCheck(const MissingFacts &Facts, llvm::ValueToValueMapTy &Copies);

  /// Writes the test; what it returns is true only if all facts hold.
  llvm::Value *emit(llvm::IRBuilderBase &Builder);

  /// Makes the \p Blocks that \p Branch guards use the values that were tested.
  void useTestedValues(llvm::ArrayRef<llvm::BasicBlock *> Blocks);
  /// Writes what the test proves into the \p Blocks.
  void writeFacts(llvm::ArrayRef<llvm::BasicBlock *> Blocks,
                  llvm::BranchInst &Branch, llvm::DominatorTree &DT,
                  llvm::AssumptionCache &AC);

  /// The comparisons in terms of the source, for remarks. Empty before emit().
  const std::string &str() const { return Text; }

private:
  llvm::Value *copyOf(llvm::Value *V, llvm::IRBuilderBase &Builder);
  llvm::Value *naturalOf(unsigned Symbol, llvm::IRBuilderBase &Builder);
  struct BoundedValue {
    llvm::Value *V = nullptr;
    uint64_t Most = 0; ///< what it cannot be above
  };
  llvm::Value *bounded(llvm::Value *V, llvm::IRBuilderBase &Builder);
  BoundedValue productOf(llvm::ArrayRef<unsigned> Factors,
                         llvm::IRBuilderBase &Builder);
  llvm::Value *sumOf(const CountBound &B, llvm::IRBuilderBase &Builder);
  void describe();
  std::string nameOf(unsigned Symbol) const;
  std::string sumText(const CountBound &B) const;
  uint64_t mostOf(unsigned Symbol) const;

  std::string Text;
  /// In terms of the copy.
  llvm::SmallVector<UniformSymbol, 8> Symbols;
  llvm::SmallVector<CountBound, 8> Bounds;
  llvm::SmallVector<BoundedQuotient, 2> Periods;
  llvm::SmallVector<llvm::Instruction *, 16> Exact;
  llvm::SmallPtrSet<const llvm::Value *, 32> Small;
  /// What the test reads and computes, by what it stands for.
  llvm::MapVector<llvm::Value *, llvm::Value *> Tested;
  llvm::MapVector<llvm::Intrinsic::ID, llvm::Value *> Registers;
  std::map<llvm::SmallVector<unsigned, 4>, BoundedValue> Products;
  llvm::DenseMap<llvm::Value *, llvm::Value *> Bounded;
  /// All have to hold.
  llvm::SmallVector<llvm::Value *, 16> Conditions;
};

} // namespace unravel

#endif // UNRAVEL_TRANSFORMS_LAUNCH_ENTRYCHECK_H
