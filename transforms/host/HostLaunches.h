//===- HostLaunches.h - What all launches of a kernel agree on --*- C++ -*-===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// clang compiles a CUDA source once for the device and once for the host, and
// only the host's code says how kernels are launched. A kernel that no other
// file can name, because it is static or in an unnamed namespace, is launched
// in its own file alone: what holds of all launches there always holds.
//
// clang makes of `kernel<<<grid, block>>>(arguments)`
//
//   if (__cudaPushCallConfiguration(grid, block, ...) == 0)
//     __device_stub__kernel(arguments);
//
// and the stub hands its arguments and the configuration to cudaLaunchKernel.
//
//===----------------------------------------------------------------------===//

#ifndef UNRAVEL_TRANSFORMS_HOST_HOSTLAUNCHES_H
#define UNRAVEL_TRANSFORMS_HOST_HOSTLAUNCHES_H

#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/ConstantRange.h"
#include "llvm/IR/PassManager.h"
#include <array>
#include <map>
#include <string>
#include <vector>

namespace unravel {

/// What is known of an integer argument in all launches.
struct LaunchArgument {
  /// As signed numbers.
  llvm::ConstantRange Range;
  /// The argument is a multiple of 2 to this power.
  unsigned TrailingZeros;
};

/// The launches of one kernel, all together.
struct KernelLaunches {
  /// The kernel's mangled name on the device.
  std::string Kernel;
  /// In x, y and z, as unsigned numbers of 32 bits.
  using Sizes = std::array<llvm::ConstantRange, 3>;
  Sizes Grid, Block;
  /// By the number of the kernel's parameter, which counts from 0.
  std::map<unsigned, LaunchArgument> Arguments;
};

/// A kernel whose launches are not all known, and why.
struct UnknownLaunches {
  const llvm::Function *Stub;
  std::string Kernel; ///< as the source has it
  std::string Reason;
};

struct HostLaunches {
  /// In the order of the module.
  std::vector<KernelLaunches> Known;
  std::vector<UnknownLaunches> Unknown;
};

/// Whether \p F is what host code calls to launch a kernel.
bool isLaunchStub(const llvm::Function &F);

/// Reads the launches of all kernels of a host module in which stubs are not
/// inlined; the more is optimised, the more is known. Kernels that are never
/// launched are in neither list.
HostLaunches findHostLaunches(llvm::Module &M,
                              llvm::FunctionAnalysisManager &FAM);

} // namespace unravel

#endif // UNRAVEL_TRANSFORMS_HOST_HOSTLAUNCHES_H
