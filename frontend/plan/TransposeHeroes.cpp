//===- TransposeHeroes.cpp - What is transposed in a fusion ---------------===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "frontend/plan/TransposeHeroes.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Sequence.h"

using namespace llvm;

namespace unravel {

//===----------------------------------------------------------------------===//
// Orders
//===----------------------------------------------------------------------===//

/// An order of the elements of an array: its dimensions, the minor one first.
using Order = SmallVector<int64_t, 6>;

/// The dimensions of other sizes than 1, the minor one first.
static Order withoutOnes(ArrayRef<int64_t> Minors, const HloShape &Shape) {
  Order Result;
  for (int64_t D : Minors)
    if (Shape.dimension(D) != 1)
      Result.push_back(D);
  return Result;
}

static bool isSameOrder(ArrayRef<int64_t> A, ArrayRef<int64_t> B,
                        const HloShape &Shape) {
  return withoutOnes(A, Shape) == withoutOnes(B, Shape);
}

static Order descending(const HloShape &Shape) {
  return to_vector<6>(reverse(seq<int64_t>(0, Shape.rank())));
}

/// An order of \p From as one of \p To, if they differ by dimensions of size 1
/// only; otherwise nullopt.
static std::optional<Order> withOtherOnes(ArrayRef<int64_t> Minors,
                                          const HloShape &From,
                                          const HloShape &To) {
  Order FromPlaces = withoutOnes(descending(From), From);
  Order ToPlaces = withoutOnes(descending(To), To);
  if (FromPlaces.size() != ToPlaces.size())
    return std::nullopt;
  SmallVector<int64_t, 6> NewPlace(From.rank());
  for (auto [F, T] : zip_equal(FromPlaces, ToPlaces)) {
    if (From.dimension(F) != To.dimension(T))
      return std::nullopt;
    NewPlace[F] = T;
  }
  Order Result;
  for (int64_t D : withoutOnes(Minors, From))
    Result.push_back(NewPlace[D]);
  for (int64_t D : descending(To))
    if (To.dimension(D) == 1)
      Result.push_back(D);
  return Result;
}

/// The order of the elements of \p To that are those of \p From in the order \p
/// Minors, with layouts (bitcast) or without (reshape).
static std::optional<Order> reshaped(ArrayRef<int64_t> Minors,
                                     const HloShape &From, const HloShape &To,
                                     bool WithLayouts) {
  Order Own = WithLayouts ? Order(From.minorToMajor()) : descending(From);
  if (isSameOrder(Minors, Own, From))
    return WithLayouts ? Order(To.minorToMajor()) : descending(To);
  if (WithLayouts)
    return std::nullopt;
  return withOtherOnes(Minors, From, To);
}

/// An order of \p I, as one of operand \p K; nullopt if the operand's elements
/// are not those of \p I in some order.
static std::optional<Order> orderOfOperand(const HloInstruction &I, size_t K,
                                           ArrayRef<int64_t> Minors) {
  const HloShape &Operand = I.operand(K).shape();
  if (isElementwise(I.opcode())) {
    if (Operand.isTuple() || Operand.dimensions() != I.shape().dimensions())
      return std::nullopt;
    return Order(Minors);
  }
  switch (I.opcode()) {
  case HloOpcode::Transpose: {
    Order Result;
    for (int64_t D : Minors)
      Result.push_back(I.dimensions()[D]);
    return Result;
  }
  case HloOpcode::Bitcast:
  case HloOpcode::Reshape:
    if (Operand.elementCount() != I.shape().elementCount())
      return std::nullopt;
    return reshaped(Minors, I.shape(), Operand,
                    I.opcode() == HloOpcode::Bitcast);
  default:
    return std::nullopt;
  }
}

namespace {
/// The elements of an instruction, in this order, are those of \p Of in the
/// order in which they are in memory (of a slice: as far as possible).
struct Origin {
  const HloInstruction *Of = nullptr;
  Order Minors;
};
} // namespace

/// From the origins of the operands to that of \p I.
static Origin originOf(const HloInstruction &I,
                       function_ref<Origin(const HloInstruction &)> OriginOf) {
  if (isElementwise(I.opcode())) {
    for (size_t K = 0; K < I.operands().size(); ++K)
      if (I.operand(K).shape().dimensions() == I.shape().dimensions())
        if (Origin O = OriginOf(I.operand(K)); O.Of)
          return O;
    return {};
  }
  switch (I.opcode()) {
  case HloOpcode::Transpose: {
    Origin O = OriginOf(I.operand(0));
    for (int64_t &D : O.Minors)
      D = find(I.dimensions(), D) - I.dimensions().begin();
    return O;
  }
  case HloOpcode::Bitcast:
  case HloOpcode::Reshape: {
    Origin O = OriginOf(I.operand(0));
    if (!O.Of ||
        I.operand(0).shape().elementCount() != I.shape().elementCount())
      return {};
    std::optional<Order> Minors =
        reshaped(O.Minors, I.operand(0).shape(), I.shape(),
                 I.opcode() == HloOpcode::Bitcast);
    return Minors ? Origin{O.Of, *Minors} : Origin();
  }
  case HloOpcode::Concatenate:
  case HloOpcode::DynamicSlice:
  case HloOpcode::DynamicUpdateSlice:
  case HloOpcode::Pad:
  case HloOpcode::Reverse:
  case HloOpcode::Slice: {
    Origin O = OriginOf(I.operand(0));
    return O.Of ? Origin{&I, O.Minors} : Origin();
  }
  default:
    return {};
  }
}

//===----------------------------------------------------------------------===//
// Heroes
//===----------------------------------------------------------------------===//

namespace {
class HeroSearch {
public:
  HeroSearch(const HloComputation &C,
             function_ref<bool(const HloInstruction &)> IsLoaded)
      : C(C), IsLoaded(IsLoaded), States(C.instructions().size()) {}

