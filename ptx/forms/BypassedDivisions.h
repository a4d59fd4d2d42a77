//===- BypassedDivisions.h - Short cuts for divisions -----------*- C++ -*-===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What RaiseBypasses.h takes away, put back behind what simplifies divisions of
// 64 bits and in front of what gives those of 32 bits their reciprocals.
// (LLVM's backend would put it back, but divisions are text to it,
// PlainDivisions.h.)
//
//===----------------------------------------------------------------------===//

#ifndef UNRAVEL_PTX_FORMS_BYPASSEDDIVISIONS_H
#define UNRAVEL_PTX_FORMS_BYPASSEDDIVISIONS_H

#include "llvm/IR/PassManager.h"

namespace unravel::ptx {

/// Divides words of 64 bits that have no upper halves by a division of 32 bits.
class BypassedDivisionsPass
    : public llvm::PassInfoMixin<BypassedDivisionsPass> {
public:
  llvm::PreservedAnalyses run(llvm::Function &F,
                              llvm::FunctionAnalysisManager &AM);
};

} // namespace unravel::ptx

#endif // UNRAVEL_PTX_FORMS_BYPASSEDDIVISIONS_H
