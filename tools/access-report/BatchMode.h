//===- BatchMode.h - One request a line -------------------------*- C++ -*-===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// `access-report --jsonl`: each line of the input is
//
//     {"id": any, "kind": "warp_request" or "shared_request",
//      "lane_to_byte": "4*t", "bytes_per_lane": 1, 2, 4, 8 or 16}
//
// and gives one line, for global and for shared memory,
//
//     {"id": any, "bytes": n, "sectors": n, "lines": n, "ideal_sectors": n,
//      "efficiency": x}
//     {"id": any, "wavefronts": n, "conflicts": n}
//
// or {"id": any, "error": "..."}. RequestCost.h defines the numbers and
// LaneExpression.h the text. The efficiency is rounded to four decimals; it is
// null if no lane is active. Other keys are ignored.
//
//===----------------------------------------------------------------------===//

#ifndef UNRAVEL_TOOLS_ACCESS_REPORT_BATCHMODE_H
#define UNRAVEL_TOOLS_ACCESS_REPORT_BATCHMODE_H

#include "llvm/Support/MemoryBufferRef.h"

namespace llvm {
class raw_ostream;
}

namespace unravel {

/// Answers every line that is not blank; an error is an answer, too.
void answerRequests(llvm::MemoryBufferRef Input, llvm::raw_ostream &OS);

} // namespace unravel

#endif // UNRAVEL_TOOLS_ACCESS_REPORT_BATCHMODE_H
