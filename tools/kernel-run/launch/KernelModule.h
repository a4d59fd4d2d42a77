//===- KernelModule.h - A file of NVVM IR or PTX ---------------*- C++ -*--===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A KernelModule is a file of NVVM IR, the kernels of a file of PTX lifted to
// IR, or what a pass pipeline made of one. It compiles single kernels to
// HostKernels and knows what they are called.
//
//===----------------------------------------------------------------------===//

#ifndef UNRAVEL_TOOLS_KERNEL_RUN_LAUNCH_KERNELMODULE_H
#define UNRAVEL_TOOLS_KERNEL_RUN_LAUNCH_KERNELMODULE_H

#include "tools/kernel-run/launch/HostKernel.h"
#include "llvm/ExecutionEngine/Orc/ThreadSafeModule.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/MemoryBufferRef.h"
#include "llvm/Support/SourceMgr.h"
#include <map>

namespace unravel {

class KernelModule {
public:
  /// Reads text or bitcode, or PTX if the name ends in `.ptx`. Fails if it does
  /// not parse or verify, or is not for NVPTX.
  static llvm::Expected<KernelModule> read(llvm::StringRef Path);
  /// The same for a buffer, whose name is the label.
  static llvm::Expected<KernelModule> parse(llvm::MemoryBufferRef Buffer);

  /// For messages: the file, or the pipeline.
  llvm::StringRef label() const { return Label; }

  /// The names of all kernels; without any, of all functions: tests have small
  /// functions that are not marked.
  std::vector<std::string> kernels() const;

  /// The function that \p Name means, marked or not: its symbol, its demangled
  /// name, or the plain part of that if no other kernel has it. Fails, with the
  /// names that there are, if it means none or several.
  llvm::Expected<std::string> find(llvm::StringRef Name) const;

  /// "reshape(ptr %in, ptr %out, i32 %n)", and behind a mangled name what it
  /// means.
  std::string signature(llvm::StringRef Kernel) const;

  /// Fails if there is no such kernel, or it uses what a CPU cannot run.
  llvm::Expected<HostKernel> compile(llvm::StringRef Name,
                                     VariableMemory &Memory,
                                     bool IsTraced = false) const;

  /// A copy that \p Passes have changed, a pipeline as of opt.
  llvm::Expected<KernelModule>
  transformed(llvm::StringRef Passes,
              llvm::ArrayRef<std::string> Plugins) const;

  /// Writes the text, wholly or not at all.
  llvm::Error save(llvm::StringRef Path) const;

private:
  KernelModule() = default;
  static llvm::Expected<KernelModule>
  parse(llvm::StringRef Label,
        llvm::function_ref<std::unique_ptr<llvm::Module>(llvm::SMDiagnostic &,
                                                         llvm::LLVMContext &)>
            Parse);
  static llvm::Expected<KernelModule> parsePtx(llvm::MemoryBufferRef Buffer);
  /// Source without the inline assembly that IR can say; called once.
  void makeExecutable();

  std::string Label;
  llvm::orc::ThreadSafeContext Context;
  std::shared_ptr<llvm::Module> Source, Executable;
  /// Kernels of PTX that are not in Source, and why.
  std::map<std::string, std::string, std::less<>> NotLifted;
};

} // namespace unravel

#endif // UNRAVEL_TOOLS_KERNEL_RUN_LAUNCH_KERNELMODULE_H
