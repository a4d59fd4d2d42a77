//===- KernelEmitter.cpp - HLO as GPU kernels -----------------------------===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "frontend/KernelEmitter.h"
#include "frontend/FunctionEmitter.h"
#include "frontend/KernelSupport.h"
#include "frontend/MapIndexEmitter.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/IR/ConstantRange.h"
#include "llvm/IR/IntrinsicsNVPTX.h"
#include "llvm/IR/Verifier.h"
#include "llvm/Support/MathExtras.h"

using namespace llvm;

namespace unravel {

namespace {
/// What a kernel writes: elements of an instruction into a buffer.
struct KernelOutput {
  const HloInstruction *Value;
  unsigned Buffer;
};

class ModuleEmitter {
public:
  ModuleEmitter(const HloModule &Source, const FlatComputation &Flat,
                const FlatCallees &Callees, Module &M,
                const KernelEmitterOptions &Options, EmittedModule &Result)
      : Source(Source), Flat(Flat), Callees(Callees), M(M), C(M.getContext()),
        Options(Options), Elements(M), Result(Result) {}

  void run();

private:
  void addBuffers();
  unsigned addBuffer(KernelBuffer::Kind Kind, const Twine &Name,
                     const HloShape &Shape);
  /// Whether the computation of \p I is over before the current kernel starts.
  bool isLoaded(const HloInstruction &I) const { return Written.contains(&I); }
  void emitGroup(ArrayRef<KernelOutput> Outputs);
  void emitScatter(const HloInstruction &I, unsigned Buffer);
  void applyUpdate(const HloInstruction &I, FunctionEmitter &Emitter,
                   IRBuilder<> &B, Value *Pointer, Value *Update);

  /// A kernel with \p Threads threads. \p Body is given the number of the
  /// thread, which is below that.
  void
  emitKernel(StringRef Name, uint64_t Threads,
             ArrayRef<const HloInstruction *> Roots, ArrayRef<unsigned> Places,
             ArrayRef<unsigned> WrittenBuffers,
             function_ref<void(FunctionEmitter &, IRBuilder<> &, IndexEmitter &,
                               Value *Thread, ArrayRef<Value *> OutputPointers)>
                 Body);
  Function *declareKernel(StringRef Name, const EmittedKernel &Launch);
  Value *emitThreadNumber(IRBuilder<> &B, const EmittedKernel &Launch,
                          IntegerType *Type);
  Value *readRegister(IRBuilder<> &B, Intrinsic::ID Register, uint32_t Low,
                      uint64_t End);

