//===- PtxWords.h - Names in operands and other text ------------*- C++ -*-===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// For operands of kind Other and for debug sections. A word is a name with its
// dots, such as `%tid.x` and `.b64`; numbers are none.
//
//===----------------------------------------------------------------------===//

#ifndef UNRAVEL_PTX_TEXT_PTXWORDS_H
#define UNRAVEL_PTX_TEXT_PTXWORDS_H

#include "ptx/text/PtxPrinter.h"

namespace unravel::ptx {

/// \p Text with what \p Rename gives in the place of each word.
std::string replaceWords(llvm::StringRef Text, NameMap Rename);

void forEachWord(llvm::StringRef Text,
                 llvm::function_ref<void(llvm::StringRef)> Visit);

/// Whether some of \p O is of kind Other.
bool isUnparsed(const Operand &O);

/// Calls \p Visit for the names in \p O; an address that is a name is told
/// apart.
void forEachName(
    const Operand &O,
    llvm::function_ref<void(llvm::StringRef Name, bool IsAddress)> Visit);

} // namespace unravel::ptx

#endif // UNRAVEL_PTX_TEXT_PTXWORDS_H