  std::optional<TransposePlan> run(ArrayRef<const HloInstruction *> Roots,
                                   ArrayRef<HloShape> Written);

private:
  struct State {
    bool IsNeeded = false;
    /// Needed, so far in one order only, Minors.
    bool IsWanted = false, IsWantedOtherwise = false;
    Order Minors;
    Origin From;
    bool IsHero = false, DependsOnHero = false;
  };

  State &stateOf(const HloInstruction &I) { return States[I.index()]; }
  void want(const HloInstruction &I, std::optional<Order> Minors);
  void findNeeded(ArrayRef<const HloInstruction *> Roots);
  void findOrigins();
  void findHeroes();
  bool becomesHero(const HloInstruction &I);

  const HloComputation &C;
  function_ref<bool(const HloInstruction &)> IsLoaded;
  std::vector<State> States;
  /// Operands before users.
  std::vector<const HloInstruction *> Needed;
  std::vector<TransposeHero> Heroes;
  /// Of the first hero, in the order of the output.
  std::vector<int64_t> Sizes;
  /// Of all heroes, in their orders in memory.
  std::vector<TransposeTiling::Order> Inputs;
};
} // namespace

void HeroSearch::want(const HloInstruction &I, std::optional<Order> Minors) {
  State &S = stateOf(I);
  if (!Minors || (S.IsWanted && !isSameOrder(S.Minors, *Minors, I.shape())))
    S.IsWantedOtherwise = true;
  S.IsWanted = true;
  if (Minors)
    S.Minors = std::move(*Minors);
}

void HeroSearch::findNeeded(ArrayRef<const HloInstruction *> Roots) {
  for (const HloInstruction *Root : Roots)
    stateOf(*Root).IsNeeded = true;
  for (size_t Index = States.size(); Index-- > 0;) {
    if (!States[Index].IsNeeded)
      continue;
    const HloInstruction &I = C.instructions()[Index];
    Needed.push_back(&I);
    if (!IsLoaded(I))
      for (const HloInstruction *Operand : I.operands())
        stateOf(*Operand).IsNeeded = true;
  }
  std::reverse(Needed.begin(), Needed.end());
}

void HeroSearch::findOrigins() {
  for (const HloInstruction *I : Needed)
    stateOf(*I).From =
        IsLoaded(*I)
            ? Origin{I, Order(I->shape().minorToMajor())}
            : originOf(*I, [&](const auto &O) { return stateOf(O).From; });
}

/// \p I is needed in one order, and all its uses are known.
bool HeroSearch::becomesHero(const HloInstruction &I) {
  bool IsInMemory = IsLoaded(I);
  if (!IsInMemory && I.opcode() != HloOpcode::Transpose &&
      I.opcode() != HloOpcode::Copy)
    return false;
  const HloInstruction &Source = IsInMemory ? I : I.operand(0);
  const Origin &From = stateOf(Source).From;
  if (!From.Of)
    return false;

  // Dimensions of the source in the order in which they are needed, numbered.
  Order Wanted = stateOf(I).Minors;
  if (!IsInMemory)
    Wanted = *orderOfOperand(I, 0, Wanted);
  Wanted = withoutOnes(Wanted, Source.shape());
  Order InMemory = withoutOnes(From.Minors, Source.shape());
  if (Wanted.size() < 2 || Wanted.front() == InMemory.front())
    return false;
  std::vector<int64_t> OwnSizes;
  for (int64_t D : reverse(Wanted))
    OwnSizes.push_back(Source.shape().dimension(D));
  TransposeTiling::Order Input;
  for (int64_t D : reverse(InMemory))
    Input.push_back(Wanted.size() - 1 - (find(Wanted, D) - Wanted.begin()));
  if (!Heroes.empty() &&
      (OwnSizes != Sizes || Input.back() != Inputs.front().back()))
    return false;

  Heroes.push_back({&I, &Source,
                    cantFail(HloShape::array(Source.shape().elementType(),
                                             Source.shape().dimensions(),
                                             ArrayRef(From.Minors)))});
  Sizes = std::move(OwnSizes);
  Inputs.push_back(std::move(Input));
  return true;
}

/// Visits users before their operands, so all uses of an instruction are known.
void HeroSearch::findHeroes() {
  for (const HloInstruction *I : reverse(Needed)) {
    State &S = stateOf(*I);
    bool IsTracked = !S.IsWantedOtherwise && I->shape().isArray();
    S.IsHero = IsTracked && becomesHero(*I);
    if (IsLoaded(*I))
      continue;
    // Operands of a hero are in another order. A hero among them would also be
    // needed at the index of a read.
    for (size_t K = 0; K < I->operands().size(); ++K)
      want(I->operand(K), IsTracked && !S.IsHero
                              ? orderOfOperand(*I, K, S.Minors)
                              : std::nullopt);
  }
}

std::optional<TransposePlan>
HeroSearch::run(ArrayRef<const HloInstruction *> Roots,
                ArrayRef<HloShape> Written) {
  findNeeded(Roots);
  findOrigins();
  for (auto [Root, Shape] : zip_equal(Roots, Written))
    want(*Root, Order(Shape.minorToMajor()));
  findHeroes();
  if (Heroes.empty())
    return std::nullopt;
  TransposePlan Plan = {Heroes, TransposeTiling(Sizes, Inputs), {}};
  if (!Plan.Tiling.pays())
    return std::nullopt;

  for (const HloInstruction *I : Needed) {
    State &S = stateOf(*I);
    S.DependsOnHero =
        S.IsHero || (!IsLoaded(*I) && any_of(I->operands(), [&](const auto *O) {
          return stateOf(*O).DependsOnHero;
        }));
  }
  for (auto [Root, Shape] : zip_equal(Roots, Written)) {
    std::optional<size_t> &With = Plan.FilledWith.emplace_back();
    const State &S = stateOf(*Root);
    if (S.DependsOnHero || !S.From.Of ||
        !isSameOrder(S.From.Minors, Shape.minorToMajor(), Shape))
      continue;
    // The hero reads the same elements in the same order.
    for (auto [K, Hero] : enumerate(Plan.Heroes))
      if (stateOf(*Hero.Source).From.Of == S.From.Of)
        With = K;
  }
  return Plan;
}

std::optional<TransposePlan>
planTranspose(ArrayRef<const HloInstruction *> Roots,
              ArrayRef<HloShape> Written,
              function_ref<bool(const HloInstruction &)> IsLoaded) {
  if (Written.front().elementCount() == 0 || Written.front().isScalar())
    return std::nullopt;
  return HeroSearch(Roots.front()->parent(), IsLoaded).run(Roots, Written);
}

} // namespace unravel
