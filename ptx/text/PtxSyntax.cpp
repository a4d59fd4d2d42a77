//===- PtxSyntax.cpp - A PTX module as a tree -----------------------------===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ptx/text/PtxSyntax.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;
using namespace unravel::ptx;

std::optional<Type> unravel::ptx::parseType(StringRef Modifier) {
  if (Modifier == "pred")
    return Type{Type::Kind::Predicate, 1};
  StringRef Rest = Modifier;
  std::optional<Type::Kind> K;
  if (Rest.consume_front("bf") || Rest.consume_front("tf") ||
      Rest.consume_front("e") || Rest.consume_front("ue"))
    K = Type::Kind::SmallFloat;
  else if (Rest.consume_front("f"))
    K = Type::Kind::Float;
  else if (Rest.consume_front("b"))
    K = Type::Kind::Bits;
  else if (Rest.consume_front("u"))
    K = Type::Kind::Unsigned;
  else if (Rest.consume_front("s"))
    K = Type::Kind::Signed;
  unsigned Width, Lanes;
  if (!K || Rest.consumeInteger(10, Width))
    return std::nullopt;
  // `e4m3x2` and `e2m1x4`: small floats, whose widths are the sums of their
  // parts and a sign.
  if (K == Type::Kind::SmallFloat && Rest.consume_front("m")) {
    unsigned Mantissa;
    if (Rest.consumeInteger(10, Mantissa))
      return std::nullopt;
    Width += Mantissa + 1;
  }
  if (Rest.consume_front("x")) {
    if (Rest.consumeInteger(10, Lanes))
      return std::nullopt;
    Width *= Lanes;
    bool IsFloat = K == Type::Kind::Float || K == Type::Kind::SmallFloat;
    K = IsFloat ? Type::Kind::SmallFloat : Type::Kind::Packed;
  }
  // `f4e` and `b4e` are modes of `prmt`.
  if (!Rest.empty() || Width == 0 || Width > 128)
    return std::nullopt;
  bool IsWord =
      Width == 8 || Width == 16 || Width == 32 || Width == 64 || Width == 128;
  if (K != Type::Kind::SmallFloat && !IsWord)
    return std::nullopt;
  if (K == Type::Kind::Float && Width != 32 && Width != 64)
    K = Type::Kind::SmallFloat;
  return Type{*K, Width};
}

bool Instruction::has(StringRef Modifier) const {
  return is_contained(ArrayRef(Words).drop_front(), Modifier);
}

bool Registers::Entry::declares(StringRef Register) const {
  if (!Count)
    return Register == Name;
  unsigned Number;
  return Register.consume_front(Name) && !Register.getAsInteger(10, Number) &&
         Number < *Count;
}

const Limit *Function::limit(StringRef Name) const {
  auto It = find_if(Limits, [&](const Limit &L) { return L.Name == Name; });
  return It == Limits.end() ? nullptr : &*It;
}

unsigned Module::architecture() const {
  unsigned Number = 0;
  StringRef Rest = Target;
  Rest.consume_front("sm_");
  Rest.consumeInteger(10, Number);
  return Number;
}

const Function *Module::find(StringRef Name) const {
  for (const Item &I : Items)
    if (auto *F = I.as<Function>(); F && F->HasBody && F->Name == Name)
      return F;
  return nullptr;
}
