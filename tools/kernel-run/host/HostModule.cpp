//===- HostModule.cpp - A kernel's IR for this CPU ------------------------===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tools/kernel-run/host/HostModule.h"
#include "analysis/llvm/LLVMChanges.h"
#include "tools/kernel-run/host/HostChecks.h"
#include "tools/kernel-run/host/HostIntrinsics.h"
#include "tools/kernel-run/host/HostLoops.h"
#include "tools/kernel-run/machine/BlockScheduler.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/DebugInfo.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Operator.h"
#include "llvm/IR/Verifier.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/TargetParser/Triple.h"
#include "llvm/Transforms/Utils/Cloning.h"
#include "llvm/Transforms/Utils/ValueMapper.h"

using namespace llvm;
using namespace unravel;

// 1. One address space.

namespace {

/// Types with every pointer in address space 0.
class FlatTypes final : public ValueMapTypeRemapper {
public:
  Type *remapType(Type *T) override {
    LLVMContext &C = T->getContext();
    if (T->isPointerTy())
      return PointerType::get(C, 0);
    if (T->getNumContainedTypes() == 0)
      return T;
    SmallVector<Type *, 8> Parts;
    bool Changed = false;
    for (Type *Part : T->subtypes()) {
      Parts.push_back(remapType(Part));
      Changed |= Parts.back() != Part;
    }
    if (!Changed)
      return T;
    if (auto *V = dyn_cast<VectorType>(T))
      return VectorType::get(Parts[0], V->getElementCount());
    if (auto *A = dyn_cast<ArrayType>(T))
      return ArrayType::get(Parts[0], A->getNumElements());
    if (auto *S = dyn_cast<StructType>(T))
      return StructType::get(C, Parts, S->isPacked());
    if (auto *F = dyn_cast<FunctionType>(T))
      return FunctionType::get(Parts[0], ArrayRef(Parts).drop_front(),
                               F->isVarArg());
    return T;
  }
};

// 2. The copy.

/// Copies a kernel, the functions it calls and the variables it uses.
class KernelCopy final : public ValueMaterializer {
public:
  KernelCopy(Function &Kernel, HostCode &Code, VariableMemory &Memory,
             HostModule &Result, bool CountsIterations)
      : Kernel(Kernel), Source(*Kernel.getParent()), Code(Code),
        Host(Code.module()), Memory(Memory), Result(Result),
        CountsIterations(CountsIterations), SharedEnd(Memory.staticShared()) {}

  /// The kernel's copy.
  Expected<Function *> copy();

private:
  Value *materialize(Value *V) override;
  Value *declareFunction(Function &F);
  Value *placeVariable(GlobalVariable &V);
  ModuleVariable &addVariable(GlobalVariable &V, StringRef Kind,
                              MemoryRegion Region);
  Value *placeShared(GlobalVariable &V);
  void fillVariable(GlobalVariable &V, StringRef Image);
  void copyFunction(Function &From);
  void makeHostCode(Instruction &I, const Instruction &Original);
  void lowerCall(CallInst &Call, const Instruction &Original);
  bool lowerLibraryCall(CallInst &Call, const Instruction &Original);
  bool sameLayout(Type *T) const;
  void checkLayout(Type *T);
  bool hasShortPointers(unsigned Space) const;
  void wrapShortPointers(Instruction &I, const Instruction &Original);
  std::optional<uint64_t> sizeOf(Type *T);
  bool checkSize(Type *T, const Instruction *At = nullptr);

  /// Notes the first thing that cannot run here.
  void refuse(const Twine &What, const Twine &Remedy,
              const Instruction *At = nullptr) {
    if (!Problem.empty())
      return;
    Problem =
        ("uses " + What + ", which kernel-run does not run: " + Remedy).str();
    if (At)
      Problem += "\n  at: " + describeInstruction(*At);
  }

  Function &Kernel;
  Module &Source;
  HostCode &Code;
  Module &Host;
  VariableMemory &Memory;
  HostModule &Result;
  bool CountsIterations;
  uint64_t SharedEnd;
  FlatTypes Types;
  ValueToValueMapTy Map;
  SmallVector<Function *, 4> PendingFunctions;
  SmallVector<std::pair<GlobalVariable *, std::string>, 4> PendingVariables;
  SmallPtrSet<Type *, 16> CheckedTypes;
  DenseMap<Type *, std::optional<uint64_t>> Sizes;
  std::string Problem;
};

} // namespace

