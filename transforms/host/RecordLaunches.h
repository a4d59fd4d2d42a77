//===- RecordLaunches.h - Launches of a file as facts -----------*- C++ -*-===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// -index-simplify-record-launches=FILE writes what the host code of a source
// file says about the launches of its own kernels as a facts file
// (docs/facts.md), for the compilation of its device code.
//
//===----------------------------------------------------------------------===//

#ifndef UNRAVEL_TRANSFORMS_HOST_RECORDLAUNCHES_H
#define UNRAVEL_TRANSFORMS_HOST_RECORDLAUNCHES_H

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/IR/PassManager.h"
#include "llvm/Support/Error.h"
#include <functional>

namespace unravel {

/// In front of a host pipeline: no stub is inlined, and no two calls become
/// one, so that launches stay visible. A launch takes microseconds, the call
/// nothing of them.
class KeepLaunchStubsPass : public llvm::PassInfoMixin<KeepLaunchStubsPass> {
public:
  llvm::PreservedAnalyses run(llvm::Module &M, llvm::ModuleAnalysisManager &);
};

/// Behind it: writes the file, and remarks on kernels whose launches are not
/// all known. The compilation fails if the file cannot be written. Nothing is
/// done in a device module.
class RecordLaunchesPass : public llvm::PassInfoMixin<RecordLaunchesPass> {
public:
  /// Writes the file about a module with what a function prints, wholly or not
  /// at all.
  using Writer = std::function<llvm::Error(
      const llvm::Module &,
      llvm::function_ref<llvm::Error(llvm::raw_ostream &)> Print)>;
  explicit RecordLaunchesPass(Writer WriteFile)
      : WriteFile(std::move(WriteFile)) {}
  llvm::PreservedAnalyses run(llvm::Module &M, llvm::ModuleAnalysisManager &AM);

private:
  Writer WriteFile;
};

} // namespace unravel

#endif // UNRAVEL_TRANSFORMS_HOST_RECORDLAUNCHES_H
