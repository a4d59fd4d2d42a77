//===- KernelBuilder.cpp - One random kernel under construction -----------===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tools/kernel-fuzz/generator/KernelBuilder.h"
#include "tools/kernel-fuzz/generator/InputSampler.h"
#include "llvm/IR/IntrinsicsNVPTX.h"

using namespace llvm;

namespace unravel {

//===----------------------------------------------------------------------===//
// What the profiles are made of
//===----------------------------------------------------------------------===//

namespace {

enum Statement : unsigned {
  Arithmetic,
  Cast,
  MinMax,
  Select,
  Freeze,
  RoundTrip,    // take apart, put together
  PartOfTrip,   // one digit and something else
  ReshapeTwice, // take apart, put together, take apart
  RuntimeShape,
  Idiom,
  Use,
  IfThen,
  IfElse,
  Switch,
  Loop,
  EarlyReturn,
  Assume,
  AssumeLaunch,
  ReadRegister,
  Load,
  DigitUse,
  MayExit,
  Vector,
  Floor,
  NumStatements
};

/// How often a profile has each kind of statement.
struct Mixture {
  unsigned Weights[NumStatements];
  unsigned TypeWeights[6]; // i8, i16, i24, i32, i48, i64
};

} // namespace

// clang-format off
//                  Ar Ca In Se Fr RT PT Re Ru Id Us If El Sw Lo ER As AL RR Ld DU ME Ve Fl
static constexpr Mixture Mixtures[] = {
    /* Reshape   */ {{6, 1, 1, 1, 1, 8, 3, 4, 0, 4, 8, 1, 1, 0, 1, 1, 2, 1, 1, 1, 2, 1, 0, 0},
                     {1, 1, 0, 82, 0, 16}},
    /* Guards    */ {{8, 1, 2, 2, 1, 3, 2, 1, 0, 3, 8, 6, 6, 3, 1, 3, 5, 1, 1, 1, 2, 1, 0, 0},
                     {4, 4, 1, 68, 1, 22}},
    /* Loops     */ {{8, 2, 1, 1, 1, 4, 2, 1, 0, 3, 8, 2, 1, 1, 7, 1, 2, 1, 1, 1, 2, 1, 0, 0},
                     {3, 4, 0, 68, 0, 25}},
    /* Addresses */ {{8, 2, 1, 1, 1, 3, 2, 1, 0, 2, 22, 1, 2, 1, 2, 1, 2, 1, 1, 3, 0, 1, 0, 0},
                     {2, 3, 0, 55, 0, 40}},
    /* Narrow    */ {{10, 5, 3, 2, 1, 4, 2, 1, 0, 5, 8, 2, 1, 1, 2, 1, 2, 0, 1, 1, 1, 1, 0, 0},
                     {28, 26, 8, 22, 4, 12}},
    /* Wide      */ {{8, 3, 2, 1, 1, 4, 3, 2, 0, 4, 8, 2, 1, 1, 2, 1, 3, 0, 2, 1, 1, 1, 0, 0},
                     {1, 2, 0, 27, 2, 68}},
    /* Runtime   */ {{6, 1, 2, 1, 1, 2, 1, 1, 9, 3, 8, 2, 2, 1, 2, 1, 4, 1, 1, 1, 1, 1, 0, 0},
                     {0, 1, 0, 71, 0, 28}},
    /* Mixed     */ {{9, 2, 2, 2, 2, 4, 2, 2, 2, 4, 8, 3, 3, 2, 3, 2, 3, 1, 1, 1, 1, 1, 0, 0},
                     {6, 7, 1, 62, 1, 23}},
    /* Vectors   */ {{5, 1, 1, 1, 1, 2, 1, 1, 0, 2, 8, 2, 2, 1, 2, 1, 2, 1, 1, 1, 1, 1, 24, 0},
                     {4, 6, 0, 60, 0, 30}},
    /* Floors    */ {{5, 1, 1, 2, 1, 1, 1, 0, 2, 1, 8, 3, 1, 0, 1, 1, 2, 1, 2, 1, 0, 0, 0, 24},
                     {1, 2, 0, 67, 0, 30}},
};
// clang-format on

static size_t pickWeighted(FuzzRandom &R, ArrayRef<unsigned> Weights) {
  unsigned Total = 0;
  for (unsigned W : Weights)
    Total += W;
  uint64_t Left = R.below(Total);
  for (size_t K = 0;; ++K) {
    if (Left < Weights[K])
      return K;
    Left -= Weights[K];
  }
}

KernelBuilder::KernelBuilder(const SeedLine &Line, Module &M)
    : R(mixBits(Line.Seed) + uint64_t(Line.Kind)), Kind(Line.Kind),
      Seed(Line.Seed), M(M), C(M.getContext()), B(C) {}

//===----------------------------------------------------------------------===//
// Types, constants, operands
//===----------------------------------------------------------------------===//

IntegerType *KernelBuilder::type() {
  static constexpr unsigned Widths[] = {8, 16, 24, 32, 48, 64};
  return B.getIntNTy(
      Widths[pickWeighted(R, Mixtures[unsigned(Kind)].TypeWeights)]);
}

/// The type that linear indices mostly have.
IntegerType *KernelBuilder::indexType() {
  if (R.chance(25))
    return type();
  return Kind == Profile::Wide ? B.getInt64Ty() : B.getInt32Ty();
}

int64_t KernelBuilder::radix() {
  static constexpr int64_t Usual[] = {
      2,  3,  4,  5,  6,  7,   8,   9,   10,  12,  13,  16,   21,  25,
      32, 40, 49, 64, 75, 100, 128, 224, 255, 256, 300, 1000, 1024};
  if (R.chance(75))
    return R.pick(Usual);
  return int64_t(R.below(5000)) + 2;
}

ConstantInt *KernelBuilder::number(Type *Ty, uint64_t Bits) {
  return ConstantInt::get(C, APInt(Ty->getIntegerBitWidth(), Bits,
                                   /*isSigned=*/false,
                                   /*implicitTrunc=*/true));
}

ConstantInt *KernelBuilder::interestingConstant(Type *Ty) {
  unsigned Width = Ty->getIntegerBitWidth();
  switch (R.below(12)) {
  case 0:
    return number(Ty, 0);
  case 1:
    return number(Ty, UINT64_MAX);
  case 2:
    return number(Ty, 1);
  case 3:
    return number(Ty, (uint64_t(1) << (Width - 1)) - R.below(3));
  case 4: {
    uint64_t Power = uint64_t(1) << R.below(Width);
    return number(Ty, Power + R.below(3) - 1);
  }
  case 5:
    return number(Ty, uint64_t(-radix()));
  case 6: {
    uint64_t Bits = R.next();
    return number(Ty, Bits >> R.below(64));
  }
  case 7:
    return number(Ty, R.below(20));
  default:
    return number(Ty, uint64_t(radix()));
  }
}

Value *KernelBuilder::keep(Value *V) {
  if (!isa<Constant>(V))
    Pool.push_back(V);
  return V;
}

Value *KernelBuilder::anyValue() {
  if (Pool.empty() || R.chance(2))
    return interestingConstant(type());
  size_t Recent = std::min<size_t>(Pool.size(), 6);
  if (R.chance(60))
    return Pool[Pool.size() - 1 - R.below(Recent)];
  return R.pick(Pool);
}

Value *KernelBuilder::variable(Type *Ty) {
  for (unsigned Attempt = 0; Attempt < 5; ++Attempt) {
    Value *V = anyValue();
    if (V->getType() == Ty && !isa<Constant>(V))
      return V;
  }
  return convert(anyValue(), Ty);
}

Value *KernelBuilder::operand(Type *Ty) {
  return R.chance(6) ? interestingConstant(Ty) : variable(Ty);
}

Value *KernelBuilder::convert(Value *V, Type *Ty) {
  unsigned From = V->getType()->getIntegerBitWidth();
  unsigned To = Ty->getIntegerBitWidth();
  if (From == To)
    return V;
  if (From > To)
    return B.CreateTrunc(V, Ty, "tr");
  return R.chance(60) ? B.CreateZExt(V, Ty, "zx") : B.CreateSExt(V, Ty, "sx");
}

BasicBlock *KernelBuilder::block(const char *Name) {
  return BasicBlock::Create(C, Name, F);
}

//===----------------------------------------------------------------------===//
// The kernel
//===----------------------------------------------------------------------===//

void KernelBuilder::addArgumentFacts(Argument &A) {
  if (A.getType()->isPointerTy()) {
    A.addAttr(Attribute::NoUndef);
    A.addAttr(Attribute::NoAlias);
    if (R.chance(45))
      A.addAttr(Attribute::getWithAlignment(C, Align(1u << R.below(9))));
    return;
  }
  if (R.chance(60))
    A.addAttr(Attribute::NoUndef);
  if (!R.chance(35))
    return;
  unsigned Width = A.getType()->getIntegerBitWidth();
  int64_t Low = R.chance(70) ? 0 : radix();
  if (R.chance(30))
    Low = -Low;
  uint64_t High;
  if (R.chance(70)) {
    High = uint64_t(radix());
    High *= R.chance(50) ? uint64_t(radix()) : 1;
  } else {
    High = (uint64_t(1) << (Width - 1)) - R.below(3);
  }
  ConstantInt *From = number(A.getType(), uint64_t(Low));
  ConstantInt *To = number(A.getType(), High);
  if (From != To)
    A.addAttr(Attribute::get(C, Attribute::Range,
                             ConstantRange(From->getValue(), To->getValue())));
}

void KernelBuilder::addSignature() {
  std::vector<Type *> Types{B.getPtrTy(1), B.getPtrTy(), B.getPtrTy(1)};
  for (uint64_t K = 1 + R.below(4); K > 0; --K)
    Types.push_back(type());
  F = Function::Create(FunctionType::get(B.getVoidTy(), Types, false),
                       Function::ExternalLinkage, "kernel", M);
  F->setCallingConv(CallingConv::PTX_Kernel);
  F->addFnAttr("target-cpu", "sm_90");
  setSamplingSeed(*F, Seed);
  static constexpr const char *Blocks[] = {"128", "32,8", "256,1,1", "75",
                                           "16,16,4"};
  if (R.chance(20))
    F->addFnAttr("nvvm.reqntid", R.pick(Blocks));
  else if (R.chance(20))
    F->addFnAttr("nvvm.maxntid", R.pick(Blocks));
  static constexpr const char *Clusters[] = {"2", "4,2,1", "3,1,2"};
  if (Kind == Profile::Floors && R.chance(20))
    F->addFnAttr("nvvm.cluster_dim", R.pick(Clusters));
  B.SetInsertPoint(block("entry"));
  static constexpr const char *Names[] = {"out", "generic", "in"};
  for (Argument &A : F->args()) {
    unsigned No = A.getArgNo();
    A.setName(No < 3 ? Names[No] : "a" + Twine(No - 3));
    addArgumentFacts(A);
    if (No >= 3)
      keep(&A);
  }
  Pointers = {F->getArg(0), F->getArg(1)};
  Readable = F->getArg(2);
  F->addParamAttr(2, Attribute::ReadOnly);
}

/// The number of the thread, in a few spellings.
void KernelBuilder::addThreadIndex() {
  static constexpr int Blocks[] = {32, 64, 75, 128, 256, 1024};
  uint64_t Parts = R.below(4);
  if (Parts == 0)
    return;
  Value *Thread =
      keep(call(Intrinsic::nvvm_read_ptx_sreg_tid_x, {}, {}, "tid"));
  if (Parts == 1)
    return;
  Value *Block =
      keep(call(Intrinsic::nvvm_read_ptx_sreg_ctaid_x, {}, {}, "ctaid"));
  Value *Size =
      R.chance(50) ? B.getInt32(uint32_t(R.pick(Blocks)))
                   : call(Intrinsic::nvvm_read_ptx_sreg_ntid_x, {}, {}, "ntid");
  keep(Size);
  if (R.chance(25)) {
    Block = B.CreateZExt(Block, B.getInt64Ty());
    Size = B.CreateZExt(Size, B.getInt64Ty());
    Thread = B.CreateZExt(Thread, B.getInt64Ty());
  }
  keep(B.CreateAdd(B.CreateMul(Block, Size, "base"), Thread, "i"));
  if (Parts == 3)
    keep(readRegister());
}

void KernelBuilder::statement() {
  --Budget;
  size_t What = pickWeighted(R, Mixtures[unsigned(Kind)].Weights);
  bool IsNested =
      What == IfThen || What == IfElse || What == Switch || What == Loop;
  if (IsNested && Depth >= MaxDepth)
    return use();
  switch (What) {
  case Arithmetic:
    keep(arithmetic());
    return;
  case Cast: {
    Type *Ty = type();
    keep(convert(anyValue(), Ty));
    return;
  }
  case MinMax:
    keep(intrinsic());
    return;
  case Select: {
    Type *Ty = type();
    Value *If = condition();
    Value *Then = operand(Ty);
    Value *Else = operand(Ty);
    keep(B.CreateSelect(If, Then, Else, "sel"));
    return;
  }
  case Freeze: {
    Type *Ty = type();
    keep(B.CreateFreeze(variable(Ty), "fr"));
    return;
  }
  case RoundTrip:
    linearize(delinearize(variable(indexType())));
    return;
  case PartOfTrip: {
    Digits D = delinearize(variable(type()));
    Value *Digit = R.pick(D.Parts);
    Value *Other = variable(Digit->getType());
    linearize({{Digit, Other}, {radix(), 0}});
    return;
  }
  case ReshapeTwice:
    return reshape();
  case RuntimeShape:
    return runtimeShape();
  case Idiom:
    return idiom();
  case Use:
    return use();
  case IfThen:
    return ifThen();
  case IfElse:
    return ifElse();
  case Switch:
    return switchOver();
  case Loop:
    return loop();
  case EarlyReturn:
    return earlyReturn();
  case Assume:
    return assume();
  case AssumeLaunch:
    return assumeLaunch();
  case ReadRegister:
    keep(readRegister());
    return;
  case Load:
    keep(load());
    return;
  case DigitUse: {
    Digits D = delinearize(variable(indexType()));
    callUnknown(R.pick(D.Parts), /*MayEndThread=*/false);
    return;
  }
  case MayExit: {
    Type *Ty = type();
    callUnknown(variable(Ty), /*MayEndThread=*/true);
    return;
  }
  case Vector:
    return vectorStatement();
  case Floor:
    return floorDigits();
  default:
    llvm_unreachable("not a statement");
  }
}

void KernelBuilder::statements(unsigned Count) {
  for (unsigned K = 0; K < Count && Budget > 0; ++K)
    statement();
  if (R.chance(70))
    use();
}

Function &KernelBuilder::build() {
  addSignature();
  addThreadIndex();
  Budget = 6 + int(R.below(28));
  while (Budget > 0)
    statements(unsigned(Budget));
  use();
  use();
  B.CreateRetVoid();
  return *F;
}

} // namespace unravel
