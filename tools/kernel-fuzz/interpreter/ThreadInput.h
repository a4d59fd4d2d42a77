//===- ThreadInput.h - What one thread sees ---------------------*- C++ -*-===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef UNRAVEL_TOOLS_KERNELFUZZ_THREADINPUT_H
#define UNRAVEL_TOOLS_KERNELFUZZ_THREADINPUT_H

#include "tools/kernel-fuzz/interpreter/Scalar.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/IR/Intrinsics.h"
#include <array>
#include <string>
#include <vector>

namespace llvm {
class Function;
} // namespace llvm

namespace unravel {

/// The special registers, in the order of ThreadInput::Registers.
enum SpecialRegister : unsigned {
  ThreadX,
  BlockSizeX = 3,
  BlockX = 6,
  GridSizeX = 9,
  Lane = 12,
  NumRegisters
};

/// The intrinsics that read them, in the same order.
llvm::ArrayRef<llvm::Intrinsic::ID> registerIntrinsics();
/// The register that an intrinsic reads, nothing for other intrinsics.
std::optional<unsigned> specialRegister(llvm::Intrinsic::ID ID);

/// Where a pointer argument or a global variable lies.
struct MemoryObject {
  uint64_t Base = 0, Size = 0;
};

/// Everything that a run depends on.
struct ThreadInput {
  std::vector<Scalar> Arguments; ///< those of pointers are in Objects
  std::array<uint64_t, NumRegisters> Registers{};
  /// Pointer arguments first, then the module's global variables.
  std::vector<MemoryObject> Objects;
  /// Decides what memory holds, what freeze makes of poison and what calls of
  /// unknown functions return.
  uint64_t Seed = 0;
  /// Which arbitrary values freeze makes of poison: what the seed says (0, 5
  /// and above, all different), or 0, -1, 1, the smallest number (1 to 4).
  unsigned FreezeChoice = 0;
  static constexpr unsigned NumFreezeChoices = 8;
  /// Whether undef is a number that the seed decides. Otherwise it may be any,
  /// also where it cannot be: no run has less results than the function.
  bool ChoosesUndef = false;
  /// What freezes of these names make of poison, the first time, the second
  /// time, ...: another run's values.
  const llvm::StringMap<std::vector<uint64_t>> *FreezeValues = nullptr;

  /// On one line, for reports.
  std::string describe(const llvm::Function &F) const;
};

} // namespace unravel

#endif // UNRAVEL_TOOLS_KERNELFUZZ_THREADINPUT_H
