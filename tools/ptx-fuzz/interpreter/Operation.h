//===- Operation.h - What an instruction computes ---------------*- C++ -*-===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Instructions without effects on memory or control: a function from the values
// of the operands to results, by the letter of "Parallel Thread Execution ISA".
// Nothing here is shared with the code that lifts PTX to LLVM IR: two readings
// of the manual that agree are worth more than one.
//
//===----------------------------------------------------------------------===//

#ifndef UNRAVEL_TOOLS_PTX_FUZZ_INTERPRETER_OPERATION_H
#define UNRAVEL_TOOLS_PTX_FUZZ_INTERPRETER_OPERATION_H

#include "ptx/text/PtxSyntax.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/Support/MathExtras.h"
#include <functional>
#include <optional>

namespace unravel::ptx {

/// What the instructions of a thread pass on besides registers.
struct ThreadFlags {
  bool Carry = false; ///< CC.CF
  bool DividedByZero = false;
  uint64_t ZeroQuotient = ~uint64_t(0); ///< What a division by zero gives.
};

/// Second is `q` of a destination `p|q`.
struct Results {
  uint64_t First = 0, Second = 0;
};

/// Operands come zero-extended from their widths; results are cut to theirs.
using Values = llvm::ArrayRef<uint64_t>;
using Compute = std::function<Results(Values, ThreadFlags &)>;

struct Operation {
  unsigned ResultWidth = 0;
  unsigned SecondWidth = 0; ///< 0 if there is no second destination.
  llvm::SmallVector<unsigned, 4> OperandWidths;
  Compute Run;
  /// Of the last operands, how many may be left out.
  unsigned NumOptional = 0;
  /// `cvt`: the registers may be wider than the types.
  bool IsConversion = false;
  bool IsResultSigned = false;
};

/// The words of an opcode, taken one by one: a word that is not taken is a
/// modifier that is not modelled.
class OpcodeReader {
public:
  explicit OpcodeReader(const Instruction &I)
      : Base(I.base()), Rest(I.Words.begin() + 1, I.Words.end()) {}

  llvm::StringRef base() const { return Base; }
  bool take(llvm::StringRef Word);
  /// The first of \p Words that is there, or "".
  llvm::StringRef takeOneOf(llvm::ArrayRef<llvm::StringRef> Words);
  /// The last word, if it names a type; its text goes to \p Word.
  std::optional<Type> takeType(llvm::StringRef *Word = nullptr);
  void takeIf(llvm::function_ref<bool(llvm::StringRef)> Matches);
  bool isDone() const { return Rest.empty(); }

private:
  llvm::StringRef Base;
  llvm::SmallVector<llvm::StringRef, 4> Rest;
};

inline uint64_t maskOf(unsigned Width) {
  return llvm::maskTrailingOnes<uint64_t>(Width);
}
inline int64_t signedOf(uint64_t Value, unsigned Width) {
  return llvm::SignExtend64(Value, Width);
}

/// An operation of \p NumOperands operands of one width.
Operation uniformOperation(unsigned Width, unsigned NumOperands,
                           std::function<uint64_t(Values)> Run);

// One function for each family, in a file of its own. Nothing if the
// instruction is of another family, or not modelled.

std::optional<Operation> arithmeticOperation(const Instruction &I);
std::optional<Operation> productOperation(const Instruction &I);
std::optional<Operation> bitOperation(const Instruction &I);
std::optional<Operation> fieldOperation(const Instruction &I);
std::optional<Operation> comparisonOperation(const Instruction &I);
std::optional<Operation> floatOperation(const Instruction &I);
std::optional<Operation> conversionOperation(const Instruction &I);

/// Any of them.
std::optional<Operation> findOperation(const Instruction &I);

} // namespace unravel::ptx

#endif // UNRAVEL_TOOLS_PTX_FUZZ_INTERPRETER_OPERATION_H
