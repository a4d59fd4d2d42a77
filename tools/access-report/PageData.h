//===- PageData.h - What the page computes with -----------------*- C++ -*-===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The programs of all kernels as JSON, which model.js evaluates:
//
//     {"kernels": [{"name": "f", "section": "kernel-1", "block": [256, 1, 1],
//       "operations": [["constant", 64, "4"], ["input", 64, 0],
//                      ["register", 32, "tid.x"], ["iteration", 32, 0],
//                      ["add", 64, 1, 0], ...],
//       "inputs": [{"key": "n", "name": "%n", "width": 32, "value": "1024"}],
//       "loops": [{"key": "step", "name": "loop", "last": 7}],
//       "accesses": [{"label": "load, global, ...", "space": "global",
//                     "bytes": 4, "address": 5, "guards": [8],
//                     "taken": ["..."]} or {"label": ..., "why": "..."}]}]}
//
// An operation names its operands by their places in the list. A pointer has
// "base": its number among these, from 1.
//
//===----------------------------------------------------------------------===//

#ifndef UNRAVEL_TOOLS_ACCESS_REPORT_PAGEDATA_H
#define UNRAVEL_TOOLS_ACCESS_REPORT_PAGEDATA_H

#include "analysis/warps/AddressProgram.h"
#include "tools/access-report/Report.h"

namespace unravel {

/// \p Programs has one for each report; those of kernels that are not
/// understood are empty. The text can stand in a script element.
std::string pageData(llvm::ArrayRef<KernelReport> Reports,
                     llvm::ArrayRef<KernelProgram> Programs);

/// The id of the section of the kernel with this number, from 0.
std::string sectionOf(size_t Kernel);

} // namespace unravel

#endif // UNRAVEL_TOOLS_ACCESS_REPORT_PAGEDATA_H
