//===- KernelText.h - The text of a kernel as it grows ----------*- C++ -*-===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Two kinds of registers: values, which are written once and are known from
// there to the end of their block; and variables, which are written at the
// beginning of the kernel and then anywhere, under predicates and in loops too.
// So nothing is read that was not written.
//
//===----------------------------------------------------------------------===//

#ifndef UNRAVEL_TOOLS_PTX_FUZZ_GENERATOR_KERNELTEXT_H
#define UNRAVEL_TOOLS_PTX_FUZZ_GENERATOR_KERNELTEXT_H

#include "tools/kernel-fuzz/random/FuzzRandom.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/ADT/Twine.h"
#include <array>
#include <string>
#include <vector>

namespace unravel::ptx {

/// The classes of registers, by their first letters: %p1, %h1, %r1, %d1.
enum class Class : uint8_t { Predicate, Half, Word, Double };
inline constexpr unsigned NumClasses = 4;

Class classOfWidth(unsigned Width);
unsigned widthOf(Class C);

class KernelText {
public:
  explicit KernelText(uint64_t Seed) : R(Seed) {}

  FuzzRandom R;

  // Text.

  /// "\tTEXT;\n"
  void line(const llvm::Twine &Text);
  void label(llvm::StringRef Name);
  void raw(const llvm::Twine &Text) { Body += Text.str(); }
  std::string freshLabel();
  const std::string &body() const { return Body; }
  /// The `.reg` lines of all that fresh gave.
  std::string declarations() const;

  // Registers.

  /// A register that was not written yet.
  std::string fresh(Class C);
  /// "OPCODE %new, REST": the new register becomes a value.
  std::string value(Class C, const llvm::Twine &Opcode,
                    const llvm::Twine &Rest);
  void addValue(Class C, std::string Name);
  void addVariable(Class C, std::string Name);
  const std::string &variable(Class C);
  llvm::ArrayRef<std::string> variables(Class C) const {
    return Variables[unsigned(C)];
  }

  /// A value or variable.
  std::string reg(Class C);
  /// The same, or a number.
  std::string operand(Class C);
  std::string immediate(Class C);
  /// Of 32 bits, mostly near the widths of registers.
  std::string shiftAmount();

  // Blocks: what is known inside is forgotten behind.

  using Mark = std::array<size_t, NumClasses>;
  Mark enter() const;
  void leave(const Mark &M);
  /// Hides and shows values: a scope may have registers of the same names.
  void removeValues(llvm::StringRef Prefix);
  using Known = std::array<std::vector<std::string>, NumClasses>;
  const Known &known() const { return Values; }
  void setKnown(Known K) { Values = std::move(K); }

private:
  std::string Body;
  Known Values, Variables;
  std::array<unsigned, NumClasses> Count = {};
  unsigned NumLabels = 0;
};

} // namespace unravel::ptx

#endif // UNRAVEL_TOOLS_PTX_FUZZ_GENERATOR_KERNELTEXT_H
