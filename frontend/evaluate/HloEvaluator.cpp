//===- HloEvaluator.cpp - What a module computes --------------------------===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Walks over the instructions of a computation in order, keeps a literal for
// each as long as it has users to come, and counts what that costs.
//
//===----------------------------------------------------------------------===//

#include "frontend/evaluate/HloEvaluator.h"
#include "frontend/evaluate/HloEvaluatorOps.h"
#include "frontend/hlo/HloEffects.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

using namespace llvm;

namespace unravel {

using Value = std::shared_ptr<const HloLiteral>;

namespace {
class Evaluator {
public:
  Evaluator(const HloModule &Module, const HloEvaluatorLimits &Limits,
            HloLibrary Library, HloObserver Observer)
      : Module(Module), Limits(Limits), Library(Library), Observer(Observer) {}

  /// The recursion is as deep as computations call each other.
  Expected<Value> evaluate(const HloComputation &C, ArrayRef<Value> Arguments);

private:
  Expected<Value> evaluate(const HloInstruction &I, ArrayRef<Value> Arguments,
                           ArrayRef<Value> Operands);
  Expected<HloLiteral> evaluateElementwise(const HloInstruction &I,
                                           HloOperands Operands);
  Value passedOn(const HloInstruction &I, const Value &V);
  Expected<Value> evaluateWhile(const HloInstruction &I, Value State);
  Expected<Value> evaluateConditional(const HloInstruction &I,
                                      ArrayRef<Value> Operands);
  Expected<HloElements> apply(const HloComputation &C,
                              ArrayRef<HloElement> Arguments);
  bool affords(uint64_t Count);
  Error spend(const HloInstruction &I, uint64_t Count);

