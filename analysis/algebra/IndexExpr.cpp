//===- IndexExpr.cpp - Linear forms over the floor basis ------------------===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "analysis/algebra/IndexExpr.h"
#include "analysis/algebra/Interval.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/Allocator.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Support/xxhash.h"
#include <cstdlib>
#include <limits>
#include <numeric>

using namespace llvm;

namespace unravel {

/// Looks up forms by content. No code iterates over the table: where atoms were
/// allocated may decide about places in it.
struct FormKey {
  ArrayRef<IndexTerm> Terms;
  int64_t Constant;
  unsigned Hash;

  FormKey(ArrayRef<IndexTerm> Terms, int64_t Constant)
      : Terms(Terms), Constant(Constant) {
    const auto *Bytes = reinterpret_cast<const uint8_t *>(Terms.data());
    uint64_t Code =
        xxh3_64bits(ArrayRef(Bytes, Terms.size() * sizeof(Terms[0])));
    Hash = densemap::detail::mix(Code + static_cast<uint64_t>(Constant));
  }
};

struct FormInfo {
  static const LinearForm *getEmptyKey() {
    return DenseMapInfo<IndexExpr>::getEmptyKey().getOpaqueValue();
  }
  static const LinearForm *getTombstoneKey() {
    return DenseMapInfo<IndexExpr>::getTombstoneKey().getOpaqueValue();
  }
  static unsigned getHashValue(const LinearForm *Form) { return Form->Hash; }
  static unsigned getHashValue(const FormKey &Key) { return Key.Hash; }
  static bool isEqual(const LinearForm *A, const LinearForm *B) {
    return A == B;
  }
  static bool isEqual(const FormKey &Key, const LinearForm *Form) {
    return Form != getEmptyKey() && Form != getTombstoneKey() &&
           Form->Hash == Key.Hash && Form->Constant == Key.Constant &&
           Form->Terms == Key.Terms;
  }
};

//===----------------------------------------------------------------------===//
// IndexExpr
//===----------------------------------------------------------------------===//

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
  DenseSet<const LinearForm *, FormInfo> Forms;
  /// Compound atoms by operand and divisor, one table a kind.
  DenseMap<std::pair<IndexExpr, IndexExpr>, const IndexAtom *>
      Atoms[IndexAtom::NumKinds];
  DenseMap<ArrayRef<const IndexAtom *>, const IndexAtom *> Products;
  DenseMap<unsigned, const IndexAtom *> NumberedVariables;
  unsigned NextForm = 0;
  uint64_t Work = 0;
  unsigned NextAtom = NumSlots;
};

IndexContext::IndexContext(IndexLimits Limits)
    : Limits(Limits), Storage(std::make_unique<Impl>()) {}
IndexContext::~IndexContext() = default;

uint64_t IndexContext::work() const { return Storage->Work; }

IndexAtom *IndexContext::newAtom(IndexAtom::Kind Kind) {
  return new (Storage->Allocator.Allocate<IndexAtom>())
      IndexAtom(Kind, Storage->NextAtom++);
}

const IndexAtom *IndexContext::createVariable(StringRef Name) {
  IndexAtom *Variable = newAtom(IndexAtom::Kind::Variable);
  Variable->Name = Name.copy(Storage->Allocator);
  return Variable;
}

const IndexAtom *IndexContext::numberedVariable(unsigned Slot) {
  assert(Slot < NumSlots && "no such numbered variable");
  const IndexAtom *&Variable = Storage->NumberedVariables[Slot];
  if (!Variable)
    Variable = new (Storage->Allocator.Allocate<IndexAtom>())
        IndexAtom(IndexAtom::Kind::Variable, Slot);
  return Variable;
}

IndexExpr IndexContext::linear(ArrayRef<IndexTerm> Terms, int64_t Constant) {
  SmallVector<IndexTerm, 8> Sorted(Terms);
  auto ById = [](const IndexTerm &A, const IndexTerm &B) {
    return A.Atom->id() < B.Atom->id();
  };
  // Mostly a part of a form, which is sorted.
  if (!llvm::is_sorted(Sorted, ById))
    llvm::sort(Sorted, ById);
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
  return unique(Sorted, Constant);
}

