//===- HiddenQuotients.h - Quotients that loop passes leave alone -*- C++ -*-=//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef UNRAVEL_TRANSFORMS_LATE_HIDDENQUOTIENTS_H
#define UNRAVEL_TRANSFORMS_LATE_HIDDENQUOTIENTS_H

#include "transforms/late/LatePrices.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace unravel {

/// What hideQuotients() has made.
struct HiddenQuotients {
  LatePrice Price; ///< of the function, or of the body, with them
  llvm::SmallVector<llvm::Instruction *, 16> Values; ///< for reveal()
};

/// Hides the unsigned quotients and remainders of \p F from scalar evolution,
/// if it has loops that are cheaper for it, behind the passes of the back end.
/// Scalar evolution knows what unsigned division is, but nothing of signed one:
/// where simplification makes one of the other, loop strength reduction finds
/// addresses that begin at a quotient or contain one, and leaves them alone.
///
/// Of a function with two bodies, \p Blocks are the one to look at, beginning
/// with its first block. \p Visible is the price of \p F, or of that body, as
/// it is. Returns nothing if nothing changed, as where the backend leaves loops
/// alone.
std::optional<HiddenQuotients>
hideQuotients(llvm::Function &F, llvm::FunctionAnalysisManager &AM,
              llvm::ArrayRef<llvm::BasicBlock *> Blocks,
              llvm::function_ref<LatePrice()> Visible);

/// The same for all blocks. Does nothing on modules that are not NVPTX.
class HiddenQuotientsPass : public llvm::PassInfoMixin<HiddenQuotientsPass> {
public:
  llvm::PreservedAnalyses run(llvm::Function &F,
                              llvm::FunctionAnalysisManager &AM);
};

} // namespace unravel

#endif // UNRAVEL_TRANSFORMS_LATE_HIDDENQUOTIENTS_H
