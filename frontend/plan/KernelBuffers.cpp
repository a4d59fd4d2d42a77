//===- KernelBuffers.cpp - Which kernels write which buffers --------------===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "frontend/plan/KernelBuffers.h"
#include "frontend/plan/HloPartition.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/STLExtras.h"
#include <climits>
#include <map>

using namespace llvm;

namespace unravel {

//===----------------------------------------------------------------------===//
// Places in memory
//===----------------------------------------------------------------------===//

bool haveSamePlaces(const HloShape &A, const HloShape &B) {
  return A.isArray() && B.isArray() && A.dimensions() == B.dimensions() &&
         A.minorToMajor() == B.minorToMajor();
}

/// Whether the only element of operand \p K that an element of \p I needs is
/// the one at the same place in memory.
static bool staysInPlace(const HloInstruction &I, size_t K) {
  const HloShape &To = I.shape(), &From = I.operand(K).shape();
  if (isElementwise(I.opcode()))
    return operandPlace(I, K) == 0u && haveSamePlaces(To, From);
  switch (I.opcode()) {
  case HloOpcode::DynamicUpdateSlice:
  case HloOpcode::Scatter:
    return K == 0 && haveSamePlaces(To, From);
  case HloOpcode::Bitcast: // keeps the place in memory
    return To.elementCount() == From.elementCount();
  case HloOpcode::Reshape:
    return To.hasDescendingLayout() && From.hasDescendingLayout();
  default:
    return false;
  }
}

/// Whether the elements of an operand may all move. Then a thread of the kernel
/// may read an element for one result and write another element.
static bool movesElements(const HloInstruction &I) {
  return any_of(enumerate(I.operands()), [&](auto Operand) {
    const HloShape &From = Operand.value()->shape();
    return I.shape().isArray() && From.isArray() &&
           From.elementCount() == I.shape().elementCount() &&
           !staysInPlace(I, Operand.index());
  });
}

const HloInstruction &
sameMemory(const HloInstruction &I,
           function_ref<bool(const HloInstruction &)> IsLoaded) {
  const HloInstruction *Same = &I;
  while (!IsLoaded(*Same) &&
         is_contained({HloOpcode::Bitcast, HloOpcode::Copy, HloOpcode::Reshape},
                      Same->opcode()) &&
         staysInPlace(*Same, 0))
    Same = &Same->operand(0);
  return *Same;
}

//===----------------------------------------------------------------------===//
// Groups and buffers
//===----------------------------------------------------------------------===//

namespace {
class Planner {
public:
  Planner(FlatComputation &Flat, ArrayRef<OutputAlias> Aliases)
      : Flat(Flat), Aliases(Aliases), IsCopied(Flat.Outputs.size()) {}

  BufferPlan run();

private:
  void plan();
  void addBuffers();
  unsigned addBuffer(KernelBuffer::Kind Kind, const Twine &Name,
                     const HloShape &Shape);
  void addGroup(OutputGroup Group);
  unsigned outputBuffer(size_t Output) const {
    return Flat.Body->parameters().size() + Output;
  }

  void noteReads(const OutputGroup &Group, int Number);
  bool canShare(unsigned First, unsigned Second) const;
  void share(unsigned From, unsigned To);
  bool shareWithParameters();
  bool isWritable(unsigned Buffer) const;
  void updateInPlace();
  void removeUnused();

  FlatComputation &Flat;
  ArrayRef<OutputAlias> Aliases;
  /// Outputs that are copied to their place after everything else.
  std::vector<bool> IsCopied;
  BufferPlan Plan;

