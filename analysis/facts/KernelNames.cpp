//===- KernelNames.cpp - Kernels as people call them ----------------------===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "analysis/facts/KernelNames.h"
#include "llvm/Demangle/Demangle.h"
#include <cstdlib>
#include <string>

using namespace llvm;

namespace unravel {

bool isNameOf(StringRef Name, StringRef Mangled) {
  if (Mangled == Name)
    return true;
  // The demangler keeps pointers into it.
  std::string Symbol = Mangled.str();
  ItaniumPartialDemangler Demangler;
  if (Demangler.partialDemangle(Symbol.c_str()))
    return false;
  // It allocates with malloc and hands the buffer over.
  auto Is = [&](char *Text) {
    bool Same = Text && Name == Text;
    std::free(Text);
    return Same;
  };
  return Is(Demangler.getFunctionBaseName(nullptr, nullptr)) ||
         Is(Demangler.getFunctionName(nullptr, nullptr)) ||
         Is(Demangler.finishDemangle(nullptr, nullptr));
}

} // namespace unravel
