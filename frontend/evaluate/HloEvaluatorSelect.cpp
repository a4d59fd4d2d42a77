//===- HloEvaluatorSelect.cpp - Select and scatter ----------------------===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "frontend/evaluate/HloEvaluatorOps.h"

using namespace llvm;

namespace unravel {

namespace {
class Selection {
public:
  Selection(const HloInstruction &I, HloOperands Operands, HloApply Apply)
      : Operand(*Operands[0]), Source(*Operands[1]), Select(*I.callees()[0]),
        Scatter(*I.callees()[1]),
        Window(I.attributes<HloSelectAndScatter>().Window), Apply(Apply),
        Result(I.shape()) {
    for (const HloWindowDimension &W : Window)
      Sizes.push_back(W.Size);
    for (int64_t K = 0; K < I.shape().elementCount(); ++K)
      Result.copyAtOffset(K, *Operands[2], 0);
  }

  Expected<HloLiteral> run();

private:
  Error choose(ArrayRef<int64_t> Place, std::optional<HloElement> &Chosen,
               std::vector<int64_t> &Index);

  const HloLiteral &Operand, &Source;
  const HloComputation &Select, &Scatter;
  const HloWindow &Window;
  HloApply Apply;
  HloLiteral Result;
  std::vector<int64_t> Sizes;
};
} // namespace

/// The element that `select` prefers in the window at \p Place, and its index;
/// none if the window has only padding.
Error Selection::choose(ArrayRef<int64_t> Place,
                        std::optional<HloElement> &Chosen,
                        std::vector<int64_t> &Index) {
  Error Failure = Error::success();
  std::vector<int64_t> At(Sizes.size());
  forEachIndex(Sizes, [&](ArrayRef<int64_t> InWindow) {
    for (size_t D = 0; D < At.size(); ++D) {
      At[D] = Place[D] * Window[D].Stride + InWindow[D] - Window[D].PadLow;
      if (At[D] < 0 || At[D] >= Operand.shape().dimension(D))
        return true;
    }
    HloElement Element = Operand.at(At);
    if (Chosen) {
      Expected<HloElements> Stays = Apply(Select, {*Chosen, Element});
      if (!Stays) {
        Failure = joinErrors(std::move(Failure), Stays.takeError());
        return false;
      }
      if (Stays->front().isTrue())
        return true;
    }
    Chosen = std::move(Element);
    Index = At;
    return true;
  });
  return Failure;
}

Expected<HloLiteral> Selection::run() {
  Error Failure = Error::success();
  auto Fails = [&](Error E) {
    bool HasFailed = bool(E);
    Failure = joinErrors(std::move(Failure), std::move(E));
    return HasFailed;
  };
  std::vector<int64_t> Index;
  forEachIndex(Source.shape().dimensions(), [&](ArrayRef<int64_t> Place) {
    std::optional<HloElement> Chosen;
    if (Fails(choose(Place, Chosen, Index)))
      return false;
    if (!Chosen)
      return true;
    Expected<HloElements> Sum =
        Apply(Scatter, {Source.at(Place), Result.at(Index)});
    if (!Sum)
      return !Fails(Sum.takeError());
    Result.set(Index, Sum->front());
    return true;
  });
  if (Failure)
    return Failure;
  return std::move(Result);
}

Expected<HloLiteral> evaluateSelectAndScatter(const HloInstruction &I,
                                              HloOperands Operands,
                                              HloApply Apply) {
  return Selection(I, Operands, Apply).run();
}

} // namespace unravel
