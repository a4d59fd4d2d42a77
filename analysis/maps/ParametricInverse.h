//===- ParametricInverse.h - Inverses for each runtime value ----*- C++ -*-===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What inverses and the proofs of injectivity are made of.
//
//===----------------------------------------------------------------------===//

#ifndef UNRAVEL_ANALYSIS_MAPS_PARAMETRICINVERSE_H
#define UNRAVEL_ANALYSIS_MAPS_PARAMETRICINVERSE_H

#include "analysis/maps/IndexingMap.h"

namespace unravel {

/// Like inverseOf, with the runtime variables of \p Map as runtime variables of
/// the inverse: an inverse for each of their values. Looks at every point of
/// boxes of at most \p MaxPoints where nothing else proves that it is one.
std::optional<IndexingMap> parametricInverseOf(const IndexingMap &Map,
                                               uint64_t MaxPoints,
                                               std::string &WhyNot);

} // namespace unravel

#endif // UNRAVEL_ANALYSIS_MAPS_PARAMETRICINVERSE_H
