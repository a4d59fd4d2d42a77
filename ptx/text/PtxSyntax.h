//===- PtxSyntax.h - A PTX module as a tree ---------------------*- C++ -*-===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What PtxParser reads: directives, variables, and functions with their
// statements. Every part knows the text that it was read from, and all strings
// point into that text, which has to outlive the tree. Parts that are printed
// as they came are copied byte for byte (PtxSplicer.h).
//
// Source: "Parallel Thread Execution ISA", versions 6.0 to 9.0.
//
//===----------------------------------------------------------------------===//

#ifndef UNRAVEL_PTX_TEXT_PTXSYNTAX_H
#define UNRAVEL_PTX_TEXT_PTXSYNTAX_H

#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"
#include <optional>
#include <variant>
#include <vector>

namespace unravel::ptx {

/// A type modifier: `.u32`, `.pred`, `.f16x2`.
struct Type {
  enum class Kind : uint8_t {
    Predicate,
    Bits, ///< `.b32`
    Unsigned,
    Signed,
    Float,      ///< `.f32`, `.f64`
    SmallFloat, ///< other floats, and lanes of them: `.bf16`, `.f16x2`, `.tf32`
    Packed      ///< lanes of integers: `.u16x2`
  };
  Kind K;
  unsigned Width; ///< In bits, of all lanes: 1 for `.pred`.

  bool isInteger() const {
    return K == Kind::Bits || K == Kind::Unsigned || K == Kind::Signed;
  }
  bool isSigned() const { return K == Kind::Signed; }
  bool isFloat() const { return K == Kind::Float; }
};

/// Reads a modifier without its dot: "s32". Nothing if it names no type.
std::optional<Type> parseType(llvm::StringRef Modifier);

struct Operand {
  enum class Kind : uint8_t {
    Name,    ///< `%r1`, `%tid.x`, `_`, `table`, and `table+8`
    Integer, ///< Value, two's complement
    Float,   ///< `0f3F800000`: Value has the bits; Width says how many
    Address, ///< `[Name+Value]`, or `[Value]` where Name is empty
    Vector,  ///< `{a, b}`: Parts
    Pair,    ///< `p|q`: Parts
    Not,     ///< `!p`: Parts[0]
    List,    ///< `(a, b)`, the arguments of a call: Parts
    Other    ///< something else, such as `[tensor, {x, y}]`
  };
  Kind K = Kind::Other;
  llvm::StringRef Text;
  llvm::StringRef Name;
  uint64_t Value = 0;
  unsigned Width = 0;
  std::vector<Operand> Parts;

  bool isName() const { return K == Kind::Name && Value == 0; }
  bool isInteger() const { return K == Kind::Integer; }
};

struct Instruction {
  /// The guard `@p` or `@!p`: empty if there is none.
  llvm::StringRef Predicate;
  bool IsNegated = false;
  /// With all modifiers: "ld.global.nc.v4.f32".
  llvm::StringRef Opcode;
  /// The parts between dots: "ld", "global", "nc", "v4", "f32".
  llvm::SmallVector<llvm::StringRef, 4> Words;
  llvm::SmallVector<Operand, 4> Operands;

  llvm::StringRef base() const { return Words.front(); }
  bool has(llvm::StringRef Modifier) const;
  /// The type that the opcode ends with.
  std::optional<Type> type() const { return parseType(Words.back()); }
};

struct Label {
  llvm::StringRef Name;
};

/// `.reg .b32 %r<12>, x;`
struct Registers {
  Type Of;
  unsigned Lanes = 1; ///< 2 or 4 for `.v2`, `.v4`
  struct Entry {
    llvm::StringRef Name;
    std::optional<unsigned> Count; ///< for `%r<12>`: %r0 to %r11

    bool declares(llvm::StringRef Register) const;
  };
  llvm::SmallVector<Entry, 2> Entries;
};

/// A variable or a parameter.
struct Variable {
  llvm::StringRef Space; ///< "global", "shared", "const", "local", "param"
  bool IsExtern = false;
  llvm::StringRef Name;
  Type Of = {Type::Kind::Bits, 8};
  /// In bytes; 0 for an array without size, `x[]`.
  uint64_t Size = 0;
  bool IsArray = false;
  unsigned Align = 1; ///< In bytes: what is stated, or that of the type.
  /// `.ptr`: a parameter that is an address, its space ("" if generic), and
  /// what it is a multiple of.
  bool IsPointer = false;
  llvm::StringRef PointerSpace;
  unsigned PointerAlign = 1;
  bool HasInitialiser = false;
};

/// The names of one declaration.
struct Variables {
  llvm::SmallVector<Variable, 1> All;
};

/// `.loc 1 12 3, function_name …`
struct Location {};

/// `{` and `}` inside of a body.
struct Scope {
  bool Begins;
};

/// Any other directive, without its dot, and what follows it: `.pragma`,
/// `.file`, `.branchtargets`.
struct Directive {
  llvm::StringRef Name;
  llvm::StringRef Rest;
};

struct Statement {
  llvm::StringRef Text; ///< Without the white space around it.
  std::variant<Instruction, Label, Registers, Variables, Location, Scope,
               Directive>
      What;

  template <typename T> const T *as() const { return std::get_if<T>(&What); }
};

/// `.maxntid 256, 1, 1` of a kernel.
struct Limit {
  llvm::StringRef Name; ///< without the dot
  llvm::SmallVector<uint64_t, 3> Values;
};

struct Function {
  bool IsKernel = false;
  llvm::StringRef Name;
  std::vector<Variable> Returns, Parameters;
  std::vector<Limit> Limits;
  bool HasBody = false;
  /// What stands between the braces of the body.
  llvm::StringRef BodyText;
  std::vector<Statement> Body;

  const Limit *limit(llvm::StringRef Name) const;
};

/// A part of a module outside of functions.
struct Item {
  llvm::StringRef Text;
  std::variant<Function, Variables, Directive> What;

  template <typename T> const T *as() const { return std::get_if<T>(&What); }
};

struct Module {
  llvm::StringRef Text;
  unsigned Major = 0, Minor = 0; ///< `.version`
  llvm::StringRef Target;        ///< "sm_90a": the first word of `.target`
  unsigned AddressSize = 32;
  std::vector<Item> Items;

  /// 78 for `.version 7.8`.
  unsigned version() const { return 10 * Major + Minor; }
  /// 90 for "sm_90a"; 0 for a target that is not named so.
  unsigned architecture() const;

  /// Null if there is none of that name that has a body.
  const Function *find(llvm::StringRef Name) const;
};

} // namespace unravel::ptx

#endif // UNRAVEL_PTX_TEXT_PTXSYNTAX_H
