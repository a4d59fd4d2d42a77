//===- Interpreter.h - Execute a kernel of PTX ------------------*- C++ -*-===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef UNRAVEL_TOOLS_PTX_FUZZ_INTERPRETER_INTERPRETER_H
#define UNRAVEL_TOOLS_PTX_FUZZ_INTERPRETER_INTERPRETER_H

#include "tools/ptx-fuzz/interpreter/GlobalMemory.h"
#include "tools/ptx-fuzz/interpreter/Program.h"

namespace unravel::ptx {

struct Launch {
  std::array<uint32_t, 3> Grid = {1, 1, 1}, Block = {1, 1, 1};
  /// Of a larger grid only so many blocks run, from both ends and in between.
  uint64_t MaxBlocks = 4096;
  /// The bytes of each parameter.
  std::vector<std::vector<uint8_t>> Arguments;
  uint64_t DynamicShared = 0; ///< In bytes.
  /// Decides what registers, shared and local memory hold before they are
  /// written.
  uint64_t Fill = 0;
  /// What a division by zero gives: all ones (and the dividend as remainder),
  /// as the hardware does, or anything else, as the manual allows.
  uint64_t ZeroQuotient = ~uint64_t(0);
  uint64_t MaxSteps = 50'000'000;
};

struct Outcome {
  enum class Kind {
    Finished,
    NotModelled, ///< It met an instruction that the interpreter lacks.
    Fault,       ///< It did what the manual forbids.
    TooLong      ///< It met Launch::MaxSteps, or needs too much memory.
  };
  Kind K = Kind::Finished;
  std::string Reason; ///< Names the instruction.
  /// What such a division gives is up to the machine.
  bool DividedByZero = false;
  /// A register was read before anything was written to it.
  bool ReadsUnwritten = false;
  /// Of what is not modelled besides its results, and may have been asked for
  /// in another order or with other operands if these differ.
  uint64_t Notes = 0;
  uint64_t Steps = 0;
};

/// Executes all threads of a launch. Adds the `.global` variables of the
/// program to \p Global, which has the buffers of the arguments.
Outcome execute(const Program &P, const Launch &L, GlobalMemory &Global);

} // namespace unravel::ptx

#endif // UNRAVEL_TOOLS_PTX_FUZZ_INTERPRETER_INTERPRETER_H