/// The form with these terms, which are as IndexExpr::terms() has them.
IndexExpr IndexContext::unique(ArrayRef<IndexTerm> Sorted, int64_t Constant) {
  if (Sorted.size() > Limits.MaxTerms ||
      Constant == std::numeric_limits<int64_t>::min())
    return {};

  ++Storage->Work;
  FormKey Key(Sorted, Constant);
  auto Known = Storage->Forms.find_as(Key);
  if (Known != Storage->Forms.end())
    return IndexExpr(*Known);
  auto *Form = new (Storage->Allocator.Allocate<LinearForm>()) LinearForm();
  Form->Terms = Sorted.copy(Storage->Allocator);
  Form->Constant = Constant;
  Form->Hash = Key.Hash;
  Form->Id = Storage->NextForm++;
  for (const IndexTerm &T : Sorted) {
    Form->Depth = std::max(Form->Depth, 1 + T.Atom->depth());
    Form->VariableBits |= T.Atom->variableBits();
  }
  Storage->Forms.insert(Form);
  return IndexExpr(Form);
}

IndexExpr IndexContext::constant(int64_t Value) { return linear({}, Value); }

IndexExpr IndexContext::atom(const IndexAtom *Atom) {
  if (!Atom->Form)
    Atom->Form = unique({IndexTerm{Atom, 1}}, 0);
  return Atom->Form;
}

