//===- WarpOperations.cpp - Arithmetic in the lanes of a warp -------------===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "analysis/warps/WarpEvaluator.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Analysis/ConstantFolding.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/InstrTypes.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Operator.h"
#include "llvm/Support/MathExtras.h"

using namespace llvm;

namespace unravel {

//===----------------------------------------------------------------------===//
// What has no rule of its own
//===----------------------------------------------------------------------===//

/// What LLVM folds \p Opcode to, without making constants that the context
/// keeps: most of the time of a report went there. Nullopt for poison, and for
/// what is left to LLVM.
static std::optional<APInt> foldBinary(unsigned Opcode, const APInt &A,
                                       const APInt &B) {
  bool IsSigned = Opcode == Instruction::SDiv || Opcode == Instruction::SRem;
  switch (Opcode) {
  case Instruction::Add:
    return A + B;
  case Instruction::Sub:
    return A - B;
  case Instruction::Mul:
    return A * B;
  case Instruction::And:
    return A & B;
  case Instruction::Or:
    return A | B;
  case Instruction::Xor:
    return A ^ B;
  case Instruction::UDiv:
  case Instruction::URem:
  case Instruction::SDiv:
  case Instruction::SRem:
    if (B.isZero() || (IsSigned && A.isMinSignedValue() && B.isAllOnes()))
      return std::nullopt;
    if (Opcode == Instruction::UDiv)
      return A.udiv(B);
    if (Opcode == Instruction::URem)
      return A.urem(B);
    return Opcode == Instruction::SDiv ? A.sdiv(B) : A.srem(B);
  case Instruction::Shl:
  case Instruction::LShr:
  case Instruction::AShr:
    if (B.uge(A.getBitWidth()))
      return std::nullopt;
    if (Opcode == Instruction::Shl)
      return A.shl(B);
    return Opcode == Instruction::LShr ? A.lshr(B) : A.ashr(B);
  default:
    return std::nullopt;
  }
}

/// Operands without symbols: every lane is folded as LLVM folds constants.
/// Operands that all lanes agree on: so is the result.
WarpValue WarpEvaluator::foldLanes(const Instruction &I) {
  unsigned Count =
      isa<CallBase>(I) ? cast<CallBase>(I).arg_size() : I.getNumOperands();
  SmallVector<WarpValue, 3> Operands;
  bool IsConcrete = true, IsUniform = true;
  for (unsigned O = 0; O < Count; ++O) {
    WarpValue V = operand(I, O);
    if (!V.isKnown())
      return V;
    IsConcrete &= V.Form.isConcrete() && V.Width > 0;
    IsUniform &= V.Form.isUniform();
    Operands.push_back(std::move(V));
  }
  if (I.getType()->isIntegerTy() && IsConcrete) {
    WarpForm Result;
    bool IsFolded = true;
    for (unsigned L = 0; L < LanesPerWarp && IsFolded; ++L) {
      SmallVector<APInt, 3> Numbers;
      for (unsigned O = 0; O < Count; ++O) {
        Type *Ty = I.getOperand(O)->getType();
        if (!Ty->isIntegerTy())
          return unknown("it depends on an operation on pointers");
        Numbers.push_back(APInt(64, Operands[O].Form.Constants[L])
                              .trunc(Ty->getIntegerBitWidth()));
      }
      if (I.isBinaryOp())
        if (std::optional<APInt> Number =
                foldBinary(I.getOpcode(), Numbers[0], Numbers[1])) {
          Result.Constants[L] = Number->getSExtValue();
          continue;
        }
      SmallVector<Constant *, 3> Constants;
      for (auto [O, Number] : enumerate(Numbers))
        Constants.push_back(
            ConstantInt::get(I.getOperand(O)->getType(), Number));
      Constant *Folded = nullptr;
      if (auto *Call = dyn_cast<CallBase>(&I)) {
        if (Function *Callee = Call->getCalledFunction())
          Folded = ConstantFoldCall(Call, Callee, Constants);
      } else {
        Folded = ConstantFoldInstOperands(const_cast<Instruction *>(&I),
                                          Constants, Layout);
      }
      auto *Number = dyn_cast_or_null<ConstantInt>(Folded);
      IsFolded = Number;
      if (Number)
        Result.Constants[L] = Number->getSExtValue();
    }
    if (IsFolded)
      return known(Result, widthOf(I.getType()), true, false);
  }
  if (IsUniform)
    return uniform(&I);
  return unknown(Twine("it depends on an operation without a rule (") +
                 I.getOpcodeName() + " " + With.nameOf(&I) + ")");
}

WarpValue WarpEvaluator::arithmetic(const Instruction &I) {
  auto IsFloat = [](const Type *Ty) { return Ty->isFloatingPointTy(); };
  // Of these it is only known whether all lanes agree.
  if (!isa<CmpInst>(I) &&
      (IsFloat(I.getType()) || any_of(I.operands(), [&](const Use &U) {
         return IsFloat(U->getType());
       })))
    return foldLanes(I);
  if (isa<CastInst>(I))
    return conversion(I);
  if (auto *Binary = dyn_cast<BinaryOperator>(&I)) {
    WarpValue A = operand(I, 0), B = operand(I, 1);
    if (!A.isKnown() || !B.isKnown())
      return A.isKnown() ? B : A;
    return binary(*Binary, A, B);
  }
  if (auto *Cmp = dyn_cast<CmpInst>(&I)) {
    WarpCondition C = conditionOf(Cmp);
    WarpForm Bits;
    bool IsKnown = true;
    for (unsigned L = 0; L < LanesPerWarp; ++L) {
      IsKnown &= C.Lanes[L].has_value();
      Bits.Constants[L] = C.Lanes[L].value_or(false);
    }
    if (IsKnown)
      return known(Bits, 1, false, true);
    if (!C.Unknown.empty() || C.MayDiffer)
      return unknown("it depends on a condition that may differ between lanes");
    bool Holds = Symbols.choiceOf(Cmp);
    return known(WarpForm::constant(Holds), 1, false, true);
  }
  return unknown("it depends on " + With.nameOf(&I));
}

//===----------------------------------------------------------------------===//
// Sums and products
//===----------------------------------------------------------------------===//

WarpValue WarpEvaluator::multiply(Operand A, Operand B, unsigned Width) {
  std::optional<WarpForm> Product;
  if (B.Form.isConcrete() || A.Form.isConcrete()) {
    bool ByB = B.Form.isConcrete();
    Product = scale(ByB ? A.Form : B.Form, (ByB ? B : A).Form.Constants);
    return known(Product, Width, false, false);
  }
  // Term by term.
  WarpForm OnlyNumbers;
  OnlyNumbers.Constants = A.Form.Constants;
  Product = scale(B.Form, A.Form.Constants);
  for (const WarpTerm &T : A.Form.Terms) {
    WarpForm Scaled = WarpForm::symbol(T.Symbol);
    std::optional<WarpForm> Part = scale(Scaled, T.Coefficients);
    Part = Part ? scale(*Part, B.Form.Constants) : Part;
    if (!Part || !Product)
      return unknown("its arithmetic leaves 64 bits");
    Product = add(*Product, *Part);
    for (const WarpTerm &U : B.Form.Terms) {
      WarpForm Both = WarpForm::symbol(Symbols.productOf(T.Symbol, U.Symbol));
      Part = scale(Both, T.Coefficients);
      Part = Part ? scale(*Part, U.Coefficients) : Part;
      if (!Part || !Product)
        return unknown("its arithmetic leaves 64 bits");
      Product = add(*Product, *Part);
    }
  }
  return known(Product, Width, false, false);
}

WarpValue WarpEvaluator::wordProduct(const CallBase &Call, bool IsSigned) {
  SmallVector<WarpValue, 2> Factors;
  for (unsigned Number : {0, 1}) {
    const Value *Word = Call.getArgOperand(Number);
    WarpValue V = operand(Call, Number);
    if (!V.isKnown())
      return V;
    Factors.push_back(known(exact(Word, Word, V, IsSigned), /*Width=*/64,
                            IsSigned, !IsSigned));
    if (!Factors.back().isKnown())
      return Factors.back();
  }
  WarpValue Product = multiply(Factors[0], Factors[1], /*Width=*/64);
  Product.IsExactSigned = Product.isKnown() && IsSigned;
  Product.IsExactUnsigned = Product.isKnown() && !IsSigned;
  return Product;
}

WarpValue WarpEvaluator::binary(const BinaryOperator &I, Operand OfA,
                                Operand OfB) {
  unsigned Width = widthOf(I.getType());
  auto *Overflowing = dyn_cast<OverflowingBinaryOperator>(&I);
  bool NoSigned = Overflowing && Overflowing->hasNoSignedWrap();
  bool NoUnsigned = Overflowing && Overflowing->hasNoUnsignedWrap();
  // What does not wrap is exact over exact operands, and shares their symbols.
  WarpValue A = OfA, B = OfB;
  auto MakeExact = [&](WarpValue &V, const Value *Of, bool IsSigned) {
    bool &IsExact = IsSigned ? V.IsExactSigned : V.IsExactUnsigned;
    if (IsExact)
      return;
    // Where the other reading is exact, this one must not change the form.
    bool IsAny = V.IsExactSigned || V.IsExactUnsigned;
    std::optional<WarpForm> Form =
        exact(Of, Of, V, IsSigned, /*MayAssume=*/false);
    if (Form && (!IsAny || *Form == V.Form)) {
      V.Form = std::move(*Form);
      IsExact = true;
    }
  };
  if (NoSigned || NoUnsigned) {
    for (bool IsSigned : {true, false})
      if (IsSigned ? NoSigned : NoUnsigned) {
        MakeExact(A, I.getOperand(0), IsSigned);
        MakeExact(B, I.getOperand(1), IsSigned);
      }
  }
  auto WithFlags = [&](WarpValue V) {
    if (V.isKnown()) {
      V.IsExactSigned = NoSigned && A.IsExactSigned && B.IsExactSigned;
      V.IsExactUnsigned = NoUnsigned && A.IsExactUnsigned && B.IsExactUnsigned;
    }
    return V;
  };
  std::optional<int64_t> Amount = B.Form.asConstant();
  bool IsShiftAmount =
      Amount && *Amount >= 0 && *Amount < int64_t(Width) && *Amount <= 62;
  switch (I.getOpcode()) {
  case Instruction::Add:
    return WithFlags(known(add(A.Form, B.Form), Width, false, false));
  case Instruction::Sub:
    return WithFlags(known(add(A.Form, B.Form, -1), Width, false, false));
  case Instruction::Mul:
    return WithFlags(multiply(A, B, Width));
  case Instruction::Shl:
    if (!IsShiftAmount)
      return foldLanes(I);
    return WithFlags(
        known(scale(A.Form, int64_t(1) << *Amount), Width, false, false));
  case Instruction::LShr:
  case Instruction::AShr: {
    if (!IsShiftAmount)
      return foldLanes(I);
    if (IsCoarse && A.Form.isUniform() && !A.Form.isConcrete())
      return uniform(&I);
    bool IsSigned = I.getOpcode() == Instruction::AShr;
    std::optional<WarpForm> X =
        exact(I.getOperand(0), I.getOperand(0), A, IsSigned);
    if (!X)
      return unknown("its arithmetic leaves 64 bits");
    std::optional<WarpForm> Shifted = floorDivide(*X, int64_t(1) << *Amount);
    if (!Shifted)
      return unknown("its residues are not looked at");
    return known(Shifted, Width, true, !IsSigned);
  }
  case Instruction::UDiv:
  case Instruction::URem:
  case Instruction::SDiv:
  case Instruction::SRem:
    return divide(I, A, B);
  case Instruction::Or:
    if (cast<PossiblyDisjointInst>(I).isDisjoint()) {
      WarpValue Sum = known(add(A.Form, B.Form), Width, false, false);
      if (Sum.isKnown())
        Sum.IsExactUnsigned = A.IsExactUnsigned && B.IsExactUnsigned;
      return Sum;
    }
    return maskBits(I, A, B);
  case Instruction::And:
  case Instruction::Xor:
    return maskBits(I, A, B);
  default:
    return unknown("it depends on " + With.nameOf(&I));
  }
}

//===----------------------------------------------------------------------===//
// Quotients and bits
//===----------------------------------------------------------------------===//

/// floor of every lane; nullopt where residues are missing, with a restart if
/// they may be split.
std::optional<WarpForm> WarpEvaluator::floorDivide(const WarpForm &Form,
                                                   int64_t Divisor) {
  if (!makeDivisible(Form, Divisor))
    return std::nullopt;
  WarpForm Quotient = Form;
  for (int64_t &K : Quotient.Constants)
    K = floorDiv(K, Divisor);
  for (WarpTerm &T : Quotient.Terms)
    for (int64_t &C : T.Coefficients)
      C /= Divisor;
  return Quotient;
}

WarpValue WarpEvaluator::divide(const BinaryOperator &I, Operand A, Operand B) {
  unsigned Opcode = I.getOpcode(), Width = widthOf(I.getType());
  std::optional<int64_t> Divisor = B.Form.asConstant();
  bool IsConcrete = A.Form.isConcrete() && B.Form.isConcrete();
  bool IsUniformResult = A.Form.isUniform() && B.Form.isUniform();
  if (!IsConcrete && !IsUniformResult && B.Form.isUniform() &&
      A.Form.hasUniformTerms() && !B.Form.isConcrete())
    return divideInOneRow(I, A, B);
  if (IsConcrete || !Divisor || *Divisor <= 0) {
    WarpValue Folded = foldLanes(I);
    if (!Folded.isKnown() && !B.Form.isConcrete())
      return unknown("it divides by " + With.nameOf(I.getOperand(1)) +
                     ", a value of run time");
    return Folded;
  }
  if (IsCoarse && IsUniformResult)
    return uniform(&I);
  bool IsSigned = Opcode == Instruction::SDiv || Opcode == Instruction::SRem;
  std::optional<WarpForm> X =
      exact(I.getOperand(0), I.getOperand(0), A, IsSigned);
  if (!X)
    return unknown("its arithmetic leaves 64 bits");
  // C rounds towards zero: a floor if the dividend is not negative.
  if (IsSigned && !rangeOf(*X).isNonNegative())
    assume(With.nameOf(I.getOperand(0)) + " is not negative");
  std::optional<WarpForm> Quotient = floorDivide(*X, *Divisor);
  if (!Quotient)
    return unknown("its residues are not looked at");
  if (Opcode == Instruction::UDiv || Opcode == Instruction::SDiv)
    return number(Quotient, Width);
  std::optional<WarpForm> Multiple = scale(*Quotient, *Divisor);
  return number(Multiple ? add(*X, *Multiple, -1) : Multiple, Width);
}

/// x / d and x mod d for a d that all lanes agree on, but that is not known:
/// the quotient is taken to be the same in all lanes.
WarpValue WarpEvaluator::divideInOneRow(const BinaryOperator &I, Operand A,
                                        Operand B) {
  unsigned Opcode = I.getOpcode(), Width = widthOf(I.getType());
  bool IsSigned = Opcode == Instruction::SDiv || Opcode == Instruction::SRem;
  const Value *X = I.getOperand(0), *D = I.getOperand(1);
  std::optional<WarpForm> Dividend = exact(X, X, A, IsSigned);
  std::optional<WarpForm> Divisor = exact(D, D, B, IsSigned);
  if (!Dividend || !Divisor)
    return unknown("its arithmetic leaves 64 bits");
  assume(With.nameOf(X) + " / " + With.nameOf(D) +
         " is the same in all lanes of a warp");
  // A remainder has the quotient of the division by the same value.
  auto IsNew = DivisorNumbers.try_emplace(D, DivisorNumbers.size());
  unsigned S = Symbols.symbolOf(
      {X, (IsSigned ? SignedQuotient : UnsignedQuotient) + IsNew.first->second},
      [&] {
        WarpSymbols::Symbol Quotient;
        Quotient.Name = "(" + With.nameOf(X) + " / " + With.nameOf(D) + ")";
        return Quotient;
      });
  WarpValue Quotient = number(Symbols.formOf(S), Width);
  if (!Quotient.isKnown() || Opcode == Instruction::SDiv ||
      Opcode == Instruction::UDiv)
    return Quotient;
  WarpValue Multiple = multiply(Quotient, number(*Divisor, Width), Width);
  if (!Multiple.isKnown())
    return Multiple;
  return number(add(*Dividend, Multiple.Form, -1), Width);
}

/// and, or, xor with numbers of few bits: x mod 2^k is a number in each class.
WarpValue WarpEvaluator::maskBits(const BinaryOperator &I, Operand A,
                                  Operand B) {
  static constexpr int64_t MaxMask = (int64_t(1) << 12) - 1;
  static constexpr int64_t MaxSplitMask = 63;
  unsigned Opcode = I.getOpcode(), Width = widthOf(I.getType());
  if (A.Form.isConcrete() && !B.Form.isConcrete())
    return maskBits(I, B, A);
  if (A.Form.isConcrete() || !B.Form.isConcrete())
    return foldLanes(I);
  std::optional<WarpForm> Mask = wrapped(B.Form, Width, /*IsSigned=*/true);
  auto [Lo, Hi] =
      std::minmax_element(Mask->Constants.begin(), Mask->Constants.end());
  std::optional<int64_t> Single = Mask->asConstant();
  bool IsHighMask = Opcode == Instruction::And && Single && *Single < 0 &&
                    isPowerOf2_64(-uint64_t(*Single));
  // -1: all bits change.
  if (Opcode == Instruction::Xor && Single == -1)
    return known(add(WarpForm::constant(-1), A.Form, -1), Width,
                 A.IsExactSigned, false);
  // 2^k - 1 for a large k: the number that a narrower word means.
  if (Opcode == Instruction::And && Single && *Single > MaxSplitMask &&
      isPowerOf2_64(uint64_t(*Single) + 1)) {
    WarpValue Narrow = A;
    Narrow.Width = Log2_64(uint64_t(*Single) + 1);
    Narrow.IsExactSigned = Narrow.IsExactUnsigned = false;
    std::optional<WarpForm> Form = exact(&I, &I, Narrow, /*IsSigned=*/false,
                                         /*MayAssume=*/*Single > MaxMask);
    if (Form || *Single > MaxMask)
      return number(Form, Width);
  }
  if (IsCoarse && A.Form.isUniform() && B.Form.isUniform())
    return uniform(&I);
  int64_t Modulus;
  if (IsHighMask && *Single >= -MaxMask - 1)
    Modulus = -*Single;
  else if (*Lo >= 0 && *Hi <= MaxMask)
    Modulus = int64_t(1) << Log2_64_Ceil(uint64_t(*Hi) + 1);
  else
    return foldLanes(I);
  if (!makeDivisible(A.Form, Modulus))
    return unknown("its residues are not looked at");
  // The bits above those of the mask stay.
  WarpForm Result = A.Form;
  bool ClearsHigh = Opcode == Instruction::And && !IsHighMask;
  if (ClearsHigh)
    Result = WarpForm();
  for (unsigned L = 0; L < LanesPerWarp; ++L) {
    int64_t K = A.Form.Constants[L], Low = floorMod(K, Modulus);
    int64_t M = Mask->Constants[L];
    int64_t NewLow = IsHighMask                   ? 0
                     : Opcode == Instruction::And ? Low & M
                     : Opcode == Instruction::Or  ? Low | M
                                                  : Low ^ M;
    if (ClearsHigh)
      Result.Constants[L] = NewLow;
    else if (AddOverflow(K, NewLow - Low, Result.Constants[L]))
      return unknown("its arithmetic leaves 64 bits");
  }
  if (ClearsHigh)
    return number(Result, Width);
  return known(Result, Width, A.IsExactSigned, A.IsExactUnsigned);
}

WarpValue WarpEvaluator::conversion(const Instruction &I) {
  unsigned Width = widthOf(I.getType());
  WarpValue V = operand(I, 0);
  if (!V.isKnown())
    return V;
  const Value *Source = I.getOperand(0);
  switch (I.getOpcode()) {
  case Instruction::Trunc: {
    auto &Trunc = cast<TruncInst>(I);
    return known(V.Form, Width, V.IsExactSigned && Trunc.hasNoSignedWrap(),
                 V.IsExactUnsigned && Trunc.hasNoUnsignedWrap());
  }
  case Instruction::SExt:
    return known(exact(Source, Source, V, /*IsSigned=*/true), Width, true,
                 false);
  case Instruction::ZExt: {
    bool IsSigned = I.hasNonNeg() && !V.IsExactUnsigned;
    return number(exact(Source, Source, V, IsSigned), Width);
  }
  case Instruction::PtrToInt:
  case Instruction::IntToPtr:
  case Instruction::AddrSpaceCast:
  case Instruction::BitCast: {
    // Of the same width the bits stay; of a smaller one, those that are there.
    bool IsNarrower = V.Width < Width && I.getOpcode() != Instruction::BitCast;
    if (I.getOpcode() == Instruction::AddrSpaceCast || !IsNarrower)
      return known(V.Form, Width, false, false);
    return number(exact(Source, Source, V, /*IsSigned=*/false), Width);
  }
  default:
    return unknown("it depends on " + With.nameOf(&I));
  }
}

} // namespace unravel
