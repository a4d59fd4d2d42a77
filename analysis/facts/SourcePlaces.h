//===- SourcePlaces.h - Where the source computes a value -------*- C++ -*-===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef UNRAVEL_ANALYSIS_FACTS_SOURCEPLACES_H
#define UNRAVEL_ANALYSIS_FACTS_SOURCEPLACES_H

namespace llvm {
class DILocation;
class DiagnosticLocation;
class Instruction;
} // namespace llvm

namespace unravel {

/// Where a reader would look for \p I: in the file of its kernel, also if a
/// header's function was inlined. Null without debug info, or at line 0.
const llvm::DILocation *sourcePlace(const llvm::Instruction &I);

/// The same or, if \p I has no line, of what is nearest to it: its users, its
/// operands, its neighbours. Merged code has line 0, which clang reports as an
/// unknown location, at the name of the kernel. Null if the kernel has no line.
const llvm::DILocation *nearestPlace(const llvm::Instruction &I);

/// That for a remark; the kernel's line if nothing in it has a line.
llvm::DiagnosticLocation remarkPlace(const llvm::Instruction &I);

} // namespace unravel

#endif // UNRAVEL_ANALYSIS_FACTS_SOURCEPLACES_H
