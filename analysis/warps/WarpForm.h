//===- WarpForm.h - A number in each lane of a warp -------------*- C++ -*-===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The value of an index in the 32 lanes of one warp: in lane l
//
//     k[l] + sum c[l] * s
//
// over symbols s, integers that are not known but the same in all lanes of the
// warp: arguments, block indices, iterations of a loop. Differences between
// lanes are numbers wherever the coefficients agree. Arithmetic is that of the
// integers and checked: nullopt where a number leaves 64 bits.
//
//===----------------------------------------------------------------------===//

#ifndef UNRAVEL_ANALYSIS_WARPS_WARPFORM_H
#define UNRAVEL_ANALYSIS_WARPS_WARPFORM_H

#include "analysis/access/RequestCost.h"
#include "llvm/ADT/SmallVector.h"

namespace unravel {

/// A number for each lane.
using LaneNumbers = std::array<int64_t, LanesPerWarp>;

struct WarpTerm {
  unsigned Symbol;
  LaneNumbers Coefficients; ///< not all zero
  bool isUniform() const;
};

struct WarpForm {
  LaneNumbers Constants = {};
  llvm::SmallVector<WarpTerm, 2> Terms; ///< sorted by symbol

  static WarpForm constant(int64_t Value);
  static WarpForm symbol(unsigned Symbol, int64_t Coefficient = 1);

  /// No symbols.
  bool isConcrete() const { return Terms.empty(); }
  /// The same number in all lanes.
  bool isUniform() const;
  /// The symbols have the same coefficients in all lanes.
  bool hasUniformTerms() const;
  /// The number that all lanes have, if there are no symbols.
  std::optional<int64_t> asConstant() const;
  bool operator==(const WarpForm &Other) const;
};

/// A + Times * B.
std::optional<WarpForm> add(const WarpForm &A, const WarpForm &B,
                            int64_t Times = 1);
/// A * B for a B without symbols.
std::optional<WarpForm> scale(const WarpForm &A, const LaneNumbers &B);
std::optional<WarpForm> scale(const WarpForm &A, int64_t Factor);

/// The greatest common divisor of all coefficients; 0 without symbols.
int64_t gcdOfCoefficients(const WarpForm &A);

} // namespace unravel

#endif // UNRAVEL_ANALYSIS_WARPS_WARPFORM_H
