//===- ExecuteFloat.cpp - Floating-point operations -----------------------===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Index arithmetic has none; but kernels compute with what they load, and what
// a kernel stores is compared. All NaNs are one.
//
//===----------------------------------------------------------------------===//

#include "tools/kernel-fuzz/interpreter/ExecuteOperation.h"
#include "llvm/ADT/APFloat.h"
#include "llvm/ADT/APSInt.h"
#include "llvm/IR/IntrinsicsNVPTX.h"
#include "llvm/IR/Type.h"

using namespace llvm;

namespace unravel {

static Scalar toScalar(const APFloat &F) {
  APFloat Canonical = F.isNaN() ? APFloat::getNaN(F.getSemantics()) : F;
  return {Canonical.bitcastToAPInt().getZExtValue(), false, -1};
}

static APFloat toFloat(Scalar V, const Type *Ty) {
  const fltSemantics &Semantics = Ty->getScalarType()->getFltSemantics();
  return APFloat(Semantics, APInt(APFloat::getSizeInBits(Semantics), V.Bits));
}

static bool holds(CmpInst::Predicate Predicate, const APFloat &A,
                  const APFloat &B) {
  APFloat::cmpResult R = A.compare(B);
  // FCMP predicates are bit sets: equal, greater, less, unordered.
  unsigned Bit = R == APFloat::cmpEqual         ? 1
                 : R == APFloat::cmpGreaterThan ? 2
                 : R == APFloat::cmpLessThan    ? 4
                                                : 8;
  return unsigned(Predicate) & Bit;
}

/// Float to integer; poison if the number does not fit.
static Scalar toInteger(const APFloat &F, unsigned Width, bool IsSigned) {
  APSInt Result(Width, /*isUnsigned=*/!IsSigned);
  bool IsExact;
  if (F.convertToInteger(Result, APFloat::rmTowardZero, &IsExact) &
      APFloat::opInvalidOp)
    return Scalar::poison();
  return {Result.getZExtValue(), false, -1};
}

static Outcome castFloat(const Operation &Op, Scalar A) {
  constexpr auto Nearest = APFloat::rmNearestTiesToEven;
  const Type *From = Op.Inst->getOperand(0)->getType();
  const Type *To = Op.Inst->getType()->getScalarType();
  Outcome Out;
  switch (Op.Opcode) {
  case Instruction::SIToFP:
  case Instruction::UIToFP: {
    APFloat F(To->getFltSemantics());
    F.convertFromAPInt(APInt(Op.OperandWidth, A.Bits),
                       Op.Opcode == Instruction::SIToFP, Nearest);
    Out.Value = toScalar(F);
    return Out;
  }
  case Instruction::FPToSI:
  case Instruction::FPToUI:
    Out.Value =
        toInteger(toFloat(A, From), Op.Width, Op.Opcode == Instruction::FPToSI);
    return Out;
  default: {
    APFloat F = toFloat(A, From);
    bool LosesInfo;
    F.convert(To->getFltSemantics(), Nearest, &LosesInfo);
    Out.Value = toScalar(F);
    return Out;
  }
  }
}

/// What reciprocals of integers are made of. None of it is ever poison: PTX
/// cuts off what does not fit.
static Outcome callReciprocalStep(const Operation &Op, Scalar A) {
  Outcome Out;
  if (Op.ID == Intrinsic::nvvm_ui2f_rp) {
    APFloat F(APFloat::IEEEsingle());
    F.convertFromAPInt(APInt(Op.OperandWidth, A.Bits), /*IsSigned=*/false,
                       APFloat::rmTowardPositive);
    Out.Value = toScalar(F);
    return Out;
  }
  APFloat X = toFloat(A, Op.Inst->getOperand(0)->getType());
  if (Op.ID == Intrinsic::nvvm_f2ui_rz) {
    APSInt Result(Op.Width, /*isUnsigned=*/true);
    bool IsExact;
    X.convertToInteger(Result, APFloat::rmTowardZero, &IsExact);
    Out.Value.Bits = Result.getZExtValue();
    return Out;
  }
  // It errs by up to one ulp: rounded up or down, as the number has it.
  auto Flush = [](const APFloat &F) {
    return F.isDenormal() ? APFloat::getZero(F.getSemantics(), F.isNegative())
                          : F;
  };
  APFloat Inverse(1.0f);
  Inverse.divide(Flush(X), A.Bits & 1 ? APFloat::rmTowardPositive
                                      : APFloat::rmTowardNegative);
  Out.Value = toScalar(Flush(Inverse));
  return Out;
}

Outcome executeFloat(const Operation &Op, ArrayRef<Scalar> Operands) {
  constexpr auto Nearest = APFloat::rmNearestTiesToEven;
  Outcome Out;
  for (const Scalar &Operand : Operands)
    if (Operand.IsPoison) {
      Out.Value = Scalar::poison();
      return Out;
    }
  if (Op.Inst->isCast())
    return castFloat(Op, Operands[0]);
  if (Op.ID == Intrinsic::nvvm_ui2f_rp || Op.ID == Intrinsic::nvvm_f2ui_rz ||
      Op.ID == Intrinsic::nvvm_rcp_approx_ftz_f)
    return callReciprocalStep(Op, Operands[0]);
  auto Get = [&](unsigned K) {
    return toFloat(Operands[K], Op.Inst->getOperand(K)->getType());
  };
  APFloat A = Get(0);
  switch (Op.Opcode) {
  case Instruction::FAdd:
    A.add(Get(1), Nearest);
    break;
  case Instruction::FSub:
    A.subtract(Get(1), Nearest);
    break;
  case Instruction::FMul:
    A.multiply(Get(1), Nearest);
    break;
  case Instruction::FDiv:
    A.divide(Get(1), Nearest);
    break;
  case Instruction::FNeg:
    A.changeSign();
    break;
  case Instruction::FCmp:
    Out.Value.Bits = holds(Op.Predicate, A, Get(1));
    return Out;
  case Instruction::Call:
    if (Op.ID == Intrinsic::fabs)
      A.clearSign();
    else
      A.fusedMultiplyAdd(Get(1), Get(2), Nearest);
    break;
  default:
    Out.IsUnsupported = true;
    return Out;
  }
  Out.Value = toScalar(A);
  return Out;
}

} // namespace unravel
