//===- ExpandAssembly.h - PTX text in IR becomes IR -------------*- C++ -*-===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Triton and XLA write accesses with a predicate as inline assembly, and lifted
// PTX has all its floating point so. What is executed here is NVVM IR: accesses
// become loads and stores behind branches, shuffles become intrinsics, and what
// is left of a text with several instructions becomes a piece of assembly for
// each, so that what is refused later has a name.
//
//===----------------------------------------------------------------------===//

#ifndef UNRAVEL_TOOLS_KERNEL_RUN_ASSEMBLY_EXPANDASSEMBLY_H
#define UNRAVEL_TOOLS_KERNEL_RUN_ASSEMBLY_EXPANDASSEMBLY_H

#include "llvm/IR/Module.h"

namespace unravel {

/// Whether \p M has inline assembly.
bool hasAssembly(const llvm::Module &M);

/// Text that is no list of PTX instructions, or has labels, stays as it is.
void expandAssembly(llvm::Module &M);

} // namespace unravel

#endif // UNRAVEL_TOOLS_KERNEL_RUN_ASSEMBLY_EXPANDASSEMBLY_H
