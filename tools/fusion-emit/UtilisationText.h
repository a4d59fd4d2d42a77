//===- UtilisationText.h - How much of arrays is read -----------*- C++ -*-===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// `fusion-emit --emit=utilisation`.
//
//===----------------------------------------------------------------------===//

#ifndef UNRAVEL_TOOLS_FUSION_EMIT_UTILISATIONTEXT_H
#define UNRAVEL_TOOLS_FUSION_EMIT_UTILISATIONTEXT_H

#include "frontend/indexing/HloUtilisation.h"
#include "frontend/plan/KernelMaps.h"
#include "llvm/Support/JSON.h"
#include <array>

namespace unravel {

/// What is read of an array of a parameter.
struct ArrayUse {
  std::string Name, WhyUnknown;
  int64_t Elements; ///< of the array
  unsigned ElementBytes;
  OperandUse Use;
};

/// For each array of the parameters of \p C, where each element of the root is
/// computed for itself.
std::vector<ArrayUse> arrayUsesOf(const HloComputation &C,
                                  HloIndexingAnalysis &Analysis);

///     p0: different elements: 2, bounding box: 4, array: 100, reads: 2, bytes
///       with repeats: 2
void print(llvm::raw_ostream &OS, const ArrayUse &Use);
llvm::json::Object toJson(const ArrayUse &Use);

/// What a block in the middle of the grid loads of an array, and what the next
/// blocks along x, y and z load as well.
struct BlockReuse {
  std::string Kernel, Array;
  std::array<int64_t, 3> Block;
  /// Nullopt if it is not known.
  std::optional<uint64_t> Elements;
  /// Nullopt where there is no next block.
  std::array<std::optional<uint64_t>, 3> Shared;
};

/// For each load of each kernel.
std::vector<BlockReuse> blockReuseOf(const KernelPlan &Plan,
                                     HloIndexingAnalysis &Analysis);

///     kernel NAME: block 2 loads 136 elements of p0, 8 of them block 3 as well
/// and in a grid of several dimensions
///     kernel NAME: block (2, 0, 0) loads 136 elements of p0, 8 of them block
///       (3, 0, 0) as well, 0 block (2, 1, 0)
void print(llvm::raw_ostream &OS, const BlockReuse &Reuse);
llvm::json::Object toJson(const BlockReuse &Reuse);

} // namespace unravel

#endif // UNRAVEL_TOOLS_FUSION_EMIT_UTILISATIONTEXT_H
