//===- BatchMode.h - One JSON object a line ---------------------*- C++ -*-===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// `index-map --jsonl`: each line of the input is
//
//     {"id": any, "vars": {"x": [0, 9], ...}, "unbounded": ["n", ...],
//      "cond": "x < n" or null, "input": "floordiv(x, 4)"}
//
// and gives one line
//
//     {"id": any, "result": "...", "range": [lo, hi], "divs": n, "ops": n}
//
// with null for an infinite end of the range, or {"id": any, "error": "..."}.
// A variable in "unbounded" has no upper bound, and no lower bound either
// unless its box starts at 0 or above; it needs no box.
//
//===----------------------------------------------------------------------===//

#ifndef UNRAVEL_TOOLS_INDEX_MAP_BATCHMODE_H
#define UNRAVEL_TOOLS_INDEX_MAP_BATCHMODE_H

#include "llvm/Support/Error.h"
#include "llvm/Support/JSON.h"

namespace unravel {

/// The answer to the object of one line, without its id.
llvm::Expected<llvm::json::Object>
answerExpression(const llvm::json::Object &Line);

} // namespace unravel

#endif // UNRAVEL_TOOLS_INDEX_MAP_BATCHMODE_H
