//===- HloIndexing.cpp - Which elements operations read -------------------===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A computation is gone through once, users before operands. When an
// instruction is reached, the maps from the root to it are complete, and each
// of them is composed with each map of the instruction to its operands. Equal
// maps are kept once, so a chain of diamonds, in which the number of paths
// doubles at each step, takes as many compositions as it has steps.
//
//===----------------------------------------------------------------------===//

#include "frontend/indexing/HloIndexing.h"
#include "frontend/indexing/HloIndexingOps.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace unravel {

//===----------------------------------------------------------------------===//
// Values
//===----------------------------------------------------------------------===//

static bool isCall(const HloInstruction &I) {
  return I.opcode() == HloOpcode::Fusion || I.opcode() == HloOpcode::Call;
}

//===----------------------------------------------------------------------===//
// Operations
//===----------------------------------------------------------------------===//

/// The identity on array number \p Element of \p Value.
static OperandIndexing identityOn(const HloShape &Value, size_t Element,
                                  IndexContext &Context) {
  OperandIndexing Indexing = identityIndexing(Context, arrayAt(Value, Element));
  Indexing.Maps[0].Element = Element;
  return Indexing;
}

/// Why an operation has no maps; empty if it has.
static StringRef whyNoMaps(const HloInstruction &I) {
  switch (classOf(I.opcode())) {
  case HloOpClass::Order:
    return "it is sorted: values decide which element is where";
  case HloOpClass::Host:
    return "it is an operand of a loop, a branch or a call between kernels";
  default:
    return I.opcode() == HloOpcode::SelectAndScatter
               ? "values decide which element of a window is chosen"
               : "";
  }
}

std::vector<OperandIndexing> operationOutputToInput(const HloInstruction &I,
                                                    size_t Element,
                                                    IndexContext &Context) {
  if (StringRef Why = whyNoMaps(I); !Why.empty())
    return std::vector<OperandIndexing>(I.operands().size(),
                                        OperandIndexing::unknown(Why));
  switch (I.opcode()) {
  case HloOpcode::Tuple: {
    std::vector<OperandIndexing> Result(I.operands().size());
    for (auto [Operand, Indexing] : zip_equal(I.operands(), Result)) {
      size_t Count = arraysIn(Operand->shape());
      if (Element < Count) {
        Indexing = identityOn(Operand->shape(), Element, Context);
        break;
      }
      Element -= Count;
    }
    return Result;
  }
  case HloOpcode::OptimizationBarrier:
    return {identityOn(I.shape(), Element, Context)};
  case HloOpcode::GetTupleElement: {
    const HloShape &Whole = I.operand(0).shape();
    size_t Before = arrayNumber(Whole, I.attributes<HloTupleIndex>().Index);
    return {identityOn(Whole, Before + Element, Context)};
  }
  default:
    break;
  }
  // The verifier lets no other operation have them.
  assert(none_of(I.operands(), [](const HloInstruction *Operand) {
    return Operand->shape().isTuple();
  }));
  switch (classOf(I.opcode())) {
  case HloOpClass::Source:
    return {};
  case HloOpClass::IndexTransform:
    return shapeOutputToInput(I, Context);
  case HloOpClass::DynamicIndex:
    return dynamicOutputToInput(I, Context);
  case HloOpClass::Contraction:
    return contractionOutputToInput(I, Context);
  default: // elementwise, bitcast-convert
    return elementwiseOutputToInput(I, Context);
  }
}

OperandIndexing operationInputToOutput(const HloInstruction &I, size_t Operand,
                                       IndexContext &Context) {
  if (StringRef Why = whyNoMaps(I); !Why.empty())
    return OperandIndexing::unknown(Why);
  switch (classOf(I.opcode())) {
  case HloOpClass::IndexTransform:
    return shapeInputToOutput(I, Operand, Context);
  case HloOpClass::DynamicIndex:
    return dynamicInputToOutput(I, Operand, Context);
  case HloOpClass::Contraction:
    return contractionInputToOutput(I, Operand, Context);
  default:
    return elementwiseInputToOutput(I, Operand, Context);
  }
}

//===----------------------------------------------------------------------===//
// Composition along paths
//===----------------------------------------------------------------------===//

static bool isIdentity(const OperandMap &M) {
  for (auto [I, Result] : enumerate(M.Map.results()))
    if (Result !=
        IndexingMap::exprOf(M.Map.context(), VariableKind::Dimension, I))
      return false;
  return M.Map.results().size() == M.Map.dimensions().size() &&
         M.Map.ranges().empty() && M.Runtimes.empty() &&
         M.Map.constraints().empty();
}

