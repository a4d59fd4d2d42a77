//===- SyntaxEmitter.h - Syntax trees as IR ---------------------*- C++ -*-===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Emits the tree of an index (IndexSyntax.h) as arithmetic on machine words.
// A tree means integers without limits; the code computes the same wherever the
// facts of the domain hold:
//
// * sums and products wrap, which does no harm to sums and products of them;
// * what is divided or compared must have the exact value in its word, so its
//   range has to be proved; dividends are not negative, and divisors are
//   positive constants, so that a division is an unsigned one.
//
// nuw and nsw are set where the ranges prove them.
//
//===----------------------------------------------------------------------===//

#ifndef UNRAVEL_FRONTEND_EMIT_SYNTAXEMITTER_H
#define UNRAVEL_FRONTEND_EMIT_SYNTAXEMITTER_H

#include "analysis/syntax/IndexLowering.h"
#include "llvm/IR/IRBuilder.h"

namespace unravel {

class SyntaxEmitter {
public:
  using FormOfName = llvm::function_ref<IndexExpr(llvm::StringRef)>;
  /// The value that a form is in already, or null.
  using ValueOfForm = llvm::function_ref<llvm::Value *(IndexExpr)>;

  /// \p ValueOf knows the forms of all names at least.
  SyntaxEmitter(FloorBasis &Basis, llvm::IntegerType *Type, FormOfName FormOf,
                ValueOfForm ValueOf)
      : Basis(Basis), Type(Type), FormOf(FormOf), ValueOf(ValueOf) {}

  /// The value of \p Tree in front of \p Before, or null, with nothing
  /// emitted, if a word may be too small for what is divided or compared, or
  /// there is no code for an operator.
  llvm::Value *emit(const SyntaxTree &Tree, llvm::Instruction *Before);

private:
  struct Operand {
    llvm::Value *V = nullptr;
    Interval Range;
    explicit operator bool() const { return V != nullptr; }
  };
  Operand emit(const SyntaxTree &Tree);
  Operand emitUnknown(const SyntaxTree &Tree, const Interval &Range);
  Operand emitSum(const SyntaxNode &Tree);
  Operand emitProduct(const SyntaxNode &Tree);
  Operand emitDivision(const SyntaxNode &Tree);
  Operand emitMinMax(const SyntaxNode &Tree);
  Operand sum(const Operand &A, const Operand &B, bool IsDifference);
  Operand constant(int64_t Value);
  bool isExact(const Interval &Range) const;

  FloorBasis &Basis;
  llvm::IntegerType *Type;
  FormOfName FormOf;
  ValueOfForm ValueOf;
  llvm::IRBuilderBase *B = nullptr;
};

} // namespace unravel

#endif // UNRAVEL_FRONTEND_EMIT_SYNTAXEMITTER_H
