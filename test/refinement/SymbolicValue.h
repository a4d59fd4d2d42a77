//===- SymbolicValue.h - A value as formulas --------------------*- C++ -*-===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What an SSA value is to the prover: for each scalar in it a bit vector and
// the condition under which it is poison. A pointer also has the object that
// it may access. The helpers fold what is trivial, so that equal code on both
// sides gives equal terms and most questions need no solver.
//
//===----------------------------------------------------------------------===//

#ifndef UNRAVEL_TEST_REFINEMENT_SYMBOLICVALUE_H
#define UNRAVEL_TEST_REFINEMENT_SYMBOLICVALUE_H

#include "llvm/ADT/APInt.h"
#include <optional>
#include <vector>
#include <z3++.h>

namespace unravel::refinement {

/// Provenance: the object that a pointer is based on. The end is Base + Size,
/// which neither wraps nor is more than half of the address space.
struct Object {
  z3::expr Id, Base, Size;
};

/// A scalar.
struct Lane {
  z3::expr Bits;   // bit vector; the address of a pointer
  z3::expr Poison; // Boolean; where it holds, Bits mean nothing
  std::optional<Object> Memory;
};

/// One lane for a scalar, several for vectors, arrays and structures.
using SymbolicValue = std::vector<Lane>;

// Booleans.
z3::expr both(const z3::expr &A, const z3::expr &B);
z3::expr either(const z3::expr &A, const z3::expr &B);
z3::expr negate(const z3::expr &A);
bool isSameTerm(const z3::expr &A, const z3::expr &B);

// Any sort.
z3::expr equal(const z3::expr &A, const z3::expr &B);
z3::expr choose(const z3::expr &Condition, const z3::expr &Then,
                const z3::expr &Else);

// Bit vectors.
z3::expr number(z3::context &C, const llvm::APInt &N);
z3::expr number(z3::context &C, uint64_t N, unsigned Width);
z3::expr toBit(const z3::expr &Condition);
z3::expr isSet(const z3::expr &Bit);
z3::expr zeroExtend(const z3::expr &E, unsigned Width);
z3::expr signExtend(const z3::expr &E, unsigned Width);
z3::expr truncate(const z3::expr &E, unsigned Width);
unsigned widthOf(const z3::expr &E);
/// The number that \p E is written as, if it is one.
std::optional<llvm::APInt> numberIn(const z3::expr &E);
/// \p E, computed if all of its operands are numbers.
z3::expr folded(const z3::expr &E);

// Whole values with equally many lanes.
SymbolicValue choose(const z3::expr &Condition, const SymbolicValue &Then,
                     const SymbolicValue &Else);
/// Some lane is poison.
z3::expr anyPoison(const SymbolicValue &V, z3::context &C);
/// \p After shows a behaviour that \p Before does not have.
z3::expr isWrong(const SymbolicValue &Before, const SymbolicValue &After,
                 z3::context &C);

} // namespace unravel::refinement

#endif // UNRAVEL_TEST_REFINEMENT_SYMBOLICVALUE_H
