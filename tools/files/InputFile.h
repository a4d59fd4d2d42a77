//===- InputFile.h - Read a file that has an end ----------------*- C++ -*-===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef UNRAVEL_TOOLS_FILES_INPUTFILE_H
#define UNRAVEL_TOOLS_FILES_INPUTFILE_H

#include "llvm/ADT/StringRef.h"
#include "llvm/ADT/Twine.h"
#include "llvm/Support/Error.h"
#include <string>

namespace unravel {

/// Makes the one-line error that the tools show: "place: reason". The reason
/// ends with the remedy where there is one.
llvm::Error makeError(const llvm::Twine &Place, const llvm::Twine &Reason);

/// Fails if Path is a folder or a device: a device may have no end, and reading
/// it would fill the memory. A missing file is left to who reads it.
llvm::Error checkInput(llvm::StringRef Path);

/// The size of a regular file; fails for everything else, pipes too, as their
/// size is not known before they are read.
llvm::Expected<uint64_t> sizeOfRegularFile(llvm::StringRef Path);

/// Reads a whole file that checkInput accepts.
llvm::Expected<std::string> readFile(llvm::StringRef Path);

} // namespace unravel

#endif // UNRAVEL_TOOLS_FILES_INPUTFILE_H
