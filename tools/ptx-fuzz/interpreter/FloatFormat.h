//===- FloatFormat.h - Floats as bits ---------------------------*- C++ -*-===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef UNRAVEL_TOOLS_PTX_FUZZ_INTERPRETER_FLOATFORMAT_H
#define UNRAVEL_TOOLS_PTX_FUZZ_INTERPRETER_FLOATFORMAT_H

#include "tools/ptx-fuzz/interpreter/Operation.h"
#include "llvm/ADT/APFloat.h"

namespace unravel::ptx {

/// A float type of PTX, perhaps of two lanes.
struct FloatFormat {
  const llvm::fltSemantics *Semantics;
  unsigned Width; ///< Of one lane.
  unsigned Lanes;

  llvm::APFloat read(uint64_t Bits, bool FlushesDenormals) const;
  /// All NaNs become one, as the hardware makes them.
  uint64_t write(llvm::APFloat Value, bool FlushesDenormals) const;
};

/// By the word of the type: "f32", "f64", "f16", "bf16", "f16x2", "bf16x2".
std::optional<FloatFormat> floatFormat(llvm::StringRef TypeWord);

/// rn, rz, rm, rp; with an `i` behind them: round to integers.
std::optional<llvm::RoundingMode> roundingMode(llvm::StringRef Word);

} // namespace unravel::ptx

#endif // UNRAVEL_TOOLS_PTX_FUZZ_INTERPRETER_FLOATFORMAT_H