/// Sizes and offsets of \p T must be what they are on the GPU: getelementptr
/// counts in them.
bool KernelCopy::sameLayout(Type *T) const {
  const DataLayout &From = Source.getDataLayout(), &To = Host.getDataLayout();
  if (!T->isSized() || From.getTypeAllocSize(T) != To.getTypeAllocSize(T))
    return !T->isSized();
  if (auto *S = dyn_cast<StructType>(T)) {
    const StructLayout *FromLayout = From.getStructLayout(S),
                       *ToLayout = To.getStructLayout(S);
    for (unsigned I = 0; I != S->getNumElements(); ++I)
      if (FromLayout->getElementOffset(I) != ToLayout->getElementOffset(I))
        return false;
  }
  return all_of(T->subtypes(), [&](Type *Part) { return sameLayout(Part); });
}

void KernelCopy::checkLayout(Type *T) {
  if (!CheckedTypes.insert(T).second || sameLayout(T))
    return;
  std::string Text;
  raw_string_ostream(Text) << *T;
  refuse("the type " + Text + " (laid out differently on this CPU)",
         "compute its offsets in bytes");
}

bool KernelCopy::hasShortPointers(unsigned Space) const {
  return Source.getDataLayout().getPointerSizeInBits(Space) != 64;
}

/// Addresses of 32 bits wrap: getelementptr computes with 64 here, and what
/// accesses memory, or looks at the number, takes the lower half. Variables
/// have low addresses.
void KernelCopy::wrapShortPointers(Instruction &I,
                                   const Instruction &Original) {
  if (isa<GetElementPtrInst, PHINode, SelectInst, FreezeInst>(I))
    return;
  IRBuilder<> B(&I);
  for (auto [U, Old] : zip_equal(I.operands(), Original.operands())) {
    auto *Type = dyn_cast<PointerType>(Old->getType());
    if (!Type || !hasShortPointers(Type->getAddressSpace()))
      continue;
    Value *Low = B.CreatePtrToInt(U, B.getInt32Ty());
    U.set(B.CreateIntToPtr(B.CreateZExt(Low, B.getInt64Ty()), U->getType()));
  }
}

/// More than any GPU has, and far from where sums and products wrap.
constexpr uint64_t MaxObjectBytes = uint64_t(1) << 40;

/// LLVM counts modulo 2^64: [4611686018427387905 x i32] has 4 bytes there.
/// Nullopt for more than MaxObjectBytes.
std::optional<uint64_t> KernelCopy::sizeOf(Type *T) {
  if (auto Known = Sizes.find(T); Known != Sizes.end())
    return Known->second;
  uint64_t Bytes = 0;
  bool IsTooLarge = false;
  if (auto *Array = dyn_cast<ArrayType>(T)) {
    std::optional<uint64_t> Element = sizeOf(Array->getElementType());
    IsTooLarge = !Element || (*Element && Array->getNumElements() >
                                              MaxObjectBytes / *Element);
    if (!IsTooLarge)
      Bytes = Array->getNumElements() * *Element;
  } else {
    if (auto *Struct = dyn_cast<StructType>(T))
      for (Type *Element : Struct->elements()) {
        std::optional<uint64_t> Size = sizeOf(Element);
        Bytes += Size.value_or(0);
        IsTooLarge |= !Size || Bytes > MaxObjectBytes;
      }
    if (!IsTooLarge)
      Bytes = Source.getDataLayout().getTypeAllocSize(T);
  }
  IsTooLarge |= Bytes > MaxObjectBytes;
  return Sizes[T] = IsTooLarge ? std::nullopt : std::optional(Bytes);
}

bool KernelCopy::checkSize(Type *T, const Instruction *At) {
  if (sizeOf(T))
    return true;
  refuse("an object of more than " + Twine(MaxObjectBytes) + " bytes",
         "make its type smaller", At);
  return false;
}

// 3. Functions and variables that are met on the way.

