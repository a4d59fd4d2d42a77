//===- KernelFacts.h - What people state about a kernel ---------*- C++ -*-===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Facts about the launches of a kernel, kept in function attributes:
//
//   "unravel.grid"="469,1,1"     gridDim, exactly
//   "unravel.block"="..256,1,*"  blockDim: at most 256, exactly 1, anything
//   "unravel.arg.2"="min=1,max=4096,multiple_of=4"
//
// They are promises: a launch that breaks one has undefined behaviour.
//
//===----------------------------------------------------------------------===//

#ifndef UNRAVEL_TRANSFORMS_FACTS_KERNELFACTS_H
#define UNRAVEL_TRANSFORMS_FACTS_KERNELFACTS_H

#include "llvm/ADT/StringSet.h"
#include "llvm/IR/PassManager.h"
#include <array>
#include <map>

namespace llvm {
class AssumptionCache;
class LLVMContext;
} // namespace llvm

namespace unravel {

/// gridDim or blockDim: the least and the largest size of a dimension.
struct SizeFact {
  int64_t Least, Most;
};
using SizeFacts = std::array<std::optional<SizeFact>, 3>;

struct ArgumentFact {
  std::optional<int64_t> Min, Max, MultipleOf;
};

struct KernelFacts {
  SizeFacts Grid, Block;
  std::map<unsigned, ArgumentFact> Arguments; ///< in their order
};

/// Errors about facts, each once: passes see a function several times.
class FactErrors {
public:
  /// Makes the compilation fail.
  void report(llvm::LLVMContext &Context, const llvm::Twine &Message);
  void warn(llvm::LLVMContext &Context, const llvm::Twine &Message);

private:
  llvm::StringSet<> Reported;
};

/// Whether \p F is a kernel, so that its launch can be known.
bool isKernel(const llvm::Function &F);

/// The text of an attribute.
std::string toText(const SizeFacts &Sizes);
std::string toText(const ArgumentFact &Fact);

/// Why the facts about the launch or about an argument of \p F are impossible
/// or contradict its launch bounds; empty if they do not.
std::string whyWrongGrid(const SizeFacts &Grid);
std::string whyWrongBlock(const SizeFacts &Block, const llvm::Function &F);
std::string whyWrong(const ArgumentFact &Fact, unsigned Index,
                     const llvm::Function &F);

/// Reads the attributes of \p F. Those that are malformed, impossible, or
/// contradict the launch bounds are reported and removed.
KernelFacts readKernelFacts(llvm::Function &F, FactErrors &Errors);

/// Applies what can be an attribute or a range on a read, and assumes the rest
/// at the entry, once. True if something changed.
bool applyKernelFacts(llvm::Function &F, const KernelFacts &Facts,
                      llvm::AssumptionCache &AC, FactErrors &Errors);

/// Removes what applyKernelFacts notes for itself. True if there was anything.
bool forgetKernelFacts(llvm::Function &F);

} // namespace unravel

#endif // UNRAVEL_TRANSFORMS_FACTS_KERNELFACTS_H
