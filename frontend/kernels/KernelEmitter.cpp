//===- KernelEmitter.cpp - HLO as GPU kernels -----------------------------===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "frontend/kernels/KernelEmitter.h"
#include "frontend/emit/MapIndexEmitter.h"
#include "frontend/kernels/KernelCode.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/IR/ConstantRange.h"
#include "llvm/IR/IntrinsicsNVPTX.h"
#include "llvm/IR/Verifier.h"
#include "llvm/Support/MathExtras.h"

using namespace llvm;

namespace unravel {

//===----------------------------------------------------------------------===//
// Launches
//===----------------------------------------------------------------------===//

/// A register that has a value from \p Low to below \p End.
static Value *readRegister(IRBuilder<> &B, Intrinsic::ID Register, uint32_t Low,
                           uint64_t End, Type *Type) {
  auto *Call = cast<CallInst>(B.CreateIntrinsic(Register, ArrayRef<Value *>()));
  Call->addRetAttr(
      Attribute::get(B.getContext(), Attribute::Range,
                     ConstantRange(APInt(32, Low), APInt(32, End))));
  return B.CreateZExt(Call, Type);
}

/// Minor + Size * Major; the caller knows that it fits.
static Value *within(IRBuilder<> &B, Value *Major, Value *Size, Value *Minor) {
  return B.CreateAdd(B.CreateMul(Major, Size, "", /*HasNUW=*/true), Minor, "",
                     /*HasNUW=*/true);
}

/// (z * gridDim.y + y) * gridDim.x + x
static Value *emitBlockNumber(IRBuilder<> &B, const EmittedKernel &Launch,
                              Type *Type) {
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

static Function *declareKernel(llvm::Module &M, const EmittedKernel &Launch,
                               ArrayRef<KernelBuffer> Buffers) {
  LLVMContext &C = M.getContext();
  SmallVector<Type *, 8> Parameters(Launch.Arguments.size(),
                                    PointerType::get(C, 1));
  auto *F =
      Function::Create(FunctionType::get(Type::getVoidTy(C), Parameters, false),
                       GlobalValue::ExternalLinkage, Launch.Name, M);
  F->setCallingConv(CallingConv::PTX_Kernel);
  F->addFnAttr(Attribute::NoUnwind);
  // ptxas rejects nvvm.maxntid beside it.
  F->addFnAttr("nvvm.reqntid", utostr(Launch.Block));
  for (Argument &A : F->args()) {
    unsigned Number = Launch.Arguments[A.getArgNo()];
    const KernelBuffer &Buffer = Buffers[Number];
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

static std::unique_ptr<IndexEmitter>
indexEmitter(const PlannedKernel &Kernel, ArrayRef<KernelBuffer> Buffers,
             IndexSource Source, LLVMContext &C) {
  bool IsWide =
      SaturatingMultiply(Kernel.blocks(), uint64_t(Kernel.BlockSize)) >
          uint64_t(INT32_MAX) ||
      any_of(Kernel.Partition.instructions(),
             [](const HloInstruction *I) {
               return IndexEmitter::needsWideIndex(*I);
             }) ||
      any_of(Kernel.Written, [&](unsigned Buffer) {
        return Buffers[Buffer].Shape.elementCount() > INT32_MAX;
      });
  IntegerType *Type = IntegerType::get(C, IsWide ? 64 : 32);
  if (Source == IndexSource::Maps)
    return std::make_unique<MapIndexEmitter>(Type);
  return std::make_unique<NaiveIndexEmitter>(Type);
}

static EmittedKernel emitKernel(const KernelPlan &Plan,
                                const PlannedKernel &Kernel, IndexSource Source,
                                ElementEmitter &Elements, llvm::Module &M) {
  LLVMContext &C = M.getContext();
  const BufferPlan &Memory = Plan.Memory;
  auto Indices = indexEmitter(Kernel, Memory.Buffers, Source, C);
  EmitterContext Context = {M, Elements, *Indices, Kernel.Partition,
                            Plan.Callees};
  for (const HloInstruction *Function : Kernel.Partition.functions())
    FunctionEmitter::emitFunction(Context, *Function);

  EmittedKernel Launch;
  Launch.Name = kernelName(Kernel.Name);
  Launch.Block = Kernel.BlockSize;
  Launch.Grid = gridOf(Kernel.blocks());
  Launch.Threads = Kernel.Threads;
  // A buffer is one argument, even if it holds several arrays.
  for (const HloInstruction *I : Kernel.Loaded)
    if (unsigned Buffer = Memory.BufferOf.lookup(I);
        !is_contained(Kernel.Written, Buffer))
      Launch.Arguments.push_back(Buffer);
  llvm::sort(Launch.Arguments);
  Launch.Arguments.erase(llvm::unique(Launch.Arguments),
                         Launch.Arguments.end());
  size_t NumRead = Launch.Arguments.size();
  Launch.Written = Kernel.Written;
  append_range(Launch.Arguments, Kernel.Written);
  Function *F = declareKernel(M, Launch, Memory.Buffers);
  Launch.Name = F->getName().str(); // may have got a number

  IRBuilder<> B(BasicBlock::Create(C, "entry", F));
  FunctionEmitter Emitter(Context, B);
  for (const HloInstruction *I : Kernel.Loaded) {
    auto Number = find(Launch.Arguments, Memory.BufferOf.lookup(I));
    Emitter.setBuffer(*I, F->getArg(Number - Launch.Arguments.begin()));
  }
  SmallVector<Value *, 4> WrittenPointers;
  for (size_t K = 0; K < Kernel.Written.size(); ++K)
    WrittenPointers.push_back(F->getArg(NumRead + K));
  Type *IndexType = Indices->type();
  Value *Block = emitBlockNumber(B, Launch, IndexType);
  Value *BlockSize =
      readRegister(B, Intrinsic::nvvm_read_ptx_sreg_ntid_x, Launch.Block,
                   uint64_t(Launch.Block) + 1, IndexType);
  Value *Thread = readRegister(B, Intrinsic::nvvm_read_ptx_sreg_tid_x, 0,
                               Launch.Block, IndexType);
  KernelCode Code = {
      Kernel,   Memory.Buffers,  *F,
      B,        Emitter,         Elements,
      *Indices, Block,           BlockSize,
      Thread,   WrittenPointers, BasicBlock::Create(C, "exit", F)};
  std::visit([&](const auto &Kind) { emitBody(Code, Kind); }, Kernel.Kind);
  B.CreateBr(Code.Exit);
  B.SetInsertPoint(Code.Exit);
  B.CreateRetVoid();
  Indices->finish();
  return Launch;
}

//===----------------------------------------------------------------------===//
// Bodies
//===----------------------------------------------------------------------===//

Value *KernelCode::threadInGrid() {
  return within(B, Block, BlockSize, Thread);
}

void KernelCode::exitUnless(Value *Condition) {
  BasicBlock *Inside = BasicBlock::Create(F.getContext(), "inside", &F, Exit);
  B.CreateCondBr(Condition, Inside, Exit);
  B.SetInsertPoint(Inside);
}

void KernelCode::onlyIf(Value *Condition, const char *Inside,
                        const char *Behind, function_ref<void()> Body) {
  LLVMContext &C = F.getContext();
  BasicBlock *Then = BasicBlock::Create(C, Inside, &F, Exit);
  BasicBlock *Join = BasicBlock::Create(C, Behind, &F, Exit);
  B.CreateCondBr(Condition, Then, Join);
  B.SetInsertPoint(Then);
  Body();
  B.CreateBr(Join);
  B.SetInsertPoint(Join);
}

Value *KernelCode::enterThread() {
  Value *Number = threadInGrid();
  exitUnless(B.CreateICmpULT(Number, Indices.constant(Kernel.Threads)));
  return Number;
}

Value *KernelCode::firstOfVector(Value *Number, int64_t Vector) {
  return Vector == 1 ? Number
                     : B.CreateMul(Number, Indices.constant(Vector), "",
                                   /*HasNUW=*/true, /*HasNSW=*/true);
}

Value *KernelCode::plus(Value *From, int64_t Distance) {
  return Distance == 0 ? From
                       : B.CreateAdd(From, Indices.constant(Distance), "",
                                     /*HasNUW=*/true, /*HasNSW=*/true);
}

void KernelCode::storeOutputs(ElementPlace &Place) {
  // Load everything before storing anything: it may be the same memory.
  SmallVector<Value *, 4> Values;
  for (size_t K = 0; K < Written.size(); ++K)
    Values.push_back(Emitter.element(*Kernel.Roots[K], Place));
  for (auto [K, Element] : enumerate(Values))
    store(K, Indices.toOffset(B, shapeOfWritten(K), Place.Index), Element);
}

GlobalVariable *KernelCode::sharedArray(ElementType T, int64_t Count,
                                        const Twine &Name) {
  constexpr unsigned SharedMemory = 3;
  auto *Type = ArrayType::get(Elements.memoryType(T), Count);
  auto *Array = new GlobalVariable(*F.getParent(), Type, /*isConstant=*/false,
                                   GlobalValue::InternalLinkage,
                                   UndefValue::get(Type), Name, nullptr,
                                   GlobalValue::NotThreadLocal, SharedMemory);
  Array->setAlignment(Align(SharedAlignment));
  return Array;
}

void KernelCode::barrier() {
  B.CreateIntrinsic(Intrinsic::nvvm_barrier_cta_sync_aligned_all,
                    {B.getInt32(0)});
}

HloShape indexShape(ArrayRef<int64_t> Sizes,
                    std::optional<ArrayRef<int64_t>> MinorToMajor) {
  return cantFail(HloShape::array(ElementType::Pred, Sizes, MinorToMajor));
}

//===----------------------------------------------------------------------===//
// Modules
//===----------------------------------------------------------------------===//

namespace {
class ComputationEmitter {
public:
  ComputationEmitter(const HloModule &Module,
                     const KernelEmitterOptions &Options, EmittedModule &Result)
      : Module(Module), Options(Options), Result(Result), Elements(*Result.IR) {
  }

  /// The recursion is as deep as computations call each other.
  Expected<EmittedComputation> emit(const PlannedComputation &C);

private:
  Expected<unsigned> numberOf(const PlannedComputation &C);
  Expected<EmittedStep> emitStep(const PlannedStep &Step);

  const HloModule &Module;
  const KernelEmitterOptions &Options;
  EmittedModule &Result;
  ElementEmitter Elements;
  /// Of those in the result.
  DenseMap<const HloComputation *,
           SmallVector<std::pair<HloBoundary, unsigned>>>
      Numbers;
};
} // namespace

/// Emits \p C unless it is there already.
Expected<unsigned> ComputationEmitter::numberOf(const PlannedComputation &C) {
  for (const auto &[Boundary, Number] : Numbers[C.Body])
    if (Boundary == C.Boundary)
      return Number;
  Expected<EmittedComputation> Emitted = emit(C);
  if (!Emitted)
    return Emitted.takeError();
  Result.Computations.push_back(std::move(*Emitted));
  unsigned Number = Result.Computations.size() - 1;
  Numbers[C.Body].push_back({C.Boundary, Number});
  return Number;
}

Expected<EmittedStep> ComputationEmitter::emitStep(const PlannedStep &Step) {
  EmittedStep Emitted;
  Emitted.Kernel = Step.Kernel;
  if (!Step.Operation)
    return Emitted;
  const HloInstruction &I = *Step.Operation;
  Emitted.Name = I.name();
  Emitted.Operands = Step.Operands;
  Emitted.Results = Step.Results;
  for (auto [K, Callee] : enumerate(I.callees())) {
    Expected<unsigned> Number = numberOf({Callee, boundaryOf(I, K)});
    if (!Number)
      return Number.takeError();
    Emitted.Computations.push_back(*Number);
  }
  if (const auto *Call = I.attributesIf<HloCustomCall>()) {
    Emitted.StepKind = EmittedStep::Kind::Call;
    Emitted.Target = Call->Target;
    Emitted.IsOperation = Call->IsOperation;
    Emitted.Attributes = I.TextAttributes;
  } else {
    Emitted.StepKind = I.opcode() == HloOpcode::While
                           ? EmittedStep::Kind::While
                           : EmittedStep::Kind::Conditional;
  }
  return Emitted;
}

Expected<EmittedComputation>
ComputationEmitter::emit(const PlannedComputation &C) {
  Expected<KernelPlan> Plan = planKernels(Module, C, Options);
  if (!Plan)
    return Plan.takeError();
  EmittedComputation Emitted;
  Emitted.Name = C.Body->name();
  for (const PlannedKernel &Kernel : Plan->Kernels)
    Emitted.Kernels.push_back(
        emitKernel(*Plan, Kernel, Options.Indices, Elements, *Result.IR));
  for (const PlannedStep &Planned : Plan->Steps) {
    Expected<EmittedStep> Step = emitStep(Planned);
    if (!Step)
      return Step.takeError();
    Emitted.Steps.push_back(std::move(*Step));
  }
  Emitted.Buffers = std::move(Plan->Memory.Buffers);
  return Emitted;
}

size_t EmittedModule::kernelCount() const {
  size_t Count = Kernels.size();
  for (const EmittedComputation &C : Computations)
    Count += C.Kernels.size();
  return Count;
}

Expected<EmittedModule> emitKernels(const HloModule &Module,
                                    const HloComputation &Entry,
                                    LLVMContext &Context,
                                    const KernelEmitterOptions &Options) {
  EmittedModule Result;
  Result.IR = std::make_unique<llvm::Module>(Module.name(), Context);
  Result.IR->setTargetTriple(Triple("nvptx64-nvidia-cuda"));
  Result.IR->setDataLayout(Result.IR->getTargetTriple().computeDataLayout());
  Expected<EmittedComputation> Emitted =
      ComputationEmitter(Module, Options, Result)
          .emit({&Entry, boundaryOf(Entry)});
  if (!Emitted)
    return Emitted.takeError();
  static_cast<EmittedComputation &>(Result) = std::move(*Emitted);
  std::string Message;
  raw_string_ostream Stream(Message);
  if (verifyModule(*Result.IR, &Stream))
    return createStringError(
        Module.BufferName +
        ": error: the emitted IR is invalid; report this: " + Message);
  return Result;
}

} // namespace unravel
