//===- RunComparison.cpp - Is one function refined by another? ------------===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tools/kernel-fuzz/RunComparison.h"
#include "tools/kernel-fuzz/generator/InputSampler.h"
#include "tools/kernel-fuzz/interpreter/PoisonInterpreter.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/Support/xxhash.h"

using namespace llvm;

namespace unravel {

namespace {

/// Compares one run of each.
class RunPair {
public:
  RunPair(const RunResult &Before, const RunResult &After,
          const ThreadInput &Input, const Function &F)
      : Before(Before), After(After), Input(Input), F(F) {}
  std::optional<Difference> compare(CompareBy How) const;
  /// For runs that froze different poison: only what is wrong whatever a freeze
  /// of the original chooses.
  std::optional<Difference> compareForAllChoices(const DecodedProgram &Old,
                                                 uint64_t MaxSteps) const;

private:
  std::optional<Difference> compareEvents() const;
  std::optional<Difference> compareEvent(const Event &A, const Event &B) const;
  std::optional<Difference> compareCalls() const;
  std::optional<Difference> compareMemory() const;
  Difference differ(StringRef Kind, const Twine &Detail,
                    const Instruction *Old = nullptr,
                    const Instruction *New = nullptr) const;

  const RunResult &Before, &After;
  const ThreadInput &Input;
  const Function &F;
};

} // namespace

Difference RunPair::differ(StringRef Kind, const Twine &Detail,
                           const Instruction *Old,
                           const Instruction *New) const {
  Difference D{Kind.str(), ""};
  raw_string_ostream OS(D.Text);
  OS << Kind << " in " << F.getName() << ": " << Detail << '\n';
  if (Old)
    OS << "  before:" << *Old << '\n';
  if (New)
    OS << "  after: " << *New << '\n';
  OS << "  input:  " << Input.describe(F) << '\n';
  return D;
}

static std::string hex(uint64_t Bits) { return "0x" + utohexstr(Bits); }

std::optional<Difference> RunPair::compareEvent(const Event &A,
                                                const Event &B) const {
  if (A.What != B.What || A.Bytes != B.Bytes ||
      (A.What == Event::Argument && A.Address != B.Address))
    return differ("events", "another event", A.Inst, B.Inst);
  if (A.What == Event::Store && A.Address != B.Address)
    return differ("address", hex(A.Address) + " has become " + hex(B.Address),
                  A.Inst, B.Inst);
  if (A.IsUndef && B.IsPoison)
    return differ("poison", "undef has become poison", A.Inst, B.Inst);
  if (A.IsPoison)
    return std::nullopt;
  if (B.IsPoison)
    return differ("poison", hex(A.Value) + " has become poison", A.Inst,
                  B.Inst);
  if (A.Value != B.Value)
    return differ("value", hex(A.Value) + " has become " + hex(B.Value), A.Inst,
                  B.Inst);
  return std::nullopt;
}

std::optional<Difference> RunPair::compareEvents() const {
  size_t Count = std::max(Before.Events.size(), After.Events.size());
  for (size_t K = 0; K < Count; ++K) {
    if (K >= Before.Events.size())
      return differ("events", "one more", nullptr, After.Events[K].Inst);
    if (K >= After.Events.size())
      return differ("events", "one is missing", Before.Events[K].Inst);
    if (auto D = compareEvent(Before.Events[K], After.Events[K]))
      return D;
  }
  return std::nullopt;
}

std::optional<Difference> RunPair::compareCalls() const {
  auto CallsOf = [](const RunResult &R) {
    SmallVector<const Event *, 8> Calls;
    for (const Event &E : R.Events)
      if (E.What != Event::Store)
        Calls.push_back(&E);
    return Calls;
  };
  auto Old = CallsOf(Before), New = CallsOf(After);
  if (Old.size() != New.size())
    return differ("events", "another number of calls");
  for (size_t K = 0; K < Old.size(); ++K)
    if (auto D = compareEvent(*Old[K], *New[K]))
      return D;
  return std::nullopt;
}

std::optional<Difference> RunPair::compareMemory() const {
  const auto &Old = Before.Memory.written(), &New = After.Memory.written();
  for (auto [Address, Byte] : New) {
    if (Old.count(Address))
      continue;
    // What was there may be written again.
    if (Byte.IsPoison || Byte.Value != Before.Memory.initial(Address).Value)
      return differ("address", "also writes " + hex(Address));
  }
  for (auto [Address, Byte] : Old) {
    MemoryByte Now = After.Memory.load(Address);
    if (Byte.IsPoison && (!Byte.IsUndef || !Now.IsPoison))
      continue;
    if (Now.IsPoison)
      return differ("poison", "the byte at " + hex(Address));
    if (Now.Value != Byte.Value)
      return differ(New.count(Address) ? "value" : "address",
                    "the byte at " + hex(Address) + ": " + hex(Byte.Value) +
                        " has become " + hex(Now.Value));
  }
  return std::nullopt;
}

std::optional<Difference> RunPair::compare(CompareBy How) const {
  if (After.Status == RunStatus::UndefinedBehavior)
    return differ("undefined-behavior", After.Reason, nullptr, After.At);
  if (After.Status == RunStatus::OutOfSteps)
    return differ("no-end", "ten times as many steps", nullptr, After.At);
  if (How == CompareBy::Events)
    return compareEvents();
  if (auto D = compareCalls())
    return D;
  return compareMemory();
}

/// A freeze is never poison: if the original has no undefined behavior and no
/// poison at some event with any of the values tried, the new function must
/// not have, either.
std::optional<Difference>
RunPair::compareForAllChoices(const DecodedProgram &Old,
                              uint64_t MaxSteps) const {
  if (After.Status == RunStatus::OutOfSteps)
    return std::nullopt;
  const Event *Wrong = nullptr;
  size_t Place = 0;
  for (; Place < After.Events.size() && !Wrong; ++Place)
    if (After.Events[Place].IsPoison)
      Wrong = &After.Events[Place];
  if (!Wrong && After.Status == RunStatus::Done)
    return std::nullopt;
  // The last choice is what the freezes of the same names gave in the new
  // function, of poison or not.
  for (unsigned Choice = 0; Choice <= ThreadInput::NumFreezeChoices; ++Choice) {
    ThreadInput Other = Input;
    Other.FreezeChoice = Choice % ThreadInput::NumFreezeChoices;
    if (Choice == ThreadInput::NumFreezeChoices)
      Other.FreezeValues = &After.FreezeValues;
    RunResult Run = runThread(Old, Other, MaxSteps);
    if (Run.Status != RunStatus::Done)
      return std::nullopt;
    if (Wrong && (Run.Events.size() < Place || Run.Events[Place - 1].IsPoison ||
                  Run.Events[Place - 1].What != Wrong->What))
      return std::nullopt;
  }
  if (Wrong)
    return differ("poison", "whatever a freeze of the original chooses",
                  nullptr, Wrong->Inst);
  return differ("undefined-behavior", After.Reason, nullptr, After.At);
}

/// What freezes made of poison can be compared only if the same were frozen.
static bool frozeTheSame(const RunResult &A, const RunResult &B) {
  if (A.Frozen.size() != B.Frozen.size())
    return false;
  for (size_t K = 0; K < A.Frozen.size(); ++K)
    if (A.Frozen[K]->getName() != B.Frozen[K]->getName())
      return false;
  return true;
}

std::optional<Difference> compareFunctions(const Function &Before,
                                           const Function &After, CompareBy How,
                                           const RunLimits &Limits,
                                           FuzzCounters &Counters,
                                           std::string &Unsupported) {
  static constexpr uint64_t MaxSteps = 6000;
  StringMap<unsigned> Globals = numberGlobals(Before);
  auto Old = DecodedProgram::create(Before, Globals, Unsupported);
  auto New =
      Old ? DecodedProgram::create(After, Globals, Unsupported) : nullptr;
  if (!New) {
    ++Counters.Unsupported;
    return std::nullopt;
  }
  uint64_t Seed = samplingSeed(Before, xxh3_64bits(Before.getName()));
  InputSampler Sampler(Before, Seed);
  FuzzRandom R(Seed);
  bool IsAnyCompared = false;
  for (uint64_t K = 0; K < Limits.Inputs && !Limits.isTimeOver(); ++K) {
    if (Limits.ShowLife && K % 256 == 0)
      Limits.ShowLife();
    ThreadInput Input = Sampler.draw(R, InputSampler::kindOf(K));
    RunResult A = runThread(*Old, Input, MaxSteps);
    bool IsComparable = A.Status == RunStatus::Done &&
                        (How == CompareBy::Events || A.Frozen.empty());
    if (!IsComparable) {
      ++Counters.Skipped;
      continue;
    }
    // The old function has all results that undef may lead to, and more; the
    // new one some of those that it has.
    Input.ChoosesUndef = true;
    RunResult B = runThread(*New, Input, 10 * MaxSteps);
    Input.ChoosesUndef = false;
    if (B.Status == RunStatus::Unsupported) {
      ++Counters.Skipped;
      continue;
    }
    RunPair Pair(A, B, Input, Before);
    if (!A.Frozen.empty() && !frozeTheSame(A, B)) {
      ++Counters.Skipped;
      if (auto D = Pair.compareForAllChoices(*Old, MaxSteps))
        return D;
      continue;
    }
    Counters.Functions += !IsAnyCompared;
    IsAnyCompared = true;
    ++Counters.Compared;
    if (auto D = Pair.compare(How))
      return D;
  }
  return std::nullopt;
}

} // namespace unravel
