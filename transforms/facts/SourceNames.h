//===- SourceNames.h - Values as the source calls them ----------*- C++ -*-===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// For remarks, which should say things that can be pasted into the source: the
// names of variables and fields by debug info (-g), those of the IR otherwise.
//
//===----------------------------------------------------------------------===//

#ifndef UNRAVEL_TRANSFORMS_FACTS_SOURCENAMES_H
#define UNRAVEL_TRANSFORMS_FACTS_SOURCENAMES_H

#include "llvm/ADT/StringRef.h"
#include "llvm/IR/Intrinsics.h"
#include <string>

namespace llvm {
class Value;
} // namespace llvm

namespace unravel {

/// How the source calls \p V: an expression, or a description such as
/// "argument 2" where no name is known. Empty if there is nothing to say.
std::string sourceName(const llvm::Value &V);

/// The same as a number that can be negative, as the code reads it: with a
/// cast, if it is unsigned in the source. There `n >= 0` says nothing.
std::string signedSourceName(const llvm::Value &V);

/// Whether a line with \p Name in it compiles where the variables are in scope:
/// no position, offset or description stands for a name.
bool isWritable(llvm::StringRef Name);

/// blockDim.x, gridDim.x and so on; empty for other intrinsics.
std::string sourceName(llvm::Intrinsic::ID Register);

} // namespace unravel

#endif // UNRAVEL_TRANSFORMS_FACTS_SOURCENAMES_H
