//===- IndexExpr.h - Linear forms over the floor basis ----------*- C++ -*-===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Every index expression is kept in one normal form, an integer linear
// combination of atoms:
//
//     k + sum c_i * t_i      t_i = a variable, floor(L / D), tdiv(L, D) or
//                                  min(L, 0), L xor M, with L, M and D again
//                                  such forms
//
// D is a constant in most quotients. Sizes known only at run time need products
// `t_i * t_j` of atoms, too; forms are then polynomials. Conditions are
// numbers, too: [L >= 0] and [L = 0] are atoms with the value 0 or 1, so that
// select(c, a, b) is b + c*(a - b).
//
// A remainder is never stored: `a mod d` is `a - d * floor(a / d)`. Since
// remainders are linear in quotients, linearize and delinearize cancel by
// adding coefficients:
//
//     75*floor(x/75) + (x mod 75) = 75*floor(x/75) + x - 75*floor(x/75) = x
//
// This file holds the representation. Forms and atoms are immutable and
// uniqued in an IndexContext, so equality is pointer equality. What may become
// an atom, and how it is simplified first, is decided in FloorBasis.h; what
// values a form can take, in IndexDomain.h.
//
// Coefficients are 64-bit and checked. An operation that would overflow (or
// pass a size cap) returns the null IndexExpr, which every operation passes
// on, so a caller tests the result once. Forms mean mathematical integers;
// relating them to machine words is the business of IndexRecovery.h.
//
//===----------------------------------------------------------------------===//

#ifndef UNRAVEL_ANALYSIS_ALGEBRA_INDEXEXPR_H
#define UNRAVEL_ANALYSIS_ALGEBRA_INDEXEXPR_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/DenseMapInfo.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringRef.h"
#include <cstdint>
#include <memory>
#include <optional>
#include <string>

namespace llvm {
class raw_ostream;
}

namespace unravel {

class IndexAtom;

/// One summand `Coefficient * Atom`; the coefficient is never zero.
struct IndexTerm {
  const IndexAtom *Atom;
  int64_t Coefficient;
  bool operator==(const IndexTerm &Other) const {
    return Atom == Other.Atom && Coefficient == Other.Coefficient;
  }
};

/// What an IndexExpr is a handle to: the context owns one of each.
struct LinearForm {
  llvm::ArrayRef<IndexTerm> Terms;
  int64_t Constant = 0;
  unsigned Hash = 0;
  unsigned Id = 0;
  unsigned Depth = 0;
  uint64_t VariableBits = 0;
};

/// A value-semantic handle to a uniqued linear form, or null ("gave up").
class IndexExpr {
public:
  IndexExpr() = default;
  explicit IndexExpr(const LinearForm *Form) : Form(Form) {}

  explicit operator bool() const { return Form != nullptr; }
  bool operator==(IndexExpr Other) const { return Form == Other.Form; }
  bool operator!=(IndexExpr Other) const { return Form != Other.Form; }

  /// Sorted by atom id, no two with the same atom.
  llvm::ArrayRef<IndexTerm> terms() const { return Form->Terms; }
  int64_t constant() const { return Form->Constant; }
  /// Creation order within the context: a deterministic sort key.
  unsigned id() const { return Form->Id; }
  /// Nesting of atoms: 0 for a constant, 1 for sums of variables.
  unsigned depth() const { return Form->Depth; }
  /// One bit, out of 64, for each variable that the form is made of, however
  /// deep it stands. Forms that have no bit in common share no variable.
  uint64_t variableBits() const { return Form->VariableBits; }

  bool isConstant() const { return terms().empty(); }
  bool isConstant(int64_t Value) const {
    return isConstant() && constant() == Value;
  }
  /// The atom A if the form is exactly `A`, else null.
  const IndexAtom *asAtom() const;
  /// The coefficient of \p Atom, 0 if it does not occur at the top level.
  int64_t coefficientOf(const IndexAtom *Atom) const;
  /// gcd of the coefficients of all terms (not of the constant); 0 for a
  /// constant form.
  int64_t gcdOfCoefficients() const;

  const LinearForm *getOpaqueValue() const { return Form; }

private:
  const LinearForm *Form = nullptr;
};

/// What a form is a combination of.
class IndexAtom {
public:
  enum class Kind : uint8_t {
    Variable,     ///< a value the algebra does not look into
    FloorDiv,     ///< floor(operand() / divisor())
    TruncDiv,     ///< C's quotient, for an operand of unknown sign
    NegativePart, ///< min(operand(), 0); all min and max reduce to it
    Product,      ///< the product of factors(), two or more
    NonNegative,  ///< 1 if operand() >= 0, else 0
    Zero,         ///< 1 if operand() = 0, else 0
    BitXor,       ///< operand() xor divisor(), as two's complement integers of
                  ///< unlimited width
  };
  static constexpr unsigned NumKinds = 8;

