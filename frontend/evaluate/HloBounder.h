//===- HloBounder.h - The bounds of one instruction -------------*- C++ -*-===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What HloErrors does for one instruction, and arrays of f64, in which bounds
// are kept.
//
//===----------------------------------------------------------------------===//

#ifndef UNRAVEL_FRONTEND_EVALUATE_HLOBOUNDER_H
#define UNRAVEL_FRONTEND_EVALUATE_HLOBOUNDER_H

#include "frontend/evaluate/HloErrors.h"
#include "frontend/evaluate/HloEvaluatorOps.h"
#include "llvm/ADT/STLExtras.h"
#include <limits>

namespace unravel {

/// The shape of the bounds of a value: f64 for each element.
HloShape boundsShape(const HloShape &Shape);

double numberAt(const HloLiteral &Array, int64_t Offset);
void setNumber(HloLiteral &Array, int64_t Offset, double Number);
HloLiteral filled(const HloShape &Shape, double Number);
double magnitude(const HloElement &E);
HloLiteral magnitudes(const HloLiteral &Array);
/// How far two elements of a type are apart; two NaN are not.
double distance(const HloElement &X, const HloElement &Y);

/// \p I for arrays of f64, with a result like \p Shape.
HloInstruction forNumbers(const HloInstruction &I, const HloShape &Shape);

/// A unit in the last place of 1; 0 of integers.
double unitOf(ElementType Type);
/// Of the type in which kernels add up.
double unitOfSums(ElementType Type);

class Bounder {
public:
  static constexpr double Unbounded = std::numeric_limits<double>::infinity();

  Bounder(const HloInstruction &I, llvm::ArrayRef<HloErrors::Value> Inputs,
          llvm::ArrayRef<const HloLiteral *> Errors, const HloLiteral &Result)
      : I(I), Inputs(Inputs), Errors(Errors), Result(Result) {}

  /// nullopt: exact.
  std::optional<HloLiteral> bounds();

private:
  bool isExact(size_t K) const { return !Errors[K]; }
  bool areExact() const {
    return llvm::all_of(Errors, [](const HloLiteral *E) { return !E; });
  }
  HloLiteral errors(size_t K) const {
    return isExact(K) ? HloLiteral(boundsShape(Inputs[K]->shape()))
                      : *Errors[K];
  }
  /// There is no bound if an operand is not exact.
  std::optional<HloLiteral> unlessExact() const;

  double elementError(llvm::ArrayRef<HloElement> Operands,
                      llvm::ArrayRef<double> Moves, const HloElement &Y) const;
  std::optional<HloElement> apply(llvm::ArrayRef<HloElement> Operands) const;
  std::optional<HloLiteral> elementwise() const;
  std::optional<HloLiteral> transform() const;
  std::optional<HloLiteral> dynamic() const;
  std::optional<HloLiteral> reduction() const;
  HloLiteral reductionBy(HloOpcode Operation, size_t K) const;
  std::optional<HloLiteral> reductionInAnyOrder() const;
  std::optional<HloLiteral> products() const;
  std::optional<HloLiteral> scatter() const;
  std::optional<HloLiteral> sort() const;

  const HloInstruction &I;
  llvm::ArrayRef<HloErrors::Value> Inputs;
  llvm::ArrayRef<const HloLiteral *> Errors;
  const HloLiteral &Result;
};

} // namespace unravel

#endif // UNRAVEL_FRONTEND_EVALUATE_HLOBOUNDER_H
