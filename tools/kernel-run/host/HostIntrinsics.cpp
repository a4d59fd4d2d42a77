//===- HostIntrinsics.cpp - NVVM intrinsics on this CPU -------------------===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tools/kernel-run/host/HostIntrinsics.h"
#include "tools/kernel-run/machine/WarpOperations.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/Module.h"

using namespace llvm;
using namespace unravel;

using Words = ArrayRef<StringRef>;
using Values = ArrayRef<Value *>;

// 1. Floating point: one table for intrinsics and PTX instructions.

static Value *saturate(IRBuilder<> &B, Value *V) {
  Type *T = V->getType();
  Value *Positive =
      B.CreateBinaryIntrinsic(Intrinsic::maxnum, V, Constant::getNullValue(T));
  return B.CreateBinaryIntrinsic(Intrinsic::minnum, Positive,
                                 ConstantFP::get(T, 1.0));
}

/// \p Name with \p Modifiers applied to \p A, or null.
static Value *lowerFloat(IRBuilder<> &B, StringRef Name, Words Modifiers,
                         Values A) {
  bool Saturates = false, KeepsNaN = false;
  for (StringRef M : Modifiers) {
    bool Known = StringSwitch<bool>(M)
                     .Cases({"rn", "rz", "rm", "rp", "rni"}, true)
                     .Cases({"approx", "full", "ftz"}, true)
                     .Cases({"f", "d", "f16", "f32", "f64"}, true)
                     .Cases({"f16x2", "v2f16"}, true)
                     .Cases({"sat", "nan", "NaN"}, true)
                     .Default(false);
    if (!Known)
      return nullptr;
    Saturates |= M == "sat";
    KeepsNaN |= M == "nan" || M == "NaN";
  }

  unsigned Arity = StringSwitch<unsigned>(Name)
                       .Cases({"add", "sub", "mul", "div"}, 2)
                       .Cases({"fmin", "fmax"}, 2)
                       .Case("fma", 3)
                       .Default(1);
  if (A.size() != Arity || !A[0]->getType()->isFPOrFPVectorTy())
    return nullptr;
  Value *One = ConstantFP::get(A[0]->getType(), 1.0);
  auto Unary = [&](Intrinsic::ID ID) {
    return B.CreateUnaryIntrinsic(ID, A[0]);
  };
  auto Binary = [&](Intrinsic::ID ID) {
    return B.CreateBinaryIntrinsic(ID, A[0], A[1]);
  };

  Value *Result = nullptr;
  if (Name == "add")
    Result = B.CreateFAdd(A[0], A[1]);
  else if (Name == "sub")
    Result = B.CreateFSub(A[0], A[1]);
  else if (Name == "mul")
    Result = B.CreateFMul(A[0], A[1]);
  else if (Name == "div")
    Result = B.CreateFDiv(A[0], A[1]);
  else if (Name == "fma")
    Result = B.CreateIntrinsic(Intrinsic::fma, {A[0]->getType()}, A);
  else if (Name == "fmin")
    Result = Binary(KeepsNaN ? Intrinsic::minimum : Intrinsic::minnum);
  else if (Name == "fmax")
    Result = Binary(KeepsNaN ? Intrinsic::maximum : Intrinsic::maxnum);
  else if (Name == "neg")
    Result = B.CreateFNeg(A[0]);
  else if (Name == "rcp")
    Result = B.CreateFDiv(One, A[0]);
  else if (Name == "rsqrt")
    Result = B.CreateFDiv(One, Unary(Intrinsic::sqrt));
  else if (Name == "saturate")
    Result = saturate(B, A[0]);
  else if (auto ID = StringSwitch<Intrinsic::ID>(Name)
                         .Case("sqrt", Intrinsic::sqrt)
                         .Case("ex2", Intrinsic::exp2)
                         .Case("lg2", Intrinsic::log2)
                         .Case("sin", Intrinsic::sin)
                         .Case("cos", Intrinsic::cos)
                         .Case("tanh", Intrinsic::tanh)
                         .Case("floor", Intrinsic::floor)
                         .Case("ceil", Intrinsic::ceil)
                         .Case("trunc", Intrinsic::trunc)
                         .Case("round", Intrinsic::roundeven)
                         .Cases({"fabs", "abs"}, Intrinsic::fabs)
                         .Default(Intrinsic::not_intrinsic))
    Result = Unary(ID);
  return Result && Saturates ? saturate(B, Result) : Result;
}

// 2. Conversions: "f2i.rz", "ui2d.rn", "d2i.hi", ...

