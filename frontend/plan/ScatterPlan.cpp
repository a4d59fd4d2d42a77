//===- ScatterPlan.cpp - How updates change elements ----------------------===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "frontend/plan/ScatterPlan.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallBitVector.h"

using namespace llvm;

namespace unravel {

namespace {
class ScatterPlanner {
public:
  ScatterPlanner(const HloInstruction &I, const FlatComputation &Callee);

  Expected<ScatterPlan> run(const HloModule &Module);

private:
  struct Combination {
    HloOpcode Operation;
    const HloInstruction *Other;
  };
  std::optional<Combination> combinationOf(size_t Array) const;
  bool isOrderFree(size_t Array) const;
  ScatterPlan::OfArray changeAtomically(size_t Array) const;
  ElementType typeOf(size_t Array) const {
    return Callee.Outputs[Array]->shape().elementType();
  }

  const HloInstruction &I;
  const FlatComputation &Callee;
  size_t Count;
  /// The arrays whose elements change.
  SmallBitVector Changed;
  /// For each instruction of the callee, the old elements that it depends on.
  std::vector<SmallBitVector> OldElementsOf;
};
} // namespace

ScatterPlanner::ScatterPlanner(const HloInstruction &I,
                               const FlatComputation &Callee)
    : I(I), Callee(Callee), Count(Callee.Outputs.size()), Changed(Count) {
  for (const HloInstruction &Inner : Callee.Body->instructions()) {
    SmallBitVector &Old = OldElementsOf.emplace_back(Count);
    const auto *Parameter = Inner.attributesIf<HloParameter>();
    if (Parameter && size_t(Parameter->Number) < Count)
      Old.set(Parameter->Number);
    for (const HloInstruction *Operand : Inner.operands())
      Old |= OldElementsOf[Operand->index()];
  }
  for (size_t K = 0; K < Count; ++K)
    if (Callee.Outputs[K] != &Callee.Body->parameter(K))
      Changed.set(K);
}

/// Looks through copies and conversions between floats: sums of small floats
/// have these.
static const HloInstruction &withoutConversions(const HloInstruction &I) {
  const HloInstruction *Inner = &I;
  while (Inner->opcode() == HloOpcode::Copy ||
         (Inner->opcode() == HloOpcode::Convert &&
          isFloat(Inner->shape().elementType()) &&
          isFloat(Inner->operand(0).shape().elementType())))
    Inner = &Inner->operand(0);
  return *Inner;
}

/// If the new element is `old + other`, or the same with another operation that
/// gives the same result in any order.
std::optional<ScatterPlanner::Combination>
ScatterPlanner::combinationOf(size_t Array) const {
  const HloInstruction &Root = withoutConversions(*Callee.Outputs[Array]);
  if (!is_contained({HloOpcode::Add, HloOpcode::And, HloOpcode::Maximum,
                     HloOpcode::Minimum, HloOpcode::Multiply, HloOpcode::Or,
                     HloOpcode::Xor},
                    Root.opcode()))
    return std::nullopt;
  for (size_t K : {0, 1})
    if (&withoutConversions(Root.operand(K)) == &Callee.Body->parameter(Array))
      return Combination{Root.opcode(), &Root.operand(1 - K)};
  return std::nullopt;
}

/// The old element is combined with what no update changes.
bool ScatterPlanner::isOrderFree(size_t Array) const {
  std::optional<Combination> Found = combinationOf(Array);
  return Found && !OldElementsOf[Found->Other->index()].anyCommon(Changed);
}

static bool hasAtomic(HloOpcode Operation, ElementType Type) {
  if (Type == ElementType::F32 || Type == ElementType::F64)
    return Operation == HloOpcode::Add;
  return isInteger(Type) && bitWidth(Type) >= 32 &&
         Operation != HloOpcode::Multiply;
}

ScatterPlan::OfArray ScatterPlanner::changeAtomically(size_t Array) const {
  ScatterPlan::OfArray Plan = {ScatterMethod::Loop};
  std::optional<Combination> Found = combinationOf(Array);
  if (!Found || !hasAtomic(Found->Operation, typeOf(Array)))
    return Plan;
  const auto *Parameter = Found->Other->attributesIf<HloParameter>();
  // With a conversion, the operation is not on the type of the element.
  bool IsDirect = Callee.Outputs[Array]->opcode() == Found->Operation &&
                  is_contained(Callee.Outputs[Array]->operands(),
                               &Callee.Body->parameter(Array));
  if (Parameter && size_t(Parameter->Number) >= Count && IsDirect)
    Plan = {ScatterMethod::Atomic, Found->Operation, Parameter->Number - Count};
  return Plan;
}

Expected<ScatterPlan> ScatterPlanner::run(const HloModule &Module) {
  ScatterPlan Plan;
  Plan.Arrays.resize(Count);
  bool IsUnique = I.attributes<HloScatter>().UniqueIndices;
  bool IsSingle = Changed.count() == 1;
  for (unsigned K : Changed.set_bits()) {
    ScatterPlan::OfArray &Array = Plan.Arrays[K];
    bool UsesOld = OldElementsOf[Callee.Outputs[K]->index()].test(K);
    if (IsUnique || (IsSingle && !UsesOld)) {
      Array.Method = ScatterMethod::Store;
      continue;
    }
    if (!IsSingle && !isOrderFree(K))
      return Module.error(
          I, "the function changes several arrays, and no atomic operation "
             "does that; so each needs add, multiply, and, or, xor, maximum or "
             "minimum of its element and a value that no update changes, but "
             "array " +
                 Twine(K) +
                 " has another function; say unique_indices=true if no element "
                 "has two updates");
    Array = changeAtomically(K);
    unsigned Bytes = byteWidth(typeOf(K));
    if (Array.Method == ScatterMethod::Loop && Bytes > 8)
      return Module.error(I, "no atomic operation on elements of " +
                                 Twine(Bytes) +
                                 " bytes; scatter real and imaginary parts, "
                                 "or say unique_indices=true");
  }
  return Plan;
}

Expected<ScatterPlan> planScatter(const HloModule &Module,
                                  const HloInstruction &I,
                                  const FlatComputation &Callee) {
  return ScatterPlanner(I, Callee).run(Module);
}

} // namespace unravel