Value *KernelCopy::materialize(Value *V) {
  if (auto *F = dyn_cast<Function>(V))
    return declareFunction(*F);
  if (auto *Variable = dyn_cast<GlobalVariable>(V))
    return placeVariable(*Variable);
  // All spaces are one.
  if (auto *Cast = dyn_cast<ConstantExpr>(V);
      Cast && Cast->getOpcode() == Instruction::AddrSpaceCast)
    return MapValue(Cast->getOperand(0), Map, RF_None, &Types, this);
  if (isa<GlobalAlias, GlobalIFunc>(V)) {
    refuse("the alias " + V->getName(), "use what it stands for");
    return PoisonValue::get(Types.remapType(V->getType()));
  }
  return nullptr;
}

/// What lowerLibraryCall() replaces.
static bool isHandled(StringRef Name) {
  return Name == "vprintf" || Name == "__assertfail" ||
         Name == "__nvvm_reflect";
}

/// The function of the C library that computes what a function of libdevice
/// does, or nothing. Results may differ in the last digits.
static std::string libraryFunction(StringRef Name) {
  if (!Name.consume_front("__nv_"))
    return "";
  StringRef OfDouble = Name.ends_with("f") ? Name.drop_back() : Name;
  bool IsKnown = StringSwitch<bool>(Name == "erf" ? Name : OfDouble)
                     .Cases({"exp", "expm1", "log", "log1p"}, true)
                     .Cases({"sin", "cos", "tan", "tanh"}, true)
                     .Cases({"sinh", "cosh", "asin", "acos"}, true)
                     .Cases({"asinh", "acosh", "atanh"}, true)
                     .Cases({"atan2", "pow", "fmod", "hypot"}, true)
                     .Cases({"cbrt", "erf"}, true)
                     .Default(false);
  return IsKnown ? Name.str() : "";
}

Value *KernelCopy::declareFunction(Function &F) {
  auto *FlatType = cast<FunctionType>(Types.remapType(F.getFunctionType()));
  if (Intrinsic::ID ID = F.getIntrinsicID()) {
    SmallVector<Type *, 4> Overloads;
    if (getOverloads(ID, FlatType, Overloads))
      return Intrinsic::getOrInsertDeclaration(&Host, ID, Overloads);
  }
  if (!F.isDeclaration())
    PendingFunctions.push_back(&F);
  else if (std::string Name = libraryFunction(F.getName()); !Name.empty())
    return Function::Create(FlatType, GlobalValue::ExternalLinkage, Name, Host);
  else if (F.getName().starts_with("__nv_"))
    refuse(F.getName(), "link libdevice (clang does with --cuda-path)");
  else if (!isHandled(F.getName()) && !F.isIntrinsic())
    refuse(F.getName(), "link the module that defines it (llvm-link)");
  // A new name: the copy must not stand in for a function of the C library.
  return Function::Create(FlatType, GlobalValue::InternalLinkage,
                          "gpu." + F.getName(), Host);
}

ModuleVariable &KernelCopy::addVariable(GlobalVariable &V, StringRef Kind,
                                        MemoryRegion Region) {
  ModuleVariable &Added = Result.Variables.emplace_back();
  Added.Region = std::move(Region);
  Added.Region.Name = (Kind + V.getName()).str();
  Added.IsConstant = V.isConstant();
  return Added;
}

Value *KernelCopy::placeShared(GlobalVariable &V) {
  uint64_t Bytes = Source.getDataLayout().getTypeAllocSize(V.getValueType());
  if (V.isDeclaration() || Bytes == 0) {
    Result.UsesDynamicShared = true;
    return Code.pointer(Memory.dynamicShared());
  }
  // A gap behind each, so that an index that runs out of it shows.
  constexpr uint64_t Gap = 64;
  uint64_t Align = Source.getDataLayout().getPreferredAlign(&V).value();
  uint64_t Address = alignExactly(SharedEnd + Gap,
                                  V.getAlign() ? V.getAlign()->value() : Align);
  Result.StaticSharedBytes += Bytes;
  if (Result.StaticSharedBytes > MaxSharedBytes) {
    refuse(Twine(Result.StaticSharedBytes) + " bytes of static shared memory",
           "a block has at most " + Twine(MaxSharedBytes));
    return Code.pointer(Memory.staticShared());
  }
  SharedEnd = Address + Bytes;
  addVariable(V, "shared variable ",
              {Address, Bytes, MemorySpace::Shared, std::string()});
  return Code.pointer(Address);
}

