//===- KernelMapsPrinter.cpp - The maps of kernels as text ----------------===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "frontend/hlo/HloTuples.h"
#include "frontend/plan/KernelMaps.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace unravel {

std::string accessedName(const BufferPlan &Memory, const BufferAccess &Access,
                         const HloShape &Root) {
  const KernelBuffer &Buffer = Memory.Buffers[Access.Buffer];
  if (Access.Kind == ThreadAction::Load)
    return Buffer.Name;
  size_t Output = 0;
  for (auto [Number, Other] : enumerate(Memory.Buffers)) {
    if (Other.BufferKind != KernelBuffer::Kind::Output)
      continue;
    if (Other.AliasOf.value_or(Number) == Access.Buffer)
      return Root.isTuple() ? "root#" + std::to_string(Output) : "root";
    ++Output;
  }
  return Buffer.Name;
}

namespace {
class KernelMapsPrinter {
public:
  KernelMapsPrinter(raw_ostream &OS, const HloComputation &C,
                    const KernelPlan &Plan, HloIndexingAnalysis &Analysis,
                    MapStyle Style)
      : OS(OS), C(C), Plan(Plan), Analysis(Analysis), Style(Style) {}

  void print();

private:
  void printKernel(const PlannedKernel &Kernel);
  void printNeeded(size_t Element, const OperandIndexing &Stored,
                   ArrayRef<BufferAccess> Accesses);
  std::vector<OperandMap> loadedOf(size_t Parameter,
                                   ArrayRef<BufferAccess> Accesses) const;
  unsigned bufferOfOutput(size_t Output) const {
    unsigned Buffer = Plan.Flat.Body->parameters().size() + Output;
    return Plan.Memory.Buffers[Buffer].AliasOf.value_or(Buffer);
  }

  raw_ostream &OS;
  const HloComputation &C;
  const KernelPlan &Plan;
  HloIndexingAnalysis &Analysis;
  MapStyle Style;
  /// The outputs whose maps are printed already: a scatter writes its result
  /// after a copy.
  SmallVector<size_t, 4> Done;
};
} // namespace

/// The maps of loads from the arrays of parameter number \p Parameter.
std::vector<OperandMap>
KernelMapsPrinter::loadedOf(size_t Parameter,
                            ArrayRef<BufferAccess> Accesses) const {
  std::vector<OperandMap> Loaded;
  for (const BufferAccess &Access : Accesses) {
    const KernelBuffer &Buffer = Plan.Memory.Buffers[Access.Buffer];
    if (Access.Kind != ThreadAction::Load ||
        Buffer.BufferKind != KernelBuffer::Kind::Input)
      continue;
    const std::optional<TupleIndex> &InTuples = Buffer.InTuples;
    if ((InTuples ? *InTuples->Parameter : Access.Buffer) != Parameter)
      continue;
    for (OperandMap Map : Access.Maps.Maps) {
      Map.Element = InTuples ? arrayNumber(C.parameter(Parameter).shape(),
                                           InTuples->Index)
                             : 0;
      Loaded.push_back(std::move(Map));
    }
  }
  return Loaded;
}

/// What the elements of an array of the root that threads store are computed
/// from, where it is not what the kernel loads.
void KernelMapsPrinter::printNeeded(size_t Element,
                                    const OperandIndexing &Stored,
                                    ArrayRef<BufferAccess> Accesses) {
  const HloShape &Root = C.root().shape();
  std::string From =
      Root.isTuple() ? "thread#" + std::to_string(Element) : "thread";
  std::vector<OperandIndexing> Parameters =
      Analysis.outputToParameters(C, Element);
  for (auto [P, Needed] : enumerate(Parameters)) {
    OperandIndexing Maps = {{}, Needed.WhyUnknown};
    for (const OperandMap &Thread : Stored.Maps)
      for (const OperandMap &Map : Needed.Maps)
        if (std::optional<OperandMap> Composed =
                compose(Thread, Map, arrayAt(Root, Element)))
          addMap(Maps, *Composed);
        else
          Maps = OperandIndexing::unknown("an index leaves 64 bits");
    std::vector<OperandMap> Loaded = loadedOf(P, Accesses);
    auto IsLoaded = [&](const OperandMap &Map) {
      return any_of(Loaded, [&](const OperandMap &Other) {
        // Other parts of the plan read the values of runtime variables.
        return Map.Map == Other.Map && Map.Element == Other.Element;
      });
    };
    if (Maps.isKnown() && all_of(Maps.Maps, IsLoaded))
      continue;
    const HloInstruction &Parameter = C.parameter(P);
    printMaps(
        OS, Maps, From + " -> ",
        [&](size_t K) {
          return nameOfArray(Parameter.name(), Parameter.shape(), K);
        },
        " as needed", Style);
  }
}

void KernelMapsPrinter::printKernel(const PlannedKernel &Kernel) {
  OS << "kernel " << Kernel.Name << ": " << nameOf(Kernel.Kind) << ", "
     << Kernel.blocks() << " blocks of " << Kernel.BlockSize << " threads\n";
  std::vector<BufferAccess> Accesses = accessesOf(Plan, Kernel, Analysis);
  auto PrintAll = [&](bool IsLoad) {
    for (const BufferAccess &Access : Accesses) {
      if ((Access.Kind == ThreadAction::Load) != IsLoad)
        continue;
      std::string Name = accessedName(Plan.Memory, Access, C.root().shape());
      printMaps(
          OS, Access.Maps, "thread -> ", [&](size_t) { return Name; },
          Access.Kind == ThreadAction::Load    ? " as loaded"
          : Access.Kind == ThreadAction::Store ? " as stored"
                                               : " as updated",
          Style);
    }
  };
  PrintAll(/*IsLoad=*/false);
  PrintAll(/*IsLoad=*/true);
  const HloShape &Root = C.root().shape();
  for (size_t Output = 0; Output < arraysIn(Root); ++Output) {
    auto Stored = find_if(Accesses, [&](const BufferAccess &Access) {
      return Access.Kind != ThreadAction::Load &&
             Access.Buffer == bufferOfOutput(Output);
    });
    if (Stored == Accesses.end() || is_contained(Done, Output))
      continue;
    Done.push_back(Output);
    printNeeded(Output, Stored->Maps, Accesses);
  }
}

void KernelMapsPrinter::print() {
  for (const PlannedKernel &Kernel : Plan.Kernels)
    printKernel(Kernel);
  // What no kernel writes.
  for (size_t Output = 0; Output < Plan.Flat.Outputs.size(); ++Output) {
    const HloShape &Root = C.root().shape();
    bool IsWritten = any_of(Plan.Kernels, [&](const PlannedKernel &Kernel) {
      return is_contained(Kernel.Written, bufferOfOutput(Output));
    });
    if (IsWritten)
      continue;
    bool IsEmpty = Plan.Flat.Outputs[Output]->shape().elementCount() == 0;
    OS << "thread -> " << nameOfArray("root", Root, Output)
       << " as stored: none: "
       << (IsEmpty ? "it has no elements" : "it is in memory already") << '\n';
  }
}

void printKernelMaps(raw_ostream &OS, const HloComputation &C,
                     const KernelPlan &Plan, HloIndexingAnalysis &Analysis,
                     MapStyle Style) {
  KernelMapsPrinter(OS, C, Plan, Analysis, Style).print();
}

} // namespace unravel
