//===- InterpretedFunction.h - A function that a test runs ------*- C++ -*-===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef UNRAVEL_TEST_UNIT_TOOLS_KERNELFUZZ_INTERPRETEDFUNCTION_H
#define UNRAVEL_TEST_UNIT_TOOLS_KERNELFUZZ_INTERPRETEDFUNCTION_H

#include "tools/kernel-fuzz/interpreter/PoisonInterpreter.h"
#include "llvm/AsmParser/Parser.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/SourceMgr.h"
#include "gtest/gtest.h"

namespace unravel {

/// A function, ready to run.
class InterpretedFunction {
public:
  explicit InterpretedFunction(const std::string &IR,
                               llvm::StringRef Name = "f") {
    llvm::SMDiagnostic Error;
    M = parseAssemblyString(IR, Error, Context);
    EXPECT_TRUE(M) << Error.getMessage().str();
    if (const llvm::Function *F = M ? M->getFunction(Name) : nullptr)
      decode(*F);
  }
  /// \p F has to stay as it is.
  explicit InterpretedFunction(const llvm::Function &F) { decode(F); }
  RunResult run(std::vector<Scalar> Arguments) const {
    ThreadInput Input;
    Input.Arguments = std::move(Arguments);
    for (uint64_t K = 0; K < 4; ++K)
      Input.Objects.push_back({0x10000 * (K + 1), 64});
    Input.Registers[ThreadX] = 7;
    Input.Seed = 42;
    return runThread(*Program, Input, /*MaxSteps=*/1000);
  }
  /// What it returns; nothing if the run does not get there.
  std::optional<Scalar> result(std::vector<Scalar> Arguments) const {
    RunResult R = run(std::move(Arguments));
    if (R.Status != RunStatus::Done || R.Events.empty())
      return std::nullopt;
    return Scalar{R.Events.back().Value, R.Events.back().IsPoison, -1};
  }
  std::string Why;
  std::unique_ptr<DecodedProgram> Program;

private:
  void decode(const llvm::Function &F) {
    Globals = numberGlobals(F);
    Program = DecodedProgram::create(F, Globals, Why);
  }

  llvm::LLVMContext Context;
  std::unique_ptr<llvm::Module> M;
  llvm::StringMap<unsigned> Globals;
};

inline Scalar word(uint64_t Bits) { return {Bits, false, -1}; }

/// What \p F returns in each of \p Count launches; nothing if it does not end.
inline std::vector<std::optional<uint64_t>>
resultsOf(const llvm::Function &F, unsigned Count,
          llvm::function_ref<std::vector<Scalar>(unsigned)> ArgumentsOf) {
  InterpretedFunction Interpreted(F);
  EXPECT_TRUE(Interpreted.Program) << Interpreted.Why;
  std::vector<std::optional<uint64_t>> Results(Count);
  for (unsigned Launch = 0; Launch < Count; ++Launch) {
    RunResult R = Interpreted.run(ArgumentsOf(Launch));
    EXPECT_NE(R.Status, RunStatus::Unsupported) << R.Reason;
    if (R.Status == RunStatus::Done)
      Results[Launch] = R.Events.back().Value;
  }
  return Results;
}

constexpr RunStatus UB = RunStatus::UndefinedBehavior;

} // namespace unravel

#endif // UNRAVEL_TEST_UNIT_TOOLS_KERNELFUZZ_INTERPRETEDFUNCTION_H
