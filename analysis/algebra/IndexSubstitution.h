//===- IndexSubstitution.h - Expressions for atoms --------------*- C++ -*-===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Replaces atoms of index expressions by expressions, all at the same time:
// replacements are not looked into again, so variables can swap places. What
// expressions share is rebuilt once.
//
//===----------------------------------------------------------------------===//

#ifndef UNRAVEL_ANALYSIS_ALGEBRA_INDEXSUBSTITUTION_H
#define UNRAVEL_ANALYSIS_ALGEBRA_INDEXSUBSTITUTION_H

#include "analysis/algebra/FloorBasis.h"

namespace unravel {

using Replacements = llvm::DenseMap<const IndexAtom *, IndexExpr>;

class IndexSubstitution {
public:
  /// Builds everything again on \p Domain, where the results are then valid.
  IndexSubstitution(const IndexDomain &Domain, Replacements With)
      : Context(Domain.context()), Own(FloorBasis(Domain)), Basis(&*Own),
        Known(std::move(With)) {}
  /// The same on the domain of \p Basis, which knows what the replacements are
  /// made of.
  IndexSubstitution(FloorBasis &Basis, Replacements With)
      : Context(Basis.context()), Basis(&Basis), Known(std::move(With)) {}
  IndexSubstitution(const IndexSubstitution &) = delete;
  IndexSubstitution &operator=(const IndexSubstitution &) = delete;

  /// Builds everything as it was. If all that happens is that variables become
  /// other variables, different ones for different ones, this never gives up:
  /// no form gets longer, no coefficient changes.
  IndexSubstitution(IndexContext &Context, Replacements With)
      : Context(Context), Known(std::move(With)) {}

  /// Null if an operation gave up.
  IndexExpr apply(IndexExpr E);

private:
  IndexExpr apply(const IndexAtom *Atom);
  IndexExpr rebuild(const IndexAtom *Atom);

  IndexContext &Context;
  std::optional<FloorBasis> Own;
  FloorBasis *Basis = nullptr;
  /// The replacements, and all atoms that were rebuilt.
  Replacements Known;
};

} // namespace unravel

#endif // UNRAVEL_ANALYSIS_ALGEBRA_INDEXSUBSTITUTION_H
