//===- HostModule.cpp - A kernel's IR for this CPU ------------------------===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "HostModule.h"
#include "HostIntrinsics.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Operator.h"
#include "llvm/IR/ReplaceConstant.h"
#include "llvm/IR/Verifier.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/TargetParser/Triple.h"
#include "llvm/Transforms/Utils/Cloning.h"
#include "llvm/Transforms/Utils/ValueMapper.h"
#include <array>

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

/// Copies a kernel, the functions it calls and the tables it reads.
class KernelCopy final : public ValueMaterializer {
public:
  KernelCopy(Function &Kernel, Module &Host)
      : Kernel(Kernel), Source(*Kernel.getParent()), Host(Host) {}

  /// The kernel's copy.
  Expected<Function *> copy();

private:
  Value *materialize(Value *V) override;
  Value *declareFunction(Function &F);
  Value *declareVariable(GlobalVariable &V);
  void fillVariable(GlobalVariable &V);
  void makeHostCode(Function &F);
  void lowerCall(CallInst &Call);
  bool sameLayout(Type *T) const;
  void checkLayout(Type *T);

  /// Notes the first thing that cannot run here.
  void refuse(const Twine &What) {
    if (Problem.empty())
      Problem = ("uses " + What + ", which this check does not run").str();
  }

  Function &Kernel;
  Module &Source;
  Module &Host;
  FlatTypes Types;
  ValueToValueMapTy Map;
  SmallVector<Function *, 4> PendingFunctions;
  SmallVector<GlobalVariable *, 4> PendingVariables;
  SmallPtrSet<Type *, 16> CheckedTypes;
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
  refuse("the type " + Text + " (laid out differently on this CPU)");
}

Value *KernelCopy::materialize(Value *V) {
  if (auto *F = dyn_cast<Function>(V))
    return declareFunction(*F);
  if (auto *Variable = dyn_cast<GlobalVariable>(V))
    return declareVariable(*Variable);
  if (auto *Cast = dyn_cast<ConstantExpr>(V);
      Cast && Cast->getOpcode() == Instruction::AddrSpaceCast) {
    refuse("an address space cast in a constant");
    return PoisonValue::get(Types.remapType(V->getType()));
  }
  if (isa<GlobalAlias, GlobalIFunc>(V)) {
    refuse("the alias " + V->getName());
    return PoisonValue::get(Types.remapType(V->getType()));
  }
  return nullptr;
}

Value *KernelCopy::declareFunction(Function &F) {
  auto *FlatType = cast<FunctionType>(Types.remapType(F.getFunctionType()));
  if (Intrinsic::ID ID = F.getIntrinsicID()) {
    SmallVector<Type *, 4> Overloads;
    if (Intrinsic::getIntrinsicSignature(ID, FlatType, Overloads))
      return Intrinsic::getOrInsertDeclaration(&Host, ID, Overloads);
  }
  if (F.isDeclaration())
    refuse(F.getName());
  else
    PendingFunctions.push_back(&F);
  // A new name: the copy must not stand in for a function of the C library.
  return Function::Create(FlatType, GlobalValue::InternalLinkage,
                          "gpu." + F.getName(), Host);
}

Value *KernelCopy::declareVariable(GlobalVariable &V) {
  constexpr unsigned SharedMemory = 3;
  if (V.getAddressSpace() == SharedMemory)
    refuse("the shared memory of " + V.getName());
  else if (!V.isConstant() || !V.hasInitializer())
    // No launch description says what it holds, and nothing compares it.
    refuse("the device variable " + V.getName());
  else
    PendingVariables.push_back(&V);
  checkLayout(V.getValueType());
  auto *Copy = new GlobalVariable(Host, Types.remapType(V.getValueType()),
                                  V.isConstant(), GlobalValue::InternalLinkage,
                                  nullptr, "gpu." + V.getName());
  Copy->setAlignment(V.getAlign());
  return Copy;
}

void KernelCopy::fillVariable(GlobalVariable &V) {
  auto *Copy = cast<GlobalVariable>(Map.lookup(&V));
  Copy->setInitializer(
      MapValue(V.getInitializer(), Map, RF_None, &Types, this));
}

