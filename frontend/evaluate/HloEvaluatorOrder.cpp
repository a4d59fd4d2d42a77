//===- HloEvaluatorOrder.cpp - Sorted elements --------------------------===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "frontend/evaluate/HloEvaluatorOps.h"
#include "llvm/ADT/STLExtras.h"
#include <numeric>

using namespace llvm;

namespace unravel {

/// Calls \p F for each row of \p Shape along \p Dimension, with an index whose
/// component there is open.
static Error forEachRow(const HloShape &Shape, int64_t Dimension,
                        function_ref<Error(MutableArrayRef<int64_t> Index)> F) {
  std::vector<int64_t> Rows = Shape.dimensions().vec();
  Rows[Dimension] = 1;
  Error Failure = Error::success();
  forEachIndex(Rows, [&](ArrayRef<int64_t> Row) {
    std::vector<int64_t> Index = Row.vec();
    Error E = F(Index);
    bool HasFailed = bool(E);
    Failure = joinErrors(std::move(Failure), std::move(E));
    return !HasFailed;
  });
  return Failure;
}

/// The numbers 0 to \p Size - 1 in the order of \p IsLess, equal ones as they
/// were. An error ends the comparisons.
static Expected<std::vector<int64_t>>
order(int64_t Size, function_ref<Expected<bool>(int64_t, int64_t)> IsLess) {
  std::vector<int64_t> Order(Size);
  std::iota(Order.begin(), Order.end(), int64_t(0));
  Error Failure = Error::success();
  bool HasFailed = false;
  llvm::stable_sort(Order, [&](int64_t X, int64_t Y) {
    if (HasFailed)
      return false;
    Expected<bool> Is = IsLess(X, Y);
    if (Is)
      return *Is;
    HasFailed = true;
    Failure = joinErrors(std::move(Failure), Is.takeError());
    return false;
  });
  if (Failure)
    return Failure;
  return Order;
}

Expected<HloLiteral> evaluateSort(const HloInstruction &I, HloOperands Operands,
                                  HloScalarFunction Callee) {
  std::vector<HloLiteral> Results;
  if (I.shape().isTuple())
    for (const HloShape &Shape : I.shape().elements())
      Results.emplace_back(Shape);
  else
    Results.emplace_back(I.shape());
  const HloShape &Shape = Operands[0]->shape();
  int64_t Dimension = I.attributes<HloSort>().Dimensions.front();
  auto SortRow = [&](MutableArrayRef<int64_t> Index) -> Error {
    auto IsLess = [&](int64_t X, int64_t Y) -> Expected<bool> {
      HloElements Arguments;
      for (const HloLiteral *Operand : Operands)
        for (int64_t Place : {X, Y}) {
          Index[Dimension] = Place;
          Arguments.push_back(Operand->at(Index));
        }
      Expected<HloElements> Found = Callee(Arguments);
      if (!Found)
        return Found.takeError();
      return Found->front().isTrue();
    };
    auto Order = order(Shape.dimension(Dimension), IsLess);
    if (!Order)
      return Order.takeError();
    for (auto [To, From] : enumerate(*Order))
      for (auto [Operand, Result] : zip_equal(Operands, Results)) {
        Index[Dimension] = From;
        int64_t Offset = Operand->offsetOf(Index);
        Index[Dimension] = To;
        Result.copyAtOffset(Result.offsetOf(Index), *Operand, Offset);
      }
    return Error::success();
  };
  if (Error E = forEachRow(Shape, Dimension, SortRow))
    return E;
  if (Results.size() == 1)
    return std::move(Results[0]);
  return HloLiteral::tuple(std::move(Results));
}

Expected<HloLiteral> evaluateTopK(const HloInstruction &I,
                                  const HloLiteral &Operand) {
  const auto &TopK = I.attributes<HloTopK>();
  HloLiteral Values(I.shape().elements()[0]), Indices(I.shape().elements()[1]);
  HloInstruction Compare("compare", HloOpcode::Compare, HloShape());
  Compare.setAttributes(
      HloCompare{TopK.Largest ? HloDirection::GT : HloDirection::LT,
                 HloCompareType::TotalOrder});
  const HloShape &Shape = Operand.shape();
  int64_t Dimension = Shape.rank() - 1;
  auto TakeOfRow = [&](MutableArrayRef<int64_t> Index) -> Error {
    std::vector<HloElement> Row;
    for (int64_t &Place = Index.back(); Place < Shape.dimension(Dimension);
         ++Place)
      Row.push_back(Operand.at(Index));
    auto Order = order(Row.size(), [&](int64_t X, int64_t Y) {
      return Expected<bool>(
          evaluateElement(Compare, {Row[X], Row[Y]}).isTrue());
    });
    if (!Order)
      return Order.takeError();
    for (int64_t K = 0; K < TopK.K; ++K) {
      Index.back() = K;
      Values.set(Index, Row[(*Order)[K]]);
      Indices.set(Index, HloElement::integer(ElementType::S32, (*Order)[K]));
    }
    return Error::success();
  };
  if (Error E = forEachRow(Shape, Dimension, TakeOfRow))
    return E;
  return HloLiteral::tuple({std::move(Values), std::move(Indices)});
}

} // namespace unravel