  Kind kind() const { return K; }
  bool isVariable() const { return K == Kind::Variable; }
  bool isFloorDiv() const { return K == Kind::FloorDiv; }
  bool isTruncDiv() const { return K == Kind::TruncDiv; }
  bool isNegativePart() const { return K == Kind::NegativePart; }
  bool isBitXor() const { return K == Kind::BitXor; }
  bool isDivision() const { return isFloorDiv() || isTruncDiv(); }
  /// Quotients by a constant > 1.
  bool isConstantDivision() const { return ConstantDivisor != 0; }
  bool isConstantFloorDiv() const { return isFloorDiv() && ConstantDivisor; }
  bool isConstantTruncDiv() const { return isTruncDiv() && ConstantDivisor; }
  /// A quotient by another form. It has no value where the divisor is zero: a
  /// simplification may give it any there.
  bool isSymbolicDivision() const { return isDivision() && !ConstantDivisor; }
  bool isProduct() const { return K == Kind::Product; }
  /// 0 or 1.
  bool isCondition() const { return K == Kind::NonNegative || K == Kind::Zero; }
  /// Creation order within the context.
  unsigned id() const { return Id; }
  /// The dividend of a division, what NegativePart or a condition looks at, the
  /// first operand of BitXor; null for variables and products.
  IndexExpr operand() const { return Operand; }
  /// Of a division; the second operand of BitXor; null for other atoms.
  IndexExpr divisor() const { return Divisor; }
  /// The divisor if it is a constant > 1, else 0.
  int64_t constantDivisor() const { return ConstantDivisor; }
  /// Of a product: no products themselves, sorted by id, possibly repeated.
  llvm::ArrayRef<const IndexAtom *> factors() const { return Factors; }
  /// 0 for a variable, otherwise one more than what the atom is made of.
  unsigned depth() const;
  uint64_t variableBits() const;
  /// For orders that do not depend on ids: atoms of different kinds, where a
  /// symbolic division is of another kind than one by a constant.
  unsigned kindRank() const;
  /// A variable's name; empty for other atoms.
  llvm::StringRef name() const { return Name; }

private:
  friend class IndexContext;
  IndexAtom(Kind K, unsigned Id) : K(K), Id(Id) {}
  Kind K;
  unsigned Id;
  int64_t ConstantDivisor = 0;
  IndexExpr Operand;
  IndexExpr Divisor;
  llvm::ArrayRef<const IndexAtom *> Factors;
  llvm::StringRef Name;
  /// The form that is just this atom, when it was first asked for.
  mutable IndexExpr Form;
};

/// What a form may grow to before it is given up; keeps the time of every
/// operation bounded. The defaults are far beyond what kernels contain.
struct IndexLimits {
  unsigned MaxTerms = 32;
  unsigned MaxDepth = 24;
  /// At most this many constraints of a domain and its parents are consulted
  /// for a query, innermost first: a query's time does not grow with the
  /// nesting of guards.
  unsigned MaxConstraints = 24;
  /// Forms that one proof of an inequality makes at most (IndexProver.h).
  unsigned MaxProofForms = 512;
};

/// Owns and uniques all forms and atoms. Not thread-safe.
class IndexContext {
public:
  explicit IndexContext(IndexLimits Limits = {});
  ~IndexContext();
  IndexContext(const IndexContext &) = delete;
  IndexContext &operator=(const IndexContext &) = delete;

  const IndexLimits &limits() const { return Limits; }
  /// Forms computed so far, new or known: a measure of the work, the same on
  /// every machine.
  uint64_t work() const;

  /// A new variable, distinct from all others even if the name is the same.
  const IndexAtom *createVariable(llvm::StringRef Name);
  /// Variable number \p Slot of the context, made when it is first asked for.
  /// Numbered variables have the number as their id, before all other atoms:
  /// the normal form does not depend on which was made first. Indexing maps
  /// are written over them. \p Slot is below NumSlots.
  const IndexAtom *numberedVariable(unsigned Slot);
  static constexpr unsigned NumSlots = 3u << 20;

