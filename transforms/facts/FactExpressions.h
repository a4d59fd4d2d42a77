//===- FactExpressions.h - Facts as lists of tokens -------------*- C++ -*-===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What a fact is about, as an expression in prefix order: a constant of type i8
// is an operation (42 is '*'), anything else a value.
//
//===----------------------------------------------------------------------===//

#ifndef UNRAVEL_TRANSFORMS_FACTS_FACTEXPRESSIONS_H
#define UNRAVEL_TRANSFORMS_FACTS_FACTEXPRESSIONS_H

#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/InstrTypes.h"
#include <optional>

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

/// Operations beside those of opcodeOf: of one operand.
static constexpr char SignExtend = 's', ZeroExtend = 'z', Truncate = 't';
/// In front of an operation of a comparison: it does not wrap, as a signed or
/// an unsigned one.
static constexpr char NoSignedWrap = 'n', NoUnsignedWrap = 'w';

/// Whether \p Cast, an extension, is one by the sign: sext, or zext nneg, which
/// is the same where it is not poison. LLVM writes one product with both.
bool extendsSign(const llvm::CastInst &Cast);

/// The token of an operation, which is in [0, 127].
llvm::Value *operationToken(llvm::LLVMContext &C, int Code);
/// The operation that \p Token is; nullopt for a value.
std::optional<int> codeOf(const llvm::Value *Token);
/// What an operation of two operands computes.
std::optional<llvm::Instruction::BinaryOps> opcodeOf(int Code);

/// \p V, an operation that does not wrap unless it is poison (nsw if \p Signed,
/// else nuw), in values that are the same for all threads. False if it is
/// anything else.
bool encodeExact(llvm::Value *V, bool Signed, RecordedFact &Fact);

/// Whether there is a product in it.
bool hasProduct(const RecordedFact &Fact);

/// A comparison of integer expressions over arguments and special registers,
/// which is assumed: so none of its operations is poison.
bool encodeCondition(llvm::Value *Condition, RecordedFact &Fact);

/// Whether both say the same: the operands of sums and products may be
/// exchanged, and LLVM may have dropped what does not wrap.
bool isSameFact(const RecordedFact &A, const RecordedFact &B);

/// The width of all words of a well-formed exact expression; behind a cast it
/// is 64.
unsigned widthOfExact(const RecordedFact &Fact);

/// Whether the tokens are one expression of its kind, all words of one width.
/// Markers can be written by hand.
bool isWellFormed(const RecordedFact &Fact);

} // namespace unravel

#endif // UNRAVEL_TRANSFORMS_FACTS_FACTEXPRESSIONS_H
