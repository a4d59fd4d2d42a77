//===- WantedFact.h - A fact that divisions are missing ---------*- C++ -*-===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef UNRAVEL_TRANSFORMS_SIMPLIFY_WANTEDFACT_H
#define UNRAVEL_TRANSFORMS_SIMPLIFY_WANTEDFACT_H

#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/SmallSet.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/Instruction.h"
#include "llvm/IR/Intrinsics.h"
#include <optional>
#include <string>

namespace unravel {

struct WantedFact {
  enum class About {
    Launch,  ///< a size, which all threads agree on
    Value,   ///< a value of one thread
    Bound,   ///< a sum of products of sizes
    Grid,    ///< the index of the last thread
    Product, ///< two to four sizes
  };
  /// A size of a sum of products: a value, or a register if that is null.
  struct Factor {
    llvm::Value *Source;
    llvm::Intrinsic::ID Register;
  };
  struct Monomial {
    uint64_t Coefficient;
    llvm::SmallVector<Factor, 2> Factors;
  };

  About Kind = About::Launch;
  std::string Text; ///< the name of the size, the terms of the bound
  llvm::SmallVector<std::string, 4> Factors; ///< of a product
  bool HasLeast = false, HasMost = false, IsPromise = false;
  int64_t Least = 0;
  uint64_t Most = INT32_MAX;
  std::optional<unsigned> ArgumentNumber;

  /// What it is about, in the kernel: of a size or a value what has this name,
  /// of the others the sum.
  llvm::SmallSetVector<llvm::Value *, 2> Values;
  llvm::SmallVector<Monomial, 2> Sum;

  bool Unsigned = false, Narrow = false; ///< what divisions would become
  llvm::Instruction *First = nullptr;
  /// A quotient and its remainder are one division.
  llvm::SmallSet<std::pair<llvm::Value *, llvm::Value *>, 4> Divisions;
  /// What the fact saves, in the instructions of one thread weighted by loop
  /// depth, if the others that are suggested are stated; known by trial.
  std::optional<uint64_t> Saving;

  std::string condition() const;
  /// Whether the names of the source are known, so that line() compiles.
  bool isWritable() const;
  std::string line() const;
  /// The limits in a facts file, such as "min": 1; empty if it cannot say so.
  std::string fileLimits() const;
  /// An option that states it for all kernels, as clang takes it; or empty.
  std::string flag() const;
  /// Facts that are easier to know, each of which may be enough.
  llvm::SmallVector<WantedFact, 2> weaker() const;
};

} // namespace unravel

#endif // UNRAVEL_TRANSFORMS_SIMPLIFY_WANTEDFACT_H
