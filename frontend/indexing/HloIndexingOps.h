//===- HloIndexingOps.h - The maps of single operations ---------*- C++ -*-===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Families of operations, each in a file of its own. Nothing is simplified or
// folded here, and a map may be known to be empty.
//
//===----------------------------------------------------------------------===//

#ifndef UNRAVEL_FRONTEND_INDEXING_HLOINDEXINGOPS_H
#define UNRAVEL_FRONTEND_INDEXING_HLOINDEXINGOPS_H

#include "analysis/algebra/FloorBasis.h"
#include "frontend/indexing/HloIndexing.h"

namespace unravel {

/// For each operand of an operation that is no fusion and no call.
std::vector<OperandIndexing> operationOutputToInput(const HloInstruction &I,
                                                    size_t Element,
                                                    IndexContext &Context);
/// For an array of the output; the maps to all of them are the same.
OperandIndexing operationInputToOutput(const HloInstruction &I, size_t Operand,
                                       IndexContext &Context);

std::vector<OperandIndexing> elementwiseOutputToInput(const HloInstruction &I,
                                                      IndexContext &Context);
OperandIndexing elementwiseInputToOutput(const HloInstruction &I,
                                         size_t Operand, IndexContext &Context);
std::vector<OperandIndexing> shapeOutputToInput(const HloInstruction &I,
                                                IndexContext &Context);
OperandIndexing shapeInputToOutput(const HloInstruction &I, size_t Operand,
                                   IndexContext &Context);
std::vector<OperandIndexing> contractionOutputToInput(const HloInstruction &I,
                                                      IndexContext &Context);
OperandIndexing contractionInputToOutput(const HloInstruction &I,
                                         size_t Operand, IndexContext &Context);
std::vector<OperandIndexing> dynamicOutputToInput(const HloInstruction &I,
                                                  IndexContext &Context);
OperandIndexing dynamicInputToOutput(const HloInstruction &I, size_t Operand,
                                     IndexContext &Context);

/// Collects the parts of a map. Expressions may be null (an overflow); then
/// there is no map.
class OperandMapBuilder {
public:
  /// Dimensions with these sizes.
  OperandMapBuilder(IndexContext &Context, llvm::ArrayRef<int64_t> Sizes);
  /// Dimensions with these bounds.
  OperandMapBuilder(IndexContext &Context, llvm::ArrayRef<Interval> Bounds);

  IndexContext &context() { return Context; }
  /// Expressions built here hold on the bounds of the variables.
  FloorBasis &basis() { return Basis; }

  IndexExpr dim(unsigned I) {
    return IndexingMap::exprOf(Context, VariableKind::Dimension, I);
  }
  /// All dimensions.
  std::vector<IndexExpr> dims();
  /// A new range variable in [0, Size).
  IndexExpr addRange(int64_t Size);
  /// A new runtime variable in \p Bounds: the element \p Place of \p Source,
  /// clamped to the bounds or not.
  IndexExpr addRuntime(const HloInstruction &Source,
                       std::vector<IndexExpr> Place, const Interval &Bounds,
                       bool IsClamped);
  void addResult(IndexExpr E) { Results.push_back(E); }
  void addResults(llvm::ArrayRef<IndexExpr> Exprs) {
    Results.insert(Results.end(), Exprs.begin(), Exprs.end());
  }
  /// Unless the bounds of the variables say so already.
  void constrain(IndexExpr E, const Interval &Range);

  /// The only map to an operand.
  OperandIndexing build();

private:
  void declare(VariableKind Kind, std::vector<MapVariable> &Of,
               const Interval &Bounds);

  IndexContext &Context;
  IndexDomain Box;
  FloorBasis Basis;
  IndexingMap::Variables Vars;
  std::vector<IndexExpr> Results;
  std::vector<MapConstraint> Constraints;
  struct Read {
    const HloInstruction *Source;
    std::vector<IndexExpr> Place;
    std::optional<Interval> Clamp;
  };
  std::vector<Read> Reads;
};

/// The identity on an array.
OperandIndexing identityIndexing(IndexContext &Context, const HloShape &Array);
/// From each element of an array to a scalar.
OperandIndexing scalarIndexing(IndexContext &Context, const HloShape &Array);

/// The index in an array of sizes \p To of the element that has \p Index in one
/// of sizes \p From, both in row-major order and with equally many elements,
/// more than none. Only those neighbouring dimensions are linearized together
/// that cannot be taken apart.
std::vector<IndexExpr> reshapedIndex(FloorBasis &Basis,
                                     llvm::ArrayRef<IndexExpr> Index,
                                     llvm::ArrayRef<int64_t> From,
                                     llvm::ArrayRef<int64_t> To);
/// The sizes of an array from the major to the minor dimension of its layout.
std::vector<int64_t> physicalSizesOf(const HloShape &Array);
/// An index in that order as one of the array.
std::vector<IndexExpr> logicalIndex(const HloShape &Array,
                                    llvm::ArrayRef<IndexExpr> Physical);

} // namespace unravel

#endif // UNRAVEL_FRONTEND_INDEXING_HLOINDEXINGOPS_H
