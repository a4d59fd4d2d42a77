//===- PointProgram.cpp - Forms as straight-line code ---------------------===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "analysis/tiles/PointProgram.h"
#include "llvm/Support/MathExtras.h"

using namespace llvm;

namespace unravel {

PointProgram::PointProgram(ArrayRef<const IndexAtom *> Variables,
                           ArrayRef<IndexExpr> Wanted)
    : NumVariables(Variables.size()) {
  for (const IndexAtom *Variable : Variables)
    RegisterOf.try_emplace(Variable, RegisterOf.size());
  for (IndexExpr E : Wanted) {
    // Operands come before the atoms that use them.
    forEachAtom(E, [&](const IndexAtom *Atom) {
      if (Atom->isVariable() || RegisterOf.contains(Atom))
        return;
      Step S{Atom, {}, {}, {}};
      if (Atom->operand())
        S.Operand = sumOf(Atom->operand());
      if (Atom->divisor())
        S.Divisor = sumOf(Atom->divisor());
      for (const IndexAtom *Factor : Atom->factors())
        S.Factors.push_back(RegisterOf.at(Factor));
      RegisterOf[Atom] = NumVariables + Steps.size();
      Steps.push_back(std::move(S));
    });
    Forms.push_back(sumOf(E));
  }
  Registers.resize(NumVariables + Steps.size());
  Values.resize(Forms.size());
}

PointProgram::Sum PointProgram::sumOf(IndexExpr E) const {
  Sum Result{E.constant(), {}};
  for (const IndexTerm &T : E.terms())
    Result.Terms.push_back({RegisterOf.at(T.Atom), T.Coefficient});
  return Result;
}

std::optional<int64_t> PointProgram::valueOf(const Sum &S) const {
  int64_t Value = S.Constant;
  for (auto [Register, Coefficient] : S.Terms) {
    int64_t Product;
    if (!Registers[Register] ||
        MulOverflow(*Registers[Register], Coefficient, Product) ||
        AddOverflow(Value, Product, Value))
      return std::nullopt;
  }
  return Value;
}

std::optional<int64_t> PointProgram::valueOf(const Step &S) const {
  if (S.Atom->isProduct()) {
    int64_t Product = 1;
    for (unsigned Factor : S.Factors)
      if (!Registers[Factor] ||
          MulOverflow(Product, *Registers[Factor], Product))
        return std::nullopt;
    return Product;
  }
  std::optional<int64_t> Operand = valueOf(S.Operand);
  if (!Operand)
    return std::nullopt;
  switch (S.Atom->kind()) {
  case IndexAtom::Kind::NegativePart:
    return std::min<int64_t>(*Operand, 0);
  case IndexAtom::Kind::NonNegative:
    return *Operand >= 0;
  case IndexAtom::Kind::Zero:
    return *Operand == 0;
  default:
    break;
  }
  std::optional<int64_t> Divisor = valueOf(S.Divisor);
  if (Divisor && S.Atom->isBitXor())
    return *Operand ^ *Divisor;
  if (!Divisor || *Divisor == 0 ||
      (*Divisor == -1 && *Operand == std::numeric_limits<int64_t>::min()))
    return std::nullopt;
  int64_t Quotient = *Operand / *Divisor;
  bool RoundsDown = S.Atom->isFloorDiv() && *Operand % *Divisor != 0 &&
                    (*Operand < 0) != (*Divisor < 0);
  return RoundsDown ? Quotient - 1 : Quotient;
}

ArrayRef<std::optional<int64_t>> PointProgram::run(ArrayRef<int64_t> Point) {
  for (size_t I = 0; I < NumVariables; ++I)
    Registers[I] = Point[I];
  for (size_t I = 0; I < Steps.size(); ++I)
    Registers[NumVariables + I] = valueOf(Steps[I]);
  for (size_t I = 0; I < Forms.size(); ++I)
    Values[I] = valueOf(Forms[I]);
  return Values;
}

} // namespace unravel
