//===- MapModes.h - What index-map does with maps ---------------*- C++ -*-===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef UNRAVEL_TOOLS_INDEX_MAP_MAPMODES_H
#define UNRAVEL_TOOLS_INDEX_MAP_MAPMODES_H

#include "tools/index-map/MapPoint.h"
#include "llvm/Support/MemoryBufferRef.h"

namespace llvm {
class raw_ostream;
}

namespace unravel {

enum class MapMode { Simplify, Compose, Eval, Inverse, Equal, Check };

struct MapOptions {
  MapMode Mode = MapMode::Simplify;
  /// Whether to simplify what is printed.
  bool Simplify = true;
  /// Maps are printed by ReadableMap.h.
  bool Readable = false;
  /// Of Eval.
  std::vector<NamedValue> Point;
  /// Of Check.
  uint64_t MaxPoints = 0;
};

/// The worst answer of all maps or pairs of maps, from best to worst.
enum class MapOutcome {
  Done,     ///< no error, and every pair is equal
  Unknown,  ///< of some pair it is not known
  NotEqual, ///< some pair is not equal
  Failed    ///< an error in a map
};

/// Prints one line for each map of the input, or each pair of maps, to \p Out.
/// Errors and notes go to \p Err and do not stop the others.
MapOutcome runMaps(llvm::MemoryBufferRef Input, const MapOptions &Options,
                   llvm::raw_ostream &Out, llvm::raw_ostream &Err);

} // namespace unravel

#endif // UNRAVEL_TOOLS_INDEX_MAP_MAPMODES_H
