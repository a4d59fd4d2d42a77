//===- RaiseDivisions.h - Expanded divisions become divisions ---*- C++ -*-===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// nvcc and LLVM print divisions by constants as multiplications and shifts.
// This turns them back into udiv and sdiv. What is not recognised stays: the
// high half of a product is an intrinsic, so that it is printed as it was.
//
//===----------------------------------------------------------------------===//

#ifndef UNRAVEL_PTX_RAISE_RAISEDIVISIONS_H
#define UNRAVEL_PTX_RAISE_RAISEDIVISIONS_H

#include "llvm/IR/PassManager.h"

namespace unravel::ptx {

/// Returns whether anything changed.
bool raiseDivisions(llvm::Function &F, llvm::FunctionAnalysisManager &FAM);

} // namespace unravel::ptx

#endif // UNRAVEL_PTX_RAISE_RAISEDIVISIONS_H
