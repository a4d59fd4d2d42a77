//===- JsonKeys.h - Keys that stand twice -----------------------*- C++ -*-===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef UNRAVEL_ANALYSIS_JSON_JSONKEYS_H
#define UNRAVEL_ANALYSIS_JSON_JSONKEYS_H

#include "llvm/ADT/StringRef.h"
#include <optional>
#include <string>

namespace unravel {

/// A key that an object of \p Text has twice, or nullopt. LLVM's parser keeps
/// the last one, and what the other says would be lost. \p Text has to be JSON
/// that the parser takes.
std::optional<std::string> repeatedKey(llvm::StringRef Text);

} // namespace unravel

#endif // UNRAVEL_ANALYSIS_JSON_JSONKEYS_H
