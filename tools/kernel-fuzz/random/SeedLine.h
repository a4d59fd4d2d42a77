//===- SeedLine.h - The name of a generated kernel --------------*- C++ -*-===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   kernel-fuzz v1 profile=reshape seed=123
//
// names one kernel for ever: what changes the kernels of a version changes the
// version.
//
//===----------------------------------------------------------------------===//

#ifndef UNRAVEL_TOOLS_KERNEL_FUZZ_RANDOM_SEEDLINE_H
#define UNRAVEL_TOOLS_KERNEL_FUZZ_RANDOM_SEEDLINE_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <string>

namespace unravel {

/// What a kernel is mostly made of.
enum class Profile {
  Reshape,   ///< indices taken apart and put together again
  Guards,    ///< branches, switches, joins, assumptions
  Loops,     ///< induction variables and what is built from them
  Addresses, ///< chains of getelementptr over types of several sizes
  Narrow,    ///< i8, i16, i24, i48 and casts between them
  Wide,      ///< 64-bit indices
  Runtime,   ///< sizes and divisors that are arguments
  Mixed,     ///< everything above
  Vectors,   ///< vectors of indices, as LLVM's SLP vectorizer makes them
  Floors     ///< floors of dividends of either sign; grids made of clusters
};

llvm::ArrayRef<llvm::StringRef> profileNames();

struct SeedLine {
  Profile Kind = Profile::Reshape;
  uint64_t Seed = 0;

  std::string str() const;
  static llvm::Expected<SeedLine> parse(llvm::StringRef Text);
  /// The kernel number \p N of a run over the profiles in turn, up to Mixed:
  /// the others are younger than the numbers.
  static SeedLine number(uint64_t N);
};

} // namespace unravel

#endif // UNRAVEL_TOOLS_KERNEL_FUZZ_RANDOM_SEEDLINE_H
