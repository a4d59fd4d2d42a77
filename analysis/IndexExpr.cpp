//===- IndexExpr.cpp - Linear forms over the floor basis ------------------===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "analysis/IndexExpr.h"
#include "analysis/Interval.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/Hashing.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/Allocator.h"
#include "llvm/Support/MathExtras.h"
#include <cstdlib>
#include <limits>
#include <numeric>

using namespace llvm;

namespace unravel {

/// A uniqued form: constant + sum of terms.
struct LinearForm {
  ArrayRef<IndexTerm> Terms;
  int64_t Constant = 0;
  unsigned Hash = 0;
  unsigned Id = 0;
  unsigned Depth = 0;
};

namespace {
/// Looks up forms by content. Atoms hash by id, so that nothing depends on
/// where they were allocated.
struct FormKey {
  ArrayRef<IndexTerm> Terms;
  int64_t Constant;
  unsigned Hash;

  FormKey(ArrayRef<IndexTerm> Terms, int64_t Constant)
      : Terms(Terms), Constant(Constant) {
    hash_code Code = hash_value(Constant);
    for (const IndexTerm &T : Terms)
      Code = hash_combine(Code, T.Atom->id(), T.Coefficient);
    Hash = static_cast<unsigned>(size_t(Code));
  }
};

struct FormInfo : DenseMapInfo<LinearForm *> {
  static unsigned getHashValue(const LinearForm *Form) { return Form->Hash; }
  static unsigned getHashValue(const FormKey &Key) { return Key.Hash; }
  using DenseMapInfo<LinearForm *>::isEqual;
  static bool isEqual(const FormKey &Key, const LinearForm *Form) {
    return Form != getEmptyKey() && Form != getTombstoneKey() &&
           Form->Hash == Key.Hash && Form->Constant == Key.Constant &&
           Form->Terms == Key.Terms;
  }
};
} // namespace

//===----------------------------------------------------------------------===//
// IndexExpr
//===----------------------------------------------------------------------===//

ArrayRef<IndexTerm> IndexExpr::terms() const { return Form->Terms; }
int64_t IndexExpr::constant() const { return Form->Constant; }
unsigned IndexExpr::id() const { return Form->Id; }
unsigned IndexExpr::depth() const { return Form->Depth; }

const IndexAtom *IndexExpr::asAtom() const {
  if (terms().size() != 1 || constant() != 0 || terms()[0].Coefficient != 1)
    return nullptr;
  return terms()[0].Atom;
}

int64_t IndexExpr::coefficientOf(const IndexAtom *Atom) const {
  for (const IndexTerm &T : terms())
    if (T.Atom == Atom)
      return T.Coefficient;
  return 0;
}

int64_t IndexExpr::gcdOfCoefficients() const {
  int64_t G = 0;
  for (const IndexTerm &T : terms())
    G = std::gcd(G, T.Coefficient);
  return G;
}

//===----------------------------------------------------------------------===//
// IndexContext
//===----------------------------------------------------------------------===//

struct IndexContext::Impl {
  BumpPtrAllocator Allocator;
  DenseSet<LinearForm *, FormInfo> Forms;
  /// Compound atoms by (operand, divisor), one table a kind.
  DenseMap<std::pair<IndexExpr, int64_t>, const IndexAtom *> Atoms[4];
  unsigned NextForm = 0;
  unsigned NextAtom = 0;
};

IndexContext::IndexContext() : Storage(std::make_unique<Impl>()) {}
IndexContext::~IndexContext() = default;

const IndexAtom *IndexContext::createVariable(StringRef Name) {
  return new (Storage->Allocator.Allocate<IndexAtom>())
      IndexAtom(IndexAtom::Kind::Variable, Storage->NextAtom++, IndexExpr(), 0,
                Name.copy(Storage->Allocator));
}

IndexExpr IndexContext::linear(ArrayRef<IndexTerm> Terms, int64_t Constant) {
  SmallVector<IndexTerm, 8> Sorted(Terms);
  llvm::sort(Sorted, [](const IndexTerm &A, const IndexTerm &B) {
    return A.Atom->id() < B.Atom->id();
  });
  // Merge equal atoms in place and drop what cancels.
  size_t Out = 0;
  for (size_t In = 0; In < Sorted.size();) {
    IndexTerm Merged = Sorted[In++];
    for (; In < Sorted.size() && Sorted[In].Atom == Merged.Atom; ++In)
      if (AddOverflow(Merged.Coefficient, Sorted[In].Coefficient,
                      Merged.Coefficient))
        return {};
    if (Merged.Coefficient == std::numeric_limits<int64_t>::min())
      return {}; // its negation would overflow
    if (Merged.Coefficient != 0)
      Sorted[Out++] = Merged;
  }
  Sorted.truncate(Out);
  if (Sorted.size() > MaxTerms ||
      Constant == std::numeric_limits<int64_t>::min())
    return {};

  FormKey Key(Sorted, Constant);
  auto Known = Storage->Forms.find_as(Key);
  if (Known != Storage->Forms.end())
    return IndexExpr(*Known);
  auto *Form = new (Storage->Allocator.Allocate<LinearForm>()) LinearForm();
  Form->Terms = ArrayRef<IndexTerm>(Sorted).copy(Storage->Allocator);
  Form->Constant = Constant;
  Form->Hash = Key.Hash;
  Form->Id = Storage->NextForm++;
  for (const IndexTerm &T : Sorted) {
    unsigned AtomDepth = T.Atom->isVariable() ? 0 : T.Atom->operand().depth();
    Form->Depth = std::max(Form->Depth, 1 + AtomDepth);
  }
  Storage->Forms.insert(Form);
  return IndexExpr(Form);
}

IndexExpr IndexContext::constant(int64_t Value) { return linear({}, Value); }

IndexExpr IndexContext::atom(const IndexAtom *Atom) {
  return linear({IndexTerm{Atom, 1}}, 0);
}

IndexExpr IndexContext::add(IndexExpr A, IndexExpr B, int64_t Times) {
  if (!A || !B)
    return {};
  int64_t Constant;
  if (MulOverflow(B.constant(), Times, Constant) ||
      AddOverflow(A.constant(), Constant, Constant))
    return {};
  SmallVector<IndexTerm, 16> Terms(A.terms());
  for (IndexTerm T : B.terms()) {
    if (MulOverflow(T.Coefficient, Times, T.Coefficient))
      return {};
    Terms.push_back(T);
  }
  return linear(Terms, Constant);
}

IndexExpr IndexContext::add(IndexExpr A, int64_t Constant) {
  return add(A, constant(1), Constant);
}

IndexExpr IndexContext::scale(IndexExpr A, int64_t Factor) {
  return add(constant(0), A, Factor);
}

IndexExpr IndexContext::divideExactly(IndexExpr A, int64_t Divisor) {
  if (!A || A.constant() % Divisor != 0)
    return {};
  SmallVector<IndexTerm, 8> Terms(A.terms());
  for (IndexTerm &T : Terms) {
    if (T.Coefficient % Divisor != 0)
      return {};
    T.Coefficient /= Divisor;
  }
  return linear(Terms, A.constant() / Divisor);
}

IndexExpr IndexContext::rawAtom(IndexAtom::Kind Kind, IndexExpr Operand,
                                int64_t Divisor) {
  if (!Operand || Operand.depth() >= MaxDepth)
    return {};
  const IndexAtom *&Atom =
      Storage->Atoms[static_cast<unsigned>(Kind)][{Operand, Divisor}];
  if (!Atom)
    Atom = new (Storage->Allocator.Allocate<IndexAtom>())
        IndexAtom(Kind, Storage->NextAtom++, Operand, Divisor, "");
  return atom(Atom);
}

IndexExpr IndexContext::rawFloorDiv(IndexExpr Dividend, int64_t Divisor) {
  return rawAtom(IndexAtom::Kind::FloorDiv, Dividend, Divisor);
}

IndexExpr IndexContext::rawTruncDiv(IndexExpr Dividend, int64_t Divisor) {
  return rawAtom(IndexAtom::Kind::TruncDiv, Dividend, Divisor);
}

IndexExpr IndexContext::rawNegativePart(IndexExpr Operand) {
  return rawAtom(IndexAtom::Kind::NegativePart, Operand, 0);
}

//===----------------------------------------------------------------------===//
// Questions about a whole expression
//===----------------------------------------------------------------------===//

static void visitAtoms(IndexExpr E, DenseSet<const IndexAtom *> &Seen,
                       function_ref<void(const IndexAtom *)> Visit) {
  for (const IndexTerm &T : E.terms()) {
    if (!Seen.insert(T.Atom).second)
      continue;
    if (!T.Atom->isVariable())
      visitAtoms(T.Atom->operand(), Seen, Visit);
    Visit(T.Atom);
  }
}

void forEachAtom(IndexExpr E, function_ref<void(const IndexAtom *)> Visit) {
  DenseSet<const IndexAtom *> Seen;
  visitAtoms(E, Seen, Visit);
}

unsigned countDivisions(ArrayRef<IndexExpr> Exprs) {
  DenseSet<const IndexAtom *> Seen;
  unsigned Count = 0;
  for (IndexExpr E : Exprs)
    visitAtoms(E, Seen,
               [&](const IndexAtom *A) { Count += A->isDivision() ? 1 : 0; });
  return Count;
}

std::optional<int64_t>
evaluate(IndexExpr E,
         function_ref<std::optional<int64_t>(const IndexAtom *)> ValueOf) {
  int64_t Sum = E.constant();
  for (const IndexTerm &T : E.terms()) {
    std::optional<int64_t> Value;
    if (T.Atom->isVariable()) {
      Value = ValueOf(T.Atom);
    } else {
      Value = evaluate(T.Atom->operand(), ValueOf);
      if (Value && T.Atom->isFloorDiv())
        Value = floorDiv(*Value, T.Atom->divisor());
      else if (Value && T.Atom->isTruncDiv())
        Value = *Value / T.Atom->divisor();
      else if (Value)
        Value = std::min<int64_t>(*Value, 0);
    }
    int64_t Product;
    if (!Value || MulOverflow(*Value, T.Coefficient, Product) ||
        AddOverflow(Sum, Product, Sum))
      return std::nullopt;
  }
  return Sum;
}

} // namespace unravel
