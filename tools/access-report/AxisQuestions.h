//===- AxisQuestions.h - Questions about one axis ---------------*- C++ -*-===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef UNRAVEL_TOOLS_ACCESS_REPORT_AXISQUESTIONS_H
#define UNRAVEL_TOOLS_ACCESS_REPORT_AXISQUESTIONS_H

#include "llvm/Support/Error.h"
#include "llvm/Support/JSON.h"

namespace unravel {

/// How "expression" moves along the lanes t in [0, "lanes"): contiguity,
/// divisibility, constancy, as AxisFacts.h defines them. Other names are
/// integers that are not known, but for what follows behind a comma:
/// `p + 4*t, p divisible by 16`.
llvm::Expected<llvm::json::Object> answerAxis(const llvm::json::Object &Line);

/// The widest vector, in elements of "element_bytes", along each of "axes",
/// which have a contiguity and an alignment, "alignment_elements"; and the
/// first axis with the widest.
llvm::Expected<llvm::json::Object>
answerVectorAxis(const llvm::json::Object &Line);

} // namespace unravel

#endif // UNRAVEL_TOOLS_ACCESS_REPORT_AXISQUESTIONS_H
