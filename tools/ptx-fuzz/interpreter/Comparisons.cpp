//===- Comparisons.cpp - setp, set, selp, slct, testp ---------------------===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tools/ptx-fuzz/interpreter/FloatFormat.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace unravel::ptx {

using Comparison = std::function<bool(uint64_t, uint64_t)>;

static Comparison integerComparison(StringRef Name, const Type &T) {
  unsigned Width = T.Width;
  // lo, ls, hi, hs compare unsigned numbers.
  bool IsSigned = T.isSigned();
  auto Compare = [=](uint64_t A, uint64_t B) {
    if (A == B)
      return 0;
    bool IsLess = IsSigned ? signedOf(A, Width) < signedOf(B, Width) : A < B;
    return IsLess ? -1 : 1;
  };
  if (Name == "eq")
    return [=](uint64_t A, uint64_t B) { return A == B; };
  if (Name == "ne")
    return [=](uint64_t A, uint64_t B) { return A != B; };
  if (T.K == Type::Kind::Bits)
    return nullptr;
  bool IsUnsignedName = is_contained({"lo", "ls", "hi", "hs"}, Name);
  if (IsUnsignedName && IsSigned)
    return nullptr;
  if (Name == "lt" || Name == "lo")
    return [=](uint64_t A, uint64_t B) { return Compare(A, B) < 0; };
  if (Name == "le" || Name == "ls")
    return [=](uint64_t A, uint64_t B) { return Compare(A, B) <= 0; };
  if (Name == "gt" || Name == "hi")
    return [=](uint64_t A, uint64_t B) { return Compare(A, B) > 0; };
  if (Name == "ge" || Name == "hs")
    return [=](uint64_t A, uint64_t B) { return Compare(A, B) >= 0; };
  return nullptr;
}

static Comparison floatComparison(StringRef Name, const FloatFormat &Format,
                                  bool Flushes) {
  using Result = APFloat::cmpResult;
  auto Holds = [](StringRef Name, Result R) {
    return (Name == "eq" && R == Result::cmpEqual) ||
           (Name == "ne" && R != Result::cmpEqual) ||
           (Name == "lt" && R == Result::cmpLessThan) ||
           (Name == "le" &&
            (R == Result::cmpLessThan || R == Result::cmpEqual)) ||
           (Name == "gt" && R == Result::cmpGreaterThan) ||
           (Name == "ge" &&
            (R == Result::cmpGreaterThan || R == Result::cmpEqual));
  };
  // `ltu` holds for unordered operands too, `lt` and `ne` do not.
  bool IfUnordered = Name == "nan" ||
                     (Name.size() == 3 && Name != "num" && Name.ends_with("u"));
  bool IfOrdered = Name == "num";
  StringRef Plain = IfUnordered && Name != "nan" ? Name.drop_back() : Name;
  if (!is_contained({"eq", "ne", "lt", "le", "gt", "ge", "num", "nan"}, Plain))
    return nullptr;
  return [=](uint64_t A, uint64_t B) {
    Result R = Format.read(A, Flushes).compare(Format.read(B, Flushes));
    if (R == Result::cmpUnordered)
      return IfUnordered;
    return IfOrdered || Holds(Plain, R);
  };
}

/// What stands in the opcode of setp and set in front of the types.
struct ComparisonWords {
  Comparison Holds;
  StringRef Combine; ///< and, or, xor, or empty
  unsigned Width;
};

static std::optional<ComparisonWords> readComparison(OpcodeReader &R) {
  StringRef TypeWord;
  std::optional<Type> T = R.takeType(&TypeWord);
  if (!T)
    return std::nullopt;
  bool Flushes = R.take("ftz");
  StringRef Name =
      R.takeOneOf({"eq", "ne", "lt", "le", "gt", "ge", "lo", "ls", "hi", "hs",
                   "equ", "neu", "ltu", "leu", "gtu", "geu", "num", "nan"});
  ComparisonWords Words;
  Words.Combine = R.takeOneOf({"and", "or", "xor"});
  Words.Width = T->Width;
  if (T->isInteger() && T->Width >= 16 && T->Width <= 64 && !Flushes) {
    Words.Holds = integerComparison(Name, *T);
  } else if (auto Format = floatFormat(TypeWord);
             Format && Format->Lanes == 1) {
    Words.Holds = floatComparison(Name, *Format, Flushes);
  }
  if (!Words.Holds)
    return std::nullopt;
  return Words;
}

static bool combine(StringRef How, bool A, bool B) {
  if (How == "and")
    return A && B;
  if (How == "or")
    return A || B;
  return How == "xor" ? A != B : A;
}

