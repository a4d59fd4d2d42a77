//===- PassRunner.h - Pipelines with and without the plugin -----*- C++ -*-===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef UNRAVEL_TOOLS_KERNELFUZZ_PASSRUNNER_H
#define UNRAVEL_TOOLS_KERNELFUZZ_PASSRUNNER_H

#include "llvm/IR/Module.h"
#include "llvm/Plugins/PassPlugin.h"
#include "llvm/Support/Error.h"
#include "llvm/Target/TargetMachine.h"
#include <memory>
#include <vector>

namespace unravel {

class PassRunner {
public:
  static llvm::Expected<PassRunner>
  create(std::vector<llvm::PassPlugin> Plugins);

  const llvm::TargetMachine &target() const { return *Target; }
  /// Whether \p Pipeline can be parsed with the plugins.
  llvm::Error check(llvm::StringRef Pipeline) const;
  /// Runs a pipeline that check() accepts. Without plugins the extension points
  /// of the default pipelines stay empty, too.
  void run(llvm::Module &M, llvm::StringRef Pipeline, bool WithPlugins) const;

private:
  PassRunner() = default;
  llvm::Error build(llvm::StringRef Pipeline, bool WithPlugins,
                    llvm::Module *M) const;
  std::unique_ptr<llvm::TargetMachine> Target;
  std::vector<llvm::PassPlugin> Plugins;
};

} // namespace unravel

#endif // UNRAVEL_TOOLS_KERNELFUZZ_PASSRUNNER_H
