//===- ClonedBody.h - The blocks of a function, once more -------*- C++ -*-===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef UNRAVEL_TRANSFORMS_LATE_CLONEDBODY_H
#define UNRAVEL_TRANSFORMS_LATE_CLONEDBODY_H

#include "llvm/ADT/SmallVector.h"
#include "llvm/Transforms/Utils/ValueMapper.h"

namespace llvm {
class BasicBlock;
class Function;
} // namespace llvm

namespace unravel {

/// Copies the blocks of \p F into \p Into, which has the same arguments and no
/// blocks. \p Copies maps arguments, blocks and instructions of \p F to those
/// of \p Into; the copies have the operands of \p F until the caller has
/// remapped them (remapInstructionsInBlocks).
llvm::SmallVector<llvm::BasicBlock *, 16>
cloneBody(llvm::Function &F, llvm::Function &Into,
          llvm::ValueToValueMapTy &Copies);

} // namespace unravel

#endif // UNRAVEL_TRANSFORMS_LATE_CLONEDBODY_H
