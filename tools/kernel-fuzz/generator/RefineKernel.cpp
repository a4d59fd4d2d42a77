//===- RefineKernel.cpp - Facts for a kernel, from runs of it -------------===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tools/kernel-fuzz/generator/RefineKernel.h"
#include "tools/kernel-fuzz/generator/InputSampler.h"
#include "tools/kernel-fuzz/interpreter/PoisonInterpreter.h"
#include "llvm/ADT/bit.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Operator.h"

using namespace llvm;

namespace unravel {

namespace {

class Refinement {
public:
  Refinement(Function &F, TunableConditions &Conditions, FuzzRandom &R)
      : F(F), Conditions(Conditions), R(R) {}
  void run();

private:
  bool traceRuns();
  const InstructionTrace *traceOf(const Instruction *I) const {
    auto It = Trace.find(I);
    return It == Trace.end() ? nullptr : &It->second;
  }
  void setRightSide(ICmpInst &Cmp, uint64_t Bits);
  void moveGuard(ICmpInst &Cmp);
  void makeTrue(ICmpInst &Cmp);
  void settleAssumptions();
  /// Whether to set a flag that forbids \p Violation.
  bool decides(const InstructionTrace &T, unsigned Violation);
  void setFlags(Instruction &I, const InstructionTrace &T);
  void setResultRange(CallInst &Call, const InstructionTrace &T);

