//===- Bits.cpp - Logic, shifts, counts -----------------------------------===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tools/ptx-fuzz/interpreter/Operation.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/bit.h"

using namespace llvm;

namespace unravel::ptx {

static std::optional<Operation> logicOf(OpcodeReader &R) {
  std::optional<Type> T = R.takeType();
  if (!T || !R.isDone())
    return std::nullopt;
  bool IsPredicate = T->K == Type::Kind::Predicate;
  unsigned Width = T->Width;
  if (!IsPredicate && (T->K != Type::Kind::Bits || Width < 16 || Width > 64))
    return std::nullopt;
  StringRef Base = R.base();
  if (Base == "and")
    return uniformOperation(Width, 2, [](Values V) { return V[0] & V[1]; });
  if (Base == "or")
    return uniformOperation(Width, 2, [](Values V) { return V[0] | V[1]; });
  if (Base == "xor")
    return uniformOperation(Width, 2, [](Values V) { return V[0] ^ V[1]; });
  if (Base == "not")
    return uniformOperation(Width, 1, [](Values V) { return ~V[0]; });
  if (Base == "cnot" && !IsPredicate)
    return uniformOperation(Width, 1,
                            [](Values V) -> uint64_t { return V[0] == 0; });
  return std::nullopt;
}

/// Amounts above the width count as the width.
static std::optional<Operation> shiftOf(OpcodeReader &R) {
  std::optional<Type> T = R.takeType();
  bool IsLeft = R.base() == "shl";
  if (!T || !R.isDone() || !T->isInteger() || T->Width < 16 || T->Width > 64 ||
      (IsLeft && T->K != Type::Kind::Bits))
    return std::nullopt;
  unsigned Width = T->Width;
  bool IsSigned = T->isSigned();
  Operation O = uniformOperation(Width, 2, [=](Values V) -> uint64_t {
    bool IsOut = V[1] >= Width;
    if (IsLeft)
      return IsOut ? 0 : V[0] << V[1];
    if (IsSigned)
      return signedOf(V[0], Width) >> (IsOut ? Width - 1 : V[1]);
    return IsOut ? 0 : V[0] >> V[1];
  });
  O.OperandWidths[1] = 32;
  return O;
}

/// shf: b:a as 64 bits, shifted, and one half of the result.
static std::optional<Operation> funnelOf(OpcodeReader &R) {
  bool IsLeft = R.take("l");
  if ((!IsLeft && !R.take("r")) || !R.take("b32"))
    return std::nullopt;
  bool Wraps = R.take("wrap");
  if ((!Wraps && !R.take("clamp")) || !R.isDone())
    return std::nullopt;
  return uniformOperation(32, 3, [=](Values V) -> uint64_t {
    uint64_t Both = V[1] << 32 | V[0];
    uint64_t Amount = Wraps ? V[2] & 31 : std::min<uint64_t>(V[2], 32);
    return IsLeft ? (Both << Amount) >> 32 : Both >> Amount;
  });
}

/// popc, clz, brev.
static std::optional<Operation> countOf(OpcodeReader &R) {
  std::optional<Type> T = R.takeType();
  if (!T || !R.isDone() || T->K != Type::Kind::Bits ||
      (T->Width != 32 && T->Width != 64))
    return std::nullopt;
  unsigned Width = T->Width;
  if (R.base() == "brev")
    return uniformOperation(Width, 1, [=](Values V) {
      return llvm::reverseBits(V[0]) >> (64 - Width);
    });
  bool IsCount = R.base() == "popc";
  Operation O = uniformOperation(Width, 1, [=](Values V) -> uint64_t {
    return IsCount ? llvm::popcount(V[0])
                   : llvm::countl_zero(V[0]) - int(64 - Width);
  });
  O.ResultWidth = 32;
  return O;
}

/// The highest bit that is not the sign, or all ones if there is none.
static std::optional<Operation> findBitOf(OpcodeReader &R) {
  std::optional<Type> T = R.takeType();
  bool IsShift = R.take("shiftamt");
  if (!T || !R.isDone() || !T->isInteger() || T->K == Type::Kind::Bits ||
      (T->Width != 32 && T->Width != 64))
    return std::nullopt;
  unsigned Width = T->Width;
  bool IsSigned = T->isSigned();
  Operation O = uniformOperation(Width, 1, [=](Values V) -> uint64_t {
    uint64_t A = V[0];
    if (IsSigned && signedOf(A, Width) < 0)
      A = ~A & maskOf(Width);
    if (A == 0)
      return 0xffffffff;
    unsigned Highest = Log2_64(A);
    return IsShift ? Width - 1 - Highest : Highest;
  });
  O.ResultWidth = 32;
  return O;
}

/// The position of the n-th set bit from a base on, in either direction.
static uint64_t findNthSet(Values V) {
  uint64_t Mask = V[0];
  int64_t At = int64_t(V[1]), Offset = signedOf(V[2], 32);
  if (Offset == 0)
    return At < 32 && (Mask >> At & 1) ? At : 0xffffffff;
  int64_t Count = (Offset < 0 ? -Offset : Offset) - 1;
  for (; At >= 0 && At < 32; At += Offset > 0 ? 1 : -1)
    if (Mask >> At & 1)
      if (Count-- == 0)
        return At;
  return 0xffffffff;
}

/// Bit i of the result is bit (a_i b_i c_i) of the table.
static uint64_t lookUp(Values V, uint64_t Table) {
  uint64_t Result = 0;
  for (unsigned Row = 0; Row != 8; ++Row)
    if (Table >> Row & 1)
      Result |= (Row & 4 ? V[0] : ~V[0]) & (Row & 2 ? V[1] : ~V[1]) &
                (Row & 1 ? V[2] : ~V[2]);
  return Result & maskOf(32);
}

/// `lop3.b32 d, a, b, c, table` and `lop3.or.b32 d|p, a, b, c, table, q`.
static std::optional<Operation> lookUpOf(OpcodeReader &R) {
  StringRef Combine = R.takeOneOf({"and", "or"});
  if (!R.take("b32") || !R.isDone())
    return std::nullopt;
  Operation O;
  O.ResultWidth = 32;
  O.OperandWidths = {32, 32, 32, 32};
  if (Combine.empty()) {
    O.Run = [](Values V, ThreadFlags &) { return Results{lookUp(V, V[3]), 0}; };
    return O;
  }
  O.SecondWidth = 1;
  O.OperandWidths.push_back(1);
  bool IsOr = Combine == "or";
  O.Run = [IsOr](Values V, ThreadFlags &) {
    uint64_t D = lookUp(V, V[3]);
    uint64_t IsSet = D != 0;
    return Results{D, IsOr ? IsSet | V[4] : IsSet & V[4]};
  };
  return O;
}

std::optional<Operation> bitOperation(const Instruction &I) {
  OpcodeReader R(I);
  StringRef Base = R.base();
  if (is_contained({"and", "or", "xor", "not", "cnot"}, Base))
    return logicOf(R);
  if (Base == "shl" || Base == "shr")
    return shiftOf(R);
  if (Base == "shf")
    return funnelOf(R);
  if (Base == "popc" || Base == "clz" || Base == "brev")
    return countOf(R);
  if (Base == "bfind")
    return findBitOf(R);
  if (Base == "fns" && R.take("b32") && R.isDone())
    return uniformOperation(32, 3, findNthSet);
  if (Base == "lop3")
    return lookUpOf(R);
  return std::nullopt;
}

} // namespace unravel::ptx