  const HloModule &Source;
  const FlatComputation &Flat;
  const FlatCallees &Callees;
  Module &M;
  LLVMContext &C;
  const KernelEmitterOptions &Options;
  ElementEmitter Elements;
  EmittedModule &Result;
  /// The buffer of each array that is in memory sooner or later.
  DenseMap<const HloInstruction *, unsigned> BufferOf;
  /// Those that are by now.
  SmallPtrSet<const HloInstruction *, 16> Written;
};
} // namespace

//===----------------------------------------------------------------------===//
// Launches
//===----------------------------------------------------------------------===//

/// As few dimensions as it takes.
static std::array<uint32_t, 3> gridOf(uint64_t Blocks) {
  constexpr uint64_t MostX = INT32_MAX, MostY = 65535;
  uint64_t Y = divideCeil(Blocks, MostX);
  uint64_t X = divideCeil(Blocks, Y);
  uint64_t Z = divideCeil(Y, MostY);
  Y = divideCeil(Y, Z);
  return {uint32_t(X), uint32_t(Y), uint32_t(Z)};
}

Value *ModuleEmitter::readRegister(IRBuilder<> &B, Intrinsic::ID Register,
                                   uint32_t Low, uint64_t End) {
  CallInst *Call = B.CreateIntrinsic(Register, ArrayRef<Value *>());
  Call->addRetAttr(Attribute::get(
      C, Attribute::Range, ConstantRange(APInt(32, Low), APInt(32, End))));
  return Call;
}

/// ((z * gridDim.y + y) * gridDim.x + x) * blockDim.x + threadIdx.x
Value *ModuleEmitter::emitThreadNumber(IRBuilder<> &B,
                                       const EmittedKernel &Launch,
                                       IntegerType *Type) {
  auto Read = [&](Intrinsic::ID Register, uint32_t Low, uint64_t End) {
    return B.CreateZExt(readRegister(B, Register, Low, End), Type);
  };
  auto Size = [&](Intrinsic::ID Register, uint64_t Known) {
    return Read(Register, Known, Known + 1);
  };
  auto Within = [&](Value *Major, Value *Size, Value *Minor) {
    return B.CreateAdd(B.CreateMul(Major, Size, "", /*HasNUW=*/true), Minor, "",
                       /*HasNUW=*/true);
  };
  auto [GridX, GridY, GridZ] = Launch.Grid;
  Value *Block = Read(Intrinsic::nvvm_read_ptx_sreg_ctaid_x, 0, GridX);
  if (GridY > 1) {
    Value *Row = Read(Intrinsic::nvvm_read_ptx_sreg_ctaid_y, 0, GridY);
    if (GridZ > 1) {
      Value *Plane = Read(Intrinsic::nvvm_read_ptx_sreg_ctaid_z, 0, GridZ);
      Row = Within(Plane, Size(Intrinsic::nvvm_read_ptx_sreg_nctaid_y, GridY),
                   Row);
    }
    Block =
        Within(Row, Size(Intrinsic::nvvm_read_ptx_sreg_nctaid_x, GridX), Block);
  }
  Value *Threads = Size(Intrinsic::nvvm_read_ptx_sreg_ntid_x, Launch.Block);
  Value *Thread = Read(Intrinsic::nvvm_read_ptx_sreg_tid_x, 0, Launch.Block);
  return Within(Block, Threads, Thread);
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

void ModuleEmitter::emitKernel(
    StringRef Name, uint64_t Threads, ArrayRef<const HloInstruction *> Roots,
    ArrayRef<unsigned> Places, ArrayRef<unsigned> WrittenBuffers,
    function_ref<void(FunctionEmitter &, IRBuilder<> &, IndexEmitter &, Value *,
                      ArrayRef<Value *>)>
        Body) {
  if (Threads == 0)
    return;
  auto IsLoaded = [this](const HloInstruction &I) { return isLoaded(I); };
  HloPartition Partition(Roots, Places, IsLoaded);
  bool IsWide = Threads > uint64_t(INT32_MAX) ||
                any_of(Partition.instructions(), [](const HloInstruction *I) {
                  return IndexEmitter::needsWideIndex(*I);
                });
  for (unsigned Buffer : WrittenBuffers)
    IsWide |= Result.Buffers[Buffer].Shape.elementCount() > INT32_MAX;
  std::unique_ptr<IndexEmitter> IndexCode =
      indexEmitter(Options.Indices, Type::getIntNTy(C, IsWide ? 64 : 32));
  IndexEmitter &Indices = *IndexCode;
  EmitterContext Context(M, Elements, Indices, Partition, IsLoaded, Callees);
  for (const HloInstruction *Function : Partition.functions())
    FunctionEmitter::emitFunction(Context, *Function);

  EmittedKernel Launch;
  Launch.Block = Options.BlockSize;
  Launch.Grid = gridOf(divideCeil(Threads, uint64_t(Launch.Block)));
  Launch.Threads = Threads;
  SmallVector<const HloInstruction *, 8> Loaded;
  for (const HloInstruction *I : Partition.instructions())
    if (IsLoaded(*I) && !is_contained(WrittenBuffers, BufferOf.lookup(I)))
      Loaded.push_back(I);
  llvm::sort(Loaded, [&](const auto *L, const auto *R) {
    return BufferOf.lookup(L) < BufferOf.lookup(R);
  });
  for (const HloInstruction *I : Loaded)
    Launch.Arguments.push_back(BufferOf.lookup(I));
  Launch.Written = WrittenBuffers.vec();
  append_range(Launch.Arguments, WrittenBuffers);
  Function *F = declareKernel(kernelName(Name), Launch);
  Launch.Name = F->getName().str();

  IRBuilder<> B(BasicBlock::Create(C, "entry", F));
  Value *Thread = emitThreadNumber(B, Launch, Indices.type());
  BasicBlock *Inside = BasicBlock::Create(C, "inside", F);
  BasicBlock *Exit = BasicBlock::Create(C, "exit", F);
  B.CreateCondBr(B.CreateICmpULT(Thread, Indices.constant(Threads)), Inside,
                 Exit);
  B.SetInsertPoint(Inside);
  FunctionEmitter Emitter(Context, B);
  for (auto [K, I] : enumerate(Loaded))
    Emitter.setBuffer(*I, F->getArg(K));
  SmallVector<Value *, 4> OutputPointers;
  for (size_t K = 0; K < WrittenBuffers.size(); ++K)
    OutputPointers.push_back(F->getArg(Loaded.size() + K));
  Body(Emitter, B, Indices, Thread, OutputPointers);
  B.CreateBr(Exit);
  B.SetInsertPoint(Exit);
  B.CreateRetVoid();
  Indices.finish();
  Result.Kernels.push_back(std::move(Launch));
}

/// Outputs with the same number of elements, each element by one thread.
void ModuleEmitter::emitGroup(ArrayRef<KernelOutput> Outputs) {
  std::vector<const HloInstruction *> Roots;
  std::vector<unsigned> Places, Buffers;
  // Outputs of the same shape are computed at the same index.
  std::vector<HloShape> Shapes;
  for (const KernelOutput &Output : Outputs) {
    HloShape Shape = Result.Buffers[Output.Buffer].Shape;
    auto SameIndex = find_if(Shapes, [&](const HloShape &Other) {
      return Other.dimensions() == Shape.dimensions() &&
             Other.minorToMajor() == Shape.minorToMajor();
    });
    Places.push_back(SameIndex - Shapes.begin());
    if (SameIndex == Shapes.end())
      Shapes.push_back(Shape);
    Roots.push_back(Output.Value);
    Buffers.push_back(Output.Buffer);
  }
  emitKernel(Outputs[0].Value->name(), Shapes[0].elementCount(), Roots, Places,
             Buffers,
             [&](FunctionEmitter &Emitter, IRBuilder<> &B,
                 IndexEmitter &Indices, Value *Thread,
                 ArrayRef<Value *> Pointers) {
               std::vector<ElementPlace> At(Shapes.size());
               for (auto [Shape, Place] : zip_equal(Shapes, At))
                 Place.Index = Indices.fromOffset(B, Shape, Thread);
               for (auto [K, Root] : enumerate(Roots)) {
                 Value *V = Emitter.element(*Root, At[Places[K]]);
                 Elements.store(B, Root->shape().elementType(), Pointers[K],
                                Thread, V);
               }
             });
}

//===----------------------------------------------------------------------===//
// Scatter
//===----------------------------------------------------------------------===//

static AtomicRMWInst::BinOp atomicOperation(HloOpcode Opcode, ElementType T) {
  switch (Opcode) {
  case HloOpcode::Add:
    return isFloat(T) ? AtomicRMWInst::FAdd : AtomicRMWInst::Add;
  case HloOpcode::And:
    return AtomicRMWInst::And;
  case HloOpcode::Or:
    return AtomicRMWInst::Or;
  case HloOpcode::Xor:
    return AtomicRMWInst::Xor;
  case HloOpcode::Maximum:
    return isSigned(T) ? AtomicRMWInst::Max : AtomicRMWInst::UMax;
  case HloOpcode::Minimum:
    return isSigned(T) ? AtomicRMWInst::Min : AtomicRMWInst::UMin;
  default:
    llvm_unreachable("scatterMethod() calls no other atomic");
  }
}

void ModuleEmitter::applyUpdate(const HloInstruction &I,
                                FunctionEmitter &Emitter, IRBuilder<> &B,
                                Value *Pointer, Value *Update) {
  ElementType T = I.shape().elementType();
  const FlatComputation &Callee = Callees.find(I.callee())->second;
  Align Alignment(byteWidth(T));
  Type *Stored = Elements.memoryType(T);
  auto Combined = [&](Value *Old) {
    return Elements.toMemory(
        B, T,
        Emitter.apply(*I.callee(), {Elements.fromMemory(B, T, Old), Update})
            .front());
  };
  switch (scatterMethod(I, Callee)) {
  case ScatterMethod::Store: // nobody else writes there, or anybody may win
    B.CreateAlignedStore(
        Combined(B.CreateAlignedLoad(Stored, Pointer, Alignment)), Pointer,
        Alignment);
    return;
  case ScatterMethod::Atomic:
    B.CreateAtomicRMW(atomicOperation(Callee.Outputs[0]->opcode(), T), Pointer,
                      Elements.toMemory(B, T, Update), Alignment,
                      AtomicOrdering::Monotonic);
    return;
  case ScatterMethod::Loop:
    break;
  }
  Type *Bits = B.getIntNTy(8 * byteWidth(T));
  Value *First = B.CreateAlignedLoad(Bits, Pointer, Alignment);
  Function *F = B.GetInsertBlock()->getParent();
  BasicBlock *Before = B.GetInsertBlock();
  BasicBlock *Loop = BasicBlock::Create(C, "retry", F);
  BasicBlock *Done = BasicBlock::Create(C, "updated", F);
  B.CreateBr(Loop);
  B.SetInsertPoint(Loop);
  PHINode *Old = B.CreatePHI(Bits, 2);
  Old->addIncoming(First, Before);
  Value *New = B.CreateBitCast(Combined(B.CreateBitCast(Old, Stored)), Bits);
  Value *Exchange = B.CreateAtomicCmpXchg(Pointer, Old, New, Alignment,
                                          AtomicOrdering::Monotonic,
                                          AtomicOrdering::Monotonic);
  Old->addIncoming(B.CreateExtractValue(Exchange, 0), B.GetInsertBlock());
  B.CreateCondBr(B.CreateExtractValue(Exchange, 1), Done, Loop);
  B.SetInsertPoint(Done);
}

void ModuleEmitter::emitScatter(const HloInstruction &I, unsigned Buffer) {
  emitGroup({{&I.operand(0), Buffer}});
  const HloInstruction &Starts = I.operand(1), &Updates = I.operand(2);
  emitKernel(
      (I.name() + "_update").str(), Updates.shape().elementCount(),
      // Twice: components of index vectors are at several indices.
      {&Updates, &Starts, &Starts}, {0, 1, 2}, {Buffer},
      [&](FunctionEmitter &Emitter, IRBuilder<> &B, IndexEmitter &Indices,
          Value *Thread, ArrayRef<Value *> Pointers) {
        ElementPlace Update;
        Update.Index = Indices.fromOffset(B, Updates.shape(), Thread);
        auto [Place, IsInside] = Emitter.scatterPlace(I, Update);
        ElementIndex Into = Place;
        Emitter.branch(
            IsInside,
            [&]() -> ElementValues {
              ElementPlace Own(Update.Index);
              Value *New = Emitter.element(Updates, Own);
              Value *Address = Elements.addressOf(
                  B, I.shape().elementType(), Pointers[0],
                  Indices.toOffset(B, Result.Buffers[Buffer].Shape, Into));
              applyUpdate(I, Emitter, B, Address, New);
              return {};
            },
            []() -> ElementValues { return {}; });
      });
}

//===----------------------------------------------------------------------===//
// Modules
//===----------------------------------------------------------------------===//

unsigned ModuleEmitter::addBuffer(KernelBuffer::Kind Kind, const Twine &Name,
                                  const HloShape &Shape) {
  Result.Buffers.push_back({Kind, Name.str(), Shape});
  return Result.Buffers.size() - 1;
}

void ModuleEmitter::addBuffers() {
  using Kind = KernelBuffer::Kind;
  for (const HloInstruction *Parameter : Flat.Body->parameters()) {
    BufferOf[Parameter] =
        addBuffer(Kind::Input, Parameter->name(), Parameter->shape());
    Written.insert(Parameter);
  }
  for (auto [K, Output] : enumerate(Flat.Outputs)) {
    unsigned Buffer =
        addBuffer(Kind::Output, "out" + Twine(K), Output->shape());
    if (Flat.InMemory.contains(Output))
      BufferOf.try_emplace(Output, Buffer);
  }
  for (const HloInstruction *I : Flat.InMemory)
    if (!BufferOf.contains(I))
      BufferOf[I] = addBuffer(Kind::Temporary, "temp_" + I->name(), I->shape());
}

/// \p I, or the operation that yields it together with others.
static const HloInstruction *producerOf(const HloInstruction *I) {
  return I->opcode() == HloOpcode::GetTupleElement ? &I->operand(0) : I;
}

void ModuleEmitter::run() {
  addBuffers();
  // What nothing depends on is not computed.
  std::vector<bool> IsLive(Flat.Body->instructions().size());
  for (const HloInstruction *Output : Flat.Outputs)
    IsLive[Output->index()] = true;
  for (size_t Index = IsLive.size(); Index-- > 0;)
    if (IsLive[Index])
      for (const HloInstruction *Operand :
           Flat.Body->instructions()[Index].operands())
        IsLive[Operand->index()] = true;

  // In the order of their computation; parts of one operation together.
  std::vector<const HloInstruction *> Live;
  for (const HloInstruction *I : Flat.InMemory)
    if (IsLive[I->index()])
      Live.push_back(I);
  llvm::sort(Live, [](const auto *L, const auto *R) {
    return L->index() < R->index();
  });
  for (size_t K = 0; K < Live.size();) {
    std::vector<KernelOutput> Group;
    const HloInstruction *Producer = producerOf(Live[K]);
    for (; K < Live.size() && producerOf(Live[K]) == Producer; ++K)
      Group.push_back({Live[K], BufferOf.lookup(Live[K])});
    if (Producer->opcode() == HloOpcode::Scatter)
      emitScatter(*Producer, Group[0].Buffer);
    else
      emitGroup(Group);
    for (const KernelOutput &Output : Group)
      Written.insert(Output.Value);
  }

  // The outputs that are left, those of one size together.
  std::vector<std::pair<int64_t, std::vector<KernelOutput>>> Groups;
  unsigned Inputs = Flat.Body->parameters().size();
  for (auto [K, Output] : enumerate(Flat.Outputs)) {
    unsigned Buffer = Inputs + K;
    auto Own = BufferOf.find(Output);
    if (Own != BufferOf.end() && Own->second == Buffer)
      continue;
    int64_t Size = Output->shape().elementCount();
    auto Group =
        find_if(Groups, [&](const auto &G) { return G.first == Size; });
    if (Group == Groups.end())
      Group = Groups.insert(Group, {Size, {}});
    Group->second.push_back({Output, Buffer});
  }
  for (const auto &[Size, Outputs] : Groups)
    emitGroup(Outputs);
}

Expected<EmittedModule> emitKernels(const HloModule &Module,
                                    const HloComputation &Entry,
                                    LLVMContext &Context,
                                    const KernelEmitterOptions &Options) {
  Expected<FlatComputation> Flat = flatten(Module, Entry);
  if (!Flat)
    return Flat.takeError();
  FlatCallees Callees;
  if (Error E = checkSupported(Module, *Flat, Callees))
    return E;
  EmittedModule Result;
  Result.IR = std::make_unique<llvm::Module>(Module.name(), Context);
  Result.IR->setTargetTriple(Triple("nvptx64-nvidia-cuda"));
  Result.IR->setDataLayout(Result.IR->getTargetTriple().computeDataLayout());
  ModuleEmitter(Module, *Flat, Callees, *Result.IR, Options, Result).run();
  std::string Message;
  raw_string_ostream Stream(Message);
  if (verifyModule(*Result.IR, &Stream))
    return createStringError(Module.BufferName +
                             ": error: what was emitted is no LLVM IR; report "
                             "this: " +
                             Message);
  return Result;
}

} // namespace unravel