Value *KernelCopy::placeVariable(GlobalVariable &V) {
  checkLayout(V.getValueType());
  Value *Nowhere = PoisonValue::get(PointerType::get(V.getContext(), 0));
  if (!checkSize(V.getValueType()))
    return Nowhere;
  if (V.getAddressSpace() == unsigned(MemorySpace::Shared))
    return placeShared(V);
  if (!V.hasInitializer()) {
    refuse("the variable " + V.getName() + " without a definition",
           "link the module that defines it (llvm-link)");
    return Nowhere;
  }
  const DataLayout &Layout = Source.getDataLayout();
  uint64_t Bytes = Layout.getTypeAllocSize(V.getValueType());
  uint64_t Align = V.getAlign() ? V.getAlign()->value()
                                : Layout.getPreferredAlign(&V).value();
  Expected<uint64_t> Place =
      V.isConstant() ? Memory.placeConstant(Bytes, Align)
                     : Memory.placeVariable(V.getName(), Bytes, Align);
  if (!Place) {
    refuse("the variable " + V.getName(), toString(Place.takeError()));
    return Nowhere;
  }
  auto Space = V.isConstant() ? MemorySpace::Constant : MemorySpace::Global;
  ModuleVariable &Added =
      addVariable(V, V.isConstant() ? "constant " : "variable ",
                  {*Place, Bytes, Space, std::string()});
  Added.Image = "unravel.image." + utostr(Result.Variables.size());
  PendingVariables.push_back({&V, Added.Image});
  return Code.pointer(*Place);
}

void KernelCopy::fillVariable(GlobalVariable &V, StringRef Image) {
  new GlobalVariable(Host, Types.remapType(V.getValueType()), true,
                     GlobalValue::ExternalLinkage,
                     MapValue(V.getInitializer(), Map, RF_None, &Types, this),
                     Image);
}

void KernelCopy::copyFunction(Function &From) {
  auto *To = cast<Function>(Map.lookup(&From));
  for (auto [Old, New] : zip_equal(From.args(), To->args())) {
    New.setName(Old.getName());
    Map[&Old] = &New;
  }
  bool NeedsFrame = &From != &Kernel;
  for (Instruction &I : instructions(From)) {
    if (auto *GEP = dyn_cast<GEPOperator>(&I))
      checkLayout(GEP->getSourceElementType());
    if (auto *Alloca = dyn_cast<AllocaInst>(&I)) {
      checkLayout(Alloca->getAllocatedType());
      checkSize(Alloca->getAllocatedType(), Alloca);
      NeedsFrame = true;
    }
  }
  for (Argument &A : From.args())
    if (A.hasByValAttr()) {
      checkSize(A.getParamByValType());
      NeedsFrame = true;
    }

  SmallVector<ReturnInst *, 4> Returns;
  CloneFunctionInto(To, &From, Map, CloneFunctionChangeType::DifferentModule,
                    Returns, "", nullptr, &Types, this);
  To->setLinkage(GlobalValue::InternalLinkage);
  To->setVisibility(GlobalValue::DefaultVisibility);
  To->setDSOLocal(true);
  To->setCallingConv(CallingConv::C);
  To->setAttributes(To->getAttributes().removeFnAttributes(To->getContext()));
  To->addFnAttr(Attribute::NoUnwind);
  To->setComdat(nullptr);
  To->setSection("");
  for (const Instruction &I : instructions(From))
    if (Value *Copy = Map.lookup(&I))
      makeHostCode(*cast<Instruction>(Copy), I);
  if (CountsIterations)
    addIterationCounters(*To, From, Map, Code,
                         /*CountsCalls=*/&From != &Kernel);
  if (NeedsFrame)
    HostChecks(Code).addFrame(*To, *inst_begin(From));
}

Expected<Function *> KernelCopy::copy() {
  if (Source.getDataLayout().isBigEndian() ||
      Host.getDataLayout().isBigEndian())
    refuse("big-endian memory", "run it elsewhere");
  for (unsigned Space : {0, 1})
    if (Source.getDataLayout().getPointerSizeInBits(Space) != 64)
      refuse("pointers of less than 64 bits", "compile for nvptx64");

  auto *Copy = cast<Function>(MapValue(&Kernel, Map, RF_None, &Types, this));
  while (Problem.empty() &&
         !(PendingFunctions.empty() && PendingVariables.empty())) {
    if (PendingVariables.empty()) {
      copyFunction(*PendingFunctions.pop_back_val());
      continue;
    }
    auto [Variable, Image] = PendingVariables.pop_back_val();
    fillVariable(*Variable, Image);
  }
  if (!Problem.empty())
    return createStringError(Kernel.getName() + " " + Problem);
  return Copy;
}

