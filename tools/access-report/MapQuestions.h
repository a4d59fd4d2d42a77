//===- MapQuestions.h - Questions about tiles and maps ----------*- C++ -*-===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The kinds "tile" and "map" of BatchMode.h.
//
//===----------------------------------------------------------------------===//

#ifndef UNRAVEL_TOOLS_ACCESS_REPORT_MAPQUESTIONS_H
#define UNRAVEL_TOOLS_ACCESS_REPORT_MAPQUESTIONS_H

#include "llvm/Support/Error.h"
#include "llvm/Support/JSON.h"

namespace unravel {

/// \p X in [0, 1] with four decimals, half to even as exact binary values go.
double roundedShare(double X);

llvm::Expected<llvm::json::Object> answerTile(const llvm::json::Object &Line);
llvm::Expected<llvm::json::Object> answerMap(const llvm::json::Object &Line);

} // namespace unravel

#endif // UNRAVEL_TOOLS_ACCESS_REPORT_MAPQUESTIONS_H
