//===- PtxPaths.h - The two bodies of a versioned kernel --------*- C++ -*-===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A kernel with a second body begins with a test that chooses between the two,
// and no thread executes both. LLVM writes the names of blocks into comments of
// PTX (`// %fast`, `// %fallback`) if its context keeps names, as that of opt
// does, and clang's with -fno-discard-value-names. ptx-simplify writes the
// second of these comments, in front of the text that it was given.
//
//===----------------------------------------------------------------------===//

#ifndef UNRAVEL_PTX_PRICE_PTXPATHS_H
#define UNRAVEL_PTX_PRICE_PTXPATHS_H

#include "ptx/price/PtxCounts.h"

namespace unravel {

struct PtxPaths {
  /// What an ordinary launch executes: the test and the fast body.
  PtxCounts Ordinary;
  /// What the kernel would be with the other body alone, without the test.
  PtxCounts General;
  /// Lines of the function's text, from 0, where the bodies begin.
  unsigned FastLine = 0, GeneralLine = 0;
};

/// Absent if \p F has one body, or if the names of its blocks are not known. \p
/// Text is the text that \p F was read from.
std::optional<PtxPaths> findPaths(const ptx::Function &F, llvm::StringRef Text);

} // namespace unravel

#endif // UNRAVEL_PTX_PRICE_PTXPATHS_H
