//===- Decoder.h - Instructions as steps of a program -----------*- C++ -*-===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef UNRAVEL_TOOLS_PTX_FUZZ_INTERPRETER_DECODER_H
#define UNRAVEL_TOOLS_PTX_FUZZ_INTERPRETER_DECODER_H

#include "tools/ptx-fuzz/interpreter/Machine.h"
#include "tools/ptx-fuzz/interpreter/Names.h"

namespace unravel::ptx {

class Decoder {
public:
  explicit Decoder(const Names &N) : N(N) {}

  Step decode(const Instruction &I, llvm::StringRef Text);

private:
  using Run = std::function<void(Machine &, Thread &)>;

  /// A null function means: see Problem. An empty Problem with a null function
  /// means that the instruction is of another family.
  Run decodeAny(const Instruction &I);
  Run decodeControl(const Instruction &I);    // Decoder.cpp
  Run decodeOperation(const Instruction &I);  // Decoder.cpp
  Run decodeVectorMove(const Instruction &I); // Decoder.cpp
  Run decodeBranchTable(const Instruction &I);
  Run decodeMemory(const Instruction &I); // MemorySteps.cpp
  Run decodeLoad(const Instruction &I);
  Run decodeStore(const Instruction &I);
  Run decodeCopy(const Instruction &I);
  Run decodeAddress(const Instruction &I);
  Run decodeAtomic(const Instruction &I); // AtomicSteps.cpp
  Run decodeWarp(const Instruction &I);   // WarpSteps.cpp
  Run decodeBarrier(const Instruction &I);
  Run decodeOpaque(const Instruction &I); // OpaqueSteps.cpp
  Run decodeMatrixAccess(const Instruction &I);
  Run decodeAsync(const Instruction &I);
  Run decodeMemoryBarrier(const Instruction &I);
  Run exchangeStep(Exchange Combine, Target First, Target Second,
                   llvm::ArrayRef<Source> Sources, const Source &Mask,
                   bool IsConvergence = false);

  // Operands. On failure they set Problem, and give something harmless.

  enum class Fit { Exact, MayBeWider };
  Source source(const Operand &O, unsigned Width, Fit F = Fit::Exact);
  Target target(const Operand &O, unsigned Width, Fit F = Fit::Exact);
  void addTargets(const Operand &O, llvm::SmallVectorImpl<Target> &To);
  Source literal(const Operand &O, unsigned Width);

  /// `[%r1+4]` or `[variable+4]`.
  struct Address {
    Source Base;
    uint64_t Offset = 0;
    Space In = Space::Generic;
  };
  Address address(const Operand &O, Space In);
  void addSources(const Operand &O, llvm::SmallVectorImpl<Address> &To);
  static uint64_t hashOfSources(uint64_t Opcode, const Machine &M, Thread &T,
                                llvm::ArrayRef<Address> Sources);
  static uint64_t valueOf(const Machine &M, Thread &T, const Address &A);

  Run fail(Outcome::Kind K, const llvm::Twine &What);
  Run failMalformed(const llvm::Twine &What) {
    return fail(Outcome::Kind::Fault, What);
  }

  const Names &N;
  std::string Problem;
  Outcome::Kind ProblemKind = Outcome::Kind::Finished;
};

} // namespace unravel::ptx

#endif // UNRAVEL_TOOLS_PTX_FUZZ_INTERPRETER_DECODER_H
