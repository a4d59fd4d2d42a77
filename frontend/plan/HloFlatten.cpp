//===- HloFlatten.cpp - One computation without calls and tuples ----------===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "frontend/plan/HloFlatten.h"
#include "frontend/hlo/HloEffects.h"
#include "frontend/hlo/HloLiteral.h"
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

  Expected<FlatComputation> run(const HloComputation &C,
                                const HloBoundary &Boundary);

private:
  /// What a computation is part of. What the entry calls is as if it stood
  /// there.
  enum class Level { Entry, Called, Fused };

  /// The recursion is as deep as computations call each other.
  Expected<FlatValue> flatten(const HloComputation &C,
                              ArrayRef<FlatValue> Arguments, Level At,
                              bool IsReadAgain);
  FlatValue parameters(const HloInstruction &I, const HloShape &Shape,
                       std::vector<int64_t> &Index, int64_t &Number);
  void addOutputs(const FlatValue &Value);
  FlatValue constant(const HloInstruction &I, const HloLiteral &Literal);
  FlatValue copy(const HloInstruction &I, ArrayRef<FlatValue> Operands);
  FlatValue withLayoutOf(const HloInstruction &I, FlatValue Value,
                         const HloShape &Shape);
  void keepInMemory(const FlatValue &Value,
                    std::optional<unsigned> Fusion = std::nullopt);

  // Operations that yield all their arrays at once, into memory.
  std::vector<const HloInstruction *>
  addOperation(const HloInstruction &I, ArrayRef<const HloInstruction *> Arrays,
               const std::vector<HloShape> &Results);
  const HloInstruction &iotaAlong(const HloInstruction &I,
                                  const HloShape &Shape, int64_t Dimension,
                                  ElementType Type);
  FlatValue sort(const HloInstruction &I, ArrayRef<FlatValue> Operands);
  FlatValue topK(const HloInstruction &I, const HloInstruction &Operand);
  const HloInstruction *inMemory(const HloInstruction *Array);
  Expected<FlatValue> host(const HloInstruction &I,
                           ArrayRef<FlatValue> Operands);

  const HloModule &Module;
  FlatComputation Result;
  /// For each parameter of the entry, its shape outside and the number of
  /// arrays before it.
  ArrayRef<HloShape> ParametersOutside;
  std::vector<size_t> ArraysBefore;
  unsigned FusionCount = 0;
  HloEffects Effects;
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

static HloInstruction madeFrom(const HloInstruction &I, HloOpcode Opcode,
                               HloShape Shape, HloAttributes Attributes) {
  HloInstruction New(I.name().str(), Opcode, std::move(Shape));
  New.setAttributes(std::move(Attributes));
  New.Location = I.Location;
  return New;
}

/// A constant for each array of \p Literal; the recursion is as deep as its
/// shape.
FlatValue Flattener::constant(const HloInstruction &I,
                              const HloLiteral &Literal) {
  FlatValue Value;
  if (Literal.shape().isTuple()) {
    for (const HloLiteral &Element : Literal.elements())
      Value.Elements.push_back(constant(I, Element));
    return Value;
  }
  Value.Array = &Result.Body->add(
      madeFrom(I, HloOpcode::Constant, Literal.shape(),
               HloConstant{std::make_shared<const HloLiteral>(Literal)}));
  return Value;
}

