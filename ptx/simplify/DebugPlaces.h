//===- DebugPlaces.h - Places that a module names ---------------*- C++ -*-===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Compilers that give lines of the source, as Triton does, also print sections
// that say where a kernel begins and ends, and between which labels a function
// was inlined. ptxas reads them for -g only, but it wants the labels. Lines,
// and the functions that they were inlined from, come from .loc; one of another
// function may need the place of a call that stands in this one.
//
//===----------------------------------------------------------------------===//

#ifndef UNRAVEL_PTX_SIMPLIFY_DEBUGPLACES_H
#define UNRAVEL_PTX_SIMPLIFY_DEBUGPLACES_H

#include "ptx/text/PtxSyntax.h"
#include "ptx/text/SourcePlaces.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/Error.h"
#include <string>

namespace unravel::ptx {

/// What the sections and functions of a module name in its kernels.
class DebugPlaces {
public:
  explicit DebugPlaces(const Module &M);

  /// \p Body, a new one for \p Kernel, with the labels of the old body that
  /// sections name. Those in front of the code stay there, and all others are
  /// behind it: the kernel has its range, and those of inlined functions are
  /// empty. Behind it are also the places that other functions count on.
  std::string addTo(llvm::StringRef Body, const Function &Kernel) const;

  /// Fails if the module describes the variables of \p Kernel to a debugger
  /// (nvcc -G): they are not where they were in other code.
  llvm::Error check(const Function &Kernel) const;

private:
  void noteBorrowed(const Function &F);

  llvm::StringSet<> Names;
  bool IsForDebugger = false; ///< `.target sm_90, debug`
  llvm::StringSet<> Ranges;   ///< in lists of where variables are
  /// Places of calls that functions with the inlined code do not have above it.
  llvm::DenseSet<LineNumbers> Borrowed;
};

} // namespace unravel::ptx

#endif // UNRAVEL_PTX_SIMPLIFY_DEBUGPLACES_H
