//===- Compilers.h - Programs that tools call -------------------*- C++ -*-===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// How tools run clang++, opt, llc and ptxas, and where these are. All functions
// may be called from several threads.
//
//===----------------------------------------------------------------------===//

#ifndef UNRAVEL_TOOLS_COMPILERS_COMPILERS_H
#define UNRAVEL_TOOLS_COMPILERS_COMPILERS_H

#include "tools/files/Subprocess.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/ADT/Twine.h"
#include "llvm/Support/Error.h"
#include <string>
#include <vector>

namespace unravel {

/// Runs a program to its end. Returns what it wrote to stdout and stderr if it
/// succeeded; otherwise an error "Place: What: ..." with its first messages.
llvm::Expected<std::string> runTool(llvm::ArrayRef<llvm::StringRef> Command,
                                    llvm::StringRef Place,
                                    const llvm::Twine &What);

/// Finds a tool of the LLVM this was built with: in LLVM's own folder, or on
/// PATH with the version as suffix.
llvm::Expected<std::string> findLLVMTool(llvm::StringRef Name);

/// The folders where a CUDA toolkit may be, the user's word first.
std::vector<std::string> toolkitCandidates(llvm::StringRef CudaPath);

/// The first of these that is a toolkit; errors name \p File.
llvm::Expected<std::string> findToolkit(llvm::StringRef File,
                                        llvm::StringRef CudaPath);

} // namespace unravel

#endif // UNRAVEL_TOOLS_COMPILERS_COMPILERS_H
