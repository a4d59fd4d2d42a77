//===- SimplifySyntax.cpp - An expression simplified as text --------------===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "analysis/SimplifySyntax.h"
#include "analysis/IndexLowering.h"
#include "analysis/IndexRaising.h"
#include "llvm/ADT/StringMap.h"

using namespace llvm;

namespace unravel {

/// The limits of a context for text: what people write by hand, or generate.
static constexpr IndexLimits TextLimits{1u << 16, 64};

static Error checkNames(const SyntaxTree &Tree,
                        const StringMap<const IndexAtom *> &Atoms) {
  if (Tree->Op == SyntaxOp::Name && !Atoms.count(Tree->Name))
    return createStringError("column " + Twine(Tree->Offset + 1) +
                             ": unknown variable '" + Tree->Name +
                             "'; name it in \"vars\"");
  for (const SyntaxTree &Arg : Tree->Args)
    if (Error E = checkNames(Arg, Atoms))
      return E;
  return Error::success();
}

Expected<SimplifiedSyntax> simplifySyntax(const SyntaxTree &Input,
                                          ArrayRef<NamedRange> Variables,
                                          const SyntaxTree &Condition) {
  IndexContext Context(TextLimits);
  IndexDomain Domain(Context);
  StringMap<const IndexAtom *> Atoms;
  for (const NamedRange &V : Variables) {
    const IndexAtom *Atom = Context.createVariable(V.Name);
    Atoms[V.Name] = Atom;
    Domain.declare(Atom, V.Range);
  }
  if (Error E = checkNames(Input, Atoms))
    return E;
  auto Lookup = [&](StringRef Name) { return Context.atom(Atoms.at(Name)); };
  if (Condition) {
    if (Error E = checkNames(Condition, Atoms))
      return E;
    assume(Domain, Condition, Lookup);
  }

  SimplifiedSyntax Result{Input, Interval(), costOf(Input)};
  bool Boolean = isCondition(Input->Op);
  if (Boolean)
    Result.Range = Interval(0, 1);
  auto NameOf = [](const IndexAtom *A) { return A->name().str(); };
  FloorBasis Basis(Domain);
  // The raised tree may lower to a better form; every further round is cheaper.
  for (bool First = true;; First = false) {
    LoweringFailure Failure;
    IndexExpr E = lower(Basis, Result.Tree, Lookup, Failure);
    if (E)
      E = Basis.simplify(E);
    if (!E)
      return Result;
    Result.Range = Result.Range.intersect(Domain.range(E));
    SyntaxTree Raised = Boolean ? raiseCondition(Context, E, NameOf)
                                : raise(Context, E, NameOf);
    SyntaxCost Cost = costOf(Raised);
    if (!(Cost < Result.Cost) && !(First && Cost == Result.Cost))
      return Result;
    Result.Tree = Raised;
    Result.Cost = Cost;
  }
}

} // namespace unravel
