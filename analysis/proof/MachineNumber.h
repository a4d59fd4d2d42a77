//===- MachineNumber.h - Integers of 128 bits -------------------*- C++ -*-===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What searches compute with: nothing is believed because of it, so it need not
// be right for numbers that are too large, only fast.
//
//===----------------------------------------------------------------------===//

#ifndef UNRAVEL_ANALYSIS_PROOF_MACHINENUMBER_H
#define UNRAVEL_ANALYSIS_PROOF_MACHINENUMBER_H

#include "llvm/ADT/DynamicAPInt.h"

namespace unravel {

__extension__ typedef __int128 MachineNumber;

/// False where \p From has more than 120 bits.
inline bool convert(const llvm::DynamicAPInt &From, MachineNumber &To) {
  llvm::DynamicAPInt Half(int64_t(1) << 60);
  if (From < Half && From > -Half) {
    To = int64_t(From);
    return true;
  }
  llvm::DynamicAPInt Upper = floorDiv(From, Half);
  if (abs(Upper) >= Half)
    return false;
  To = MachineNumber(int64_t(Upper)) * (int64_t(1) << 60) +
       int64_t(From - Upper * Half);
  return true;
}

inline llvm::DynamicAPInt toInteger(MachineNumber From) {
  constexpr int64_t Half = int64_t(1) << 62;
  if (From < Half && From > -Half)
    return llvm::DynamicAPInt(int64_t(From));
  MachineNumber Upper = From >> 62;
  return toInteger(Upper) * llvm::DynamicAPInt(Half) +
         llvm::DynamicAPInt(int64_t(From - Upper * Half));
}

} // namespace unravel

#endif // UNRAVEL_ANALYSIS_PROOF_MACHINENUMBER_H
