//===- Estimates.h - What bounds the compared kernels -----------*- C++ -*-===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef UNRAVEL_TOOLS_PTXCOMPARE_ESTIMATES_H
#define UNRAVEL_TOOLS_PTXCOMPARE_ESTIMATES_H

#include "tools/ptx-compare/Comparison.h"
#include "transforms/facts/FactsFile.h"

namespace unravel {

/// Estimates both versions of every kernel from the PTX that \p Pairs were made
/// of. What \p Facts, if given, says of launches and arguments holds for both;
/// a fact that the PTX has no place for, such as one about an argument by its
/// name in the source, or that contradicts what it says, is left out, and said
/// to be.
void addEstimates(std::vector<KernelPair> &Pairs, llvm::StringRef Before,
                  llvm::StringRef After, const FactsFile *Facts);

/// Lines of text, each of which says that it is an estimate; none if there is
/// no estimate of \p Pair.
std::vector<std::string> estimateLines(const KernelPair &Pair);

/// Whether any kernel has an estimate.
bool haveEstimates(llvm::ArrayRef<FileComparison> Files);

} // namespace unravel

#endif // UNRAVEL_TOOLS_PTXCOMPARE_ESTIMATES_H