static Value *roundTo(IRBuilder<> &B, StringRef Mode, Value *V) {
  auto ID = StringSwitch<Intrinsic::ID>(Mode)
                .Case("rn", Intrinsic::roundeven)
                .Case("rz", Intrinsic::trunc)
                .Case("rm", Intrinsic::floor)
                .Case("rp", Intrinsic::ceil)
                .Default(Intrinsic::not_intrinsic);
  return ID ? B.CreateUnaryIntrinsic(ID, V) : nullptr;
}

/// \p Unsigned, 32 bits, as the least float that is not less.
static Value *roundUp(IRBuilder<> &B, Value *Unsigned) {
  Value *Exact = B.CreateUIToFP(Unsigned, B.getDoubleTy());
  Value *Near = B.CreateFPTrunc(Exact, B.getFloatTy());
  Value *Next = B.CreateBitCast(
      B.CreateAdd(B.CreateBitCast(Near, B.getInt32Ty()), B.getInt32(1)),
      B.getFloatTy());
  Value *Less = B.CreateFCmpOLT(B.CreateFPExt(Near, B.getDoubleTy()), Exact);
  return B.CreateSelect(Less, Next, Near);
}

static Value *lowerConversion(IRBuilder<> &B, StringRef Name, Words Modifiers,
                              Values A, Type *To) {
  auto [Source, Target] = Name.split('2');
  Type *From = A.empty() ? nullptr : A[0]->getType();
  if (Name == "lohi" && A.size() == 2 && Modifiers == Words{"i2d"}) {
    Value *High = B.CreateShl(B.CreateZExt(A[1], B.getInt64Ty()), 32);
    return B.CreateBitCast(B.CreateOr(High, B.CreateZExt(A[0], B.getInt64Ty())),
                           To);
  }
  if (A.size() != 1 || Modifiers.empty() || Modifiers.size() > 2 ||
      (Modifiers.size() == 2 && Modifiers[1] != "ftz"))
    return nullptr;
  if (Name == "d2i" && (Modifiers[0] == "lo" || Modifiers[0] == "hi")) {
    Value *Bits = B.CreateBitCast(A[0], B.getInt64Ty());
    return B.CreateTrunc(Modifiers[0] == "hi" ? B.CreateLShr(Bits, 32) : Bits,
                         To);
  }
  auto IsInteger = [](StringRef T) {
    return T == "i" || T == "ui" || T == "ll" || T == "ull";
  };
  if (From->isFloatingPointTy() && IsInteger(Target)) {
    Value *Whole = roundTo(B, Modifiers[0], A[0]);
    return !Whole ? nullptr
                  : B.CreateIntrinsic(Target.starts_with("u")
                                          ? Intrinsic::fptoui_sat
                                          : Intrinsic::fptosi_sat,
                                      {To, From}, {Whole});
  }
  if (Name == "ui2f" && Modifiers[0] == "rp")
    return roundUp(B, A[0]);
  if (IsInteger(Source) && To->isFloatingPointTy())
    return Source.starts_with("u") ? B.CreateUIToFP(A[0], To)
                                   : B.CreateSIToFP(A[0], To);
  if (Name == "d2f")
    return B.CreateFPTrunc(A[0], To);
  if (Name == "f2h")
    return B.CreateBitCast(B.CreateFPTrunc(A[0], B.getHalfTy()), To);
  return nullptr;
}

// 3. Integers.

static Value *multiplyWide(IRBuilder<> &B, Values A, bool Signed, unsigned Bits,
                           unsigned Shift) {
  Type *Narrow = A[0]->getType();
  Type *Wide = B.getIntNTy(2 * Narrow->getIntegerBitWidth());
  auto Extend = [&](Value *V) {
    V = B.CreateTrunc(V, B.getIntNTy(Bits));
    return Signed ? B.CreateSExt(V, Wide) : B.CreateZExt(V, Wide);
  };
  Value *Left = Extend(A[0]);
  Value *Product = B.CreateMul(Left, Extend(A[1]));
  return B.CreateTrunc(B.CreateLShr(Product, Shift), Narrow);
}

static Value *lowerInteger(IRBuilder<> &B, StringRef Name, Words Modifiers,
                           Values A) {
  bool Signed = Modifiers.size() == 1 && !Modifiers[0].starts_with("u");
  if (A.size() < 2 || Modifiers.size() != 1 || !A[0]->getType()->isIntegerTy())
    return nullptr;
  unsigned Bits = A[0]->getType()->getIntegerBitWidth();
  if (Name == "mulhi")
    return multiplyWide(B, A, Signed, Bits, Bits);
  if (Name == "mul24" && Bits == 32)
    return multiplyWide(B, A, Signed, 24, 0);
  if (Name == "sad" && A.size() == 3) {
    Value *Least = B.CreateBinaryIntrinsic(
        Signed ? Intrinsic::smin : Intrinsic::umin, A[0], A[1]);
    Value *Greatest = B.CreateBinaryIntrinsic(
        Signed ? Intrinsic::smax : Intrinsic::umax, A[0], A[1]);
    return B.CreateAdd(A[2], B.CreateSub(Greatest, Least));
  }
  return nullptr;
}

