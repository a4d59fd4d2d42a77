//===- HloIndexing.h - Which elements operations read -----------*- C++ -*-===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The indexing analysis of HLO: for each operand of an instruction, or each
// instruction that a fusion is made of, the maps from an element of the output
// to the elements that it is computed from, and the other way round.
//
// What is said for an output element is the set of all elements that can take
// part in it, whatever the values are: a select reads both of its arms, and a
// dynamic-update-slice reads its operand everywhere. A map says where its
// domain is: the update of a dynamic-update-slice is read inside of the updated
// region only, padding reads no operand, and so on. An operand without any map
// is not read at all. The value of a pad counts as read everywhere; the way
// back leads to the padding only.
//
// The instructions belong to a module that has passed verifyHlo().
//
//===----------------------------------------------------------------------===//

#ifndef UNRAVEL_FRONTEND_INDEXING_HLOINDEXING_H
#define UNRAVEL_FRONTEND_INDEXING_HLOINDEXING_H

#include "frontend/hlo/HloTuples.h"
#include "frontend/indexing/HloOperandMap.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include <map>

namespace unravel {

/// The maps to one array, or to the arrays of one tuple. Simplified, no two of
/// them equal, none of them known to be empty.
struct OperandIndexing {
  std::vector<OperandMap> Maps;
  /// Why the maps are not known; empty if they are. Then there are no Maps.
  std::string WhyUnknown;

  bool isKnown() const { return WhyUnknown.empty(); }
  static OperandIndexing unknown(const llvm::Twine &Why) {
    return {{}, Why.str()};
  }
};

/// Analyses instructions and computations; what it has found of a computation
/// it keeps.
class HloIndexingAnalysis {
public:
  /// More maps to one instruction than this are unknown.
  static constexpr size_t MaxMapsOfInstruction = 128;

  explicit HloIndexingAnalysis(IndexContext &Context) : Context(Context) {}

  IndexContext &context() const { return Context; }

  /// For each operand of \p I, the elements that array number \p Element of
  /// its value (0 if it is an array) reads. Of fusions and calls, through the
  /// callee.
  std::vector<OperandIndexing> outputToInput(const HloInstruction &I,
                                             size_t Element = 0);

  /// The elements of the output, in every array of it, that an element of
  /// operand \p Operand (of array \p Element, if it is a tuple) takes part in.
  OperandIndexing inputToOutput(const HloInstruction &I, size_t Operand,
                                size_t Element = 0);
  /// The elements of the root of \p C, in every array of it, that an element of
  /// parameter \p Number (of array \p Element, if it is a tuple) takes part in.
  OperandIndexing parameterToRoot(const HloComputation &C, size_t Number,
                                  size_t Element = 0);

  /// For each instruction of \p C, by its index(), its elements that an element
  /// of the root's array number \p Element is computed from. The maps are
  /// composed along all paths, each step once for each different map.
  const std::vector<OperandIndexing> &
  outputToInstructions(const HloComputation &C, size_t Element = 0);
  /// The same for the parameters only, in their order.
  std::vector<OperandIndexing> outputToParameters(const HloComputation &C,
                                                  size_t Element = 0);
  /// The same from anywhere: \p Starts has, for each instruction, maps from
  /// some index space, of threads for example, to its elements. Where \p IsEnd
  /// holds, the elements are there already.
  std::vector<OperandIndexing>
  alongOperands(const HloComputation &C, std::vector<OperandIndexing> Starts,
                llvm::function_ref<bool(const HloInstruction &)> IsEnd);

private:
  std::vector<OperandIndexing> throughCallee(const HloInstruction &Call,
                                             size_t Element);
  OperandIndexing intoCallee(const HloInstruction &Call, size_t Operand,
                             size_t Element);

  IndexContext &Context;
  /// Its elements stay where they are.
  std::map<std::pair<const HloComputation *, size_t>,
           std::vector<OperandIndexing>>
      Computations;
};

/// Adds the simplest form of \p Map to \p To, unless it is there already or has
/// no points. Too many maps are unknown.
void addMap(OperandIndexing &To, const OperandMap &Map);

/// How maps are written: the cheapest text, or that of ReadableMap.h.
enum class MapStyle : uint8_t { Cheapest, Readable };

/// Prints a line for each map from the root of \p C to its parameters, and one
/// for each runtime variable below it:
///
///     root -> p0: (d0, d1){rt0} -> (d0 + rt0, d1), domain: ...
///       rt0 = p1[d0, 0] clamped to [0, 4]
///
/// of a tuple, `root#1 -> p0#2`.
void printIndexing(llvm::raw_ostream &OS, const HloComputation &C,
                   HloIndexingAnalysis &Analysis,
                   MapStyle Style = MapStyle::Cheapest);
/// The lines for one operand or parameter, `FROM -> NAME: MAP`.
void printIndexing(llvm::raw_ostream &OS, llvm::StringRef From,
                   const HloInstruction &To, const OperandIndexing &Indexing,
                   MapStyle Style = MapStyle::Cheapest);
/// The same with a name for the arrow, and one for the array that each map
/// leads to: `BEFORE NAME BEHIND: MAP`; that of element 0 if there are no maps.
void printMaps(llvm::raw_ostream &OS, const OperandIndexing &Indexing,
               llvm::StringRef Before,
               llvm::function_ref<std::string(size_t Element)> NameOf,
               llvm::StringRef Behind = "",
               MapStyle Style = MapStyle::Cheapest);
/// Prints the elements of the root that an element of each parameter takes part
/// in, `p0 -> root: MAP`.
void printReverseIndexing(llvm::raw_ostream &OS, const HloComputation &C,
                          HloIndexingAnalysis &Analysis,
                          MapStyle Style = MapStyle::Cheapest);
/// The same for one instruction and its operands, `output -> NAME: MAP`.
void printIndexing(llvm::raw_ostream &OS, const HloInstruction &I,
                   HloIndexingAnalysis &Analysis);

} // namespace unravel

#endif // UNRAVEL_FRONTEND_INDEXING_HLOINDEXING_H
