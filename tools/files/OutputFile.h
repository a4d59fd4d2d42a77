//===- OutputFile.h - Write a file wholly or not at all ---------*- C++ -*-===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// How every tool writes: it says before its work that an output cannot be
// written, or would destroy what the run reads, and it never leaves a part.
//
//===----------------------------------------------------------------------===//

#ifndef UNRAVEL_TOOLS_FILES_OUTPUTFILE_H
#define UNRAVEL_TOOLS_FILES_OUTPUTFILE_H

#include "tools/files/InputFile.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace llvm {
class raw_ostream;
}

namespace unravel {

/// A file of the command line.
struct NamedFile {
  std::string Option; ///< "--html", or empty for an argument without option.
  std::string Path;
};

/// Fails if two outputs go to stdout, "-".
llvm::Error checkOneStdout(llvm::ArrayRef<NamedFile> Outputs);

/// Fails if an output clearly cannot be written: its folder is missing or
/// read-only, it is a folder, it is one of the inputs by whatever name, or two
/// outputs are one file. Outputs and inputs named "-" are no files. Pipes and
/// devices may be shared.
llvm::Error checkOutputs(llvm::ArrayRef<NamedFile> Outputs,
                         llvm::ArrayRef<NamedFile> Inputs);

/// The same for a folder that is made when something is written there. Leaves
/// nothing behind.
llvm::Error checkOutputFolder(llvm::StringRef Option, llvm::StringRef Path);

/// Writes Contents to Path through a temporary file beside it, so that Path
/// holds the old contents or the new ones, never a part. Pipes and devices are
/// written directly, and a link stays a link. "-" is stdout.
llvm::Error writeFile(llvm::StringRef Path, llvm::StringRef Contents);
/// The same for what \p Write writes bit by bit; an error of it is the result,
/// and nothing is written.
llvm::Error
writeFile(llvm::StringRef Path,
          llvm::function_ref<llvm::Error(llvm::raw_ostream &)> Write);

} // namespace unravel

#endif // UNRAVEL_TOOLS_FILES_OUTPUTFILE_H
