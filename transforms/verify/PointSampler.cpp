//===- PointSampler.cpp - Values for the leaves of a kernel ---------------===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "transforms/verify/PointSampler.h"
#include "analysis/facts/SpecialRegisters.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace unravel {

PointSampler::PointSampler(const RangeFacts &Facts) : Facts(Facts) {
  static constexpr size_t MaxConstants = 64;
  SmallSetVector<int64_t, 16> Seen;
  for (Instruction &I : instructions(Facts.function())) {
    if (auto *Call = dyn_cast<IntrinsicInst>(&I))
      if (launchRange(Call)) {
        RegisterFacts &Known = Registers[Call->getIntrinsicID()];
        Known.Range =
            Known.Range.intersect(Facts.rangeOf(Call, Reading::Unsigned));
        Known.Lattice = launchLattice(Call);
      }
    for (const Value *Operand : I.operand_values())
      if (auto *C = dyn_cast<ConstantInt>(Operand);
          C && C->getBitWidth() > 1 && C->getValue().isSignedIntN(64) &&
          Seen.size() < MaxConstants)
        Seen.insert(C->getSExtValue());
  }
  Constants.assign(Seen.begin(), Seen.end());
}

void PointSampler::startPoint(unsigned Number) {
  AtCorner = Number == 0   ? Corner::Lower
             : Number == 1 ? Corner::Upper
                           : Corner::None;
  WithPoison = Number % 8 == 7;
  Random.seed(Number);
  RegisterValues.clear();
  Drawn.clear();
}

uint64_t PointSampler::below(uint64_t Bound) {
  return Bound ? Random() % Bound : Random();
}

const PointSampler::LeafFacts &PointSampler::factsOf(const Value *Leaf) {
  auto [It, IsNew] = KnownFacts.try_emplace(Leaf);
  if (IsNew) {
    auto *V = const_cast<Value *>(Leaf);
    It->second = {Facts.rangeOf(V, Reading::Signed),
                  Facts.rangeOf(V, Reading::Unsigned), Facts.latticeOf(V),
                  computeKnownBits(V, Facts.function().getDataLayout()),
                  !Facts.isNeverPoison(V)};
  }
  return It->second;
}

/// A number in \p Range, which may be infinite: often one at which something
/// may happen.
int64_t PointSampler::drawFrom(const Interval &Range) {
  if (AtCorner == Corner::Lower && Range.isBoundedBelow())
    return Range.lo();
  if (AtCorner == Corner::Upper && Range.isBoundedAbove())
    return Range.hi();
  uint64_t Span = uint64_t(Range.hi()) - uint64_t(Range.lo());
  auto FromLow = [&](uint64_t Offset) {
    return int64_t(uint64_t(Range.lo()) + std::min(Offset, Span));
  };
  static constexpr unsigned Near = 3;
  uint64_t Jitter = below(2 * Near + 1) - Near;
  int64_t Candidate;
  switch (below(8)) {
  case 0:
    return FromLow(below(Near));
  case 1:
    return FromLow(Span - std::min(below(Near), Span));
  case 2: // small
    Candidate = int64_t(below(64)) - 16;
    break;
  case 3: // a constant, or a small multiple
    Candidate = Constants.empty()
                    ? 0
                    : int64_t(uint64_t(Constants[below(Constants.size())]) *
                                  (1 + below(4)) +
                              Jitter);
    break;
  case 4: // beside another leaf
    Candidate = int64_t(Jitter);
    if (!Drawn.empty())
      if (auto *Other =
              dyn_cast<ConstantInt>(Drawn[below(Drawn.size())].second))
        Candidate =
            int64_t(uint64_t(Other->getValue().sextOrTrunc(64).getSExtValue()) +
                    Jitter);
    break;
  case 5: // beside a power of two
    Candidate = int64_t((uint64_t(1) << below(63)) + Jitter);
    break;
  case 6: // any magnitude
    return FromLow(below(uint64_t(2) << below(63)));
  default:
    return FromLow(below(Span + 1));
  }
  return Range.contains(Candidate) ? Candidate : FromLow(below(Span + 1));
}

/// Somewhere in the middle, so that no honest offset wraps.
Constant *PointSampler::drawPointer(IntegerType *Ty) {
  unsigned Width = Ty->getBitWidth();
  APInt Base = APInt::getOneBitSet(Width, Width - 2);
  return ConstantInt::get(Ty, Base + APInt(Width, 256 * below(1024)));
}

