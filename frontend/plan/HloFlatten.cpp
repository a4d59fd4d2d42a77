//===- HloFlatten.cpp - One computation without calls and tuples ----------===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "frontend/plan/HloFlatten.h"
#include "frontend/hlo/HloTuples.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace unravel {

namespace {
/// An array, or a tuple of values.
struct FlatValue {
  const HloInstruction *Array = nullptr;
  std::vector<FlatValue> Elements;
};

class Flattener {
public:
  explicit Flattener(const HloModule &Module) : Module(Module) {
    Result.Body = std::make_unique<HloComputation>("flat");
  }

  Expected<FlatComputation> run(const HloComputation &C);

private:
  /// The recursion is as deep as computations call each other.
  Expected<FlatValue> flatten(const HloComputation &C,
                              ArrayRef<FlatValue> Arguments, bool IsEntry);
  FlatValue parameters(const HloInstruction &I, const HloShape &Shape,
                       std::vector<int64_t> &Index, int64_t &Number);
  void addOutputs(const FlatValue &Value);
  FlatValue copy(const HloInstruction &I, ArrayRef<FlatValue> Operands);
  FlatValue withLayoutOf(const HloInstruction &I, FlatValue Value,
                         const HloShape &Shape);
  void keepInMemory(const FlatValue &Value,
                    std::optional<unsigned> Fusion = std::nullopt);

  const HloModule &Module;
  FlatComputation Result;
  /// For each parameter of the entry, the number of arrays before it.
  std::vector<size_t> ArraysBefore;
};
} // namespace

/// A parameter for each array of the part of \p I that has index \p Index and
/// shape \p Shape. There are \p Number arrays before it. Names are new, because
/// no name in a module has a brace.
FlatValue Flattener::parameters(const HloInstruction &I, const HloShape &Shape,
                                std::vector<int64_t> &Index, int64_t &Number) {
  FlatValue Value;
  for (auto [K, Element] :
       enumerate(Shape.isTuple() ? Shape.elements() : ArrayRef<HloShape>())) {
    Index.push_back(K);
    Value.Elements.push_back(parameters(I, Element, Index, Number));
    Index.pop_back();
  }
  if (Shape.isTuple())
    return Value;
  std::string Name = I.name().str();
  if (!Index.empty())
    Name += textOfIndex(Index);
  HloInstruction Array(std::move(Name), HloOpcode::Parameter, Shape);
  Array.setAttributes(HloParameter{Number++});
  Array.Location = I.Location;
  Value.Array = &Result.Body->add(std::move(Array));
  return Value;
}

/// The arrays of \p Value, in their order.
void Flattener::addOutputs(const FlatValue &Value) {
  for (const FlatValue &Element : Value.Elements)
    addOutputs(Element);
  if (Value.Elements.empty() && Value.Array) // no tuple, not even an empty one
    Result.Outputs.push_back(Value.Array);
}

FlatValue Flattener::copy(const HloInstruction &I,
                          ArrayRef<FlatValue> Operands) {
  HloInstruction Copy(I.name().str(), I.opcode(), I.shape());
  Copy.setAttributes(I.attributes());
  Copy.setCallee(I.callee());
  Copy.Location = I.Location;
  SmallVector<const HloInstruction *, 4> Arrays;
  for (const FlatValue &Operand : Operands)
    Arrays.push_back(Operand.Array);
  FlatValue Value;
  Value.Array = &Result.Body->add(std::move(Copy), Arrays);
  if (I.shape().isArray())
    return Value;
  for (auto [Index, Shape] : enumerate(I.shape().elements())) {
    HloInstruction Element((I.name() + "." + Twine(Index)).str(),
                           HloOpcode::GetTupleElement, Shape);
    Element.setAttributes(HloTupleIndex{int64_t(Index)});
    Element.Location = I.Location;
    FlatValue &Part = Value.Elements.emplace_back();
    Part.Array = &Result.Body->add(std::move(Element), {Value.Array});
  }
  return Value;
}

