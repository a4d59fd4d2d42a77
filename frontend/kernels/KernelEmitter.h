//===- KernelEmitter.h - HLO as GPU kernels ---------------------*- C++ -*-===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The entry of a module as NVVM IR: a kernel for each fusion and for each
// contraction of the entry itself. KernelPlan.h decides what kernels there are.
//
// The code is correct and naive. It computes every index where it is needed,
// see IndexEmitter.h and, for the alternative, MapIndexEmitter.h.
//
//===----------------------------------------------------------------------===//

#ifndef UNRAVEL_FRONTEND_KERNELS_KERNELEMITTER_H
#define UNRAVEL_FRONTEND_KERNELS_KERNELEMITTER_H

#include "frontend/plan/KernelPlan.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/JSON.h"
#include <array>

namespace unravel {

/// Where code for indices comes from: from each operation alone, or from the
/// composed maps of all of them (MapIndexEmitter.h).
enum class IndexSource { Naive, Maps };

struct KernelEmitterOptions : KernelLimits {
  IndexSource Indices = IndexSource::Naive;
};

struct EmittedKernel {
  std::string Name;
  std::array<uint32_t, 3> Grid = {1, 1, 1};
  uint32_t Block = 1;
  /// Threads that have work.
  uint64_t Threads = 0;
  /// The buffer of each parameter.
  std::vector<unsigned> Arguments;
  /// The buffers among them that it writes.
  std::vector<unsigned> Written;
};

/// What the program that launches kernels does next.
struct EmittedStep {
  enum class Kind {
    /// Launches kernel number Kernel.
    Launch,
    /// Copies Operands to Results. Then, as long as the output of computation
    /// Computations[0], whose inputs are Results, is true: runs
    /// Computations[1], whose inputs are Results, and copies its outputs, once
    /// all are there, to Results.
    While,
    /// Runs Computations[0] if Operands[0] is true, otherwise Computations[1];
    /// of a number, the computation of this number, and the last one if there
    /// is none. Inputs are the operands behind those of the computations before
    /// it; the outputs are copied to Results.
    Conditional,
    /// Calls a function of a library, which reads Operands and writes Results.
    Call
  };
  Kind StepKind = Kind::Launch;
  size_t Kernel = 0;
  /// Of the instruction.
  std::string Name;
  /// Numbers of buffers, and of EmittedModule::Computations.
  std::vector<unsigned> Operands, Results, Computations;
  /// Of a call: the function, or an operation of HLO, and the attributes of the
  /// instruction.
  std::string Target;
  bool IsOperation = false;
  std::vector<HloTextAttribute> Attributes;
};

struct EmittedComputation {
  std::string Name;
  /// Inputs in the order of the parameters, outputs in the order of the root's
  /// tuple, temporaries. Tuples are taken apart, from left to right.
  std::vector<KernelBuffer> Buffers;
  /// In the order in which they are launched, if there are no other steps.
  std::vector<EmittedKernel> Kernels;
  std::vector<EmittedStep> Steps;
};

/// The entry, and the computations that loops and branches run.
struct EmittedModule : EmittedComputation {
  std::unique_ptr<llvm::Module> IR;
  /// Those that a computation runs come before it.
  std::vector<EmittedComputation> Computations;

  size_t kernelCount() const;
  /// The launches and buffers, for a program that runs the kernels.
  llvm::json::Value manifest() const;
};

/// The kernels of \p Entry, a computation of the verified \p Module, as valid
/// IR. Errors: unsupported operations, with their places.
llvm::Expected<EmittedModule> emitKernels(const HloModule &Module,
                                          const HloComputation &Entry,
                                          llvm::LLVMContext &Context,
                                          const KernelEmitterOptions &Options);

} // namespace unravel

#endif // UNRAVEL_FRONTEND_KERNELS_KERNELEMITTER_H
