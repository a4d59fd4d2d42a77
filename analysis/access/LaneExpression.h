//===- LaneExpression.h - The addresses of a warp as text -------*- C++ -*-===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The byte that each lane accesses, as an expression in the lane `t`:
//
//     lanes ::= or [ 'for' which ] [ remark ]
//     which ::= 'even' 't' | 'odd' 't' | or
//
// where `or` is an expression of IndexSyntax.h, `^` and `|` included. Lanes for
// which `which` is false are inactive, and their address needs no value. A
// remark is text in parentheses, behind a space, that could not be part of the
// expression: `12*t (float3, x)`.
//
//===----------------------------------------------------------------------===//

#ifndef UNRAVEL_ANALYSIS_ACCESS_LANEEXPRESSION_H
#define UNRAVEL_ANALYSIS_ACCESS_LANEEXPRESSION_H

#include "analysis/access/RequestCost.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

namespace unravel {

/// The addresses that \p Text gives to the lanes 0 to 31. An error, which names
/// \p Text by \p Name, if the text does not parse, has another name than `t`,
/// or has no value in an active lane: a division by zero, or a number that
/// leaves 64 bits on the way.
llvm::Expected<LaneAddresses> parseLaneAddresses(llvm::StringRef Text,
                                                 llvm::StringRef Name);

} // namespace unravel

#endif // UNRAVEL_ANALYSIS_ACCESS_LANEEXPRESSION_H
