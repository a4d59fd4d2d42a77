//===- RaiseAddresses.h - Sums of numbers become addresses ------*- C++ -*-===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// PTX computes addresses as numbers: inttoptr(ptrtoint(p) + x). This makes them
// getelementptr p, x, through additions, phis and selections, so that what an
// access belongs to is seen. Where nothing says which of the numbers is the
// address, it is the one that is an argument.
//
//===----------------------------------------------------------------------===//

#ifndef UNRAVEL_PTX_RAISE_RAISEADDRESSES_H
#define UNRAVEL_PTX_RAISE_RAISEADDRESSES_H

#include "llvm/IR/Function.h"

namespace unravel::ptx {

/// Returns whether anything changed.
bool raiseAddresses(llvm::Function &F);

} // namespace unravel::ptx

#endif // UNRAVEL_PTX_RAISE_RAISEADDRESSES_H