Expected<Function *> KernelCopy::copy() {
  if (Source.getDataLayout().isBigEndian() ||
      Host.getDataLayout().isBigEndian())
    refuse("big-endian memory");
  // So that no cast of a global's address hides in an operand.
  SmallVector<Constant *, 16> Globals;
  for (GlobalVariable &V : Source.globals())
    Globals.push_back(&V);
  convertUsersOfConstantsToInstructions(Globals);

  auto *Copy = cast<Function>(MapValue(&Kernel, Map, RF_None, &Types, this));
  while (Problem.empty() &&
         !(PendingFunctions.empty() && PendingVariables.empty())) {
    if (!PendingVariables.empty()) {
      fillVariable(*PendingVariables.pop_back_val());
      continue;
    }
    Function &From = *PendingFunctions.pop_back_val();
    auto *To = cast<Function>(Map.lookup(&From));
    for (auto [Old, New] : zip_equal(From.args(), To->args())) {
      New.setName(Old.getName());
      Map[&Old] = &New;
    }
    for (Instruction &I : instructions(From)) {
      if (auto *GEP = dyn_cast<GEPOperator>(&I))
        checkLayout(GEP->getSourceElementType());
      if (auto *Alloca = dyn_cast<AllocaInst>(&I))
        checkLayout(Alloca->getAllocatedType());
    }
    SmallVector<ReturnInst *, 4> Returns;
    CloneFunctionInto(To, &From, Map, CloneFunctionChangeType::DifferentModule,
                      Returns, "", nullptr, &Types, this);
    makeHostCode(*To);
  }
  if (!Problem.empty())
    return createStringError(Kernel.getName() + " " + Problem);
  return Copy;
}

// 3. What is left of the GPU in a copied function.

void KernelCopy::lowerCall(CallInst &Call) {
  Call.setCallingConv(CallingConv::C);
  if (isa<AssumeInst>(Call)) {
    Call.eraseFromParent();
    return;
  }
  if (!HostIntrinsics::isForGPU(Call)) {
    // memory(none) and its like fail to hold once a callee reads globals.
    if (!isa<IntrinsicInst>(Call))
      Call.setAttributes(
          Call.getAttributes().removeFnAttributes(Call.getContext()));
    return;
  }
  if (HostIntrinsics(Host).lower(Call))
    return;
  if (Call.isInlineAsm()) {
    StringRef Text = cast<InlineAsm>(Call.getCalledOperand())->getAsmString();
    SmallVector<StringRef, 16> Words;
    SplitString(Text, Words);
    refuse("the inline assembly '" + join(Words, " ") + "'");
  } else {
    refuse(Call.getCalledFunction()->getName());
  }
}

void KernelCopy::makeHostCode(Function &F) {
  F.setLinkage(GlobalValue::InternalLinkage);
  F.setVisibility(GlobalValue::DefaultVisibility);
  F.setDSOLocal(true);
  F.setCallingConv(CallingConv::C);
  F.setAttributes(F.getAttributes().removeFnAttributes(F.getContext()));
  F.addFnAttr(Attribute::NoUnwind);
  F.setComdat(nullptr);
  F.setSection("");
  for (Instruction &I : make_early_inc_range(instructions(F))) {
    // Every operation is rounded by itself, in both runs of a comparison.
    if (isa<FPMathOperator>(I))
      I.copyFastMathFlags(FastMathFlags());
    if (auto *Cast = dyn_cast<AddrSpaceCastInst>(&I)) {
      Cast->replaceAllUsesWith(Cast->getOperand(0));
      Cast->eraseFromParent();
    } else if (auto *Call = dyn_cast<CallInst>(&I)) {
      lowerCall(*Call);
    }
  }
}

// 4. The driver.

namespace {

/// Writes nested counting loops from the outermost to the innermost.
class LoopNest {
public:
  LoopNest(IRBuilder<> &B) : B(B) {}

  /// Opens a loop from 0 to \p Count - 1 and leaves the builder in its body.
  Value *open(Value *Count) {
    BasicBlock *Before = B.GetInsertBlock();
    Function *F = Before->getParent();
    auto *Body = BasicBlock::Create(B.getContext(), "loop", F);
    B.CreateBr(Body);
    B.SetInsertPoint(Body);
    PHINode *Counter = B.CreatePHI(Count->getType(), 2);
    Counter->addIncoming(ConstantInt::get(Count->getType(), 0), Before);
    Loops.push_back({Counter, Count});
    return Counter;
  }

  void closeAll() {
    for (auto [Counter, Count] : reverse(Loops)) {
      Value *Next =
          B.CreateAdd(Counter, ConstantInt::get(Counter->getType(), 1));
      Counter->addIncoming(Next, B.GetInsertBlock());
      auto *After =
          BasicBlock::Create(B.getContext(), "done", Counter->getFunction());
      B.CreateCondBr(B.CreateICmpULT(Next, Count), Counter->getParent(), After);
      B.SetInsertPoint(After);
    }
  }

private:
  IRBuilder<> &B;
  SmallVector<std::pair<PHINode *, Value *>, 6> Loops;
};

} // namespace

