//===- KernelLowering.h - From a lifted kernel to a body of PTX -*- C++ -*-===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Raises, simplifies, and prints through LLVM's NVPTX backend. What comes out
// stands between the braces of the old kernel: parameters keep their names, and
// variables, pragmas and line information are the old module's.
//
//===----------------------------------------------------------------------===//

#ifndef UNRAVEL_PTX_LOWER_KERNELLOWERING_H
#define UNRAVEL_PTX_LOWER_KERNELLOWERING_H

#include "ptx/backend/AnalysisManagers.h"
#include "ptx/backend/NvptxTarget.h"
#include "ptx/lift/KernelLifter.h"
#include "ptx/price/PtxCounts.h"
#include "transforms/AddIndexSimplifyPasses.h"
#include "transforms/late/LatePrices.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Target/TargetMachine.h"

namespace unravel::ptx {

/// The backend for the modules of one target and version.
class Backend {
public:
  /// For \p M's `.target` and `.version`; for the newest that LLVM knows where
  /// it does not know these. Fails if LLVM has no NVPTX target.
  static llvm::Expected<Backend> create(const Module &M);

  /// With addresses in shared memory of 32 bits, or of 64.
  llvm::TargetMachine &machine(bool HasShortPointers) const;

private:
  using Flag = llvm::cl::opt<bool>;
  struct Reset {
    void operator()(Flag *Option) const;
  };

  NvptxTarget Target;
  std::string CPU, Features;
  /// How wide addresses in shared memory are is an option of LLVM's.
  Flag *ShortPointers = nullptr;
  /// Made when they are asked for: most modules need the short ones alone.
  mutable std::unique_ptr<llvm::TargetMachine> Short, Long;
  /// -disable-lsr, for as long as this lives. The compiler that wrote the
  /// module has chosen what its loops count. LLVM's loop strength reduction
  /// would choose again, for few registers and with more instructions in the
  /// loop: pointers that were stepped become a sum each time.
  std::unique_ptr<Flag, Reset> KeptCounters;
};

/// What a kernel is expected to cost in PTX, before LLVM's last optimisations.
struct EstimatedCost {
  LatePrice Price;
  unsigned Divisions = 0; ///< by what is no constant
};

/// Optimises a lifted kernel in two steps. Between them one can tell what the
/// passes for indices have made of it: of two ways to lift a kernel only the
/// better one has to be finished and lowered, which takes a third of the time.
class KernelOptimizer {
public:
  /// With \p KeepHiddenCounters, ptxas does not unroll what it did not unroll
  /// before (ExitTests.h). \p Kernel and \p Target have to live longer.
  KernelOptimizer(LiftedKernel &Kernel, const IndexSimplifyPasses &Passes,
                  const Backend &Target, bool KeepHiddenCounters);

  /// Raises addresses and divisions, and runs LLVM's optimisations up to the
  /// passes for indices. If the kernel has a second body for ordinary launches
  /// then, it has no other: in place of the first one stands a marker, for
  /// withFallback(). Returns the kernel with the first body alone.
  std::optional<LiftedKernel> simplify();
  EstimatedCost estimate(const LiftedKernel &Simplified);
  /// Runs what LLVM has behind these passes, on the kernel or on what
  /// simplify() returned.
  void finish(LiftedKernel &Simplified);

private:
  void raise();
  /// Whether the pass of this name runs on the loop, function or module \p Of.
  bool shouldRun(llvm::StringRef Pass, const llvm::Any &Of);

  LiftedKernel &Kernel;
  const IndexSimplifyPasses Passes;
  bool KeepHiddenCounters;
  llvm::PassInstrumentationCallbacks Callbacks;
  llvm::PassBuilder PB;
  std::unique_ptr<llvm::Module> RestIR;
  AnalysisManagers Managers;
  llvm::ModulePassManager MPM;
  /// What runs of the pipeline: what is in front of SplitBodiesPass, and that
  /// pass, or what is behind it.
  bool IsFinishing = false, HasPassed = false;
};

struct LoweredBody {
  std::string Statements;
  PtxCounts Counts;
  /// Those without repeated comparisons, which save ptxas more than they cost
  /// (ptx/forms/NearTests.h).
  PtxCounts Judged;
};

/// The new body. \p Kernel is lowered and of no use any more. Fails if the body
/// needs something that the module does not declare.
llvm::Expected<LoweredBody> lower(LiftedKernel &Kernel, const Module &M,
                                  const Function &Old, const Backend &Target);

/// Stands in each body that composeBody() made: what is simplified stays so.
inline constexpr const char *SimplifiedComment = "// simplified by unravel";

/// What stands between the braces of a kernel: \p Kernel's declarations and
/// \p Statements.
std::string composeBody(const LiftedKernel &Kernel, llvm::StringRef Statements);

/// Puts \p Rest into \p Statements, which simplify() gave a second body, for
/// all other launches. Fails if the backend changed the place.
llvm::Expected<std::string> withFallback(llvm::StringRef Statements,
                                         llvm::StringRef Rest);

/// The statements of \p Old as they are, without the declarations that
/// composeBody() repeats.
std::string oldStatements(const Function &Old);

} // namespace unravel::ptx

#endif // UNRAVEL_PTX_LOWER_KERNELLOWERING_H
