//===- MapPoint.h - Points of a map as text ---------------------*- C++ -*-===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef UNRAVEL_TOOLS_INDEX_MAP_MAPPOINT_H
#define UNRAVEL_TOOLS_INDEX_MAP_MAPPOINT_H

#include "analysis/maps/IndexingMapText.h"

namespace unravel {

/// The value of a variable, as in d0=3.
struct NamedValue {
  std::string Name;
  int64_t Value;
};

/// Parses "d0=3,s0=-1".
llvm::Expected<std::vector<NamedValue>> parsePoint(llvm::StringRef Text);

/// The names of all variables, in the order of a point.
std::vector<std::string> variablesOf(const MapSyntax &Map);

/// "d0=3, s0=-1"; nothing for a point without variables.
std::string describePoint(llvm::ArrayRef<std::string> Names,
                          llvm::ArrayRef<int64_t> Point);
/// "d0 in [0, 9]".
std::string describeFact(const MapSyntax::Fact &Fact);
/// The number, or "no value".
std::string describeValue(std::optional<int64_t> Value);

} // namespace unravel

#endif // UNRAVEL_TOOLS_INDEX_MAP_MAPPOINT_H
