//===- CallSemantics.cpp - Intrinsics and functions without effects -------===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Semantics.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/IntrinsicsNVPTX.h"
#include "llvm/IR/Operator.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;
using z3::expr;

namespace unravel::refinement {

expr Semantics::isBadCall(const CallBase &Call,
                          ArrayRef<SymbolicValue> Arguments) {
  expr Bad = C.bool_val(false);
  for (unsigned I = 0; I < Call.arg_size(); ++I)
    if (Call.paramHasAttr(I, Attribute::NoUndef))
      Bad = either(Bad, anyPoison(Arguments[I], C));
  return Bad;
}

/// Whether LLVM or the module says what the call returns.
static bool isDefined(const CallBase &I) {
  const Function *Callee = I.getCalledFunction();
  return isa<IntrinsicInst>(I) || !Callee || !Callee->isDeclaration() ||
         I.getReturnedArgOperand();
}

Effect Semantics::call(const CallBase &I, ArrayRef<SymbolicValue> Operands) {
  expr Undefined = C.bool_val(false);
  if (auto *Assume = dyn_cast<AssumeInst>(&I))
    return {{}, brokenAssumption(*Assume, Operands)};
  ArrayRef<SymbolicValue> Arguments = Operands.take_front(I.arg_size());
  SymbolicValue Result;
  if (std::optional<SymbolicValue> Known = W.specialRegister(I)) {
    Result = *Known;
  } else if (std::optional<SymbolicValue> Computed =
                 integerIntrinsic(I, Arguments)) {
    Result = *Computed;
  } else if (std::optional<SymbolicValue> Signed =
                 signIntrinsic(I, Arguments)) {
    Result = *Signed;
  } else {
    std::string Name;
    raw_string_ostream OS(Name);
    OS << "call ";
    I.getCalledOperand()->printAsOperand(OS, false);
    // What makes it another call: flags, attributes, rounding modes.
    if (auto *FP = dyn_cast<FPMathOperator>(&I))
      FP->getFastMathFlags().print(OS);
    for (unsigned Index : I.getAttributes().indexes())
      if (I.getAttributes().hasAttributesAtIndex(Index))
        OS << " #" << Index << ' ' << I.getAttributes().getAsString(Index);
    for (const Value *Argument : I.args())
      if (isa<MetadataAsValue>(Argument))
        Argument->printAsOperand(OS << ' ', false);
    Result = isDefined(I)
                 ? W.opaque(Name, I.getType(), Arguments, /*Propagates=*/false)
                 : W.returned(Name, I.getType(), Arguments);
    if (I.hasRetAttr(Attribute::NoUndef))
      for (Lane &L : Result)
        L.Poison = C.bool_val(false);
  }
  Undefined = either(Undefined, isBadCall(I, Arguments));
  Undefined = either(Undefined, applyPromises(I, Result));
  return {Result, Undefined};
}

/// llvm.assume(condition) ["align"(pointer, n), ...]
expr Semantics::brokenAssumption(const AssumeInst &I,
                                 ArrayRef<SymbolicValue> Operands) {
  const Lane &Condition = Operands[0].front();
  expr Broken = either(Condition.Poison, negate(isSet(Condition.Bits)));
  for (unsigned B = 0; B < I.getNumOperandBundles(); ++B) {
    OperandBundleUse Bundle = I.getOperandBundleAt(B);
    StringRef Tag = Bundle.getTagName();
    unsigned First = I.getBundleOperandsStartIndex();
    for (unsigned Before = 0; Before < B; ++Before)
      First += I.getOperandBundleAt(Before).Inputs.size();
    if (Tag == "ignore" || Bundle.Inputs.empty())
      continue;
    const Lane &Pointer = Operands[First].front();
    unsigned Width = widthOf(Pointer.Bits);
    if (Tag == "align" && isa<ConstantInt>(Bundle.Inputs[1]) &&
        (Bundle.Inputs.size() == 2 || isa<ConstantInt>(Bundle.Inputs[2]))) {
      uint64_t Alignment = cast<ConstantInt>(Bundle.Inputs[1])->getZExtValue();
      expr Address = Pointer.Bits;
      if (Bundle.Inputs.size() == 3)
        Address = Address -
                  number(C, cast<ConstantInt>(Bundle.Inputs[2])->getZExtValue(),
                         Width);
      if (isPowerOf2_64(Alignment))
        Broken = either(
            Broken, either(Pointer.Poison,
                           nonzero(Address & number(C, Alignment - 1, Width))));
    } else if (Tag == "nonnull") {
      Broken = either(Broken, either(Pointer.Poison,
                                     equal(Pointer.Bits, number(C, 0, Width))));
    } else if (Tag == "noundef") {
      Broken = either(Broken, anyPoison(Operands[First], C));
    } else {
      W.ignoreFact("assumption about " + Tag);
    }
  }
  return Broken;
}

SymbolicValue Semantics::withOverflow(const CallBase &I, const SymbolicValue &A,
                                      const SymbolicValue &B) {
  auto &With = cast<WithOverflowInst>(I);
  Instruction::BinaryOps Op = With.getBinaryOp();
  SymbolicValue Values, Overflows;
  for (auto [X, Y] : zip(A, B)) {
    expr Poison = either(X.Poison, Y.Poison);
    expr Value = Op == Instruction::Add   ? X.Bits + Y.Bits
                 : Op == Instruction::Sub ? X.Bits - Y.Bits
                                          : X.Bits * Y.Bits;
    expr Overflow = wraps(Op, X.Bits, Y.Bits, With.isSigned());
    Values.push_back({Value, Poison, std::nullopt});
    Overflows.push_back({toBit(Overflow), Poison, std::nullopt});
  }
  Values.insert(Values.end(), Overflows.begin(), Overflows.end());
  return Values;
}

/// llvm.fabs and llvm.copysign, which only touch the sign bit.
std::optional<SymbolicValue>
Semantics::signIntrinsic(const CallBase &I, ArrayRef<SymbolicValue> Operands) {
  Intrinsic::ID ID = I.getIntrinsicID();
  if ((ID != Intrinsic::fabs && ID != Intrinsic::copysign) || !isAnyFloat(I) ||
      !I.getAttributes().isEmpty())
    return std::nullopt;
  SymbolicValue Result = Operands[0];
  for (size_t L = 0; L < Result.size(); ++L) {
    Lane &R = Result[L];
    expr Sign = number(C, APInt::getSignMask(widthOf(R.Bits)));
    R.Bits = R.Bits & ~Sign;
    if (ID == Intrinsic::copysign) {
      R.Bits = R.Bits | (Operands[1][L].Bits & Sign);
      R.Poison = either(R.Poison, Operands[1][L].Poison);
    }
  }
  return Result;
}

std::optional<SymbolicValue>
Semantics::integerIntrinsic(const CallBase &I,
                            ArrayRef<SymbolicValue> Operands) {
  auto *Intrinsic = dyn_cast<IntrinsicInst>(&I);
  if (!Intrinsic)
    return std::nullopt;
  if (isa<WithOverflowInst>(I))
    return withOverflow(I, Operands[0], Operands[1]);
  if (Intrinsic->getIntrinsicID() == Intrinsic::vscale) {
    // A power of two.
    unsigned Width = I.getType()->getIntegerBitWidth();
    expr V = W.variable("vscale", Width), One = number(C, 1, Width);
    W.Axioms.push_back(nonzero(V));
    W.Axioms.push_back((V & (V - One)) == number(C, 0, Width));
    return SymbolicValue{{V, C.bool_val(false), std::nullopt}};
  }
  if (!I.getType()->isIntOrIntVectorTy() || Operands.empty())
    return std::nullopt;
  SymbolicValue Result;
  for (size_t L = 0; L < W.scalars(I.getType()).size(); ++L) {
    SmallVector<Lane, 3> A;
    for (const SymbolicValue &Operand : Operands)
      A.push_back(Operand[Operand.size() == 1 ? 0 : L]);
    std::optional<Lane> One = intrinsicLane(I, A);
    if (!One)
      return std::nullopt;
    Result.push_back(*One);
  }
  return Result;
}

/// The upper half of a product.
static expr highHalf(const expr &A, const expr &B, bool Signed) {
  unsigned Width = widthOf(A);
  expr X = Signed ? signExtend(A, 2 * Width) : zeroExtend(A, 2 * Width);
  expr Y = Signed ? signExtend(B, 2 * Width) : zeroExtend(B, 2 * Width);
  return (folded(X) * folded(Y)).extract(2 * Width - 1, Width);
}

static expr countOnes(const expr &E) {
  unsigned Width = widthOf(E);
  expr Sum = number(E.ctx(), 0, Width);
  for (unsigned Bit = 0; Bit < Width; ++Bit)
    Sum = Sum + zeroExtend(E.extract(Bit, Bit), Width);
  return Sum;
}

/// Zeros above the highest set bit, or below the lowest.
static expr countZeros(const expr &E, bool Leading) {
  unsigned Width = widthOf(E);
  z3::context &C = E.ctx();
  expr Result = number(C, Width, Width);
  for (unsigned Step = 0; Step < Width; ++Step) {
    unsigned Bit = Leading ? Step : Width - 1 - Step;
    unsigned Count = Width - 1 - Bit;
    Result = z3::ite(isSet(E.extract(Bit, Bit)),
                     number(C, Leading ? Count : Bit, Width), Result);
  }
  return Result;
}

std::optional<Lane> Semantics::intrinsicLane(const CallBase &I,
                                             ArrayRef<Lane> A) {
  Intrinsic::ID ID = cast<IntrinsicInst>(I).getIntrinsicID();
  expr Poison = C.bool_val(false);
  for (const Lane &L : A)
    Poison = either(Poison, L.Poison);
  const expr &X = A[0].Bits;
  unsigned Width = widthOf(X);
  auto Value = [&](const expr &E) { return Lane{E, Poison, std::nullopt}; };
  auto FlagSet = [&](unsigned Operand) {
    return cast<ConstantInt>(I.getArgOperand(Operand))->isOne();
  };
  switch (ID) {
  case Intrinsic::umin:
    return Value(z3::ite(z3::ult(X, A[1].Bits), X, A[1].Bits));
  case Intrinsic::umax:
    return Value(z3::ite(z3::ugt(X, A[1].Bits), X, A[1].Bits));
  case Intrinsic::smin:
    return Value(z3::ite(X < A[1].Bits, X, A[1].Bits));
  case Intrinsic::smax:
    return Value(z3::ite(X > A[1].Bits, X, A[1].Bits));
  case Intrinsic::abs:
    if (FlagSet(1))
      Poison =
          either(Poison, equal(X, number(C, APInt::getSignedMinValue(Width))));
    return Value(z3::ite(X < number(C, 0, Width), -X, X));
  case Intrinsic::ctpop:
    return Value(countOnes(X));
  case Intrinsic::ctlz:
  case Intrinsic::cttz:
    if (FlagSet(1))
      Poison = either(Poison, equal(X, number(C, 0, Width)));
    return Value(countZeros(X, ID == Intrinsic::ctlz));
  case Intrinsic::fshl:
  case Intrinsic::fshr: {
    expr Amount =
        zeroExtend(z3::urem(A[2].Bits, number(C, Width, Width)), 2 * Width);
    expr Pair = z3::concat(X, A[1].Bits);
    return Value(ID == Intrinsic::fshl
                     ? z3::shl(Pair, Amount).extract(2 * Width - 1, Width)
                     : z3::lshr(Pair, Amount).extract(Width - 1, 0));
  }
  case Intrinsic::bswap: {
    expr Result = X.extract(7, 0);
    for (unsigned Bit = 8; Bit < Width; Bit += 8)
      Result = z3::concat(Result, X.extract(Bit + 7, Bit));
    return Value(Result);
  }
  case Intrinsic::usub_sat:
    return Value(
        z3::ite(z3::ult(X, A[1].Bits), number(C, 0, Width), X - A[1].Bits));
  case Intrinsic::uadd_sat:
    return Value(z3::ite(wraps(Instruction::Add, X, A[1].Bits, false),
                         number(C, APInt::getAllOnes(Width)), X + A[1].Bits));
  case Intrinsic::sadd_sat:
  case Intrinsic::ssub_sat: {
    const expr &Y = A[1].Bits;
    bool IsAdd = ID == Intrinsic::sadd_sat;
    // Only towards the sign of the first operand can it leave the range.
    expr Limit = z3::ite(X < number(C, 0, Width),
                         number(C, APInt::getSignedMinValue(Width)),
                         number(C, APInt::getSignedMaxValue(Width)));
    expr Wraps = wraps(IsAdd ? Instruction::Add : Instruction::Sub, X, Y, true);
    return Value(z3::ite(Wraps, Limit, IsAdd ? X + Y : X - Y));
  }
  case Intrinsic::ushl_sat:
  case Intrinsic::sshl_sat: {
    bool IsSigned = ID == Intrinsic::sshl_sat;
    const expr &Amount = A[1].Bits;
    Poison = either(Poison, folded(z3::uge(Amount, number(C, Width, Width))));
    expr Shifted = z3::shl(X, Amount);
    expr Back =
        IsSigned ? z3::ashr(Shifted, Amount) : z3::lshr(Shifted, Amount);
    expr Limit = IsSigned ? z3::ite(X < number(C, 0, Width),
                                    number(C, APInt::getSignedMinValue(Width)),
                                    number(C, APInt::getSignedMaxValue(Width)))
                          : number(C, APInt::getAllOnes(Width));
    return Value(z3::ite(Back == X, Shifted, Limit));
  }
  case Intrinsic::bitreverse: {
    expr Result = X.extract(0, 0);
    for (unsigned Bit = 1; Bit < Width; ++Bit)
      Result = z3::concat(Result, X.extract(Bit, Bit));
    return Value(Result);
  }
  case Intrinsic::ucmp:
  case Intrinsic::scmp: {
    const expr &Y = A[1].Bits;
    unsigned To = I.getType()->getScalarSizeInBits();
    expr Less = ID == Intrinsic::ucmp ? z3::ult(X, Y) : X < Y;
    return Value(z3::ite(Less, number(C, APInt::getAllOnes(To)),
                         z3::ite(X == Y, number(C, 0, To), number(C, 1, To))));
  }
  case Intrinsic::nvvm_mulhi_s:
  case Intrinsic::nvvm_mulhi_i:
  case Intrinsic::nvvm_mulhi_ll:
    return Value(highHalf(X, A[1].Bits, true));
  case Intrinsic::nvvm_mulhi_us:
  case Intrinsic::nvvm_mulhi_ui:
  case Intrinsic::nvvm_mulhi_ull:
    return Value(highHalf(X, A[1].Bits, false));
  default:
    return std::nullopt;
  }
}

} // namespace unravel::refinement
