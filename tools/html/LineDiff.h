//===- LineDiff.h - Which PTX lines differ ----------------------*- C++ -*-===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A line diff of two PTX functions for showing them side by side. Removing one
// instruction renumbers every register and label behind it, so lines are
// compared without those numbers: `add.s32 %r7, %r5, 4` and
// `add.s32 %r3, %r1, 4` are the same line.
//
//===----------------------------------------------------------------------===//

#ifndef UNRAVEL_TOOLS_HTML_LINEDIFF_H
#define UNRAVEL_TOOLS_HTML_LINEDIFF_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include <optional>
#include <string>
#include <vector>

namespace unravel {

/// One row of a side-by-side view: a line number (from 0) on each side. A side
/// is absent where the other one has a line more.
struct DiffRow {
  std::optional<unsigned> Left;
  std::optional<unsigned> Right;
  /// The lines match, apart from register and label numbers.
  bool Same = false;
};

/// The line without the numbers of registers and labels, without its comment
/// and with single spaces: what the diff compares.
std::string normalizePtxLine(llvm::StringRef Line);

/// Aligns two texts along a longest common subsequence of their lines. Each run
/// of removed lines is placed beside the run of added lines that follows it.
std::vector<DiffRow> diffPtxLines(llvm::ArrayRef<llvm::StringRef> Left,
                                  llvm::ArrayRef<llvm::StringRef> Right);

} // namespace unravel

#endif // UNRAVEL_TOOLS_HTML_LINEDIFF_H
