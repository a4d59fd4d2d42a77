//===- ValueEncoder.cpp - Values of a kernel as integers ------------------===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "transforms/certify/ValueEncoder.h"
#include "analysis/facts/SpecialRegisters.h"
#include "analysis/llvm/LLVMChanges.h"
#include "llvm/Analysis/AssumptionCache.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/ConstantRange.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/GetElementPtrTypeIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/IntrinsicsNVPTX.h"
#include "llvm/IR/Operator.h"
#include "llvm/Support/KnownBits.h"

using namespace llvm;

namespace unravel {

/// Operations inside each other, and values of one question: beyond, a value is
/// anything that its range allows.
static constexpr unsigned MaxDepth = 96;
static constexpr size_t MaxValues = 512;

unsigned ValueEncoder::widthOf(const Value *V) const {
  Type *Ty = V->getType();
  if (Ty->isPointerTy())
    Ty = View.F.getDataLayout().getIndexType(Ty);
  return Ty->isIntegerTy() ? Ty->getIntegerBitWidth() : 0;
}

bool ValueEncoder::isNeverPoison(const Value *V) const {
  return isGuaranteedNotToBePoison(V, &View.AC, At, &View.DT);
}

//===----------------------------------------------------------------------===//
// Values
//===----------------------------------------------------------------------===//

Word ValueEncoder::valueOf(const Value *V, Trust T) {
  auto It = Values.find(V);
  if (It != Values.end())
    return It->second;
  unsigned Width = widthOf(V);
  if (Width == 0 || Width > 64) {
    C.giveUp("a type that is no integer of at most 64 bits");
    return Words.truth(false);
  }
  Word W;
  if (auto *Number = dyn_cast<ConstantInt>(V)) {
    return Words.constant(Number->getValue());
  } else if (isa<ConstantPointerNull>(V)) {
    return Words.constant(APInt(Width, 0));
  } else if (isa<UndefValue>(V)) {
    C.giveUp("a constant that is undef or poison");
    return Words.constant(APInt(Width, 0));
  } else if (View.Opaque.contains(V)) {
    if (T == Trust::Proved && !isNeverPoison(V))
      C.giveUp("a value of the new code that may be poison");
    W = opaqueValue(V);
  } else if (View.Cuts.contains(V) && !isa<PHINode>(V)) {
    W = leaf(V, T);
  } else if (auto *GEP = dyn_cast<GEPOperator>(V);
             GEP && Depth < MaxDepth && !V->getType()->isVectorTy()) {
    ++Depth;
    W = computeAddress(*GEP, T);
    --Depth;
  } else if (auto *I = dyn_cast<Instruction>(V);
             I && Depth < MaxDepth && Values.size() < MaxValues) {
    ++Depth;
    W = compute(*I, T);
    --Depth;
  } else {
    W = leaf(V, T);
  }
  if (Values.try_emplace(V, W).second)
    Order.push_back(V);
  return W;
}

Word ValueEncoder::compute(const Instruction &I, Trust T) {
  auto Operand = [&](unsigned Number) {
    return valueOf(I.getOperand(Number), T);
  };
  unsigned Width = widthOf(&I);
  if (isa<BinaryOperator>(I)) {
    bool IsShift = I.isShift() && !isa<ConstantInt>(I.getOperand(1));
    if (IsShift && T == Trust::Proved)
      return leaf(&I, T);
    Word B = Operand(1);
    if (IsShift && (!B.Bits.isConstant() || B.Bits.constant() < 0 ||
                    B.Bits.constant() >= int64_t(Width)))
      return leaf(&I, T);
    Word A = Operand(0);
    PoisonFlags Flags = PoisonFlags::of(I);
    if (I.getOpcode() == Instruction::Or && !Flags.Disjoint &&
        haveNoCommonBitsSet(
            I.getOperand(0), I.getOperand(1),
            SimplifyQuery(View.F.getDataLayout(), &View.DT, &View.AC, &I)))
      return Words.binary(Instruction::Add, A, B, {/*NoUnsignedWrap=*/true},
                          Trust::Believed);
    return Words.binary(I.getOpcode(), A, B, Flags, T);
  }
  if (auto *Compare = dyn_cast<ICmpInst>(&I)) {
    if (widthOf(Compare->getOperand(0)) == 0 ||
        widthOf(Compare->getOperand(0)) > 64)
      return leaf(&I, T);
    Word A = Operand(0), B = Operand(1);
    if (Compare->hasSameSign() && T == Trust::Proved)
      C.giveUp("a comparison with samesign that the old code does not need");
    return Words.truth(Words.compare(Compare->getPredicate(), A, B));
  }
  if (isa<SelectInst>(I) && I.getOperand(0)->getType()->isIntegerTy(1))
    return Words.isTrue(Operand(0)) ? Operand(1) : Operand(2);
  if (auto *Phi = dyn_cast<PHINode>(&I))
    return computePhi(*Phi, T);
  if (auto *Freeze = dyn_cast<FreezeInst>(&I))
    return computeFreeze(*Freeze);
  if (auto *Call = dyn_cast<IntrinsicInst>(&I))
    return computeCall(*Call, T);
  if (auto [Operation, Part] = overflowOf(&I); Operation && Part == 0) {
    Word A = valueOf(Operation->getLHS(), T),
         B = valueOf(Operation->getRHS(), T);
    return Words.binary(Operation->getBinaryOp(), A, B, {}, T);
  }
  auto *Cast = dyn_cast<CastInst>(&I);
  unsigned From = Cast ? widthOf(Cast->getOperand(0)) : 0;
  if (From == 0 || From > 64)
    return leaf(&I, T);
  switch (Cast->getOpcode()) {
  case Instruction::ZExt: {
    Word A = Operand(0);
    if (cast<ZExtInst>(Cast)->hasNonNeg())
      Words.require(Words.signedOf(A), T,
                    "a value that may be poison: zext nneg");
    return Words.zeroExtended(A, Width);
  }
  case Instruction::SExt:
    return Words.signExtended(Operand(0), Width);
  case Instruction::Trunc:
    return Words.truncated(Operand(0), Width, PoisonFlags::of(I), T);
  case Instruction::PtrToInt:
  case Instruction::IntToPtr:
  case Instruction::PtrToAddr:
    if (From == Width)
      return Operand(0);
    return leaf(&I, T);
  default: // addrspacecast, from floating point
    return leaf(&I, T);
  }
}

Word ValueEncoder::computeCall(const IntrinsicInst &Call, Trust T) {
  auto Operand = [&](unsigned Number) {
    return valueOf(Call.getArgOperand(Number), T);
  };
  auto Both = [&](auto Function) {
    Word A = Operand(0), B = Operand(1);
    return Function(A, B);
  };
  // A range attribute of the call could make poison of what is computed.
  if (Call.getRange() && T == Trust::Proved && !isNeverPoison(&Call))
    return leaf(&Call, T);
  switch (Call.getIntrinsicID()) {
  case Intrinsic::smin:
  case Intrinsic::umin:
    return Both([&](const Word &A, const Word &B) {
      return Words.lesser(A, B, Call.getIntrinsicID() == Intrinsic::smin);
    });
  case Intrinsic::smax:
  case Intrinsic::umax:
    return Both([&](const Word &A, const Word &B) {
      return Words.greater(A, B, Call.getIntrinsicID() == Intrinsic::smax);
    });
  case Intrinsic::usub_sat:
    return Both([&](const Word &A, const Word &B) {
      return Words.differenceOrZero(A, B);
    });
  case Intrinsic::abs:
    return Words.absolute(Operand(0),
                          cast<ConstantInt>(Call.getArgOperand(1))->isOne(), T);
  case Intrinsic::nvvm_mulhi_ui:
    return Both(
        [&](const Word &A, const Word &B) { return Words.upperProduct(A, B); });
  default:
    break;
  }
  if (Call.arg_empty() && launchRange(&Call))
    return registerValue(Call.getIntrinsicID(), &Call);
  return leaf(&Call, T);
}

/// gridDim and its like: one number for all reads. An index is below its size.
Word ValueEncoder::registerValue(unsigned ID, const Value *V) {
  auto It = Registers.find(ID);
  if (C.isDoubtful())
    return It == Registers.end() ? unknownWord(V, /*HasFacts=*/false)
                                 : It->second;
  if (It == Registers.end()) {
    Registers[ID] = unknownWord(V, /*HasFacts=*/true);
    readSizeOf(ID);
    relateRegisters(ID);
    return Registers[ID];
  }
  // What this read promises.
  ConstantRange Range = constantRangeOf(V, false, View.F.getDataLayout());
  if (!Range.isEmptySet()) {
    Polynomial N = Words.unsignedOf(It->second);
    unsigned Width = Range.getBitWidth() + 1;
    C.learn(N - Polynomial(DynamicAPInt(Range.getUnsignedMin().zext(Width))));
    C.learn(Polynomial(DynamicAPInt(Range.getUnsignedMax().zext(Width))) - N);
  }
  return It->second;
}

/// What reads of the size promise counts as well, where the index is all that
/// was read so far.
void ValueEncoder::readSizeOf(unsigned Index) {
  unsigned Size = boundingRegister(Index);
  if (Size == Intrinsic::not_intrinsic || Registers.count(Size))
    return;
  for (const BasicBlock &BB : View.F)
    for (const Instruction &I : BB)
      if (auto *Read = dyn_cast<IntrinsicInst>(&I);
          Read && Read->getIntrinsicID() == Size &&
          View.DT.dominates(Read, At) && isNeverPoison(Read)) {
        valueOf(Read, Trust::Believed);
        return;
      }
}

void ValueEncoder::relateRegisters(unsigned ID) {
  for (const auto &[Index, Value] : Registers) {
    unsigned Size = boundingRegister(Index);
    if ((Index == ID || Size == ID) && Registers.count(Size))
      Words.assume(CmpInst::ICMP_ULT, Value, Registers[Size]);
  }
}

Word ValueEncoder::computeAddress(const GEPOperator &GEP, Trust T) {
  Word Base = valueOf(GEP.getPointerOperand(), T);
  bool InObject = GEP.isInBounds() && T == Trust::Believed;
  bool NoSignedWrap = GEP.hasNoUnsignedSignedWrap() && T == Trust::Believed;
  if (T == Trust::Proved && GEP.getNoWrapFlags() != GEPNoWrapFlags::none())
    return leaf(&GEP, T);
  const DataLayout &Layout = View.F.getDataLayout();
  Polynomial Offset;
  for (auto Step = gep_type_begin(GEP), End = gep_type_end(GEP); Step != End;
       ++Step) {
    if (StructType *Struct = Step.getStructTypeOrNull()) {
      uint64_t Bytes = Layout.getStructLayout(Struct)->getElementOffset(
          cast<ConstantInt>(Step.getOperand())->getZExtValue());
      Offset = Offset + int64_t(Bytes);
      continue;
    }
    TypeSize Stride = Step.getSequentialElementStride(Layout);
    unsigned Width = widthOf(Step.getOperand());
    if (Stride.isScalable() || Width == 0 || Width > Base.Width)
      return leaf(&GEP, T);
    Word Index = valueOf(Step.getOperand(), T);
    Polynomial Number =
        Width < Base.Width || NoSignedWrap ? Words.signedOf(Index) : Index.Bits;
    Offset = Offset + Number * DynamicAPInt(int64_t(Stride.getFixedValue()));
  }
  Word W;
  W.Width = Base.Width;
  W.Bits = Base.Bits + Offset;
  if (NoSignedWrap)
    Words.requireRange(Offset, Base.Width, /*IsSigned=*/true, Trust::Believed);
  if (InObject) {
    // No object goes around the end of the address space.
    W.Unsigned = Words.unsignedOf(Base) + Offset;
    W.Bits = *W.Unsigned;
    Words.requireRange(W.Bits, W.Width, /*IsSigned=*/false, Trust::Believed);
  }
  return W;
}

std::vector<Polynomial> ValueEncoder::offsetsInObject(const Value *V,
                                                      const Value *Base) {
  // All the way from Base in bounds: all of it is one object, and so is what
  // lies between two of its places.
  std::vector<Polynomial> Offsets;
  Polynomial Start = Words.unsignedOf(valueOf(Base, Trust::Believed));
  for (unsigned Steps = 0; Steps < MaxDepth; ++Steps) {
    const Word W = valueOf(V, Trust::Believed);
    Offsets.push_back((W.Unsigned ? *W.Unsigned : W.Bits) - Start);
    if (V == Base)
      return Offsets;
    auto *GEP = dyn_cast<GEPOperator>(V);
    if (!GEP || !GEP->isInBounds())
      break;
    V = GEP->getPointerOperand();
  }
  return {};
}

//===----------------------------------------------------------------------===//
// Leaves
//===----------------------------------------------------------------------===//

/// Whether \p V is read as a signed number at least as often as not.
static bool isUsedAsSigned(const Value *V) {
  int Votes = 0;
  for (const User *U : V->users()) {
    auto *I = dyn_cast<Instruction>(U);
    auto *Compare = dyn_cast_or_null<ICmpInst>(I);
    if (!I)
      continue;
    unsigned Code = I->getOpcode();
    if (Code == Instruction::SDiv || Code == Instruction::SRem ||
        Code == Instruction::SExt || Code == Instruction::AShr ||
        (Compare && Compare->isSigned()))
      ++Votes;
    else if (Code == Instruction::UDiv || Code == Instruction::URem ||
             Code == Instruction::ZExt || Code == Instruction::LShr ||
             (Compare && Compare->isUnsigned()))
      --Votes;
  }
  return Votes >= 0;
}

/// Some word. Its range and its low bits are those that LLVM knows.
Word ValueEncoder::unknownWord(const Value *V, bool HasFacts) {
  unsigned Width = widthOf(V);
  if (!HasFacts || !V->getType()->isIntegerTy())
    return Words.unknown(Width, DynamicAPInt(0),
                         WordEncoder::highest(Width, false), false);
  const DataLayout &Layout = View.F.getDataLayout();
  auto *Here = dyn_cast<Instruction>(V);
  KnownBits Known = computeKnownBits(V, Layout, &View.AC, Here, &View.DT);
  // Facts that contradict each other are of code that is never executed.
  if (Known.hasConflict())
    Known.resetAll();
  ConstantRange Signed =
      constantRangeOf(V, true, Layout, &View.AC, Here, &View.DT)
          .intersectWith(ConstantRange::fromKnownBits(Known, true),
                         ConstantRange::Signed);
  ConstantRange Unsigned =
      constantRangeOf(V, false, Layout, &View.AC, Here, &View.DT)
          .intersectWith(ConstantRange::fromKnownBits(Known, false),
                         ConstantRange::Unsigned);
  if (isa<PHINode>(V) && View.SE.isSCEVable(V->getType())) {
    const SCEV *S = View.SE.getSCEV(const_cast<Value *>(V));
    Signed =
        Signed.intersectWith(View.SE.getSignedRange(S), ConstantRange::Signed);
    Unsigned = Unsigned.intersectWith(View.SE.getUnsignedRange(S),
                                      ConstantRange::Unsigned);
  }
  if (Signed.isEmptySet() || Unsigned.isEmptySet())
    Signed = Unsigned = ConstantRange::getFull(Width);
  // The reading that needs fewer values.
  auto Bounds = [&](const ConstantRange &Range, bool IsSigned) {
    APInt Low = IsSigned ? Range.getSignedMin().sext(Width + 1)
                         : Range.getUnsignedMin().zext(Width + 1);
    APInt High = IsSigned ? Range.getSignedMax().sext(Width + 1)
                          : Range.getUnsignedMax().zext(Width + 1);
    return IntegerRange{DynamicAPInt(Low), DynamicAPInt(High)};
  };
  IntegerRange AsSigned = Bounds(Signed, true),
               AsUnsigned = Bounds(Unsigned, false);
  DynamicAPInt SignedSize = AsSigned.High - AsSigned.Low,
               UnsignedSize = AsUnsigned.High - AsUnsigned.Low;
  bool IsSigned = SignedSize != UnsignedSize ? SignedSize < UnsignedSize
                                             : isUsedAsSigned(V);
  IntegerRange Range = IsSigned ? AsSigned : AsUnsigned;
  if (std::optional<Interval> Launch = launchRange(V)) {
    // Indices and sizes: not negative.
    IsSigned = false;
    Range.Low = std::max(AsUnsigned.Low, DynamicAPInt(Launch->lo()));
    Range.High = std::min(AsUnsigned.High, DynamicAPInt(Launch->hi()));
    if (Range.Low > Range.High)
      Range = {DynamicAPInt(Launch->lo()), DynamicAPInt(Launch->hi())};
  }
  unsigned Low = std::min((Known.Zero | Known.One).countr_one(), Width);
  Congruence Lattice = launchLattice(V);
  if ((Low == 0 || Low == Width) && Lattice.isTrivial())
    return Words.unknown(Width, Range.Low, Range.High, IsSigned);
  // 2^low * v + rest, or whole clusters.
  DynamicAPInt Step = WordEncoder::powerOfTwo(Low), Rest(0);
  if (Lattice.isTrivial())
    Rest = DynamicAPInt(Known.One.trunc(Low).zext(Low + 1));
  else
    Step = DynamicAPInt(Lattice.modulus());
  Word Upper = Words.unknown(Width, ceilDiv(Range.Low - Rest, Step),
                             floorDiv(Range.High - Rest, Step), IsSigned);
  Word W;
  W.Width = Width;
  W.Bits = Upper.Bits * Step + Polynomial(Rest);
  (IsSigned ? W.Signed : W.Unsigned) = W.Bits;
  return W;
}

Word ValueEncoder::leaf(const Value *V, Trust T) {
  if (T == Trust::Proved && !isNeverPoison(V))
    C.giveUp("a value of the new code that may be poison");
  if (auto It = Known.find(V); It != Known.end())
    return Words.unknown(widthOf(V), It->second.Range.Low,
                         It->second.Range.High, It->second.IsSigned);
  Leaves.push_back(V);
  return unknownWord(V, /*HasFacts=*/true);
}

/// Any value that \p V can be, of all that its parts can be: each use of a part
/// that may be undef is a number of its own.
Word ValueEncoder::opaqueValue(const Value *V, unsigned Level) {
  static constexpr unsigned MaxLevel = 4;
  if (auto *Number = dyn_cast<ConstantInt>(V))
    return Words.constant(Number->getValue());
  if (Level > 0 && sourcesOfUndef(V).empty())
    return valueOf(V, Trust::Believed);
  auto *I = dyn_cast<Instruction>(V);
  unsigned Width = widthOf(V);
  if (!I || Level == MaxLevel || Width == 0 || Width > 64)
    return unknownWord(V, /*HasFacts=*/true);
  if (isa<BinaryOperator>(I) && isa<ConstantInt>(I->getOperand(1)))
    return Words.binary(I->getOpcode(),
                        opaqueValue(I->getOperand(0), Level + 1),
                        opaqueValue(I->getOperand(1), Level + 1),
                        PoisonFlags::of(*I), Trust::Believed);
  if (auto *Cast = dyn_cast<ZExtInst>(I);
      Cast && Cast->getSrcTy()->isIntegerTy())
    return Words.zeroExtended(opaqueValue(Cast->getOperand(0), Level + 1),
                              Width);
  return unknownWord(V, /*HasFacts=*/true);
}

/// A cycle of phis and arithmetic is undef only if something that enters it is;
/// LLVM's own query gives up on cycles.
ValueSet sourcesOfUndef(const Value *V) {
  SmallVector<const Value *, 8> Work{V};
  SmallPtrSet<const Value *, 16> Seen{V};
  ValueSet Sources;
  while (!Work.empty()) {
    const Value *Top = Work.pop_back_val();
    if (isGuaranteedNotToBeUndef(Top))
      continue;
    auto *I = dyn_cast<Instruction>(Top);
    if (!I || Seen.size() > MaxValues ||
        !isa<PHINode, BinaryOperator, CastInst, CmpInst, SelectInst,
             GetElementPtrInst>(I)) {
      Sources.insert(Top);
      continue;
    }
    for (const Value *Operand : I->operands())
      if (Seen.insert(Operand).second)
        Work.push_back(Operand);
  }
  return Sources;
}

/// V itself, if it is known to be no poison, or can be proved to be none.
std::optional<Word> ValueEncoder::valueUnlessPoison(const Value *V) {
  auto It = Values.find(V);
  if (It != Values.end())
    return It->second;
  if (isNeverPoison(V))
    return valueOf(V, Trust::Believed);
  if (C.isDoubtful())
    return std::nullopt;
  size_t Before = Order.size();
  Word W = valueOf(V, Trust::Proved);
  if (!C.isDoubtful())
    return W;
  if (!C.lacksDecision()) {
    C.withdraw();
    forgetFrom(Before);
  }
  return std::nullopt;
}

Word ValueEncoder::computeFreeze(const FreezeInst &Freeze) {
  // Undef would be another word at every use.
  const Value *V = Freeze.getOperand(0);
  if (sourcesOfUndef(V).empty())
    if (std::optional<Word> W = valueUnlessPoison(V))
      return *W;
  return isNeverPoison(V) ? opaqueValue(V)
                          : unknownWord(&Freeze, /*HasFacts=*/false);
}

Word ValueEncoder::frozenValueOf(const Value *V) {
  auto Known = Frozen.find(V);
  if (Known != Frozen.end())
    return Known->second;
  if (std::optional<Word> W = valueUnlessPoison(V))
    return *W;
  return Frozen[V] = isNeverPoison(V) ? opaqueValue(V)
                                      : unknownWord(V, /*HasFacts=*/false);
}

} // namespace unravel
