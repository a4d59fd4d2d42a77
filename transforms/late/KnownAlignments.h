//===- KnownAlignments.h - Of accesses, for vectors -------------*- C++ -*-===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef UNRAVEL_TRANSFORMS_LATE_KNOWNALIGNMENTS_H
#define UNRAVEL_TRANSFORMS_LATE_KNOWNALIGNMENTS_H

#include "llvm/IR/PassManager.h"

namespace unravel {

/// Loads and stores get the alignment that their addresses have, which the
/// vectorizer of the code generator goes by. LLVM looks six operations deep for
/// it, and one behind a phi; this looks at each operation of the function once.
class KnownAlignmentsPass : public llvm::PassInfoMixin<KnownAlignmentsPass> {
public:
  llvm::PreservedAnalyses run(llvm::Function &F,
                              llvm::FunctionAnalysisManager &AM);
};

} // namespace unravel

#endif // UNRAVEL_TRANSFORMS_LATE_KNOWNALIGNMENTS_H
