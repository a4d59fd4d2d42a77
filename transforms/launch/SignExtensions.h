//===- SignExtensions.h - Extensions that later passes look through -*- C++
//-*-===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef UNRAVEL_TRANSFORMS_LAUNCH_SIGNEXTENSIONS_H
#define UNRAVEL_TRANSFORMS_LAUNCH_SIGNEXTENSIONS_H

#include "llvm/ADT/ArrayRef.h"

namespace llvm {
class BasicBlock;
} // namespace llvm

namespace unravel {

/// Makes `zext nneg` of 32-bit indices a `sext` where only addresses use it.
/// Both are the same number and cost the same, but straight-line strength
/// reduction, which makes `p + 4*i + 4*n` of `p + 4*(i + n)`, looks through
/// `sext` alone. Returns whether anything changed.
bool useSignExtensions(llvm::ArrayRef<llvm::BasicBlock *> Blocks);

} // namespace unravel

#endif // UNRAVEL_TRANSFORMS_LAUNCH_SIGNEXTENSIONS_H
