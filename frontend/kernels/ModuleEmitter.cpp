//===- ModuleEmitter.cpp - Parameters, launches, code around a body -------===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "frontend/kernels/ModuleEmitter.h"
#include "frontend/emit/MapIndexEmitter.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/IR/ConstantRange.h"
#include "llvm/IR/IntrinsicsNVPTX.h"
#include "llvm/Support/MathExtras.h"

using namespace llvm;

namespace unravel {

//===----------------------------------------------------------------------===//
// Launches
//===----------------------------------------------------------------------===//

/// A register that has a value from \p Low to below \p End.
Value *ModuleEmitter::readRegister(IRBuilder<> &B, Intrinsic::ID Register,
                                   uint32_t Low, uint64_t End, Type *Type) {
  CallInst *Call = B.CreateIntrinsic(Register, ArrayRef<Value *>());
  Call->addRetAttr(Attribute::get(
      C, Attribute::Range, ConstantRange(APInt(32, Low), APInt(32, End))));
  return B.CreateZExt(Call, Type);
}

/// Minor + Size * Major; the caller knows that it fits.
static Value *within(IRBuilder<> &B, Value *Major, Value *Size, Value *Minor) {
  return B.CreateAdd(B.CreateMul(Major, Size, "", /*HasNUW=*/true), Minor, "",
                     /*HasNUW=*/true);
}

/// (z * gridDim.y + y) * gridDim.x + x
Value *ModuleEmitter::emitBlockNumber(IRBuilder<> &B,
                                      const EmittedKernel &Launch, Type *Type) {
  auto [GridX, GridY, GridZ] = Launch.Grid;
  auto Place = [&](Intrinsic::ID Register, uint32_t Size) {
    return readRegister(B, Register, 0, Size, Type);
  };
  auto Size = [&](Intrinsic::ID Register, uint32_t Known) {
    return readRegister(B, Register, Known, uint64_t(Known) + 1, Type);
  };
  Value *Block = Place(Intrinsic::nvvm_read_ptx_sreg_ctaid_x, GridX);
  if (GridY == 1)
    return Block;
  Value *Row = Place(Intrinsic::nvvm_read_ptx_sreg_ctaid_y, GridY);
  if (GridZ > 1) {
    Value *Plane = Place(Intrinsic::nvvm_read_ptx_sreg_ctaid_z, GridZ);
    Value *Rows = Size(Intrinsic::nvvm_read_ptx_sreg_nctaid_y, GridY);
    Row = within(B, Plane, Rows, Row);
  }
  Value *RowSize = Size(Intrinsic::nvvm_read_ptx_sreg_nctaid_x, GridX);
  return within(B, Row, RowSize, Block);
}

Value *KernelCode::threadInGrid() {
  return within(B, Block, BlockSize, Thread);
}

void KernelCode::exitUnless(Value *Condition) {
  BasicBlock *Inside = BasicBlock::Create(F.getContext(), "inside", &F, Exit);
  B.CreateCondBr(Condition, Inside, Exit);
  B.SetInsertPoint(Inside);
}

Function *ModuleEmitter::declareKernel(StringRef Name,
                                       const EmittedKernel &Launch) {
  SmallVector<Type *, 8> Parameters(Launch.Arguments.size(),
                                    PointerType::get(C, 1));
  auto *F =
      Function::Create(FunctionType::get(Type::getVoidTy(C), Parameters, false),
                       GlobalValue::ExternalLinkage, Name, M);
  F->setCallingConv(CallingConv::PTX_Kernel);
  F->addFnAttr(Attribute::NoUnwind);
  // ptxas refuses nvvm.maxntid beside it.
  F->addFnAttr("nvvm.reqntid", utostr(Launch.Block));
  for (Argument &A : F->args()) {
    unsigned Number = Launch.Arguments[A.getArgNo()];
    const KernelBuffer &Buffer = Result.Buffers[Number];
    A.setName(Buffer.Name);
    A.addAttr(Attribute::NoUndef);
    A.addAttr(Attribute::NoAlias);
    A.addAttr(Attribute::getWithAlignment(C, Align(16)));
    if (uint64_t Bytes = Buffer.Shape.byteSize())
      A.addAttr(Attribute::getWithDereferenceableBytes(C, Bytes));
    if (!is_contained(Launch.Written, Number))
      A.addAttr(Attribute::ReadOnly);
  }
  return F;
}

//===----------------------------------------------------------------------===//
// Kernels
//===----------------------------------------------------------------------===//

static std::string kernelName(StringRef Name) {
  std::string Clean;
  for (char Ch : Name)
    Clean += isAlnum(Ch) ? Ch : '_';
  return isDigit(Clean[0]) ? "_" + Clean : Clean;
}

static std::unique_ptr<IndexEmitter> indexEmitter(IndexSource Source,
                                                  IntegerType *Type) {
  if (Source == IndexSource::Maps)
    return std::make_unique<MapIndexEmitter>(Type);
  return std::make_unique<NaiveIndexEmitter>(Type);
}

HloPartition ModuleEmitter::partition(const KernelFrame &Frame) const {
  return HloPartition(Frame.Roots, Frame.Places, [&](const HloInstruction &I) {
    return Written.contains(&I) || is_contained(Frame.Given, &I);
  });
}

bool ModuleEmitter::needsWideIndex(const KernelFrame &Frame,
                                   const HloPartition &Partition) const {
  return SaturatingMultiply(Frame.Blocks, uint64_t(Frame.BlockSize)) >
             uint64_t(INT32_MAX) ||
         any_of(Partition.instructions(),
                [](const HloInstruction *I) {
                  return IndexEmitter::needsWideIndex(*I);
                }) ||
         any_of(Frame.Written, [&](unsigned Buffer) {
           return shapeOf(Buffer).elementCount() > INT32_MAX;
         });
}

void ModuleEmitter::emitKernel(const KernelFrame &Frame,
                               function_ref<void(KernelCode &)> Body) {
  HloPartition Partition = partition(Frame);
  std::unique_ptr<IndexEmitter> Indices = indexEmitter(
      Options.Indices,
      Type::getIntNTy(C, needsWideIndex(Frame, Partition) ? 64 : 32));
  auto IsLoaded = [&](const HloInstruction &I) { return Written.contains(&I); };
  EmitterContext Context(M, Elements, *Indices, Partition, IsLoaded, Callees);
  for (const HloInstruction *Function : Partition.functions())
    FunctionEmitter::emitFunction(Context, *Function);

  EmittedKernel Launch;
  Launch.Block = Frame.BlockSize;
  Launch.Grid = gridOf(Frame.Blocks);
  Launch.Threads = Frame.Threads;
  Launch.ThreadMap = Frame.ThreadMap;
  Launch.OtherThreadMaps = Frame.OtherThreadMaps;
  // A buffer is one argument, whatever is in it.
  std::vector<const HloInstruction *> Loaded;
  for (const HloInstruction *I : Partition.instructions())
    if (IsLoaded(*I))
      Loaded.push_back(I);
  for (const HloInstruction *I : Loaded)
    if (unsigned Buffer = Plan.BufferOf.lookup(I);
        !is_contained(Frame.Written, Buffer))
      Launch.Arguments.push_back(Buffer);
  llvm::sort(Launch.Arguments);
  Launch.Arguments.erase(llvm::unique(Launch.Arguments),
                         Launch.Arguments.end());
  size_t NumRead = Launch.Arguments.size();
  Launch.Written = Frame.Written;
  append_range(Launch.Arguments, Frame.Written);
  Function *F = declareKernel(kernelName(Frame.Name), Launch);
  Launch.Name = F->getName().str();

  IRBuilder<> B(BasicBlock::Create(C, "entry", F));
  FunctionEmitter Emitter(Context, B);
  for (const HloInstruction *I : Loaded) {
    auto Number = find(Launch.Arguments, Plan.BufferOf.lookup(I));
    Emitter.setBuffer(*I, F->getArg(Number - Launch.Arguments.begin()));
  }
  SmallVector<Value *, 4> WrittenPointers;
  for (size_t K = 0; K < Frame.Written.size(); ++K)
    WrittenPointers.push_back(F->getArg(NumRead + K));
  Type *IndexType = Indices->type();
  Value *Block = emitBlockNumber(B, Launch, IndexType);
  Value *BlockSize =
      readRegister(B, Intrinsic::nvvm_read_ptx_sreg_ntid_x, Launch.Block,
                   uint64_t(Launch.Block) + 1, IndexType);
  Value *Thread = readRegister(B, Intrinsic::nvvm_read_ptx_sreg_tid_x, 0,
                               Launch.Block, IndexType);
  KernelCode Code = {*F,
                     B,
                     Emitter,
                     Elements,
                     *Indices,
                     Block,
                     BlockSize,
                     Thread,
                     WrittenPointers,
                     BasicBlock::Create(C, "exit", F)};
  Body(Code);
  B.CreateBr(Code.Exit);
  B.SetInsertPoint(Code.Exit);
  B.CreateRetVoid();
  Indices->finish();
  Result.Kernels.push_back(std::move(Launch));
}

} // namespace unravel
