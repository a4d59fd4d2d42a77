//===- Variables.h - Where variables lie and what they hold -----*- C++ -*-===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef UNRAVEL_TOOLS_PTX_FUZZ_INTERPRETER_VARIABLES_H
#define UNRAVEL_TOOLS_PTX_FUZZ_INTERPRETER_VARIABLES_H

#include "tools/ptx-fuzz/interpreter/Names.h"

namespace unravel::ptx {

/// Gives the variables of modules and functions their places.
class VariablePlacer {
public:
  VariablePlacer(Program &P, Names &N) : P(P), N(N) {}

  /// \p Text is that of the declaration: the tree has no initialisers.
  llvm::Error place(const Variables &Declared, llvm::StringRef Text);
  /// The same for those of the module, of which a kernel uses some: what has no
  /// place is an error where it is used.
  void placeGlobals(const Variables &Declared, llvm::StringRef Text);
  llvm::Error placeParameters(const Function &Kernel);

private:
  llvm::Error placeOne(const Variable &V, llvm::StringRef Text);

  Program &P;
  Names &N;
};

/// The bytes of variable \p V, as the declaration \p Text says; names in it
/// are generic addresses by \p N.
llvm::Expected<std::vector<uint8_t>>
initialiserOf(const Variable &V, llvm::StringRef Text, const Names &N);

} // namespace unravel::ptx

#endif // UNRAVEL_TOOLS_PTX_FUZZ_INTERPRETER_VARIABLES_H
