//===- WantedQuotients.h - The quotients that roots need --------*- C++ -*-===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The quotients in the forms of all roots of a function. One that is wanted
// anyway can be divided further, and its neighbours need no division.
//
//===----------------------------------------------------------------------===//

#ifndef UNRAVEL_TRANSFORMS_PLAN_WANTEDQUOTIENTS_H
#define UNRAVEL_TRANSFORMS_PLAN_WANTEDQUOTIENTS_H

#include "analysis/recovery/IndexRecovery.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallVector.h"

namespace unravel {

class WantedQuotients {
public:
  explicit WantedQuotients(IndexRecovery &Recovery) : Recovery(Recovery) {}

  /// Adds the quotients of a form that a plan will be asked for.
  void add(IndexExpr Form, RecoveryScope &Scope);

  /// Both in the order in which they were added, and not all if there are many.
  llvm::ArrayRef<const IndexAtom *> quotientsOf(IndexExpr Dividend) const;
  llvm::ArrayRef<const IndexAtom *> floorsBy(IndexExpr SymbolicDivisor) const;

  /// Whether more than one form needs the symbolic \p Quotient, or needs one
  /// that can be had from it.
  bool isSharedQuotient(const IndexAtom *Quotient) const;

private:
  using Quotients = llvm::SmallVector<const IndexAtom *, 4>;

  IndexRecovery &Recovery;
  llvm::DenseMap<IndexExpr, Quotients> ByDividend;
  llvm::DenseMap<IndexExpr, Quotients> FloorsByDivisor;
  /// In how many forms each of them occurs.
  llvm::DenseMap<const IndexAtom *, unsigned> TimesWanted;
};

} // namespace unravel

#endif // UNRAVEL_TRANSFORMS_PLAN_WANTEDQUOTIENTS_H
