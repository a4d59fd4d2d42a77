//===- UtilisationText.cpp - How much of arrays is read -------------------===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tools/fusion-emit/UtilisationText.h"
#include "analysis/tiles/ResultCount.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"
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

void print(raw_ostream &OS, const ArrayUse &A) {
  if (!A.WhyUnknown.empty()) {
    OS << A.Name << ": unknown: " << A.WhyUnknown << '\n';
    return;
  }
  OS << A.Name << ": different elements: " << textOf(A.Use.Unique)
     << ", bounding box: " << textOf(A.Use.Box) << ", array: " << A.Elements
     << ", reads: " << textOf(A.Use.Repeated)
     << ", bytes with repeats: " << textOf(A.Use.Repeated, A.ElementBytes)
     << '\n';
}

static json::Value jsonOf(const std::optional<UseCount> &Count,
                          uint64_t Times = 1) {
  if (!Count)
    return nullptr;
  return json::Array{Count->Least * Times, Count->Most * Times};
}

json::Object toJson(const ArrayUse &A) {
  json::Object Object = json::Object{{"name", json::fixUTF8(A.Name)}};
  if (!A.WhyUnknown.empty()) {
    Object["unknown"] = json::fixUTF8(A.WhyUnknown);
    return Object;
  }
  Object["elements"] = jsonOf(A.Use.Unique);
  Object["bounding_box"] = jsonOf(A.Use.Box);
  Object["array"] = A.Elements;
  Object["reads"] = jsonOf(A.Use.Repeated);
  Object["bytes_with_repeats"] = jsonOf(A.Use.Repeated, A.ElementBytes);
  return Object;
}

/// The elements, by their numbers in memory, that block \p Block loads; nullopt
/// if they depend on values of run time, or are too many to list.
static std::optional<std::set<int64_t>> loadedBy(const BufferAccess &Load,
                                                 ArrayRef<int64_t> Block) {
  constexpr unsigned BlockX = 3;
  constexpr uint64_t MaxPoints = 1 << 20;
  std::vector<int64_t> Strides = Load.Array.strides();
  std::set<int64_t> Elements;
  for (const OperandMap &M : Load.Maps.Maps) {
    std::optional<IndexingMap> Map = withLeastRuntimes(M);
    if (!Map)
      return std::nullopt;
    IndexingMap::Variables Vars = Map->variables();
    bool HasBlock = true;
    for (auto [Axis, Number] : enumerate(Block)) {
      Interval &Bounds = Vars.Dimensions[BlockX + Axis].Bounds;
      HasBlock = HasBlock && Bounds.contains(Number);
      Bounds = Interval::point(Number);
    }
    if (!HasBlock)
      continue;
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

std::vector<BlockReuse> blockReuseOf(const KernelPlan &Plan,
                                     HloIndexingAnalysis &Analysis) {
  std::vector<BlockReuse> All;
  for (const PlannedKernel &Kernel : Plan.Kernels) {
    auto Grid = gridOf(Kernel.blocks());
    for (const BufferAccess &Load : accessesOf(Plan, Kernel, Analysis)) {
      if (Load.Kind != ThreadAction::Load)
        continue;
      BlockReuse Reuse = {Kernel.Name,
                          Plan.Memory.Buffers[Load.Buffer].Name,
                          {},
                          std::nullopt,
                          {}};
      for (auto [Axis, Blocks] : enumerate(Grid))
        Reuse.Block[Axis] = (int64_t(Blocks) - 1) / 2;
      std::optional<std::set<int64_t>> Own;
      if (Load.Maps.isKnown())
        Own = loadedBy(Load, Reuse.Block);
      bool IsKnown = Own.has_value();
      for (unsigned Axis = 0; IsKnown && Axis < Grid.size(); ++Axis) {
        std::array<int64_t, 3> Next = Reuse.Block;
        if (++Next[Axis] >= int64_t(Grid[Axis]))
          continue;
        std::optional<std::set<int64_t>> Other = loadedBy(Load, Next);
        IsKnown = Other.has_value();
        if (IsKnown)
          Reuse.Shared[Axis] =
              count_if(*Own, [&](int64_t E) { return Other->count(E) != 0; });
      }
      if (IsKnown)
        Reuse.Elements = Own->size();
      All.push_back(std::move(Reuse));
    }
  }
  return All;
}

void print(raw_ostream &OS, const BlockReuse &Reuse) {
  OS << "kernel " << Reuse.Kernel << ": ";
  if (!Reuse.Elements) {
    OS << "how much of " << Reuse.Array << " a block loads is not known\n";
    return;
  }
  // Most grids have one dimension.
  bool IsLine = !Reuse.Shared[1] && !Reuse.Shared[2];
  auto Name = [&](std::array<int64_t, 3> Block) {
    return "block " +
           (IsLine ? std::to_string(Block[0])
                   : formatv("({0}, {1}, {2})", Block[0], Block[1], Block[2])
                         .str());
  };
  OS << Name(Reuse.Block) << " loads " << *Reuse.Elements
     << (*Reuse.Elements == 1 ? " element of " : " elements of ")
     << Reuse.Array;
  bool IsFirst = true;
  for (auto [Axis, Shared] : enumerate(Reuse.Shared)) {
    if (!Shared)
      continue;
    std::array<int64_t, 3> Next = Reuse.Block;
    ++Next[Axis];
    OS << ", " << *Shared << (IsFirst ? " of them " : " ") << Name(Next)
       << (IsFirst ? " as well" : "");
    IsFirst = false;
  }
  OS << '\n';
}

json::Object toJson(const BlockReuse &Reuse) {
  json::Object Object = json::Object{{"kernel", json::fixUTF8(Reuse.Kernel)},
                                     {"array", json::fixUTF8(Reuse.Array)},
                                     {"elements", nullptr}};
  if (!Reuse.Elements)
    return Object;
  Object["block"] = json::Array(Reuse.Block);
  Object["elements"] = *Reuse.Elements;
  json::Array Shared;
  for (const std::optional<uint64_t> &Count : Reuse.Shared)
    Shared.push_back(Count ? json::Value(*Count) : json::Value(nullptr));
  Object["shared"] = std::move(Shared);
  return Object;
}

std::vector<ArrayUse> arrayUsesOf(const HloComputation &C,
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
  std::vector<ArrayUse> Uses;
  for (auto [P, Indexing] : enumerate(All)) {
    const HloShape &Shape = C.parameter(P).shape();
    for (size_t Element = 0; Element < arraysIn(Shape); ++Element) {
      const HloShape &Array = arrayAt(Shape, Element);
      ArrayUse Use;
      Use.Name = nameOfArray(C.parameter(P).name(), Shape, Element);
      Use.WhyUnknown = Indexing.WhyUnknown;
      Use.Elements = Array.elementCount();
      Use.ElementBytes = byteWidth(Array.elementType());
      if (Indexing.isKnown())
        Use.Use = useOf(Indexing, Array, Element);
      Uses.push_back(std::move(Use));
    }
  }
  return Uses;
}

} // namespace unravel
