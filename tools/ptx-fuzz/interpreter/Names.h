//===- Names.h - What the names in a function stand for ---------*- C++ -*-===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A name is looked up from the innermost scope outwards. Registers and
// variables are there from their declaration on, labels in all of their scope.
//
//===----------------------------------------------------------------------===//

#ifndef UNRAVEL_TOOLS_PTX_FUZZ_INTERPRETER_NAMES_H
#define UNRAVEL_TOOLS_PTX_FUZZ_INTERPRETER_NAMES_H

#include "tools/ptx-fuzz/interpreter/Program.h"

namespace unravel::ptx {

struct Symbol {
  bool IsRegister = false;
  unsigned Slot = 0, Width = 0; ///< of a register
  Space In = Space::Global;     ///< of a variable
  uint64_t Address = 0;
  /// Why a variable has no address; empty if it has.
  std::string NotModelled;
};

class Names {
public:
  /// Collects the labels; a label stands for the number of instructions in
  /// front of it.
  explicit Names(const Function &F);

  void enterScope();
  void leaveScope();
  llvm::Error declare(const Registers &R);
  void declare(llvm::StringRef Name, Symbol S);

  const Symbol *find(llvm::StringRef Name) const;
  std::optional<size_t> findLabel(llvm::StringRef Name) const;
  /// The labels of the `.branchtargets` behind a label.
  std::optional<llvm::SmallVector<llvm::StringRef>>
  findTargets(llvm::StringRef Name) const;

  /// The width of each register, by its slot.
  const std::vector<unsigned> &slotWidths() const { return Widths; }

private:
  struct Scope {
    llvm::StringMap<Symbol> Symbols;
    llvm::StringMap<size_t> Labels;
    llvm::StringMap<llvm::StringRef> Targets;
  };
  std::vector<Scope> Scopes; ///< In the order of their beginnings.
  std::vector<unsigned> Open;
  unsigned NumEntered = 0;
  std::vector<unsigned> Widths;
};

} // namespace unravel::ptx

#endif // UNRAVEL_TOOLS_PTX_FUZZ_INTERPRETER_NAMES_H
