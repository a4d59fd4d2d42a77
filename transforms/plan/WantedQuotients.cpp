//===- WantedQuotients.cpp - The quotients that roots need ----------------===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "transforms/plan/WantedQuotients.h"
#include "analysis/algebra/IndexPolynomial.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallPtrSet.h"

using namespace llvm;

namespace unravel {

/// Quotients of one dividend, or by one divisor, that are remembered.
static constexpr size_t MaxWanted = 8;

void WantedQuotients::add(IndexExpr Form, RecoveryScope &Scope) {
  SmallVector<IndexExpr, 4> Work{Form};
  SmallPtrSet<const IndexAtom *, 8> Seen;
  while (!Work.empty()) {
    IndexExpr E = Work.pop_back_val();
    if (!E)
      continue;
    forEachAtom(E, [&](const IndexAtom *A) {
      if (!Seen.insert(A).second)
        return;
      if (A->isVariable()) {
        // It may be planned as what it is congruent to.
        Value *V = Recovery.valueOf(A).first;
        if (IndexRecovery::isIndexOperation(V))
          Work.push_back(Recovery.recover(V, Scope).Ring);
      } else if (A->isDivision()) {
        ++TimesWanted[A];
        Quotients &OfDividend = ByDividend[A->operand()];
        if (OfDividend.size() >= MaxWanted || is_contained(OfDividend, A))
          return;
        OfDividend.push_back(A);
        if (A->isFloorDiv() && A->isSymbolicDivision()) {
          Quotients &Floors = FloorsByDivisor[A->divisor()];
          if (Floors.size() < MaxWanted)
            Floors.push_back(A);
        }
      }
    });
  }
}

ArrayRef<const IndexAtom *>
WantedQuotients::quotientsOf(IndexExpr Dividend) const {
  auto It = ByDividend.find(Dividend);
  return It == ByDividend.end() ? ArrayRef<const IndexAtom *>() : It->second;
}

ArrayRef<const IndexAtom *>
WantedQuotients::floorsBy(IndexExpr SymbolicDivisor) const {
  auto It = FloorsByDivisor.find(SymbolicDivisor);
  return It == FloorsByDivisor.end() ? ArrayRef<const IndexAtom *>()
                                     : It->second;
}

bool WantedQuotients::isSharedQuotient(const IndexAtom *Quotient) const {
  if (TimesWanted.lookup(Quotient) > 1)
    return true;
  IndexContext &Context = Recovery.context();
  for (const IndexAtom *Floor : floorsBy(Quotient->divisor()))
    if (IndexExpr Apart = Context.sub(Floor->operand(), Quotient->operand());
        Floor != Quotient && Apart && Apart.isConstant())
      return true;
  return any_of(quotientsOf(Quotient->operand()), [&](const IndexAtom *Other) {
    return Other != Quotient &&
           exactQuotient(Context, Other->divisor(), Quotient->divisor());
  });
}

} // namespace unravel
