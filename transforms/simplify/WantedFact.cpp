//===- WantedFact.cpp - A fact that divisions are missing -----------------===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "transforms/simplify/WantedFact.h"
#include "transforms/facts/SourceNames.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;

namespace unravel {

std::string WantedFact::condition() const {
  std::string Min = std::to_string(Least), Max = std::to_string(Most);
  if (HasLeast && HasMost)
    return Min + " <= " + Text + " <= " + Max;
  if (HasMost)
    return Text + " <= " + Max;
  return Text + (Least > 0 ? " > 0" : " >= 0");
}

bool WantedFact::isWritable() const {
  return unravel::isWritable(Text) && all_of(Factors, unravel::isWritable);
}

std::string WantedFact::line() const {
  switch (Kind) {
  case About::Grid:
    return "UNRAVEL_NO_WRAP_GRID();";
  case About::Product:
    return "UNRAVEL_PRODUCT_FITS(" + join(Factors, ", ") + ");";
  case About::Launch:
  case About::Value:
    if (HasLeast && HasMost)
      return "UNRAVEL_RANGE(" + Text + ", " + std::to_string(Least) + ", " +
             std::to_string(Most) + ");";
    if (HasLeast && Least > 0)
      return "UNRAVEL_POSITIVE(" + Text + ");";
    [[fallthrough]];
  case About::Bound:
    return "UNRAVEL_ASSUME(" + condition() + ");";
  }
  llvm_unreachable("covered switch");
}

std::string WantedFact::fileLimits() const {
  if (!ArgumentNumber)
    return "";
  SmallVector<std::string, 2> Limits;
  if (HasLeast)
    Limits.push_back("\"min\": " + std::to_string(Least));
  if (HasMost)
    Limits.push_back("\"max\": " + std::to_string(Most));
  return join(Limits, ", ");
}

std::string WantedFact::flag() const {
  if (IsPromise && !HasMost)
    return "-Xarch_device -mllvm=-index-simplify-promise-positive-sizes";
  if (Kind == About::Grid)
    return "-Xarch_device -mllvm=-index-simplify-promise-index-fits";
  return "";
}

SmallVector<WantedFact, 2> WantedFact::weaker() const {
  SmallVector<WantedFact, 2> Weaker;
  if (Kind != About::Launch && Kind != About::Value)
    return Weaker;
  if (HasLeast && HasMost) {
    Weaker.push_back(*this);
    Weaker.back().HasMost = false;
    Weaker.push_back(*this);
    Weaker.back().HasLeast = Weaker.back().IsPromise = false;
  }
  // A field without a name can be stated by the option only, which says > 0.
  bool HasOtherWay = isWritable() || ArgumentNumber || flag().empty();
  if (HasLeast && Least > 0 && HasOtherWay) {
    Weaker.push_back(*this);
    Weaker.back().Least = 0;
    // The option would promise more.
    Weaker.back().IsPromise = false;
  }
  return Weaker;
}

} // namespace unravel
