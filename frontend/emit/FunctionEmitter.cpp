//===- FunctionEmitter.cpp - Code for an element of an instruction --------===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "frontend/emit/FunctionEmitter.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/ConstantRange.h"

using namespace llvm;

namespace unravel {

//===----------------------------------------------------------------------===//
// Functions
//===----------------------------------------------------------------------===//

static SmallVector<const HloShape *, 2> arraysOf(const HloShape &Shape) {
  if (Shape.isArray())
    return {&Shape};
  SmallVector<const HloShape *, 2> Arrays;
  for (const HloShape &Element : Shape.elements())
    Arrays.push_back(&Element);
  return Arrays;
}

Function *FunctionEmitter::emitFunction(EmitterContext &Context,
                                        const HloInstruction &I) {
  LLVMContext &C = Context.M.getContext();
  SmallVector<const HloShape *, 2> Results = arraysOf(I.shape());
  SmallVector<Type *, 2> ResultTypes;
  for (const HloShape *Result : Results)
    ResultTypes.push_back(Context.Elements.valueType(Result->elementType()));
  const HloPartition::Buffers &Loaded = Context.Partition.buffersOf(I);
  SmallVector<Type *, 8> Parameters(Loaded.size(), PointerType::get(C, 1));
  Parameters.append(Results[0]->rank(), Context.Indices.type());
  Type *ResultType = ResultTypes.size() == 1 ? ResultTypes[0]
                                             : StructType::get(C, ResultTypes);
  auto *F = Function::Create(FunctionType::get(ResultType, Parameters, false),
                             GlobalValue::InternalLinkage, I.name(), Context.M);
  F->addFnAttr(Attribute::NoUnwind);

  IRBuilder<> B(BasicBlock::Create(C, "entry", F));
  FunctionEmitter Emitter(Context, B);
  ElementPlace Place;
  for (Argument &A : F->args()) {
    A.addAttr(Attribute::NoUndef);
    size_t Number = A.getArgNo();
    if (Number < Loaded.size()) {
      A.setName(Loaded[Number]->name());
      Emitter.setBuffer(*Loaded[Number], &A);
      continue;
    }
    size_t Dimension = Number - Loaded.size();
    A.setName("i" + Twine(Dimension));
    unsigned Bits = Context.Indices.type()->getBitWidth();
    A.addAttr(Attribute::get(
        C, Attribute::Range,
        ConstantRange(APInt(Bits, 0),
                      APInt(Bits, std::max<int64_t>(
                                      1, Results[0]->dimension(Dimension))))));
    Place.Index.push_back(&A);
  }
  ElementValues Values = Emitter.compute(I, Place);
  if (Values.size() == 1) {
    B.CreateRet(Values[0]);
  } else {
    Value *Tuple = PoisonValue::get(ResultType);
    for (auto [K, V] : enumerate(Values))
      Tuple = B.CreateInsertValue(Tuple, V, K);
    B.CreateRet(Tuple);
  }
  Context.Functions[&I] = F;
  return F;
}

ElementValues FunctionEmitter::call(const HloInstruction &I,
                                    const ElementPlace &Place) {
  SmallVector<Value *, 8> Arguments;
  for (const HloInstruction *Buffer : Context.Partition.buffersOf(I))
    Arguments.push_back(Buffers.lookup(Buffer));
  Arguments.append(Place.Index.begin(), Place.Index.end());
  Value *Result = B.CreateCall(Context.Functions.lookup(&I), Arguments);
  if (I.shape().isArray())
    return {Result};
  ElementValues Values;
  for (unsigned K = 0; K < I.shape().elements().size(); ++K)
    Values.push_back(B.CreateExtractValue(Result, K));
  return Values;
}

//===----------------------------------------------------------------------===//
// Elements
//===----------------------------------------------------------------------===//

ElementValues FunctionEmitter::elements(const HloInstruction &I,
                                        ElementPlace &Place) {
  if (auto Known = Given.find(&I); Known != Given.end())
    return Known->second;
  if (auto Known = Place.Memo.find(&I); Known != Place.Memo.end())
    return Known->second;
  ElementValues Values =
      Context.Partition.isFunction(I) ? call(I, Place) : compute(I, Place);
  Place.Memo[&I] = Values;
  return Values;
}

ElementValues FunctionEmitter::compute(const HloInstruction &I,
                                       ElementPlace &Place) {
  if (Buffers.contains(&I))
    return {load(I, Place)};
  if (isElementwise(I.opcode()))
    return elementwise(I, Place);
  switch (I.opcode()) {
  case HloOpcode::Constant:
    return {constant(I, Place)};
  case HloOpcode::Iota:
    return {iota(I, Place)};
  case HloOpcode::GetTupleElement:
    return {elements(I.operand(0), Place)[I.attributes<HloTupleIndex>().Index]};
  case HloOpcode::Bitcast:
    return {bitcast(I, Place)};
  case HloOpcode::BitcastConvert:
    return {bitcastConvert(I, Place)};
  case HloOpcode::Broadcast:
  case HloOpcode::Reshape:
  case HloOpcode::Reverse:
  case HloOpcode::Slice:
  case HloOpcode::Transpose: {
    ElementPlace Operand(Indices.throughTransform(B, I, Place.Index));
    return {element(I.operand(0), Operand)};
  }
  case HloOpcode::Concatenate:
    return {concatenate(I, Place)};
  case HloOpcode::Pad:
    return {pad(I, Place)};
  case HloOpcode::DynamicSlice:
    return {dynamicSlice(I, Place)};
  case HloOpcode::DynamicUpdateSlice:
    return {dynamicUpdateSlice(I, Place)};
  case HloOpcode::Gather:
    return {gather(I, Place)};
  case HloOpcode::Reduce:
    return reduce(I, Place);
  case HloOpcode::ReduceWindow:
    return reduceWindow(I, Place);
  case HloOpcode::SelectAndScatter:
    return selectAndScatter(I, Place);
  case HloOpcode::Dot:
    return {dot(I, Place)};
  case HloOpcode::Convolution:
    return {convolution(I, Place)};
  default:
    llvm_unreachable("flattening and kernels have removed the others");
  }
}

Value *FunctionEmitter::load(const HloInstruction &I,
                             const ElementPlace &Place) {
  return Elements.load(B, I.shape().elementType(), Buffers.lookup(&I),
                       Indices.toOffset(B, I.shape(), Place.Index));
}

Value *FunctionEmitter::constant(const HloInstruction &I,
                                 const ElementPlace &Place) {
  const HloLiteral &Literal = *I.attributes<HloConstant>().Literal;
  ElementType Type = I.shape().elementType();
  if (I.shape().elementCount() == 1)
    return Elements.constant(Literal.atOffset(0));
  GlobalVariable *&Table = Context.Constants[&I];
  if (!Table) {
    // The bytes as they are; the alignment makes them an array of elements.
    Constant *Bytes =
        ConstantDataArray::get(Context.M.getContext(), Literal.bytes());
    constexpr unsigned GlobalMemory = 1;
    Table = new GlobalVariable(
        Context.M, Bytes->getType(), true, GlobalValue::PrivateLinkage, Bytes,
        I.name(), nullptr, GlobalValue::NotThreadLocal, GlobalMemory);
    Table->setUnnamedAddr(GlobalValue::UnnamedAddr::Global);
    Table->setAlignment(Align(16));
  }
  return Elements.load(B, Type, Table,
                       Indices.toOffset(B, Literal.shape(), Place.Index));
}

Value *FunctionEmitter::iota(const HloInstruction &I,
                             const ElementPlace &Place) {
  Value *Number = Place.Index[I.attributes<HloIota>().Dimension];
  bool IsWide = Indices.type()->getBitWidth() == 64;
  return Elements.convert(B, I.shape().elementType(),
                          IsWide ? ElementType::S64 : ElementType::S32, Number);
}

ElementValues FunctionEmitter::elementwise(const HloInstruction &I,
                                           ElementPlace &Place) {
  ElementPlace Scalars;
  SmallVector<Value *, 4> Operands;
  for (size_t K = 0; K < I.operands().size(); ++K)
    Operands.push_back(
        element(I.operand(K), *operandPlace(I, K) == 0 ? Place : Scalars));
  if (I.opcode() == HloOpcode::Map)
    return apply(*I.callee(), Operands);
  return {Elements.emit(B, I, Operands)};
}

//===----------------------------------------------------------------------===//
// Functions of scalars
//===----------------------------------------------------------------------===//

ElementValues FunctionEmitter::applyInline(const FlatComputation &C,
                                           ArrayRef<Value *> Arguments) {
  DenseMap<const HloInstruction *, Value *> Values;
  for (const HloInstruction &I : C.Body->instructions()) {
    SmallVector<Value *, 3> Operands;
    for (const HloInstruction *Operand : I.operands())
      Operands.push_back(Values.lookup(Operand));
    Value *&Result = Values[&I];
    ElementType Type = I.shape().elementType();
    switch (I.opcode()) {
    case HloOpcode::Parameter:
      Result = Arguments[I.attributes<HloParameter>().Number];
      break;
    case HloOpcode::Constant:
      Result =
          Elements.constant(I.attributes<HloConstant>().Literal->atOffset(0));
      break;
    case HloOpcode::Map:
      Result = apply(*I.callee(), Operands).front();
      break;
    case HloOpcode::Bitcast:
    case HloOpcode::BitcastConvert:
      Result = Elements.fromBits(
          B, Type,
          Elements.toBits(B, I.operand(0).shape().elementType(), Operands[0]));
      break;
    case HloOpcode::Broadcast:
    case HloOpcode::Reshape:
    case HloOpcode::Transpose:
      Result = Operands[0];
      break;
    default:
      Result = Elements.emit(B, I, Operands);
    }
  }
  ElementValues Results;
  for (const HloInstruction *Output : C.Outputs)
    Results.push_back(Values.lookup(Output));
  return Results;
}

ElementValues FunctionEmitter::apply(const HloComputation &C,
                                     ArrayRef<Value *> Arguments) {
  const FlatComputation &Flat = Context.Callees.find(&C)->second;
  constexpr size_t MaxInlined = 32;
  if (Flat.Body->instructions().size() <= MaxInlined)
    return applyInline(Flat, Arguments);

  SmallVector<Type *, 4> Parameters, Results;
  for (Value *Argument : Arguments)
    Parameters.push_back(Argument->getType());
  for (const HloInstruction *Output : Flat.Outputs)
    Results.push_back(Elements.valueType(Output->shape().elementType()));
  // The root stands for the computation.
  Function *&F = Context.Functions[&C.root()];
  if (!F) {
    LLVMContext &LLVM = Context.M.getContext();
    auto *New = Function::Create(
        FunctionType::get(StructType::get(LLVM, Results), Parameters, false),
        GlobalValue::InternalLinkage, C.name(), Context.M);
    New->addFnAttr(Attribute::NoUnwind);
    IRBuilder<> Inner(BasicBlock::Create(LLVM, "entry", New));
    SmallVector<Value *, 4> Inside;
    for (Argument &A : New->args())
      Inside.push_back(&A);
    ElementValues Values =
        FunctionEmitter(Context, Inner).applyInline(Flat, Inside);
    Value *Tuple = PoisonValue::get(New->getReturnType());
    for (auto [K, V] : enumerate(Values))
      Tuple = Inner.CreateInsertValue(Tuple, V, K);
    Inner.CreateRet(Tuple);
    // Applying may have made functions for computations inside of this one.
    Context.Functions[&C.root()] = New;
  }
  Value *Tuple = B.CreateCall(Context.Functions.lookup(&C.root()), Arguments);
  ElementValues Values;
  for (unsigned K = 0; K < Results.size(); ++K)
    Values.push_back(B.CreateExtractValue(Tuple, K));
  return Values;
}

//===----------------------------------------------------------------------===//
// Control flow
//===----------------------------------------------------------------------===//

ElementValues FunctionEmitter::branch(Value *Condition,
                                      function_ref<ElementValues()> Then,
                                      function_ref<ElementValues()> Else) {
  Function *F = B.GetInsertBlock()->getParent();
  LLVMContext &C = F->getContext();
  BasicBlock *ThenBlock = BasicBlock::Create(C, "then", F);
  BasicBlock *ElseBlock = BasicBlock::Create(C, "else", F);
  BasicBlock *Join = BasicBlock::Create(C, "join", F);
  B.CreateCondBr(Condition, ThenBlock, ElseBlock);
  B.SetInsertPoint(ThenBlock);
  ElementValues OfThen = Then();
  BasicBlock *ThenEnd = B.GetInsertBlock();
  B.CreateBr(Join);
  B.SetInsertPoint(ElseBlock);
  ElementValues OfElse = Else();
  BasicBlock *ElseEnd = B.GetInsertBlock();
  B.CreateBr(Join);
  B.SetInsertPoint(Join);
  ElementValues Values;
  for (auto [V, W] : zip_equal(OfThen, OfElse)) {
    PHINode *Phi = B.CreatePHI(V->getType(), 2);
    Phi->addIncoming(V, ThenEnd);
    Phi->addIncoming(W, ElseEnd);
    Values.push_back(Phi);
  }
  return Values;
}

ElementValues FunctionEmitter::loopNest(ArrayRef<int64_t> Sizes,
                                        ElementValues Initial, LoopBody Body) {
  if (is_contained(Sizes, 0))
    return Initial;
  struct Loop {
    int64_t Size;
    BasicBlock *Header;
    PHINode *Counter;
    SmallVector<PHINode *, 2> Carried;
  };
  Function *F = B.GetInsertBlock()->getParent();
  SmallVector<Loop, 4> Loops;
  ElementIndex Index;
  ElementValues Carried = std::move(Initial);
  for (int64_t Size : Sizes) {
    if (Size == 1) {
      Index.push_back(Indices.constant(0));
      continue;
    }
    BasicBlock *Before = B.GetInsertBlock();
    BasicBlock *Header = BasicBlock::Create(F->getContext(), "loop", F);
    B.CreateBr(Header);
    B.SetInsertPoint(Header);
    Loop &L = Loops.emplace_back();
    L.Size = Size;
    L.Header = Header;
    L.Counter = B.CreatePHI(Indices.type(), 2);
    L.Counter->addIncoming(Indices.constant(0), Before);
    Index.push_back(L.Counter);
    for (Value *&V : Carried) {
      PHINode *Phi = B.CreatePHI(V->getType(), 2);
      Phi->addIncoming(V, Before);
      L.Carried.push_back(Phi);
      V = Phi;
    }
  }
  Carried = Body(Index, Carried);
  for (Loop &L : reverse(Loops)) {
    Value *Next = B.CreateAdd(L.Counter, Indices.constant(1), "", true, true);
    BasicBlock *Latch = B.GetInsertBlock();
    BasicBlock *Exit = BasicBlock::Create(F->getContext(), "exit", F);
    B.CreateCondBr(B.CreateICmpULT(Next, Indices.constant(L.Size)), L.Header,
                   Exit);
    L.Counter->addIncoming(Next, Latch);
    for (auto [Phi, V] : zip_equal(L.Carried, Carried))
      Phi->addIncoming(V, Latch);
    B.SetInsertPoint(Exit);
  }
  return Carried;
}

} // namespace unravel
