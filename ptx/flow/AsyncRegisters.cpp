//===- AsyncRegisters.cpp - Registers that are written later --------------===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ptx/flow/AsyncRegisters.h"
#include "ptx/flow/PtxLoops.h"
#include "ptx/text/PtxWords.h"
#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/Twine.h"

using namespace llvm;
using namespace unravel;
using namespace unravel::ptx;

//===----------------------------------------------------------------------===//
// Instructions
//===----------------------------------------------------------------------===//

namespace {
enum class AsyncStep {
  None,
  Fence,
  Multiply,
  CommitGroup,
  WaitGroup,
  Load,
  WaitLoad
};
} // namespace

static AsyncStep stepOf(const ptx::Instruction &I) {
  if (I.base() != "wgmma" && I.base() != "tcgen05")
    return AsyncStep::None;
  StringRef What = I.Words.size() > 1 ? I.Words[1] : "";
  // All that write registers have two operands at least.
  if ((What == "mma_async" || What == "ld") && I.Operands.size() < 2)
    return AsyncStep::None;
  if (I.base() == "wgmma")
    return What == "fence"          ? AsyncStep::Fence
           : What == "mma_async"    ? AsyncStep::Multiply
           : What == "commit_group" ? AsyncStep::CommitGroup
           : What == "wait_group"   ? AsyncStep::WaitGroup
                                    : AsyncStep::None;
  return What == "ld"         ? AsyncStep::Load
         : What == "wait::ld" ? AsyncStep::WaitLoad
                              : AsyncStep::None;
}

bool unravel::ptx::isAsync(const ptx::Instruction &I) {
  return stepOf(I) != AsyncStep::None;
}

bool unravel::ptx::accumulates(const ptx::Instruction &I) {
  return stepOf(I) == AsyncStep::Multiply;
}

/// How many of the newest groups a wait leaves.
static unsigned numLeft(const ptx::Instruction &Wait) {
  static constexpr uint64_t Most = 7; // what the manual allows
  return Wait.Operands.empty() || !Wait.Operands.front().isInteger()
             ? Most
             : std::min(Wait.Operands.front().Value, Most);
}

//===----------------------------------------------------------------------===//
// What is in flight
//===----------------------------------------------------------------------===//

namespace {

/// Sets of registers in flight, each register with a bit for being written and
/// one for being read: first those of loads, then those of multiplications
/// without a group, then those of groups, the newest first. The last set has
/// all older groups.
using State = SmallVector<BitVector, 4>;

enum Set { Loads, NoGroup, NewestGroup };

} // namespace

/// Whether \p Into gets larger.
static bool merge(State &Into, const State &From) {
  bool Grows = false;
  for (auto [To, Other] : zip_equal(Into, From)) {
    Grows |= Other.test(To);
    To |= Other;
  }
  return Grows;
}

static BitVector unionOf(const State &S) {
  BitVector All = S.front();
  for (const BitVector &Set : drop_begin(S))
    All |= Set;
  return All;
}

class AsyncRegisters::Flow {
public:
  Flow(const ptx::Function &F, AsyncRegisters &Result);
  void run();

private:
  enum Bit { Written, Read };
  static unsigned bitOf(unsigned Register, Bit B) { return 2 * Register + B; }
  void add(const Operand &O, Bit B, BitVector &To) const;

  void checkDeclarations();
  void note(const Twine &What);

  // Forwards: what is in flight.

  void findInFlight();
  void follow(const ptx::Instruction &I, State &S) const;
  void check(const ptx::Instruction &I, const BitVector &InFlight);

  // Backwards: what multiplications read.

  void findRead();
  void followBack(const ptx::Instruction &I, BitVector &IsRead) const;

  const ptx::Function &F;
  AsyncRegisters &Result;
  std::vector<const ptx::Instruction *> Insts;
  std::vector<PtxBlock> Blocks;
  StringMap<unsigned> Registers;
  std::vector<StringRef> Names; ///< of registers
  unsigned NumSets = NewestGroup + 1;
};

