//===- TextAddresses.h - Offsets inside of addresses ------------*- C++ -*-===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// An address in PTX may have an offset, `[%r1+64]`. LLVM puts offsets into its
// own loads and stores; to an instruction that is text it passes the sum.
//
//===----------------------------------------------------------------------===//

#ifndef UNRAVEL_PTX_FORMS_TEXTADDRESSES_H
#define UNRAVEL_PTX_FORMS_TEXTADDRESSES_H

#include "llvm/IR/Function.h"

namespace unravel::ptx {

/// In the last IR before the backend.
void foldTextOffsets(llvm::Function &F);

} // namespace unravel::ptx

#endif // UNRAVEL_PTX_FORMS_TEXTADDRESSES_H
