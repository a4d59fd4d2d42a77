//===- BuildExpressions.cpp - Single operations ---------------------------===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tools/kernel-fuzz/generator/KernelBuilder.h"
#include "tools/kernel-fuzz/interpreter/ThreadInput.h"
#include "llvm/IR/IntrinsicsNVPTX.h"

using namespace llvm;

namespace unravel {

Value *KernelBuilder::call(Intrinsic::ID ID, ArrayRef<Type *> Types,
                           ArrayRef<Value *> Arguments, const char *Name) {
  return B.CreateIntrinsic(ID, Types, Arguments, nullptr, Name);
}

/// By a constant, mostly a small one; or by a value below the width.
Value *KernelBuilder::shift(Value *X) {
  Type *Ty = X->getType();
  unsigned Width = Ty->getIntegerBitWidth();
  Value *Amount;
  if (R.chance(85)) {
    unsigned Bound = R.chance(70) ? std::min(Width, 7u) : Width;
    Amount = number(Ty, R.below(Bound));
  } else {
    // Odd widths may shift too far, which is poison.
    Amount = B.CreateAnd(operand(Ty), number(Ty, Width - 1), "amount");
  }
  switch (R.below(3)) {
  case 0:
    return B.CreateShl(X, Amount, "shl");
  case 1:
    return B.CreateLShr(X, Amount, "lshr");
  default:
    return B.CreateAShr(X, Amount, "ashr");
  }
}

Value *KernelBuilder::bitwise(Value *X) {
  Type *Ty = X->getType();
  unsigned Width = Ty->getIntegerBitWidth();
  uint64_t Low = (uint64_t(1) << R.below(Width)) - 1;
  switch (R.below(7)) {
  case 0:
    return B.CreateAnd(X, number(Ty, Low), "low");
  case 1:
    return B.CreateAnd(X, number(Ty, ~Low), "high");
  case 2: {
    uint64_t Shift = R.below(Width);
    return B.CreateAnd(X, number(Ty, Low << Shift), "middle");
  }
  case 3:
    return B.CreateAnd(X, operand(Ty), "and");
  case 4:
    return B.CreateOr(X, operand(Ty), "or");
  case 5:
    return B.CreateXor(X, R.chance(60) ? number(Ty, Low) : operand(Ty), "xor");
  default:
    return B.CreateNot(X, "not");
  }
}

/// Never zero unless its operand is poison.
Value *KernelBuilder::divisor(Type *Ty, bool Signed) {
  ConstantInt *One = number(Ty, 1);
  if (R.chance(85)) {
    uint64_t D = uint64_t(radix());
    if (Signed && R.chance(8))
      D = -D;
    ConstantInt *Constant =
        R.chance(5) ? interestingConstant(Ty) : number(Ty, D);
    return Constant->isZero() ? number(Ty, 3) : Constant;
  }
  Value *D = operand(Ty);
  if (R.chance(50))
    return B.CreateOr(D, One, "nonzero");
  return call(Intrinsic::umax, {Ty}, {D, One}, "nonzero");
}

Value *KernelBuilder::divide(Value *X, Value *D, bool Remainder, bool Signed) {
  if (Remainder)
    return Signed ? B.CreateSRem(X, D, "srem") : B.CreateURem(X, D, "urem");
  return Signed ? B.CreateSDiv(X, D, "sdiv") : B.CreateUDiv(X, D, "udiv");
}

Value *KernelBuilder::arithmetic() {
  Type *Ty = type();
  Value *X = variable(Ty);
  auto Other = [&]() -> Value * {
    return R.chance(55) ? interestingConstant(Ty) : operand(Ty);
  };
  switch (R.below(16)) {
  case 0:
  case 1:
  case 2:
    return B.CreateAdd(X, Other(), "add");
  case 3:
    return B.CreateSub(X, Other(), "sub");
  case 4:
    return B.CreateSub(Other(), X, "sub");
  case 5:
  case 6: {
    Value *Y = R.chance(80) ? number(Ty, uint64_t(radix())) : Other();
    return B.CreateMul(X, Y, "mul");
  }
  case 7:
  case 8:
    return shift(X);
  case 9:
  case 10: {
    bool Signed = R.chance(50);
    Value *D = divisor(Ty, Signed);
    return divide(X, D, /*Remainder=*/true, Signed);
  }
  case 11:
  case 12: {
    bool Signed = R.chance(50);
    Value *D = divisor(Ty, Signed);
    return divide(X, D, /*Remainder=*/false, Signed);
  }
  case 13:
  case 14:
    return bitwise(X);
  default:
    return B.CreateAdd(X, number(Ty, R.below(9) - 4), "inc");
  }
}

CmpInst::Predicate KernelBuilder::predicate() {
  static constexpr CmpInst::Predicate Predicates[] = {
      CmpInst::ICMP_EQ,  CmpInst::ICMP_NE,  CmpInst::ICMP_UGT,
      CmpInst::ICMP_UGE, CmpInst::ICMP_ULT, CmpInst::ICMP_ULE,
      CmpInst::ICMP_SGT, CmpInst::ICMP_SGE, CmpInst::ICMP_SLT,
      CmpInst::ICMP_SLE, CmpInst::ICMP_ULT, CmpInst::ICMP_SLT};
  return R.pick(Predicates);
}

Value *KernelBuilder::condition(unsigned Depth) {
  if (Kind == Profile::Vectors && R.chance(20))
    return vectorCondition();
  if (Depth < 2 && R.chance(22)) {
    Value *X = condition(Depth + 1);
    Value *Y = condition(Depth + 1);
    switch (R.below(6)) {
    case 0:
      return B.CreateAnd(X, Y, "both");
    case 1:
      return B.CreateOr(X, Y, "either");
    case 2:
      return B.CreateLogicalAnd(X, Y, "and.then");
    case 3:
      return B.CreateLogicalOr(X, Y, "or.else");
    case 4:
      return B.CreateXor(X, Y, "differ");
    default:
      return B.CreateNot(X, "not");
    }
  }
  Type *Ty = type();
  Value *X = variable(Ty);
  if (!Compared.empty() && R.chance(15)) {
    X = R.pick(Compared);
    Ty = X->getType();
  }
  Compared.push_back(X);
  bool IsConstant = R.chance(65);
  Value *Y = IsConstant ? interestingConstant(Ty) : operand(Ty);
  CmpInst::Predicate P = predicate();
  Value *V = B.CreateICmp(P, X, Y, "cmp");
  if (auto *Cmp = dyn_cast<ICmpInst>(V); Cmp && IsConstant)
    Conditions.Guards.push_back(Cmp);
  return V;
}

Value *KernelBuilder::intrinsic() {
  static constexpr Intrinsic::ID IDs[] = {Intrinsic::smin,     Intrinsic::smax,
                                          Intrinsic::umin,     Intrinsic::umax,
                                          Intrinsic::usub_sat, Intrinsic::abs};
  Type *Ty = type();
  Value *X = variable(Ty);
  Intrinsic::ID ID = R.pick(IDs);
  if (ID == Intrinsic::abs)
    return call(ID, {Ty}, {X, B.getInt1(R.chance(40))}, "abs");
  Value *Y = R.chance(50) ? interestingConstant(Ty) : operand(Ty);
  if (R.chance(20))
    std::swap(X, Y);
  return call(ID, {Ty}, {X, Y}, "clamp");
}

Value *KernelBuilder::readRegister() {
  return call(R.pick(registerIntrinsics()), {}, {}, "sreg");
}

} // namespace unravel
