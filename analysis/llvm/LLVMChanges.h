//===- LLVMChanges.h - What the next LLVM says otherwise --------*- C++ -*-===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Functions of LLVM 22 that LLVM 23 has under another name or with other
// parameters. With them the sources compile against the headers of both; the
// project supports 22 (CONTRIBUTING.md, "Move to another LLVM"). What can be
// written so that it means the same in both is written so in its place.
//
//===----------------------------------------------------------------------===//

#ifndef UNRAVEL_ANALYSIS_LLVM_LLVMCHANGES_H
#define UNRAVEL_ANALYSIS_LLVM_LLVMCHANGES_H

#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/IR/ConstantRange.h"
#include "llvm/IR/Intrinsics.h"

namespace llvm {
class AssumptionCache;
class BranchInst;
class Constant;
class DataLayout;
class DomConditionCache;
class DominatorTree;
class FunctionType;
class Instruction;
class Type;
class Value;
struct SubtargetFeatureKV;
} // namespace llvm

namespace unravel {

/// llvm::computeConstantRange: a range of \p V, the better one for a reader of
/// signed or of unsigned numbers.
llvm::ConstantRange constantRangeOf(const llvm::Value *V, bool ForSigned,
                                    const llvm::DataLayout &Layout,
                                    llvm::AssumptionCache *AC = nullptr,
                                    const llvm::Instruction *At = nullptr,
                                    const llvm::DominatorTree *DT = nullptr);

/// The value of an intrinsic of two numbers of one type, or null.
llvm::Constant *foldBinaryIntrinsic(llvm::Intrinsic::ID ID, llvm::Constant *A,
                                    llvm::Constant *B);

/// Adds the condition of a conditional branch to \p Conditions.
void registerCondition(llvm::DomConditionCache &Conditions,
                       llvm::BranchInst &Branch);

/// The name of a feature of a target, such as "ptx78".
llvm::StringRef nameOf(const llvm::SubtargetFeatureKV &Feature);

/// The types that an intrinsic is overloaded for, if \p Type is a type of it.
bool getOverloads(llvm::Intrinsic::ID ID, llvm::FunctionType *Type,
                  llvm::SmallVectorImpl<llvm::Type *> &Overloads);

} // namespace unravel

#endif // UNRAVEL_ANALYSIS_LLVM_LLVMCHANGES_H
