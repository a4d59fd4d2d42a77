//===- Comparison.h - Two versions of a kernel on one input -----*- C++ -*-===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef UNRAVEL_TOOLS_PTX_FUZZ_COMPARISON_H
#define UNRAVEL_TOOLS_PTX_FUZZ_COMPARISON_H

#include "tools/ptx-fuzz/Arguments.h"

namespace unravel::ptx {

struct Verdict {
  enum class Kind {
    Same,
    Different,  ///< Other bytes, or a fault of the new code only.
    Skipped,    ///< The old code's result is up to the machine, or a fault.
    NotModelled ///< One of them has an instruction that is not modelled.
  };
  Kind K;
  std::string Text; ///< Why.
};

/// A kernel in two versions.
class KernelPair {
public:
  static llvm::Expected<KernelPair> create(const Module &Old, const Module &New,
                                           llvm::StringRef Kernel);

  Verdict compareOn(const Input &In) const;
  const Function &kernel() const { return *Old.Kernel; }

private:
  KernelPair(Program Old, Program New)
      : Old(std::move(Old)), New(std::move(New)),
        Parts(parameterParts(*this->Old.Kernel)) {}

  Program Old, New;
  std::vector<ParameterPart> Parts;
};

} // namespace unravel::ptx

#endif // UNRAVEL_TOOLS_PTX_FUZZ_COMPARISON_H
