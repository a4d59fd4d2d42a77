//===- Semantics.cpp - What LLVM's instructions compute -------------------===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Semantics.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Operator.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;
using z3::expr;

namespace unravel::refinement {

/// The operation with everything that makes it another one: for operations
/// that are not looked into.
static std::string spelling(const Instruction &I) {
  std::string Text;
  raw_string_ostream OS(Text);
  OS << I.getOpcodeName();
  if (auto *Compare = dyn_cast<CmpInst>(&I))
    OS << ' ' << CmpInst::getPredicateName(Compare->getPredicate());
  if (auto *FP = dyn_cast<FPMathOperator>(&I))
    FP->getFastMathFlags().print(OS);
  if (auto *NonNegative = dyn_cast<PossiblyNonNegInst>(&I);
      NonNegative && NonNegative->hasNonNeg())
    OS << " nneg";
  if (I.getNumOperands())
    OS << ' ' << *I.getOperand(0)->getType();
  OS << ' ' << *I.getType();
  return Text;
}

bool isAnyFloat(const Instruction &I) {
  auto &Operation = cast<FPMathOperator>(I);
  return !Operation.hasNoNaNs() && !Operation.hasNoInfs();
}

/// Whether an operation that is not looked into gives poison only for poison.
static bool makesNoPoison(const Instruction &I) {
  if (isa<FPToSIInst>(I) || isa<FPToUIInst>(I))
    return false;
  if (isa<CastInst>(I) && !isa<FPMathOperator>(I))
    return !I.hasNonNeg();
  return isAnyFloat(I);
}

Effect Semantics::evaluate(const Instruction &I,
                           ArrayRef<SymbolicValue> Operands) {
  expr Undefined = C.bool_val(false);
  if (auto *Call = dyn_cast<CallBase>(&I))
    return call(*Call, Operands);
  if (auto *Gep = dyn_cast<GetElementPtrInst>(&I))
    return {address(*Gep, Operands), Undefined};
  if (std::optional<SymbolicValue> Moved = rearrange(I, Operands))
    return {*Moved, Undefined};
  if (isa<SelectInst>(I)) {
    if (isa<FPMathOperator>(I) && !isAnyFloat(I))
      W.giveUp("a select with fast-math flags");
    const SymbolicValue &Condition = Operands[0];
    SymbolicValue Result;
    for (size_t L = 0; L < Operands[1].size(); ++L) {
      // One condition chooses a whole vector or structure, or each lane has its
      // own. Only what is chosen has to be well defined.
      const Lane &By = Condition[Condition.size() == 1 ? 0 : L];
      Lane Chosen = choose(isSet(By.Bits), SymbolicValue{Operands[1][L]},
                           SymbolicValue{Operands[2][L]})
                        .front();
      Chosen.Poison = either(By.Poison, Chosen.Poison);
      Result.push_back(Chosen);
    }
    return {Result, Undefined};
  }
  bool IsInteger =
      (isa<BinaryOperator>(I) && I.getType()->isIntOrIntVectorTy()) ||
      isa<ICmpInst>(I) ||
      (isa<CastInst>(I) && I.getType()->isIntOrIntVectorTy() &&
       I.getOperand(0)->getType()->isIntOrIntVectorTy() &&
       I.getOpcode() != Instruction::BitCast) ||
      isa<PtrToIntInst>(I) || isa<PtrToAddrInst>(I) ||
      (isa<BitCastInst>(I) &&
       Operands[0].size() == W.scalars(I.getType()).size());
  if (IsInteger) {
    SymbolicValue Result = perLane(I, Operands, Undefined);
    return {Result, Undefined};
  }
  // An address made of an integer is that integer; its object is unknown.
  if (isa<IntToPtrInst>(I)) {
    SymbolicValue Result = W.opaque(spelling(I), I.getType(), Operands);
    for (auto [L, From] : zip(Result, Operands[0])) {
      unsigned Old = widthOf(From.Bits), Width = widthOf(L.Bits);
      L.Bits = Width > Old ? zeroExtend(From.Bits, Width)
                           : truncate(From.Bits, Width);
      L.Poison = From.Poison;
    }
    return {Result, Undefined};
  }
  // Of the sign bit LLVM promises what IEEE 754 says, also for NaN.
  if (I.getOpcode() == Instruction::FNeg && isAnyFloat(I)) {
    SymbolicValue Result = Operands[0];
    for (Lane &L : Result)
      L.Bits = L.Bits ^ number(C, APInt::getSignMask(widthOf(L.Bits)));
    return {Result, Undefined};
  }
  // Floating point.
  if (isa<CastInst>(I) || isa<FCmpInst>(I) || isa<UnaryOperator>(I) ||
      isa<BinaryOperator>(I)) {
    SymbolicValue Result = W.opaque(spelling(I), I.getType(), Operands);
    if (makesNoPoison(I)) {
      expr Poison = C.bool_val(false);
      for (const SymbolicValue &Operand : Operands)
        Poison = either(Poison, anyPoison(Operand, C));
      for (Lane &L : Result)
        L.Poison = Poison;
    }
    return {Result, Undefined};
  }
  W.giveUp(Twine("instruction ") + I.getOpcodeName());
  return {W.poison(I.getType()), Undefined};
}

SymbolicValue Semantics::perLane(const Instruction &I,
                                 ArrayRef<SymbolicValue> Operands,
                                 expr &Undefined) {
  SymbolicValue Result;
  std::vector<Type *> Scalars = W.scalars(I.getType());
  for (size_t L = 0; L < Scalars.size(); ++L) {
    const Lane &A = Operands[0][L];
    if (auto *Binary = dyn_cast<BinaryOperator>(&I))
      Result.push_back(binary(*Binary, A, Operands[1][L], Undefined));
    else if (auto *Compare = dyn_cast<ICmpInst>(&I))
      Result.push_back(compare(*Compare, A, Operands[1][L]));
    else
      Result.push_back(convert(cast<CastInst>(I), A, W.widthOf(Scalars[L])));
  }
  return Result;
}

expr Semantics::nonzero(const expr &E) {
  return negate(equal(E, number(C, 0, widthOf(E))));
}

/// The exact result does not fit. Two words hold it.
expr Semantics::wraps(unsigned Opcode, const expr &A, const expr &B,
                      bool Signed) {
  unsigned Width = widthOf(A);
  bool IsProduct = Opcode == Instruction::Mul;
  unsigned Wide = IsProduct ? 2 * Width : Width + 1;
  auto Extend = [&](const expr &E) {
    return Signed ? signExtend(E, Wide) : zeroExtend(E, Wide);
  };
  expr X = Extend(A), Y = Extend(B);
  if (!Signed && Opcode == Instruction::Sub)
    return z3::ult(A, B);
  expr Exact = Opcode == Instruction::Add   ? X + Y
               : Opcode == Instruction::Sub ? X - Y
                                            : X * Y;
  if (!Signed)
    return z3::ugt(Exact, number(C, APInt::getLowBitsSet(Wide, Width)));
  return Exact > number(C, APInt::getSignedMaxValue(Width).sext(Wide)) ||
         Exact < number(C, APInt::getSignedMinValue(Width).sext(Wide));
}

Lane Semantics::binary(const BinaryOperator &I, const Lane &A, const Lane &B,
                       expr &Undefined) {
  unsigned Width = widthOf(A.Bits);
  unsigned Opcode = I.getOpcode();
  const expr &X = A.Bits, &Y = B.Bits;
  expr Poison = either(A.Poison, B.Poison);
  expr Zero = number(C, 0, Width);
  auto PoisonIf = [&](const expr &Condition) {
    Poison = either(Poison, Condition);
  };
  if (auto *Wrapping = dyn_cast<OverflowingBinaryOperator>(&I);
      Wrapping && Opcode != Instruction::Shl) {
    if (Wrapping->hasNoUnsignedWrap())
      PoisonIf(wraps(Opcode, X, Y, false));
    if (Wrapping->hasNoSignedWrap())
      PoisonIf(wraps(Opcode, X, Y, true));
  }
  bool IsExact = isa<PossiblyExactOperator>(I) && I.isExact();
  switch (Opcode) {
  case Instruction::Add:
    return {X + Y, Poison, std::nullopt};
  case Instruction::Sub:
    return {X - Y, Poison, std::nullopt};
  case Instruction::Mul:
    return {X * Y, Poison, std::nullopt};
  case Instruction::UDiv:
  case Instruction::URem: {
    // A poison divisor may be zero.
    Undefined = either(Undefined, either(B.Poison, equal(Y, Zero)));
    if (IsExact)
      PoisonIf(nonzero(z3::urem(X, Y)));
    return {Opcode == Instruction::UDiv ? z3::udiv(X, Y) : z3::urem(X, Y),
            Poison, std::nullopt};
  }
  case Instruction::SDiv:
  case Instruction::SRem: {
    expr Least = number(C, APInt::getSignedMinValue(Width));
    expr Overflows = both(equal(Y, number(C, APInt::getAllOnes(Width))),
                          either(A.Poison, equal(X, Least)));
    Undefined =
        either(Undefined, either(B.Poison, either(equal(Y, Zero), Overflows)));
    if (IsExact)
      PoisonIf(nonzero(z3::srem(X, Y)));
    return {Opcode == Instruction::SDiv ? X / Y : z3::srem(X, Y), Poison,
            std::nullopt};
  }
  case Instruction::Shl:
  case Instruction::LShr:
  case Instruction::AShr:
    PoisonIf(folded(z3::uge(Y, number(C, Width, Width))));
    if (Opcode == Instruction::Shl) {
      auto &Wrapping = cast<OverflowingBinaryOperator>(I);
      if (Wrapping.hasNoUnsignedWrap())
        PoisonIf(z3::ugt(
            X, folded(z3::lshr(number(C, APInt::getAllOnes(Width)), Y))));
      if (Wrapping.hasNoSignedWrap()) {
        PoisonIf(X > folded(z3::ashr(number(C, APInt::getSignedMaxValue(Width)),
                                     Y)));
        PoisonIf(X < folded(z3::ashr(number(C, APInt::getSignedMinValue(Width)),
                                     Y)));
      }
      return {z3::shl(X, Y), Poison, std::nullopt};
    }
    if (IsExact) {
      expr Lost =
          folded(~folded(z3::shl(number(C, APInt::getAllOnes(Width)), Y)));
      PoisonIf(nonzero(X & Lost));
    }
    return {Opcode == Instruction::LShr ? z3::lshr(X, Y) : z3::ashr(X, Y),
            Poison, std::nullopt};
  case Instruction::And:
    return {X & Y, Poison, std::nullopt};
  case Instruction::Or:
    if (cast<PossiblyDisjointInst>(I).isDisjoint())
      PoisonIf(nonzero(X & Y));
    return {X | Y, Poison, std::nullopt};
  case Instruction::Xor:
    return {X ^ Y, Poison, std::nullopt};
  }
  return {X, Poison, std::nullopt};
}

Lane Semantics::convert(const CastInst &I, const Lane &From, unsigned Width) {
  unsigned Old = widthOf(From.Bits);
  const expr &X = From.Bits;
  expr Poison = From.Poison;
  switch (I.getOpcode()) {
  case Instruction::Trunc: {
    auto &Trunc = cast<TruncInst>(I);
    if (Trunc.hasNoUnsignedWrap())
      Poison = either(Poison,
                      z3::ugt(X, number(C, APInt::getLowBitsSet(Old, Width))));
    if (Trunc.hasNoSignedWrap())
      Poison = either(
          Poison, X > number(C, APInt::getSignedMaxValue(Width).sext(Old)) ||
                      X < number(C, APInt::getSignedMinValue(Width).sext(Old)));
    return {truncate(X, Width), Poison, std::nullopt};
  }
  case Instruction::ZExt:
    if (I.hasNonNeg())
      Poison = either(Poison, X < number(C, 0, Old));
    return {zeroExtend(X, Width), Poison, std::nullopt};
  case Instruction::SExt:
    return {signExtend(X, Width), Poison, std::nullopt};
  case Instruction::PtrToInt:
  case Instruction::PtrToAddr:
    return {Width > Old ? zeroExtend(X, Width) : truncate(X, Width), Poison,
            std::nullopt};
  default: // bitcast
    return {X, Poison, From.Memory};
  }
}

Lane Semantics::compare(const ICmpInst &I, const Lane &A, const Lane &B) {
  const expr &X = A.Bits, &Y = B.Bits;
  expr Poison = either(A.Poison, B.Poison);
  expr Zero = number(C, 0, widthOf(X));
  if (I.hasSameSign())
    Poison = either(Poison, (X < Zero) != (Y < Zero));
  auto Holds = [&]() -> expr {
    switch (I.getPredicate()) {
    case ICmpInst::ICMP_EQ:
      return equal(X, Y);
    case ICmpInst::ICMP_NE:
      return negate(equal(X, Y));
    case ICmpInst::ICMP_ULT:
      return z3::ult(X, Y);
    case ICmpInst::ICMP_ULE:
      return z3::ule(X, Y);
    case ICmpInst::ICMP_UGT:
      return z3::ugt(X, Y);
    case ICmpInst::ICMP_UGE:
      return z3::uge(X, Y);
    case ICmpInst::ICMP_SLT:
      return X < Y;
    case ICmpInst::ICMP_SLE:
      return X <= Y;
    case ICmpInst::ICMP_SGT:
      return X > Y;
    default:
      return X >= Y;
    }
  };
  return {toBit(folded(Holds())), Poison, std::nullopt};
}

//===----------------------------------------------------------------------===//
// Vectors and structures
//===----------------------------------------------------------------------===//

/// The first lane and the number of lanes of a member of \p Ty.
static std::pair<unsigned, unsigned> memberLanes(World &W, Type *Ty,
                                                 ArrayRef<unsigned> Indices) {
  unsigned First = 0;
  for (unsigned Index : Indices) {
    for (unsigned Before = 0; Before < Index; ++Before)
      First += W.scalars(ExtractValueInst::getIndexedType(Ty, Before)).size();
    Ty = ExtractValueInst::getIndexedType(Ty, Index);
  }
  return {First, W.scalars(Ty).size()};
}

std::optional<unsigned> Semantics::laneIndex(const Value *Index,
                                             Type *VectorTy) {
  auto *Known = dyn_cast<ConstantInt>(Index);
  auto *Ty = dyn_cast<FixedVectorType>(VectorTy);
  if (!Known || !Ty) {
    W.giveUp("a vector element at a run-time index");
    return std::nullopt;
  }
  if (Known->getValue().uge(Ty->getNumElements()))
    return std::nullopt; // poison
  return Known->getZExtValue();
}

std::optional<SymbolicValue>
Semantics::rearrange(const Instruction &I, ArrayRef<SymbolicValue> Operands) {
  if (auto *Extract = dyn_cast<ExtractValueInst>(&I)) {
    auto [First, Count] = memberLanes(
        W, Extract->getAggregateOperand()->getType(), Extract->getIndices());
    return SymbolicValue(Operands[0].begin() + First,
                         Operands[0].begin() + First + Count);
  }
  if (auto *Insert = dyn_cast<InsertValueInst>(&I)) {
    auto [First, Count] = memberLanes(W, I.getType(), Insert->getIndices());
    SymbolicValue Result = Operands[0];
    for (unsigned L = 0; L < Count; ++L)
      Result[First + L] = Operands[1][L];
    return Result;
  }
  if (auto *Extract = dyn_cast<ExtractElementInst>(&I)) {
    std::optional<unsigned> L =
        laneIndex(Extract->getIndexOperand(), Extract->getVectorOperandType());
    return L ? SymbolicValue{Operands[0][*L]} : W.poison(I.getType());
  }
  if (isa<InsertElementInst>(I)) {
    std::optional<unsigned> L = laneIndex(I.getOperand(2), I.getType());
    if (!L)
      return W.poison(I.getType());
    SymbolicValue Result = Operands[0];
    Result[*L] = Operands[1].front();
    return Result;
  }
  if (auto *Shuffle = dyn_cast<ShuffleVectorInst>(&I)) {
    SymbolicValue Result, Poison = W.poison(I.getType());
    for (int Index : Shuffle->getShuffleMask()) {
      int Size = Operands[0].size();
      Result.push_back(Index < 0      ? Poison.front()
                       : Index < Size ? Operands[0][Index]
                                      : Operands[1][Index - Size]);
    }
    return Result;
  }
  return std::nullopt;
}

} // namespace unravel::refinement
