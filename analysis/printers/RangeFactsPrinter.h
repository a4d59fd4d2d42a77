//===- RangeFactsPrinter.h - The facts of every block as text ---*- C++ -*-===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef UNRAVEL_ANALYSIS_PRINTERS_RANGEFACTSPRINTER_H
#define UNRAVEL_ANALYSIS_PRINTERS_RANGEFACTSPRINTER_H

#include "analysis/recovery/IndexRecovery.h"

namespace unravel {

/// `opt -passes='print<range-facts>'`: the facts of every block.
class RangeFactsPrinterPass
    : public llvm::PassInfoMixin<RangeFactsPrinterPass> {
public:
  explicit RangeFactsPrinterPass(llvm::raw_ostream &OS,
                                 const RecoveryLimits &Limits = {})
      : OS(OS), Limits(Limits) {}
  llvm::PreservedAnalyses run(llvm::Function &F,
                              llvm::FunctionAnalysisManager &AM);
  static bool isRequired() { return true; }

private:
  llvm::raw_ostream &OS;
  RecoveryLimits Limits;
};

} // namespace unravel

#endif // UNRAVEL_ANALYSIS_PRINTERS_RANGEFACTSPRINTER_H
