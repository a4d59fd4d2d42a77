//===- KernelNames.h - Kernels as people call them --------------*- C++ -*-===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef UNRAVEL_ANALYSIS_FACTS_KERNELNAMES_H
#define UNRAVEL_ANALYSIS_FACTS_KERNELNAMES_H

#include "llvm/ADT/StringRef.h"

namespace unravel {

/// Whether \p Name is the symbol \p Mangled (`_Z7reshapePfii`), its demangled
/// name (`reshape(float*, int, int)`) or the plain part of that (`reshape`,
/// `ns::reshape<int>`).
bool isNameOf(llvm::StringRef Name, llvm::StringRef Mangled);

} // namespace unravel

#endif // UNRAVEL_ANALYSIS_FACTS_KERNELNAMES_H