/// \p Value moved to the lattice: down, or up where that leaves the range.
static int64_t onLattice(int64_t Value, const Congruence &Lattice,
                         const Interval &Range) {
  int64_t Modulus = Lattice.modulus();
  if (Modulus <= 1)
    return Value;
  Value -= floorMod(Value - Lattice.residue(), Modulus);
  return Value < Range.lo() ? Value + Modulus : Value;
}

/// The same for every read; thread and block indices below their bounds.
int64_t PointSampler::drawRegister(unsigned Register) {
  auto Known = RegisterValues.find(Register);
  if (Known != RegisterValues.end())
    return Known->second;
  auto [Range, Lattice] = Registers.lookup(Register);
  unsigned Bound = boundingRegister(Register);
  if (Registers.contains(Bound))
    Range = Range.intersect(Interval::atMost(drawRegister(Bound) - 1));
  int64_t Value =
      Range.isEmpty() ? 0 : onLattice(drawFrom(Range), Lattice, Range);
  RegisterValues[Register] = Value;
  return Value;
}

Constant *PointSampler::draw(const Value *Leaf, IntegerType *Ty) {
  if (!Leaf || !Leaf->getType()->isIntegerTy() || Ty->getBitWidth() > 64) {
    if (Leaf && Leaf->getType()->isPointerTy())
      return drawPointer(Ty);
    return ConstantInt::get(Ty, APInt(Ty->getBitWidth(), below(0), false,
                                      /*implicitTrunc=*/true));
  }
  auto *Register = dyn_cast<IntrinsicInst>(Leaf);
  if (Register && Registers.contains(Register->getIntrinsicID()))
    return ConstantInt::get(Ty, drawRegister(Register->getIntrinsicID()));
  // A power of two (LLVM Language Reference).
  if (Register && Register->getIntrinsicID() == Intrinsic::vscale)
    return ConstantInt::get(Ty, uint64_t(1) << below(5));
  const LeafFacts &Known = factsOf(Leaf);
  if (WithPoison && Known.MayBePoison && below(3) == 0)
    return PoisonValue::get(Ty);
  // Under the reading that knows more.
  auto Span = [](const Interval &I) { return uint64_t(I.hi()) - I.lo(); };
  const Interval &Range = Known.Unsigned.isBoundedAbove() &&
                                  Span(Known.Unsigned) < Span(Known.Signed)
                              ? Known.Unsigned
                              : Known.Signed;
  int64_t Value = drawFrom(Range);
  Value = onLattice(Value, Known.Lattice, Range);
  // A range has no holes, bits that are known make some: values there cannot
  // be.
  APInt Bits(Ty->getBitWidth(), uint64_t(Value), /*isSigned=*/true,
             /*implicitTrunc=*/true);
  Bits = (Bits & ~Known.Bits.Zero) | Known.Bits.One;
  int64_t Possible = &Range == &Known.Signed ? Bits.getSExtValue()
                                             : int64_t(Bits.getZExtValue());
  if (Range.contains(Possible) && Known.Lattice.contains(Possible))
    Value = Possible;
  return ConstantInt::get(Ty, Value, /*IsSigned=*/true, /*ImplicitTrunc=*/true);
}

Constant *PointSampler::valueOf(const Value *Leaf, IntegerType *Ty) {
  Constant *Value = draw(Leaf, Ty);
  if (Leaf)
    Drawn.emplace_back(Leaf, Value);
  return Value;
}

std::string PointSampler::describe() const {
  static constexpr size_t MaxLeaves = 12;
  std::string Text;
  raw_string_ostream OS(Text);
  for (const auto &[Leaf, Value] : ArrayRef(Drawn).take_front(MaxLeaves)) {
    OS << (Text.empty() ? "" : ", ");
    auto *Register = dyn_cast<IntrinsicInst>(Leaf);
    if (Register && Registers.contains(Register->getIntrinsicID()))
      OS << Register->getCalledFunction()->getName().substr(
          StringRef("llvm.nvvm.read.ptx.sreg.").size());
    else
      Leaf->printAsOperand(OS, /*PrintType=*/false);
    OS << " = ";
    Value->printAsOperand(OS, /*PrintType=*/false);
  }
  return Text;
}

} // namespace unravel
