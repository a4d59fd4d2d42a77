//===- HostKernel.h - A GPU kernel as code of this CPU ---------*- C++ -*--===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef UNRAVEL_TOOLS_KERNEL_RUN_LAUNCH_HOSTKERNEL_H
#define UNRAVEL_TOOLS_KERNEL_RUN_LAUNCH_HOSTKERNEL_H

#include "tools/kernel-run/host/HostModule.h"
#include "tools/kernel-run/launch/KernelLaunch.h"
#include "tools/kernel-run/machine/BlockScheduler.h"
#include "llvm/ExecutionEngine/Orc/LLJIT.h"

namespace unravel {

/// The attribute of functions that were PTX.
constexpr llvm::StringLiteral LiftedAttribute = "unravel-lifted";

class HostKernel {
public:
  /// One parameter, by what a launch must give for it.
  struct Parameter {
    std::string Name;
    bool IsPointer;
    /// A number of 64 bits in PTX, which has no pointers.
    bool MayBeAddress;
    bool IsFloat;
    unsigned Bits;
    uint64_t Align;
    /// Of a struct that is passed by value.
    std::optional<uint64_t> ByValueBytes;
  };

  /// Translates and compiles \p Kernel, which must outlive this. Threads count
  /// their iterations if \p IsTraced.
  static llvm::Expected<HostKernel>
  compile(std::shared_ptr<llvm::Module> Source, llvm::Function &Kernel,
          llvm::orc::ThreadSafeContext Context, VariableMemory &Memory,
          bool IsTraced);

  /// Fails unless the launch has the parameters and the block that the kernel
  /// was compiled for. The name of the launch's kernel does not matter.
  llvm::Error checkLaunch(const KernelLaunch &Launch) const;

  /// The blocks of a cluster (nvvm.cluster_dim); one without it.
  const std::array<uint32_t, 3> &clusterExtent() const { return Cluster; }

  const std::string &name() const { return Name; }
  const llvm::Function &source() const { return *Kernel; }
  llvm::ArrayRef<Parameter> parameters() const { return Parameters; }
  BlockScheduler::ThreadFunction threadFunction() const { return Thread; }
  bool mayWait() const { return MayWait; }
  uint64_t staticSharedBytes() const { return StaticSharedBytes; }
  bool usesDynamicShared() const { return UsesDynamicShared; }
  uint64_t dynamicSharedAddress() const { return DynamicSharedAddress; }

  /// The variables of all kinds that this kernel may touch.
  llvm::ArrayRef<ModuleVariable> variables() const { return Variables; }
  /// Gives those outside of shared memory the values they start with.
  void resetVariables() const;

  /// What the kernel asks about as it runs.
  std::vector<CheckedInstruction> instructions() const { return Instructions; }
  /// Of a traced one.
  llvm::ArrayRef<IterationCounter> counters() const { return Counters; }
  std::string describe(uint32_t Instruction) const {
    return describeInstruction(*Instructions[Instruction].Source);
  }

private:
  HostKernel() = default;

  std::string Name;
  llvm::SmallVector<Parameter, 8> Parameters;
  /// The block that nvvm.reqntid demands, and the threads that nvvm.maxntid
  /// allows; empty and zero without these.
  llvm::SmallVector<uint64_t, 3> RequiredBlock;
  uint64_t MaxThreads = 0;
  std::array<uint32_t, 3> Cluster = {1, 1, 1};

  // The module's context outlives it.
  llvm::orc::ThreadSafeContext Context;
  std::shared_ptr<llvm::Module> Source;
  const llvm::Function *Kernel = nullptr;
  std::unique_ptr<llvm::orc::LLJIT> JIT;
  BlockScheduler::ThreadFunction Thread = nullptr;
  std::vector<CheckedInstruction> Instructions;
  std::vector<IterationCounter> Counters;
  std::vector<ModuleVariable> Variables;
  /// What each variable starts with; null for shared memory.
  std::vector<const void *> Images;
  uint64_t StaticSharedBytes = 0;
  bool UsesDynamicShared = false;
  uint64_t DynamicSharedAddress = 0;
  bool MayWait = false;
};

} // namespace unravel

#endif // UNRAVEL_TOOLS_KERNEL_RUN_LAUNCH_HOSTKERNEL_H
