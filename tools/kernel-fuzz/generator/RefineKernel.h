//===- RefineKernel.h - Facts for a kernel, from runs of it -----*- C++ -*-===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef UNRAVEL_TOOLS_KERNELFUZZ_REFINEKERNEL_H
#define UNRAVEL_TOOLS_KERNELFUZZ_REFINEKERNEL_H

#include "tools/kernel-fuzz/generator/KernelBuilder.h"

namespace unravel {

/// Runs \p F for a few threads. Moves the constants of guards into the ranges
/// that were seen, makes assumptions true, and sets flags, ranges and
/// alignments that held: mostly, and in some kernels also a few that did not.
void refineKernel(llvm::Function &F, TunableConditions &Conditions,
                  FuzzRandom &R);

} // namespace unravel

#endif // UNRAVEL_TOOLS_KERNELFUZZ_REFINEKERNEL_H
