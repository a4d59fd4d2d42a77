//===- BatchMode.h - One question a line ------------------------*- C++ -*-===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// `access-report --jsonl`: each line of the input is a question, and gives one
// line, with its "id". The keys of a question and of its answer, by "kind":
//
//   warp_request    lane_to_byte, bytes_per_lane (1, 2, 4, 8 or 16)
//                   -> bytes, sectors, lines, ideal_sectors, efficiency
//   shared_request  the same -> wavefronts, conflicts
//   warp_lines      lane_to_element, element_bytes (1 to 16)
//                   -> lines, minimum_lines, wasted_lines
//   bank            element, element_bytes -> bank
//   widest_vector   element_bytes, threads, tile_elements -> bytes_per_lane
//   vector_plan     element_bytes, bytes_per_lane, threads
//                   -> elements_per_lane, elements_per_block, alignment,
//                      minimum_rows_of_32
//   tile            shape, tile, transaction_bytes (a power of two)
//                   -> contiguous_bytes, utilisation
//   map             map, element_bytes
//                   -> simplified, vector_width, first_warp, request,
//                      unique_elements, reads, reuse
//   axis            expression (in t, as `p + 4*t, p divisible by 16`), lanes
//                   -> contiguity, divisibility, constancy
//   vector_axis     element_bytes, axes ({contiguity, alignment_elements})
//                   -> vector_width, line_requests, best_axis
//
// or {"id": any, "error": "..."}. docs/access-report.md defines the numbers,
// LaneExpression.h the text of lanes. Efficiencies are rounded to four decimals
// and null where nothing is moved. Other keys are ignored.
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
