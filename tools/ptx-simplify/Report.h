//===- Report.h - What became of the kernels of a module --------*- C++ -*-===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef UNRAVEL_TOOLS_PTXSIMPLIFY_REPORT_H
#define UNRAVEL_TOOLS_PTXSIMPLIFY_REPORT_H

#include "ptx/simplify/ModuleSimplifier.h"
#include "llvm/Support/raw_ostream.h"

namespace unravel::ptx {

/// A line for each kernel: "NAME: simplified, cost 324 -> 11".
void printSummary(const SimplifiedModule &M, llvm::raw_ostream &OS);

/// JSON: {"input", "kernels": [{"name", "outcome", "reason", "old", "new",
/// "fast"}]}; each of the last three has "cost", "loop_cost", "instructions",
/// "integer" and "divisions".
std::string reportAsJson(const SimplifiedModule &M, llvm::StringRef Input);

} // namespace unravel::ptx

#endif // UNRAVEL_TOOLS_PTXSIMPLIFY_REPORT_H
