//===- ExecuteVector.cpp - What moves or combines lanes -------------------===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Each lane has its own poison. Only an index that is poison or not below the
// number of lanes makes all of the result poison.
//
//===----------------------------------------------------------------------===//

#include "tools/kernel-fuzz/interpreter/ExecuteOperation.h"

using namespace llvm;

namespace unravel {

/// \p Operands: the lanes, then the index.
Outcome executeExtract(const Operation &, ArrayRef<Scalar> Operands) {
  ArrayRef<Scalar> Lanes = Operands.drop_back();
  const Scalar &Index = Operands.back();
  Outcome Out;
  Out.Value = Index.IsPoison || Index.Bits >= Lanes.size() ? Scalar::poison()
                                                           : Lanes[Index.Bits];
  return Out;
}

/// \p Operands: the old lane, the element, its index.
Outcome executeInsert(const Operation &Op, ArrayRef<Scalar> Operands) {
  const Scalar &Index = Operands[2];
  Outcome Out;
  if (Index.IsPoison || Index.Bits >= countLanes(Op.Inst->getType()))
    Out.Value = Scalar::poison();
  else
    Out.Value = Operands[Index.Bits == Op.Lane ? 1 : 0];
  return Out;
}

/// The bits of all lanes, the first one lowest, cut into words of another size.
/// A word is poison if some bit of it is.
Outcome executeRegroup(const Operation &Op, ArrayRef<Scalar> Operands) {
  uint64_t Begin = uint64_t(Op.Lane) * Op.Width;
  Outcome Out;
  for (unsigned Bit = 0; Bit < Op.Width; ++Bit) {
    const Scalar &From = Operands[(Begin + Bit) / Op.OperandWidth];
    if (From.IsPoison) {
      Out.Value = Scalar::poison();
      return Out;
    }
    uint64_t Value = From.Bits >> ((Begin + Bit) % Op.OperandWidth) & 1;
    Out.Value.Bits |= Value << Bit;
  }
  return Out;
}

bool isReduction(Intrinsic::ID ID) {
  switch (ID) {
  case Intrinsic::vector_reduce_add:
  case Intrinsic::vector_reduce_mul:
  case Intrinsic::vector_reduce_and:
  case Intrinsic::vector_reduce_or:
  case Intrinsic::vector_reduce_xor:
  case Intrinsic::vector_reduce_smin:
  case Intrinsic::vector_reduce_smax:
  case Intrinsic::vector_reduce_umin:
  case Intrinsic::vector_reduce_umax:
    return true;
  default:
    return false;
  }
}

static uint64_t combine(Intrinsic::ID ID, uint64_t X, uint64_t Y,
                        unsigned Width) {
  bool IsLess = asSigned(X, Width) < asSigned(Y, Width);
  switch (ID) {
  case Intrinsic::vector_reduce_add:
    return X + Y;
  case Intrinsic::vector_reduce_mul:
    return X * Y;
  case Intrinsic::vector_reduce_and:
    return X & Y;
  case Intrinsic::vector_reduce_or:
    return X | Y;
  case Intrinsic::vector_reduce_xor:
    return X ^ Y;
  case Intrinsic::vector_reduce_smin:
    return IsLess ? X : Y;
  case Intrinsic::vector_reduce_smax:
    return IsLess ? Y : X;
  case Intrinsic::vector_reduce_umin:
    return std::min(X, Y);
  default:
    return std::max(X, Y);
  }
}

Outcome executeReduction(const Operation &Op, ArrayRef<Scalar> Lanes) {
  Outcome Out;
  Out.Value = Lanes.front();
  for (const Scalar &Lane : Lanes) {
    if (Lane.IsPoison) {
      Out.Value = Scalar::poison();
      return Out;
    }
    if (&Lane != &Lanes.front())
      Out.Value.Bits = lowBits(
          combine(Op.ID, Out.Value.Bits, Lane.Bits, Op.Width), Op.Width);
  }
  return Out;
}

} // namespace unravel