// 4. Calls.

/// What has no effect here: a thread runs alone, and its writes are visible at
/// once; nothing overlaps.
static bool isWithoutEffect(StringRef Name) {
  return Name.starts_with("membar.") || Name.starts_with("fence.") ||
         Name.starts_with("griddepcontrol.") || Name == "nanosleep" ||
         Name == "cp.async.commit.group" || Name == "cp.async.wait.group" ||
         Name == "cp.async.wait.all";
}

Value *HostIntrinsics::lowerMemory(IRBuilder<> &B, StringRef Name,
                                   CallInst &Call, const Instruction &Source) {
  if (Name.consume_front("atomic."))
    return lowerAtomic(B, Name, Call, Source);
  if (Name.starts_with("ldu.global.")) {
    MaybeAlign Alignment =
        cast<ConstantInt>(Call.getArgOperand(1))->getMaybeAlignValue();
    Value *Pointer = Call.getArgOperand(0);
    Code.checkAccess(B, Source, Pointer, Call.getType(),
                     Alignment.valueOrOne().value(), /*Writes=*/false);
    return B.CreateAlignedLoad(Call.getType(), Pointer, Alignment);
  }
  if (Name.consume_front("isspacep.")) {
    auto Space = StringSwitch<MemorySpace>(Name)
                     .Case("const", MemorySpace::Constant)
                     .Case("local", MemorySpace::Local)
                     .Cases({"shared", "shared.cluster"}, MemorySpace::Shared)
                     .Default(MemorySpace::Global);
    Value *Is = Code.call(B, runtime::isInSpace,
                          {Call.getArgOperand(0), B.getInt32(uint32_t(Space))});
    return B.CreateTrunc(Is, B.getInt1Ty());
  }
  // cp.async.{ca,cg}.shared.global.BYTES copies at once.
  uint64_t Bytes = 0;
  if (Name.starts_with("cp.async.c") && Call.arg_size() == 2 &&
      !Name.rsplit('.').second.getAsInteger(10, Bytes)) {
    Value *To = Call.getArgOperand(0), *From = Call.getArgOperand(1);
    Value *Size = B.getInt64(Bytes);
    Code.checkAccess(B, Source, From, Size, Bytes, /*Writes=*/false);
    Code.checkAccess(B, Source, To, Size, Bytes, /*Writes=*/true);
    return B.CreateMemCpy(To, Align(Bytes), From, Align(Bytes), Bytes);
  }
  return nullptr;
}

Value *HostIntrinsics::lowerIntrinsic(IRBuilder<> &B, CallInst &Call,
                                      const Instruction &Source) {
  StringRef Name = Call.getCalledFunction()->getName();
  if (!Name.consume_front("llvm.nvvm."))
    return nullptr;
  if (Name.consume_front("read.ptx.sreg.")) {
    Type *Int32 = B.getInt32Ty();
    if (Name == "warpsize")
      return B.getInt32(WarpSize);
    auto LoadRegister = [&](StringRef Register) -> Value * {
      uint32_t *Place = Machine::get().Registers.find(Register);
      return Place ? B.CreateLoad(Int32, Code.pointer(Place)) : nullptr;
    };
    if (!Name.consume_front("lanemask."))
      return LoadRegister(Name);
    Value *Own = B.CreateShl(B.getInt32(1), LoadRegister("laneid"));
    Value *Below = B.CreateSub(Own, B.getInt32(1));
    return StringSwitch<Value *>(Name)
        .Case("eq", Own)
        .Case("lt", Below)
        .Case("le", B.CreateOr(Below, Own))
        .Case("ge", B.CreateNot(Below))
        .Default(B.CreateNot(B.CreateOr(Below, Own)));
  }
  SmallVector<Value *, 4> A(Call.args());
  if (Name == "prmt")
    return Code.call(B, runtime::permuteBytes, A);
  if (Value *V = lowerSynchronization(B, Name, Call, Source))
    return V;
  if (Value *V = lowerMemory(B, Name, Call, Source))
    return V;

  SmallVector<StringRef, 6> Parts;
  Name.split(Parts, '.');
  Words Modifiers = Words(Parts).drop_front();
  if (Value *V = lowerFloat(B, Parts[0], Modifiers, A))
    return V;
  if (Value *V = lowerInteger(B, Parts[0], Modifiers, A))
    return V;
  return lowerConversion(B, Parts[0], Modifiers, A, Call.getType());
}

