//===- ExecuteOperation.h - The result of one operation ---------*- C++ -*-===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Pure functions of the operands: no memory, no control flow. What flags make
// of a violation is up to the caller.
//
//===----------------------------------------------------------------------===//

#ifndef UNRAVEL_TOOLS_KERNELFUZZ_EXECUTEOPERATION_H
#define UNRAVEL_TOOLS_KERNELFUZZ_EXECUTEOPERATION_H

#include "tools/kernel-fuzz/interpreter/DecodedProgram.h"

namespace unravel {

struct Outcome {
  Scalar Value;
  unsigned Violations = 0;
  const char *UndefinedBehavior = nullptr;
  bool IsUnsupported = false;
};

Outcome executeBinary(const Operation &Op, Scalar A, Scalar B);
Outcome executeCompare(const Operation &Op, Scalar A, Scalar B);
Outcome executeCast(const Operation &Op, Scalar A);
/// Integer intrinsics that only compute.
Outcome executeIntrinsic(const Operation &Op, llvm::ArrayRef<Scalar> Operands);
/// Arithmetic, comparisons and casts from or to floating point.
Outcome executeFloat(const Operation &Op, llvm::ArrayRef<Scalar> Operands);
/// The address that a getelementptr computes from \p Base.
Outcome executeAddress(const Operation &Op, Scalar Base,
                       llvm::ArrayRef<Scalar> Slots,
                       llvm::ArrayRef<struct MemoryObject> Objects);

/// What moves or combines the lanes of vectors (DecodeVector.cpp says which
/// operands these have).
Outcome executeExtract(const Operation &Op, llvm::ArrayRef<Scalar> Operands);
Outcome executeInsert(const Operation &Op, llvm::ArrayRef<Scalar> Operands);
Outcome executeRegroup(const Operation &Op, llvm::ArrayRef<Scalar> Operands);
Outcome executeReduction(const Operation &Op, llvm::ArrayRef<Scalar> Lanes);
/// Whether it combines the lanes of a vector of integers.
bool isReduction(llvm::Intrinsic::ID ID);

} // namespace unravel

#endif // UNRAVEL_TOOLS_KERNELFUZZ_EXECUTEOPERATION_H
