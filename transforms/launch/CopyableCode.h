//===- CopyableCode.h - What a kernel may contain twice ---------*- C++ -*-===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef UNRAVEL_TRANSFORMS_LAUNCH_COPYABLECODE_H
#define UNRAVEL_TRANSFORMS_LAUNCH_COPYABLECODE_H

#include "llvm/ADT/StringRef.h"

namespace llvm {
class Instruction;
} // namespace llvm

namespace unravel {

/// Whether \p I may exist twice in its function, and in another block than its
/// own. Not what LLVM allows once or in the entry block only, nor assembly that
/// defines names.
bool isCopyable(const llvm::Instruction &I);

/// Whether PTX assembly, as LLVM writes it, has a label or a declaration that
/// is not local to braces and has no unique number (`${:uid}`) in its name:
/// ptxas refuses the second one of a name. True where that is not clear.
bool definesNames(llvm::StringRef Assembly);

} // namespace unravel

#endif // UNRAVEL_TRANSFORMS_LAUNCH_COPYABLECODE_H
