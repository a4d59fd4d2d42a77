//===- JsonLines.h - A JSON object a line, and an answer to each *- C++ -*-===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The batch modes of the tools: each line of the input is a JSON object, and
// gives a line with a JSON object that has the same "id" (null if there is
// none), what the tool answers, or {"id": any, "error": "..."}.
//
//===----------------------------------------------------------------------===//

#ifndef UNRAVEL_ANALYSIS_JSON_JSONLINES_H
#define UNRAVEL_ANALYSIS_JSON_JSONLINES_H

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/MemoryBufferRef.h"

namespace llvm {
class raw_ostream;
}

namespace unravel {

using JsonAnswer = llvm::function_ref<llvm::Expected<llvm::json::Object>(
    const llvm::json::Object &)>;

/// The answer to one line, without a line end; keys are sorted. Never fails: an
/// error is an answer, too. An id that is no finite number becomes null.
std::string answerJsonLine(llvm::StringRef Line, JsonAnswer Answer);

/// Answers every line that is not blank.
void answerJsonLines(llvm::MemoryBufferRef Input, llvm::raw_ostream &OS,
                     JsonAnswer Answer);

} // namespace unravel

#endif // UNRAVEL_ANALYSIS_JSON_JSONLINES_H
