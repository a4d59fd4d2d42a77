//===- HloIndexingPrinter.cpp - The maps of operations as text ------------===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "analysis/maps/IndexingMapText.h"
#include "analysis/maps/ReadableMap.h"
#include "frontend/indexing/HloIndexing.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace unravel {

static void printRuntime(raw_ostream &OS, const OperandMap &M, unsigned I) {
  const RuntimeVariable &R = M.Runtimes[I];
  OS << "  " << M.Map.nameOf(VariableKind::Runtime, I) << " = ";
  for (const HloInstruction *Call : R.Calls)
    OS << Call->name() << '/';
  OS << R.Source->name() << '[';
  ListSeparator Comma;
  for (IndexExpr E : R.ToElement.results())
    OS << Comma << toString(R.ToElement, E);
  OS << ']';
  if (R.Clamp)
    OS << " clamped to " << *R.Clamp;
  OS << '\n';
}

void printMaps(raw_ostream &OS, const OperandIndexing &Indexing,
               StringRef Before, function_ref<std::string(size_t)> NameOf,
               StringRef Behind, MapStyle Style) {
  auto Line = [&](StringRef Name) -> raw_ostream & {
    return OS << Before << Name << Behind << ": ";
  };
  if (!Indexing.isKnown())
    Line(NameOf(0)) << "unknown: " << Indexing.WhyUnknown << '\n';
  else if (Indexing.Maps.empty())
    Line(NameOf(0)) << "not read\n";
  for (const OperandMap &M : Indexing.Maps) {
    Line(NameOf(M.Element));
    if (Style == MapStyle::Readable)
      OS << toReadableString(M.Map);
    else
      print(OS, M.Map);
    OS << '\n';
    for (unsigned I = 0; I < M.Runtimes.size(); ++I)
      printRuntime(OS, M, I);
  }
}

void printIndexing(raw_ostream &OS, StringRef From, const HloInstruction &To,
                   const OperandIndexing &Indexing, MapStyle Style) {
  bool HasMaps = !Indexing.Maps.empty();
  auto NameOf = [&](size_t Element) {
    return HasMaps ? nameOfArray(To.name(), To.shape(), Element)
                   : To.name().str();
  };
  printMaps(OS, Indexing, (From + " -> ").str(), NameOf, "", Style);
}

void printReverseIndexing(raw_ostream &OS, const HloComputation &C,
                          HloIndexingAnalysis &Analysis, MapStyle Style) {
  const HloShape &Root = C.root().shape();
  for (auto [P, Parameter] : enumerate(C.parameters())) {
    const HloShape &Shape = Parameter->shape();
    for (size_t Element = 0; Element < arraysIn(Shape); ++Element) {
      OperandIndexing Indexing = Analysis.parameterToRoot(C, P, Element);
      bool HasMaps = !Indexing.Maps.empty();
      std::string From = nameOfArray(Parameter->name(), Shape, Element);
      auto NameOf = [&](size_t Reached) {
        return HasMaps ? nameOfArray("root", Root, Reached)
                       : std::string("root");
      };
      printMaps(OS, Indexing, From + " -> ", NameOf, "", Style);
    }
  }
}

void printIndexing(raw_ostream &OS, const HloComputation &C,
                   HloIndexingAnalysis &Analysis, MapStyle Style) {
  const HloShape &Shape = C.root().shape();
  for (size_t Element = 0; Element < arraysIn(Shape); ++Element) {
    std::vector<OperandIndexing> Parameters =
        Analysis.outputToParameters(C, Element);
    for (size_t P = 0; P < Parameters.size(); ++P)
      printIndexing(OS, nameOfArray("root", Shape, Element), C.parameter(P),
                    Parameters[P], Style);
  }
}

void printIndexing(raw_ostream &OS, const HloInstruction &I,
                   HloIndexingAnalysis &Analysis) {
  for (size_t Element = 0; Element < arraysIn(I.shape()); ++Element) {
    std::vector<OperandIndexing> Operands = Analysis.outputToInput(I, Element);
    for (size_t K = 0; K < Operands.size(); ++K)
      printIndexing(OS, nameOfArray("output", I.shape(), Element), I.operand(K),
                    Operands[K]);
  }
}

} // namespace unravel
