//===- UniformValues.h - What all threads of a launch agree on --*- C++ -*-===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Values of a kernel that are the same in every thread, and that can be had in
// front of everything else in it: the arguments, the sizes of the launch,
// memory that no kernel writes, and arithmetic on these.
//
//===----------------------------------------------------------------------===//

#ifndef UNRAVEL_ANALYSIS_FACTS_UNIFORMVALUES_H
#define UNRAVEL_ANALYSIS_FACTS_UNIFORMVALUES_H

#include "llvm/IR/Instructions.h"
#include <optional>

namespace unravel {

/// A load that can be executed at kernel entry and yields the same there: of
/// the kernel's own copy of a struct, or of constant memory.
struct UniformLoad {
  llvm::Value *Base;
  uint64_t Offset;
  llvm::Align Alignment;
};
std::optional<UniformLoad> uniformLoad(const llvm::LoadInst &Load);

/// Whether both are uniform loads of the same type from the same place.
bool isSameLoad(const llvm::Value *A, const llvm::Value *B);

/// Whether \p V reads blockDim or gridDim.
bool isSizeRegister(const llvm::Value *V);

/// Whether the integer \p V of a kernel is uniform, and not much to compute. No
/// division is: it might be the one that its guard protects. Without its flags
/// it is a number whatever the arguments are.
bool isUniform(const llvm::Value *V);

/// Whether \p V is a number whenever the symbols are: its operations have no
/// flags, also around loops. (LLVM's own query gives up on loops.)
bool isNeverPoison(const llvm::Value *V);

} // namespace unravel

#endif // UNRAVEL_ANALYSIS_FACTS_UNIFORMVALUES_H