IndexExpr IndexContext::add(IndexExpr A, IndexExpr B, int64_t Times) {
  if (!A || !B)
    return {};
  int64_t Constant;
  if (MulOverflow(B.constant(), Times, Constant) ||
      AddOverflow(A.constant(), Constant, Constant))
    return {};
  // Both are sorted: a merge leaves one sorted list.
  SmallVector<IndexTerm, 16> Terms;
  ArrayRef<IndexTerm> Left = A.terms();
  for (IndexTerm T : B.terms()) {
    if (MulOverflow(T.Coefficient, Times, T.Coefficient))
      return {};
    while (!Left.empty() && Left.front().Atom->id() < T.Atom->id())
      Terms.push_back(Left.consume_front());
    if (!Left.empty() && Left.front().Atom == T.Atom &&
        AddOverflow(T.Coefficient, Left.consume_front().Coefficient,
                    T.Coefficient))
      return {};
    if (T.Coefficient == std::numeric_limits<int64_t>::min())
      return {}; // its negation would overflow
    if (T.Coefficient != 0)
      Terms.push_back(T);
  }
  append_range(Terms, Left);
  return unique(Terms, Constant);
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

IndexExpr IndexContext::divideMultiples(IndexExpr A, int64_t Divisor) {
  SmallVector<IndexTerm, 8> Terms;
  for (const IndexTerm &T : A.terms())
    if (T.Coefficient % Divisor == 0)
      Terms.push_back({T.Atom, T.Coefficient / Divisor});
  return linear(Terms, floorDiv(A.constant(), Divisor));
}

/// Appends Factor * E to a sum; false on overflow, or if E is null.
static bool appendScaled(IndexExpr E, int64_t Factor,
                         SmallVectorImpl<IndexTerm> &Terms, int64_t &Constant) {
  int64_t Product;
  if (!E || MulOverflow(E.constant(), Factor, Product) ||
      AddOverflow(Constant, Product, Constant))
    return false;
  for (IndexTerm T : E.terms()) {
    if (MulOverflow(T.Coefficient, Factor, T.Coefficient))
      return false;
    Terms.push_back(T);
  }
  return true;
}

IndexExpr
IndexContext::mapTerms(IndexExpr E,
                       function_ref<IndexExpr(const IndexAtom *)> Of) {
  SmallVector<IndexTerm, 16> Terms;
  int64_t Constant = E.constant();
  for (const IndexTerm &T : E.terms())
    if (!appendScaled(Of(T.Atom), T.Coefficient, Terms, Constant))
      return {};
  return linear(Terms, Constant);
}

IndexExpr IndexContext::rawAtom(IndexAtom::Kind Kind, IndexExpr Operand,
                                IndexExpr Divisor) {
  bool IsDivision =
      Kind == IndexAtom::Kind::FloorDiv || Kind == IndexAtom::Kind::TruncDiv;
  bool HasTwo = IsDivision || Kind == IndexAtom::Kind::BitXor;
  assert((HasTwo || !Divisor) && "this kind has one operand");
  if (!Operand || Operand.depth() >= Limits.MaxDepth ||
      (HasTwo && (!Divisor || Divisor.depth() >= Limits.MaxDepth)))
    return {};
  const IndexAtom *&Known =
      Storage->Atoms[static_cast<unsigned>(Kind)][{Operand, Divisor}];
  if (!Known) {
    IndexAtom *Atom = newAtom(Kind);
    Atom->Operand = Operand;
    Atom->Divisor = Divisor;
    if (IsDivision && Divisor.isConstant() && Divisor.constant() > 1)
      Atom->ConstantDivisor = Divisor.constant();
    Known = Atom;
  }
  return atom(Known);
}

//===----------------------------------------------------------------------===//
// Products
//===----------------------------------------------------------------------===//

unsigned IndexAtom::depth() const {
  unsigned Deepest = 0;
  if (Operand)
    Deepest = Operand.depth();
  if (Divisor)
    Deepest = std::max(Deepest, Divisor.depth());
  for (const IndexAtom *Factor : Factors)
    Deepest = std::max(Deepest, Factor->depth());
  return Deepest;
}

uint64_t IndexAtom::variableBits() const {
  // Ids of variables may be any distance apart: Fibonacci hashing spreads them.
  if (isVariable())
    return uint64_t(1) << (Id * 0x9E3779B97F4A7C15u >> 58);
  uint64_t Bits = 0;
  if (Operand)
    Bits |= Operand.variableBits();
  if (Divisor)
    Bits |= Divisor.variableBits();
  for (const IndexAtom *Factor : Factors)
    Bits |= Factor->variableBits();
  return Bits;
}

unsigned IndexAtom::kindRank() const {
  // Two places between products and conditions are for symbolic divisions.
  unsigned Rank = static_cast<unsigned>(K);
  return Rank + (isSymbolicDivision()          ? 4
                 : isCondition() || isBitXor() ? 2
                                               : 0);
}

/// What two conditions say together.
enum class Conjunction { Independent, FirstOnly, SecondOnly, Never };

static Conjunction conjunctionOf(IndexContext &Context, const IndexAtom *A,
                                 const IndexAtom *B) {
  IndexExpr L = A->operand(), R = B->operand();
  if (A == B)
    return Conjunction::FirstOnly;
  // L = R + Difference, or L = -R + Difference.
  IndexExpr Difference = Context.sub(L, R);
  bool Mirrored = !Difference || !Difference.isConstant();
  if (Mirrored)
    Difference = Context.add(L, R);
  if (!Difference || !Difference.isConstant())
    return Conjunction::Independent;
  int64_t D = Difference.constant();
  bool AIsZero = A->kind() == IndexAtom::Kind::Zero;
  bool BIsZero = B->kind() == IndexAtom::Kind::Zero;
  if (AIsZero && BIsZero) // L = 0 and R = 0 need D = 0
    return D == 0 ? Conjunction::FirstOnly : Conjunction::Never;
  if (AIsZero) // where L = 0: R = -D, mirrored R = D
    return (Mirrored ? D >= 0 : D <= 0) ? Conjunction::FirstOnly
                                        : Conjunction::Never;
  if (BIsZero) // where R = 0: L = D
    return D >= 0 ? Conjunction::SecondOnly : Conjunction::Never;
  if (Mirrored) // L >= 0 and D - L >= 0
    return D < 0 ? Conjunction::Never : Conjunction::Independent;
  return D <= 0 ? Conjunction::FirstOnly : Conjunction::SecondOnly;
}

/// The atom of a product, or null if it is zero everywhere.
const IndexAtom *IndexContext::productOf(ArrayRef<const IndexAtom *> Factors) {
  SmallVector<const IndexAtom *, 4> Sorted(Factors);
  auto ById = [](const IndexAtom *A, const IndexAtom *B) {
    return A->id() < B->id();
  };
  llvm::sort(Sorted, ById);
  bool HasConditions = false;
  for (size_t I = 0; I < Sorted.size(); ++I)
    for (size_t J = I + 1; J < Sorted.size() && Sorted[I]->isCondition();) {
      HasConditions = true;
      if (!Sorted[J]->isCondition()) {
        ++J;
        continue;
      }
      switch (conjunctionOf(*this, Sorted[I], Sorted[J])) {
      case Conjunction::Never:
        return nullptr;
      case Conjunction::SecondOnly:
        std::swap(Sorted[I], Sorted[J]);
        [[fallthrough]];
      case Conjunction::FirstOnly:
        Sorted.erase(Sorted.begin() + J);
        J = I + 1;
        break;
      case Conjunction::Independent:
        ++J;
      }
    }
  if (HasConditions)
    llvm::sort(Sorted, ById);
  if (Sorted.size() == 1)
    return Sorted[0];
  auto It = Storage->Products.find(Sorted);
  if (It != Storage->Products.end())
    return It->second;
  IndexAtom *Product = newAtom(IndexAtom::Kind::Product);
  Product->Factors =
      ArrayRef<const IndexAtom *>(Sorted).copy(Storage->Allocator);
  Storage->Products[Product->Factors] = Product;
  return Product;
}

IndexExpr IndexContext::product(ArrayRef<const IndexAtom *> Factors,
                                int64_t Coefficient) {
  if (Factors.empty() || Coefficient == 0)
    return constant(Coefficient);
  if (Factors.size() > Limits.MaxDepth)
    return {};
  const IndexAtom *Product = productOf(Factors);
  return Product ? linear({IndexTerm{Product, Coefficient}}, 0) : constant(0);
}

IndexExpr IndexContext::multiply(IndexExpr A, IndexExpr B) {
  if (!A || !B)
    return {};
  if (B.isConstant())
    return scale(A, B.constant());
  if (A.isConstant())
    return scale(B, A.constant());
  if (A.terms().size() * B.terms().size() > Limits.MaxTerms)
    return {};
  // (a + S)*(b + T) = S*T + b*(a + S) + a*T
  IndexExpr Rest = scale(A, B.constant());
  if (A.constant() != 0)
    Rest = add(Rest, add(B, -B.constant()), A.constant());
  SmallVector<IndexTerm, 16> Products;
  for (const IndexTerm &T : A.terms())
    for (const IndexTerm &U : B.terms()) {
      SmallVector<const IndexAtom *, 4> Factors(factorsOf(T.Atom));
      llvm::append_range(Factors, factorsOf(U.Atom));
      int64_t Coefficient;
      if (Factors.size() > Limits.MaxDepth ||
          MulOverflow(T.Coefficient, U.Coefficient, Coefficient))
        return {};
      if (const IndexAtom *Product = productOf(Factors))
        Products.push_back({Product, Coefficient});
    }
  return add(Rest, linear(Products, 0));
}

//===----------------------------------------------------------------------===//
// Questions about a whole expression
//===----------------------------------------------------------------------===//

static void visitAtom(const IndexAtom *Atom, DenseSet<const IndexAtom *> &Seen,
                      function_ref<void(const IndexAtom *)> Visit);

static void visitAtoms(IndexExpr E, DenseSet<const IndexAtom *> &Seen,
                       function_ref<void(const IndexAtom *)> Visit) {
  for (const IndexTerm &T : E.terms()) {
    if (!Seen.insert(T.Atom).second)
      continue;
    visitAtom(T.Atom, Seen, Visit);
  }
}

static void visitAtom(const IndexAtom *Atom, DenseSet<const IndexAtom *> &Seen,
                      function_ref<void(const IndexAtom *)> Visit) {
  if (Atom->operand())
    visitAtoms(Atom->operand(), Seen, Visit);
  if (Atom->divisor())
    visitAtoms(Atom->divisor(), Seen, Visit);
  for (const IndexAtom *Factor : Atom->factors())
    if (Seen.insert(Factor).second)
      visitAtom(Factor, Seen, Visit);
  Visit(Atom);
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

using ValueFunction = function_ref<std::optional<int64_t>(const IndexAtom *)>;

static std::optional<int64_t> evaluateDivision(const IndexAtom *Atom, int64_t A,
                                               int64_t D) {
  if (D == 0 || (A == std::numeric_limits<int64_t>::min() && D == -1))
    return std::nullopt;
  int64_t Quotient = A / D;
  return Atom->isFloorDiv() && A % D != 0 && (A < 0) != (D < 0) ? Quotient - 1
                                                                : Quotient;
}

static std::optional<int64_t> evaluateAtom(const IndexAtom *Atom,
                                           ValueFunction ValueOf) {
  if (Atom->isVariable())
    return ValueOf(Atom);
  if (Atom->isProduct()) {
    int64_t Product = 1;
    for (const IndexAtom *Factor : Atom->factors()) {
      std::optional<int64_t> Value = evaluateAtom(Factor, ValueOf);
      if (!Value || MulOverflow(Product, *Value, Product))
        return std::nullopt;
    }
    return Product;
  }
  std::optional<int64_t> Operand = evaluate(Atom->operand(), ValueOf);
  if (!Operand)
    return std::nullopt;
  switch (Atom->kind()) {
  case IndexAtom::Kind::NegativePart:
    return std::min<int64_t>(*Operand, 0);
  case IndexAtom::Kind::NonNegative:
    return *Operand >= 0;
  case IndexAtom::Kind::Zero:
    return *Operand == 0;
  default:
    std::optional<int64_t> D = evaluate(Atom->divisor(), ValueOf);
    if (D && Atom->isBitXor())
      return *Operand ^ *D;
    return D ? evaluateDivision(Atom, *Operand, *D) : std::nullopt;
  }
}

std::optional<int64_t> evaluate(IndexExpr E, ValueFunction ValueOf) {
  int64_t Sum = E.constant();
  for (const IndexTerm &T : E.terms()) {
    std::optional<int64_t> Value = evaluateAtom(T.Atom, ValueOf);
    int64_t Product;
    if (!Value || MulOverflow(*Value, T.Coefficient, Product) ||
        AddOverflow(Sum, Product, Sum))
      return std::nullopt;
  }
  return Sum;
}

} // namespace unravel
