//===- HostKernel.h - Running a GPU kernel on this CPU ----------*- C++ -*-===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A KernelModule is a file of NVVM IR; a HostKernel is one of its kernels as
// host code. The translation copies the kernel and what it calls into a module
// for this CPU, puts all address spaces into one, turns special registers into
// globals and adds a loop over blocks and threads. No IR optimisation runs:
// what executes is what the file says.
//
// Threads run one after the other. Kernels whose threads talk to each other
// (barriers, shuffles, shared memory) are refused.
//
//===----------------------------------------------------------------------===//

#ifndef UNRAVEL_TEST_EXECUTION_HOSTKERNEL_H
#define UNRAVEL_TEST_EXECUTION_HOSTKERNEL_H

#include "KernelLaunch.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ExecutionEngine/Orc/LLJIT.h"
#include "llvm/IR/Module.h"
#include <memory>

namespace unravel {

/// A kernel, compiled for this CPU.
class HostKernel {
public:
  /// One parameter, by what a launch must give for it.
  struct Parameter {
    bool IsPointer;
    bool IsFloat;
    unsigned Bits;
    uint64_t Align;
  };

  /// Fails unless the launch has the parameters and the block that the kernel
  /// was compiled for. The name of the launch's kernel does not matter.
  llvm::Error checkLaunch(const KernelLaunch &Launch) const;

  /// Runs every thread of \p Shape. \p Arguments holds one pointer per
  /// parameter to its value. Fails if a thread crashes, and says which.
  llvm::Error run(const LaunchShape &Shape,
                  llvm::ArrayRef<void *> Arguments) const;

private:
  friend class KernelModule;
  HostKernel() = default;
  std::string currentThread() const;

  std::string Name;
  llvm::SmallVector<Parameter, 8> Parameters;
  /// The block that nvvm.reqntid demands, and the threads that nvvm.maxntid
  /// allows; empty and zero without these.
  llvm::SmallVector<uint64_t, 3> RequiredBlock;
  uint64_t MaxThreads = 0;

  std::unique_ptr<llvm::orc::LLJIT> JIT;
  void (*Driver)(void *const *Arguments, const uint32_t *Shape) = nullptr;
  /// ctaid.x to .z, then tid.x to .z.
  std::array<const volatile uint32_t *, 6> Position = {};
};

/// A file of NVVM IR.
class KernelModule {
public:
  /// Reads text or bitcode. Fails if it does not parse or verify, or is not for
  /// NVPTX.
  static llvm::Expected<KernelModule> read(llvm::StringRef Path);

  llvm::StringRef path() const { return Path; }

  /// Whether the file defines a function of this name. Any will do: tests have
  /// small functions that are not marked as kernels.
  bool hasKernel(llvm::StringRef Name) const;

  /// Fails if there is no such kernel, or it uses what a CPU cannot run.
  llvm::Expected<HostKernel> compile(llvm::StringRef Name) const;

private:
  KernelModule() = default;

  std::string Path;
  llvm::orc::ThreadSafeContext Context;
  std::unique_ptr<llvm::Module> Source;
};

} // namespace unravel

#endif // UNRAVEL_TEST_EXECUTION_HOSTKERNEL_H