// 4. What is left of the GPU in a copied function.

/// What __nvvm_reflect says about the compilation: the architecture, or a flag
/// of the module.
static uint64_t reflect(const CallInst &Call) {
  StringRef Name;
  if (!getConstantStringInfo(Call.getArgOperand(0), Name) ||
      !Name.consume_front("__CUDA_"))
    return 0;
  const Function &F = *Call.getFunction();
  uint64_t Value = 0;
  if (Name == "ARCH") {
    StringRef CPU = F.getFnAttribute("target-cpu").getValueAsString();
    CPU.consume_front("sm_");
    return CPU.consumeInteger(10, Value) ? 0 : 10 * Value;
  }
  std::string Flag = "nvvm-reflect-" + Name.lower();
  std::replace(Flag.begin(), Flag.end(), '_', '-');
  auto *Set =
      mdconst::extract_or_null<ConstantInt>(F.getParent()->getModuleFlag(Flag));
  return Set ? Set->getZExtValue() : 0;
}

/// printf and assert, as the headers of CUDA call them, and the questions of
/// libdevice.
bool KernelCopy::lowerLibraryCall(CallInst &Call, const Instruction &Original) {
  const auto &Source = cast<CallInst>(Original);
  StringRef Name = Source.getCalledOperand()->getName();
  auto Has = [&](unsigned Arguments, unsigned Pointers) {
    return Call.arg_size() == Arguments &&
           all_of(make_range(Call.arg_begin(), Call.arg_begin() + Pointers),
                  [](Value *A) { return A->getType()->isPointerTy(); });
  };
  IRBuilder<> B(&Call);
  if (Name == "vprintf" && Has(2, 2) && Call.getType()->isIntegerTy()) {
    Value *Written = Code.call(
        B, runtime::print,
        {Call.getArgOperand(0), Call.getArgOperand(1), Code.number(Original)});
    Call.replaceAllUsesWith(B.CreateZExtOrTrunc(Written, Call.getType()));
  } else if (Name == "__assertfail" && Has(5, 2) &&
             Call.getType()->isVoidTy() &&
             Call.getArgOperand(2)->getType()->isIntegerTy()) {
    Code.call(B, runtime::failAssertion,
              {Call.getArgOperand(0), Call.getArgOperand(1),
               Call.getArgOperand(2), Code.number(Original)});
  } else if (Name == "__nvvm_reflect" && Has(1, 1) &&
             Call.getType()->isIntegerTy()) {
    Call.replaceAllUsesWith(ConstantInt::get(Call.getType(), reflect(Source)));
  } else {
    return false;
  }
  Call.eraseFromParent();
  return true;
}

void KernelCopy::lowerCall(CallInst &Call, const Instruction &Original) {
  Call.setCallingConv(CallingConv::C);
  Call.setTailCallKind(CallInst::TCK_None);
  const auto *Callee =
      dyn_cast<Function>(cast<CallInst>(Original).getCalledOperand());
  if (Call.isInlineAsm()) {
    if (HostIntrinsics(Code).lower(Call, Original))
      return;
    StringRef Text = cast<InlineAsm>(Call.getCalledOperand())->getAsmString();
    SmallVector<StringRef, 16> Words;
    SplitString(Text, Words);
    refuse("the inline assembly '" + join(Words, " ") + "'",
           "write it with an intrinsic or in C++", &Original);
  } else if (!Callee) {
    refuse("a call through a pointer", "call the function by its name",
           &Original);
  } else if (HostIntrinsics::isForGPU(Call)) {
    if (!HostIntrinsics(Code).lower(Call, Original))
      refuse(Callee->getName(), "take it out, or replace it, for this run",
             &Original);
  } else if (Callee->isDeclaration() && isHandled(Callee->getName())) {
    if (!lowerLibraryCall(Call, Original))
      refuse("a strange " + Callee->getName(), "declare it as CUDA does",
             &Original);
  } else if (!isa<IntrinsicInst>(Call)) {
    // memory(none) and its like fail to hold once a callee reads registers.
    Call.setAttributes(
        Call.getAttributes().removeFnAttributes(Call.getContext()));
    for (unsigned I = 0; I != Call.arg_size(); ++I)
      Call.removeParamAttr(I, Attribute::ByVal);
  }
}

