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

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/MemoryBufferRef.h"

namespace llvm {
class raw_ostream;
}

namespace unravel {

/// The answer to the object of one line, without its id.
llvm::Expected<llvm::json::Object>
answerExpression(const llvm::json::Object &Line);

/// What answers lines: answerExpression, or answerTile (TileBatch.h).
using LineAnswer = llvm::function_ref<llvm::Expected<llvm::json::Object>(
    const llvm::json::Object &)>;

/// The answer to one line, with its id and without a line end. Never fails: an
/// error is an answer, too.
std::string answerLine(llvm::StringRef Line,
                       LineAnswer AnswerOf = answerExpression);

/// Answers every line that is not blank.
void runBatch(llvm::MemoryBufferRef Input, LineAnswer AnswerOf,
              llvm::raw_ostream &OS);

} // namespace unravel

#endif // UNRAVEL_TOOLS_INDEX_MAP_BATCHMODE_H
