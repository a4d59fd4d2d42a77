//===- HiddenWords.h - Words strength reduction must not see ----*- C++ -*-===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The straight-line strength reduction of LLVM 22's backend takes
// `sext((i + 1) * n)` for `sext(i * n) + sext(n)`, also where the 32 bits wrap.
// It subtracts what it knows of the words in front of the extension. A frozen
// word is a value of which it knows nothing: what is left are sums of one
// width, which are the same modulo 2^n.
//
//===----------------------------------------------------------------------===//

#ifndef UNRAVEL_PTX_FORMS_HIDDENWORDS_H
#define UNRAVEL_PTX_FORMS_HIDDENWORDS_H

#include "llvm/IR/Function.h"

namespace unravel::ptx {

/// The last step before the backend.
void hideWords(llvm::Function &F);

} // namespace unravel::ptx

#endif // UNRAVEL_PTX_FORMS_HIDDENWORDS_H