void KernelCopy::makeHostCode(Instruction &I, const Instruction &Original) {
  // Every operation is rounded by itself, in both runs of a comparison.
  if (isa<FPMathOperator>(I))
    I.copyFastMathFlags(FastMathFlags());
  wrapShortPointers(I, Original);
  if (isa<AddrSpaceCastInst>(I)) {
    I.replaceAllUsesWith(I.getOperand(0));
    I.eraseFromParent();
    return;
  }
  auto *Call = dyn_cast<CallInst>(&I);
  if (Call && (!isa<IntrinsicInst>(Call) || HostIntrinsics::isForGPU(*Call)))
    return lowerCall(*Call, Original);
  if (!HostChecks(Code).checkInstruction(I, Original))
    refuse(Call ? Call->getCalledFunction()->getName() : "va_arg",
           "take it out, or replace it, for this run", &Original);
}

// 5. The entry.

/// Adds the function ThreadFunctionName to the module of \p Kernel.
static void addThreadFunction(Function &Kernel) {
  Module &Host = *Kernel.getParent();
  IRBuilder<> B(Host.getContext());
  Type *Pointer = B.getPtrTy();
  auto *Thread =
      Function::Create(FunctionType::get(B.getVoidTy(), {Pointer}, false),
                       GlobalValue::ExternalLinkage, ThreadFunctionName, Host);
  Thread->addFnAttr(Attribute::NoUnwind);
  B.SetInsertPoint(BasicBlock::Create(B.getContext(), "entry", Thread));
  SmallVector<Value *, 8> Arguments;
  for (Argument &A : Kernel.args()) {
    Value *Slot =
        B.CreateLoad(Pointer, B.CreateConstGEP1_64(Pointer, Thread->getArg(0),
                                                   A.getArgNo()));
    Type *T = A.getType();
    // A bool takes a byte.
    Arguments.push_back(
        T->isIntegerTy(1) ? B.CreateTrunc(B.CreateLoad(B.getInt8Ty(), Slot), T)
                          : B.CreateAlignedLoad(T, Slot, Align(1)));
  }
  CallInst *Call = B.CreateCall(&Kernel, Arguments);
  // What concerns the calling convention: signext, zeroext.
  Call->setAttributes(Kernel.getAttributes());
  B.CreateRetVoid();
}

// 6. All together.

Expected<HostModule> unravel::makeHostModule(Function &Kernel,
                                             const Triple &Triple,
                                             const DataLayout &Layout,
                                             VariableMemory &Memory,
                                             bool CountsIterations) {
  HostModule Result;
  Result.IR = std::make_unique<Module>(Kernel.getName(), Kernel.getContext());
  Result.IR->setTargetTriple(Triple);
  Result.IR->setDataLayout(Layout);
  for (const Argument &A : Kernel.args())
    if (!A.getType()->isPointerTy() && !A.getType()->isFloatingPointTy() &&
        !A.getType()->isIntegerTy())
      return createStringError(
          Kernel.getName() + " has the parameter " + Twine(A.getArgNo()) +
          ", which is no pointer and no number: pass its parts, or a pointer "
          "with byval");
  HostCode Code(*Result.IR);
  Expected<Function *> Copy =
      KernelCopy(Kernel, Code, Memory, Result, CountsIterations).copy();
  if (!Copy)
    return Copy.takeError();
  addThreadFunction(**Copy);
  Result.MayWait = Code.MayWait;
  Result.Instructions = Code.takeInstructions();
  Result.Counters = std::move(Code.Counters);
  StripDebugInfo(*Result.IR);
  for (Function &F : make_early_inc_range(*Result.IR))
    if (F.isDeclaration() && F.use_empty())
      F.eraseFromParent();
  std::string Message;
  raw_string_ostream Stream(Message);
  if (verifyModule(*Result.IR, &Stream))
    return createStringError("cannot translate " + Kernel.getName() + ": " +
                             StringRef(Message).split('\n').first);
  return Result;
}
