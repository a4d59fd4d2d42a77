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

#include "frontend/plan/KernelMaps.h"

namespace unravel {

/// Prints a line for each parameter of \p C,
///
///     p0: different elements: 2, bounding box: 4, array: 100, reads: 2, bytes
///       with repeats: 2
///
/// where each element of the root is computed for itself.
void printUtilisation(llvm::raw_ostream &OS, const HloComputation &C,
                      HloIndexingAnalysis &Analysis);

/// Prints for each load of each kernel, for two blocks in the middle of the
/// grid,
///
///     kernel NAME: block 2 loads 136 elements of p0, 8 of them block 3 as well
void printReuse(llvm::raw_ostream &OS, const KernelPlan &Plan,
                HloIndexingAnalysis &Analysis);

} // namespace unravel

#endif // UNRAVEL_TOOLS_FUSION_EMIT_UTILISATIONTEXT_H