AsyncRegisters::Flow::Flow(const ptx::Function &F, AsyncRegisters &Result)
    : F(F), Result(Result) {
  for (const Statement &S : F.Body) {
    auto *I = S.as<ptx::Instruction>();
    if (!I)
      continue;
    Insts.push_back(I);
    AsyncStep Step = stepOf(*I);
    if (Step == AsyncStep::WaitGroup)
      NumSets = std::max(NumSets, NewestGroup + numLeft(*I) + 1);
    if (Step != AsyncStep::Multiply && Step != AsyncStep::Load)
      continue;
    // The accumulators or results, and factors that are in registers.
    for (const Operand &O : I->Operands)
      if (O.K == Operand::Kind::Vector)
        forEachName(O, [&](StringRef Name, bool) {
          if (Name != "_" && Registers.try_emplace(Name, Names.size()).second)
            Names.push_back(Name);
        });
  }
}

void AsyncRegisters::Flow::note(const Twine &What) {
  if (Result.Problem.empty())
    Result.Problem = What.str();
}

void AsyncRegisters::Flow::add(const Operand &O, Bit B, BitVector &To) const {
  forEachName(O, [&](StringRef Name, bool) {
    if (auto It = Registers.find(Name); It != Registers.end())
      To.set(bitOf(It->second, B));
  });
}

/// A name stands for one register, whatever the scope.
void AsyncRegisters::Flow::checkDeclarations() {
  unsigned Depth = 0;
  for (const Statement &S : F.Body) {
    if (auto *Braces = S.as<Scope>())
      Depth += Braces->Begins ? 1 : -1;
    auto *Declared = S.as<ptx::Registers>();
    if (!Declared || Depth == 0)
      continue;
    for (const ptx::Registers::Entry &E : Declared->Entries)
      for (StringRef Name : Names)
        if (E.declares(Name))
          note("an asynchronous instruction uses '" + Name +
               "', which is declared inside of braces");
  }
}

//===----------------------------------------------------------------------===//
// Forwards
//===----------------------------------------------------------------------===//

/// What is in flight behind \p I, of what is in front of it.
void AsyncRegisters::Flow::follow(const ptx::Instruction &I, State &S) const {
  switch (stepOf(I)) {
  case AsyncStep::None:
  case AsyncStep::Fence:
    break;
  case AsyncStep::Load:
    if (Result.WaitsForLoads)
      add(I.Operands.front(), Written, S[Loads]);
    break;
  case AsyncStep::WaitLoad:
    S[Loads].reset();
    break;
  case AsyncStep::Multiply:
    add(I.Operands.front(), Written, S[NoGroup]);
    if (I.Operands[1].K == Operand::Kind::Vector)
      add(I.Operands[1], Read, S[NoGroup]);
    break;
  case AsyncStep::CommitGroup: {
    BitVector Oldest = S.pop_back_val();
    S.insert(S.begin() + NoGroup, BitVector(Oldest.size()));
    S.back() |= Oldest;
    break;
  }
  case AsyncStep::WaitGroup:
    for (BitVector &Group :
         MutableArrayRef(S).drop_front(NewestGroup + numLeft(I)))
      Group.reset();
    break;
  }
}

void AsyncRegisters::Flow::check(const ptx::Instruction &I,
                                 const BitVector &InFlight) {
  AsyncStep Step = stepOf(I);
  if (!I.Predicate.empty() && Step != AsyncStep::None)
    return note("'" + I.Opcode + "' under a guard");
  if (InFlight.none())
    return;
  auto IsInFlight = [&](StringRef Name, Bit B) {
    auto It = Registers.find(Name);
    return It != Registers.end() && InFlight.test(bitOf(It->second, B));
  };
  auto Check = [&](StringRef Name, bool IsResult, bool IsAccumulator) {
    if ((!IsAccumulator && IsInFlight(Name, Written)) ||
        (IsResult && IsInFlight(Name, Read)))
      note("'" + I.Opcode + "' touches '" + Name +
           "', which an asynchronous instruction still uses");
  };
  Check(I.Predicate, false, false);
  for (const Operand &O : I.Operands) {
    // An address is read, whatever the instruction is.
    bool IsResult = &O == I.Operands.begin() && O.K != Operand::Kind::Address;
    forEachName(O, [&](StringRef Name, bool) {
      Check(Name, IsResult, IsResult && Step == AsyncStep::Multiply);
    });
  }
}

