//===- TwoBodies.h - Kernels that choose between two bodies -----*- C++ -*-===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef UNRAVEL_TRANSFORMS_LATE_TWOBODIES_H
#define UNRAVEL_TRANSFORMS_LATE_TWOBODIES_H

#include "llvm/ADT/StringRef.h"

namespace unravel {

/// On kernels that begin with a test which chooses between two bodies: both are
/// simplified, and the passes leave them alone from then on.
inline constexpr llvm::StringLiteral VersionedMarker = "unravel-versioned";

} // namespace unravel

#endif // UNRAVEL_TRANSFORMS_LATE_TWOBODIES_H