/// Adds the function DriverName to the module of \p Kernel.
static void addDriver(Function &Kernel) {
  Module &Host = *Kernel.getParent();
  HostIntrinsics Intrinsics(Host);
  IRBuilder<> B(Host.getContext());
  Type *Pointer = B.getPtrTy(), *Int32 = B.getInt32Ty();
  auto *Driver = Function::Create(
      FunctionType::get(B.getVoidTy(), {Pointer, Pointer}, false),
      GlobalValue::ExternalLinkage, DriverName, Host);
  Driver->addFnAttr(Attribute::NoUnwind);
  B.SetInsertPoint(BasicBlock::Create(B.getContext(), "entry", Driver));

  // The arguments, and the extents of grid and block.
  SmallVector<Value *, 8> Arguments;
  for (Argument &A : Kernel.args()) {
    Value *Slot =
        B.CreateLoad(Pointer, B.CreateConstGEP1_64(Pointer, Driver->getArg(0),
                                                   A.getArgNo()));
    Type *T = A.getType();
    // A bool takes a byte.
    Arguments.push_back(
        T->isIntegerTy(1) ? B.CreateTrunc(B.CreateLoad(B.getInt8Ty(), Slot), T)
                          : B.CreateAlignedLoad(T, Slot, Align(1)));
  }
  static constexpr StringLiteral Suffix[] = {".x", ".y", ".z"};
  std::array<Value *, 3> Grid, Block;
  for (unsigned I = 0; I != 3; ++I) {
    auto Extent = [&](unsigned At) {
      return B.CreateLoad(Int32,
                          B.CreateConstGEP1_64(Int32, Driver->getArg(1), At));
    };
    Grid[I] = Extent(I);
    Block[I] = Extent(3 + I);
    B.CreateStore(Grid[I],
                  Intrinsics.specialRegister(("nctaid" + Suffix[I]).str()));
    B.CreateStore(Block[I],
                  Intrinsics.specialRegister(("ntid" + Suffix[I]).str()));
  }

  // Over all blocks and threads, x innermost.
  LoopNest Loops(B);
  Value *Linear = B.getInt32(0);
  for (auto [Register, Extents] :
       {std::pair("ctaid", &Grid), std::pair("tid", &Block)})
    for (unsigned I : {2, 1, 0}) {
      Value *Counter = Loops.open((*Extents)[I]);
      B.CreateStore(Counter,
                    Intrinsics.specialRegister((Register + Suffix[I]).str()));
      if (Extents == &Block)
        Linear = B.CreateAdd(B.CreateMul(Linear, Block[I]), Counter);
    }
  B.CreateStore(B.CreateAnd(Linear, 31), Intrinsics.specialRegister("laneid"));
  CallInst *Call = B.CreateCall(&Kernel, Arguments);
  // What concerns the calling convention: signext, zeroext.
  Call->setAttributes(Kernel.getAttributes());
  Loops.closeAll();
  B.CreateRetVoid();
}

// 5. All together.

Expected<std::unique_ptr<Module>>
unravel::makeHostModule(Function &Kernel, const Triple &Triple,
                        const DataLayout &Layout) {
  auto Host = std::make_unique<Module>(Kernel.getName(), Kernel.getContext());
  Host->setTargetTriple(Triple);
  Host->setDataLayout(Layout);
  for (const Argument &A : Kernel.args())
    if (!A.getType()->isPointerTy() && !A.getType()->isFloatingPointTy() &&
        !A.getType()->isIntegerTy())
      return createStringError(Kernel.getName() +
                               " has a parameter that is no pointer and no "
                               "number, which this check does not run");
    else if (A.hasByValAttr())
      return createStringError(Kernel.getName() +
                               " has a struct as parameter, which this check "
                               "does not run");
  Expected<Function *> Copy = KernelCopy(Kernel, *Host).copy();
  if (!Copy)
    return Copy.takeError();
  addDriver(**Copy);
  for (Function &F : make_early_inc_range(*Host))
    if (F.isDeclaration() && F.use_empty())
      F.eraseFromParent();
  std::string Message;
  raw_string_ostream Stream(Message);
  if (verifyModule(*Host, &Stream))
    return createStringError("cannot translate " + Kernel.getName() + ": " +
                             StringRef(Message).split('\n').first);
  return Host;
}
