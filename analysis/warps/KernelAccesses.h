//===- KernelAccesses.h - The memory accesses of a kernel -------*- C++ -*-===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Lists what a function does to memory: loads, stores, atomics, asynchronous
// copies (two accesses each), inline assembly with one bracketed address, and
// everything else that may touch memory with the reason why its addresses are
// not known. Accesses to a thread's own stack and to parameters are listed,
// too.
//
//===----------------------------------------------------------------------===//

#ifndef UNRAVEL_ANALYSIS_WARPS_KERNELACCESSES_H
#define UNRAVEL_ANALYSIS_WARPS_KERNELACCESSES_H

#include "analysis/facts/SourcePlaces.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/Function.h"
#include <string>
#include <vector>

namespace unravel {

enum class AccessKind { Load, Store, Atomic, Copy, Other };
enum class AccessSpace { Global, Shared, Constant, Local, Parameter, Generic };

llvm::StringRef nameOf(AccessKind Kind);
llvm::StringRef nameOf(AccessSpace Space);

struct MemoryAccess {
  const llvm::Instruction *Instruction = nullptr;
  AccessKind Kind = AccessKind::Other;
  AccessSpace Space = AccessSpace::Generic;
  const llvm::Value *Pointer = nullptr; ///< null if it is not known
  uint64_t Offset = 0;                  ///< bytes to add to the pointer
  uint64_t Bytes = 0;                   ///< a lane; 0 if not known
  uint64_t Alignment = 1;               ///< that the instruction promises
  /// The predicate of the instruction, and what it has to be; null if there is
  /// none.
  const llvm::Value *Guard = nullptr;
  bool GuardHolds = true;
  /// Why the access cannot be judged; empty if it can.
  std::string NotUnderstood;

  /// Why it is more than one request of a warp, or none; empty if it is one.
  std::string whyNoRequest() const;
};

/// In the order of the IR.
std::vector<MemoryAccess> accessesOf(const llvm::Function &F);

/// The object that a pointer of a kernel points into: also through integers,
/// which PTX computes addresses with. The pointer itself if that is not known.
const llvm::Value *objectOf(const llvm::Value *Pointer);

} // namespace unravel

#endif // UNRAVEL_ANALYSIS_WARPS_KERNELACCESSES_H
