//===- InputSampler.cpp - Threads that a kernel may meet ------------------===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tools/kernel-fuzz/generator/InputSampler.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/MathExtras.h"

using namespace llvm;

namespace unravel {

static constexpr char SeedAttribute[] = "kernel-fuzz-seed";

uint64_t samplingSeed(const Function &F, uint64_t Default) {
  uint64_t Seed = Default;
  F.getFnAttribute(SeedAttribute).getValueAsString().getAsInteger(10, Seed);
  return Seed;
}

void setSamplingSeed(Function &F, uint64_t Seed) {
  F.addFnAttr(SeedAttribute, std::to_string(Seed));
}

/// The numbers of "nvvm.reqntid"="32,8"; dimensions that are left out are 1.
static std::array<uint64_t, 3> launchBound(const Function &F, StringRef Name) {
  std::array<uint64_t, 3> Sizes{};
  StringRef Text = F.getFnAttribute(Name).getValueAsString();
  if (Text.empty())
    return Sizes;
  SmallVector<StringRef, 3> Parts;
  Text.split(Parts, ',');
  for (unsigned D = 0; D < 3; ++D) {
    Sizes[D] = 1;
    if (D < Parts.size() && Parts[D].trim().getAsInteger(10, Sizes[D]))
      return {};
  }
  return Sizes;
}

InputSampler::InputSampler(const Function &F, uint64_t Seed)
    : F(F), Seed(Seed), RequiredBlock(launchBound(F, "nvvm.reqntid")),
      Cluster(launchBound(F, "nvvm.cluster_dim")) {
  std::array<uint64_t, 3> Most = launchBound(F, "nvvm.maxntid");
  if (uint64_t Threads = Most[0] * Most[1] * Most[2])
    MaxThreads = std::min(MaxThreads, Threads);
  static constexpr size_t MaxConstants = 200;
  for (const Instruction &I : instructions(F)) {
    if (auto *Call = dyn_cast<IntrinsicInst>(&I))
      if (auto Register = specialRegister(Call->getIntrinsicID()))
        if (auto Range = Call->getRange())
          RegisterRanges.push_back({*Register, *Range});
    for (const Value *V : I.operands()) {
      auto *C = dyn_cast<Constant>(V);
      auto *Vector = dyn_cast<FixedVectorType>(V->getType());
      for (unsigned K = 0, E = Vector ? Vector->getNumElements() : 1; K < E;
           ++K)
        if (auto *Number = dyn_cast_or_null<ConstantInt>(
                C && Vector ? C->getAggregateElement(K) : C))
          if (Number->getBitWidth() <= 64 && Constants.size() < MaxConstants)
            Constants.push_back(Number->getSExtValue());
    }
  }
  for (int64_t Usual : {0, 1, 2, 3, 7, 31, 32, 255, -1, -2, 1000})
    Constants.push_back(Usual);
}

LaunchKind InputSampler::kindOf(uint64_t Index) {
  switch (Index % 8) {
  case 5:
    return LaunchKind::SingleThread;
  case 6:
    return LaunchKind::Odd;
  case 7:
    return LaunchKind::Huge;
  default:
    return LaunchKind::Usual;
  }
}

ThreadInput InputSampler::draw(FuzzRandom &R, LaunchKind Kind) const {
  ThreadInput Input;
  // Not for ever: a range may be wrong for every launch.
  static constexpr unsigned MaxAttempts = 12;
  for (unsigned K = 0; K < MaxAttempts; ++K) {
    drawLaunch(R, Kind, Input);
    drawThread(R, Kind, Input);
    if (respectsRanges(Input))
      break;
  }
  for (const Argument &A : F.args())
    Input.Arguments.push_back(drawArgument(R, Kind, A));
  drawObjects(R, Input);
  Input.Seed = R.next();
  return Input;
}

bool InputSampler::respectsRanges(const ThreadInput &Input) const {
  return all_of(RegisterRanges, [&](const auto &Entry) {
    return Entry.second.contains(APInt(32, Input.Registers[Entry.first]));
  });
}

//===----------------------------------------------------------------------===//
// Launches
//===----------------------------------------------------------------------===//

void InputSampler::drawLaunch(FuzzRandom &R, LaunchKind Kind,
                              ThreadInput &Input) const {
  static constexpr uint64_t Blocks[] = {1,   2,   3,   16,  32,  64,   75,
                                        100, 128, 256, 300, 512, 1000, 1024};
  static constexpr uint64_t OddBlocks[] = {3, 31, 33, 77, 129, 255, 999, 1023};
  static constexpr uint64_t Grids[] = {1,        2,        5,         60,
                                       1000,     65535,    100000,    8388608,
                                       16777216, 33554431, 2147483647};
  static constexpr uint64_t OddGrids[] = {3, 7, 59, 1001, 46341, 65521};
  static constexpr uint64_t HugeGrids[] = {2147483647, 2147483646, 16777217,
                                           8388607, 4194305};
  static constexpr uint64_t MaxGrid[] = {2147483647, 65535, 65535};
  // What all usual launches of this function have in common.
  FuzzRandom Common(Seed);
  bool SameBlock = Common.chance(60);
  bool SameGrid = SameBlock && Common.chance(50);
  uint64_t Left = MaxThreads;
  for (unsigned D = 0; D < 3; ++D) {
    uint64_t CommonBlock = Common.pick(Blocks), CommonGrid = Common.pick(Grids);
    uint64_t Block = 1, Grid = 1;
    switch (Kind) {
    case LaunchKind::Usual:
      Block = SameBlock ? CommonBlock : R.pick(Blocks);
      Grid = SameGrid ? CommonGrid : R.pick(Grids);
      break;
    case LaunchKind::SingleThread:
      break;
    case LaunchKind::Odd:
      Block = R.pick(OddBlocks);
      Grid = R.pick(OddGrids);
      break;
    case LaunchKind::Huge:
      Block = R.pick(Blocks);
      Grid = R.pick(HugeGrids);
      break;
    }
    Block = std::min(Block, D == 2 ? std::min<uint64_t>(Left, 64) : Left);
    if (RequiredBlock[D])
      Block = RequiredBlock[D];
    Left = std::max<uint64_t>(1, Left / Block);
    Input.Registers[BlockSizeX + D] = Block;
    // Whole clusters.
    uint64_t Unit = std::clamp<uint64_t>(Cluster[D], 1, MaxGrid[D]);
    Input.Registers[GridSizeX + D] =
        std::min(alignTo(Grid, Unit), MaxGrid[D] / Unit * Unit);
  }
}

void InputSampler::drawThread(FuzzRandom &R, LaunchKind Kind,
                              ThreadInput &Input) const {
  auto DrawIndex = [&](uint64_t Size) -> uint64_t {
    if (R.chance(Kind == LaunchKind::Usual ? 25 : 50))
      return Size - 1;
    return R.chance(15) ? 0 : R.below(Size);
  };
  for (unsigned D = 0; D < 3; ++D) {
    Input.Registers[ThreadX + D] = DrawIndex(Input.Registers[BlockSizeX + D]);
    Input.Registers[BlockX + D] = DrawIndex(Input.Registers[GridSizeX + D]);
  }
  Input.Registers[Lane] = Input.Registers[ThreadX] % 32;
}

//===----------------------------------------------------------------------===//
// Arguments and memory
//===----------------------------------------------------------------------===//

/// Each argument has a style of its own, which all inputs share.
uint64_t InputSampler::drawNumber(FuzzRandom &R, const Argument &A) const {
  FuzzRandom Common(Seed * 77 + A.getArgNo());
  unsigned Width = A.getType()->getScalarSizeInBits();
  uint64_t Style = Common.below(6);
  uint64_t Limit =
      Common.chance(50) ? Common.below(300) + 1 : Common.below(100000) + 1;
  if (Style <= 1) // a small index or size
    return R.chance(20) ? Limit : R.chance(20) ? 0 : R.below(Limit + 1);
  if (Style == 2) // around zero
    return R.below(2 * Limit + 1) - Limit;
  switch (R.below(7)) {
  case 0:
    return R.next();
  case 1: {
    uint64_t Bits = R.next();
    return Bits >> R.below(64);
  }
  case 2:
    return uint64_t(R.pick(Constants));
  case 3: {
    uint64_t Near = uint64_t(R.pick(Constants));
    return Near + R.below(5) - 2;
  }
  case 4: {
    uint64_t Power = uint64_t(1) << R.below(Width);
    return Power + R.below(5) - 2;
  }
  case 5:
    return (uint64_t(1) << (Width - 1)) - 1 - R.below(200);
  default: {
    uint64_t Factor = uint64_t(R.pick(Constants));
    uint64_t Multiple = Factor * R.below(50);
    return Multiple + R.below(3) - 1;
  }
  }
}

Scalar InputSampler::drawArgument(FuzzRandom &R, LaunchKind Kind,
                                  const Argument &A) const {
  Scalar V;
  if (A.getType()->isPointerTy())
    return V;
  unsigned Width = A.getType()->getScalarSizeInBits();
  if (Width == 0 || Width > 64)
    return V; // such a function is not run
  switch (Kind) {
  case LaunchKind::SingleThread:
    V.Bits = R.below(2);
    break;
  case LaunchKind::Huge:
    V.Bits = (uint64_t(1) << std::min(Width - 1, 31u)) - 3 + R.below(6);
    break;
  default:
    V.Bits = drawNumber(R, A);
    break;
  }
  V.Bits = lowBits(V.Bits, Width);
  if (A.hasAttribute(Attribute::Range)) {
    ConstantRange Range = A.getAttribute(Attribute::Range).getRange();
    if (!Range.isFullSet() && !Range.contains(APInt(Width, V.Bits))) {
      uint64_t Low = Range.getLower().getZExtValue();
      uint64_t Size = lowBits(Range.getUpper().getZExtValue() - Low, Width);
      uint64_t Offset = R.chance(25)   ? Size - 1
                        : R.chance(15) ? 0
                                       : R.below(Size);
      V.Bits = lowBits(Low + Offset, Width);
    }
  }
  if (R.below(64) == 0 && !A.hasAttribute(Attribute::NoUndef))
    V = Scalar::poison();
  return V;
}

/// Objects do not overlap: noalias means it. Some lie at the end of the address
/// space or around the sign bit, where sums of offsets wrap.
void InputSampler::drawObjects(FuzzRandom &R, ThreadInput &Input) const {
  static constexpr uint64_t Sizes[] = {1u << 10, 1u << 20, uint64_t(1) << 33,
                                       uint64_t(1) << 40, uint64_t(1) << 45};
  SmallVector<uint64_t, 8> Alignments;
  for (const Argument &A : F.args()) {
    if (!A.getType()->isPointerTy())
      continue;
    // Where nothing is said, callers mostly pass what an allocator returned.
    bool IsAllocated = FuzzRandom(Seed * 31 + A.getArgNo()).chance(75);
    Alignments.push_back(
        A.getParamAlign().value_or(Align(IsAllocated ? 16 : 1)).value());
  }
  for (const GlobalVariable &G : F.getParent()->globals())
    Alignments.push_back(
        std::max<uint64_t>(16, G.getAlign().valueOrOne().value()));
  for (size_t K = 0; K < Alignments.size(); ++K) {
    uint64_t Size = R.pick(Sizes), Base;
    switch (R.below(4)) {
    case 0:
      Base = 0 - Size - 65536 - (uint64_t(Alignments.size() - 1) << 50);
      break;
    case 1:
      Base = (uint64_t(1) << 63) - Size / 2;
      break;
    default:
      Base = uint64_t(1) << 46;
      break;
    }
    uint64_t Steps = R.chance(40) ? 0 : R.below(9);
    Base = (Base & -Alignments[K]) + Alignments[K] * Steps;
    Input.Objects.push_back({Base + (uint64_t(K) << 50), Size});
  }
}

} // namespace unravel
