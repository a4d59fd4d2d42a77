//===- CanonicalCopy.h - Forms without their history ------------*- C++ -*-===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Atoms are ordered by their ids, which say when they were made. Two contexts
// that hold the same form may therefore order its terms differently. A
// canonical copy is a form in a new context whose atoms were made in an order
// that depends on nothing but the structure of the form, so what is done with
// the copy does not depend on what else was done before.
//
//===----------------------------------------------------------------------===//

#ifndef UNRAVEL_ANALYSIS_ALGEBRA_CANONICALCOPY_H
#define UNRAVEL_ANALYSIS_ALGEBRA_CANONICALCOPY_H

#include "analysis/algebra/IndexExpr.h"
#include "llvm/ADT/DenseMap.h"

namespace unravel {

class CanonicalCopy {
public:
  /// Copies \p E into a new context. The order of variables is that of their
  /// ids.
  CanonicalCopy(const IndexContext &From, IndexExpr E);

  IndexContext &context() { return Context; }
  IndexExpr expr() const { return Copy; }
  /// The variable that \p Variable of the new context is a copy of.
  const IndexAtom *originalOf(const IndexAtom *Variable) const {
    return Originals.lookup(Variable);
  }

private:
  /// What atoms are ordered by.
  struct Rank {
    unsigned LastVariable;  ///< the greatest id of a variable inside
    unsigned FirstVariable; ///< the smallest
    unsigned Depth;
    unsigned Kind; ///< IndexAtom::kindRank()
    /// The divisor of a quotient, the bound of a condition `x >= bound`.
    int64_t Number;
    uint64_t Hash; ///< of the whole structure
    bool operator<(const Rank &Other) const;
  };
  const Rank &rankOf(const IndexAtom *Atom);
  void addRank(Rank &To, IndexExpr E);
  IndexExpr copy(IndexExpr E);
  IndexExpr copy(const IndexAtom *Atom);
  IndexExpr build(const IndexAtom *Atom);

  IndexContext Context;
  IndexExpr Copy;
  llvm::DenseMap<const IndexAtom *, Rank> Ranks;
  llvm::DenseMap<const IndexAtom *, IndexExpr> Copies;
  llvm::DenseMap<const IndexAtom *, const IndexAtom *> Originals;
};

} // namespace unravel

#endif // UNRAVEL_ANALYSIS_ALGEBRA_CANONICALCOPY_H
