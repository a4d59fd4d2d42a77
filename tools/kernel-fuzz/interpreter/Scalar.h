//===- Scalar.h - What an IR value is while a thread runs -------*- C++ -*-===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef UNRAVEL_TOOLS_KERNELFUZZ_SCALAR_H
#define UNRAVEL_TOOLS_KERNELFUZZ_SCALAR_H

#include <cstdint>

namespace unravel {

/// The bits of an integer of at most 64 bits, of a float, or of an address; or
/// poison. Undef is poison to all operations, but one that must not become
/// poison in other code.
struct Scalar {
  uint64_t Bits = 0;
  bool IsPoison = false;
  /// The memory object that a pointer is based on, -1 if it is based on none.
  int16_t Object = -1;
  bool IsUndef = false; ///< then it is poison, too

  static Scalar poison() { return {0xDEADBEEFDEADBEEFu, true, -1}; }
  static Scalar undef() { return {0xDEADBEEFDEADBEEFu, true, -1, true}; }
};

__extension__ typedef __int128 Int128;
__extension__ typedef unsigned __int128 UInt128;

inline uint64_t lowBits(uint64_t Bits, unsigned Width) {
  return Width >= 64 ? Bits : Bits & ((uint64_t(1) << Width) - 1);
}

/// The number that the low \p Width bits mean when read as signed.
inline int64_t asSigned(uint64_t Bits, unsigned Width) {
  if (Width >= 64)
    return int64_t(Bits);
  uint64_t Sign = uint64_t(1) << (Width - 1);
  return int64_t((lowBits(Bits, Width) ^ Sign) - Sign);
}

} // namespace unravel

#endif // UNRAVEL_TOOLS_KERNELFUZZ_SCALAR_H
