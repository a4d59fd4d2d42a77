//===- JsonNesting.h - JSON that LLVM's parser survives ---------*- C++ -*-===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef UNRAVEL_ANALYSIS_JSON_JSONNESTING_H
#define UNRAVEL_ANALYSIS_JSON_JSONNESTING_H

#include "llvm/ADT/StringRef.h"

namespace unravel {

/// No JSON that Unravel reads nests deeper.
inline constexpr unsigned MaxJsonNesting = 64;

/// Whether \p Text has more than MaxJsonNesting brackets inside each other,
/// those in strings aside. LLVM's parser is recursive: a text from outside has
/// to be asked first, or it overflows the stack.
bool nestsTooDeep(llvm::StringRef Text);

} // namespace unravel

#endif // UNRAVEL_ANALYSIS_JSON_JSONNESTING_H