  Function &F;
  TunableConditions &Conditions;
  FuzzRandom &R;
  ExecutionTrace Trace;
  /// How often, in percent, flags are set that held, and that did not.
  unsigned Likely = 0, Wild = 0;
};

} // namespace

/// False if the kernel cannot be run.
bool Refinement::traceRuns() {
  static constexpr uint64_t Runs = 32, MaxSteps = 3000;
  Trace.clear();
  std::string Why;
  StringMap<unsigned> Globals = numberGlobals(F);
  auto Program = DecodedProgram::create(F, Globals, Why);
  if (!Program)
    return false;
  uint64_t Seed = samplingSeed(F, 0);
  InputSampler Sampler(F, Seed);
  FuzzRandom Inputs(Seed);
  for (uint64_t K = 0; K < Runs; ++K)
    runThread(*Program, Sampler.draw(Inputs, LaunchKind::Usual), MaxSteps,
              &Trace);
  return true;
}

void Refinement::setRightSide(ICmpInst &Cmp, uint64_t Bits) {
  Type *Ty = Cmp.getOperand(1)->getType();
  unsigned Width = Ty->getIntegerBitWidth();
  Cmp.setOperand(1, ConstantInt::get(Ty, lowBits(Bits, Width)));
}

/// Puts the constant into the range of the left side, or to its edge.
void Refinement::moveGuard(ICmpInst &Cmp) {
  const InstructionTrace *T = traceOf(&Cmp);
  if (!T || !isa<ConstantInt>(Cmp.getOperand(1)))
    return;
  uint64_t Low = Cmp.isSigned() ? uint64_t(T->SignedMin) : T->UnsignedMin;
  uint64_t High = Cmp.isSigned() ? uint64_t(T->SignedMax) : T->UnsignedMax;
  uint64_t Size = High - Low;
  uint64_t Value = Size == UINT64_MAX ? R.next() : Low + R.below(Size + 1);
  if (R.chance(30))
    Value = R.chance(50) ? Low : High;
  setRightSide(Cmp, Value + R.below(3) - 1);
}

void Refinement::makeTrue(ICmpInst &Cmp) {
  const InstructionTrace *T = traceOf(&Cmp);
  if (!T || !isa<ConstantInt>(Cmp.getOperand(1)))
    return;
  uint64_t Low = Cmp.isSigned() ? uint64_t(T->SignedMin) : T->UnsignedMin;
  uint64_t High = Cmp.isSigned() ? uint64_t(T->SignedMax) : T->UnsignedMax;
  uint64_t Slack = R.chance(60) ? 0 : R.below(100);
  switch (Cmp.getPredicate()) {
  case CmpInst::ICMP_EQ:
    return setRightSide(Cmp, Low);
  case CmpInst::ICMP_NE:
    return setRightSide(Cmp, Low - 1);
  case CmpInst::ICMP_ULT:
  case CmpInst::ICMP_SLT:
    return setRightSide(Cmp, High + 1 + Slack);
  case CmpInst::ICMP_ULE:
  case CmpInst::ICMP_SLE:
    return setRightSide(Cmp, High + Slack);
  case CmpInst::ICMP_UGT:
  case CmpInst::ICMP_SGT:
    return setRightSide(Cmp, Low - 1 - Slack);
  default:
    return setRightSide(Cmp, Low - Slack);
  }
}

/// Keeps the assumptions that held in all runs, those that never did the other
/// way round.
void Refinement::settleAssumptions() {
  for (auto &[Cmp, Assume] : Conditions.Assumptions) {
    const InstructionTrace *T = traceOf(Cmp);
    if (T && T->WasFalse && !T->WasTrue)
      Cmp->setPredicate(Cmp->getInversePredicate());
    if (T && T->WasFalse != T->WasTrue)
      Assume->setArgOperand(0, Cmp);
    else
      Assume->eraseFromParent();
  }
}

bool Refinement::decides(const InstructionTrace &T, unsigned Violation) {
  return R.chance(T.Violations & Violation ? Wild : Likely);
}

void Refinement::setResultRange(CallInst &Call, const InstructionTrace &T) {
  if (!Call.getType()->isIntegerTy() || !R.chance(25))
    return;
  unsigned Width = Call.getType()->getIntegerBitWidth();
  uint64_t Slack = R.chance(50) ? 0 : R.below(50);
  APInt Low(Width, T.UnsignedMin - std::min(T.UnsignedMin, Slack));
  APInt High(Width, lowBits(T.UnsignedMax + 1 + Slack, Width));
  LLVMContext &C = F.getContext();
  if (Low.ult(High))
    Call.addRetAttr(
        Attribute::get(C, Attribute::Range, ConstantRange(Low, High)));
  if (R.chance(20))
    Call.addRetAttr(Attribute::NoUndef);
}

void Refinement::setFlags(Instruction &I, const InstructionTrace &T) {
  if (getLoadStorePointerOperand(&I)) {
    unsigned Zeros = T.AddressBits ? unsigned(countr_zero(T.AddressBits)) : 0;
    uint64_t Log = R.below(std::min(Zeros, 4u) + 1);
    if (R.chance(Likely / 2))
      setLoadStoreAlignment(&I, Align(uint64_t(1) << Log));
  } else if (isa<OverflowingBinaryOperator>(I)) {
    I.setHasNoSignedWrap(decides(T, SignedWrap));
    I.setHasNoUnsignedWrap(decides(T, UnsignedWrap));
  } else if (isa<PossiblyExactOperator>(I)) {
    I.setIsExact(decides(T, Inexact));
  } else if (auto *Or = dyn_cast<PossiblyDisjointInst>(&I)) {
    Or->setIsDisjoint(decides(T, NotDisjoint));
  } else if (isa<ZExtInst>(I)) {
    I.setNonNeg(decides(T, Negative));
  } else if (auto *Trunc = dyn_cast<TruncInst>(&I)) {
    Trunc->setHasNoSignedWrap(decides(T, SignedWrap));
    Trunc->setHasNoUnsignedWrap(decides(T, UnsignedWrap));
  } else if (auto *Cmp = dyn_cast<ICmpInst>(&I)) {
    if (!Cmp->isEquality() && R.chance(40))
      Cmp->setSameSign(decides(T, DifferentSigns));
  } else if (auto *Gep = dyn_cast<GetElementPtrInst>(&I)) {
    GEPNoWrapFlags Flags = GEPNoWrapFlags::none();
    if (decides(T, SignedWrap))
      Flags |= GEPNoWrapFlags::noUnsignedSignedWrap();
    if (decides(T, UnsignedWrap))
      Flags |= GEPNoWrapFlags::noUnsignedWrap();
    if (decides(T, OutOfBounds | SignedWrap))
      Flags |= GEPNoWrapFlags::inBounds();
    Gep->setNoWrapFlags(Flags);
  } else if (auto *Call = dyn_cast<CallInst>(&I)) {
    setResultRange(*Call, T);
  }
}

void Refinement::run() {
  // First without the assumptions, which mean nothing as yet.
  for (auto &Assumption : Conditions.Assumptions)
    Assumption.Assume->setArgOperand(0, ConstantInt::getTrue(F.getContext()));
  if (!traceRuns())
    return;
  for (ICmpInst *Cmp : Conditions.Guards)
    if (R.chance(65))
      moveGuard(*Cmp);
  traceRuns(); // the guards lead elsewhere now
  for (auto &Assumption : Conditions.Assumptions)
    makeTrue(*Assumption.Condition);
  traceRuns();
  settleAssumptions();
  // Some kernels have no flags, and some have flags that sometimes do not hold.
  uint64_t Mode = R.below(10);
  Likely = Mode == 0 ? 0 : Mode <= 3 ? 50 : 92;
  Wild = Mode == 9 ? 6 : 0;
  for (Instruction &I : instructions(F))
    if (const InstructionTrace *T = traceOf(&I))
      setFlags(I, *T);
}

void refineKernel(Function &F, TunableConditions &Conditions, FuzzRandom &R) {
  Refinement(F, Conditions, R).run();
}

} // namespace unravel