  IndexExpr constant(int64_t Value);
  IndexExpr atom(const IndexAtom *Atom);
  /// A + Times * B.
  IndexExpr add(IndexExpr A, IndexExpr B, int64_t Times = 1);
  IndexExpr add(IndexExpr A, int64_t Constant);
  IndexExpr sub(IndexExpr A, IndexExpr B) { return add(A, B, -1); }
  IndexExpr scale(IndexExpr A, int64_t Factor);
  IndexExpr negate(IndexExpr A) { return scale(A, -1); }
  /// A / Divisor if every coefficient and the constant are multiples of it,
  /// else null.
  IndexExpr divideExactly(IndexExpr A, int64_t Divisor);
  /// The terms of A that are multiples of Divisor > 0 and the constant, divided
  /// by it; the constant is rounded down.
  IndexExpr divideMultiples(IndexExpr A, int64_t Divisor);
  /// Coefficient times all \p Factors, which are no products themselves.
  IndexExpr product(llvm::ArrayRef<const IndexAtom *> Factors,
                    int64_t Coefficient = 1);
  /// A * B, multiplied out. Conditions are idempotent: c * c = c.
  IndexExpr multiply(IndexExpr A, IndexExpr B);
  /// The form `Constant + sum of Terms`; terms in any order, atoms may repeat.
  IndexExpr linear(llvm::ArrayRef<IndexTerm> Terms, int64_t Constant);

  /// \p E with the form that \p Of gives it in place of every atom. All at
  /// once: adding term by term would take quadratic time and memory.
  IndexExpr mapTerms(IndexExpr E,
                     llvm::function_ref<IndexExpr(const IndexAtom *)> Of);

  /// The bare atom of a kind that has an operand, with no simplification at
  /// all. Quotients have a divisor, BitXor a second operand in its place. Use
  /// FloorBasis instead.
  IndexExpr rawAtom(IndexAtom::Kind Kind, IndexExpr Operand,
                    IndexExpr Divisor = {});
  IndexExpr rawAtom(IndexAtom::Kind Kind, IndexExpr Operand, int64_t Divisor) {
    return rawAtom(Kind, Operand, constant(Divisor));
  }

private:
  IndexAtom *newAtom(IndexAtom::Kind Kind);
  IndexExpr unique(llvm::ArrayRef<IndexTerm> Sorted, int64_t Constant);
  const IndexAtom *productOf(llvm::ArrayRef<const IndexAtom *> Factors);
  IndexLimits Limits;
  struct Impl;
  std::unique_ptr<Impl> Storage;
};

/// Calls \p Visit for every atom in \p E, operands before the atoms that use
/// them, each once.
void forEachAtom(IndexExpr E,
                 llvm::function_ref<void(const IndexAtom *)> Visit);

/// The factors of a product, the atom itself otherwise.
inline llvm::ArrayRef<const IndexAtom *>
factorsOf(const IndexAtom *const &Atom) {
  return Atom->isProduct() ? Atom->factors() : llvm::ArrayRef(Atom);
}

/// The terms of \p E, and its constant if that is not 0.
inline size_t numSummands(IndexExpr E) {
  return E.terms().size() + (E.constant() != 0 ? 1 : 0);
}

/// The number of distinct divisions needed to compute all of \p Exprs.
unsigned countDivisions(llvm::ArrayRef<IndexExpr> Exprs);

/// The value of \p E where a variable has the value \p ValueOf gives it.
/// Returns nullopt if an intermediate result leaves 64 bits or has no value
/// (a divisor that is zero).
std::optional<int64_t>
evaluate(IndexExpr E,
         llvm::function_ref<std::optional<int64_t>(const IndexAtom *)> ValueOf);

/// Prints \p E as it is, term by term, in indexing-map syntax: `x floordiv 75`,
/// `a mod b` where it is shorter than the floor, `min(a, 0)`; C's quotient and
/// remainder are written `tdiv(a, b)` and `tmod(a, b)`. IndexRaising.h has the
/// text for readers, the cheapest one.
void print(llvm::raw_ostream &OS, IndexContext &Context, IndexExpr E);
std::string toString(IndexContext &Context, IndexExpr E);

} // namespace unravel

template <> struct llvm::DenseMapInfo<unravel::IndexExpr> {
  // LLVM 22 marks the free and the freed places of a table by keys. LLVM 23
  // asks for none, so they do not come from the keys of pointers. No object is
  // in the last pages of memory.
  static unravel::IndexExpr getEmptyKey() { return atPageFromEnd(1); }
  static unravel::IndexExpr getTombstoneKey() { return atPageFromEnd(2); }
  static unsigned getHashValue(unravel::IndexExpr E) {
    return DenseMapInfo<const unravel::LinearForm *>::getHashValue(
        E.getOpaqueValue());
  }
  static bool isEqual(unravel::IndexExpr A, unravel::IndexExpr B) {
    return A == B;
  }

private:
  static unravel::IndexExpr atPageFromEnd(uintptr_t Page) {
    return unravel::IndexExpr(
        reinterpret_cast<const unravel::LinearForm *>(-(Page << 12)));
  }
};

#endif // UNRAVEL_ANALYSIS_ALGEBRA_INDEXEXPR_H