void AsyncRegisters::Flow::findInFlight() {
  std::vector<State> AtBegin(Blocks.size(),
                             State(NumSets, BitVector(2 * Names.size())));
  std::vector<bool> IsReached(Blocks.size());
  IsReached[0] = true;
  for (bool Grows = true; Grows;) {
    Grows = false;
    for (auto [Number, B] : enumerate(Blocks)) {
      if (!IsReached[Number])
        continue;
      State S = AtBegin[Number];
      for (unsigned I = B.Begin; I < B.End; ++I)
        follow(*Insts[I], S);
      for (unsigned To : B.Next) {
        Grows |= merge(AtBegin[To], S) || !IsReached[To];
        IsReached[To] = true;
      }
    }
  }
  for (auto [Number, B] : enumerate(Blocks)) {
    State &S = AtBegin[Number];
    BitVector InFlight = unionOf(S);
    for (unsigned I = B.Begin; I < B.End && IsReached[Number]; ++I) {
      check(*Insts[I], InFlight);
      if (!isAsync(*Insts[I]))
        continue;
      follow(*Insts[I], S);
      BitVector Before = std::exchange(InFlight, unionOf(S));
      for (unsigned Bit : Before.reset(InFlight).set_bits())
        if (Bit % 2 == Written)
          Result.Passed[Insts[I]].push_back(Names[Bit / 2]);
    }
  }
}

//===----------------------------------------------------------------------===//
// Backwards
//===----------------------------------------------------------------------===//

/// The registers whose values multiplications read, in front of \p I, of those
/// behind it.
void AsyncRegisters::Flow::followBack(const ptx::Instruction &I,
                                      BitVector &IsRead) const {
  AsyncStep Step = stepOf(I);
  if (Step == AsyncStep::Fence)
    IsRead.reset();
  if (I.Operands.empty())
    return;
  const Operand &To = I.Operands.front();
  if (I.Predicate.empty() && To.K != Operand::Kind::Address) {
    BitVector Results(IsRead.size());
    add(To, Read, Results);
    IsRead.reset(Results);
  }
  if (Step != AsyncStep::Multiply)
    return;
  add(To, Read, IsRead);
  if (I.Operands[1].K == Operand::Kind::Vector)
    add(I.Operands[1], Read, IsRead);
}

void AsyncRegisters::Flow::findRead() {
  std::vector<BitVector> AtBegin(Blocks.size(), BitVector(2 * Names.size()));
  auto AtEnd = [&](const PtxBlock &B) {
    BitVector IsRead(2 * Names.size());
    for (unsigned To : B.Next)
      IsRead |= AtBegin[To];
    return IsRead;
  };
  for (bool Grows = true; Grows;) {
    Grows = false;
    for (auto [B, Begin] : reverse(zip_equal(Blocks, AtBegin))) {
      BitVector IsRead = AtEnd(B);
      for (unsigned I = B.End; I-- > B.Begin;)
        followBack(*Insts[I], IsRead);
      Grows |= IsRead.test(Begin);
      Begin = IsRead;
    }
  }
  for (const PtxBlock &B : Blocks) {
    BitVector IsRead = AtEnd(B);
    for (unsigned I = B.End; I-- > B.Begin;) {
      if (stepOf(*Insts[I]) == AsyncStep::Fence)
        for (unsigned Bit : IsRead.set_bits())
          Result.Passed[Insts[I]].push_back(Names[Bit / 2]);
      followBack(*Insts[I], IsRead);
    }
  }
}

//===----------------------------------------------------------------------===//
// Together
//===----------------------------------------------------------------------===//

void AsyncRegisters::Flow::run() {
  if (Names.empty())
    return;
  checkDeclarations();
  Blocks = bodyOf(F).blocks();
  findInFlight();
  findRead();
}

AsyncRegisters::AsyncRegisters(const ptx::Function &F, bool WaitsForLoads)
    : WaitsForLoads(WaitsForLoads) {
  Flow(F, *this).run();
}

AsyncRegisters::AsyncRegisters(const ptx::Function &F)
    : AsyncRegisters(F, /*WaitsForLoads=*/true) {
  if (!Problem.empty())
    *this = AsyncRegisters(F, /*WaitsForLoads=*/false);
}

ArrayRef<StringRef> AsyncRegisters::passedBy(const ptx::Instruction &I) const {
  auto It = Passed.find(&I);
  return It == Passed.end() ? ArrayRef<StringRef>() : ArrayRef(It->second);
}
