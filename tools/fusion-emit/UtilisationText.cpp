//===- UtilisationText.cpp - How much of arrays is read -------------------===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tools/fusion-emit/UtilisationText.h"
#include "analysis/tiles/ResultCount.h"
#include "frontend/indexing/HloUtilisation.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/raw_ostream.h"
#include <set>

using namespace llvm;

namespace unravel {

static std::string textOf(const std::optional<UseCount> &Count,
                          uint64_t Times = 1) {
  if (!Count)
    return "unknown";
  std::string Least = std::to_string(Count->Least * Times);
  return Count->Least == Count->Most
             ? Least
             : Least + " to " + std::to_string(Count->Most * Times);
}

static void printUse(raw_ostream &OS, StringRef Name, const HloShape &Array,
                     const OperandIndexing &Indexing, size_t Element) {
  if (!Indexing.isKnown()) {
    OS << Name << ": unknown: " << Indexing.WhyUnknown << '\n';
    return;
  }
  OperandUse Use = useOf(Indexing, Array, Element);
  OS << Name << ": different elements: " << textOf(Use.Unique)
     << ", bounding box: " << textOf(Use.Box)
     << ", array: " << Array.elementCount()
     << ", reads: " << textOf(Use.Repeated) << ", bytes with repeats: "
     << textOf(Use.Repeated, byteWidth(Array.elementType())) << '\n';
}

/// The elements, by their numbers in memory, that block \p Block loads; nullopt
/// if they depend on values of run time, or are too many to list.
static std::optional<std::set<int64_t>> loadedBy(const BufferAccess &Load,
                                                 int64_t Block) {
  constexpr unsigned BlockX = 3;
  constexpr uint64_t MaxPoints = 1 << 20;
  std::vector<int64_t> Strides = Load.Array.strides();
  std::set<int64_t> Elements;
  for (const OperandMap &M : Load.Maps.Maps) {
    std::optional<IndexingMap> Map = withLeastRuntimes(M);
    if (!Map)
      return std::nullopt;
    IndexingMap::Variables Vars = Map->variables();
    if (!Vars.Dimensions[BlockX].Bounds.contains(Block))
      continue;
    Vars.Dimensions[BlockX].Bounds = Interval(Block, Block);
    IndexingMap OfBlock =
        IndexingMap(Map->context(), Vars, Map->results().vec(),
                    Map->constraints().vec())
            .simplified();
    if (OfBlock.isKnownEmpty())
      continue;
    if (!forEachResult(OfBlock, MaxPoints, [&](ArrayRef<int64_t> Index) {
          int64_t Number = 0;
          for (auto [Part, Stride] : zip_equal(Index, Strides))
            Number += Part * Stride;
          Elements.insert(Number);
        }))
      return std::nullopt;
  }
  return Elements;
}

static void printReuse(raw_ostream &OS, const KernelPlan &Plan,
                       const PlannedKernel &Kernel,
                       HloIndexingAnalysis &Analysis) {
  int64_t Block = (gridOf(Kernel.blocks())[0] - 1) / 2;
  bool HasNext = Kernel.blocks() > 1;
  for (const BufferAccess &Load : accessesOf(Plan, Kernel, Analysis)) {
    if (Load.Kind != ThreadAction::Load)
      continue;
    OS << "kernel " << Kernel.Name << ": ";
    const std::string &Name = Plan.Memory.Buffers[Load.Buffer].Name;
    std::optional<std::set<int64_t>> Own, Next;
    if (Load.Maps.isKnown()) {
      Own = loadedBy(Load, Block);
      Next = loadedBy(Load, Block + 1);
    }
    if (!Own || !Next) {
      OS << "how much of " << Name << " a block loads is not known\n";
      continue;
    }
    OS << "block " << Block << " loads " << Own->size()
       << (Own->size() == 1 ? " element of " : " elements of ") << Name;
    if (HasNext)
      OS << ", "
         << count_if(*Own, [&](int64_t E) { return Next->count(E) != 0; })
         << " of them block " << Block + 1 << " as well";
    OS << '\n';
  }
}

void printReuse(raw_ostream &OS, const KernelPlan &Plan,
                HloIndexingAnalysis &Analysis) {
  for (const PlannedKernel &Kernel : Plan.Kernels)
    printReuse(OS, Plan, Kernel, Analysis);
}

void printUtilisation(raw_ostream &OS, const HloComputation &C,
                      HloIndexingAnalysis &Analysis) {
  const HloShape &Root = C.root().shape();
  std::vector<OperandIndexing> All(C.parameters().size());
  for (size_t Output = 0; Output < arraysIn(Root); ++Output) {
    std::vector<OperandIndexing> Parameters =
        Analysis.outputToParameters(C, Output);
    for (auto [Of, More] : zip_equal(All, Parameters)) {
      if (!More.isKnown())
        Of = More;
      for (const OperandMap &Map : More.Maps)
        addMap(Of, Map);
    }
  }
  for (auto [P, Indexing] : enumerate(All)) {
    const HloShape &Shape = C.parameter(P).shape();
    for (size_t Element = 0; Element < arraysIn(Shape); ++Element)
      printUse(OS,
               Shape.isTuple()
                   ? (C.parameter(P).name() + "#" + Twine(Element)).str()
                   : C.parameter(P).name().str(),
               arrayAt(Shape, Element), Indexing, Element);
  }
}

} // namespace unravel
