//===- PtxPipes.cpp - Which pipes a PTX instruction goes to ---------------===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ptx/limits/PtxPipes.h"
#include "ptx/price/PtxCounts.h"
#include "ptx/text/PtxSyntax.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/ErrorHandling.h"

using namespace llvm;

namespace unravel {

//===----------------------------------------------------------------------===//
// Integers
//===----------------------------------------------------------------------===//

namespace {
/// Of the price of an instruction, what is no plain integer instruction.
struct Parts {
  unsigned Multiply, Special, Sum;
};
} // namespace

static Parts partsOf(PtxClass Class, bool Is64) {
  switch (Class) {
  case PtxClass::Simple:
  case PtxClass::MinMax:
  case PtxClass::Absolute:
  case PtxClass::Convert:
  case PtxClass::Address:
  case PtxClass::Access:
    return {0, 0, 0};
  case PtxClass::Multiply:
    return {Is64 ? 3u : 1u, 0, Is64 ? 1u : 0u};
  case PtxClass::MultiplyHigh:
    return {Is64 ? 4u : 1u, 0, Is64 ? 2u : 0u};
  case PtxClass::SignedMultiplyHigh:
    return {Is64 ? 6u : 1u, 0, Is64 ? 3u : 0u};
  case PtxClass::MultiplyWide:
    return {1, 0, 0};
  case PtxClass::Division: // I2F, MUFU.RCP and F2I
    return {Is64 ? 31u : 6u, 3, Is64 ? 17u : 5u};
  case PtxClass::SignedDivision:
    return {Is64 ? 38u : 9u, 3, Is64 ? 18u : 5u};
  }
  llvm_unreachable("covered switch");
}

static PtxPipes integerPipes(const PtxInstClass &Class, StringRef Base) {
  PtxPipes Pipes;
  Pipes.IsIndex = true;
  PipeCounts &Counts = Pipes.Counts;
  // These are at the rate of special functions (CUDA's table), and dot products
  // at that of multiplications.
  if (is_contained({"popc", "clz", "brev", "bfind", "fns"}, Base)) {
    Counts.Special = Class.Cost;
    return Pipes;
  }
  if (Base == "dp4a" || Base == "dp2a") {
    Counts.Multiply = Class.Cost;
    return Pipes;
  }
  if (is_contained({"add", "addc", "sub", "subc", "shl"}, Base)) {
    Counts.Sum = Class.Cost;
    return Pipes;
  }
  Parts P = partsOf(*Class.Class, Class.Integer64);
  Counts.Sum = P.Sum;
  Counts.Multiply = P.Multiply;
  Counts.Special = P.Special;
  Counts.Integer = Class.Cost - P.Multiply - P.Special - P.Sum;
  return Pipes;
}

//===----------------------------------------------------------------------===//
// Floating point
//===----------------------------------------------------------------------===//

/// Of the pipe that adds numbers of a type.
static double &arithmeticOf(PipeCounts &Counts, const ptx::Type &Type) {
  if (Type.isFloat() && Type.Width == 64)
    return Counts.Fp64;
  return Type.isFloat() && Type.Width == 32 ? Counts.Fp32 : Counts.Fp16;
}

static PipeCounts sequence(double Integer, double Fp32, double Fp64,
                           double Other) {
  PipeCounts Counts;
  Counts.Integer = Integer;
  Counts.Fp32 = Fp32;
  Counts.Fp64 = Fp64;
  Counts.Special = 1;
  Counts.Other = Other;
  return Counts;
}

/// Reciprocals, roots, logarithms and the like: one special function, and what
/// scales its operand and corrects its result.
static PipeCounts functionPipes(StringRef Base, ArrayRef<StringRef> Modifiers,
                                const ptx::Type &Type) {
  bool IsApproximate =
      is_contained(Modifiers, "approx") || is_contained(Modifiers, "full");
  if (Type.Width == 64 && !IsApproximate)
    return Base == "div"   ? sequence(5, 1, 8, 3)
           : Base == "rcp" ? sequence(4, 0, 5, 3)
                           : sequence(5, 0, 8, 3);
  if (!IsApproximate)
    return Base == "div"   ? sequence(1, 5, 0, 3)
           : Base == "rcp" ? sequence(2, 3, 0, 3)
                           : sequence(2, 4, 0, 3);
  if (Base == "div")
    return is_contained(Modifiers, "full") ? sequence(2, 5, 0, 0)
                                           : sequence(1, 3, 0, 0);
  if (Base == "sin" || Base == "cos")
    return sequence(0, 1, 0, 0);
  // Tiny operands are scaled if they are not taken for zero.
  bool IsPlain = Base == "tanh" || is_contained(Modifiers, "ftz") ||
                 Type.Width != 32 || !Type.isFloat();
  return IsPlain ? sequence(0, 0, 0, 0) : sequence(1, 2, 0, 0);
}

/// Numbers of 16 and 32 bits are converted at the rate of integers.
static PipeCounts conversionPipes(ArrayRef<ptx::Type> Types) {
  PipeCounts Counts;
  bool IsFast = all_of(Types, [](const ptx::Type &T) {
    return !T.isInteger() && T.Width <= 32;
  });
  (IsFast ? Counts.Integer : Counts.Special) = 1;
  return Counts;
}

static std::optional<PipeCounts> floatPipes(StringRef Base,
                                            ArrayRef<StringRef> Modifiers,
                                            ArrayRef<ptx::Type> Types) {
  // `fma.rn.f32x2` of newer GPUs is no pair of 16 bits.
  if (Types.empty() || any_of(Types, [](const ptx::Type &T) {
        return T.K == ptx::Type::Kind::SmallFloat && T.Width > 32;
      }))
    return std::nullopt;
  PipeCounts Counts;
  if (Base == "cvt")
    return conversionPipes(Types);
  // `set.u32.f32` compares floats: the last type is what is computed on.
  const ptx::Type &Type = Types.back();
  bool Is64 = Type.Width == 64;
  if (is_contained({"add", "sub", "mul", "fma", "mad", "abs", "neg"}, Base)) {
    arithmeticOf(Counts, Type) = 1;
  } else if (is_contained({"setp", "set", "min", "max"}, Base)) {
    bool IsMinMax = Base == "min" || Base == "max";
    if (Type.isFloat() && Type.Width == 32)
      Counts.Integer = 1;
    else
      arithmeticOf(Counts, Type) = 1;
    if (Is64 && IsMinMax) // a comparison and selections
      Counts.Integer = 6;
  } else if (is_contained({"selp", "slct", "copysign", "testp"}, Base)) {
    Counts.Integer = Is64 ? 2 : 1;
  } else if (is_contained({"div", "rcp", "sqrt", "rsqrt", "sin", "cos", "lg2",
                           "ex2", "tanh"},
                          Base)) {
    return functionPipes(Base, Modifiers, Type);
  } else {
    return std::nullopt;
  }
  return Counts;
}

//===----------------------------------------------------------------------===//
// All instructions
//===----------------------------------------------------------------------===//

/// What is only issued: control flow, synchronisation, and accesses, whose
/// traffic is counted elsewhere.
static bool isOnlyIssued(StringRef Base, ArrayRef<StringRef> Modifiers) {
  // What moves data without the threads takes time of its own.
  if (any_of(Modifiers, [](StringRef M) {
        return M == "bulk" || M == "tensor" || M == "mbarrier";
      }))
    return false;
  if (Base == "cp")
    return !Modifiers.empty() && Modifiers.front() == "async";
  if (Base == "st" || Base == "red")
    return !is_contained(Modifiers, "async");
  return is_contained(
      {"bra",      "brx",       "ret",    "exit",           "trap",
       "bar",      "barrier",   "membar", "fence",          "nanosleep",
       "prefetch", "prefetchu", "vote",   "activemask",     "elect",
       "ld",       "ldu",       "atom",   "griddepcontrol", "createpolicy",
       "isspacep"},
      Base);
}

std::optional<PtxPipes> pipesOf(StringRef Opcode) {
  SmallVector<StringRef, 8> Modifiers;
  Opcode.split(Modifiers, '.');
  StringRef Base = Modifiers.front();
  Modifiers.erase(Modifiers.begin());
  SmallVector<ptx::Type, 2> Types;
  for (StringRef Modifier : Modifiers)
    if (std::optional<ptx::Type> Type = ptx::parseType(Modifier))
      Types.push_back(*Type);

  PtxPipes Pipes;
  if (PtxInstClass Class = classifyPtxOpcode(Opcode); Class.Integer)
    return integerPipes(Class, Base);
  bool IsParameter = any_of(
      Modifiers, [](StringRef M) { return M.split("::").first == "param"; });
  if (Base == "mov" || Base == "cvta" || Base == "pragma" ||
      (Base == "ld" && IsParameter))
    return Pipes;
  if (Base == "shfl") {
    Pipes.Counts.Other = Pipes.Wavefronts = 1;
    return Pipes;
  }
  if (Base == "redux") {
    Pipes.Counts.Special = 1;
    return Pipes;
  }
  if (isOnlyIssued(Base, Modifiers)) {
    Pipes.Counts.Other = 1;
    return Pipes;
  }
  if (!Types.empty() && Types.back().K == ptx::Type::Kind::Predicate &&
      is_contained({"and", "or", "xor", "not"}, Base)) {
    Pipes.IsIndex = true;
    Pipes.Counts.Integer = 1;
    return Pipes;
  }
  std::optional<PipeCounts> Float = floatPipes(Base, Modifiers, Types);
  if (!Float)
    return std::nullopt;
  Pipes.Counts = *Float;
  return Pipes;
}

} // namespace unravel
