//===- Program.h - A kernel, ready to be executed ---------------*- C++ -*-===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Names are resolved once: registers to slots, labels to positions, variables
// to addresses. What an instruction does is a function that is called whenever
// a thread comes to it. An instruction that is not modelled is an error only
// when a thread comes to it.
//
//===----------------------------------------------------------------------===//

#ifndef UNRAVEL_TOOLS_PTX_FUZZ_INTERPRETER_PROGRAM_H
#define UNRAVEL_TOOLS_PTX_FUZZ_INTERPRETER_PROGRAM_H

#include "ptx/text/PtxSyntax.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/Error.h"
#include <functional>

namespace unravel::ptx {

class Machine;
struct Thread;

enum class Space : uint8_t { Generic, Global, Shared, Local, Constant, Param };

/// By the word of an opcode or a declaration; "shared::cta" is "shared".
std::optional<Space> spaceOf(llvm::StringRef Word);

/// What an instruction reads.
struct Source {
  enum class Kind : uint8_t { Register, Constant, Special };
  Kind K = Kind::Constant;
  bool IsNegated = false; ///< `!p`
  unsigned Width = 64;
  unsigned Slot = 0;  ///< of a register, or the number of a special one
  uint64_t Value = 0; ///< of a constant
};

/// What it writes.
struct Target {
  static constexpr unsigned None = ~0u; ///< `_`
  unsigned Slot = None;
  unsigned Width = 64;
};

struct Step {
  const Instruction *Origin = nullptr;
  llvm::StringRef Text;
  std::optional<Source> Guard;
  /// Moves the thread on, too, where it does not go to the next step.
  std::function<void(Machine &, Thread &)> Run;
};

struct GlobalVariable {
  const Variable *Declared;
  std::vector<uint8_t> Contents; ///< empty without an initialiser: zeros
};

struct Program {
  const Function *Kernel = nullptr;
  std::vector<Step> Steps;
  unsigned NumSlots = 0; ///< Of registers.
  std::vector<unsigned> SlotWidths;
  std::vector<GlobalVariable> Globals; ///< In the rooms for variables.
  std::vector<uint8_t> Constants;
  uint64_t SharedSize = 0;
  uint64_t LocalSize = 0;
  uint64_t ParamSize = 0;
  std::vector<uint64_t> ParamOffsets; ///< of each parameter of the kernel
};

/// Where shared variables begin: not at 0, as on Hopper.
inline constexpr uint64_t SharedBegin = 1024;
/// `extern .shared`: far away, so that no array runs into it.
inline constexpr uint64_t DynamicSharedBegin = 4 << 20;
inline constexpr uint64_t LocalBegin = 64;

/// \p M has to outlive the program. Fails for what no thread can get around: a
/// register or label without declaration, an initialiser that is not modelled.
llvm::Expected<Program> prepare(const Module &M, const Function &Kernel);

} // namespace unravel::ptx

#endif // UNRAVEL_TOOLS_PTX_FUZZ_INTERPRETER_PROGRAM_H
