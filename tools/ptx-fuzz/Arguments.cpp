//===- Arguments.cpp - What a kernel is launched with ---------------------===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tools/ptx-fuzz/Arguments.h"
#include "tools/kernel-fuzz/random/FuzzRandom.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/ADT/bit.h"
#include "llvm/Support/MathExtras.h"
#include <cstring>
#include <map>

using namespace llvm;

namespace unravel::ptx {

//===----------------------------------------------------------------------===//
// What a parameter is for
//===----------------------------------------------------------------------===//

static bool isParameterLoad(const Instruction &I) {
  return I.base() == "ld" &&
         any_of(I.Words, [](StringRef W) { return W.starts_with("param"); }) &&
         I.Operands.size() >= 2 && I.Operands[1].K == Operand::Kind::Address;
}

/// What instruction \p I passes an address on from, if its result is one.
static SmallVector<Operand, 2> sourcesOfAddress(const Instruction &I,
                                                bool ThroughSums) {
  StringRef Base = I.base();
  ArrayRef<Operand> Sources = ArrayRef(I.Operands).drop_front();
  if (Base == "selp")
    Sources = Sources.take_front(2);
  else if (Base == "mad" && ThroughSums)
    Sources = Sources.take_back(1);
  else if (Base == "sub" && ThroughSums)
    Sources = Sources.take_front(1);
  else if (Base != "mov" && Base != "cvta" && !(Base == "add" && ThroughSums))
    Sources = {};
  SmallVector<Operand, 2> Names;
  copy_if(Sources, std::back_inserter(Names),
          [](const Operand &O) { return O.isName(); });
  return Names;
}

/// Calls \p Visit with every instruction that is no load of a parameter until
/// it returns false for all of them: loops may need several rounds.
static void visitUntilStable(const Function &Kernel,
                             function_ref<bool(const Instruction &)> Visit) {
  for (bool HasNew = true; HasNew;) {
    HasNew = false;
    for (const Statement &S : Kernel.Body)
      if (const auto *I = S.as<Instruction>();
          I && !I->Operands.empty() && !isParameterLoad(*I))
        HasNew |= Visit(*I);
  }
}

/// Addresses of accesses and operands of cvta; by the names of registers alone,
/// which is good enough for a guess.
static StringSet<> accessedRegisters(const Function &Kernel) {
  StringSet<> Found;
  for (const Statement &S : Kernel.Body) {
    const auto *I = S.as<Instruction>();
    if (!I || isParameterLoad(*I))
      continue;
    if (I->base() == "cvta" && I->Operands.size() == 2)
      Found.insert(I->Operands[1].Name);
    for (const Operand &O : I->Operands)
      if (O.K == Operand::Kind::Address)
        Found.insert(O.Name);
  }
  return Found;
}

/// Adds what the registers of \p Addresses come from.
static void addSources(const Function &Kernel, bool ThroughSums,
                       StringSet<> &Addresses) {
  visitUntilStable(Kernel, [&](const Instruction &I) {
    bool HasNew = false;
    if (Addresses.contains(I.Operands[0].Name))
      for (const Operand &O : sourcesOfAddress(I, ThroughSums))
        HasNew |= Addresses.insert(O.Name).second;
    return HasNew;
  });
}

/// Adds what is computed from the registers of \p Addresses and from variables.
static void addResults(const Function &Kernel, StringSet<> &Addresses) {
  visitUntilStable(Kernel, [&](const Instruction &I) {
    // (The names of registers begin with %.)
    auto IsAddress = [&](const Operand &O) {
      return Addresses.contains(O.Name) || !O.Name.starts_with("%");
    };
    return any_of(sourcesOfAddress(I, /*ThroughSums=*/true), IsAddress) &&
           Addresses.insert(I.Operands[0].Name).second;
  });
}

/// The parts of parameters that \p Kernel loads; pointers are those of
/// parameters that say so and those loaded to a register of \p Addresses, which
/// then go to \p Loaded.
static std::vector<ParameterPart> partsOf(const Function &Kernel,
                                          const StringSet<> &Addresses,
                                          StringSet<> &Loaded) {
  std::map<std::pair<unsigned, uint64_t>, ParameterPart> Parts;
  for (const Statement &S : Kernel.Body) {
    const auto *I = S.as<Instruction>();
    if (!I || !isParameterLoad(*I))
      continue;
    std::optional<Type> T = I->type();
    const Operand &From = I->Operands[1], &D = I->Operands[0];
    auto It = find_if(Kernel.Parameters,
                      [&](const Variable &V) { return V.Name == From.Name; });
    if (!T || It == Kernel.Parameters.end())
      continue;
    unsigned Number = It - Kernel.Parameters.begin();
    ArrayRef<Operand> Targets =
        D.K == Operand::Kind::Vector ? ArrayRef(D.Parts) : ArrayRef(D);
    for (auto [K, To] : enumerate(Targets)) {
      uint64_t Offset = From.Value + K * T->Width / 8;
      auto Kind = T->isFloat() ? ParameterPart::Kind::Float
                               : ParameterPart::Kind::Integer;
      if (T->Width == 64 &&
          ((It->IsPointer && Offset == 0) || Addresses.contains(To.Name))) {
        Kind = ParameterPart::Kind::Pointer;
        Loaded.insert(To.Name);
      }
      Parts.insert({{Number, Offset}, {Kind, Number, Offset, T->Width}});
    }
  }
  std::vector<ParameterPart> Result;
  for (const auto &P : Parts)
    Result.push_back(P.second);
  return Result;
}

std::vector<ParameterPart> parameterParts(const Function &Kernel) {
  StringSet<> Accessed = accessedRegisters(Kernel), Addresses = Accessed, Known;
  addSources(Kernel, /*ThroughSums=*/false, Addresses);
  partsOf(Kernel, Addresses, Known);
  // Sums hide addresses, but indices too: only of accesses that are not based
  // on what is known to be an address.
  addResults(Kernel, Known);
  StringSet<> Unexplained;
  for (const auto &Name : Accessed)
    if (!Known.contains(Name.getKey()))
      Unexplained.insert(Name.getKey());
  addSources(Kernel, /*ThroughSums=*/true, Unexplained);
  for (const auto &Name : Unexplained)
    Addresses.insert(Name.getKey());
  return partsOf(Kernel, Addresses, Known);
}

//===----------------------------------------------------------------------===//
// Buffers and values
//===----------------------------------------------------------------------===//

std::string Input::str() const {
  auto Join = [](const std::array<uint32_t, 3> &A) {
    return std::to_string(A[0]) + "," + std::to_string(A[1]) + "," +
           std::to_string(A[2]);
  };
  return "--grid " + Join(Grid) + " --block " + Join(Block) + " --seed " +
         std::to_string(Seed) + (IsAliased ? " --alias" : "") +
         (KeepsZeroDivisors ? " --zero-divisors" : "");
}

namespace {
enum class Contents { SmallWords, Bytes, Floats, EdgeWords, SmallDoubleWords };
} // namespace

static uint32_t edgeWord(FuzzRandom &R) {
  static constexpr uint32_t Edges[] = {
      0,          1,          2,          0xffffffff, 0xfffffffe, 0x7fffffff,
      0x80000000, 0x80000001, 0x7ffffffe, 0xffff,     0x10000,    0x8000,
      0x7fff,     0xff,       0x80,       31,         32,         33,
      63,         64,         65,         0xaaaaaaaa};
  if (R.chance(70))
    return R.pick(Edges);
  return uint32_t(R.next()) >> R.below(32);
}

static void fillPage(Contents C, uint64_t Seed, uint64_t Offset,
                     GlobalMemory::Page &P) {
  FuzzRandom R(Seed ^ mixBits(Offset));
  for (size_t K = 0; K < P.size(); K += 8) {
    uint64_t Value = R.next();
    auto Word = [&]() -> uint32_t {
      if (C == Contents::SmallWords)
        return R.below(16);
      if (C == Contents::EdgeWords)
        return edgeWord(R);
      return bit_cast<uint32_t>(float(R.between(-256, 256)) / 64);
    };
    if (C == Contents::SmallDoubleWords) {
      Value = R.below(100);
    } else if (C != Contents::Bytes) {
      uint64_t Low = Word();
      Value = uint64_t(Word()) << 32 | Low;
    }
    std::memcpy(&P[K], &Value, 8);
  }
}

static uint64_t integerArgument(FuzzRandom &R, unsigned Width) {
  static constexpr uint64_t Sizes[] = {1,  2,  3,  4,  5,  7,   8,   12,  16,
                                       17, 31, 32, 48, 64, 100, 128, 1000};
  if (R.chance(90))
    return R.pick(Sizes);
  uint64_t Word = edgeWord(R);
  return Width == 64 ? uint64_t(SignExtend64<32>(Word)) : Word;
}

Launch makeLaunch(const Function &Kernel, ArrayRef<ParameterPart> Parts,
                  const Input &In, GlobalMemory &Global) {
  Launch L;
  L.Grid = In.Grid;
  L.Block = In.Block;
  L.Fill = mixBits(In.Seed);
  L.MaxSteps = In.MaxSteps;
  L.MaxBlocks = 12;
  L.DynamicShared = 227 << 10; // the most that GPUs have
  for (const Variable &V : Kernel.Parameters)
    L.Arguments.emplace_back(V.Size);
  FuzzRandom R(In.Seed);
  // Strides in bytes, as arrays of Python have them, are all multiples of the
  // size of an element, or the first access is not aligned.
  uint64_t Unit = FuzzRandom(mixBits(In.Seed)).chance(30) ? 16 : 1;
  unsigned NumBuffers = 0;
  for (const ParameterPart &P : Parts) {
    uint64_t Value = Unit * integerArgument(R, P.Width);
    uint64_t Random = R.next();
    if (P.K == ParameterPart::Kind::Float) {
      double D = double(Random % 1000) / 64 - 4;
      Value =
          P.Width == 64 ? bit_cast<uint64_t>(D) : bit_cast<uint32_t>(float(D));
    } else if (P.K == ParameterPart::Kind::Pointer) {
      unsigned Room = In.IsAliased ? 0 : NumBuffers++;
      Value = GlobalMemory::addressOf(Room);
      auto C = Contents(Random % 5);
      std::string Name = Kernel.Parameters[P.Parameter].Name.str();
      if (P.Offset)
        Name += "+" + std::to_string(P.Offset);
      Global.add(Room, Name, In.BufferBytes,
                 [=](uint64_t Offset, GlobalMemory::Page &To) {
                   fillPage(C, Random, Offset, To);
                 });
    }
    std::vector<uint8_t> &Bytes = L.Arguments[P.Parameter];
    for (unsigned K = 0; K != P.Width / 8; ++K)
      if (P.Offset + K < Bytes.size())
        Bytes[P.Offset + K] = Value >> (8 * K);
  }
  return L;
}

Input inputFor(const Function &Kernel, uint64_t Seed, unsigned N) {
  FuzzRandom R(mixBits(Seed) + N);
  Input In{{1, 1, 1}, {1, 1, 1}, Seed + N, GlobalMemory::NoEnd, 50'000'000};
  static constexpr uint32_t Blocks[] = {32, 64, 33, 96, 128, 1, 256};
  In.Block[0] = N == 0 ? 32 : R.pick(Blocks);
  static constexpr std::array<uint32_t, 3> Shapes[] = {
      {8, 4, 2}, {16, 16, 1}, {32, 8, 1}};
  if (R.chance(40))
    In.Block = R.pick(Shapes);
  In.Grid[0] = uint32_t(R.between(1, 4));
  if (R.chance(20))
    In.Grid = {2, 2, 2};
  // Code may be there for ordinary launches only: some are not.
  static constexpr std::array<uint32_t, 3> Large[] = {{0x7fffffff, 1, 1},
                                                      {1 << 22, 1, 1},
                                                      {(1 << 24) + 1, 1, 1},
                                                      {70000, 40000, 1},
                                                      {3, 65535, 65535}};
  if (N != 0 && R.chance(20))
    In.Grid = R.pick(Large);
  // One thread has no races. What `.nc` reads must not be written.
  if (N != 0 && R.chance(15) && !Kernel.BodyText.contains(".nc.")) {
    In.IsAliased = true;
    In.Grid = In.Block = {1, 1, 1};
  }
  // Whole clusters, within the limits of a grid.
  if (const Limit *Cluster = Kernel.limit("reqnctapercluster"))
    for (auto [Grid, Blocks, D] :
         zip(In.Grid, Cluster->Values, std::array{0, 1, 2}))
      if (uint64_t Most = D == 0 ? 0x7fffffff : 65535;
          Blocks > 1 && Blocks <= Most)
        Grid =
            uint32_t(std::min(alignTo(Grid, Blocks), Most / Blocks * Blocks));
  if (const Limit *Required = Kernel.limit("reqntid")) {
    In.IsAliased = false;
    In.Block = {1, 1, 1};
    for (auto [Size, Value] : zip(In.Block, Required->Values))
      Size = uint32_t(Value);
  } else if (const Limit *Max = Kernel.limit("maxntid")) {
    // The product counts, not the shape.
    uint64_t Threads = 1;
    for (uint64_t Value : Max->Values)
      Threads *= Value;
    if (uint64_t(In.Block[0]) * In.Block[1] * In.Block[2] > Threads)
      In.Block = {uint32_t(Threads), 1, 1};
    // Compilers that state the number of threads launch as many.
    else if (!In.IsAliased && R.chance(70))
      In.Block = {uint32_t(Threads), 1, 1};
  }
  return In;
}

} // namespace unravel::ptx
