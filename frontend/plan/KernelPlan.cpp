//===- KernelPlan.cpp - The kernels of a module ---------------------------===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "frontend/hlo/HloTuples.h"
#include "frontend/plan/KernelPlanners.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SetVector.h"

using namespace llvm;

namespace unravel {

/// The aliases of the module, by the numbers that arrays have once tuples are
/// taken apart.
static std::vector<OutputAlias> aliasesOf(const HloModule &Module,
                                          const HloComputation &Entry) {
  std::vector<OutputAlias> Aliases;
  if (&Entry != &Module.entry())
    return Aliases;
  std::vector<size_t> ArraysBefore = arraysBeforeParameters(Entry);
  for (const HloAlias &Alias : Module.Aliases) {
    const HloShape &From = Entry.parameter(Alias.Parameter).shape();
    Aliases.push_back(
        {arrayNumber(Entry.root().shape(), Alias.Output),
         ArraysBefore[Alias.Parameter] + arrayNumber(From, Alias.InParameter),
         Alias.IsMust});
  }
  return Aliases;
}

/// Notes where inputs and outputs are in tuples, if their order does not tell.
static void placeInTuples(const HloComputation &Entry,
                          std::vector<KernelBuffer> &Buffers) {
  bool HasTuples = any_of(Entry.parameters(), [](const HloInstruction *P) {
    return P->shape().isTuple();
  });
  auto Next = Buffers.begin();
  for (auto [Number, Parameter] : enumerate(Entry.parameters()))
    forEachArray(Parameter->shape(),
                 [&, P = Number](ArrayRef<int64_t> Index, const HloShape &) {
                   if (HasTuples)
                     Next->InTuples = {P, Index.vec()};
                   ++Next;
                 });
  const HloShape &Root = Entry.root().shape();
  if (Root.isArray() || Root.nesting() == 1)
    return;
  forEachArray(Root, [&](ArrayRef<int64_t> Index, const HloShape &) {
    Next++->InTuples = {std::nullopt, Index.vec()};
  });
}

//===----------------------------------------------------------------------===//
// Support
//===----------------------------------------------------------------------===//

/// Why \p I cannot be in a function of scalars.
static StringRef problemInScalars(const HloInstruction &I) {
  if (!I.shape().isScalar())
    return "an array inside a function of scalars; move it out of the "
           "function";
  if (isElementwise(I.opcode()) ||
      is_contained({HloOpcode::Parameter, HloOpcode::Constant,
                    HloOpcode::Bitcast, HloOpcode::BitcastConvert,
                    HloOpcode::Broadcast, HloOpcode::Reshape,
                    HloOpcode::Transpose},
                   I.opcode()))
    return "";
  return "this operation is not supported inside a function of scalars; move "
         "it out of the function";
}

using ScatterPlans = DenseMap<const HloInstruction *, ScatterPlan>;

/// Checks that all instructions of \p C, and of the computations that it calls,
/// are supported, so that planners and emitters cannot fail. Adds the
/// computations to \p Callees, and the plans of scatters to \p Scatters.
static Error checkSupported(const HloModule &Module, const FlatComputation &C,
                            FlatCallees &Callees, ScatterPlans &Scatters) {
  // A list instead of a recursion. The instructions do not move.
  SmallVector<std::pair<const HloInstruction *, const HloComputation *>, 8>
      Calls;
  auto Check = [&](const FlatComputation &Flat, bool IsOfScalars) -> Error {
    for (const HloInstruction &I : Flat.Body->instructions()) {
      StringRef Problem = IsOfScalars ? problemInScalars(I) : "";
      if (!Problem.empty())
        return Module.error(I, Problem);
      // Loops and branches run computations with kernels of their own.
      if (classOf(I.opcode()) == HloOpClass::Host)
        continue;
      for (const HloComputation *Callee : I.callees())
        Calls.push_back({&I, Callee});
    }
    return Error::success();
  };
  if (Error E = Check(C, /*IsOfScalars=*/false))
    return E;
  while (!Calls.empty()) {
    auto [I, Callee] = Calls.pop_back_val();
    if (!Callees.contains(Callee)) {
      Expected<FlatComputation> Flat =
          flatten(Module, *Callee, boundaryOf(*Callee));
      if (!Flat)
        return Flat.takeError();
      if (Error E = Check(*Flat, /*IsOfScalars=*/true))
        return E;
      Callees[Callee] = std::move(*Flat);
    }
    if (I->opcode() == HloOpcode::Scatter) {
      Expected<ScatterPlan> Plan = planScatter(Module, *I, Callees[Callee]);
      if (!Plan)
        return Plan.takeError();
      Scatters[I] = std::move(*Plan);
    }
  }
  return Error::success();
}

//===----------------------------------------------------------------------===//
// Kernels
//===----------------------------------------------------------------------===//

/// The outputs that their buffers do not hold already.
static std::vector<KernelOutput> outputsToWrite(const KernelScope &Scope,
                                                const OutputGroup &Group) {
  std::vector<KernelOutput> Outputs;
  for (auto [K, Output] : enumerate(Group.Outputs)) {
    // A scatter updates a copy, a sort orders one.
    const HloInstruction &Value =
        Group.Operation ? Group.Operation->operand(K) : *Output.Value;
    if (!Scope.isIn(Output.Buffer, Value))
      Outputs.push_back({&Value, Output.Buffer});
  }
  return Outputs;
}

std::vector<PlannedComputation>
plannedComputations(const HloComputation &Entry) {
  std::vector<PlannedComputation> Found = {{&Entry, boundaryOf(Entry)}};
  auto Add = [&](const HloComputation &Body, HloBoundary Boundary) {
    if (none_of(Found, [&](const PlannedComputation &C) {
          return C.Body == &Body && C.Boundary == Boundary;
        }))
      Found.push_back({&Body, std::move(Boundary)});
  };
  SmallPtrSet<const HloComputation *, 8> Seen;
  SmallVector<const HloComputation *, 8> Worklist = {&Entry};
  while (!Worklist.empty()) {
    const HloComputation *Next = Worklist.pop_back_val();
    if (!Seen.insert(Next).second)
      continue;
    for (const HloInstruction &I : Next->instructions()) {
      bool IsHost = classOf(I.opcode()) == HloOpClass::Host;
      for (auto [K, Callee] : enumerate(I.callees()))
        if (IsHost)
          Add(*Callee, boundaryOf(I, K));
      if (IsHost || I.opcode() == HloOpcode::Call)
        append_range(Worklist, I.callees());
    }
  }
  return Found;
}

Expected<KernelPlan> planKernels(const HloModule &Module,
                                 const PlannedComputation &C,
                                 const KernelLimits &Limits) {
  const HloComputation &Entry = *C.Body;
  Expected<FlatComputation> Flat = flatten(Module, Entry, C.Boundary);
  if (!Flat)
    return Flat.takeError();
  KernelPlan Plan;
  ScatterPlans Scatters;
  if (Error E = checkSupported(Module, *Flat, Plan.Callees, Scatters))
    return E;
  Plan.Flat = std::move(*Flat);
  Plan.Memory = planBuffers(Plan.Flat, aliasesOf(Module, Entry));
  placeInTuples(Entry, Plan.Memory.Buffers);

  KernelScope Scope(Plan.Memory, Limits);
  for (const HloInstruction *Parameter : Plan.Flat.Body->parameters())
    Scope.addToMemory(*Parameter);
  auto Add = [&](PlannedKernel Kernel) {
    if (Kernel.Threads == 0)
      return;
    Plan.Steps.push_back({nullptr, Plan.Kernels.size()});
    Plan.Kernels.push_back(std::move(Kernel));
  };
  auto AddGroup = [&](const OutputGroup &Group) {
    const HloInstruction *Operation = Group.Operation;
    if (Operation && classOf(Operation->opcode()) == HloOpClass::Host) {
      PlannedStep Step = {Operation};
      for (const HloInstruction *Operand : Operation->operands())
        Step.Operands.push_back(Plan.Memory.BufferOf.lookup(Operand));
      for (const KernelOutput &Output : Group.Outputs)
        Step.Results.push_back(Output.Buffer);
      Plan.Steps.push_back(std::move(Step));
      return;
    }
    std::vector<KernelOutput> Outputs = outputsToWrite(Scope, Group);
    if (!Outputs.empty())
      Add(Operation ? planLoop(Scope, Outputs) : planKernel(Scope, Outputs));
    if (Operation && Operation->opcode() == HloOpcode::Sort)
      Add(planSortKernel(Scope, Group.Outputs, *Operation));
    else if (Operation)
      Add(planScatterKernel(Scope, Group.Outputs, *Operation,
                            Scatters.lookup(Operation)));
  };
  for (const OutputGroup &Group : Plan.Memory.Groups) {
    AddGroup(Group);
    for (const KernelOutput &Output : Group.Outputs)
      if (Plan.Memory.BufferOf.contains(Output.Value))
        Scope.addToMemory(*Output.Value);
  }
  return Plan;
}

} // namespace unravel
