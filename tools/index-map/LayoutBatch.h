//===- LayoutBatch.h - Layouts, one JSON object a line ----------*- C++ -*-===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// `index-map --jsonl --layout`: each line of the input is
//
//     {"id": any, "layout": "(4,8):(1,32)", "op": OP, ...}
//
// where a map, "map": "(d0) -> ...", may stand in the place of the layout. OP
// is
//
//     "coalesce"                        (also without "op")
//     "complement"  "cosize": n
//     "compose", "divide", "product"    "by": a layout
//
// The answer is {"id": any, "layout": "...", "map": "..."}, or for "divide" and
// "product" {"id": any, "inner": "...", "outer": "..."}, or {"id": any,
// "error": "..."}. Layout.h defines the operations.
//
//===----------------------------------------------------------------------===//

#ifndef UNRAVEL_TOOLS_INDEX_MAP_LAYOUTBATCH_H
#define UNRAVEL_TOOLS_INDEX_MAP_LAYOUTBATCH_H

#include "llvm/Support/Error.h"
#include "llvm/Support/JSON.h"

namespace unravel {

llvm::Expected<llvm::json::Object> answerLayout(const llvm::json::Object &Line);

} // namespace unravel

#endif // UNRAVEL_TOOLS_INDEX_MAP_LAYOUTBATCH_H