/// Adds \p Map, which is simplified, unless it is there or has no points.
static void addTo(OperandIndexing &To, OperandMap Map) {
  if (!To.isKnown() || Map.Map.isKnownEmpty())
    return;
  if (auto Same = find(To.Maps, Map); Same != To.Maps.end()) {
    // An element that is wanted twice is read once.
    bool IsKnown = Same->Repeats && Map.Repeats;
    Same->Repeats = IsKnown ? std::max(Same->Repeats, Map.Repeats) : 0;
    return;
  }
  if (To.Maps.size() == HloIndexingAnalysis::MaxMapsOfInstruction)
    To = OperandIndexing::unknown(
        "it is read through more than " +
        Twine(HloIndexingAnalysis::MaxMapsOfInstruction) + " different maps");
  else
    To.Maps.push_back(std::move(Map));
}

void addMap(OperandIndexing &To, const OperandMap &Map) {
  addTo(To, simplified(Map.Runtimes.empty() ? Map : withFoldedRuntimes(Map)));
}

static OperandIndexing simplified(const OperandIndexing &Indexing) {
  OperandIndexing Result = {{}, Indexing.WhyUnknown};
  for (const OperandMap &Map : Indexing.Maps)
    addMap(Result, Map);
  return Result;
}

/// Whether \p M leaves every index of an array with shape \p Array as it is.
static bool isIdentityOf(const OperandMap &M, const HloShape &Array) {
  if (!isIdentity(M) || M.Map.dimensions().size() != Array.rank())
    return false;
  for (auto [D, Dimension] : enumerate(M.Map.dimensions()))
    if (Dimension.Bounds != Interval(0, Array.dimension(D) - 1))
      return false;
  return true;
}

/// Adds \p Second after \p First, which leads to an array with shape \p Array.
static void addComposed(OperandIndexing &To, const OperandMap &First,
                        const HloShape &Array, const OperandMap &Second) {
  if (!To.isKnown())
    return;
  // Most operations are elementwise.
  if (isIdentityOf(Second, Array)) {
    OperandMap Same = First;
    Same.Element = Second.Element;
    return addTo(To, std::move(Same));
  }
  std::optional<OperandMap> Composed = compose(First, Second, Array);
  if (!Composed)
    To = OperandIndexing::unknown("an index leaves 64 bits, is too large an "
                                  "expression, or takes too many "
                                  "values of run time");
  else
    addMap(To, *Composed);
}

std::vector<OperandIndexing> HloIndexingAnalysis::alongOperands(
    const HloComputation &C, std::vector<OperandIndexing> Reached,
    function_ref<bool(const HloInstruction &)> IsEnd) {
  for (size_t Number = C.instructions().size(); Number-- > 0;) {
    const HloInstruction &I = C.instructions()[Number];
    OperandIndexing &Here = Reached[Number];
    if (IsEnd(I))
      continue;
    if (!Here.isKnown()) {
      for (const HloInstruction *Operand : I.operands())
        Reached[Operand->index()] = OperandIndexing::unknown(Here.WhyUnknown);
      continue;
    }
    DenseMap<size_t, std::vector<OperandIndexing>> OfElement;
    for (const OperandMap &First : Here.Maps) {
      auto [Found, IsNew] = OfElement.try_emplace(First.Element);
      if (IsNew)
        Found->second = outputToInput(I, First.Element);
      for (auto [K, Operand] : enumerate(I.operands())) {
        OperandIndexing &There = Reached[Operand->index()];
        const OperandIndexing &Step = Found->second[K];
        if (!Step.isKnown())
          There = Step;
        for (const OperandMap &Second : Step.Maps)
          addComposed(There, First, arrayAt(I.shape(), First.Element), Second);
      }
    }
  }
  return Reached;
}

const std::vector<OperandIndexing> &
HloIndexingAnalysis::outputToInstructions(const HloComputation &C,
                                          size_t Element) {
  auto Known = Computations.find({&C, Element});
  if (Known != Computations.end())
    return Known->second;
  std::vector<OperandIndexing> Starts(C.instructions().size());
  Starts[C.root().index()] = identityOn(C.root().shape(), Element, Context);
  return Computations[{&C, Element}] =
             alongOperands(C, std::move(Starts),
                           [](const HloInstruction &) { return false; });
}

std::vector<OperandIndexing>
HloIndexingAnalysis::outputToParameters(const HloComputation &C,
                                        size_t Element) {
  const std::vector<OperandIndexing> &All = outputToInstructions(C, Element);
  std::vector<OperandIndexing> Result;
  for (const HloInstruction *Parameter : C.parameters())
    Result.push_back(All[Parameter->index()]);
  return Result;
}