/// The floating-point type that a PTX type name means, or null.
static Type *typeNamed(LLVMContext &C, StringRef Name) {
  if (Name == "f16")
    return Type::getHalfTy(C);
  if (Name == "f16x2")
    return FixedVectorType::get(Type::getHalfTy(C), 2);
  if (Name == "f32")
    return Type::getFloatTy(C);
  return Name == "f64" ? Type::getDoubleTy(C) : nullptr;
}

/// Text that is one PTX instruction "op.modifiers $0, $1, ...", as the headers
/// of CUDA write it for what has no intrinsic.
Value *HostIntrinsics::lowerAssembly(IRBuilder<> &B, CallInst &Call) {
  std::string Text(cast<InlineAsm>(Call.getCalledOperand())->getAsmString());
  erase_if(Text, [](char C) { return C == '{' || C == '}'; });
  auto [Name, Operands] = StringRef(Text).trim().split(' ');
  std::string Given;
  for (char C : Operands.trim().rtrim(';').rtrim())
    if (!isSpace(C))
      Given += C;
  std::string Expected = "$0";
  for (unsigned I = 0; I != Call.arg_size(); ++I)
    Expected += ",$" + utostr(I + 1);
  if (Given != Expected)
    return nullptr;

  SmallVector<StringRef, 6> Parts;
  Name.split(Parts, '.');
  Value *First = Call.arg_empty() ? nullptr : Call.getArgOperand(0);
  if (Name == "bfind.shiftamt.u32" && First) {
    // The leading zeros; all ones for zero.
    Value *Zeros =
        B.CreateBinaryIntrinsic(Intrinsic::ctlz, First, B.getFalse());
    return B.CreateSelect(B.CreateIsNull(First), B.getInt32(-1), Zeros);
  }
  Type *Operand = typeNamed(B.getContext(), Parts.back());
  auto SameSize = [](Type *L, Type *R) {
    return L->getPrimitiveSizeInBits() == R->getPrimitiveSizeInBits();
  };
  if (!Operand || !First || !all_of(Call.args(), [&](Value *V) {
        return SameSize(V->getType(), Operand);
      }))
    return nullptr;
  SmallVector<Value *, 4> A;
  for (Value *V : Call.args())
    A.push_back(B.CreateBitCast(V, Operand));
  Words Modifiers = Words(Parts).drop_front();

  Value *Result = nullptr;
  if (Parts[0] == "cvt") {
    Type *Target = Parts.size() < 3
                       ? nullptr
                       : typeNamed(B.getContext(), Parts[Parts.size() - 2]);
    bool Plain = Parts.size() == 3 || (Parts.size() == 4 && Parts[1] == "rn");
    if (Target && Plain && A.size() == 1 && !Target->isVectorTy() &&
        !Operand->isVectorTy())
      Result = B.CreateFPCast(A[0], Target);
  } else {
    StringRef Operation = StringSwitch<StringRef>(Parts[0])
                              .Case("min", "fmin")
                              .Case("max", "fmax")
                              .Default(Parts[0]);
    Result = lowerFloat(B, Operation, Modifiers, A);
  }
  if (!Result || Call.getType()->isAggregateType() ||
      !SameSize(Result->getType(), Call.getType()))
    return nullptr;
  return B.CreateBitCast(Result, Call.getType());
}

bool HostIntrinsics::isForGPU(const CallInst &Call) {
  if (Call.isInlineAsm())
    return true;
  const Function *Callee = Call.getCalledFunction();
  return Callee && Intrinsic::isTargetIntrinsic(Callee->getIntrinsicID());
}

bool HostIntrinsics::lower(CallInst &Call, const Instruction &Source) {
  if (const Function *F = Call.getCalledFunction()) {
    StringRef Name = F->getName();
    if (Name.consume_front("llvm.nvvm.") && isWithoutEffect(Name)) {
      Call.eraseFromParent();
      return true;
    }
  }
  IRBuilder<> B(&Call);
  Value *Replacement = Call.isInlineAsm() ? lowerAssembly(B, Call)
                                          : lowerIntrinsic(B, Call, Source);
  if (!Replacement)
    return false;
  if (!Call.getType()->isVoidTy()) {
    if (isa<Instruction>(Replacement) && !Replacement->getType()->isVoidTy())
      Replacement->takeName(&Call);
    Call.replaceAllUsesWith(Replacement);
  }
  Call.eraseFromParent();
  return true;
}
