//===- WholeXor.h - Exclusive ors that were split into digits ---*- C++ -*-===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The floor basis splits x xor 4*y into x mod 4 and 4 * (floor(x/4) xor y).
// This finds the whole again.
//
//===----------------------------------------------------------------------===//

#ifndef UNRAVEL_ANALYSIS_ALGEBRA_WHOLEXOR_H
#define UNRAVEL_ANALYSIS_ALGEBRA_WHOLEXOR_H

#include "analysis/algebra/IndexDomain.h"
#include "llvm/ADT/SmallVector.h"

namespace unravel {

/// \p Parts, with the operands of those that are exclusive ors in their places.
llvm::SmallVector<IndexExpr, 4> xorOperands(llvm::ArrayRef<IndexExpr> Parts);

/// A way to write a form as Scale * (X xor Y) + Rest.
struct WholeXor {
  int64_t Scale;
  IndexExpr X, Y;
  IndexExpr Rest;
};

/// The ways that begin at the term \p T of \p E, a number times BitXor, but for
/// that term itself. They hold in \p Domain.
llvm::SmallVector<WholeXor, 4> wholeXorsOf(const IndexDomain &Domain,
                                           IndexExpr E, const IndexTerm &T);

} // namespace unravel

#endif // UNRAVEL_ANALYSIS_ALGEBRA_WHOLEXOR_H
