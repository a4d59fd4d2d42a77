//===- OutputFile.h - Write a file wholly or not at all ---------*- C++ -*-===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef UNRAVEL_TOOLS_PTXCOMPARE_OUTPUTFILE_H
#define UNRAVEL_TOOLS_PTXCOMPARE_OUTPUTFILE_H

#include "llvm/ADT/StringRef.h"
#include "llvm/ADT/Twine.h"
#include "llvm/Support/Error.h"

namespace unravel {

/// Makes the one-line error that this tool shows: "place: reason". The reason
/// ends with the remedy where there is one.
llvm::Error makeError(const llvm::Twine &Place, const llvm::Twine &Reason);

/// Fails if Path clearly cannot be written: its folder is missing or read-only,
/// or it is a folder. Lets a tool say so before the work instead of after it.
llvm::Error checkWritable(llvm::StringRef Path);

/// Writes Contents to Path through a temporary file beside it, so that Path
/// holds the old contents or the new ones, never a part. Pipes and devices are
/// written directly.
llvm::Error writeFile(llvm::StringRef Path, llvm::StringRef Contents);

/// Reads a whole file.
llvm::Expected<std::string> readFile(llvm::StringRef Path);

} // namespace unravel

#endif // UNRAVEL_TOOLS_PTXCOMPARE_OUTPUTFILE_H
