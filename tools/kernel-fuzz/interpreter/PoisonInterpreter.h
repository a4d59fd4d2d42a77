//===- PoisonInterpreter.h - Runs one thread of a kernel --------*- C++ -*-===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Runs LLVM IR as the language reference defines it: poison is tracked exactly
// and lane by lane, immediate undefined behavior ends the run. There is one
// thread: barriers do nothing, shuffles return what the seed decides. Undef is
// less than poison, but a use of it that may be undefined or poison is so; or
// it is some number (ThreadInput::ChoosesUndef).
//
//===----------------------------------------------------------------------===//

#ifndef UNRAVEL_TOOLS_KERNELFUZZ_POISONINTERPRETER_H
#define UNRAVEL_TOOLS_KERNELFUZZ_POISONINTERPRETER_H

#include "tools/kernel-fuzz/interpreter/DecodedProgram.h"
#include "tools/kernel-fuzz/interpreter/ThreadInput.h"
#include "tools/kernel-fuzz/interpreter/ThreadMemory.h"

namespace unravel {

/// What others can see of a run, in order.
struct Event {
  enum Kind : uint8_t {
    Store,
    Argument, ///< of a call of an unknown function
    ThreadEnd,
    Return
  } What;
  uint8_t Bytes;
  bool IsPoison;
  uint64_t Address, Value; ///< for arguments Address is the callee
  const llvm::Instruction *Inst;
  bool IsUndef = false; ///< then it is poison, too
};

enum class RunStatus { Done, UndefinedBehavior, OutOfSteps, Unsupported };

struct RunResult {
  explicit RunResult(uint64_t Seed) : Memory(Seed) {}
  RunStatus Status = RunStatus::Done;
  const char *Reason = "";
  const llvm::Instruction *At = nullptr; ///< where the run ended
  std::vector<Event> Events;
  /// The freezes of poison: what they made of it is arbitrary.
  std::vector<const llvm::Instruction *> Frozen;
  /// What each freeze gave, of poison or not, by its name.
  llvm::StringMap<std::vector<uint64_t>> FreezeValues;
  ThreadMemory Memory;
};

RunResult runThread(const DecodedProgram &Program, const ThreadInput &Input,
                    uint64_t MaxSteps, ExecutionTrace *Trace = nullptr);

} // namespace unravel

#endif // UNRAVEL_TOOLS_KERNELFUZZ_POISONINTERPRETER_H
