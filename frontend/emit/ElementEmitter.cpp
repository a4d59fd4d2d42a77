//===- ElementEmitter.cpp - Code for operations on elements ---------------===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "frontend/emit/ElementEmitter.h"
#include "frontend/emit/ComplexFunctions.h"

using namespace llvm;

namespace unravel {

Value *callMath(IRBuilderBase &B, StringRef Name, ArrayRef<Value *> Arguments) {
  Module &M = *B.GetInsertBlock()->getModule();
  Type *T = Arguments[0]->getType();
  SmallVector<Type *, 2> Types(Arguments.size(), T);
  FunctionCallee Callee = M.getOrInsertFunction(
      ("__nv_" + Name + (T->isFloatTy() ? "f" : "")).str(),
      FunctionType::get(T, Types, false));
  auto *F = cast<Function>(Callee.getCallee());
  F->setDoesNotAccessMemory();
  F->setDoesNotThrow();
  F->setWillReturn();
  return B.CreateCall(Callee, Arguments);
}

//===----------------------------------------------------------------------===//
// One operand
//===----------------------------------------------------------------------===//

Value *ElementEmitter::unaryOfInteger(IRBuilderBase &B, HloOpcode Opcode,
                                      ElementType T, Value *X) {
  Type *IRType = X->getType();
  Constant *Zero = Constant::getNullValue(IRType);
  switch (Opcode) {
  case HloOpcode::Abs: {
    if (!isSigned(T))
      return X;
    Value *IsNegative = B.CreateICmpSLT(X, Zero);
    return B.CreateSelect(IsNegative, B.CreateNeg(X), X);
  }
  case HloOpcode::CountLeadingZeros:
    return B.CreateIntrinsic(Intrinsic::ctlz, {IRType}, {X, B.getFalse()});
  case HloOpcode::Negate:
    return B.CreateNeg(X);
  case HloOpcode::Not:
    return B.CreateNot(X);
  case HloOpcode::PopulationCount:
    return B.CreateUnaryIntrinsic(Intrinsic::ctpop, X);
  case HloOpcode::Sign: {
    Value *Positive = B.CreateZExtOrTrunc(B.CreateIsNotNull(X), IRType);
    if (!isSigned(T))
      return Positive;
    return B.CreateSelect(B.CreateICmpSLT(X, Zero),
                          Constant::getAllOnesValue(IRType), Positive);
  }
  default:
    llvm_unreachable("not an operation of integers");
  }
}

/// The function of libdevice that \p Opcode is, or nothing.
static StringRef mathFunction(HloOpcode Opcode) {
  switch (Opcode) {
  case HloOpcode::Acos:
    return "acos";
  case HloOpcode::Acosh:
    return "acosh";
  case HloOpcode::Asin:
    return "asin";
  case HloOpcode::Asinh:
    return "asinh";
  case HloOpcode::Atan2:
    return "atan2";
  case HloOpcode::Atanh:
    return "atanh";
  case HloOpcode::Cbrt:
    return "cbrt";
  case HloOpcode::Cosh:
    return "cosh";
  case HloOpcode::Cosine:
    return "cos";
  case HloOpcode::Erf:
    return "erf";
  case HloOpcode::Exponential:
    return "exp";
  case HloOpcode::ExponentialMinusOne:
    return "expm1";
  case HloOpcode::Log:
    return "log";
  case HloOpcode::LogPlusOne:
    return "log1p";
  case HloOpcode::Power:
    return "pow";
  case HloOpcode::Remainder:
    return "fmod";
  case HloOpcode::Sine:
    return "sin";
  case HloOpcode::Sinh:
    return "sinh";
  case HloOpcode::Tan:
    return "tan";
  case HloOpcode::Tanh:
    return "tanh";
  default:
    return "";
  }
}

Value *ElementEmitter::unaryOfFloat(IRBuilderBase &B, HloOpcode Opcode,
                                    Value *X) {
  Type *T = X->getType();
  Constant *Zero = Constant::getNullValue(T), *One = ConstantFP::get(T, 1.0);
  if (StringRef Name = mathFunction(Opcode); !Name.empty())
    return callMath(B, Name, {X});
  switch (Opcode) {
  case HloOpcode::Abs:
    return B.CreateUnaryIntrinsic(Intrinsic::fabs, X);
  case HloOpcode::Ceil:
    return B.CreateUnaryIntrinsic(Intrinsic::ceil, X);
  case HloOpcode::Floor:
    return B.CreateUnaryIntrinsic(Intrinsic::floor, X);
  case HloOpcode::Imag:
    return Zero;
  case HloOpcode::Logistic:
    return B.CreateFDiv(
        One, B.CreateFAdd(One, callMath(B, "exp", {B.CreateFNeg(X)})));
  case HloOpcode::Negate:
    return B.CreateFNeg(X);
  case HloOpcode::Real:
    return X;
  case HloOpcode::RoundNearestAfz:
    return B.CreateUnaryIntrinsic(Intrinsic::round, X);
  case HloOpcode::RoundNearestEven:
    return B.CreateUnaryIntrinsic(Intrinsic::roundeven, X);
  case HloOpcode::Rsqrt:
    return B.CreateFDiv(One, B.CreateUnaryIntrinsic(Intrinsic::sqrt, X));
  case HloOpcode::Sign: { // zeros and NaN as they are
    Value *HasSign = B.CreateFCmpONE(X, Zero);
    Value *Unit = B.CreateBinaryIntrinsic(Intrinsic::copysign, One, X);
    return B.CreateSelect(HasSign, Unit, X);
  }
  case HloOpcode::Sqrt:
    return B.CreateUnaryIntrinsic(Intrinsic::sqrt, X);
  default:
    llvm_unreachable("not an operation of floats");
  }
}

/// As the evaluator: in the bits, whose mantissa and exponent are as those of
/// IEEE.
Value *ElementEmitter::reducePrecision(IRBuilderBase &B,
                                       const HloReducePrecision &To,
                                       ElementType T, Value *X) {
  const fltSemantics &Semantics = semanticsOf(T);
  unsigned Width = bitWidth(T);
  int64_t Mantissa = APFloat::semanticsPrecision(Semantics) - 1;
  int64_t Exponent = Width - 1 - Mantissa;
  IntegerType *IRType = B.getIntNTy(Width);
  auto Number = [&](uint64_t N) {
    return ConstantInt::get(IRType, APInt(64, N).trunc(Width));
  };
  Value *Original = toBits(B, T, X);
  uint64_t SignBit = uint64_t(1) << (Width - 1);
  Value *Sign = B.CreateAnd(Original, Number(SignBit));
  Value *Bits = B.CreateAnd(Original, Number(SignBit - 1));
  if (To.MantissaBits < Mantissa) {
    int64_t Dropped = Mantissa - To.MantissaBits;
    Value *Last = B.CreateAnd(B.CreateLShr(Bits, Dropped), Number(1));
    Bits = B.CreateAdd(
        Bits, B.CreateAdd(Last, Number((uint64_t(1) << (Dropped - 1)) - 1)));
    Bits = B.CreateAnd(Bits, Number(~uint64_t(0) << Dropped));
  }
  if (To.ExponentBits < Exponent) {
    int64_t Bias = (int64_t(1) << (Exponent - 1)) - 1;
    int64_t ToBias = (int64_t(1) << (To.ExponentBits - 1)) - 1;
    Value *Biased = B.CreateLShr(Bits, Mantissa);
    Value *Infinity =
        Number(APFloat::getInf(Semantics).bitcastToAPInt().getZExtValue());
    Value *IsSmall = B.CreateICmpULE(Biased, Number(Bias - ToBias));
    Value *IsLarge = B.CreateICmpUGT(Biased, Number(Bias + ToBias));
    Bits = B.CreateSelect(IsSmall, Number(0), Bits);
    Bits = B.CreateSelect(IsLarge, Infinity, Bits);
  }
  Value *Wide = widen(B, T, X);
  Value *IsNaN = B.CreateFCmpUNO(Wide, Wide);
  Value *Result = B.CreateSelect(IsNaN, Original, B.CreateOr(Bits, Sign));
  return fromBits(B, T, Result);
}

//===----------------------------------------------------------------------===//
// Two operands
//===----------------------------------------------------------------------===//

/// `T f(T x, T y)`: by repeated squaring, one bit of y after the other.
Function *ElementEmitter::powerFunction(ElementType T) {
  std::string Name = ("unravel.power." + nameOf(T)).str();
  if (Function *Known = M.getFunction(Name))
    return Known;
  Type *IRType = valueType(T);
  auto *F = Function::Create(FunctionType::get(IRType, {IRType, IRType}, false),
                             GlobalValue::InternalLinkage, Name, M);
  F->addFnAttr(Attribute::NoUnwind);
  BasicBlock *Entry = BasicBlock::Create(C, "entry", F);
  BasicBlock *Loop = BasicBlock::Create(C, "square", F);
  BasicBlock *Exit = BasicBlock::Create(C, "exit", F);
  IRBuilder<> B(Entry);
  Value *X = F->getArg(0), *Y = F->getArg(1);
  Constant *Zero = Constant::getNullValue(IRType);
  Constant *One = ConstantInt::get(IRType, 1);
  Constant *MinusOne = Constant::getAllOnesValue(IRType);
  B.CreateBr(Loop);
  B.SetInsertPoint(Loop);
  PHINode *Rest = B.CreatePHI(IRType, 2), *Base = B.CreatePHI(IRType, 2),
          *Product = B.CreatePHI(IRType, 2);
  Value *IsOdd = B.CreateTrunc(Rest, B.getInt1Ty());
  Value *NewProduct =
      B.CreateSelect(IsOdd, B.CreateMul(Product, Base), Product);
  Value *NewBase = B.CreateMul(Base, Base);
  Value *NewRest = B.CreateLShr(Rest, One);
  for (auto [Phi, First, Next] :
       {std::tuple(Rest, Y, NewRest), std::tuple(Base, X, NewBase),
        std::tuple(Product, (Value *)One, NewProduct)}) {
    Phi->addIncoming(First, Entry);
    Phi->addIncoming(Next, Loop);
  }
  B.CreateCondBr(B.CreateIsNull(NewRest), Exit, Loop);
  B.SetInsertPoint(Exit);
  Value *Result = NewProduct;
  if (isSigned(T)) {
    // 1 / x^n: 1 and -1 stay, everything else is nothing.
    Value *OfMinusOne =
        B.CreateSelect(B.CreateTrunc(Y, B.getInt1Ty()), MinusOne, One);
    Value *Inverse =
        B.CreateSelect(B.CreateICmpEQ(X, MinusOne), OfMinusOne, Zero);
    Inverse = B.CreateSelect(B.CreateICmpEQ(X, One), One, Inverse);
    Result = B.CreateSelect(B.CreateICmpSLT(Y, Zero), Inverse, Result);
  }
  B.CreateRet(Result);
  return F;
}

Value *ElementEmitter::binaryOfInteger(IRBuilderBase &B, HloOpcode Opcode,
                                       ElementType T, Value *X, Value *Y) {
  Type *IRType = X->getType();
  bool Signed = isSigned(T);
  Constant *Zero = Constant::getNullValue(IRType);
  Constant *One = ConstantInt::get(IRType, 1);
  Constant *MinusOne = Constant::getAllOnesValue(IRType);
  unsigned Width = bitWidth(T);
  // What no division may see is replaced before it, and what it would have been
  // comes behind it.
  auto Divided = [&](Value *OfZero, Value *OfMinusOne, bool IsQuotient) {
    Value *IsZero = B.CreateIsNull(Y);
    Value *Special = IsZero;
    Value *IsMinusOne = nullptr;
    if (Signed) {
      IsMinusOne = B.CreateICmpEQ(Y, MinusOne);
      Special = B.CreateOr(IsZero, IsMinusOne);
    }
    Value *Divisor = B.CreateSelect(Special, One, Y);
    Value *Result = IsQuotient ? Signed ? B.CreateSDiv(X, Divisor)
                                        : B.CreateUDiv(X, Divisor)
                    : Signed   ? B.CreateSRem(X, Divisor)
                               : B.CreateURem(X, Divisor);
    if (Signed)
      Result = B.CreateSelect(IsMinusOne, OfMinusOne, Result);
    return B.CreateSelect(IsZero, OfZero, Result);
  };
  auto Shifted = [&](Instruction::BinaryOps Shift, Value *Far) {
    Value *IsFar = B.CreateICmpUGE(Y, ConstantInt::get(IRType, Width));
    Value *Amount = B.CreateSelect(IsFar, Zero, Y);
    return B.CreateSelect(IsFar, Far, B.CreateBinOp(Shift, X, Amount));
  };
  switch (Opcode) {
  case HloOpcode::Add:
    return isPred(T) ? B.CreateOr(X, Y) : B.CreateAdd(X, Y);
  case HloOpcode::And:
    return B.CreateAnd(X, Y);
  case HloOpcode::Divide:
    return Divided(MinusOne, B.CreateNeg(X), /*IsQuotient=*/true);
  case HloOpcode::Maximum:
    return B.CreateBinaryIntrinsic(Signed ? Intrinsic::smax : Intrinsic::umax,
                                   X, Y);
  case HloOpcode::Minimum:
    return B.CreateBinaryIntrinsic(Signed ? Intrinsic::smin : Intrinsic::umin,
                                   X, Y);
  case HloOpcode::Multiply:
    return isPred(T) ? B.CreateAnd(X, Y) : B.CreateMul(X, Y);
  case HloOpcode::Or:
    return B.CreateOr(X, Y);
  case HloOpcode::Power:
    return B.CreateCall(powerFunction(T), {X, Y});
  case HloOpcode::Remainder:
    return Divided(X, Zero, /*IsQuotient=*/false);
  case HloOpcode::ShiftLeft:
    return Shifted(Instruction::Shl, Zero);
  case HloOpcode::ShiftRightArithmetic:
    return Shifted(Instruction::AShr,
                   B.CreateSelect(B.CreateICmpSLT(X, Zero), MinusOne, Zero));
  case HloOpcode::ShiftRightLogical:
    return Shifted(Instruction::LShr, Zero);
  case HloOpcode::Subtract:
    return B.CreateSub(X, Y);
  case HloOpcode::Xor:
    return B.CreateXor(X, Y);
  default:
    llvm_unreachable("not an operation of integers");
  }
}

Value *ElementEmitter::binaryOfFloat(IRBuilderBase &B, HloOpcode Opcode,
                                     Value *X, Value *Y) {
  if (StringRef Name = mathFunction(Opcode); !Name.empty())
    return callMath(B, Name, {X, Y});
  switch (Opcode) {
  case HloOpcode::Add:
    return B.CreateFAdd(X, Y);
  case HloOpcode::Divide:
    return B.CreateFDiv(X, Y);
  case HloOpcode::Maximum:
    return B.CreateBinaryIntrinsic(Intrinsic::maximum, X, Y);
  case HloOpcode::Minimum:
    return B.CreateBinaryIntrinsic(Intrinsic::minimum, X, Y);
  case HloOpcode::Multiply:
    return B.CreateFMul(X, Y);
  case HloOpcode::Subtract:
    return B.CreateFSub(X, Y);
  default:
    llvm_unreachable("not an operation of floats");
  }
}

Value *ElementEmitter::binary(IRBuilderBase &B, HloOpcode Opcode, ElementType T,
                              Value *X, Value *Y) {
  if (isComplex(T))
    return binaryOfComplex(B, Opcode, X, Y);
  if (isFloat(T)) {
    Value *WideX = widen(B, T, X), *WideY = widen(B, T, Y);
    return round(B, T, binaryOfFloat(B, Opcode, WideX, WideY));
  }
  return binaryOfInteger(B, Opcode, T, X, Y);
}

Value *ElementEmitter::compare(IRBuilderBase &B, const HloCompare &How,
                               ElementType T, Value *X, Value *Y) {
  struct Predicates {
    CmpInst::Predicate Float, Signed, Unsigned;
  };
  auto Of = [&]() -> Predicates {
    switch (How.Direction) {
    case HloDirection::EQ:
      return {CmpInst::FCMP_OEQ, CmpInst::ICMP_EQ, CmpInst::ICMP_EQ};
    case HloDirection::NE: // of NaN as well
      return {CmpInst::FCMP_UNE, CmpInst::ICMP_NE, CmpInst::ICMP_NE};
    case HloDirection::GE:
      return {CmpInst::FCMP_OGE, CmpInst::ICMP_SGE, CmpInst::ICMP_UGE};
    case HloDirection::GT:
      return {CmpInst::FCMP_OGT, CmpInst::ICMP_SGT, CmpInst::ICMP_UGT};
    case HloDirection::LE:
      return {CmpInst::FCMP_OLE, CmpInst::ICMP_SLE, CmpInst::ICMP_ULE};
    case HloDirection::LT:
      return {CmpInst::FCMP_OLT, CmpInst::ICMP_SLT, CmpInst::ICMP_ULT};
    }
    llvm_unreachable("every direction is above");
  }();
  if (isComplex(T)) {
    Value *Parts = B.CreateFCmp(Of.Float, X, Y);
    Value *Re = B.CreateExtractElement(Parts, uint64_t(0));
    Value *Im = B.CreateExtractElement(Parts, uint64_t(1));
    return How.Direction == HloDirection::EQ ? B.CreateAnd(Re, Im)
                                             : B.CreateOr(Re, Im);
  }
  if (!isFloat(T))
    return B.CreateICmp(isSigned(T) ? Of.Signed : Of.Unsigned, X, Y);
  X = widen(B, T, X);
  Y = widen(B, T, Y);
  if (How.Type != HloCompareType::TotalOrder)
    return B.CreateFCmp(Of.Float, X, Y);
  // The bits are ordered as the numbers, those of negative ones backwards.
  auto Order = [&](Value *V) {
    unsigned Width = V->getType()->getPrimitiveSizeInBits();
    Type *Bits = B.getIntNTy(Width);
    Value *N = B.CreateBitCast(V, Bits);
    Value *Flipped =
        B.CreateXor(N, ConstantInt::get(Bits, APInt::getSignedMaxValue(Width)));
    return B.CreateSelect(B.CreateICmpSLT(N, Constant::getNullValue(Bits)),
                          Flipped, N);
  };
  Value *Left = Order(X);
  return B.CreateICmp(Of.Signed, Left, Order(Y));
}

//===----------------------------------------------------------------------===//
// All of them
//===----------------------------------------------------------------------===//

Value *ElementEmitter::emit(IRBuilderBase &B, const HloInstruction &I,
                            ArrayRef<Value *> Operands) {
  ElementType Result = I.shape().elementType();
  Value *X = Operands[0];
  ElementType T = I.operand(0).shape().elementType();
  switch (I.opcode()) {
  case HloOpcode::Copy:
    return X;
  case HloOpcode::Select:
    return B.CreateSelect(X, Operands[1], Operands[2]);
  case HloOpcode::Clamp: // min(max(low, x), high)
    return binary(B, HloOpcode::Minimum, Result,
                  binary(B, HloOpcode::Maximum, Result, X, Operands[1]),
                  Operands[2]);
  case HloOpcode::Compare:
    return compare(B, I.attributes<HloCompare>(), T, X, Operands[1]);
  case HloOpcode::Complex:
    return makeComplex(B, X, Operands[1]);
  case HloOpcode::Convert:
    return convert(B, Result, T, X);
  case HloOpcode::IsFinite: {
    Value *Wide = widen(B, T, X);
    return B.CreateFCmpONE(B.CreateUnaryIntrinsic(Intrinsic::fabs, Wide),
                           ConstantFP::getInfinity(Wide->getType()));
  }
  case HloOpcode::ReducePrecision:
    return reducePrecision(B, I.attributes<HloReducePrecision>(), T, X);
  default:
    break;
  }
  if (classOf(I.opcode()) == HloOpClass::ElementwiseBinary)
    return binary(B, I.opcode(), Result, X, Operands[1]);
  if (isComplex(T))
    return unaryOfComplex(B, I.opcode(), X);
  if (isFloat(T))
    return round(B, Result, unaryOfFloat(B, I.opcode(), widen(B, T, X)));
  return unaryOfInteger(B, I.opcode(), T, X);
}

ElementType ElementEmitter::accumulator(ElementType T) {
  return isFloat(T) && bitWidth(T) < 32 ? ElementType::F32 : T;
}

Value *ElementEmitter::multiplyAdd(IRBuilderBase &B, ElementType T, Value *Sum,
                                   Value *X, Value *Y) {
  return binary(B, HloOpcode::Add, T, Sum,
                binary(B, HloOpcode::Multiply, T, X, Y));
}

} // namespace unravel