  const HloModule &Module;
  const HloEvaluatorLimits &Limits;
  HloLibrary Library;
  HloObserver Observer;
  HloEffects Effects;
  uint64_t Bytes = 0, Steps = 0;
};
} // namespace

//===----------------------------------------------------------------------===//
// Costs
//===----------------------------------------------------------------------===//

static uint64_t bytesOf(const HloShape &Shape) {
  if (Shape.isArray())
    return Shape.byteSize();
  uint64_t Sum = 0;
  for (const HloShape &Element : Shape.elements())
    Sum = SaturatingAdd(Sum, bytesOf(Element));
  return Sum;
}

static uint64_t elementsOf(const HloShape &Shape) {
  if (Shape.isArray())
    return Shape.elementCount();
  uint64_t Sum = 1;
  for (const HloShape &Element : Shape.elements())
    Sum = SaturatingAdd(Sum, elementsOf(Element));
  return Sum;
}

static uint64_t product(const HloWindow &Window) {
  uint64_t Product = 1;
  for (const HloWindowDimension &W : Window)
    Product = SaturatingMultiply(Product, uint64_t(W.Size));
  return Product;
}

/// How many elements \p I looks at.
static uint64_t stepsOf(const HloInstruction &I) {
  uint64_t Outputs = elementsOf(I.shape());
  switch (I.opcode()) {
  case HloOpcode::SelectAndScatter: {
    uint64_t Windows = elementsOf(I.operand(1).shape());
    return SaturatingMultiplyAdd(
        Windows, product(I.attributes<HloSelectAndScatter>().Window), Outputs);
  }
  case HloOpcode::Pad:
  case HloOpcode::Reduce:
    return SaturatingAdd(Outputs, elementsOf(I.operand(0).shape()));
  case HloOpcode::Scatter:
    return SaturatingAdd(Outputs, elementsOf(I.operands().back()->shape()));
  case HloOpcode::ReduceWindow:
    return SaturatingMultiply(Outputs,
                              product(I.attributes<HloReduceWindow>().Window));
  case HloOpcode::Convolution: {
    const auto &C = I.attributes<HloConvolution>();
    return SaturatingMultiply(
        SaturatingMultiply(Outputs, product(C.Window)),
        uint64_t(I.operand(1).shape().dimension(C.Kernel.Batch)));
  }
  case HloOpcode::Dot: {
    uint64_t Products = Outputs;
    for (int64_t D : I.attributes<HloDot>().LhsContracting)
      Products = SaturatingMultiply(
          Products, uint64_t(I.operand(0).shape().dimension(D)));
    return Products;
  }
  default:
    return Outputs;
  }
}

static Error tooManySteps(const HloModule &Module, const HloInstruction &I,
                          const HloEvaluatorLimits &Limits,
                          const Twine &Remedy = "use smaller shapes") {
  return Module.error(I, "the reference evaluator would compute more than " +
                             Twine(Limits.MaxSteps) + " elements; " + Remedy);
}

bool Evaluator::affords(uint64_t Count) {
  // One more, as calls of calls of nothing take time as well.
  Steps = SaturatingAdd(Steps, Count, uint64_t(1));
  return Steps <= Limits.MaxSteps;
}

Error Evaluator::spend(const HloInstruction &I, uint64_t Count) {
  return affords(Count) ? Error::success() : tooManySteps(Module, I, Limits);
}

Error checkHloSteps(const HloModule &Module, const HloEvaluatorLimits &Limits) {
  DenseMap<const HloComputation *, uint64_t> StepsOf;
  for (const HloComputation &C : Module.computations()) { // callees first
    uint64_t Sum = 0;
    for (const HloInstruction &I : C.instructions()) {
      if (I.users().empty() && &I != &C.root())
        continue;
      bool IsCall =
          I.opcode() == HloOpcode::Call || I.opcode() == HloOpcode::Fusion;
      Sum = SaturatingAdd(Sum, stepsOf(I),
                          IsCall ? StepsOf.lookup(I.callee()) : uint64_t(0));
      if (Sum > Limits.MaxSteps && &C == &Module.entry())
        return tooManySteps(Module, I, Limits);
    }
    StepsOf[&C] = Sum;
  }
  return Error::success();
}

//===----------------------------------------------------------------------===//
// Computations
//===----------------------------------------------------------------------===//

/// Whether what \p Opcode yields is a value of another computation.
static bool isPassedOn(HloOpcode Opcode) {
  return is_contained({HloOpcode::Call, HloOpcode::Conditional,
                       HloOpcode::Fusion, HloOpcode::Parameter,
                       HloOpcode::While},
                      Opcode);
}

Expected<Value> Evaluator::evaluate(const HloComputation &C,
                                    ArrayRef<Value> Arguments) {
  std::vector<Value> Values(C.instructions().size());
  uint64_t BytesBefore = Bytes;
  for (const HloInstruction &I : C.instructions()) {
    bool IsRoot = &I == &C.root();
    if (I.users().empty() && !IsRoot && !Effects.has(I))
      continue;
    std::vector<Value> Operands;
    for (const HloInstruction *Operand : I.operands())
      Operands.push_back(Values[Operand->index()]);
    if (Error E = spend(I, stepsOf(I)))
      return E;
    Bytes = SaturatingAdd(Bytes, bytesOf(I.shape()));
    if (Bytes > Limits.MaxBytes)
      return Module.error(I, "the reference evaluator would need more than " +
                                 Twine(Limits.MaxBytes) +
                                 " bytes; use smaller shapes");
    Expected<Value> Result = evaluate(I, Arguments, Operands);
    if (!Result)
      return Result;
    if (Observer && !isPassedOn(I.opcode()))
      Observer(I, Operands, *Result);
    Values[I.index()] = std::move(*Result);
    for (const HloInstruction *Operand : I.operands()) {
      // Free what is used for the last time, once.
      Value &V = Values[Operand->index()];
      if (V && Operand->users().back() == &I && Operand != &C.root()) {
        V.reset();
        Bytes -= bytesOf(Operand->shape());
      }
    }
  }
  Bytes = BytesBefore; // the caller counts the result
  return Values[C.root().index()];
}

/// \p V in the layouts of \p I, which computes nothing.
Value Evaluator::passedOn(const HloInstruction &I, const Value &V) {
  Value Result =
      V->shape() == I.shape()
          ? V
          : std::make_shared<const HloLiteral>(V->relaidOut(I.shape()));
  if (Observer)
    Observer(I, V, Result);
  return Result;
}

Expected<Value> Evaluator::evaluate(const HloInstruction &I,
                                    ArrayRef<Value> Arguments,
                                    ArrayRef<Value> Operands) {
  SmallVector<const HloLiteral *, 4> Literals;
  for (const Value &Operand : Operands)
    Literals.push_back(Operand.get());
  auto Callee = [&](ArrayRef<HloElement> Elements) {
    return apply(*I.callee(), Elements);
  };
  auto Share = [](Expected<HloLiteral> Literal) -> Expected<Value> {
    if (!Literal)
      return Literal.takeError();
    return std::make_shared<const HloLiteral>(std::move(*Literal));
  };
  // The same elements may be laid out otherwise here.
  auto RelaidOut = [&](const HloLiteral &Literal) -> Value {
    return std::make_shared<const HloLiteral>(Literal.relaidOut(I.shape()));
  };
  auto Passed = [&](const Value &V) { return passedOn(I, V); };
  switch (I.opcode()) {
  case HloOpcode::Parameter:
    return Passed(Arguments[I.attributes<HloParameter>().Number]);
  case HloOpcode::Constant:
    return I.attributes<HloConstant>().Literal;
  case HloOpcode::Call:
  case HloOpcode::Fusion: {
    Expected<Value> Result = evaluate(*I.callee(), Operands);
    if (!Result)
      return Result;
    return Passed(*Result);
  }
  case HloOpcode::Tuple: {
    std::vector<HloLiteral> Elements;
    for (const HloLiteral *Literal : Literals)
      Elements.push_back(*Literal);
    Expected<HloLiteral> Tuple = HloLiteral::tuple(std::move(Elements));
    if (!Tuple)
      return Tuple.takeError();
    return RelaidOut(*Tuple);
  }
  case HloOpcode::OptimizationBarrier:
    return Passed(Operands[0]);
  case HloOpcode::GetTupleElement:
    return RelaidOut(
        Literals[0]->elements()[I.attributes<HloTupleIndex>().Index]);
  case HloOpcode::Iota:
  case HloOpcode::BitcastConvert:
    return Share(evaluateIndexTransform(I, Literals));
  case HloOpcode::While:
    return evaluateWhile(I, Operands[0]);
  case HloOpcode::Conditional:
    return evaluateConditional(I, Operands);
  case HloOpcode::CustomCall:
    if (!Library)
      return Module.error(I, "what '" + I.attributes<HloCustomCall>().Target +
                                 "' computes is not known here; remove the "
                                 "call, or use --check, which gives it random "
                                 "values");
    return Share(Library(I, Literals));
  case HloOpcode::Sort:
    return Share(evaluateSort(I, Literals, Callee));
  case HloOpcode::TopK:
    return Share(evaluateTopK(I, *Literals[0]));
  case HloOpcode::SelectAndScatter:
    return Share(evaluateSelectAndScatter(
        I, Literals, [&](const HloComputation &C, ArrayRef<HloElement> Args) {
          return apply(C, Args);
        }));
  default:
    break;
  }
  switch (classOf(I.opcode())) {
  case HloOpClass::IndexTransform:
    return Share(evaluateIndexTransform(I, Literals));
  case HloOpClass::DynamicIndex:
    return Share(evaluateDynamicIndex(I, Literals, Callee));
  case HloOpClass::Contraction:
    return Share(evaluateContraction(I, Literals, Callee));
  default:
    return Share(evaluateElementwise(I, Literals));
  }
}

Expected<Value> Evaluator::evaluateWhile(const HloInstruction &I, Value State) {
  const HloComputation &Condition = *I.callees()[0], &Body = *I.callees()[1];
  // An iteration of next to nothing takes as long as so many elements.
  constexpr uint64_t OfIteration = 4096;
  for (uint64_t Iterations = 0;; ++Iterations) {
    if (!affords(OfIteration + elementsOf(I.shape())))
      return tooManySteps(Module, I, Limits,
                          "this loop has not ended after " + Twine(Iterations) +
                              " iterations; if random inputs keep it from "
                              "ending, state others (--inputs=FILE)");
    Expected<Value> Continues = evaluate(Condition, State);
    if (!Continues)
      return Continues;
    if (!(*Continues)->atOffset(0).isTrue())
      return passedOn(I, State);
    Expected<Value> Next = evaluate(Body, State);
    if (!Next)
      return Next;
    State = std::move(*Next);
  }
}

Expected<Value> Evaluator::evaluateConditional(const HloInstruction &I,
                                               ArrayRef<Value> Operands) {
  HloElement Chooser = Operands[0]->atOffset(0);
  size_t Last = I.callees().size() - 1;
  size_t Branch = isPred(Chooser.Type) ? (Chooser.isTrue() ? 0 : 1)
                                       : size_t(Chooser.asInt64());
  Branch = std::min(Branch, Last); // a negative number is a large one here
  Expected<Value> Result = evaluate(*I.callees()[Branch], Operands[Branch + 1]);
  return Result ? passedOn(I, *Result) : std::move(Result);
}

/// Elements with one index are at one place in all arrays, scalars aside.
static bool haveOneLayout(const HloInstruction &I, HloOperands Operands) {
  return all_of(Operands, [&](const HloLiteral *Operand) {
    return Operand->shape().isScalar() ||
           Operand->shape().minorToMajor() == I.shape().minorToMajor();
  });
}

Expected<HloLiteral> Evaluator::evaluateElementwise(const HloInstruction &I,
                                                    HloOperands Operands) {
  HloLiteral Result(I.shape());
  HloElements Elements(Operands.size());
  // Offsets has the place of each operand's element.
  SmallVector<int64_t, 4> Offsets(Operands.size());
  auto Compute = [&](int64_t Offset) -> Error {
    if (I.opcode() == HloOpcode::Copy) { // keeps the bits of a NaN
      Result.copyAtOffset(Offset, *Operands[0], Offsets[0]);
      return Error::success();
    }
    for (auto [Element, Operand, Place] : zip(Elements, Operands, Offsets))
      Element = Operand->atOffset(Place);
    if (I.opcode() != HloOpcode::Map) {
      Result.setAtOffset(Offset, evaluateElement(I, Elements));
      return Error::success();
    }
    Expected<HloElements> Mapped = apply(*I.callee(), Elements);
    if (!Mapped)
      return Mapped.takeError();
    Result.setAtOffset(Offset, Mapped->front());
    return Error::success();
  };
  if (haveOneLayout(I, Operands)) {
    for (int64_t K = 0; K < I.shape().elementCount(); ++K) {
      for (auto [Operand, Place] : zip(Operands, Offsets))
        Place = Operand->shape().isScalar() ? 0 : K;
      if (Error E = Compute(K))
        return E;
    }
    return Result;
  }
  Error Failure = Error::success();
  forEachIndex(I.shape().dimensions(), [&](ArrayRef<int64_t> Index) {
    for (auto [Operand, Place] : zip(Operands, Offsets))
      Place = Operand->shape().isScalar() ? 0 : Operand->offsetOf(Index);
    Error E = Compute(Result.offsetOf(Index));
    bool HasFailed = bool(E);
    Failure = joinErrors(std::move(Failure), std::move(E));
    return !HasFailed;
  });
  if (Failure)
    return Failure;
  return Result;
}

//===----------------------------------------------------------------------===//
// Functions of scalars
//===----------------------------------------------------------------------===//

std::optional<HloElements> applyToScalars(const HloComputation &C,
                                          ArrayRef<HloElement> Arguments) {
  constexpr size_t MaxInstructions = 64;
  if (C.instructions().size() > MaxInstructions)
    return std::nullopt;
  SmallVector<HloElement, 8> Values;
  HloElements Operands;
  for (const HloInstruction &I : C.instructions()) {
    Operands.clear();
    for (const HloInstruction *Operand : I.operands())
      Operands.push_back(Values[Operand->index()]);
    if (I.opcode() == HloOpcode::Tuple && &I == &C.root() &&
        I.index() + 1 == C.instructions().size())
      return Operands;
    if (!I.shape().isScalar())
      return std::nullopt;
    if (I.opcode() == HloOpcode::Parameter)
      Values.push_back(Arguments[I.attributes<HloParameter>().Number]);
    else if (I.opcode() == HloOpcode::Constant)
      Values.push_back(I.attributes<HloConstant>().Literal->atOffset(0));
    else if (isElementwise(I.opcode()) && I.opcode() != HloOpcode::Map)
      Values.push_back(evaluateElement(I, Operands));
    else
      return std::nullopt;
  }
  if (C.root().shape().isTuple())
    return std::nullopt;
  return HloElements{Values[C.root().index()]};
}

Expected<HloElements> Evaluator::apply(const HloComputation &C,
                                       ArrayRef<HloElement> Arguments) {
  if (Error E = spend(C.root(), C.instructions().size()))
    return E;
  if (std::optional<HloElements> Results = applyToScalars(C, Arguments))
    return *Results;
  std::vector<Value> Literals;
  for (const HloElement &Argument : Arguments)
    Literals.push_back(
        std::make_shared<const HloLiteral>(HloLiteral::scalar(Argument)));
  Expected<Value> Result = evaluate(C, Literals);
  if (!Result)
    return Result.takeError();
  HloElements Elements;
  if ((*Result)->shape().isArray())
    Elements.push_back((*Result)->atOffset(0));
  for (const HloLiteral &Element : (*Result)->elements())
    Elements.push_back(Element.atOffset(0));
  return Elements;
}

//===----------------------------------------------------------------------===//
// Modules
//===----------------------------------------------------------------------===//

Expected<HloLiteral> evaluateHlo(const HloModule &Module,
                                 ArrayRef<HloLiteral> Arguments,
                                 const HloEvaluatorLimits &Limits,
                                 HloLibrary Library, HloObserver Observer) {
  const HloComputation &Entry = Module.entry();
  if (Arguments.size() != Entry.parameters().size())
    return createStringError(
        "'" + Entry.name() + "' has " + Twine(Entry.parameters().size()) +
        " parameters, but gets " + Twine(Arguments.size()) + " arguments");
  std::vector<Value> Values;
  for (size_t K = 0; K < Arguments.size(); ++K) {
    const HloInstruction &Parameter = Entry.parameter(K);
    if (!Arguments[K].shape().isCompatible(Parameter.shape()))
      return createStringError(
          "parameter " + Twine(K) + " ('" + Parameter.name() + "') is " +
          Parameter.shape().str(false) + ", but the argument is " +
          Arguments[K].shape().str(false));
    Values.push_back(std::make_shared<const HloLiteral>(Arguments[K]));
  }
  Expected<Value> Result =
      Evaluator(Module, Limits, Library, Observer).evaluate(Entry, Values);
  if (!Result)
    return Result.takeError();
  return **Result;
}

} // namespace unravel