/// p = (a < b) op c, q = !(a < b) op c
static std::optional<Operation> setPredicateOf(OpcodeReader &R) {
  std::optional<ComparisonWords> Words = readComparison(R);
  if (!Words || !R.isDone())
    return std::nullopt;
  Operation O;
  O.ResultWidth = O.SecondWidth = 1;
  O.OperandWidths = {Words->Width, Words->Width};
  if (!Words->Combine.empty())
    O.OperandWidths.push_back(1);
  O.Run = [Words = *Words](Values V, ThreadFlags &) {
    bool Holds = Words.Holds(V[0], V[1]);
    bool C = V.size() > 2 && V[2];
    return Results{combine(Words.Combine, Holds, C),
                   combine(Words.Combine, !Holds, C)};
  };
  return O;
}

/// All ones, or 1.0, where the comparison holds.
static std::optional<Operation> setOf(OpcodeReader &R) {
  std::optional<ComparisonWords> Words = readComparison(R);
  std::optional<Type> T = R.takeType();
  if (!Words || !T || !R.isDone() || T->Width != 32 ||
      T->K == Type::Kind::Bits || T->K == Type::Kind::Packed)
    return std::nullopt;
  uint64_t True = T->isFloat() ? 0x3f800000 : 0xffffffff;
  Operation O;
  O.ResultWidth = 32;
  O.OperandWidths = {Words->Width, Words->Width};
  if (!Words->Combine.empty())
    O.OperandWidths.push_back(1);
  O.Run = [Words = *Words, True](Values V, ThreadFlags &) {
    bool Holds = Words.Holds(V[0], V[1]);
    bool Is = combine(Words.Combine, Holds, V.size() > 2 && V[2]);
    return Results{Is ? True : 0, 0};
  };
  return O;
}

static std::optional<Operation> selectOf(OpcodeReader &R) {
  std::optional<Type> T = R.takeType();
  if (!T || !R.isDone() || T->K == Type::Kind::Packed || T->Width < 16 ||
      T->Width > 64)
    return std::nullopt;
  Operation O = uniformOperation(T->Width, 3,
                                 [](Values V) { return V[2] ? V[0] : V[1]; });
  O.OperandWidths[2] = 1;
  return O;
}

/// slct: c >= 0 ? a : b
static std::optional<Operation> selectBySignOf(OpcodeReader &R) {
  std::optional<Type> By = R.takeType();
  bool Flushes = R.take("ftz");
  std::optional<Type> T = R.takeType();
  if (!By || !T || !R.isDone() || T->K == Type::Kind::Packed || T->Width < 16 ||
      T->Width > 64 || By->Width != 32)
    return std::nullopt;
  std::function<bool(uint64_t)> IsFirst;
  if (By->isSigned() && !Flushes)
    IsFirst = [](uint64_t C) { return signedOf(C, 32) >= 0; };
  else if (By->isFloat())
    IsFirst = [=](uint64_t C) {
      // NaN is not at least zero; -0.0 is.
      APFloat F = floatFormat("f32")->read(C, Flushes);
      return !F.isNaN() && (F.isZero() || !F.isNegative());
    };
  else
    return std::nullopt;
  Operation O = uniformOperation(
      T->Width, 3, [=](Values V) { return IsFirst(V[2]) ? V[0] : V[1]; });
  O.OperandWidths[2] = 32;
  return O;
}

/// testp.op.f32 p, a
static std::optional<Operation> testOf(OpcodeReader &R) {
  StringRef TypeWord;
  if (!R.takeType(&TypeWord))
    return std::nullopt;
  StringRef What = R.takeOneOf(
      {"finite", "infinite", "number", "notanumber", "normal", "subnormal"});
  std::optional<FloatFormat> Format = floatFormat(TypeWord);
  if (!Format || Format->Width < 32 || What.empty() || !R.isDone())
    return std::nullopt;
  Operation O = uniformOperation(Format->Width, 1, [=](Values V) -> uint64_t {
    APFloat F = Format->read(V[0], false);
    if (What == "finite")
      return F.isFinite();
    if (What == "infinite")
      return F.isInfinity();
    if (What == "number")
      return !F.isNaN();
    if (What == "notanumber")
      return F.isNaN();
    // The manual counts zero as normal.
    return What == "subnormal" ? F.isDenormal() : F.isNormal() || F.isZero();
  });
  O.ResultWidth = 1;
  return O;
}

std::optional<Operation> comparisonOperation(const Instruction &I) {
  OpcodeReader R(I);
  StringRef Base = R.base();
  if (Base == "setp")
    return setPredicateOf(R);
  if (Base == "set")
    return setOf(R);
  if (Base == "selp")
    return selectOf(R);
  if (Base == "slct")
    return selectBySignOf(R);
  if (Base == "testp")
    return testOf(R);
  return std::nullopt;
}

} // namespace unravel::ptx