/// \p Value, which \p I passes on, in the layouts of \p Shape, the written
/// shape of \p I. Layouts matter to bitcasts and to readers of the result.
FlatValue Flattener::withLayoutOf(const HloInstruction &I, FlatValue Value,
                                  const HloShape &Shape) {
  for (size_t K = 0; K < Value.Elements.size(); ++K)
    Value.Elements[K] =
        withLayoutOf(I, std::move(Value.Elements[K]), Shape.elements()[K]);
  if (Shape.isTuple() || Value.Array->shape() == Shape)
    return Value;
  HloInstruction Copy(I.name().str(), HloOpcode::Copy, Shape);
  Copy.Location = I.Location;
  return {&Result.Body->add(std::move(Copy), {Value.Array}), {}};
}

void Flattener::keepInMemory(const FlatValue &Value,
                             std::optional<unsigned> Fusion) {
  for (const FlatValue &Element : Value.Elements)
    keepInMemory(Element, Fusion);
  if (!Value.Elements.empty())
    return; // the tuple itself is not in memory
  if (Value.Array && Value.Array->opcode() != HloOpcode::Parameter &&
      Value.Array->opcode() != HloOpcode::Constant &&
      Result.InMemory.insert(Value.Array) && Fusion)
    Result.FusionOf[Value.Array] = *Fusion;
}

Expected<FlatValue> Flattener::flatten(const HloComputation &C,
                                       ArrayRef<FlatValue> Arguments,
                                       bool IsEntry) {
  DenseMap<const HloInstruction *, FlatValue> Values;
  for (const HloInstruction &I : C.instructions()) {
    if (Result.Body->instructions().size() >= MaxFlatInstructions)
      return Module.error(I, "more than " + Twine(MaxFlatInstructions) +
                                 " instructions after all calls are inlined; "
                                 "use fewer calls");
    std::vector<FlatValue> Operands;
    for (const HloInstruction *Operand : I.operands())
      Operands.push_back(Values[Operand]);
    FlatValue Value;
    switch (I.opcode()) {
    case HloOpcode::Parameter:
      if (IsEntry) {
        std::vector<int64_t> Index;
        int64_t First = ArraysBefore[I.attributes<HloParameter>().Number];
        Value = parameters(I, I.shape(), Index, First);
      } else {
        Value = withLayoutOf(I, Arguments[I.attributes<HloParameter>().Number],
                             I.shape());
      }
      break;
    case HloOpcode::Tuple:
      Value.Elements = std::move(Operands);
      Value = withLayoutOf(I, std::move(Value), I.shape());
      break;
    case HloOpcode::GetTupleElement:
      Value = withLayoutOf(
          I, Operands[0].Elements[I.attributes<HloTupleIndex>().Index],
          I.shape());
      break;
    case HloOpcode::Call:
    case HloOpcode::Fusion: {
      Expected<FlatValue> Called =
          flatten(*I.callee(), Operands, /*IsEntry=*/false);
      if (!Called)
        return Called.takeError();
      Value = withLayoutOf(I, std::move(*Called), I.shape());
      if (IsEntry && I.opcode() == HloOpcode::Fusion)
        keepInMemory(Value, I.index());
      break;
    }
    default:
      Value = copy(I, Operands);
      if (I.opcode() == HloOpcode::Scatter ||
          (IsEntry && classOf(I.opcode()) == HloOpClass::Contraction))
        keepInMemory(Value);
    }
    Values[&I] = std::move(Value);
  }
  return std::move(Values[&C.root()]);
}

Expected<FlatComputation> Flattener::run(const HloComputation &C) {
  ArraysBefore = arraysBeforeParameters(C);
  Expected<FlatValue> Root = flatten(C, {}, /*IsEntry=*/true);
  if (!Root)
    return Root.takeError();
  addOutputs(*Root);
  const HloInstruction *Culprit = nullptr;
  if (Error E = Result.Body->finish(Culprit))
    return E;
  return std::move(Result);
}

Expected<FlatComputation> flatten(const HloModule &Module,
                                  const HloComputation &C) {
  return Flattener(Module).run(C);
}

} // namespace unravel