FlatValue Flattener::copy(const HloInstruction &I,
                          ArrayRef<FlatValue> Operands) {
  HloInstruction Copy(I.name().str(), I.opcode(), I.shape());
  Copy.setAttributes(I.attributes());
  Copy.setCallees(I.callees());
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
  return {
      &Result.Body->add(madeFrom(I, HloOpcode::Copy, Shape, std::monostate()),
                        {Value.Array}),
      {}};
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

//===----------------------------------------------------------------------===//
// Several arrays at once
//===----------------------------------------------------------------------===//

bool yieldsToMemory(const HloInstruction &I) {
  return I.opcode() == HloOpcode::Scatter || I.opcode() == HloOpcode::Sort ||
         classOf(I.opcode()) == HloOpClass::Host;
}

/// The opcode, attributes and callees of \p I, for \p Arrays. Returns its
/// results, which are in memory.
std::vector<const HloInstruction *>
Flattener::addOperation(const HloInstruction &I,
                        ArrayRef<const HloInstruction *> Arrays,
                        const std::vector<HloShape> &Results) {
  // Not nested, so not too deep.
  HloInstruction New = madeFrom(
      I, I.opcode(), cantFail(HloShape::tuple(Results)), I.attributes());
  New.setCallees(I.callees());
  New.TextAttributes = I.TextAttributes;
  const HloInstruction &Whole = Result.Body->add(std::move(New), Arrays);
  if (classOf(I.opcode()) == HloOpClass::Host && Effects.has(I))
    Result.WithEffects.insert(&Whole);
  std::vector<const HloInstruction *> Parts;
  for (auto [Index, Shape] : enumerate(Results)) {
    HloInstruction Part((I.name() + "." + Twine(Index)).str(),
                        HloOpcode::GetTupleElement, Shape);
    Part.setAttributes(HloTupleIndex{int64_t(Index)});
    Part.Location = I.Location;
    Parts.push_back(&Result.Body->add(std::move(Part), {&Whole}));
    Result.InMemory.insert(Parts.back());
  }
  return Parts;
}

/// The index along \p Dimension of each element of an array like \p Shape.
const HloInstruction &Flattener::iotaAlong(const HloInstruction &I,
                                           const HloShape &Shape,
                                           int64_t Dimension,
                                           ElementType Type) {
  // Of sortable arrays.
  HloShape Numbers = cantFail(Shape.withElementType(Type));
  return Result.Body->add(
      madeFrom(I, HloOpcode::Iota, std::move(Numbers), HloIota{Dimension}));
}

/// The numbers of the elements have to fit an array.
static Error checkSortable(const HloModule &Module, const HloInstruction &I) {
  Expected<HloShape> Numbers =
      I.operand(0).shape().withElementType(ElementType::S64);
  if (Numbers)
    return Error::success();
  return Module.error(I, "the numbers of its elements are no array: " +
                             toString(Numbers.takeError()));
}

FlatValue Flattener::sort(const HloInstruction &I,
                          ArrayRef<FlatValue> Operands) {
  std::vector<const HloInstruction *> Arrays;
  std::vector<HloShape> Shapes;
  for (auto [K, Operand] : enumerate(Operands)) {
    Arrays.push_back(Operand.Array);
    Shapes.push_back(I.shape().isTuple() ? I.shape().elements()[K] : I.shape());
  }
  int64_t Dimension = I.attributes<HloSort>().Dimensions.front();
  bool IsLong = Shapes[0].dimension(Dimension) > INT32_MAX;
  Arrays.push_back(&iotaAlong(I, Shapes[0], Dimension,
                              IsLong ? ElementType::S64 : ElementType::S32));
  Shapes.push_back(Arrays.back()->shape());
  FlatValue Value;
  for (const HloInstruction *Part : addOperation(I, Arrays, Shapes))
    Value.Elements.push_back({Part, {}});
  Value.Elements.pop_back();
  return I.shape().isTuple() ? Value : FlatValue(Value.Elements.front());
}

FlatValue Flattener::topK(const HloInstruction &I,
                          const HloInstruction &Operand) {
  const auto &TopK = I.attributes<HloTopK>();
  const HloShape &Shape = Operand.shape();
  HloComputation &Before = *Result.Functions.emplace_back(
      std::make_unique<HloComputation>((I.name() + "_order").str()));
  SmallVector<const HloInstruction *, 2> Compared;
  for (int64_t Number : {0, 1})
    Compared.push_back(&Before.add(
        madeFrom(I, HloOpcode::Parameter, HloShape::scalar(Shape.elementType()),
                 HloParameter{Number})));
  HloCompare Order{TopK.Largest ? HloDirection::GT : HloDirection::LT, {}};
  if (isFloat(Shape.elementType()))
    Order.Type = HloCompareType::TotalOrder;
  Before.add(madeFrom(I, HloOpcode::Compare,
                      HloShape::scalar(ElementType::Pred), std::move(Order)),
             Compared);
  const HloInstruction *Culprit = nullptr;
  cantFail(Before.finish(Culprit));

  int64_t Dimension = Shape.rank() - 1;
  HloInstruction Sort =
      madeFrom(I, HloOpcode::Sort, HloShape(), HloSort{{Dimension}, true});
  Sort.setCallees({&Before});
  const HloInstruction &Indices =
      iotaAlong(I, Shape, Dimension, ElementType::S32);
  FlatValue Value;
  for (auto [Sorted, Wanted] : zip_equal(
           addOperation(Sort, {&Operand, &Indices}, {Shape, Indices.shape()}),
           I.shape().elements())) {
    HloSlice Front;
    for (int64_t Size : Wanted.dimensions())
      Front.Dimensions.push_back({0, Size, 1});
    FlatValue &Part = Value.Elements.emplace_back();
    Part.Array = &Result.Body->add(
        madeFrom(I, HloOpcode::Slice, Wanted, std::move(Front)), {Sorted});
  }
  return Value;
}

static void addArrays(const FlatValue &Value,
                      std::vector<const HloInstruction *> &Arrays) {
  for (const FlatValue &Element : Value.Elements)
    addArrays(Element, Arrays);
  if (Value.Elements.empty() && Value.Array)
    Arrays.push_back(Value.Array);
}

/// The value of \p Shape whose arrays are those from \p Next on.
static FlatValue valueOf(const HloShape &Shape,
                         ArrayRef<const HloInstruction *>::iterator &Next) {
  if (Shape.isArray())
    return {*Next++, {}};
  FlatValue Value;
  for (const HloShape &Element : Shape.elements())
    Value.Elements.push_back(valueOf(Element, Next));
  return Value;
}

/// \p Array, or a copy of it if it is a constant.
const HloInstruction *Flattener::inMemory(const HloInstruction *Array) {
  if (Array->opcode() == HloOpcode::Constant)
    Array = &Result.Body->add(
        madeFrom(*Array, HloOpcode::Copy, Array->shape(), std::monostate()),
        {Array});
  if (Array->opcode() != HloOpcode::Parameter)
    Result.InMemory.insert(Array);
  return Array;
}

HloBoundary boundaryOf(const HloComputation &C) {
  HloBoundary Boundary;
  for (const HloInstruction *Parameter : C.parameters())
    Boundary.Parameters.push_back(Parameter->shape());
  Boundary.Result = C.root().shape();
  return Boundary;
}

HloBoundary boundaryOf(const HloInstruction &I, size_t Number) {
  ArrayRef<const HloComputation *> Callees = I.callees();
  if (I.opcode() != HloOpcode::While)
    return {boundaryOf(*Callees[Number]).Parameters,
            Callees.back()->root().shape()};
  const HloShape &State = Callees[1]->parameter(0).shape();
  return {{State}, Number == 0 ? Callees[0]->root().shape() : State};
}

/// The layouts with which \p I passes its operands on, an operand of a
/// conditional to a branch, and the layout of its result.
static std::pair<std::vector<HloShape>, HloShape>
layoutsOf(const HloInstruction &I) {
  std::vector<HloShape> Operands;
  for (auto [K, Operand] : enumerate(I.operands()))
    if (I.opcode() == HloOpcode::While)
      Operands.push_back(boundaryOf(I, 1).Parameters.front());
    else if (I.opcode() == HloOpcode::Conditional && K > 0)
      Operands.push_back(boundaryOf(I, K - 1).Parameters.front());
    else
      Operands.push_back(Operand->shape());
  if (I.opcode() == HloOpcode::CustomCall)
    return {std::move(Operands), I.shape()};
  return {std::move(Operands), boundaryOf(I, I.callees().size() - 1).Result};
}

Expected<FlatValue> Flattener::host(const HloInstruction &I,
                                    ArrayRef<FlatValue> Operands) {
  auto [Inputs, Output] = layoutsOf(I);
  std::vector<const HloInstruction *> Arrays;
  for (auto [Operand, Layout] : zip_equal(Operands, Inputs))
    addArrays(withLayoutOf(I, Operand, Layout), Arrays);
  for (const HloInstruction *&Array : Arrays)
    Array = inMemory(Array);
  std::vector<HloShape> Results;
  forEachArray(Output, [&](ArrayRef<int64_t>, const HloShape &Array) {
    Results.push_back(Array);
  });
  std::vector<const HloInstruction *> Parts = addOperation(I, Arrays, Results);
  auto Next = ArrayRef<const HloInstruction *>(Parts).begin();
  return withLayoutOf(I, valueOf(Output, Next), I.shape());
}

//===----------------------------------------------------------------------===//
// Computations
//===----------------------------------------------------------------------===//

/// Whether several elements of \p I may need one element of its operands.
static bool readsAgain(const HloInstruction &I) {
  switch (I.opcode()) {
  case HloOpcode::Broadcast:
    return I.shape().elementCount() > I.operand(0).shape().elementCount();
  case HloOpcode::Convolution:
  case HloOpcode::Dot:
  case HloOpcode::Gather:
  case HloOpcode::ReduceWindow:
  case HloOpcode::SelectAndScatter:
    return true;
  default:
    return false;
  }
}

/// For each instruction of \p C, whether its elements are read again and again
/// on the way to the root, or \p IsRoot for the root.
static std::vector<bool> readAgain(const HloComputation &C, bool IsRoot) {
  std::vector<bool> IsReadAgain(C.instructions().size());
  IsReadAgain[C.root().index()] = IsRoot;
  for (const HloInstruction &I : reverse(C.instructions()))
    if (IsReadAgain[I.index()] || readsAgain(I))
      for (const HloInstruction *Operand : I.operands())
        IsReadAgain[Operand->index()] = true;
  return IsReadAgain;
}

Expected<FlatValue> Flattener::flatten(const HloComputation &C,
                                       ArrayRef<FlatValue> Arguments, Level At,
                                       bool IsReadAgain) {
  std::vector<bool> ReadAgain = readAgain(C, IsReadAgain);
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
      if (At == Level::Entry) {
        std::vector<int64_t> Index;
        int64_t Number = I.attributes<HloParameter>().Number;
        int64_t First = ArraysBefore[Number];
        Value = withLayoutOf(
            I, parameters(I, ParametersOutside[Number], Index, First),
            I.shape());
      } else {
        Value = withLayoutOf(I, Arguments[I.attributes<HloParameter>().Number],
                             I.shape());
      }
      break;
    case HloOpcode::Tuple:
      Value.Elements = std::move(Operands);
      Value = withLayoutOf(I, std::move(Value), I.shape());
      break;
    case HloOpcode::OptimizationBarrier:
      Value = withLayoutOf(I, std::move(Operands[0]), I.shape());
      break;
    case HloOpcode::Constant:
      Value = I.shape().isArray()
                  ? copy(I, Operands)
                  : constant(I, *I.attributes<HloConstant>().Literal);
      break;
    case HloOpcode::GetTupleElement:
      Value = withLayoutOf(
          I, Operands[0].Elements[I.attributes<HloTupleIndex>().Index],
          I.shape());
      break;
    case HloOpcode::Call:
    case HloOpcode::Fusion: {
      bool IsFused = At == Level::Fused || I.opcode() == HloOpcode::Fusion;
      Expected<FlatValue> Called =
          flatten(*I.callee(), Operands, IsFused ? Level::Fused : Level::Called,
                  ReadAgain[I.index()]);
      if (!Called)
        return Called.takeError();
      Value = withLayoutOf(I, std::move(*Called), I.shape());
      if (At != Level::Fused && IsFused)
        keepInMemory(Value, FusionCount++);
      break;
    }
    case HloOpcode::Sort:
    case HloOpcode::TopK:
      if (Error E = checkSortable(Module, I))
        return E;
      Value = I.opcode() == HloOpcode::Sort ? sort(I, Operands)
                                            : topK(I, *Operands[0].Array);
      break;
    case HloOpcode::Conditional:
    case HloOpcode::CustomCall:
    case HloOpcode::While: {
      Expected<FlatValue> Found = host(I, Operands);
      if (!Found)
        return Found.takeError();
      Value = std::move(*Found);
      break;
    }
    default:
      Value = copy(I, Operands);
      if (I.opcode() == HloOpcode::Scatter ||
          (classOf(I.opcode()) == HloOpClass::Contraction &&
           (At != Level::Fused || ReadAgain[I.index()])))
        keepInMemory(Value);
    }
    Values[&I] = std::move(Value);
  }
  return std::move(Values[&C.root()]);
}

Expected<FlatComputation> Flattener::run(const HloComputation &C,
                                         const HloBoundary &Boundary) {
  ParametersOutside = Boundary.Parameters;
  ArraysBefore = arraysBeforeParameters(C);
  Expected<FlatValue> Root = flatten(C, {}, Level::Entry,
                                     /*IsReadAgain=*/false);
  if (!Root)
    return Root.takeError();
  addOutputs(withLayoutOf(C.root(), std::move(*Root), Boundary.Result));
  const HloInstruction *Culprit = nullptr;
  if (Error E = Result.Body->finish(Culprit))
    return E;
  return std::move(Result);
}

Expected<FlatComputation> flatten(const HloModule &Module,
                                  const HloComputation &C,
                                  const HloBoundary &Boundary) {
  return Flattener(Module).run(C, Boundary);
}

} // namespace unravel