//===----------------------------------------------------------------------===//
// Instructions
//===----------------------------------------------------------------------===//

/// What a map inside of the callee of \p Call is outside of it.
static OperandMap seenFromOutside(OperandMap Map, const HloInstruction &Call) {
  for (RuntimeVariable &R : Map.Runtimes) {
    if (R.Calls.empty() && R.Source->opcode() == HloOpcode::Parameter)
      R.Source = &Call.operand(R.Source->attributes<HloParameter>().Number);
    else
      R.Calls.insert(R.Calls.begin(), &Call);
  }
  return Map;
}

std::vector<OperandIndexing>
HloIndexingAnalysis::throughCallee(const HloInstruction &Call, size_t Element) {
  std::vector<OperandIndexing> Result =
      outputToParameters(*Call.callee(), Element);
  for (OperandIndexing &Indexing : Result)
    for (OperandMap &Map : Indexing.Maps)
      Map = seenFromOutside(std::move(Map), Call);
  return Result;
}

std::vector<OperandIndexing>
HloIndexingAnalysis::outputToInput(const HloInstruction &I, size_t Element) {
  std::vector<OperandIndexing> Result =
      isCall(I) ? throughCallee(I, Element)
                : operationOutputToInput(I, Element, Context);
  for (OperandIndexing &Indexing : Result)
    Indexing = simplified(Indexing);
  return Result;
}

OperandIndexing HloIndexingAnalysis::intoCallee(const HloInstruction &Call,
                                                size_t Operand,
                                                size_t Element) {
  OperandIndexing Result = parameterToRoot(*Call.callee(), Operand, Element);
  for (OperandMap &Map : Result.Maps)
    Map = seenFromOutside(std::move(Map), Call);
  return Result;
}

/// From array number \p Element of operand \p Operand of a tuple, of a
/// get-tuple-element or of a barrier, to where it is in the output.
static OperandIndexing throughTuple(const HloInstruction &I, size_t Operand,
                                    size_t Element, IndexContext &Context) {
  if (I.opcode() == HloOpcode::Tuple)
    return identityOn(
        I.shape(), arrayNumber(I.shape(), int64_t(Operand)) + Element, Context);
  if (I.opcode() == HloOpcode::OptimizationBarrier)
    return identityOn(I.shape(), Element, Context);
  size_t Before =
      arrayNumber(I.operand(0).shape(), I.attributes<HloTupleIndex>().Index);
  if (Element < Before || Element - Before >= arraysIn(I.shape()))
    return OperandIndexing();
  return identityOn(I.shape(), Element - Before, Context);
}

OperandIndexing HloIndexingAnalysis::inputToOutput(const HloInstruction &I,
                                                   size_t Operand,
                                                   size_t Element) {
  if (isCall(I))
    return simplified(intoCallee(I, Operand, Element));
  if (classOf(I.opcode()) == HloOpClass::Structure)
    return throughTuple(I, Operand, Element, Context);
  OperandIndexing Result =
      simplified(operationInputToOutput(I, Operand, Context));
  // All arrays of a variadic operation depend on all of its operands.
  std::vector<OperandMap> Maps = std::move(Result.Maps);
  Result.Maps.clear();
  for (size_t Output = 0; Output < arraysIn(I.shape()); ++Output)
    for (OperandMap &Map : Maps) {
      Map.Element = Output;
      Result.Maps.push_back(Map);
    }
  return Result;
}

OperandIndexing HloIndexingAnalysis::parameterToRoot(const HloComputation &C,
                                                     size_t Number,
                                                     size_t Element) {
  // Operands come before their users.
  std::vector<OperandIndexing> Reached(C.instructions().size());
  const HloInstruction &Parameter = C.parameter(Number);
  Reached[Parameter.index()] = identityOn(Parameter.shape(), Element, Context);
  for (const HloInstruction &I : C.instructions()) {
    OperandIndexing &Here = Reached[I.index()];
    for (auto [K, Operand] : enumerate(I.operands())) {
      const OperandIndexing &Before = Reached[Operand->index()];
      if (!Before.isKnown())
        Here = Before;
      for (const OperandMap &First : Before.Maps) {
        OperandIndexing Step = inputToOutput(I, K, First.Element);
        if (!Step.isKnown())
          Here = Step;
        for (const OperandMap &Second : Step.Maps)
          addComposed(Here, First, arrayAt(Operand->shape(), First.Element),
                      Second);
      }
    }
  }
  return Reached[C.root().index()];
}

} // namespace unravel