  /// An array in a buffer, from the group that writes it (-1 is before the
  /// first one) to its last use.
  struct Life {
    int Begin, End;
    /// The threads of the last use read only what is at their own place.
    bool EndsInPlace;
  };
  /// Of each buffer, sorted by Begin.
  std::vector<std::vector<Life>> Lives;
  /// The groups that write the arrays that are loaded; -1 for parameters.
  DenseMap<const HloInstruction *, int> WriterOf;
};
} // namespace

unsigned Planner::addBuffer(KernelBuffer::Kind Kind, const Twine &Name,
                            const HloShape &Shape) {
  Plan.Buffers.push_back({Kind, Name.str(), Shape, std::nullopt});
  Lives.emplace_back();
  return Plan.Buffers.size() - 1;
}

void Planner::addBuffers() {
  using Kind = KernelBuffer::Kind;
  for (const HloInstruction *Parameter : Flat.Body->parameters()) {
    unsigned Buffer =
        addBuffer(Kind::Input, Parameter->name(), Parameter->shape());
    Plan.BufferOf[Parameter] = Buffer;
    Lives[Buffer].push_back({-1, -1, false});
    WriterOf[Parameter] = -1;
  }
  for (auto [K, Output] : enumerate(Flat.Outputs)) {
    unsigned Buffer =
        addBuffer(Kind::Output, "out" + Twine(K), Output->shape());
    if (Flat.InMemory.contains(Output) && !IsCopied[K])
      Plan.BufferOf.try_emplace(Output, Buffer);
  }
  for (const HloInstruction *I : Flat.InMemory)
    if (!Plan.BufferOf.contains(I))
      Plan.BufferOf[I] =
          addBuffer(Kind::Temporary, "temp_" + I->name(), I->shape());
}

void Planner::addGroup(OutputGroup Group) {
  int Number = Plan.Groups.size();
  noteReads(Group, Number);
  for (const KernelOutput &Output : Group.Outputs) {
    bool IsResult =
        Plan.Buffers[Output.Buffer].BufferKind == KernelBuffer::Kind::Output;
    if (Plan.BufferOf.lookup_or(Output.Value, ~0u) == Output.Buffer)
      WriterOf[Output.Value] = Number;
    Lives[Output.Buffer].push_back(
        {Number, IsResult ? INT_MAX : Number, false});
  }
  Plan.Groups.push_back(std::move(Group));
}

/// \p I, or the operation that yields it together with others.
static const HloInstruction *producerOf(const HloInstruction *I) {
  return I->opcode() == HloOpcode::GetTupleElement ? &I->operand(0) : I;
}

void Planner::plan() {
  Plan = BufferPlan();
  Lives.clear();
  WriterOf.clear();
  addBuffers();
  // Nothing else is computed.
  std::vector<bool> IsLive(Flat.Body->instructions().size());
  for (const HloInstruction *Output : Flat.Outputs)
    IsLive[Output->index()] = true;
  for (const HloInstruction *I : Flat.WithEffects)
    IsLive[I->index()] = true;
  for (size_t Index = IsLive.size(); Index-- > 0;) {
    if (!IsLive[Index])
      continue;
    const HloInstruction &I = Flat.Body->instructions()[Index];
    for (const HloInstruction *Operand : I.operands())
      IsLive[Operand->index()] = true;
    // All its arrays may be needed to compute some of them.
    if (yieldsToMemory(I) && I.shape().isTuple())
      for (const HloInstruction *Part : I.users())
        IsLive[Part->index()] = true;
  }

  // The parts of one operation form a group, and so do the results of one
  // fusion with equally many elements.
  using Key = std::tuple<const HloInstruction *, unsigned, int64_t>;
  MapVector<Key, OutputGroup, std::map<Key, unsigned>> Together;
  for (const HloInstruction &I : Flat.Body->instructions()) {
    if (Flat.WithEffects.contains(&I)) // it may yield nothing
      Together[{&I, 0, 0}].Operation = &I;
    if (!IsLive[I.index()] || !Flat.InMemory.contains(&I))
      continue;
    const HloInstruction *Producer = producerOf(&I);
    auto Fusion = Flat.FusionOf.find(&I);
    Key K = {Producer, 0, 0};
    if (Fusion != Flat.FusionOf.end() && !yieldsToMemory(*Producer))
      K = {nullptr, Fusion->second, I.shape().elementCount()};
    Together[K].Outputs.push_back({&I, Plan.BufferOf.lookup(&I)});
    if (yieldsToMemory(*Producer))
      Together[K].Operation = Producer;
  }
  // In the order of computation: a group that loads what another group writes
  // comes after all outputs of that group.
  auto Groups = Together.takeVector();
  auto PlaceOf = [](const OutputGroup &Group) {
    return Group.Outputs.empty() ? Group.Operation->index()
                                 : Group.Outputs.back().Value->index();
  };
  llvm::stable_sort(Groups, [&](const auto &L, const auto &R) {
    return PlaceOf(L.second) < PlaceOf(R.second);
  });
  for (auto &[Key, Group] : Groups)
    addGroup(std::move(Group));

  // The other outputs: those with equally many elements form a group.
  MapVector<int64_t, std::vector<KernelOutput>, std::map<int64_t, unsigned>>
      BySize;
  for (auto [K, Output] : enumerate(Flat.Outputs)) {
    unsigned Buffer = outputBuffer(K);
    if (!IsCopied[K] && Plan.BufferOf.lookup_or(Output, ~0u) != Buffer)
      BySize[Output->shape().elementCount()].push_back({Output, Buffer});
  }
  for (auto &[Size, Outputs] : BySize)
    addGroup({std::move(Outputs), nullptr});
  for (auto [K, Output] : enumerate(Flat.Outputs))
    if (IsCopied[K])
      addGroup({{{Output, outputBuffer(K)}}, nullptr});
}

//===----------------------------------------------------------------------===//
// Arrays in one buffer
//===----------------------------------------------------------------------===//

/// Extends the lives of the arrays that \p Group reads.
void Planner::noteReads(const OutputGroup &Group, int Number) {
  SmallVector<std::pair<const HloInstruction *, bool>, 16> Worklist;
  // True for instructions that all paths so far reach in place.
  DenseMap<const HloInstruction *, bool> Visited;
  SmallVector<const HloInstruction *, 8> Read;
  bool Moves = false;
  for (const KernelOutput &Output : Group.Outputs)
    Worklist.push_back({Output.Value, true});
  if (Group.Outputs.empty())
    Worklist.push_back({Group.Operation, false});
  while (!Worklist.empty()) {
    auto [I, IsInPlace] = Worklist.pop_back_val();
    auto [Known, IsNew] = Visited.try_emplace(I, IsInPlace);
    if (!IsNew && (Known->second == IsInPlace || !Known->second))
      continue;
    Known->second = IsInPlace;
    if (WriterOf.contains(I)) {
      if (IsNew)
        Read.push_back(I);
      continue;
    }
    Moves |= movesElements(*I);
    for (size_t K = 0; K < I->operands().size(); ++K)
      Worklist.push_back({&I->operand(K), IsInPlace && staysInPlace(*I, K)});
  }
  for (const HloInstruction *I : Read) {
    Life &L = Lives[Plan.BufferOf.lookup(I)].front(); // nothing is shared yet
    if (L.End == INT_MAX)
      continue;
    L.End = Number;
    L.EndsInPlace = Visited.lookup(I) && (Group.Outputs.size() == 1 || !Moves);
  }
}

/// Whether each array of both buffers begins after the last use of the one
/// before it.
bool Planner::canShare(unsigned First, unsigned Second) const {
  if (Plan.Buffers[First].Shape != Plan.Buffers[Second].Shape)
    return false;
  std::vector<Life> Both = Lives[First];
  append_range(Both, Lives[Second]);
  llvm::stable_sort(
      Both, [](const Life &L, const Life &R) { return L.Begin < R.Begin; });
  for (size_t K = 0; K + 1 < Both.size(); ++K) {
    const Life &Earlier = Both[K], &Later = Both[K + 1];
    bool IsOver = Earlier.End < Later.Begin ||
                  (Earlier.End == Later.Begin && Earlier.EndsInPlace);
    if (!IsOver || Earlier.Begin == Later.Begin)
      return false;
  }
  return true;
}

/// Moves all arrays of \p From to \p To.
void Planner::share(unsigned From, unsigned To) {
  for (auto &[I, Buffer] : Plan.BufferOf)
    if (Buffer == From)
      Buffer = To;
  for (OutputGroup &Group : Plan.Groups)
    for (KernelOutput &Output : Group.Outputs)
      if (Output.Buffer == From)
        Output.Buffer = To;
  append_range(Lives[To], Lives[From]);
  llvm::stable_sort(Lives[To], [](const Life &L, const Life &R) {
    return L.Begin < R.Begin;
  });
  Lives[From].clear();
  if (Plan.Buffers[From].BufferKind == KernelBuffer::Kind::Output)
    Plan.Buffers[From].AliasOf = To;
}

/// False if a result that must use the memory of a parameter cannot be written
/// there: a new plan copies it.
bool Planner::shareWithParameters() {
  bool IsDone = true;
  for (const OutputAlias &Alias : Aliases) {
    unsigned Buffer = outputBuffer(Alias.Output);
    if (canShare(Buffer, Alias.Parameter)) {
      share(Buffer, Alias.Parameter);
      continue;
    }
    if (!Alias.IsMust)
      continue;
    IsDone = false;
    IsCopied[Alias.Output] = true;
    const HloInstruction *&Output = Flat.Outputs[Alias.Output];
    if (is_contained({HloOpcode::Parameter, HloOpcode::Constant},
                     Output->opcode())) {
      HloInstruction Copy((Output->name() + ".copy").str(), HloOpcode::Copy,
                          Output->shape());
      Output = &Flat.Body->add(std::move(Copy), {Output});
    }
    Flat.InMemory.insert(Output);
  }
  return IsDone;
}

/// Whether kernels may write \p Buffer: all but inputs that no result uses.
bool Planner::isWritable(unsigned Buffer) const {
  return Plan.Buffers[Buffer].BufferKind != KernelBuffer::Kind::Input ||
         any_of(Plan.Buffers,
                [&](const KernelBuffer &B) { return B.AliasOf == Buffer; });
}

void Planner::updateInPlace() {
  auto IsTemporary = [&](unsigned Buffer) {
    return Plan.Buffers[Buffer].BufferKind == KernelBuffer::Kind::Temporary;
  };
  for (auto [Number, Group] : enumerate(Plan.Groups)) {
    auto IsLoaded = [&, Now = int(Number)](const HloInstruction &I) {
      auto Writer = WriterOf.find(&I);
      return Writer != WriterOf.end() && Writer->second < Now;
    };
    for (const KernelOutput &Output : Group.Outputs) {
      // The array that has all, or most, elements of the output.
      const HloInstruction *Old = &sameMemory(*Output.Value, IsLoaded);
      if (!IsLoaded(*Old) &&
          is_contained({HloOpcode::DynamicUpdateSlice, HloOpcode::Scatter},
                       Old->opcode()))
        Old = &sameMemory(Old->operand(0), IsLoaded);
      if (!IsLoaded(*Old))
        continue;
      // The buffer that is dropped.
      unsigned From = Plan.BufferOf.lookup(Old), To = Output.Buffer;
      if (From == To)
        continue;
      if (!IsTemporary(From))
        std::swap(From, To);
      if (IsTemporary(From) && isWritable(To) && canShare(From, To))
        share(From, To);
    }
  }
}

/// Removes temporaries that hold no array.
void Planner::removeUnused() {
  std::vector<KernelBuffer> Used;
  std::vector<unsigned> NumberOf;
  for (auto [Buffer, Arrays] : zip_equal(Plan.Buffers, Lives)) {
    NumberOf.push_back(Used.size());
    if (Buffer.BufferKind != KernelBuffer::Kind::Temporary || !Arrays.empty())
      Used.push_back(std::move(Buffer));
  }
  Plan.Buffers = std::move(Used);
  for (auto &[I, Buffer] : Plan.BufferOf)
    Buffer = NumberOf[Buffer];
  for (OutputGroup &Group : Plan.Groups)
    for (KernelOutput &Output : Group.Outputs)
      Output.Buffer = NumberOf[Output.Buffer];
}

BufferPlan Planner::run() {
  do
    plan();
  while (!shareWithParameters());
  updateInPlace();
  removeUnused();
  return std::move(Plan);
}

BufferPlan planBuffers(FlatComputation &Flat, ArrayRef<OutputAlias> Aliases) {
  return Planner(Flat, Aliases).run();
}

} // namespace unravel
