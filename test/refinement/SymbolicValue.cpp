//===- SymbolicValue.cpp - A value as formulas ----------------------------===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SymbolicValue.h"
#include "llvm/ADT/SmallString.h"
#include <cassert>

using namespace llvm;
using z3::expr;

namespace unravel::refinement {

bool isSameTerm(const expr &A, const expr &B) { return z3::eq(A, B); }

expr both(const expr &A, const expr &B) {
  if (A.is_false() || B.is_true() || isSameTerm(A, B))
    return A;
  if (A.is_true() || B.is_false())
    return B;
  return A && B;
}

expr either(const expr &A, const expr &B) {
  if (A.is_true() || B.is_false() || isSameTerm(A, B))
    return A;
  if (A.is_false() || B.is_true())
    return B;
  return A || B;
}

expr negate(const expr &A) {
  if (A.is_true() || A.is_false())
    return A.ctx().bool_val(A.is_false());
  if (A.is_not())
    return A.arg(0);
  return !A;
}

expr equal(const expr &A, const expr &B) {
  if (isSameTerm(A, B))
    return A.ctx().bool_val(true);
  if (A.is_numeral() && B.is_numeral()) // numerals are unique in a context
    return A.ctx().bool_val(false);
  return A == B;
}

expr choose(const expr &Condition, const expr &Then, const expr &Else) {
  if (Condition.is_true() || isSameTerm(Then, Else))
    return Then;
  if (Condition.is_false())
    return Else;
  if (Then.is_bool()) {
    if (Then.is_true() || Else.is_true())
      return Then.is_true() ? either(Condition, Else)
                            : either(negate(Condition), Then);
    if (Then.is_false() || Else.is_false())
      return Then.is_false() ? both(negate(Condition), Else)
                             : both(Condition, Then);
  }
  return z3::ite(Condition, Then, Else);
}

expr number(z3::context &C, const APInt &N) {
  SmallString<40> Text;
  N.toStringUnsigned(Text);
  return C.bv_val(Text.c_str(), N.getBitWidth());
}

expr number(z3::context &C, uint64_t N, unsigned Width) {
  return number(C, APInt(64, N).zextOrTrunc(Width));
}

unsigned widthOf(const expr &E) { return E.get_sort().bv_size(); }

std::optional<APInt> numberIn(const expr &E) {
  if (!E.is_numeral() || !E.is_bv())
    return std::nullopt;
  return APInt(widthOf(E), Z3_get_numeral_string(E.ctx(), E), 10);
}

expr folded(const expr &E) {
  for (unsigned I = 0; I < E.num_args(); ++I)
    if (!E.arg(I).is_numeral())
      return E;
  return E.num_args() ? E.simplify() : E;
}

expr toBit(const expr &Condition) {
  z3::context &C = Condition.ctx();
  return choose(Condition, number(C, 1, 1), number(C, 0, 1));
}

expr isSet(const expr &Bit) {
  z3::context &C = Bit.ctx();
  if (Bit.is_app() && Bit.decl().decl_kind() == Z3_OP_ITE &&
      isSameTerm(Bit.arg(1), number(C, 1, 1)) &&
      isSameTerm(Bit.arg(2), number(C, 0, 1)))
    return Bit.arg(0);
  return equal(Bit, number(C, 1, 1));
}

expr zeroExtend(const expr &E, unsigned Width) {
  unsigned Old = widthOf(E);
  assert(Width >= Old);
  return Width == Old ? E : z3::zext(E, Width - Old);
}

expr signExtend(const expr &E, unsigned Width) {
  unsigned Old = widthOf(E);
  assert(Width >= Old);
  return Width == Old ? E : z3::sext(E, Width - Old);
}

expr truncate(const expr &E, unsigned Width) {
  return Width == widthOf(E) ? E : E.extract(Width - 1, 0);
}

SymbolicValue choose(const expr &Condition, const SymbolicValue &Then,
                     const SymbolicValue &Else) {
  assert(Then.size() == Else.size());
  SymbolicValue Result;
  for (size_t I = 0; I < Then.size(); ++I) {
    const Lane &T = Then[I], &E = Else[I];
    std::optional<Object> Memory;
    if (T.Memory && E.Memory)
      Memory = Object{choose(Condition, T.Memory->Id, E.Memory->Id),
                      choose(Condition, T.Memory->Base, E.Memory->Base),
                      choose(Condition, T.Memory->Size, E.Memory->Size)};
    Result.push_back({choose(Condition, T.Bits, E.Bits),
                      choose(Condition, T.Poison, E.Poison), Memory});
  }
  return Result;
}

expr anyPoison(const SymbolicValue &V, z3::context &C) {
  expr Result = C.bool_val(false);
  for (const Lane &L : V)
    Result = either(Result, L.Poison);
  return Result;
}

expr isWrong(const SymbolicValue &Before, const SymbolicValue &After,
             z3::context &C) {
  assert(Before.size() == After.size());
  expr Result = C.bool_val(false);
  for (size_t I = 0; I < Before.size(); ++I) {
    const Lane &B = Before[I], &A = After[I];
    expr Differs = either(A.Poison, negate(equal(A.Bits, B.Bits)));
    if (A.Memory && B.Memory)
      Differs = either(Differs, negate(equal(A.Memory->Id, B.Memory->Id)));
    // What does not differ even as a term is not poison for another reason.
    if (isSameTerm(A.Poison, B.Poison) && isSameTerm(A.Bits, B.Bits) &&
        (!A.Memory || !B.Memory || isSameTerm(A.Memory->Id, B.Memory->Id)))
      continue;
    Result = either(Result, both(negate(B.Poison), Differs));
  }
  return Result;
}

} // namespace unravel::refinement
