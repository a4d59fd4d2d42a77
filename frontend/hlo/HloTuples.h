//===- HloTuples.h - The arrays in tuples in tuples -------------*- C++ -*-===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A shape is a tree whose leaves are arrays. An array has an index, which leads
// to it from the root, `{1,0}`, and a number, which counts the leaves from left
// to right.
//
//===----------------------------------------------------------------------===//

#ifndef UNRAVEL_FRONTEND_HLO_HLOTUPLES_H
#define UNRAVEL_FRONTEND_HLO_HLOTUPLES_H

#include "frontend/hlo/HloModule.h"

namespace unravel {

/// "{1,0}"
std::string textOfIndex(llvm::ArrayRef<int64_t> Index);

/// What \p Index of tuples in tuples leads to in \p Shape; null if nothing.
const HloShape *shapeAt(const HloShape &Shape, llvm::ArrayRef<int64_t> Index);

size_t arraysIn(const HloShape &Shape);

/// Array number \p Number of \p Shape.
const HloShape &arrayAt(const HloShape &Shape, size_t Number);

/// What array number \p Number of \p Shape, the shape of \p Name, is called:
/// "p0", or "p0#2" of a tuple.
std::string nameOfArray(llvm::StringRef Name, const HloShape &Shape,
                        size_t Number);

/// How many arrays are in \p Shape in front of the one that \p Index, which is
/// one of it, leads to.
size_t arrayNumber(const HloShape &Shape, llvm::ArrayRef<int64_t> Index);

/// For each parameter of \p C, how many arrays are in those in front of it.
std::vector<size_t> arraysBeforeParameters(const HloComputation &C);

/// Calls \p F for each array, in the order of their numbers.
void forEachArray(const HloShape &Shape,
                  llvm::function_ref<void(llvm::ArrayRef<int64_t> Index,
                                          const HloShape &Array)>
                      F);

} // namespace unravel

#endif // UNRAVEL_FRONTEND_HLO_HLOTUPLES_H
