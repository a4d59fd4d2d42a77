//===- InputSampler.h - Threads that a kernel may meet ----------*- C++ -*-===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef UNRAVEL_TOOLS_KERNEL_FUZZ_GENERATOR_INPUTSAMPLER_H
#define UNRAVEL_TOOLS_KERNEL_FUZZ_GENERATOR_INPUTSAMPLER_H

#include "tools/kernel-fuzz/interpreter/ThreadInput.h"
#include "tools/kernel-fuzz/random/FuzzRandom.h"
#include "llvm/IR/ConstantRange.h"

namespace unravel {

/// What kind of launch a thread is taken from.
enum class LaunchKind {
  Usual,        ///< few shapes for one kernel, so that facts hold
  SingleThread, ///< one block of one thread, sizes 0 and 1
  Odd, ///< sizes that divide nothing, the last thread of the last block
  Huge ///< grids and sizes near 2^31
};

/// Draws what a thread of a function may see. Depends on the signature, the
/// attributes and the constants of the function and on a seed, nothing else.
class InputSampler {
public:
  InputSampler(const llvm::Function &F, uint64_t Seed);

  ThreadInput draw(FuzzRandom &R, LaunchKind Kind) const;
  /// The kinds in turn, mostly the usual one.
  static LaunchKind kindOf(uint64_t Index);

private:
  void drawLaunch(FuzzRandom &R, LaunchKind Kind, ThreadInput &Input) const;
  void drawThread(FuzzRandom &R, LaunchKind Kind, ThreadInput &Input) const;
  bool respectsRanges(const ThreadInput &Input) const;
  Scalar drawArgument(FuzzRandom &R, LaunchKind Kind,
                      const llvm::Argument &A) const;
  uint64_t drawNumber(FuzzRandom &R, const llvm::Argument &A) const;
  void drawObjects(FuzzRandom &R, ThreadInput &Input) const;

  const llvm::Function &F;
  uint64_t Seed;
  std::array<uint64_t, 3> RequiredBlock{}; ///< 0 where nothing is required
  std::array<uint64_t, 3> Cluster{};       ///< likewise, in blocks
  uint64_t MaxThreads = 1024;
  std::vector<int64_t> Constants; ///< those of the function and a few others
  std::vector<std::pair<unsigned, llvm::ConstantRange>> RegisterRanges;
};

/// The seed that the generator has left on a function, else \p Default.
uint64_t samplingSeed(const llvm::Function &F, uint64_t Default);
void setSamplingSeed(llvm::Function &F, uint64_t Seed);

} // namespace unravel

#endif // UNRAVEL_TOOLS_KERNEL_FUZZ_GENERATOR_INPUTSAMPLER_H
