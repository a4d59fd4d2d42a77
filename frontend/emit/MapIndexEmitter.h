//===- MapIndexEmitter.h - Code for indices from their maps -----*- C++ -*-===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What an emitter does that keeps maps instead of code. Each index has a form
// over what it is computed from: the numbers of block and thread, the counters
// of loops, and whatever else is computed at run time. The maps of the
// operations are composed on these forms, and what is needed of them in
// the end is emitted from the simplest form.
//
// Until finish(), the code is that of NaiveIndexEmitter, each value of which
// has its form beside it. Then unused code is removed, and for each
// value that is used the cheapest tree of its form is emitted in its
// place. Where the form is not known, or computing it could leave the word, the
// naive code stays.
//
// An index has a value in the range of its dimension wherever it is asked for:
// an emitter asks behind its guards only. Such a fact holds where the value is
// made that the emitter was asked for, and at every place that this value
// reaches. So each value has, with its form, the facts that hold where it is,
// and they are used for this value and those made from it, nowhere else.
//
//===----------------------------------------------------------------------===//

#ifndef UNRAVEL_FRONTEND_EMIT_MAPINDEXEMITTER_H
#define UNRAVEL_FRONTEND_EMIT_MAPINDEXEMITTER_H

#include "analysis/algebra/FloorBasis.h"
#include "frontend/emit/IndexEmitter.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/ValueHandle.h"

namespace unravel {

class MapIndexEmitter final : public IndexEmitter {
public:
  explicit MapIndexEmitter(llvm::IntegerType *Type)
      : IndexEmitter(Type), Naive(Type) {}

  ElementIndex fromOffset(llvm::IRBuilderBase &B, const HloShape &Shape,
                          llvm::Value *Offset) override;
  llvm::Value *toOffset(llvm::IRBuilderBase &B, const HloShape &Shape,
                        const ElementIndex &Index) override;
  ElementIndex throughTransform(llvm::IRBuilderBase &B, const HloInstruction &I,
                                const ElementIndex &Index) override;
  void finish() override;

private:
  using Facts = llvm::SmallVector<IndexConstraint, 4>;
  /// What a value is, and what is known wherever it is there.
  struct Meaning {
    IndexExpr Form; ///< null if it has none
    Facts Known;
  };
  /// A value of the naive emitter, to be replaced. The handle does not follow
  /// the value to its replacement.
  struct Placeholder {
    llvm::WeakVH Value;
    Meaning Of;
  };
  /// A value that is cheaper than its form, in front of all but the first
  /// placeholders.
  struct Shortcut {
    llvm::WeakVH Value;
    size_t EarlierPlaceholders;
  };
  /// A sum that has a value, by a variable that it has once, and a variable for
  /// the sum as a whole.
  struct WholeSum {
    IndexExpr Sum, Whole;
  };
  class Place;

  Meaning meaningOf(llvm::Value *V, unsigned Depth = 0);
  Meaning combined(const llvm::BinaryOperator &Operation, unsigned Depth);
  Meaning meaningOfThread(llvm::Value *V, unsigned Depth = 0);
  IndexExpr variableFor(llvm::Value *V);
  llvm::SmallVector<IndexExpr, 6> formsOf(Place &P, const HloShape &Shape,
                                          const ElementIndex &Index);
  void record(const Place &P, llvm::Value *V, IndexExpr Form);
  void record(const Place &P, const ElementIndex &Index,
              llvm::ArrayRef<IndexExpr> Forms);
  llvm::Value *shortcutFor(IndexExpr E, size_t Placeholder,
                           const llvm::Instruction &Before);
  void noteWhole(IndexExpr Sum);
  Meaning inWhole(const Meaning &Of, const IndexAtom *Part,
                  const WholeSum &Known);
  void replace(size_t Placeholder, llvm::Instruction &I);

  NaiveIndexEmitter Naive;
  IndexContext Context;
  llvm::DenseMap<llvm::Value *, Meaning> Meanings;
  std::vector<Placeholder> Placeholders;
  /// Those of variables; there wherever the form is.
  llvm::DenseMap<IndexExpr, llvm::WeakVH> ValueOfForm;
  llvm::DenseMap<IndexExpr, Shortcut> Shortcuts;
  llvm::DenseMap<const IndexAtom *, WholeSum> Wholes;
  llvm::DenseMap<llvm::Function *, std::unique_ptr<llvm::DominatorTree>> Trees;
};

} // namespace unravel

#endif // UNRAVEL_FRONTEND_EMIT_MAPINDEXEMITTER_H
