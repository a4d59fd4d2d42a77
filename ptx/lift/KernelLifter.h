//===- KernelLifter.h - A kernel of PTX as LLVM IR --------------*- C++ -*-===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Integer arithmetic, predicates, conversions, addresses, and plain loads and
// stores become IR that means exactly what PTX defines; every other instruction
// stays what it is, as inline assembly with its own text. A kernel with
// something that fits neither is refused, with the instruction's name.
//
// PTX knows neither undef nor poison nor undefined behaviour of arithmetic: no
// value of the IR is undef or poison, shifts clamp, a division by zero has some
// quotient, and no operation has flags that are not proved by its operands.
//
// Source: "Parallel Thread Execution ISA" 9.0, chapter 9.
//
//===----------------------------------------------------------------------===//

#ifndef UNRAVEL_PTX_LIFT_KERNELLIFTER_H
#define UNRAVEL_PTX_LIFT_KERNELLIFTER_H

#include "ptx/text/PtxSyntax.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/Error.h"
#include <memory>

namespace unravel::ptx {

struct LiftedKernel {
  /// The same kernel with other code. \p NewIR is a copy of \c IR.
  LiftedKernel with(std::unique_ptr<llvm::Module> NewIR) const;

  /// The kernel, and declarations of what it names.
  std::unique_ptr<llvm::Module> IR;
  llvm::Function *Kernel = nullptr;
  /// Line N of the kernel's debug locations stands for Places[N - 1]: a `.loc`
  /// directive, or an instruction if the kernel has no such directives. The
  /// first one is of the kernel as a whole: its first directive, or its name.
  /// All are parts of the module's text.
  std::vector<llvm::StringRef> Places;
  /// Whether some are `.loc` directives, which the new code repeats.
  bool HasLocations = false;
  /// Declarations in the body that a new body has to repeat.
  std::vector<llvm::StringRef> Declarations;
  /// The names that they declare.
  llvm::StringSet<> KeptNames;
  /// Whether addresses in shared, const and local memory have 32 bits: the
  /// layout of the module says so, and the backend has to be told
  /// (-nvptx-short-ptr).
  bool HasShortPointers = false;
  /// Whether divisions had short cuts for words without upper halves, which the
  /// new code should have as well.
  bool HasBypasses = false;
  /// Divisions with a guard: their divisor may be 0, for all that is known.
  std::vector<const Instruction *> GuardedDivisions;
  /// Whether the code waits for loads of tensor memory (AsyncRegisters.h): then
  /// the new code has to.
  bool WaitsForLoads = true;
};

/// The name of metadata of selections between floating-point numbers, which may
/// be words in the IR.
inline constexpr const char *ChoosesFloats = "ptx.floats";

/// What a division by zero is, and the lowest number by -1.
enum class BadDivision {
  Defined,  ///< as PTX says: it has some result and goes on
  Undefined ///< a promise: it is not executed, as in CUDA C++
};

/// Fails with the reason why \p Kernel stays as it is. The divisions in \p
/// AsText stay what they are, as if they were not modelled: they need no guard,
/// and nothing is known of their results.
llvm::Expected<LiftedKernel>
liftKernel(const Module &M, const Function &Kernel, llvm::LLVMContext &Context,
           BadDivision Division = BadDivision::Defined,
           llvm::ArrayRef<const Instruction *> AsText = {});

} // namespace unravel::ptx

#endif // UNRAVEL_PTX_LIFT_KERNELLIFTER_H
