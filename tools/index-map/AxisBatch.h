//===- AxisBatch.h - Runs along a variable, one JSON object a line -*- C++
//-*-===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// `index-map --jsonl --axis`: each line of the input is
//
//     {"id": any, "map": "(d0, d1) -> (d0 * 64 + d1)", "axis": "d1"}
//
// and gives, with a number for each result,
//
//     {"id": any, "contiguity": [n], "divisibility": [n], "constancy": [n]}
//
// or {"id": any, "error": "..."}. AxisFacts.h defines the numbers.
//
//===----------------------------------------------------------------------===//

#ifndef UNRAVEL_TOOLS_INDEX_MAP_AXISBATCH_H
#define UNRAVEL_TOOLS_INDEX_MAP_AXISBATCH_H

#include "llvm/Support/Error.h"
#include "llvm/Support/JSON.h"

namespace unravel {

llvm::Expected<llvm::json::Object> answerAxis(const llvm::json::Object &Line);

} // namespace unravel

#endif // UNRAVEL_TOOLS_INDEX_MAP_AXISBATCH_H
